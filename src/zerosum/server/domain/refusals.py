"""Why a command cannot be taken now, in words; no words where it can. The referee's own rules stay with the referee."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from zerosum.match import referee
from zerosum.match.setup import Person
from zerosum.server import limits
from zerosum.server.domain.table import Table


@dataclass(frozen=True, slots=True)
class Moment:
    """When a command arrives, how long the turn has taken, how long its person has not been seen: in milliseconds."""

    now: int
    spent: int = 0
    unseen: int = 0


Refuse = Callable[[Table, Person, Moment], str]


def time_is_up(table: Table, moment: Moment) -> bool:
    """Whether the person to move has no time left."""
    return table.clock is not None and table.running and table.left_of(table.match.to_move, moment.spent) == 0


def not_playing(table: Table, person: Person, moment: Moment) -> str:  # noqa: ARG001 - one signature for all
    """Want a match that is going on."""
    if table.waiting:
        return "The other person has not joined yet."
    return "" if table.match.outcome is None else "The match is over."


def no_undo(table: Table, person: Person, moment: Moment) -> str:
    """Want a move to take back, and nobody who has asked already."""
    refusal = not_playing(table, person, moment) or _nothing_to_undo(table, person)
    if refusal or table.undo_asked is not person:
        return refusal
    return _asked_already(table, person)


def no_undo_to_refuse(table: Table, person: Person, moment: Moment) -> str:
    """Want the other person to have asked for a move back."""
    asked = table.undo_asked is person.other
    return not_playing(table, person, moment) or ("" if asked else "Nobody has asked to take a move back.")


def no_undo_to_accept(table: Table, person: Person, moment: Moment) -> str:
    """Want the other person to have asked for a move back, and a move that can be."""
    return no_undo_to_refuse(table, person, moment) or _nothing_to_undo(table, person.other)


def _nothing_to_undo(table: Table, person: Person) -> str:
    if table.version >= limits.TABLE_EVENTS:
        return "Too much has happened at this table to take anything back."
    return referee.no_undo(table.match, table.entries, person)


def _not_over(table: Table) -> str:
    if table.match.outcome is None:
        return "The match is not over."
    return "" if table.version < limits.TABLE_EVENTS else "Too much has happened at this table; open a new one."


def no_rematch(table: Table, person: Person, moment: Moment) -> str:  # noqa: ARG001 - one signature for all
    """Want a match and its series to be over, and nobody who has asked already."""
    refusal = _not_over(table)
    if not refusal and table.next_due:
        return "The series is not decided; the next match is due."
    if refusal or table.rematch_asked is not person:
        return refusal
    return _asked_already(table, person)


def no_rematch_to_refuse(table: Table, person: Person, moment: Moment) -> str:  # noqa: ARG001 - one signature for all
    """Want the other person to have asked to play again."""
    asked = table.rematch_asked is person.other
    return _not_over(table) or ("" if asked else "Nobody has asked to play again.")


def no_next(table: Table, person: Person, moment: Moment) -> str:  # noqa: ARG001 - one signature for all
    """Want another match of the series to be due."""
    return _not_over(table) or ("" if table.next_due else "No further match is due; play again instead.")


def no_claim(table: Table, person: Person, moment: Moment) -> str:
    """Want an opponent who is to move, and out of time or absent for long."""
    refusal = not_playing(table, person, moment)
    if refusal:
        return refusal
    if not table.online or table.match.to_move is person:
        return "Only an opponent whose turn it is can be claimed against."
    rest = limits.ABSENT_SECONDS * 1000 - min(moment.spent, moment.unseen)
    if rest <= 0 or time_is_up(table, moment):
        return ""
    name = table.setup.name(person.other)
    return f"{name} was here lately; the match can be claimed after {-(-rest // 1000)} more seconds."


def _asked_already(table: Table, person: Person) -> str:
    return f"You have asked already; {table.setup.name(person.other)} has not answered."
