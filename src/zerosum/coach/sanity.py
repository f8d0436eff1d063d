"""Whether rules make a game: there is a choice, it matters, nothing is over at once, and the target can be made.

Each remark is found first and said later; one that would take long to find is left out, never guessed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from zerosum.base import limits
from zerosum.base.english import seat_name
from zerosum.base.enums import StrChoice
from zerosum.rules.model import Exhausted, Overshoot, Rules, Seat
from zerosum.rules.moves import SWAP
from zerosum.rules.position import Position, start_position
from zerosum.solver import Solution, Verdict
from zerosum.solver.sums import never_makes

_POSITIONS: Final = 5_000
"""How many positions are looked at for one that the other player wins."""
_SOON: Final = 2


class RemarkKind(StrChoice):
    """What can be remarked about a game."""

    ONE_LINE = "one-line"
    NOTHING_MATTERS = "nothing-matters"
    WON_AT_ONCE = "won-at-once"
    LOST_AT_ONCE = "lost-at-once"
    OUT_OF_REACH = "out-of-reach"


_FLAWS: Final = {
    RemarkKind.ONE_LINE: "This is not a game.",
    RemarkKind.NOTHING_MATTERS: "This is not a game.",
    RemarkKind.WON_AT_ONCE: "This is over at once.",
    RemarkKind.LOST_AT_ONCE: "This is over at once.",
}
"""What is wrong with rules, in a word."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A remark about a game; `seat` is whom it is about, nobody for both."""

    kind: RemarkKind
    seat: Seat | None = None

    @property
    def flaw(self) -> bool:
        """Whether rules with this flaw make a poor game."""
        return self.kind in _FLAWS


def remarks(rules: Rules, solution: Solution | None) -> list[Remark]:
    """Return what is remarkable about a game, a flaw first and at most one; a game too large has no solution."""
    start = start_position(rules)
    unmade = _out_of_reach(rules)
    flaw = _one_line(start) or _nothing_matters(start, unmade) or (at_once(solution) if solution else None)
    return [*filter(None, [flaw, unmade])]


def headline(found: list[Remark]) -> str:
    """Return whether rules make a game, in a word."""
    return next((_FLAWS[one.kind] for one in found if one.flaw), "This is a game.")


def say(remark: Remark, rules: Rules) -> str:
    """Return a remark as a sentence."""
    who = f"the {seat_name(remark.seat)} player" if remark.seat else "nobody"
    match remark.kind:
        case RemarkKind.ONE_LINE:
            return "There is never a choice: every turn has just one move."
        case RemarkKind.NOTHING_MATTERS:
            return f"No move matters: {who} wins whatever both do."
        case RemarkKind.WON_AT_ONCE:
            return "The first player can win with the very first move."
        case RemarkKind.LOST_AT_ONCE:
            return "Whatever the first move is, the second player can win with the next."
        case RemarkKind.OUT_OF_REACH:
            return f"{who.capitalize()} can {'never' if remark.seat else 'ever'} make {rules.target}."


def _one_line(position: Position) -> Remark | None:
    """Remark that every turn has just one move."""
    for _ in range(limits.MATCH_PLIES):
        moves = position.legal_moves()
        if len(moves) != 1:
            return None if moves else Remark(RemarkKind.ONE_LINE)
        position = position.play_unchecked(moves[0])
    return Remark(RemarkKind.ONE_LINE)


def _nothing_matters(start: Position, unmade: Remark | None) -> Remark | None:
    """Remark that one player wins every match; one who swaps seats stays the player who began in theirs."""
    rules = start.rules
    counts = rules.overshoot is Overshoot.PLAY_ON and rules.exhausted is Exhausted.LAST_MOVER and not rules.swap
    if counts and unmade is not None and unmade.seat is None:
        return Remark(RemarkKind.NOTHING_MATTERS, Seat.FIRST if len(rules.pool) % 2 else Seat.SECOND)
    winners: set[Seat] = set()
    seen = {(start.key, Seat.FIRST)}
    todo = [(start, Seat.FIRST)]
    while todo:
        position, first = todo.pop()
        for move in position.legal_moves():
            following, sits = position.play_unchecked(move), first.other if move == SWAP else first
            if following.outcome is not None:
                winners.add(Seat.FIRST if following.outcome.winner is sits else Seat.SECOND)
            elif (following.key, sits) not in seen:
                seen.add((following.key, sits))
                todo.append((following, sits))
        if len(winners) > 1 or len(seen) > _POSITIONS:
            return None
    return Remark(RemarkKind.NOTHING_MATTERS, winners.pop())


def at_once(solution: Solution) -> Remark | None:
    """Remark that the first move or the second ends the match, if it is made well; None if neither does."""
    value = solution.value(solution.start)
    if value.plies is None or value.plies > _SOON:
        return None
    if value.verdict is Verdict.LOSS:
        return Remark(RemarkKind.LOST_AT_ONCE)
    return Remark(RemarkKind.WON_AT_ONCE) if value.plies == 1 else None


def _out_of_reach(rules: Rules) -> Remark | None:
    """Remark that a player cannot make the target with any of the numbers that they can take."""
    unmade = [seat for seat in Seat if never_makes(rules, seat)]
    if len(unmade) == len(Seat):
        return Remark(RemarkKind.OUT_OF_REACH)
    return Remark(RemarkKind.OUT_OF_REACH, unmade[0]) if unmade else None
