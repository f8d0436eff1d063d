"""Matches played by chance, many and fast: what a player may do in a position is worked out once and remembered."""

from __future__ import annotations

from bisect import bisect
from itertools import accumulate
from random import Random

from zerosum.players.policies import chances
from zerosum.rules.model import Rules, Seat
from zerosum.rules.position import Position, PositionKey, start_position
from zerosum.solver import Solution


class _Turn:
    """A position: its moves' chances added up, and what each leads to."""

    __slots__ = ("after", "moves", "position", "shares")

    def __init__(self, position: Position, who: str, solution: Solution) -> None:
        found = chances(who, position, solution)
        self.position = position
        self.moves = list(found)
        self.shares = list(accumulate(found.values()))
        self.after: list[_Turn | Seat | None] = [None] * len(found)


class Simulation:
    """Plays matches between two players."""

    def __init__(self, rules: Rules, solution: Solution, first: str, second: str) -> None:
        self._solution = solution
        self._who = {Seat.FIRST: first, Seat.SECOND: second}
        self._turns: dict[PositionKey, _Turn] = {}
        self._start = self._turn(start_position(rules))

    def _turn(self, position: Position) -> _Turn:
        key = position.key
        if key not in self._turns:
            self._turns[key] = _Turn(position, self._who[position.seat], self._solution)
        return self._turns[key]

    def _look(self, turn: _Turn, at: int) -> _Turn | Seat:
        after = turn.position.play_unchecked(turn.moves[at])
        turn.after[at] = found = self._turn(after) if after.outcome is None else after.outcome.winner
        return found

    def winner(self, dice: Random, plies: int) -> Seat | None:
        """Play one match; None where so many plies do not decide it."""
        now = self._start
        for _ in range(plies):
            at = min(bisect(now.shares, dice.random()), len(now.shares) - 1)
            following = now.after[at] or self._look(now, at)
            if isinstance(following, Seat):
                return following
            now = following
        return None

    def play(self, matches: int, seed: str, plies: int) -> tuple[int, int]:
        """Return how many matches seat 1 won, and how many were left undecided."""
        dice = Random(seed)
        winners = [self.winner(dice, plies) for _ in range(matches)]
        return winners.count(Seat.FIRST), winners.count(None)
