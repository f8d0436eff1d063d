"""A table as its viewers see it, as documents and in words; it holds no secret, and only `you` and `can` differ.

The types of the documents are here: the API serialises them, and its description is generated from them.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final, NotRequired, TypedDict, cast

from zerosum.base.text import printable
from zerosum.match.match import Entry, Match, Undo
from zerosum.match.match_words import name_of, result
from zerosum.match.setup import BOTH_SEATS, Person, Series
from zerosum.rules.model import Rules, Seat, Totals, rules_to_dict
from zerosum.rules.moves import SWAP, Move
from zerosum.tables.commands import allowed_commands
from zerosum.tables.events import Event, EventKind
from zerosum.tables.json_text import dumps
from zerosum.tables.table import Table


def event_words(event: Event, before: Table | None, after: Table, entry: Entry | None = None) -> str:
    """Say what an event was; `before` is the table it happened at, None for the first. `entry` is what it played."""
    if entry is not None and before is not None:
        return _played(entry, before, after)
    return _WORDS[event.kind](event, before or after, after)


def _opened(_event: Event, _before: Table, after: Table) -> str:
    game = printable(after.setup.rules.name)
    if after.waiting:
        return f"{game}: the table is open. Waiting for the other person."
    return f"{game}: {turn_words(after)}"


def _played(entry: Entry, before: Table, after: Table) -> str:
    match entry:
        case Move():
            words = f"{_move(before.match, after.match, entry)} {_refill(before.match, after.match)}".rstrip()
        case Undo(plies):
            words = f"{'One move was' if plies == 1 else f'{plies} moves were'} taken back."
        case _:
            words = ""
    return f"{words} {turn_words(after)}".strip()


def _move(before: Match, after: Match, move: Move) -> str:
    name = name_of(before, before.to_move)
    if move == SWAP:
        return f"{name} swaps seats."
    whose = "The total" if after.setup.rules.totals is Totals.SHARED else "Their total"
    total = after.position.total(before.position.seat)
    return f"{name} plays {before.position.text_of(move)}. {whose} is {total}."


def _refill(before: Match, after: Match) -> str:
    refilled = after.outcome is None and len(after.position.pool) > len(before.position.pool)
    return "It is a tie: sudden death, all numbers are back." if refilled else ""


def _began(event: Event, before: Table, after: Table) -> str:
    series = after.setup.series
    which = f"Match {series.number} of {_most(series)}" if series else f"Match {after.number}"
    swapped = event.data.get("swapped", before.setup.first is not after.setup.first)
    seats = "swapped" if swapped else "as they were"
    return f"{which}: the seats are {seats}. {turn_words(after)}"


def _most(series: Series) -> str:
    """Return how many matches a series has; two are always played."""
    return f"{'' if series.best_of == BOTH_SEATS else 'at most '}{series.best_of}"


def turn_words(table: Table, you: Person | None = None) -> str:
    """Say who is to move, or how the match ended; most narration ends with it. `you` is the player who reads it."""
    match = table.match
    if match.outcome is None:
        return f"{name_of(match, match.to_move)} is to move."
    series, ended = table.setup.series, result(match, you, clock=table.clock is not None)
    if series is None or table.next_due:
        return ended
    if table.drawn:
        return f"{ended} The series is a draw, {table.score[0]} to {table.score[1]}."
    winner = Person.ONE if table.score[0] > table.score[1] else Person.TWO
    who = "You win" if winner is you else f"{name_of(match, winner)} wins"
    return f"{ended} {who} the series {max(table.score)} to {min(table.score)}."


def _name(table: Table, event: Event) -> str:
    return name_of(table.match, cast("Person", event.person))


_WORDS: Final[dict[EventKind, Callable[[Event, Table, Table], str]]] = {
    EventKind.OPENED: _opened,
    EventKind.JOINED: lambda event, _, after: f"{_name(after, event)} has joined. {turn_words(after)}",
    EventKind.UNDO_ASKED: lambda event, _, after: f"{_name(after, event)} asks to take the last move back.",
    EventKind.UNDO_REFUSED: lambda event, _, after: (
        f"{_name(after, event)} does not want the move taken back. {turn_words(after)}"
    ),
    EventKind.REMATCH_ASKED: lambda event, _, after: f"{_name(after, event)} would like to play again.",
    EventKind.REMATCH_REFUSED: lambda event, _, after: f"{_name(after, event)} does not want to play again.",
    EventKind.BEGAN: _began,
}


_ONE, _TWO = Person.ONE, Person.TWO
_FIRST, _SECOND = Seat.FIRST, Seat.SECOND


class OutcomeState(TypedDict):
    """Who won a match (person and seat), why, and the same in words."""

    winner: int
    seat: int
    reason: str
    words: str


class MatchState(TypedDict):
    """The current match; `to_move` is a person, `seat` where that person sits."""

    number: int
    moves: list[str]
    position: str
    pool: list[int]
    totals: list[int]
    to_move: int | None
    seat: int | None
    legal_moves: list[str]
    outcome: OutcomeState | None


class PersonState(TypedDict):
    """A person at a table."""

    person: int
    name: str
    who: str
    seat: int
    seated: bool
    wins: int
    total: int


class SeriesState(TypedDict):
    """A series of matches; `round` is the number of the current one."""

    best_of: int
    round: int
    over: bool


class ClockState(TypedDict):
    """Time left when the turn began, for persons 1 and 2, and whose clock has been running since when."""

    minutes: int
    increment: int
    left_ms: list[int]
    running: int | None
    since_ms: int


class EventState(TypedDict):
    """Something that happened; `entry` is what was played, as a journal writes it."""

    version: int
    at: int
    kind: str
    person: int | None
    words: str
    entry: NotRequired[str]


class CommonState(TypedDict):
    """What every viewer of a table sees alike."""

    table: str
    version: int
    online: bool
    waiting: bool
    match: MatchState
    persons: list[PersonState]
    series: SeriesState | None
    undo_asked: int | None
    rematch_asked: int | None
    clock: ClockState | None
    absent_after: int
    last: EventState


class State(CommonState):
    """A table as the caller sees it; `you` are the persons whose seats the caller holds."""

    game: dict[str, Any]
    you: list[int]
    can: list[str]


def _common(table: Table, said: str) -> CommonState:
    """Return what everybody sees, but for the moves; `said` are the words of the last event."""
    return {
        "table": table.id,
        "version": table.version,
        "online": table.online,
        "waiting": table.waiting,
        "match": _match(table),
        "persons": _persons(table),
        "series": _series(table),
        "undo_asked": table.undo_asked.value if table.undo_asked else None,
        "rematch_asked": table.rematch_asked.value if table.rematch_asked else None,
        "clock": _clock(table),
        "absent_after": table.absent_seconds,
        "last": event_state(table.last, said),
    }


def state(table: Table, held: frozenset[Person], said: str) -> State:
    """Return the table as the holder of these seats sees it."""
    common = _common(table, said)
    common["match"]["moves"] = json.loads(f"[{table.moves_text}]")
    return {**common, "game": rules_to_dict(table.setup.rules), "you": _you(held), "can": allowed_commands(table, held)}


def common_text(table: Table, said: str, game: str) -> str:
    """Return the members of a state that everybody sees, as JSON; `game` is `game_text` of its rules."""
    text = dumps(_common(table, said))[1:-1].replace('"moves":[]', f'"moves":[{table.moves_text}]', 1)
    return f"{text},{game}"


def state_text(table: Table, held: frozenset[Person], common: str) -> str:
    """Return the state as JSON; `common` are the members that everybody sees, as JSON already."""
    return f"{{{common},{_own_text(held, tuple(allowed_commands(table, held)))}}}"


@lru_cache(maxsize=256)
def _own_text(held: frozenset[Person], can: tuple[str, ...]) -> str:
    """Return the members that differ between viewers, as JSON; there are few such texts."""
    return dumps({"you": _you(held), "can": can})[1:-1]


def _you(held: frozenset[Person]) -> list[int]:
    return [one.value for one in (_ONE, _TWO) if one in held]


def event_state(event: Event, said: str) -> EventState:
    """Return an event; its `move_id` is its sender's own business."""
    document: EventState = {
        "version": event.version,
        "at": event.at,
        "kind": str(event.kind),
        "person": int(event.person) if event.person else None,
        "words": said,
    }
    if event.kind is EventKind.PLAYED:
        document["entry"] = str(event.data["entry"])
    return document


@lru_cache(maxsize=256)
def game_text(rules: Rules) -> str:
    """Return the member of a state that never changes at a table, as JSON."""
    return dumps({"game": rules_to_dict(rules)})[1:-1]


def _match(table: Table) -> MatchState:
    match = table.match
    position = match.position
    over = match.outcome is not None
    return {
        "number": table.number,
        "moves": [],
        "position": str(position),
        "pool": list(position.pool),
        "totals": list(position.totals),
        "to_move": None if over else int(match.to_move),
        "seat": None if over else int(position.seat),
        "legal_moves": [] if over else list(position.legal_move_texts()),
        "outcome": _outcome(match) if over else None,
    }


def _outcome(match: Match) -> OutcomeState | None:
    outcome = match.outcome
    if outcome is None:
        return None
    return {
        "winner": match.person(outcome.winner).value,
        "seat": outcome.winner.value,
        "reason": outcome.reason.value,
        "words": result(match),
    }


def _persons(table: Table) -> list[PersonState]:
    match, setup, position = table.match, table.match.setup, table.match.position
    seats = (_FIRST, _SECOND) if match.person(_FIRST) is _ONE else (_SECOND, _FIRST)
    return [
        {
            "person": number,
            "name": name,
            "who": who,
            "seat": int(seat),
            "seated": number in table.seated,
            "wins": wins,
            "total": position.total(seat),
        }
        for number, name, who, seat, wins in zip((1, 2), setup.names, setup.who, seats, table.score, strict=True)
    ]


def _series(table: Table) -> SeriesState | None:
    series = table.setup.series
    if series is None:
        return None
    over = table.match.outcome is not None and not table.next_due
    return {"best_of": series.best_of, "round": series.number, "over": over}


def _clock(table: Table) -> ClockState | None:
    if table.clock is None:
        return None
    return {
        "minutes": table.clock.minutes,
        "increment": table.clock.increment,
        "left_ms": list(table.left),
        "running": table.match.to_move.value if table.running else None,
        "since_ms": table.turn_began,
    }
