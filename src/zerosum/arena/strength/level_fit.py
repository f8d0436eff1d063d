"""Which level somebody plays like, from their moves alone: no opponent and no result is needed.

The axis runs from 0, random play, over the nine levels to 10, perfect play. Between two neighbours lies their mixture:
at 4.2 a move has 0.8 times the chance that level 4 gives it plus 0.2 times that of level 5. The answer is where the
moves are likeliest, and all places whose log-likelihood is within 1.92 of that form the 95 % interval. Between
neighbours the log-likelihood is concave, so both are found to any precision. Where levels play alike it is flat: the
interval spans them, and the answer is the middle.

*Whether any level fits* is asked of the moves that perfect play would make: how often they were found, in positions won
or lost in few plies and in many, against what each level would have found. The p-value is that of the level that fits
best; it is drawn from that level's own play.
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, islice
from math import fsum, inf, log, sqrt
from random import Random
from typing import Final, NamedTuple

from zerosum.arena.strength.decisions import TOP, Decision, level_words
from zerosum.base.documents import OMITTED, key, member_as
from zerosum.base.english import agree, count
from zerosum.base.statistics import Interval, chi_square_tail, count_chances
from zerosum.solver import Verdict

UNLIKELY: Final = 0.01
"""A p-value below this says that no level fits."""
LEAST: Final = 30
"""With fewer decisions in which the levels differ, it is not asked whether some level fits."""
WITHIN: Final = 1.920729410347062
"""Half the 95 % point of chi-square with one degree of freedom."""
_LEVEL_GROUND: Final = 1e-9
_PLACES: Final = 6
_HALVINGS: Final = 50
_CELL: Final = 5.0
"""The least variance of a count that is compared with what was expected."""
_LONGEST: Final = 9
_DRAWS: Final = 999
_STEPS: Final = 20
_VAGUE: Final = 4.0
"""An interval wider than this says what somebody does not play like, and no more."""
_MANY: Final = 400
"""With more decisions a count is as good as normal."""

Rows = Counter[tuple[float, ...]]
"""How often the chances of a move, by strength, occurred: most decisions look like another one."""


@dataclass(frozen=True, slots=True)
class LevelFit:
    """The level whose moves are likeliest, on an axis from 0 (random) to 10 (perfect), and its 95 % interval.

    All three are None if no decision tells levels apart. `p_value` is the chance that a player of that level strays at
    least as far from it; None if there are too few decisions to ask.
    """

    level: float | None
    low: float | None = field(metadata=key("level_low"))
    high: float | None = field(metadata=key("level_high"))
    decisions: int
    telling: int = field(metadata=OMITTED)
    """Decisions in which the levels differ."""
    p_value: float | None = field(metadata=key("level_p"))

    @property
    @member_as("level_fits")
    def fits(self) -> bool | None:
        """Whether some level fits; None if there are too few decisions to tell."""
        return None if self.p_value is None else self.p_value >= UNLIKELY


class _Piece(NamedTuple):
    """The mixtures of two neighbours: the lower one, where between them it is likeliest, and how likely."""

    at: int
    best: float
    height: float


def fit_level(decisions: Iterable[Decision]) -> LevelFit:
    """Return the level that decisions were made like, with its interval and p-value; games may be mixed."""
    every = list(decisions)
    telling = [one for one in every if len(set(one.by_strength)) > 1]
    if not telling:
        return LevelFit(None, None, None, len(every), 0, None)
    rows: Rows = Counter(one.by_strength for one in telling)
    pieces = [_piece(rows, at) for at in range(TOP)]
    top = max(piece.height for piece in pieces)
    ground = _within(rows, [piece for piece in pieces if piece.height >= top - _LEVEL_GROUND], top - _LEVEL_GROUND)
    level = (ground.low + ground.high) / 2
    at = min(int(level), TOP - 1)
    if _height(rows, at, level - at) < top - 2 * _LEVEL_GROUND:  # two peaks, equally high
        level = next(piece.at + piece.best for piece in pieces if piece.height == top)
    low, high = _within(rows, [piece for piece in pieces if piece.height >= top - WITHIN], top - WITHIN)
    p_value = _p_value(telling, Interval(low, high))
    middle, least, most = (round(place, _PLACES) for place in (level, low, high))
    return LevelFit(middle, least, most, len(every), len(telling), p_value)


def _piece(rows: Rows, at: int) -> _Piece:
    if _slope(rows, at, 0.0) <= 0:
        best = 0.0
    elif _slope(rows, at, 1.0) >= 0:
        best = 1.0
    else:
        best = _turning(lambda mix: _slope(rows, at, mix) > 0, 0.0, 1.0)
    return _Piece(at, best, _height(rows, at, best))


def _height(rows: Rows, at: int, mix: float) -> float:
    """Return the log-likelihood of the moves under a mixture."""
    total = 0.0
    for row, times in rows.items():
        chance = row[at] + mix * (row[at + 1] - row[at])
        if chance <= 0:
            return -inf
        total += times * log(chance)
    return total


def _slope(rows: Rows, at: int, mix: float) -> float:
    """Return how the log-likelihood grows with the mixture; at an end that makes a move impossible, without bound."""
    total = 0.0
    for row, times in rows.items():
        more = row[at + 1] - row[at]
        chance = row[at] + mix * more
        if chance <= 0:
            # Impossible under both neighbours, or only at this end: there the slope leads away from it.
            return inf if mix == 0 and more > 0 else -inf
        total += times * more / chance
    return total


def _within(rows: Rows, pieces: Sequence[_Piece], height: float) -> Interval:
    """Return the least and the greatest level at which the log-likelihood is at least this high."""
    low, high = inf, -inf
    for piece in pieces:

        def reaches(mix: float, at: int = piece.at) -> bool:
            return _height(rows, at, mix) >= height

        first = 0.0 if reaches(0.0) else _turning(lambda mix: not reaches(mix), 0.0, piece.best)
        last = 1.0 if reaches(1.0) else _turning(reaches, piece.best, 1.0)
        low, high = min(low, piece.at + first), max(high, piece.at + last)
    return Interval(low, high)


def _turning(holds: Callable[[float], bool], low: float, high: float) -> float:
    """Return where something that holds below ceases to hold."""
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return (low + high) / 2


class _Cell(NamedTuple):
    """Decisions of one kind: the chance of a perfect move in each, and how many were found."""

    chances: list[float]
    found: int

    @property
    def mean(self) -> float:
        """How many perfect moves are expected."""
        return sum(self.chances)

    @property
    def variance(self) -> float:
        """What that number varies by."""
        return sum(chance * (1 - chance) for chance in self.chances)


def _p_value(telling: Sequence[Decision], within: Interval) -> float | None:
    """Return the chance of such a stray from the level that fits best, None if too few decisions can show one.

    A level is rejected no more often than its own p-value says. So the largest p-value of all levels in the interval
    has the rate that it states, whichever of them is the true one.
    """
    if len(telling) < LEAST:
        return None
    step = (within.high - within.low) / _STEPS
    levels = [within.low + n * step for n in range(_STEPS + 1)]
    every = [_cells(telling, level) for level in levels]
    return _drawn_p_value(max(every, key=lambda cells: chi_square_tail(_stray(cells), len(cells)) if cells else 1.0))


def _stray(cells: Sequence[_Cell]) -> float:
    return fsum((cell.found - cell.mean) ** 2 / cell.variance for cell in cells)


def _drawn_p_value(cells: Sequence[_Cell]) -> float:
    """Return how often the level itself strays as far: few and uneven chances make the tail longer than chi-square."""
    if not cells:
        return 1.0  # such a player rarely misses perfect play, and neither did this one
    seen = _stray(cells) - _LEVEL_GROUND
    weights = [(cell.mean, cell.variance) for cell in cells]
    draws = [_drawn(cell, Random(f"stray {n}")) for n, cell in enumerate(cells)]
    as_far = 0
    for counts in islice(zip(*draws, strict=True), _DRAWS):
        apart = zip(counts, weights, strict=True)
        as_far += fsum((count - mean) ** 2 / variance for count, (mean, variance) in apart) >= seen
    return (1 + as_far) / (1 + _DRAWS)


def _drawn(cell: _Cell, dice: Random) -> Iterator[float]:
    """Yield, for ever, how many perfect moves a player of the fitted level finds in a cell."""
    if len(cell.chances) > _MANY:
        deviation = sqrt(cell.variance)
        while True:
            yield dice.gauss(cell.mean, deviation)
    heaped = [*accumulate(count_chances(cell.chances))]
    while True:
        yield bisect(heaped, dice.random() * heaped[-1], 0, len(heaped) - 1)


def _cells(telling: Sequence[Decision], level: float) -> list[_Cell]:
    """Return the decisions by how near the end is, neighbours taken together until they say enough."""
    at = min(int(level), TOP - 1)
    mix = level - at
    kinds: dict[tuple[Verdict, int], list[Decision]] = {}
    for one in telling:
        kinds.setdefault((one.best.verdict, min(one.best.plies or _LONGEST, _LONGEST)), []).append(one)
    cells: list[_Cell] = []
    chances: list[float] = []
    found = 0
    for kind in sorted(kinds):
        chances += [min(1.0, one.finding[at] + mix * (one.finding[at + 1] - one.finding[at])) for one in kinds[kind]]
        found += sum(one.found for one in kinds[kind])
        if _Cell(chances, found).variance >= _CELL:
            cells.append(_Cell(chances, found))
            chances, found = [], 0
    if cells and chances:
        cells[-1] = _Cell([*cells[-1].chances, *chances], cells[-1].found + found)
    return cells


def fit_words(fit: LevelFit) -> str:
    """Return which level somebody plays like, how sure that is, and whether any level fits; to follow "plays".

    >>> fit_words(LevelFit(4.23, 3.08, 5.41, 120, 100, 0.4))
    'like level 4.2 (95% interval: 3.1 to 5.4)'
    >>> fit_words(LevelFit(4.23, 0.2, 9.3, 12, 10, None))
    'like some level from 0.2 to 9.3; 10 telling decisions say no more'
    """
    if fit.level is None or fit.low is None or fit.high is None:
        return "like any level; no decision yet tells one from another"
    if fit.fits is False:
        return f"like no level (p = {fit.p_value:.1g}); the nearest is {level_words(fit.level)}"
    telling = count(fit.telling, "telling decision")
    span = f"{fit.low:.1f} to {fit.high:.1f}"
    if fit.high - fit.low > _VAGUE:
        return f"like some level from {span}; {telling} {agree(fit.telling, 'say')} no more"
    few = f", by only {telling}" if fit.telling < LEAST else ""
    return f"like {level_words(fit.level)} (95% interval: {span}){few}"
