"""The names of the two persons on a screen.

Pipes, records and two people at one keyboard see the names of the set-up. Somebody at a terminal who plays a computer
is "You", and the computer says what it is, so that it is clear at every turn who is who.
"""

from __future__ import annotations

from dataclasses import dataclass

from zerosum.base.text import printable
from zerosum.match.setup import Person, Setup

_DEFAULTS = ("Player 1", "Player 2")
YOU = "You"


class Label(str):
    """A name; `you` is whether verbs and possessives are those of "you"."""

    __slots__ = ()
    you = False

    @property
    def whose(self) -> str:
        """The possessive, as it begins a line."""
        return "Your" if self.you else f"{printable(self)}'s"


class _You(Label):
    """The reader."""

    __slots__ = ()
    you = True


@dataclass(frozen=True, slots=True)
class SeatNames:
    """The names of the two persons, and whether one of them is a person who plays a computer."""

    labels: tuple[Label, Label]
    with_computer: bool = False

    def name(self, person: Person) -> Label:
        """Return the name of a person."""
        return self.labels[person - 1]

    @property
    def within(self) -> tuple[str, str]:
        """The names inside a sentence."""
        one, two = ("you" if label.you else str(label) for label in self.labels)
        return one, two


def given_names(setup: Setup) -> SeatNames:
    """Return the persons' own names."""
    return SeatNames((Label(setup.names[0]), Label(setup.names[1])))


def names_at_terminal(setup: Setup) -> SeatNames:
    """Return "You" for a person who plays a computer, and which computer it is; names that were given stay."""
    if sum(map(setup.is_human, Person)) != 1:
        return given_names(setup)
    one, two = (_label(setup, person) for person in Person)
    return SeatNames((one, two), with_computer=True)


def _label(setup: Setup, person: Person) -> Label:
    given = setup.name(person) not in _DEFAULTS
    if setup.is_human(person):
        return Label(setup.name(person)) if given else _You(YOU)
    name = setup.name(person) if given else "Computer"
    return Label(f"{name} ({setup.who[person - 1].replace(':', ' ')})")
