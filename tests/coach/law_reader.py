"""Reads what is said of a law back: of the position after the move, whoever wins it."""

from __future__ import annotations

import re

from tests.coach.plain_features import Plain
from zerosum.rules.model import Seat
from zerosum.rules.moves import Move
from zerosum.rules.position import Position


class LawReader:
    """Checks the sentences of a law about one move."""

    def __init__(self, plain: Plain, position: Position, move: Move) -> None:
        self.plain, self.position, self.move = plain, position, move
        self.after = self.lost = position.play(move)
        self.winner, self.loser = "you", "they"
        self.target = position.rules.target

    def _lost_after(self) -> bool:
        return self.plain.lost(self.after)

    def _cannot(self, who: str, target: str, why: str | None) -> bool:
        need = self.target - self.after.total(self.after.seat)
        legal = any(move.amount == need and move.number for move in self.after.legal_moves())
        if not self._lost_after() or who != "they" or int(target) != self.target or legal:
            return False
        if why is None:
            return True
        gone = re.fullmatch(r"(-?\d+) is gone", why)
        if gone is not None:
            number = int(gone[1])
            fits_need = number == need or (len(self.position.rules.operations) > 1 and number == -need)
            return fits_need and number in self.position.rules.pool and number not in self.after.pool
        return why == f"they need {need}" or (need == 0 and why == "every number leads away from it")

    def _left(self, left: str, count: str, how: str) -> bool:
        size = len(self.after.pool)
        winner = "you" if self._lost_after() else "they"
        # Whoever is to move takes the last of an odd count; they are to move.
        last = "they" if size % 2 else "you"
        told = how == "and here that loses" or (how == f"so {winner} move last" and last == winner)
        return size == int(left) and (count == "odd") == (size % 2 == 1) and told

    def _out_of_reach(self, left: str | None = None) -> bool:
        return self._cannot("they", str(self.target), None) and (left is None or int(left) == len(self.after.pool))

    def _left_again(self, left: str, count: str) -> bool:
        return not self._lost_after() and self._left(left, count, "and here that loses")

    def _tie(self, target: str, who: str) -> bool:
        rules = self.position.rules
        cancels = sum(rules.pool) == 0 and sum(rules.start) == 2 * rules.target and len(rules.operations) == 1
        winner = self.position.seat if who == "you" else self.position.seat.other
        begins = winner is Seat.FIRST and len(rules.pool) % 2 == 0
        told = rules.tie == "sudden-death" and cancels and begins and int(target) == self.target
        return told and (who == "you") == self._lost_after()

    def _tie_far(self, target: str, who: str, _: str, reach: str, again: str) -> bool:
        far = abs(self.after.totals[0] - self.target) > int(reach) == max(map(abs, self.position.rules.pool))
        return self._tie(target, who) and far and int(again) == self.target

    def _seat(self, who: str, nth: str) -> bool:
        seat = self.position.seat if who == "you" else self.position.seat.other
        return (nth == "first") == (seat is Seat.FIRST) and (who == "you") == self._lost_after()

    def _whoever(self) -> bool:
        return self._lost_after()
