"""What a computer player is: a position in, chances or a move out; and the registry of all that are offered.

A new player is a module and one line:

    register("largest", largest, title="Largest", words="takes the largest number")

Every door (the command, the menu, the page, the API, a worker process) offers what is registered in its process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from random import Random
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from zerosum.base.errors import BadValueError, ZerosumError
from zerosum.base.text import did_you_mean, shorten
from zerosum.rules.model import Rules, is_word
from zerosum.rules.moves import Move, parse_move
from zerosum.rules.position import IllegalMoveError, Position

if TYPE_CHECKING:
    from zerosum.solver import Solution

T = TypeVar("T")

Choice = Mapping[Move, float] | Mapping[str, float] | Sequence[Move] | Sequence[str] | Move | str
"""A player's answer: the chance of each move, several equally likely moves, or one move. A move may be text."""


class Player(Protocol):
    """Anything that can be called with a position and returns a choice, such as a plain function.

    A player has no memory: the same position always gets the same answer, so that its strength can be computed.
    """

    def __call__(self, position: Position, /) -> Choice:
        """Return what to play."""


HUMAN: Final = "human"
"""A person, who is asked for moves: not a registered player, but a name that a set-up accepts."""

Solved = Callable[[Rules], "Solution"]
"""Returns the solution of a game."""
Make = Callable[[Rules, Solved], Player]
"""Makes the player of a game."""


class UnknownPlayerError(ZerosumError):
    """Not the name of a player."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class PlayerInfo:
    """A player as it is offered: `--vs NAME` chooses it, and pages show "TITLE: WORDS"."""

    name: str
    title: str
    words: str
    make: Make
    needs_solution: bool = False
    """Whether it plays only games that can be solved."""

    def __post_init__(self) -> None:
        """Refuse a name that a record could not hold."""
        if not is_word(self.name) or self.name == HUMAN:
            raise BadValueError("A player's name has 1 to 40 characters out of a-z, 0-9, : and -, and is not 'human'.")


class Players:
    """A registry of players, in the order in which they are shown."""

    def __init__(self, players: Iterable[PlayerInfo] = ()) -> None:
        self._players: dict[str, PlayerInfo] = {}
        self._families: dict[str, Callable[[str], PlayerInfo]] = {}
        for player in players:
            self.add(player)

    def add(self, player: PlayerInfo) -> None:
        """Add a player; its name must be new."""
        if player.name in self._players:
            raise BadValueError(f"There is a player '{player.name}' already.")
        self._players[player.name] = player

    def add_family(self, prefix: str, find: Callable[[str], PlayerInfo]) -> None:
        """Add all players whose names begin with `prefix`; they can be chosen, but are not listed."""
        self._families[prefix] = find

    def remove(self, name: str) -> None:
        """Remove a player, or a family by its prefix."""
        if self._players.pop(name, None) is None and self._families.pop(name, None) is None:
            raise UnknownPlayerError(f"There is no player '{shorten(name)}'.")

    def __iter__(self) -> Iterator[PlayerInfo]:
        return iter(self._players.values())

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and (name in self._players or name.startswith(tuple(self._families)))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players that are listed."""
        return tuple(self._players)

    def find(self, name: str, *, human: bool = True) -> PlayerInfo:
        """Return the player of this name; the error for an unknown name lists who may play, with `human` or without."""
        if name in self._players:
            return self._players[name]
        for prefix, find in self._families.items():
            if name.startswith(prefix):
                return find(name)
        people = [HUMAN] if human and name != HUMAN else []
        *most, last = [*people, *self.spoken()]
        every = f"The players are {', '.join(most)} and {last}." if most else "Only human can play."
        if name == HUMAN:
            raise UnknownPlayerError(f"Nobody can be asked for moves here, so 'human' cannot play. {every}")
        word = name.lower()
        # level:10 is no misspelling of level:1.
        kinds = {_kind(known) for known in self.names if ":" in known}
        numbered = word not in self._players and _kind(word) in kinds
        hint = every if numbered else did_you_mean(word, (*people, *self.names), every)
        raise UnknownPlayerError(f"There is no player '{shorten(name)}'. {hint}")

    def spoken(self) -> list[str]:
        """Return the names as a sentence lists them, numbered ones as a range: `level:1 to level:9`."""
        found = []
        for _, (first, *others) in groupby(self.names, _kind):
            found.append(f"{first} to {others[-1]}" if others else first)
        return found


def _kind(name: str) -> str:
    """Return a name without its number: `level` for `level:3`."""
    return name.rpartition(":")[0] or name


def chances_in(choice: Choice, position: Position) -> Mapping[Move, float] | Sequence[Move]:
    """Return a choice as chances or as equally likely moves, every move of it checked."""
    # A solution returns options, which hold a move: `solution.best(position)` is a choice too.
    given: object = (choice,) if isinstance(choice, Move | str) or hasattr(choice, "move") else choice
    if not isinstance(given, Mapping | Sequence) or not given:
        raise _no_choice(choice)
    found = []
    for one in given:
        named = getattr(one, "move", one)
        move = parse_move(named, position.rules.operations) if isinstance(named, str) else named
        if not isinstance(move, Move):
            raise _no_choice(choice)
        clause = position.objection(move)
        if clause is not None:
            raise IllegalMoveError(move, position, clause)
        found.append(move)
    return dict(zip(found, given.values(), strict=True)) if isinstance(given, Mapping) else found


def _no_choice(choice: object) -> BadValueError:
    return BadValueError(
        "A player answers with a move, such as Move(5) or '+5', with several, or with the chance of each, "
        f"not with {shorten(repr(choice))}."
    )


def pick(choices: Mapping[T, float] | Sequence[T], seed: str) -> T:
    """Return one of the choices: a mapping gives the chance of each, in a sequence all are equally likely.

    This is the only source of chance, and the same seed always gives the same choice.

    >>> pick(["heads", "tails"], "seed/toss"), pick({"heads": 0.0, "tails": 1.0}, "seed")
    ('tails', 'tails')
    """
    chance = Random(seed)
    if isinstance(choices, Mapping):
        return chance.choices(list(choices), list(choices.values()))[0]
    return chance.choice(choices)
