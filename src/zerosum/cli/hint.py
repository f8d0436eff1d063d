"""What `hint` answers at a prompt: whether there is a good move, then which, then why; `hint more` has the lines."""

from __future__ import annotations

from zerosum.cli.user_logs import note_hint
from zerosum.coach.causes import Why
from zerosum.coach.hints import hint, hint_sentences
from zerosum.rules.position import Position
from zerosum.solver import SolverError, solution_of

_NEXT = {
    1: ["Type hint again to see a move."],
    2: ["Type hint again to see why."],
    3: ["Type hint more to see the lines."],
}


def hint_lines(position: Position, step: int, told: dict[str, Position]) -> list[str]:
    """Return a step of the hint for a position, one sentence a line, and what the next step would show.

    `told` says where in this match each cause was told in full; it is short elsewhere. What is told now is added.
    A hint that is given is also counted.
    """
    try:
        solution = solution_of(position.rules)
    except SolverError as error:
        return [f"There is no hint for this game. {error}"]
    note_hint(position, "match")
    given = hint(position, solution, step)
    said = [name for name, where in told.items() if where != position]
    if isinstance(given, Why):
        told.setdefault(given.name, position)
    return [*hint_sentences(given, position, said), *_NEXT.get(step, [])]
