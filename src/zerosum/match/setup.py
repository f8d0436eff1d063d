"""How a match is set up: who plays, who moves first, under which policy."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from zerosum.base import limits
from zerosum.base.enums import IntChoice
from zerosum.base.errors import RecordError, ZerosumError
from zerosum.base.text import check_name, shorten
from zerosum.rules.model import InvalidMove, Rules, is_word
from zerosum.rules.record import Tags, rules_from_tags, rules_tags

_LIMIT = re.compile(r"[1-9][0-9]{0,4}")
OUTSIDE: Final = ("bot", "model", "command")
"""What a set-up calls programs from outside: it keeps their names, never how they are started."""
BOTH_SEATS: Final = 2
"""The length of a series in which each person sits in each seat once: even in any game, and a draw at 1 to 1."""


class SetupError(ZerosumError):
    """A match that cannot be set up this way."""

    exit_code = 2


class Person(IntChoice):
    """Player 1 or Player 2, whichever seat they sit in."""

    ONE = 1
    TWO = 2

    @property
    def other(self) -> Person:
        """The opponent."""
        return _TWO if self is _ONE else _ONE


_ONE, _TWO = Person.ONE, Person.TWO


def check_best_of(number: object) -> int:
    """Return the number of matches of a series: odd, so that somebody wins it, or 2, so that no seat counts."""
    most = limits.SERIES_MATCHES
    if type(number) is not int or not 1 <= number <= most or (number % 2 == 0 and number != BOTH_SEATS):
        raise SetupError(f"A series is the best of 2, or of an odd number from 1 to {most}, not of {number!r}.")
    return number


def leader(won: tuple[int, int]) -> Person | None:
    """Return who has won more matches, None if nobody has."""
    if won[0] == won[1]:
        return None
    return Person.ONE if won[0] > won[1] else Person.TWO


@dataclass(frozen=True, slots=True)
class Series:
    """A match's place in a series: its `number` among at most `best_of` matches."""

    id: str
    best_of: int
    number: int = 1

    def __post_init__(self) -> None:
        """Refuse a series of an impossible length, and a match that is not in it."""
        _plain(self.id)
        check_best_of(self.best_of)
        if type(self.number) is not int or not 1 <= self.number <= self.best_of:
            raise SetupError(f"Round {self.number!r} of a best of {self.best_of} is not possible.")

    @property
    def majority(self) -> int:
        """How many wins decide the series."""
        return self.best_of // 2 + 1

    def goes_on(self, won: tuple[int, int]) -> bool:
        """Whether another match follows this one, after which each person has won so many."""
        return self.number < self.best_of and max(won) < self.majority


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """All that is settled before the first move. Names and kinds belong to persons, not to seats."""

    rules: Rules
    names: tuple[str, str] = ("Player 1", "Player 2")
    who: tuple[str, str] = ("human", "human")
    first: Person = Person.ONE
    lenient: bool = False
    seed: str = ""
    date: str = ""
    series: Series | None = None
    limit: int | None = None
    """Plies after which the referee stops the match; None is the limit of computers and servers, `MATCH_PLIES`."""

    def __post_init__(self) -> None:
        """Refuse what a record could not hold, so that the record of every match can be read back."""
        for name, kind in _KINDS.items():
            if type(getattr(self, name)) not in kind:
                raise SetupError(f"{name}: {shorten(repr(getattr(self, name)))} is not allowed here.")
        for name, read in (("names", _name), ("who", _plain)):
            pair = getattr(self, name)
            if len(pair) != len(Person):
                raise SetupError(f"{name}: give one for each of the two players.")
            object.__setattr__(self, name, tuple(map(read, pair)))
        object.__setattr__(self, "seed", _seed(self.seed))
        if self.limit is not None:
            _limit(str(self.limit))
        _date(self.date)

    def name(self, person: Person) -> str:
        """Return the name of a person."""
        return self.names[person - 1]

    def is_human(self, person: Person) -> bool:
        """Whether a human, not a computer, plays as `person`."""
        return self.who[person - 1] == "human"

    @property
    def plies(self) -> int:
        """After how many plies the referee stops the match."""
        return limits.MATCH_PLIES if self.limit is None else self.limit

    @property
    def forfeits(self) -> bool:
        """Whether an invalid move loses the match."""
        return self.rules.invalid_move is InvalidMove.FORFEIT and not self.lenient


def next_in_series(setup: Setup) -> Setup:
    """Return the set-up of the next match of a series: the other person moves first."""
    if setup.series is None:
        raise SetupError("Only a series has a next match.")
    return replace(setup, first=setup.first.other, series=replace(setup.series, number=setup.series.number + 1))


def setup_tags(setup: Setup) -> Tags:
    """Return the tags of a record or journal."""
    tags = rules_tags(setup.rules)
    tags |= {"Player1": setup.names[0], "Player2": setup.names[1], "Who1": setup.who[0], "Who2": setup.who[1]}
    tags["First"] = str(setup.first.value)
    if setup.lenient:
        tags["Lenient"] = "true"
    if setup.seed:
        tags["Seed"] = setup.seed
    if setup.date:
        tags["Date"] = setup.date
    if setup.limit is not None:
        tags["Limit"] = str(setup.limit)
    if setup.series is not None:
        tags |= {"Series": setup.series.id, "Best-Of": str(setup.series.best_of), "Round": str(setup.series.number)}
    return tags


def setup_from_tags(tags: Tags, rules: Rules | None = None) -> Setup:
    """Return the set-up that tags write; every tag but the game may be missing."""
    return Setup(
        rules=rules or rules_from_tags(tags),
        names=(_read(tags, "Player1", _name, "Player 1"), _read(tags, "Player2", _name, "Player 2")),
        who=(_read(tags, "Who1", _plain, "human"), _read(tags, "Who2", _plain, "human")),
        first=Person(int(_one_of(tags, "First", ("1", "2"), "1"))),
        lenient=_one_of(tags, "Lenient", ("true", "false"), "false") == "true",
        seed=_read(tags, "Seed", _seed, ""),
        date=_read(tags, "Date", _date, ""),
        series=_series(tags),
        limit=int(_read(tags, "Limit", _limit, "")) if "Limit" in tags else None,
    )


def _series(tags: Tags) -> Series | None:
    if "Series" not in tags:
        return None
    best_of, number = (int(_read(tags, tag, _count, "1")) for tag in ("Best-Of", "Round"))
    try:
        return Series(_read(tags, "Series", _plain, ""), best_of, number)
    except SetupError as error:
        raise RecordError(str(error)) from None


def _read(tags: Tags, tag: str, read: Callable[[object], str], default: str) -> str:
    """Return the text of a tag as `read` returns it; an error names the tag."""
    try:
        return read(tags.get(tag, default))
    except ZerosumError as error:
        raise RecordError(f"The tag {tag} cannot be '{shorten(tags[tag])}'. {error}") from None


def _one_of(tags: Tags, tag: str, choices: tuple[str, ...], default: str) -> str:
    text = tags.get(tag, default)
    if text not in choices:
        raise RecordError(f"The tag {tag} must be {' or '.join(choices)}.")
    return text


def _name(text: object) -> str:
    if not isinstance(text, str):
        raise SetupError("A name is text.")
    return check_name(text)


def _seed(text: object) -> str:
    """Read a seed, which like any option may be empty."""
    return check_name(text, "seed") if isinstance(text, str) and text else ""


def _plain(text: object) -> str:
    if not isinstance(text, str) or not is_word(text):
        raise SetupError("The name of a player or series has 1 to 40 characters out of a-z, 0-9, : and -.")
    return text


def _written(pattern: str, words: str) -> Callable[[object], str]:
    """Return a reader of texts that a pattern describes; `words` say how such a text is written."""

    def read(text: object) -> str:
        if not isinstance(text, str) or not re.fullmatch(pattern, text):
            raise SetupError(words)
        return text

    return read


_date = _written(
    "([0-9]{4}-[0-9]{2}-[0-9]{2}( [0-9]{2}:[0-9]{2}(:[0-9]{2})?)?)?",
    "A date is written as 2026-01-31 or 2026-01-31 18:30.",
)
_count = _written("[1-9][0-9]?", f"A count goes from 1 to {limits.SERIES_MATCHES}.")


def _limit(text: object) -> str:
    least, most = limits.MATCH_PLIES, limits.TERMINAL_PLIES
    if not isinstance(text, str) or not _LIMIT.fullmatch(text) or not least <= int(text) <= most:
        raise SetupError(f"The limit of a match is from {least} to {most} plies.")
    return text


_KINDS = {
    "rules": (Rules,),
    "names": (tuple,),
    "who": (tuple,),
    "first": (Person,),
    "lenient": (bool,),
    "seed": (str,),
    "series": (Series, type(None)),
    "limit": (int, type(None)),
}
