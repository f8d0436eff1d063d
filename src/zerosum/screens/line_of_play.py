"""A line of play for pages that teach: step by step in words, as a picture, and what each move is worth.

A verdict is shown by a mark, a word and a colour, never by a colour alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Final

from zerosum.base.english import agree, count, in_plies, listing, third
from zerosum.rules.model import Rules, Seat, Totals
from zerosum.rules.moves import Move, Operation
from zerosum.rules.outcome import Outcome, Reason
from zerosum.rules.position import Position, start_position
from zerosum.strategy.phrases import deed

SEATS: Final = {Seat.FIRST: "the first player", Seat.SECOND: "the second player"}


@dataclass(frozen=True, slots=True)
class LineStep:
    """One move of a line: its number, who makes it, its text, and the position after it."""

    n: int
    seat: Seat
    move: str
    before: Position
    after: Position
    words: str


def line_steps(rules: Rules, moves: Iterable[Move]) -> list[LineStep]:
    """Return the steps of a line from the start.

    >>> from zerosum.rules.game_files import load_game
    >>> from zerosum.rules.moves import Move
    >>> for step in line_steps(load_game("sum-to-zero"), [Move(-9), Move(9)]):
    ...     print(step.words)
    The first player plays -9.
    The second player plays +9, makes 0, and wins.
    """
    shown: list[LineStep] = []
    position = start_position(rules)
    for n, move in enumerate(moves, 1):
        after = position.play(move)
        words = _words(position, move, after)
        shown.append(LineStep(n, position.seat, position.text_of(move), position, after, words))
        position = after
    return shown


def _words(position: Position, move: Move, after: Position) -> str:
    who = capital(SEATS[position.seat])
    if move.operation is Operation.SWAP:
        return f"{who} says swap: the two change seats."
    plays = f"{who} plays {position.text_of(move)}"
    if after.outcome is not None:
        result = "wins" if after.outcome.winner is position.seat else "loses"
        return f"{plays}, {deed(position, move, third)}, and {result}."
    refilled = len(after.pool) > len(position.pool)
    return f"{plays}. It is a tie: sudden death, all numbers are back." if refilled else f"{plays}."


def capital(text: str) -> str:
    """Return a text that begins as sentences do."""
    return text[:1].upper() + text[1:]


def outcome_words(outcome: Outcome, rules: Rules) -> str:
    """Return how a match ended, in terms of the two seats."""
    winner, loser, target = SEATS[outcome.winner], SEATS[outcome.winner.other], rules.target
    how = {
        Reason.REACHED_TARGET: f"{target} was made",
        Reason.OVERSHOT: f"{loser} passed {target}",
        Reason.LAST_MOVER: f"{winner} took the last number",
        Reason.CLOSER: f"{winner} is closer to {target}",
        Reason.TIE_RULE: f"both are equally far from {target}, and a tie goes to {winner}",
    }[outcome.reason]
    return f"{capital(winner)} has won: {how}."


_WIDTH: Final = 400
_HEIGHT: Final = 200
_SIDE: Final = 22
_TOP: Final = 30
_BOTTOM: Final = 44
_DOT: Final = 5.5
_ABOVE: Final = 11
_LABELS: Final = 14
"""With more moves than this, their texts would overlap."""
_CLASSES: Final = {Seat.FIRST: "p1", Seat.SECOND: "p2"}


@dataclass(frozen=True, slots=True)
class _Point:
    """A total and after which move it stands; at the start nobody has moved."""

    n: int
    total: int
    seat: Seat | None


@dataclass(frozen=True, slots=True)
class _Scale:
    """The place in the picture of a total after some move."""

    across: float
    down: float
    high: int

    def x(self, n: int) -> float:
        return _SIDE + n * self.across

    def y(self, total: int) -> float:
        return _TOP + (self.high - total) * self.down


def path_picture(rules: Rules, steps: Sequence[LineStep]) -> str:
    """Return the picture as SVG: a disc where the first player moved, a diamond where the second did."""
    reached = [rules.target, *rules.start, *(total for step in steps for total in step.after.totals)]
    low, high = min(reached), max(reached)
    down = (_HEIGHT - _TOP - _BOTTOM) / max(high - low, 1)
    scale = _Scale((_WIDTH - 2 * _SIDE) / max(len(steps), 1), down, high)
    target = scale.y(rules.target)
    tracks = _tracks(rules, steps)
    parts = [
        f'<svg class="path" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-labelledby="path-title path-words">',
        f'<title id="path-title">The way to {rules.target}</title>',
        f'<desc id="path-words">{escape(_in_words(steps))}</desc>',
        f'<line class="target" x1="0" y1="{target:.1f}" x2="{_WIDTH}" y2="{target:.1f}"/>',
        *(_line(track, scale, owner) for owner, track in tracks),
        *(_dot(point, scale) for _, track in tracks for point in track),
        *_names(steps, scale),
        "</svg>",
    ]
    return "".join(parts)


def _tracks(rules: Rules, steps: Sequence[LineStep]) -> list[tuple[Seat | None, list[_Point]]]:
    """Return the points of each total, in order, and whose total it is."""
    if rules.totals is Totals.SHARED:
        moved = [_Point(step.n, step.after.total(step.seat), step.seat) for step in steps]
        return [(None, [_Point(0, rules.start[0], None), *moved])]
    tracks: list[tuple[Seat | None, list[_Point]]] = []
    for seat, start in zip(Seat, rules.start, strict=True):
        own = (_Point(step.n, step.after.total(seat), seat) for step in steps if step.seat is seat)
        tracks.append((seat, [_Point(0, start, None), *own]))
    return tracks


def _line(track: Sequence[_Point], scale: _Scale, owner: Seat | None) -> str:
    points = " ".join(f"{scale.x(one.n):.1f},{scale.y(one.total):.1f}" for one in track)
    return f'<polyline class="track {_CLASSES[owner] if owner else ""}" points="{points}"/>'


def _dot(point: _Point, scale: _Scale) -> str:
    x, y = scale.x(point.n), scale.y(point.total)
    text = str(point.total).replace("-", "\N{MINUS SIGN}")
    number = f'<text class="total" x="{x:.1f}" y="{y - _ABOVE:.1f}" text-anchor="middle">{text}</text>'
    if point.seat is None:
        return f'<circle class="start" cx="{x:.1f}" cy="{y:.1f}" r="4"/>{number}'
    if point.seat is Seat.FIRST:
        shape = f'<circle class="p1" cx="{x:.1f}" cy="{y:.1f}" r="{_DOT}"/>'
    else:
        r = _DOT * 1.25
        shape = f'<path class="p2" d="M{x:.1f} {y - r:.1f}l{r} {r}l{-r} {r}l{-r} {-r}z"/>'
    return shape + number


def _names(steps: Sequence[LineStep], scale: _Scale) -> Iterator[str]:
    """Yield the moves, each below its column."""
    if len(steps) > _LABELS:
        return
    for step in steps:
        text = escape(step.move.replace("-", "\N{MINUS SIGN}"))
        x, seat = scale.x(step.n), _CLASSES[step.seat]
        yield f'<text class="move {seat}" x="{x:.1f}" y="{_HEIGHT - 8}" text-anchor="middle">{text}</text>'


def _in_words(steps: Sequence[LineStep]) -> str:
    """Return a description of the picture for people who cannot see it."""
    shown = (f"{SEATS[step.seat]} {step.move} to {step.after.total(step.seat)}" for step in steps)
    return "; ".join(shown) + "."


MARKS: Final = {"win": "\N{CHECK MARK}", "loss": "\N{MULTIPLICATION X}", "draw": "="}
_VERBS: Final = {"win": "wins", "loss": "loses", "draw": "draws"}


@dataclass(frozen=True, slots=True)
class MoveWorth:
    """A move, its verdict and length for the player who makes it, and where its link leads."""

    move: str
    verdict: str
    plies: int | None
    href: str = ""

    @property
    def mark(self) -> str:
        """The sign of the verdict."""
        return MARKS[self.verdict]

    @property
    def verb(self) -> str:
        """The verdict as a word."""
        return _VERBS[self.verdict]

    @property
    def short(self) -> str:
        """The verdict in few words: `wins in 3`."""
        if self.plies is None:
            return self.verb
        return f"{self.verb} {in_plies(self.plies)}"

    @property
    def words(self) -> str:
        """The verdict in full: `wins in 3 moves`."""
        return f"{self.short} moves" if self.plies not in (None, 1) else self.short


def move_worth(value: Mapping[str, Any], href: str = "") -> MoveWorth:
    """Return one of the values that the worker gives."""
    return MoveWorth(value["move"], value["verdict"], value["plies"], href)


def situation_words(position: Position) -> str:
    """Return what the player to move sees, to begin a sentence about it.

    >>> from zerosum.rules.game_files import load_game
    >>> from zerosum.rules.notation import parse_position
    >>> situation_words(parse_position("-3,2,4,5,8 14 1", load_game("summit")))
    'with -3, 2, 4, 5 and 8 left and the total at 14'
    >>> situation_words(parse_position("1,7,8 26/24 1", load_game("to-the-brim")))
    'with 1, 7 and 8 left, your total at 26 and theirs at 24'
    """
    if position == start_position(position.rules):
        return "at the start"
    left = f"with {listing([str(number) for number in position.pool])} left"
    if position.rules.totals is Totals.SHARED:
        return f"{left} and the total at {position.totals[0]}"
    return f"{left}, your total at {position.total(position.seat)} and theirs at {position.total(position.seat.other)}"


def position_words(seat: Seat, options: Sequence[MoveWorth]) -> str:
    """Return how a position stands for the seat to move, whose moves are given, the best first."""
    best = options[0]
    who = capital(SEATS[seat])
    if best.verdict == "draw":
        return f"{who} is to move. Neither side can force an end."
    plies = best.plies or 0
    if best.verdict == "loss":
        return f"{who} is to move and is lost: every move loses, in {count(plies, 'move')} at the latest."
    good = sum(one.verdict == "win" for one in options)
    share = f"{good} of {count(len(options), 'move')} {agree(good, 'win')}"
    how_many = "every move wins" if good == len(options) else share
    how_soon = "at once" if plies == 1 else f"in {plies} moves"
    return f"{who} is to move and can win {how_soon}: {how_many}."
