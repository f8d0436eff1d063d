"""A table as its viewers are shown it: no secret is in it, and only `you` and `can` depend on who looks."""

from __future__ import annotations

from functools import lru_cache

from zerosum.coach.review_words import result
from zerosum.match.match import Match
from zerosum.match.setup import Person
from zerosum.rules.model import Rules
from zerosum.rules.moves import format_move
from zerosum.rules.schema import rules_to_dict
from zerosum.server import limits
from zerosum.server.domain.commands import can
from zerosum.server.domain.encoding import dumps, joined
from zerosum.server.domain.events import Event, Kind
from zerosum.server.domain.table import Table

Document = dict[str, object]


def _common(table: Table, said: str) -> Document:
    """Return what everybody sees; `said` are the words of the last event."""
    match, asked = table.match, (table.undo_asked, table.rematch_asked)
    return {
        "table": table.id,
        "version": table.version,
        "online": table.online,
        "waiting": table.waiting,
        "match": _match(match, table.number),
        "persons": [_person(table, person, wins) for person, wins in zip(Person, table.score, strict=True)],
        "series": _series(table),
        "undo_asked": asked[0].value if asked[0] else None,
        "rematch_asked": asked[1].value if asked[1] else None,
        "clock": _clock(table),
        "absent_after": limits.ABSENT_SECONDS,
        "last": event_document(table.last, said),
    }


def state(table: Table, held: frozenset[Person], said: str) -> Document:
    """Return the table as whoever holds these seats sees it."""
    return {**_common(table, said), "game": rules_to_dict(table.setup.rules), **_own(table, held)}


def common_text(table: Table, said: str) -> str:
    """Return what everybody sees, as JSON."""
    return joined(dumps(_common(table, said)), _game_text(table.setup.rules))


def state_text(table: Table, held: frozenset[Person], common: str) -> str:
    """Return the state, as JSON; `common` is what everybody sees, as JSON already."""
    return joined(common, dumps(_own(table, held)))


def _own(table: Table, held: frozenset[Person]) -> Document:
    """Return what only those who hold these seats see so."""
    return {"you": sorted(held), "can": can(table, held)}


def event_document(event: Event, said: str) -> Document:
    """Return an event; its `move_id` is its sender's own business."""
    document: Document = {
        "version": event.version,
        "at": event.at,
        "kind": event.kind.value,
        "person": event.person.value if event.person else None,
        "words": said,
    }
    if event.kind is Kind.PLAYED:
        document["entry"] = event.data["entry"]
    return document


@lru_cache(maxsize=256)
def _game_text(rules: Rules) -> str:
    return dumps({"game": rules_to_dict(rules)})


def _match(match: Match, number: int) -> Document:
    position, operations = match.position, match.setup.rules.operations
    over = match.outcome is not None
    return {
        "number": number,
        "moves": [format_move(move, operations) for move in match.moves],
        "position": str(position),
        "pool": list(position.pool),
        "totals": list(position.totals),
        "to_move": None if over else match.to_move.value,
        "seat": None if over else position.seat.value,
        "legal_moves": [] if over else [format_move(move, operations) for move in position.legal_moves()],
        "outcome": _outcome(match) if over else None,
    }


def _outcome(match: Match) -> Document | None:
    outcome = match.outcome
    if outcome is None:
        return None
    return {
        "winner": match.person(outcome.winner).value,
        "seat": outcome.winner.value,
        "reason": outcome.reason.value,
        "words": result(match),
    }


def _person(table: Table, person: Person, wins: int) -> Document:
    match = table.match
    seat = match.seat(person)
    return {
        "person": person.value,
        "name": table.setup.name(person),
        "who": table.setup.who[person - 1],
        "seat": seat.value,
        "seated": person in table.seated,
        "wins": wins,
        "total": match.position.total(seat),
    }


def _series(table: Table) -> Document | None:
    series = table.setup.series
    if series is None:
        return None
    over = table.match.outcome is not None and not table.next_due
    return {"best_of": series.best_of, "round": series.number, "over": over}


def _clock(table: Table) -> Document | None:
    if table.clock is None:
        return None
    return {
        "minutes": table.clock.minutes,
        "increment": table.clock.increment,
        "left_ms": list(table.left),
        "running": table.match.to_move.value if table.running else None,
        "since_ms": table.turn_began,
    }
