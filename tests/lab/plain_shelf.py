"""What the shelf of the lab claims of its games, computed a second time from the rules.

The rules and the solver are those of `tests/naive.py`; the levels are written here again, from the page about levels.
Nothing of the package is used.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from typing import NamedTuple

from tests import naive


class Level(NamedTuple):
    """How far a level sees, how often it slips, whether it never misses a win at once, and whether it sets traps."""

    sight: int
    slip: float
    sure: bool
    traps: bool


LEVELS = (
    Level(0, 1.0, sure=False, traps=False),
    Level(2, 0.86, sure=False, traps=False),
    Level(2, 0.72, sure=False, traps=False),
    Level(2, 0.59, sure=True, traps=False),
    Level(3, 0.47, sure=True, traps=False),
    Level(4, 0.36, sure=True, traps=False),
    Level(5, 0.26, sure=True, traps=False),
    Level(8, 0.18, sure=True, traps=True),
    Level(9, 0.10, sure=True, traps=True),
    Level(16, 0.03, sure=True, traps=True),
)
"""Random, then level 1 to 9."""
PAIRS = [(n, n) for n in range(10)] + [pair for n in range(1, 10) for pair in ((n, n - 1), (n - 1, n))]
"""Who meets whom, the player of seat 1 first: each player an equal one, and the one below from both seats."""


class Option(NamedTuple):
    """A move: where it leads, and whether and in how many plies it wins for whoever makes it."""

    move: str
    after: naive.State
    wins: bool
    plies: int
    replies: int
    """The replies that win for the other."""

    @property
    def worth(self) -> int:
        """More is better: quick wins, then slow wins, then slow losses, then quick losses."""
        return 1000 - self.plies if self.wins else self.plies - 1000


class PlainShelfGame:
    """A game that ends, its value and its players."""

    def __init__(self, game: str) -> None:
        self.game = naive.GAMES[game]
        self.value = naive.solver(self.game)
        self.options = cache(self._options)
        self.meet = cache(self._meet)
        self.start = self.game.start()

    def _wins(self, state: naive.State, after: naive.State) -> bool:
        return after.winner == state.seat if after.winner else self.value(after)[0] == "loss"

    def _options(self, state: naive.State) -> list[Option]:
        found = []
        for move in self.game.moves(state):
            after = self.game.play(state, move)
            plies, replies = 1, 0
            if not after.winner:
                plies += self.value(after)[1]
                answers = [self.game.play(after, reply) for reply in self.game.moves(after)]
                replies = sum(self._wins(after, answer) for answer in answers)
            found.append(Option(move, after, self._wins(state, after), plies, replies))
        return found

    def chances(self, level: Level, state: naive.State) -> list[float]:
        """Return how likely a level makes each move."""
        options = self.options(state)
        best = max(option.worth for option in options)
        quickest = [option for option in options if option.worth == best]
        if level.sure and best == 999:
            return _evenly(options, quickest)
        if level.traps and best < 0 and 1000 + best <= level.sight:
            ranks = [(min(option.plies, 3), -option.replies, option.plies) for option in options]
            return _evenly(options, [one for one, rank in zip(options, ranks, strict=True) if rank == max(ranks)])
        sees_win = best > 0 and 1000 - best <= level.sight
        unseen = [] if sees_win else [one for one in options if one.wins or one.plies > level.sight]
        return _evenly(options, unseen or quickest, level.slip)

    def _meet(self, state: naive.State) -> list[float]:
        """Return the chance of whoever sits in seat 1, for each pair of players."""
        options = self.options(state)
        after = [
            [float(one.after.winner == 1)] * len(PAIRS) if one.after.winner else self.meet(one.after) for one in options
        ]
        shares = [self.chances(level, state) for level in LEVELS]
        return [
            sum(share * won[n] for share, won in zip(shares[pair[state.seat - 1]], after, strict=True))
            for n, pair in enumerate(PAIRS)
        ]

    def first(self) -> list[float]:
        """Return how often the first of two equal players wins: random, then level 1 to 9."""
        return self.meet(self.start)[:10]

    def steps(self) -> list[float]:
        """Return what each level scores against the player below, on average of both seats."""
        found = self.meet(self.start)[10:]
        return [(high + 1 - low) / 2 for high, low in zip(found[::2], found[1::2], strict=True)]

    def early(self, level: int) -> float:
        """Return the chance that a match between equals is over within 4 plies."""
        return sum(chance for plies, chance in self.lengths(level)[0].items() if plies <= 4)

    def choices(self, level: int) -> float:
        """Return the share of plies, in matches between equals, in which the moves differ in verdict."""
        lengths, real = self.lengths(level)
        return real / sum(plies * chance for plies, chance in lengths.items())

    def lengths(self, level: int) -> tuple[dict[int, float], float]:
        """Return the chance of each length of a match between equals, and how many real choices it has on average."""
        here, lengths, real, ply = {self.start: 1.0}, defaultdict[int, float](float), 0.0, 0
        while here:
            ply += 1
            following = defaultdict[naive.State, float](float)
            for state, mass in here.items():
                options = self.options(state)
                real += mass * (len({option.wins for option in options}) == 2)
                for option, share in zip(options, self.chances(LEVELS[level], state), strict=True):
                    if option.after.winner:
                        lengths[ply] += mass * share
                    else:
                        following[option.after] += mass * share
            here = following
        return lengths, real

    def states(self) -> list[naive.State]:
        """Return every unfinished state that can arise."""
        found = [self.start]
        seen = {self.start}
        for state in found:
            for option in self.options(state):
                if not option.after.winner and option.after not in seen:
                    seen.add(option.after)
                    found.append(option.after)
        return found

    def needed(self) -> set[str]:
        """Return the moves without which some state would be lost, though not every move there wins."""
        found = set()
        for state in self.states():
            winning = [option.move for option in self.options(state) if option.wins]
            if len(winning) == 1 < len(self.options(state)):
                found.add(winning[0])
        return found

    def endings(self) -> set[str]:
        """Return how matches can end."""
        return {str(one.after.reason) for state in self.states() for one in self.options(state) if one.after.winner}


def _evenly(options: list[Option], chosen: list[Option], slip: float = 0.0) -> list[float]:
    """Share the chance of a slip among all moves, and the rest among the chosen ones."""
    return [slip / len(options) + (option in chosen) * (1 - slip) / len(chosen) for option in options]
