"""The daily duel: one position for everybody on a date, to be won against perfect play, in three tries.

Position and replies are functions of the date alone, for ever: nothing is stored, and no draw depends on Python's own
random numbers. The games take turns in the order of `GAMES`. Hashes of the date lead through matches of the game until
enough positions are found that need a plan: perfect play wins, but not soon, and at the first move and at another one
on the way a wrong move would let the win go. Sorted from short plans to long ones, they are cut into seven parts, one
for each day of the week, Monday first; another hash chooses one of that day's part.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from itertools import islice
from typing import Final

from zerosum.base.errors import InvalidTextError
from zerosum.base.text import shorten
from zerosum.match.match import Match
from zerosum.match.match_words import result
from zerosum.match.setup import Person, Setup
from zerosum.rules.model import Seat
from zerosum.rules.moves import Move
from zerosum.rules.position import Position, PositionKey
from zerosum.solver import Solution, Verdict

TRIES: Final = 3
GAMES: Final = (
    "sum-to-zero",
    "sequence-zero",
    "zero-sum-duel",
    "zero-sum-game",
    "sum31",
    "summit",
    "thin-ice",
    "to-the-brim",
)
"""The games whose turn comes; another order, or another game among them, would change the daily of every date."""
YOURS, THEIRS = "\N{LARGE BLUE SQUARE}", "\N{LARGE ORANGE CIRCLE}"
"""The marks of a shared result, which differ without colour too."""
_WEEK: Final = 7
_CHOICE: Final = 4 * _WEEK
_MATCHES: Final = 400
"""Matches that are looked at, at most, to find so many positions."""
_BEGUN: Final = 2
"""Moves that were made before: a whole match would be no small duel."""
_PLIES: Final = range(5, 12)
"""Moves of both sides until the win: long enough for a plan, short enough for a coffee break."""
_CHOICES: Final = 2
"""Own moves at which a wrong one would let the win go; the first is one of them."""


@dataclass(frozen=True, slots=True)
class Try:
    """One try: the moves of both sides from the position of the day, and where they lead."""

    moves: tuple[Move, ...]
    position: Position
    won: bool | None
    """Whether it was won; None while it goes on."""
    let_go: int | None = None
    """The number of the own move, from 1, that let the win go."""

    @property
    def marks(self) -> str:
        """A mark for each move of the try, which tells nobody which it was."""
        return "".join(THEIRS if ply % 2 else YOURS for ply in range(len(self.moves)))


@dataclass(frozen=True, slots=True)
class DailyDuel:
    """What somebody has done about the daily of a date: the tries so far, the last of which may go on."""

    day: date
    start: Position
    tries: tuple[Try, ...] = ()

    @property
    def won(self) -> bool:
        """Whether a try was won."""
        return bool(self.tries) and self.tries[-1].won is True

    @property
    def over(self) -> bool:
        """Whether it was won, or no try is left."""
        return self.won or (len(self.tries) == TRIES and self.tries[-1].won is False)

    @property
    def begins(self) -> bool:
        """Whether the next move is the first of a try."""
        return not self.over and (not self.tries or self.tries[-1].won is False)

    @property
    def number(self) -> int:
        """The number of the try that begins or goes on, or of the last one."""
        return len(self.tries) + self.begins

    @property
    def current(self) -> Try:
        """The try that begins or goes on, or the last one."""
        return Try((), self.start, None) if self.begins else self.tries[-1]

    def result(self) -> list[str]:
        """Return a finished daily as lines to share: the result, and the marks of each try."""
        how = f"won at try {len(self.tries)} of {TRIES}" if self.won else f"not won in {TRIES} tries"
        return [f"zerosum daily {self.day}: {how}", *(attempt.marks for attempt in self.tries)]


def today() -> date:
    """Return the date that it is now in UTC, wherever this runs."""
    return datetime.now(UTC).date()


def parse_day(text: str) -> date:
    """Return the date that a text such as 2026-11-15 names; other ways of writing it are refused."""
    try:
        found = date.fromisoformat(text)
    except ValueError:
        found = None
    if found is None or str(found) != text:
        raise InvalidTextError(f"'{shorten(text)}' is not a date such as 2026-11-15.")
    return found


def daily_game(day: date) -> str:
    """Return the id of the game whose turn it is on a day.

    >>> [daily_game(date(2026, 11, day)) for day in (15, 16)]
    ['to-the-brim', 'sum-to-zero']
    """
    return GAMES[day.toordinal() % len(GAMES)]


def daily_position(day: date, solution: Solution) -> Position:
    """Return the position of a day, given the solution of that day's game."""
    found = sorted(islice(_planned(day, solution), _CHOICE), key=lambda one: one[0])
    first, after = (len(found) * (day.weekday() + n) // _WEEK for n in (0, 1))
    part = found[first:after] or found
    return part[_draw(f"daily {day}", len(part))][1]


def _planned(day: date, solution: Solution) -> Iterator[tuple[tuple[int, int], Position]]:
    """Yield positions that need a plan, from matches that the date chooses, and how long and how narrow it is."""
    seen: set[PositionKey] = set()
    for n in range(_MATCHES):
        position = solution.start
        for ply in range(len(solution.rules.pool)):
            if position.outcome is not None:
                break
            plan = _plan(position, solution) if ply >= _BEGUN and position.key not in seen else None
            seen.add(position.key)
            if plan is not None:
                yield plan, position
            moves = position.legal_moves()
            position = position.play_unchecked(moves[_draw(f"daily {day} match {n} ply {ply}", len(moves))])


def _plan(position: Position, solution: Solution) -> tuple[int, int] | None:
    """Return the length of a plan and how many choices it has, None if the position needs none."""
    value = solution.value(position)
    plies = value.plies
    if value.verdict is not Verdict.WIN or plies is None or plies not in _PLIES:
        return None
    mover, choices = position.seat, list[bool]()
    for move in solution.line(position, plies):
        if position.seat is mover:
            choices.append(len({option.value.verdict for option in solution.options(position)}) > 1)
        position = position.play_unchecked(move)
    return (plies, sum(choices)) if choices[0] and sum(choices) >= _CHOICES else None


def _draw(seed: str, count: int) -> int:
    """Return a whole number below `count` that a text chooses."""
    return int.from_bytes(sha256(seed.encode()).digest()[:8], "big") % count


def play_duel(day: date, start: Position, tries: Iterable[Sequence[Move]], solution: Solution) -> DailyDuel:
    """Return what the own moves of some tries come to; the opponent plays perfectly and holds out longest.

    Raises an `IllegalMoveError` for a move that is not allowed. Moves and tries beyond an end are left out.
    """
    duel = DailyDuel(day, start)
    for own in tries:
        if duel.over or (duel.tries and duel.tries[-1].won is None):
            break
        duel = DailyDuel(day, start, (*duel.tries, _play(start, own, solution)))
    return duel


def _play(start: Position, own: Sequence[Move], solution: Solution) -> Try:
    position, moves, let_go = start, list[Move](), None
    for number, move in enumerate(own, 1):
        if position.outcome is not None:
            break
        position = position.play(move)
        moves.append(move)
        if position.outcome is None:
            if let_go is None and solution.value(position).verdict is not Verdict.LOSS:
                let_go = number
            reply = solution.options(position)[0].move
            position = position.play_unchecked(reply)
            moves.append(reply)
        elif position.outcome.winner is not start.seat:
            let_go = let_go or number
    outcome = position.outcome
    won = None if outcome is None else outcome.winner is start.seat
    return Try(tuple(moves), position, won, None if won else let_go)


def slip(start: Position, made: Try) -> tuple[Position, Move]:
    """Return the move of a try that let the win go, and the position in which it was made."""
    at = 2 * ((made.let_go or 1) - 1)
    for move in made.moves[:at]:
        start = start.play(move)
    return start, made.moves[at]


def ending_words(start: Position, moves: Iterable[Move]) -> str:
    """Return how a try ended, to whoever tried."""
    you = Person.ONE if start.seat is Seat.FIRST else Person.TWO
    names = ("You", "The opponent") if you is Person.ONE else ("The opponent", "You")
    match = Match(Setup(rules=start.rules, names=names), start=start)
    for move in moves:
        match = match.after(move)
    return result(match, you)


@dataclass(frozen=True, slots=True)
class Streak:
    """Days in a row on which the daily was won on its own date: up to now, and at best."""

    now: int
    best: int


def streak_of(days: Iterable[date], now: date) -> Streak:
    """Return the streak of days; until today's is won, yesterday's still counts.

    >>> streak_of([date(2026, 11, 14), date(2026, 11, 16), date(2026, 11, 17)], date(2026, 11, 18))
    Streak(now=2, best=2)
    """
    run = best = 0
    last: date | None = None
    for day in sorted(set(days)):
        run = run + 1 if last is not None and day - last == timedelta(1) else 1
        best, last = max(best, run), day
    return Streak(run if last is not None and now - last <= timedelta(1) else 0, best)
