"""What the head of a board says: whose turn it is, what happened, what to do, and how a match ended.

For the moment at the end of a match, one sentence names the cause that decided it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from zerosum.base.english import figures
from zerosum.coach.bundled import OfferedDocument
from zerosum.coach.next_step import NextStep
from zerosum.match.match import Match
from zerosum.match.match_words import name_of
from zerosum.match.setup import Person
from zerosum.rules.describe import first_step
from zerosum.rules.model import Reaching, Totals
from zerosum.rules.moves import SWAP
from zerosum.rules.outcome import Outcome, Reason
from zerosum.screens.board_pieces import CLASSES
from zerosum.screens.screen import Surroundings
from zerosum.tables.commands import Moment
from zerosum.tables.table import BOTH, Table
from zerosum.tables.view import turn_words


def what_decided(match: Match, you: Person | None = None) -> str:
    """Return what decided a match; nothing if the result says it all, or if the match goes on.

    `you` is the reader, if they played.
    """
    reason_words = _REASON_WORDS.get(match.outcome.reason) if match.outcome else None
    return reason_words(match, match.outcome, you) if reason_words and match.outcome else ""


def _name(match: Match, person: Person, you: Person | None) -> str:
    return "You" if person is you else name_of(match, person)


def _reached(match: Match, outcome: Outcome, you: Person | None) -> str:
    """Say what was there to be taken, and who had left it so."""
    ply = len(match.moves) - 1
    rules, number, before = match.setup.rules, match.moves[ply].number, match.positions[ply]
    if rules.reaching is Reaching.LOSES:
        return f"Every number that was left made {rules.target}." if _forced(match, outcome) else ""
    own = rules.totals is Totals.OWN
    if own or not ply or match.moves[ply - 1] == SWAP:
        had = f"{_name(match, match.mover(ply), you)} had" if own else "The total was"
        return f"{had} {before.total(before.seat)}, and {number} was still there."
    left = f"{_name(match, match.mover(ply - 1), you)} left the total at {before.total(before.seat)}"
    return f"{left}, and {number} was still there."


def _overshot(match: Match, outcome: Outcome, you: Person | None) -> str:
    before, target = match.positions[-2], match.setup.rules.target
    if _forced(match, outcome):
        return f"At {before.total(before.seat)}, every number left went past {target}."
    loser = _name(match, match.mover(len(match.moves) - 1), you)
    return f"{loser} went from {before.total(before.seat)} to {match.position.total(before.seat)}."


def _forced(match: Match, outcome: Outcome) -> bool:
    """Whether every other last move would have ended the match in the same way."""
    before = match.positions[-2]
    return all(before.play_unchecked(move).outcome == outcome for move in before.legal_moves())


def _closer(match: Match, outcome: Outcome, you: Person | None) -> str:
    winner, target = match.person(outcome.winner), match.setup.rules.target
    near, far = (abs(match.position.total(match.seat(one)) - target) for one in (winner, winner.other))
    first = f"{_name(match, winner, you)} {_is(winner, you)} {near} away from {target}"
    other = "you" if winner.other is you else name_of(match, winner.other)
    return f"{first}, {other} {_is(winner.other, you)} {far} away."


def _is(person: Person, you: Person | None) -> str:
    return "are" if person is you else "is"


def _tie(match: Match, outcome: Outcome, _you: Person | None) -> str:
    away = abs(match.position.total(outcome.winner) - match.setup.rules.target)
    place = "first" if match.setup.first is match.person(outcome.winner) else "second"
    return f"Both are {away} away from {match.setup.rules.target}; then the player who moved {place} wins."


_REASON_WORDS: Final[dict[Reason, Callable[[Match, Outcome, Person | None], str]]] = {
    Reason.REACHED_TARGET: _reached,
    Reason.OVERSHOT: _overshot,
    Reason.CLOSER: _closer,
    Reason.TIE_RULE: _tie,
}


_ALONE: Final = Surroundings(Moment(0))
"""A moment at which no time has passed."""


@dataclass(frozen=True, slots=True)
class BoardViewer:
    """Who looks at a table, and when: the seats they hold, whom they see there, what only they may know."""

    held: frozenset[Person]
    said: str
    origin: str
    around: Surroundings = _ALONE
    move_id: str = ""
    """The idempotency key of the command that this page sends: drawn for each page."""
    invitation_qr: str = ""
    """The invitation as a picture for a phone's camera."""
    problem: str = ""
    typed: bool = False
    """Whether a typed move was refused: then the words about it are beside the field."""
    next: Sequence[NextStep] = ()
    """What to do after a match against a computer."""
    lesson: str = ""
    """The game of which a winner is offered the next idea, if there is one to learn."""
    changes: Sequence[OfferedDocument] | None = ()
    """Changes of one rule; None if they are not worked out yet."""

    @property
    def invitation_link(self) -> str:
        """The address of the open invitation, if there is one."""
        return f"{self.origin}/join/{self.around.invitation}" if self.around.invitation else ""

    @property
    def you(self) -> Person | None:
        """The one person the page calls you; nobody for a spectator, or if two share a screen."""
        return next(iter(self.held)) if len(self.held) == 1 else None


def reader_called(match: Match, person: Person, you: Person | None) -> str:
    """Return what a page calls somebody: the reader who plays a computer and gave no name is `You`."""
    alone = not match.setup.is_human(person.other)
    nameless = match.setup.name(person) == f"Player {person.value}"
    return "You" if person is you and alone and nameless else name_of(match, person)


def board_header(table: Table, look: BoardViewer, *, may_move: bool) -> dict[str, object]:
    """Return all that the head of a board says."""
    match = table.match
    status, style = _status(table, look.held)
    ended = turn_words(table, look.you) if match.outcome is not None else ""
    happened, waits = _happened(table, look, ended), _waits(table, look)
    names = [name_of(match, person) for person in Person]
    return {
        "title": status,
        "status": status,
        "status_style": style,
        "said": look.said,
        "happened": figures(happened, names),
        "prompt": _prompt(table, may_move=may_move),
        "result": figures(ended, names) if happened != ended else "",
        # An open question gets the room to itself.
        "decided": figures(what_decided(match, look.you), names) if happened == ended and not waits else "",
        "moment": _moment(table, look.you),
        "looks_on": "" if look.held else "You are watching.",
        "asked": waits,
    }


def _status(table: Table, held: frozenset[Person]) -> tuple[str, str]:
    """Return the headline, and the class of the person it is about."""
    match = table.match
    alone = held if held != BOTH else frozenset[Person]()
    if table.waiting:
        return ("Waiting for your friend" if held else "Waiting for the other player"), ""
    if table.drawn:
        return "The series is a draw", ""
    person = match.to_move if match.outcome is None else match.person(match.outcome.winner)
    name = name_of(match, person)
    if match.outcome is None:
        return ("Your turn" if person in alone else f"{name}\N{RIGHT SINGLE QUOTATION MARK}s turn"), CLASSES[person]
    return ("You win!" if person in alone else f"{name} wins"), CLASSES[person]


def _happened(table: Table, look: BoardViewer, ended: str) -> str:
    """Return what has happened, without what the headline says: whose turn it is, or that somebody is awaited."""
    after = turn_words(table)
    if table.waiting:
        return "The table is open."
    if ended:
        asks = table.rematch_asked is not None and table.rematch_asked is look.you
        return ended if asks or look.said.endswith(after) else look.said
    if table.last is table.opened:
        return "The match goes on." if table.match.moves else "The match begins."
    happened, you = look.said.removesuffix(after).rstrip(), look.you
    if you is None or reader_called(table.match, you, you) != "You":
        return happened
    name = name_of(table.match, you)
    return f"You play {happened.removeprefix(f'{name} plays ')}" if happened.startswith(f"{name} plays ") else happened


def _prompt(table: Table, *, may_move: bool) -> str:
    """Return what to do, for somebody who has not moved yet."""
    new = table.number == 1 and len(table.match.moves) <= 1
    return f"{first_step(table.setup.rules)}." if may_move and new else ""


def _moment(table: Table, you: Person | None) -> str:
    """Return the class of the end of a match: won, lost or drawn for somebody at one seat, else only over."""
    match = table.match
    if match.outcome is None:
        return ""
    if you is None:
        return "ended"
    if table.drawn:
        return "drawn"
    return "won" if match.person(match.outcome.winner) is you else "lost"


def _waits(table: Table, look: BoardViewer) -> str:
    """Return whose answer the asking person awaits."""
    asker = table.undo_asked or table.rematch_asked
    if asker is None or asker not in look.held:
        return ""
    asked = "You asked to play again. " if table.rematch_asked else ""
    return f"{asked}Waiting for {name_of(table.match, asker.other)}\N{RIGHT SINGLE QUOTATION MARK}s answer."
