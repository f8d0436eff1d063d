"""Which level somebody plays like, from their moves alone: no opponent and no result is needed.

The axis runs from 0, random play, over the nine levels to 10, perfect play. Between two neighbours lies their mixture:
at 4.2 a move has 0.8 times the chance that level 4 gives it plus 0.2 times that of level 5. The answer is where the
moves are likeliest, and all places whose log-likelihood is within 1.92 of that form the 95 % interval. Between
neighbours the log-likelihood is concave, so both are found to any precision. Where levels play alike it is flat: the
interval spans them, and the answer is the middle.

*Whether any level fits* is asked of the moves that perfect play would make: how often they were found, in positions won
or lost in few plies and in many, against what the fitted level would have found. The p-value is that of the chi-square
statistic, with the variance that is left after a level has been fitted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import inf, log
from typing import Final, NamedTuple

from zerosum.arena.strength.decisions import Decision
from zerosum.base.documents import OMITTED, key, member_as
from zerosum.base.statistics import Interval, chi_square_tail
from zerosum.players.levels import STRENGTHS
from zerosum.solver import Verdict

TOP: Final = len(STRENGTHS) - 1
"""Where perfect play lies on the axis."""
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
    if _height_at(rows, level) < top - 2 * _LEVEL_GROUND:  # two peaks, equally high
        level = next(piece.at + piece.best for piece in pieces if piece.height == top)
    low, high = _within(rows, [piece for piece in pieces if piece.height >= top - WITHIN], top - WITHIN)
    p_value = _p_value(telling, rows, level)
    at, least, most = (round(place, _PLACES) for place in (level, low, high))
    return LevelFit(at, least, most, len(every), len(telling), p_value)


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


def _height_at(rows: Rows, level: float) -> float:
    at = min(int(level), TOP - 1)
    return _height(rows, at, level - at)


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
    """Decisions of one kind: how many more perfect moves were found than expected, and what that varies by."""

    surplus: float
    variance: float
    growth: float
    """How the expected number grows with the level."""


def _p_value(telling: Sequence[Decision], rows: Rows, level: float) -> float | None:
    """Return the chance of such a stray from the fitted level, None if too few decisions can show one."""
    at = min(int(level), TOP - 1)
    mix = level - at
    if len(telling) < LEAST:
        return None
    cells = _cells(telling, at, mix)
    if not cells:
        return 1.0  # such a player rarely misses perfect play, and neither did this one
    statistic = sum(cell.surplus**2 / cell.variance for cell in cells)
    inside = _LEVEL_GROUND < mix < 1 - _LEVEL_GROUND and abs(_slope(rows, at, mix)) < 1
    if not inside:
        # At a level itself nothing was given up to the fit; the variance is, if anything, smaller.
        return chi_square_tail(statistic, len(cells))
    information = sum(
        times * ((row[at + 1] - row[at]) / (row[at] + mix * (row[at + 1] - row[at]))) ** 2
        for row, times in rows.items()
    )
    left = information - sum(cell.growth**2 / cell.variance for cell in cells)
    if left <= information * 1e-6:
        return chi_square_tail(statistic, len(cells) - 1) if len(cells) > 1 else 1.0
    statistic += sum(cell.growth * cell.surplus / cell.variance for cell in cells) ** 2 / left
    return chi_square_tail(statistic, len(cells))


def _cells(telling: Sequence[Decision], at: int, mix: float) -> list[_Cell]:
    """Return the decisions by how near the end is, neighbours taken together until they say enough."""
    kinds: dict[tuple[Verdict, int], list[Decision]] = {}
    for one in telling:
        kinds.setdefault((one.best.verdict, min(one.best.plies or _LONGEST, _LONGEST)), []).append(one)
    cells: list[_Cell] = []
    open_cell = _Cell(0.0, 0.0, 0.0)
    for kind in sorted(kinds):
        open_cell = _together(open_cell, _cell(kinds[kind], at, mix))
        if open_cell.variance >= _CELL:
            cells.append(open_cell)
            open_cell = _Cell(0.0, 0.0, 0.0)
    if cells:
        cells[-1] = _together(cells[-1], open_cell)
    return cells


def _cell(decisions: Sequence[Decision], at: int, mix: float) -> _Cell:
    surplus = variance = growth = 0.0
    for one in decisions:
        more = one.finding[at + 1] - one.finding[at]
        chance = one.finding[at] + mix * more
        surplus += one.found - chance
        variance += chance * (1 - chance)
        growth += more
    return _Cell(surplus, variance, growth)


def _together(one: _Cell, two: _Cell) -> _Cell:
    return _Cell(one.surplus + two.surplus, one.variance + two.variance, one.growth + two.growth)


_ROUNDS_TO: Final = 0.05
_VAGUE: Final = 4.0
"""An interval wider than this says what somebody does not play like, and no more."""


def level_words(level: float) -> str:
    """Return a place on the axis of levels as people say it.

    >>> level_words(4.23), level_words(0.01), level_words(9.98)
    ('level 4.2', 'random play', 'perfect play')
    """
    if level < _ROUNDS_TO:
        return "random play"
    return "perfect play" if level > TOP - _ROUNDS_TO else f"level {level:.1f}"


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
    telling = f"{fit.telling} telling decision{'' if fit.telling == 1 else 's'}"
    span = f"{fit.low:.1f} to {fit.high:.1f}"
    if fit.high - fit.low > _VAGUE:
        return f"like some level from {span}; {telling} {'says' if fit.telling == 1 else 'say'} no more"
    few = f", by only {telling}" if fit.telling < LEAST else ""
    return f"like {level_words(fit.level)} (95% interval: {span}){few}"
