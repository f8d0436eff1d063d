"""What `hint` answers at a prompt: first whether there is a good move, then which, then why."""

from __future__ import annotations

from zerosum.cli.hint_log import note_hint
from zerosum.coach.hints import STEPS, hint, hint_sentences
from zerosum.rules.position import Position
from zerosum.solver import SolverError, solution_of

_NEXT = {1: "Type hint again to see a move.", 2: "Type hint again to see why."}


def hint_lines(position: Position, step: int) -> list[str]:
    """Return a step of the hint for a position, one sentence a line, and what the next step would show.

    A hint that is given is also counted.
    """
    try:
        solution = solution_of(position.rules)
    except SolverError as error:
        return [f"There is no hint for this game. {error}"]
    note_hint(position, "match")
    lines = hint_sentences(hint(position, solution, step), position)
    return [*lines, _NEXT[step]] if step < STEPS else lines
