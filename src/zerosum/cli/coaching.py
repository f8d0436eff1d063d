"""What the coach says at the terminal: hints and remarks while a match is played, and the review after it."""

from __future__ import annotations

from typing import Final

from zerosum.cli.console import Console
from zerosum.cli.dialogue import Coach
from zerosum.cli.review_text import show
from zerosum.cli.user_data import log_hint
from zerosum.coach.causes import Why
from zerosum.coach.commentary import Said, on_own_move, on_their_move
from zerosum.coach.hints import hint, hint_sentences
from zerosum.coach.review import review
from zerosum.match.match import Match
from zerosum.rules.model import Rules
from zerosum.rules.position import Position
from zerosum.solver import SolverError, solution_of

_NEXT: Final = {
    1: ["Type hint again to see a move."],
    2: ["Type hint again to see why."],
    3: ["Type hint more to see the lines."],
}


def hint_lines(position: Position, step: int, explained: dict[str, Position]) -> list[str]:
    """Return a step of the hint for a position, one sentence a line, and what the next step would show.

    The steps are: whether there is a good move, which move, why; a step beyond them shows the lines of play.
    `explained` maps each cause to the position where this match explained it in full; elsewhere it stays short. This
    call adds its own cause. Every hint is logged.
    """
    try:
        solution = solution_of(position.rules)
    except SolverError as error:
        return [f"There is no hint for this game. {error}"]
    log_hint(position, "match")
    given = hint(position, solution, step)
    known = [name for name, where in explained.items() if where != position]
    if isinstance(given, Why):
        explained.setdefault(given.name, position)
    return [*hint_sentences(given, position, known), *_NEXT.get(step, [])]


def coach_of(rules: Rules) -> Coach:
    """Return a coach for the people in one match; after a computer's move it only says what that move threatens."""
    solution = solution_of(rules)
    said = Said()

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


def show_review(match: Match, match_id: str, console: Console) -> None:
    """Show the review of a match that has just ended."""
    try:
        found = review(match, solution_of(match.setup.rules))
    except SolverError as error:
        console.notice(f"There is no review of this game. {error}")
        return
    console.say("\n")
    show(found, console)
    console.say(f"\nTo see it again: zerosum review {match_id}\n\n")
