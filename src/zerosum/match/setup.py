"""How a match is set up: who plays, who moves first, under which policy."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum

from zerosum.rules import limits
from zerosum.rules.errors import BadNameError, RecordError
from zerosum.rules.model import InvalidMove, Rules
from zerosum.rules.tags import Tags, rules_from_tags, rules_tags
from zerosum.rules.text import check_name, printable

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}( [0-9]{2}:[0-9]{2}(:[0-9]{2})?)?")
_PLAIN = re.compile(r"[a-z0-9:-]{0,40}")
_COUNT = re.compile(r"[1-9][0-9]?")


class Person(IntEnum):
    """Player 1 or Player 2, whichever seat they sit in."""

    ONE = 1
    TWO = 2

    @property
    def other(self) -> Person:
        """The opponent."""
        return Person.TWO if self is Person.ONE else Person.ONE


@dataclass(frozen=True, slots=True)
class Series:
    """Where a match stands in a series: its `number` among at most `best_of` matches."""

    id: str
    best_of: int
    number: int = 1

    @property
    def majority(self) -> int:
        """How many wins decide the series."""
        return self.best_of // 2 + 1


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

    def name(self, person: Person) -> str:
        """Return the name of a person."""
        return self.names[person - 1]

    def is_human(self, person: Person) -> bool:
        """Whether a person is one."""
        return self.who[person - 1] == "human"

    @property
    def forfeits(self) -> bool:
        """Whether an invalid move loses the match."""
        return self.rules.invalid_move is InvalidMove.FORFEIT and not self.lenient


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
    if setup.series is not None:
        tags |= {"Series": setup.series.id, "Best-Of": str(setup.series.best_of), "Round": str(setup.series.number)}
    return tags


def setup_from_tags(tags: Tags, rules: Rules | None = None) -> Setup:
    """Return the set-up that tags write; every tag but the game may be missing."""
    return Setup(
        rules=rules or rules_from_tags(tags),
        names=(_name(tags, "Player1", "Player 1"), _name(tags, "Player2", "Player 2")),
        who=(_matching(tags, "Who1", _PLAIN, "human"), _matching(tags, "Who2", _PLAIN, "human")),
        first=Person(int(_one_of(tags, "First", ("1", "2"), "1"))),
        lenient=_one_of(tags, "Lenient", ("true", "false"), "false") == "true",
        seed=_name(tags, "Seed", ""),
        date=_matching(tags, "Date", _DATE, ""),
        series=_series(tags),
    )


def _series(tags: Tags) -> Series | None:
    if "Series" not in tags:
        return None
    best_of = int(_matching(tags, "Best-Of", _COUNT, "1"))
    number = int(_matching(tags, "Round", _COUNT, "1"))
    if best_of % 2 == 0 or number > best_of:
        raise RecordError(f"Round {number} of a best of {best_of} is not possible.")
    return Series(_matching(tags, "Series", _PLAIN, ""), best_of, number)


def _name(tags: Tags, tag: str, default: str) -> str:
    if tag not in tags:
        return default
    try:
        return check_name(tags[tag], f"tag {tag}", limits.NAME_LENGTH)
    except BadNameError as error:
        raise RecordError(str(error)) from None


def _matching(tags: Tags, tag: str, pattern: re.Pattern[str], default: str) -> str:
    text = tags.get(tag, default)
    if text != default and not pattern.fullmatch(text):
        raise RecordError(f"The tag {tag} cannot be '{printable(text[: limits.NAME_LENGTH])}'.")
    return text


def _one_of(tags: Tags, tag: str, choices: tuple[str, ...], default: str) -> str:
    text = tags.get(tag, default)
    if text not in choices:
        raise RecordError(f"The tag {tag} must be {' or '.join(choices)}.")
    return text
