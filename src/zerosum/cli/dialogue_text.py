"""What the dialogue says about a match: templates from data, filled in once.

A field is replaced by its text, and that text is never expanded again, so a name or a rules file can print nothing but
itself. `{player's}` is the possessive of a name, and `{player:win|wins}` the verb that goes with "you" or with a name.

Pipes, records and two people at one keyboard see the names of the set-up. Somebody at a terminal who plays a computer
is "You", and the computer says what it is, so that it is clear at every turn who is who.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from zerosum.base.text import printable
from zerosum.match.match import Match
from zerosum.match.setup import BOTH_SEATS, Person, Setup, leader
from zerosum.rules.game_files import GAMES_FOLDER, is_built_in
from zerosum.rules.model import Rules
from zerosum.rules.moves import ADD_ONLY, Move, Operation
from zerosum.rules.outcome import Outcome, Reason
from zerosum.rules.record import Ending

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


def names_at_terminal(setup: Setup, *, which: bool = True) -> SeatNames:
    """Return "You" for a person who plays a computer, and `which` computer that is; names that were given stay."""
    if sum(map(setup.is_human, Person)) != 1:
        return given_names(setup)
    one, two = (_label(setup, person, which=which) for person in Person)
    return SeatNames((one, two), with_computer=True)


def shown_names(setup: Setup, *, at_terminal: bool) -> SeatNames:
    """Return the names in a dialogue: in a pipe they are the persons' own, as a rulebook's dialogue has them."""
    return names_at_terminal(setup) if at_terminal else given_names(setup)


def _label(setup: Setup, person: Person, *, which: bool) -> Label:
    given = setup.name(person) not in _DEFAULTS
    if setup.is_human(person):
        return Label(setup.name(person)) if given else _You(YOU)
    name = setup.name(person) if given else "Computer"
    return Label(f"{name} ({setup.who[person - 1].replace(':', ' ')})" if which else name)


_FIELD = re.compile(r"\{([a-z0-9_]+)('s|:([^|{}]*)\|([^|{}]*))?\}")
_WITH_COMPUTER: Final = "with-computer"
_SHOWN_MOVES: Final = 40
Words = dict[str, str]
Fields = Mapping[str, object]


def fill(template: str, fields: Fields) -> str:
    """Return `template` with its fields filled in, each text made safe to print."""

    def one(found: re.Match[str]) -> str:
        value, form = fields[found[1]], found[2]
        if form is None:
            return printable(str(value))
        label = value if isinstance(value, Label) else Label(value)
        return label.whose if form == "'s" else found[3 if label.you else 4]

    return _FIELD.sub(one, template)


@cache
def _words_file(name: str) -> tuple[Words, Words]:
    """Return the words of a file, and those that replace some of them if a person plays a computer."""
    with open(os.path.join(GAMES_FOLDER, "words", f"{name}.toml"), "rb") as file:
        words = tomllib.load(file)
    return {key: text for key, text in words.items() if key != _WITH_COMPUTER}, words.get(_WITH_COMPUTER, {})


def words_for(rules: Rules, *, with_computer: bool = False) -> Words:
    """Return the words of a game: the words of any game like it, then its own if it is an unchanged built-in game."""
    names = ["default", rules.totals.value]
    if is_built_in(rules):
        names.append(rules.id)
    words: Words = {}
    for name in names:
        every, replaced = _words_file(name)
        words |= every | (replaced if with_computer else {})
    return words


def pool_text(words: Words, pool: tuple[int, ...]) -> str:
    """Return a pool as the game writes it."""
    numbers = words["separator"].join(map(str, pool)) or words["empty"]
    return fill(words["frame"], {"numbers": numbers})


def calculation(before: int, move: Move) -> str:
    """Return the left side of an addition or subtraction as people write it, such as `0 + (-4)`."""
    number = f"({move.number})" if move.number < 0 else str(move.number)
    return f"{before} {move.operation.sign} {number}"


def scene(match: Match, words: Words, names: SeatNames) -> dict[str, object]:
    """Return the fields that say how a match stands."""
    position = match.position
    return {
        "game": match.setup.rules.name,
        "target": match.setup.rules.target,
        "player": names.name(match.to_move),
        "pool": pool_text(words, position.pool),
        "total": position.total(position.seat),
        "name1": names.labels[0],
        "name2": names.labels[1],
        "total1": position.total(match.seat(Person.ONE)),
        "total2": position.total(match.seat(Person.TWO)),
        "moves": _moves(match),
        "plies": len(match.moves),
    }


def _moves(match: Match) -> str:
    """Return the moves so far; of a long match, the last ones."""
    earlier = "... " if len(match.moves) > _SHOWN_MOVES else ""
    return earlier + " ".join(map(match.position.text_of, match.moves[-_SHOWN_MOVES:])) or "none"


def say(match: Match, names: SeatNames | None, key: str, extra: Fields | None = None) -> str:
    """Return the words of a game for a key, filled in; `names` are what the persons are called, if not by their own."""
    names = names or given_names(match.setup)
    words = words_for(match.setup.rules, with_computer=names.with_computer)
    return fill(words[key], scene(match, words, names) | dict(extra or {}))


def number_prompt(match: Match, names: SeatNames | None = None) -> str:
    """Return the question for a number."""
    offer = say(match, names, "swap-offer") if match.position.swap_open else ""
    return offer + say(match, names, "number-prompt")


def typed(match: Match, move: Move) -> list[str]:
    """Return the answers by which a person would make a move: one for each prompt."""
    if move.operation is Operation.SWAP:
        return ["swap"]
    if match.setup.rules.operations == ADD_ONLY:
        return [str(move.number)]
    return [str(move.number), words_for(match.setup.rules)[move.operation.value]]


def moved(match: Match, names: SeatNames | None = None) -> str:
    """Return the report of the last move, and of the refilled pool if another round follows."""
    move, before, after = match.moves[-1], match.positions[-2], match.position
    mover = match.mover(len(match.moves) - 1)
    player = (names or given_names(match.setup)).name(mover)
    if move.operation is Operation.SWAP:
        return say(match, names, "swapped", {"player": player})
    words = words_for(match.setup.rules)
    fields: dict[str, object] = {
        "player": player,
        "number": move.number,
        "operation": move.operation.value,
        "sign": move.operation.sign,
        "calculation": calculation(before.total(before.seat), move),
        "total": after.total(before.seat),
    }
    if after.outcome is not None:
        return say(match, names, "final" if "final" in words else "moved", fields)
    if len(before.pool) > 1:
        return say(match, names, "moved", fields)
    another = say(match, names, "sudden-death") if match.outcome is None else ""
    return say(match, names, "moved", fields | {"pool": pool_text(words, ())}) + another


def ended(match: Match, outcome: Outcome, names: SeatNames | None = None) -> str:
    """Return the report of the outcome of a match."""
    key = outcome.reason.value
    if outcome.reason is Reason.REACHED_TARGET and outcome.winner is match.position.seat:
        key = "reached-target-loses"
    if outcome.reason is Reason.FORFEIT and match.is_outside(outcome.winner.other):
        key = "failed"
    name = (names or given_names(match.setup)).name
    fields = {
        "winner": name(match.person(outcome.winner)),
        "loser": name(match.person(outcome.winner.other)),
        "answer": _answer(match.ending),
    }
    return say(match, names, key, fields)


def _answer(ending: Ending | None) -> str:
    """Return the answer that ended a match; an empty operation leaves a space at its end."""
    if ending is None:
        return ""
    return f"{ending.text}(no operation)" if ending.text.endswith(" ") else ending.text


def series_score(match: Match, won: tuple[int, int], names: SeatNames | None = None) -> str:
    """Return the score of a series before its next match."""
    series = match.setup.series
    if series is None:
        return ""
    fields = {"round": series.number, "best_of": series.best_of, "won1": won[0], "won2": won[1]}
    return say(match, names, "both-seats-score" if series.best_of == BOTH_SEATS else "series-score", fields)


def series_ended(match: Match, won: tuple[int, int], names: SeatNames | None = None) -> str:
    """Return the report of the end of a series."""
    fields: dict[str, object] = {"won": max(won), "lost": min(won)}
    best = leader(won)
    if best is None:
        return say(match, names, "series-drawn", fields)
    return say(match, names, "series-won", fields | {"winner": (names or given_names(match.setup)).name(best)})
