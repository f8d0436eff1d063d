"""What holds in a table of games: a fixed list of hypotheses, each tested in every game it speaks of.

Nothing here is proved. A statement says in which games it was tested, and that range is all that is known of it.
The list: the winner is always the same, or depends on a parameter's remainder (parity, periods up to 12), or on one
parameter alone; it follows from divisibility; neighbouring rows are equal; figures are even or odd, rise or fall.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Final, NamedTuple

Row = Mapping[str, int]
"""The parameters and figures of a game; a draw has winner 0 and plies 0."""
Test = Callable[[Row], bool]
Key = Callable[[Row], int]
Winners = Mapping[int, int]
"""Who wins, by key."""

_LONGEST_PERIOD: Final = 12
_FEWEST: Final = 4
"""Values of a parameter, or games, below which nothing is reported."""
_WINS: Final = {1: "the first player wins", 2: "the second player wins", 0: "neither side can force a win"}
_SEATS: Final = {1: "first", 2: "second", 0: "neither"}
_TOGETHER: Final = ("both are even, or both are odd", "one of them is even, the other odd")
_FIGURES: Final = {"plies": "The number of plies", "winning": "The number of winning openings"}


class Hold(NamedTuple):
    """A statement, and the games in which it was tested."""

    words: str
    rows: tuple[Row, ...]


class Region(NamedTuple):
    """Some of the games, in words that follow `where`; no words are all of them."""

    words: str
    test: Test


@dataclass(frozen=True, slots=True)
class FormulaPattern:
    """The winner is the same in all games with the same key."""

    key: Key
    words: Callable[[Winners], str]
    """What it says, given the winner for each key."""
    spread: str
    """The parameter of which at least `least` values must have been seen."""
    least: int
    varied: bool = True
    """Whether both players must win somewhere."""
    predicts: bool = True
    """Whether it says who wins, and not only on what that depends."""


def holds(parameters: Sequence[str], rows: Sequence[Row]) -> list[Hold]:
    """Return every statement of the list that holds, the more telling first; what others say already is left out."""
    if len(rows) < _FEWEST:
        return []
    told: set[int] = set()
    found = [
        *_patterns(parameters, rows, told),
        *(_divisibility(parameters, rows, told) if len(parameters) > 1 else ()),
        *(_equal_rows(parameters, rows) if len(parameters) > 1 else ()),
        *_parities(parameters, rows),
        *_monotony(parameters, rows),
    ]
    return [Hold(one.words[0].upper() + one.words[1:], one.rows) for one in found]


# The winner


def _regions(parameters: Sequence[str]) -> list[Region]:
    n = parameters[0]
    whole = Region("", lambda _: True)
    parities = [Region(f"{n} is odd", lambda row: row[n] % 2 == 1), Region(f"{n} is even", lambda row: row[n] % 2 == 0)]
    sides = _sides(n, parameters[1]) if len(parameters) > 1 else []
    both = [
        Region(f"{parity.words} and {side.words}", _both(parity.test, side.test))
        for side in sides
        for parity in parities
    ]
    return [whole, *sides, *parities, *both]


def _sides(n: str, t: str) -> list[Region]:
    return [
        Region(f"{t} = 0", lambda row: row[t] == 0),
        Region(f"{t} is 1 to {n}", lambda row: 1 <= row[t] <= row[n]),
        Region(f"{t} is more than {n}", lambda row: row[t] > row[n]),
    ]


def _both(one: Test, two: Test) -> Test:
    return lambda row: one(row) and two(row)


def _pattern_list(parameters: Sequence[str]) -> Iterator[FormulaPattern]:
    n, *others = parameters
    yield FormulaPattern(lambda _: 0, lambda winners: _WINS[winners[0]], n, _FEWEST, varied=False)
    for period in range(2, _LONGEST_PERIOD + 1):
        yield from (_period(name, period) for name in parameters)
    yield from (_alone(name, n) for name in parameters if others)


def _period(name: str, period: int) -> FormulaPattern:
    return FormulaPattern(
        lambda row: row[name] % period, lambda winners: _period_words(name, period, winners), name, 2 * period
    )


def _alone(name: str, n: str) -> FormulaPattern:
    return FormulaPattern(
        lambda row: row[name], lambda _: f"the winner depends on {name} alone", n, _FEWEST, predicts=False
    )


def _period_words(name: str, period: int, winners: Winners) -> str:
    groups = {seat: [rest for rest in sorted(winners) if winners[rest] == seat] for seat in (1, 2, 0)}
    if period == 2:  # noqa: PLR2004 - even and odd
        kinds = ("even", "odd")
        return ", ".join(f"{_WINS[seat]} where {name} is {kinds[rests[0]]}" for seat, rests in groups.items() if rests)
    said = (f"{_SEATS[seat]} for {', '.join(map(str, rests))}" for seat, rests in groups.items() if rests)
    return f"the winner depends on {name} modulo {period} alone: {'; '.join(said)}"


def _patterns(parameters: Sequence[str], rows: Sequence[Row], told: set[int]) -> Iterator[Hold]:
    """Yield for each region the pattern that holds in most games; the simplest of several."""
    n = parameters[0]
    patterns = list(_pattern_list(parameters))
    hinted: set[int] = set()
    for region in _regions(parameters):
        inside = [row for row in rows if region.test(row)]
        seen = []
        for pattern in patterns:
            tested, winners = _from_where(n, inside, pattern.key)
            known = told if pattern.predicts else told | hinted
            if _is_seen(pattern, tested, winners, inside, n) and not known.issuperset(map(id, tested)):
                seen.append((pattern, tested, pattern.words(winners)))
        if seen:
            pattern, tested, said = max(seen, key=lambda one: (one[0].predicts, len(one[1])))
            (told if pattern.predicts else hinted).update(map(id, tested))
            yield Hold(f"where {region.words}, {said}." if region.words else f"{said}.", tuple(tested))


def _from_where(n: str, rows: Iterable[Row], key: Key) -> tuple[list[Row], dict[int, int]]:
    """Return the games, from some value of `n` to the last, in which the winner follows from the key."""
    tested: list[Row] = []
    winners: dict[int, int] = {}
    for _, group in groupby(sorted(rows, key=lambda row: -row[n]), lambda row: row[n]):
        part = list(group)
        more = dict(winners)
        if any(more.setdefault(key(row), row["winner"]) != row["winner"] for row in part):
            break
        winners = more
        tested += part
    return tested[::-1], winners


def _is_seen(pattern: FormulaPattern, tested: Sequence[Row], winners: Winners, inside: Sequence[Row], n: str) -> bool:
    """Return whether a pattern was seen often enough to be reported: in half of the values of `n` at least."""
    return (
        2 * len({row[n] for row in tested}) >= len({row[n] for row in inside})
        and len({row[pattern.spread] for row in tested}) >= pattern.least
        and len(tested) >= 2 * len(winners)
        and (len(set(winners.values())) > 1) is pattern.varied
    )


def _divisibility(parameters: Sequence[str], rows: Sequence[Row], told: set[int]) -> Iterator[Hold]:
    n, t = parameters
    kinds = {"": (0, 1), f"{n} is even and ": (0,), f"{n} is odd and ": (1,)}
    for more in (0, 1, 2):
        divisor = f"{n} + {more}" if more else n
        rests: dict[str, Callable[[int], int | None]] = {
            f"{divisor} divides {t}": lambda _: 0,
            f"{t} leaves 1 when divided by {divisor}": lambda _: 1,
            f"{divisor} divides {t} + 1": lambda by: by - 1,
            f"{t} leaves half of {divisor} when divided by {divisor}": lambda by: None if by % 2 else by // 2,
        }
        for words, rest in rests.items():
            for kind, parity in kinds.items():
                divisors = ((row, row[n] + more) for row in rows if row[n] % 2 in parity)
                tested = [row for row, by in divisors if by > 1 and row[t] % by == rest(by)]
                if _is_enough(tested, n) and not told.issuperset(map(id, tested)):
                    told.update(map(id, tested))
                    yield Hold(f"where {kind}{words}, {_WINS[tested[0]['winner']]}.", tuple(tested))


def _is_enough(tested: Sequence[Row], n: str) -> bool:
    """Whether the same seat wins all these games, and they are many and various enough to say so."""
    various = len({row[n] for row in tested}) >= _FEWEST and len(tested) >= 2 * _FEWEST
    return various and len({row["winner"] for row in tested}) == 1


def _equal_rows(parameters: Sequence[str], rows: Sequence[Row]) -> Iterator[Hold]:
    n, t = parameters
    lines: dict[int, dict[int, Row]] = {}
    for row in rows:
        lines.setdefault(row[n], {})[row[t]] = row
    same: list[tuple[int, int]] = []
    tested: list[Row] = []
    for one, two in pairwise(sorted(lines)):
        common = sorted(lines[one].keys() & lines[two].keys())
        pairs = [(lines[one][value], lines[two][value]) for value in common]
        mixed = len({left["winner"] for left, _ in pairs}) > 1
        if mixed and len(pairs) >= _FEWEST and all(left["winner"] == right["winner"] for left, right in pairs):
            same.append((one, two))
            tested += [row for pair in pairs for row in pair]
    if same:
        said = "; ".join(f"{one} and {two}" for one, two in same)
        yield Hold(f"these rows have the same winners, as far as both go: {n} = {said}.", tuple(tested))


# The figures


def _parities(parameters: Sequence[str], rows: Sequence[Row]) -> Iterator[Hold]:
    known = [row for row in rows if row["winner"]]
    if len(known) < _FEWEST:
        return
    for figure, name in _FIGURES.items():
        rests = {row[figure] % 2 for row in known}
        if len(rests) == 1:
            yield Hold(f"{name} is always {'odd' if rests.pop() else 'even'}.", tuple(known))
            continue
        if len({(row[figure] + row["winner"]) % 2 for row in known}) == 1:
            seat = next(row["winner"] for row in known if row[figure] % 2)
            yield Hold(f"{name} is odd exactly where {_WINS[seat]}.", tuple(known))
        for other in parameters:
            sums = {(row[figure] + row[other]) % 2 for row in known}
            if len(sums) == 1:
                yield Hold(f"{name} and {other}: {_TOGETHER[sums.pop()]}.", tuple(known))


def _monotony(parameters: Sequence[str], rows: Sequence[Row]) -> Iterator[Hold]:
    known = [row for row in rows if row["winner"]]
    for figure, name in _FIGURES.items():
        for grows in parameters:
            others = [parameter for parameter in parameters if parameter != grows]
            steps = list(_steps(known, grows, others, figure))
            fixed = "".join(f" and {parameter} stays" for parameter in others)
            if len(steps) < _FEWEST:
                continue
            if all(step == 0 for step in steps):
                yield Hold(f"{name} does not depend on {grows}.", tuple(known))
            elif all(step >= 0 for step in steps):
                yield Hold(f"{name} never falls when {grows} grows{fixed}.", tuple(known))
            elif all(step <= 0 for step in steps):
                yield Hold(f"{name} never rises when {grows} grows{fixed}.", tuple(known))


def _steps(rows: Sequence[Row], grows: str, others: Sequence[str], figure: str) -> Iterator[int]:
    """Yield how a figure changes from one value of a parameter to the next, the other staying as it is."""
    lines: dict[tuple[int, ...], list[tuple[int, int]]] = {}
    for row in rows:
        lines.setdefault(tuple(row[one] for one in others), []).append((row[grows], row[figure]))
    for line in lines.values():
        yield from (after - before for (_, before), (_, after) in pairwise(sorted(line)))
