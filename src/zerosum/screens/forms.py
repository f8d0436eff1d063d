"""What a browser sends: addresses and forms as text, what is wrong with them in words, and what cookies remember.

Cookies hold a name, an opponent, whether the coach speaks up, and the progress in each course; they need no script.
The results of matches are in another one (`match_results.py`).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar
from urllib.parse import quote, unquote, urlencode

from zerosum.base.errors import BadNameError
from zerosum.base.text import check_player_name
from zerosum.coach.learner import Learner
from zerosum.coach.lessons import STEPS
from zerosum.players import HUMAN
from zerosum.rules.game_files import BUILT_IN_IDS, write_rules
from zerosum.rules.model import Rules
from zerosum.strategy.card_player import PLAYERS
from zerosum.tables.fields import Text, Whole, WrongFieldsError, check_text, check_whole, read_value
from zerosum.tables.new_table import HERE
from zerosum.tables.problems import Problem

T = TypeVar("T")
OWN: Final = "own"
"""What an address says instead of a game's id for the course of a custom game; its rules are in the address too."""
RULES_LENGTH: Final = 4_000
"""Characters of the rules of a custom game in an address."""
POSITION_LENGTH: Final = 400
"""Characters of a position in an address."""
_LABELS: Final = {
    "best_of": "The number of matches",
    "code": "The personal code",
    "first": "Who moves first",
    "game": "The game",
    "increment": "The number of seconds",
    "match": "The number of the match",
    "minutes": "The number of minutes",
    "move": "The move",
    "n": "The number of the puzzle",
    "name": "Your name",
    "opponent": "The opponent",
    "opponent_name": "The other name",
    "position": "The position",
    "record": "The record",
    "set": "The number of the set",
    "step": "The number of the move",
    "variant": "The text of the rules",
}
_OTHER: Final = "Something in this address or form"
"""A field that people do not know by any name; what was sent is not repeated."""
_WORDS: Final = {
    "missing": "is missing",
    "string_too_short": "is missing",
    "string_too_long": "may have at most {max_length:,} characters",
    "greater_than_equal": "must be {ge:,} or more",
    "less_than_equal": "must be {le:,} or less",
    "literal_error": "is none of the choices",
}
_WHOLE: Final = {
    "give exactly one of game, variant and record": "Choose a game.",
    "best_of must be odd, or 2": "The number of matches must be odd, or 2.",
}
"""What is wrong with a whole form, by the words of its check."""


def field_label(name: str) -> str:
    """Return what people call a field."""
    return _LABELS.get(name, _OTHER)


def form_problem(errors: Sequence[Any]) -> Problem:
    """Return what is wrong with which field, a sentence each; the same sentence once."""
    sentences = dict.fromkeys(map(_sentence, errors))
    return Problem("bad-field", " ".join(sentences))


def read_form(kind: type[T], given: Mapping[str, Any]) -> T:
    """Return the value class that a form makes, or raise the problem of what is wrong with it."""
    try:
        return read_value(kind, given)
    except WrongFieldsError as error:
        raise form_problem(error.wrong) from None


def _sentence(error: Mapping[str, Any]) -> str:
    where = [part for part in error["loc"] if isinstance(part, str)]
    if not where:
        return _WHOLE.get(error["msg"], f"{_OTHER} cannot be read.")
    words = _WORDS.get(error["type"], "cannot be read")
    return f"{field_label(where[-1])} {words.format(**error.get('ctx', {}))}."


_NUMBER_LENGTH: Final = 10

Fields = dict[str, str]


def check_query(limits: Mapping[str, Whole | Text], query: Fields) -> None:
    """Refuse an address that says after its question mark what is outside of limits."""
    for name in limits.keys() & query.keys():
        mark = limits[name]
        wrong = check_whole(mark, number_in(query, name)) if isinstance(mark, Whole) else check_text(mark, query[name])
        if wrong:
            raise form_problem([{"loc": (name,), **wrong}])


def number_in(fields: Fields, name: str) -> int:
    """Return a whole number that a form must give."""
    text = fields.get(name, "")
    if not is_number(text):
        raise Problem("bad-field", f"{field_label(name)} must be a whole number.")
    return int(text)


def is_number(text: str) -> bool:
    """Whether a text is a whole number: digits alone, and not too many."""
    return text.isascii() and text.isdecimal() and len(text) <= _NUMBER_LENGTH


CHOICES_COOKIE: Final = "zerosum_choices"
DEFAULT_OPPONENT: Final = "level:1"
"""The opponent of a browser that has not chosen one."""
_ON: Final = "1"


@dataclass(frozen=True, slots=True)
class BrowserChoices:
    """Who somebody is, against whom they like to play, and whether the coach then speaks up on its own."""

    name: str = ""
    opponent: str = DEFAULT_OPPONENT
    coach: bool = False


NO_CHOICES: Final = BrowserChoices()
"""What a new browser remembers."""


def browser_choices(cookies: Fields) -> BrowserChoices:
    """Return what a browser remembers; what cannot be used any more is left out."""
    opponent, name, coach, *_ = [*cookies.get(CHOICES_COOKIE, "").split("|"), "", ""]
    return BrowserChoices(
        _usable(unquote(name)), opponent if _is_opponent(opponent) else DEFAULT_OPPONENT, coach == _ON
    )


def remember_choices(cookies: Fields, fields: Fields) -> dict[str, str]:
    """Return the cookie of what a form has chosen, if it is new; a field that the form lacks stays as it was."""
    known = browser_choices(cookies)
    chosen = fields.get("opponent", "")
    made = replace(
        known,
        name=_usable(fields["name"].strip()) if "name" in fields else known.name,
        opponent=chosen if _is_opponent(chosen) else known.opponent,
        coach=fields["coach"] == _ON if "coach" in fields else known.coach,
    )
    value = f"{made.opponent}|{quote(made.name, safe='')}|{_ON if made.coach else ''}"
    return {CHOICES_COOKIE: value} if made != known else {}


def _is_opponent(text: str) -> bool:
    return text in (HUMAN, HERE, *PLAYERS.names)


def _usable(name: str) -> str:
    try:
        return check_player_name(name)
    except BadNameError:
        return ""


PROGRESS_COOKIE: Final = "zerosum_lessons"
_OWN: Final = 5
"""Courses of custom games that are remembered, beside those of the built-in games."""
_MOST: Final = 9_999
"""Exercises of a step that are counted."""
_NAME_LENGTH: Final = 12
_ENTRY: Final = re.compile(rf"([a-z0-9-]{{1,64}})!([0-9]{{1,4}}(?:\.[0-9]{{1,4}}){{5,{5 + STEPS}}})", re.ASCII)
_OLD_ENTRY: Final = re.compile(rf"([a-z0-9-]{{1,64}})_([0-9]{{1,2}})(?:\.[0-9]{{1,4}}){{2,{2 + STEPS}}}", re.ASCII)
"""An entry of an earlier version; its first number says how many steps were learnt."""


def course_name(rules: Rules) -> str:
    """Return the name by which a browser remembers the course of a custom game."""
    return f"own-{hashlib.sha256(write_rules(rules).encode()).hexdigest()[:_NAME_LENGTH]}"


def course_progress(cookies: Fields, course: str, ideas: Sequence[str], before: Sequence[str]) -> Learner:
    """Return the progress of a browser in a course with these ideas; `before`: those that earlier versions taught."""
    entries = _entries(cookies)
    found = _ENTRY.fullmatch(entries.get(course, ""))
    if found is not None:
        learner = Learner.read(list(map(int, found[2].split("."))))
        return learner if len(learner.asked) == len(ideas) else Learner.begin(ideas)
    old = _OLD_ENTRY.fullmatch(entries.get(course, ""))
    return Learner.begin(ideas, before[: int(old[2])] if old else ())


def _entries(cookies: Fields) -> dict[str, str]:
    """Return what a browser remembers of each course; what cannot be read is left out."""
    texts = cookies.get(PROGRESS_COOKIE, "").split("|")
    found = (_ENTRY.fullmatch(text) or _OLD_ENTRY.fullmatch(text) for text in texts)
    return {one[1]: one[0] for one in found if one}


def remember_progress(cookies: Fields, course: str, numbers: list[int] | None) -> dict[str, str]:
    """Return the cookie of the progress in a course; no numbers restart it."""
    known = {name: text for name, text in _entries(cookies).items() if name != course}
    if numbers is not None:
        known[course] = f"{course}!{'.'.join(str(min(one, _MOST)) for one in numbers)}"
    own = [name for name in known if name not in BUILT_IN_IDS]
    kept = [text for name, text in known.items() if name in BUILT_IN_IDS or name in own[-_OWN:]]
    return {PROGRESS_COOKIE: "|".join(kept)}


def own_rules(text: str, page: str = f"/{OWN}") -> str:
    """Return the address that opens a page with the rules of a custom game; nothing if they are too long for one."""
    return f"{page}?{urlencode({'rules': text})}" if len(text) <= RULES_LENGTH else ""


def own_lessons(text: str) -> str:
    """Return the address of the lessons of a custom game."""
    return own_rules(text, f"/learn/{OWN}")
