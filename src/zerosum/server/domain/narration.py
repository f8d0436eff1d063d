"""What happened at a table, in one or two short sentences: for the page, the live region and programs alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, cast

from zerosum.base.text import printable
from zerosum.coach.review_words import name_of, result
from zerosum.match.match import Entry, Match, Undo
from zerosum.match.setup import Person
from zerosum.rules.model import Totals
from zerosum.rules.moves import SWAP, Move
from zerosum.server.domain.events import Event, EventKind
from zerosum.server.domain.table import Table


def event_words(event: Event, before: Table | None, after: Table, entry: Entry | None = None) -> str:
    """Say what an event was; `before` is the table it happened at, None for the first. `entry` is what it played."""
    if entry is not None and before is not None:
        return _played(entry, before, after)
    return _WORDS[event.kind](event, before or after, after)


def _opened(event: Event, before: Table, after: Table) -> str:  # noqa: ARG001 - one signature for all
    game = printable(after.setup.rules.name)
    if after.waiting:
        return f"{game}: the table is open. Waiting for the other person."
    return f"{game}: {turn_words(after)}"


def _joined(event: Event, before: Table, after: Table) -> str:  # noqa: ARG001 - one signature for all
    return f"{_name(after, event)} has joined. {turn_words(after)}"


def _played(entry: Entry, before: Table, after: Table) -> str:
    match entry:
        case Move():
            told = f"{_move(before.match, after.match, entry)} {_refill(before.match, after.match)}".rstrip()
        case Undo(plies):
            told = f"{'One move was' if plies == 1 else f'{plies} moves were'} taken back."
        case _:
            told = ""
    return f"{told} {turn_words(after)}".strip()


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


def _undo_asked(event: Event, before: Table, after: Table) -> str:  # noqa: ARG001 - one signature for all
    return f"{_name(after, event)} asks to take the last move back."


def _undo_refused(event: Event, before: Table, after: Table) -> str:  # noqa: ARG001 - one signature for all
    return f"{_name(after, event)} does not want the move taken back. {turn_words(after)}"


def _rematch_asked(event: Event, before: Table, after: Table) -> str:  # noqa: ARG001 - one signature for all
    return f"{_name(after, event)} would like to play again."


def _rematch_refused(event: Event, before: Table, after: Table) -> str:  # noqa: ARG001 - one signature for all
    return f"{_name(after, event)} does not want to play again."


def _began(event: Event, before: Table, after: Table) -> str:  # noqa: ARG001 - one signature for all
    series = after.setup.series
    which = f"Match {series.number} of at most {series.best_of}" if series else f"Match {after.number}"
    seats = "as they were" if before.setup.first is after.setup.first else "swapped"
    return f"{which}: the seats are {seats}. {turn_words(after)}"


def turn_words(table: Table, you: Person | None = None) -> str:
    """Say who is to move, or how the match ended, also to one of the players: the end of most of what is said."""
    match = table.match
    if match.outcome is None:
        return f"{name_of(match, match.to_move)} is to move."
    series = table.setup.series
    if series is None or table.next_due:
        return result(match, you)
    winner = Person.ONE if table.score[0] > table.score[1] else Person.TWO
    who = "You win" if winner is you else f"{name_of(match, winner)} wins"
    return f"{result(match, you)} {who} the series {max(table.score)} to {min(table.score)}."


def _name(table: Table, event: Event) -> str:
    return name_of(table.match, cast("Person", event.person))


_WORDS: Final[dict[EventKind, Callable[[Event, Table, Table], str]]] = {
    EventKind.OPENED: _opened,
    EventKind.JOINED: _joined,
    EventKind.UNDO_ASKED: _undo_asked,
    EventKind.UNDO_REFUSED: _undo_refused,
    EventKind.REMATCH_ASKED: _rematch_asked,
    EventKind.REMATCH_REFUSED: _rematch_refused,
    EventKind.BEGAN: _began,
}
