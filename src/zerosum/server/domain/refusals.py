"""Why a command cannot be carried out now, in words; an empty text where it can. The referee's rules stay its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from zerosum.match import referee
from zerosum.match.setup import Person
from zerosum.server import limits
from zerosum.server.domain.table import Table


@dataclass(frozen=True, slots=True)
class Moment:
    """When a command arrives, how long the turn has taken, how long the person to move was unseen: milliseconds."""

    now: int
    spent: int = 0
    unseen: int = 0


Phase = Callable[[Table], str]
"""Says why a table is not in the phase of play that a command belongs to."""
Refuse = Callable[[Table, Person, Moment], str]


def time_is_up(table: Table, moment: Moment) -> bool:
    """Whether the person to move has no time left."""
    return table.clock is not None and table.running and table.left_of(table.match.to_move, moment.spent) == 0


def not_playing(table: Table) -> str:
    """Require a match that is going on."""
    if table.waiting:
        return "The other person has not joined yet."
    return "" if table.match.outcome is None else "The match is over."


def not_over(table: Table) -> str:
    """Require a match that is over, and room for another at this table."""
    if table.match.outcome is None:
        return "The match is not over."
    return "" if table.version < limits.TABLE_EVENTS else "Too much has happened at this table; open a new one."


def never_refused(table: Table, person: Person, moment: Moment) -> str:  # noqa: ARG001 - one signature for all
    """Refuse nothing."""
    return ""


def no_undo(table: Table, person: Person, moment: Moment) -> str:  # noqa: ARG001 - one signature for all
    """Require a move to take back that this person has not asked for already."""
    if table.undo_asked is person:
        return _asked_already(table, person)
    return _nothing_to_undo(table, person)


def no_undo_to_refuse(table: Table, person: Person, moment: Moment) -> str:  # noqa: ARG001 - one signature for all
    """Require that the other person has asked to take a move back."""
    return "" if table.undo_asked is person.other else "Nobody has asked to take a move back."


def no_undo_to_accept(table: Table, person: Person, moment: Moment) -> str:
    """Require that the other person has asked to take a move back, and that it can be."""
    return no_undo_to_refuse(table, person, moment) or _nothing_to_undo(table, person.other)


def _nothing_to_undo(table: Table, person: Person) -> str:
    if table.version >= limits.TABLE_EVENTS:
        return "Too much has happened at this table to take anything back."
    return referee.no_undo(table.match, table.entries, person)


def no_rematch(table: Table, person: Person, moment: Moment) -> str:  # noqa: ARG001 - one signature for all
    """Require that the series is over and that this person has not asked already."""
    if table.next_due:
        return "The series is not decided; the next match is due."
    return _asked_already(table, person) if table.rematch_asked is person else ""


def no_rematch_to_refuse(table: Table, person: Person, moment: Moment) -> str:  # noqa: ARG001 - one signature for all
    """Require that the other person has asked to play again."""
    return "" if table.rematch_asked is person.other else "Nobody has asked to play again."


def no_next(table: Table, person: Person, moment: Moment) -> str:  # noqa: ARG001 - one signature for all
    """Require that another match of the series is due."""
    return "" if table.next_due else "No further match is due; play again instead."


def claim_wait(table: Table, person: Person, moment: Moment) -> int | None:
    """Return in how many milliseconds somebody can claim a match if nothing happens; None where they never can."""
    if not table.online or table.match.to_move is person:
        return None
    if time_is_up(table, moment):
        return 0
    return max(0, limits.ABSENT_SECONDS * 1000 - min(moment.spent, moment.unseen))


def no_claim(table: Table, person: Person, moment: Moment) -> str:
    """Require an opponent who is to move, and who is out of time or has long been absent."""
    wait = claim_wait(table, person, moment)
    if wait is None:
        return "Only an opponent whose turn it is can be claimed against."
    if wait == 0:
        return ""
    name = table.setup.name(person.other)
    return f"{name} was here lately; the match can be claimed after {-(-wait // 1000)} more seconds."


def _asked_already(table: Table, person: Person) -> str:
    return f"You have asked already; {table.setup.name(person.other)} has not answered."
