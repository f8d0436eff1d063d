"""The coach at the terminal, while a match is played: `play --coach`."""

from __future__ import annotations

from zerosum.cli.dialogue import Coach
from zerosum.coach.commentary import CommentHistory, on_own_move, on_their_move
from zerosum.match.match import Match
from zerosum.rules.model import Rules
from zerosum.solver import solution_of


def coach_of(rules: Rules) -> Coach:
    """Return a coach that speaks to the people of one match; of a computer it tells only what it threatens."""
    solution = solution_of(rules)
    said = CommentHistory()

    def coach(match: Match) -> list[str]:
        nonlocal said
        ply = len(match.moves) - 1
        sentences: list[str] = []
        if match.setup.is_human(match.mover(ply)):
            sentences, said = on_own_move(match.positions[ply], match.moves[ply], solution, said)
        elif match.outcome is None:
            sentences, said = on_their_move(match.position, solution, said)
        return sentences

    return coach
