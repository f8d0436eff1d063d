"""Why a selection is not available, in one sentence."""

from zerosum.match.match import Match
from zerosum.match.policy import Forbidden
from zerosum.rules.moves import Operation
from zerosum.rules.position import Clause


def why_not(match: Match, answer: Forbidden, names: tuple[str, str] | None = None) -> str:
    """Say why the answer is not a move; `names` is what the two persons are called, where not by their own names."""
    if answer.clause is Clause.NUMBER:
        return _why_no_number(match, answer.number, names or match.setup.names)
    if answer.clause is Clause.OPERATION:
        return f"Say whether to add or subtract {answer.number}: + or -."
    verb = answer.operation or Operation.ADD
    return f"You cannot {verb.value} {answer.number} now: {answer.clause.value}."


def _why_no_number(match: Match, number: int, names: tuple[str, str]) -> str:
    if number not in match.setup.rules.pool:
        return f"{number} is not one of the numbers of this game."
    taken = [ply for ply, move in enumerate(match.moves) if move.number == number]
    ply = taken[-1]
    return f"{number} was taken by {names[match.mover(ply) - 1]} on move {ply + 1}."
