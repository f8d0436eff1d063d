"""What `hint` answers at a prompt."""

from __future__ import annotations

from zerosum.rules.position import Position
from zerosum.solver import SolverError, Verdict, solution_of


def hint(position: Position) -> str:
    """Return the best move of a position and what it does, in one sentence."""
    try:
        best = solution_of(position.rules).options(position)[0]
    except SolverError as error:
        return f"There is no hint for this game. {error}"
    move = position.text_of(best.move)
    if best.value.verdict is Verdict.DRAW:
        return f"Nobody can force an end here; {move} keeps it so."
    if best.value.verdict is Verdict.LOSS:
        return f"Every move loses against perfect play; {move} holds out longest."
    return (
        f"{move} wins at once." if best.value.plies == 1 else f"{move} wins, in {best.value.plies} moves at the latest."
    )
