"""The pictures of a match: a number line on which the total hops to its target, and the pool as tiles.

The line is SVG without a fixed width, to fit a phone. Places are per cent of the width and heights are pixels: a nested
`svg` carries each shape to its place, and text keeps its size. The style sheet colours the classes, and each person
also has a shape.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from zerosum.base.english import figure
from zerosum.base.text import printable
from zerosum.match.match import Match
from zerosum.match.match_words import span, takers
from zerosum.match.setup import Person, Setup
from zerosum.rules.model import Reaching, Rules, Seat, Totals
from zerosum.rules.moves import ADD_ONLY, Move, Operation
from zerosum.rules.position import Position

_CLASSES: Final = {Person.ONE: "p1", Person.TWO: "p2"}
_HOPS: Final = 10
"""How many of the last hops are drawn."""
_FOOT: Final = 22
_FINE: Final = 64
"""A span of at most this has a tick for every number."""
_CROWDED: Final = 8.0
"""Per cent of the width within which a number gives way to the target's."""
_NARROWEST: Final = 0.5
"""Per cent of the width that a hop takes at least: without a width, its arc would not be scaled to its place at all."""
_MARGIN: Final = 36
"""Pixels that half of a marker may stand over the end of the line; a wider one moves inwards there."""


@dataclass(frozen=True, slots=True)
class _Lane:
    """Heights in pixels: of a lane, of its line in it, of its lowest and its highest hop."""

    height: int
    line: int
    least: int
    most: int


_ALONE: Final = _Lane(94, 72, 18, 52)
_PAIRED: Final = _Lane(68, 48, 12, 30)
"""Two lanes are lower than one, so that both fit a phone above the numbers."""


@dataclass(frozen=True, slots=True)
class _Hop:
    """One move on the line, `n` counted from 1."""

    n: int
    lane: int
    mover: Person
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Scale:
    """The stretch of the number line that is shown."""

    low: int
    high: int
    lane: _Lane = _ALONE

    def at(self, value: int) -> float:
        """Return the place of a value, in per cent."""
        return round((value - self.low) * 100 / (self.high - self.low), 2)


def _scale(match: Match) -> _Scale:
    return _Scale(*span(match), _PAIRED if match.setup.rules.totals is Totals.OWN else _ALONE)


def place_on_line(match: Match, total: int) -> float:
    """Return the place of a total on the line, in per cent; beyond an end, that end."""
    return min(100.0, max(0.0, _scale(match).at(total)))


def number_line(match: Match, you: Person | None = None) -> str:
    """Return the number line of a match: target, hops so far, and the place of each total; `you` is the reader."""
    scale = _scale(match)
    lanes, height = _lanes(match), scale.lane.height
    parts = [_ticks(scale, match.setup.rules.target, len(lanes) * height)]
    hops = list(_hops(match))[-_HOPS:]
    for lane, (name, total) in enumerate(lanes):
        line = lane * height + scale.lane.line
        parts.append(_axis(scale, match.setup.rules, line))
        own = [hop for hop in hops if hop.lane == lane]
        parts += [_hop(scale, hop, line, name, last=hop is hops[-1]) for hop in own]
        parts.append(_runner(scale, total, line, name, home=total == match.setup.rules.target and bool(own)))
    if match.outcome is None:
        mover = match.to_move - 1 if len(lanes) > 1 else 0
        parts.append(_ghost(mover * height + scale.lane.line))
    about = f'aria-label="{_label(match, you)}" height="{len(lanes) * height + _FOOT}" data-hops="{len(match.moves)}"'
    return f'<svg class="line" role="img" {about}>{"".join(parts)}</svg>'


def match_sketch(match: Match) -> str:
    """Return a small picture of a whole match, without numbers; it is an ornament."""
    scale, own = _Scale(*span(match)), match.setup.rules.totals is Totals.OWN
    line = 36 if own else 50
    parts = [f'<line class="axis" x1="0" x2="100%" y1="{line}" y2="{line}"/>']
    parts += [_arc(scale, hop, line, "hop", below=own and hop.mover is Person.TWO, flat=own) for hop in _hops(match)]
    goal = scale.at(match.setup.rules.target)
    parts.append(_target_mark(match.setup.rules, goal, line, 7))
    return f'<svg class="line sketch" aria-hidden="true" height="72">{"".join(parts)}</svg>'


def _lanes(match: Match) -> list[tuple[str, int]]:
    """Return the class and the total of each lane: one if the total is shared, else one a person."""
    if match.setup.rules.totals is Totals.SHARED:
        return [("shared", match.position.totals[0])]
    return [(_CLASSES[person], match.position.total(match.seat(person))) for person in Person]


def _hops(match: Match) -> Iterator[_Hop]:
    own = match.setup.rules.totals is Totals.OWN
    for ply, move in enumerate(match.moves):
        if move.operation is Operation.SWAP:
            continue
        before, after = match.positions[ply], match.positions[ply + 1]
        # After a swap the other person has this total, and the hops that made it.
        lane = match.person(before.seat) - 1 if own else 0
        start, end = before.total(before.seat), after.total(before.seat)
        yield _Hop(ply + 1, lane, match.mover(ply), before.text_of(move), start, end)


def _label(match: Match, you: Person | None) -> str:
    rules = match.setup.rules
    target = f"{rules.target} loses" if rules.reaching is Reaching.LOSES else f"the target is {rules.target}"
    if rules.totals is Totals.SHARED:
        text = f"The total is {match.position.total(Seat.FIRST)}; {target}."
    else:
        has = ("You have" if person is you else f"{match.setup.name(person)} has" for person in Person)
        stands = (f"{one} {match.position.total(match.seat(person))}" for person, one in zip(Person, has, strict=True))
        text = f"{', '.join(stands)}; {target}."
    return escape(printable(text))


def _axis(scale: _Scale, rules: Rules, line: int) -> str:
    """Return a line and its target."""
    return (
        f'<line class="axis" x1="0" x2="100%" y1="{line}" y2="{line}"/>'
        f"{_target_mark(rules, scale.at(rules.target), line, 9)}"
    )


def _target_mark(rules: Rules, place: float, line: int, size: int) -> str:
    """Return what stands at the target: a ring to land in, or a wall if landing there loses."""
    if rules.reaching is Reaching.LOSES:
        wall = f'<rect class="wall" x="-4" y="{-2 * size}" width="8" height="{4 * size}"/>'
        return f'<svg x="{place}%" y="{line}">{wall}</svg>'
    return f'<circle class="goal" cx="{place}%" cy="{line}" r="{size}"/>'


def _ticks(scale: _Scale, target: int, foot: int) -> str:
    """Return the ticks of every line and the numbers below the last."""
    step = _step(scale)
    numbers = range(-(-scale.low // step) * step, scale.high + 1, step)
    crowded = max(_CROWDED, 1.2 * len(figure(scale.high)))
    shown = [value for value in numbers if abs(scale.at(value) - scale.at(target)) >= crowded]
    parts = [part for line in range(scale.lane.line, foot, scale.lane.height) for part in _ticks_at(scale, shown, line)]
    parts += [f'<text x="{scale.at(value)}%" y="{foot + 12}">{figure(value)}</text>' for value in shown]
    place = scale.at(target)
    parts.append(f'<line class="way" x1="{place}%" x2="{place}%" y1="12" y2="{foot - 4}"/>')
    parts.append(f'<text class="target" x="{place}%" y="{foot + 13}">{figure(target)}</text>')
    return "".join(parts)


def _ticks_at(scale: _Scale, shown: Sequence[int], line: int) -> Iterator[str]:
    """Yield the ticks of one line: the fine ones are the dashes of a single stroke, one unit from each other."""
    for place in map(scale.at, shown):
        yield f'<line class="tick" x1="{place}%" x2="{place}%" y1="{line}" y2="{line + 6}"/>'
    units = scale.high - scale.low
    if units <= _FINE:
        dash = round(units / 600, 3)
        yield (
            f'<line class="fine" x1="0" x2="100%" y1="{line + 2}" y2="{line + 2}" pathLength="{units}"'
            f' stroke-dasharray="{dash} {1 - dash:.3f}" stroke-dashoffset="{dash / 2:.4f}"/>'
        )


def _step(scale: _Scale) -> int:
    """Return a round step that leaves room for its numbers on a narrow screen."""
    longest = max(len(figure(scale.low)), len(figure(scale.high)))
    most = max(2, min(10, 30 // longest))
    size = 1
    while True:
        for step in (size, 2 * size, 5 * size):
            if (scale.high - scale.low) // step <= most:
                return step
        size *= 10


def _hop(scale: _Scale, hop: _Hop, line: int, lane: str, *, last: bool) -> str:
    """Return one hop; a script that lets the total travel reads its number, its lane and its way."""
    way = f' data-hop="{hop.n}" data-lane="{lane}" data-way="{scale.at(hop.start)} {scale.at(hop.end)}"'
    arc = _arc(scale, hop, line, "hop last" if last else "hop past", more=way)
    if not last:
        return arc
    middle = (scale.at(hop.start) + scale.at(hop.end)) / 2
    top = line - _height(scale, hop) * 0.75 - 6
    label = f'<text class="amount {_CLASSES[hop.mover]}" x="{middle:.2f}%" y="{top:.0f}">{figure(hop.text)}</text>'
    return arc + label


def _arc(
    scale: _Scale, hop: _Hop, line: int, name: str, *, below: bool = False, flat: bool = False, more: str = ""
) -> str:
    """Return the arc of a hop, in a nested picture between the two numbers."""
    left, right = sorted((scale.at(hop.start), scale.at(hop.end)))
    width = max(_NARROWEST, right - left)
    height = _height(scale, hop) // (2 if flat else 1)
    top, path = (line, "M0 0C12 100 88 100 100 0") if below else (line - height, "M0 100C12 0 88 0 100 100")
    return (
        f'<svg x="{left}%" y="{top}" width="{width:.2f}%" height="{height}" viewBox="0 0 100 100"'
        f' preserveAspectRatio="none"{more}><path class="{name} {_CLASSES[hop.mover]}" d="{path}"/></svg>'
    )


def _height(scale: _Scale, hop: _Hop) -> int:
    share = abs(hop.end - hop.start) * 3 / (scale.high - scale.low)
    return round(scale.lane.least + (scale.lane.most - scale.lane.least) * min(1.0, share))


def _runner(scale: _Scale, total: int, line: int, name: str, *, home: bool) -> str:
    """Return the marker of a total: a box that both share, a pill for person 1, pointed ends for person 2."""
    text = figure(total)
    half = max(15, 7 + 5 * len(text))
    middle = round((50 - scale.at(total)) / 50 * max(0, half - _MARGIN))
    left, right = middle - half, middle + half
    shapes = {
        "shared": f'<rect x="{left}" y="-14" width="{2 * half}" height="28" rx="7"/>',
        "p1": f'<rect x="{left}" y="-15" width="{2 * half}" height="30" rx="15"/>',
        "p2": f'<path d="M{left - 4} 0L{left + 8} -16H{right - 8}L{right + 4} 0L{right - 8} 16H{left + 8}Z"/>',
    }
    state = " home" if home else ""
    return (
        f'<svg x="{scale.at(total)}%" y="{line}"><g class="runner {name}{state}" data-runner="{name}">'
        f'{shapes[name]}<text x="{middle}" y="5">{text}</text></g></svg>'
    )


def _ghost(line: int) -> str:
    """Return the marker of the total that a number would make; a script puts it in its place."""
    return f'<svg id="ghost" class="ghost" x="0%" y="{line}" hidden=""><circle r="11"/></svg>'


CLASSES: Final = {Person.ONE: "p1", Person.TWO: "p2"}
_VERBS: Final = {Operation.ADD: "Add", Operation.SUBTRACT: "Subtract"}
_BY_COUNT: Final = {9: "nine", 10: "ten", 18: "nine"}
"""How many tiles are in a row, if the size of the pool decides it."""
_LARGE: Final = 100
"""From here on a number needs a wider tile."""


@dataclass(frozen=True, slots=True)
class Press:
    """One way to play a number; `text` is the move as it is sent, `objection` why it is not allowed now."""

    text: str
    shown: str
    name: str
    objection: str
    total: int | None = None
    """The mover's total after the move; None if it is not allowed."""


@dataclass(frozen=True, slots=True)
class Tile:
    """A number of the pool: free, with its moves, or taken."""

    number: str
    presses: tuple[Press, ...]
    taken_by: Person | None = None


def tiles(match: Match) -> Iterator[Tile]:
    """Yield a tile for each number of the game, equal ones too; a taken one keeps its moves, none of them allowed."""
    taken = takers(match)
    for number in match.setup.rules.pool:
        by = taken.get(number)
        yield Tile(figure(number), tuple(_presses(match, number)), by.pop(0) if by else None)


def layout(match: Match) -> str:
    """Return the class that says how the tiles are laid out."""
    pool = match.setup.rules.pool
    if max(map(abs, pool)) >= _LARGE:
        return "large"
    return _BY_COUNT.get(len(pool), "many")


def spoken(move: Move) -> str:
    """Return a move as a person says it.

    >>> spoken(Move(5, Operation.SUBTRACT)), spoken(Move(0, Operation.SWAP))
    ('Subtract 5', 'Swap seats')
    """
    return f"{_VERBS[move.operation]} {figure(move.number)}" if move.operation in _VERBS else "Swap seats"


def _presses(match: Match, number: int) -> Iterator[Press]:
    position, operations = match.position, match.setup.rules.operations
    for operation in operations:
        move = Move(number, operation)
        clause = position.objection(move)
        text = position.text_of(move)
        face = figure(number if operations == ADD_ONLY else text)
        total = None if clause else position.play_unchecked(move).total(position.seat)
        yield Press(text, face, spoken(move), clause.value if clause else "", total)


@dataclass(frozen=True, slots=True)
class PositionPicture:
    """A picture of a position: the line with the hops that led there, and who took each number."""

    gauge: str
    position: Position
    you: Seat
    numbers: Sequence[tuple[int, str]]
    """Each number, and the class of the person who took it since; empty for one that is left."""


def position_picture(position: Position, line: Iterable[Move]) -> PositionPicture:
    """Return the picture of a position after some moves, as the player to move there sees it."""
    names = ("You", "They") if position.seat is Seat.FIRST else ("They", "You")
    match = Match(Setup(rules=position.rules, names=names, first=Person.ONE), start=position)
    for move in line:
        match = match.after(move)
    taken = takers(match)
    # After a new pool all its numbers are shown, else those that were there at the question.
    pool = position.pool if set(match.position.pool) <= set(position.pool) else position.rules.pool
    numbers = [(number, CLASSES[taken[number].pop(0)] if taken.get(number) else "") for number in pool]
    return PositionPicture(number_line(match), match.position, position.seat, numbers)
