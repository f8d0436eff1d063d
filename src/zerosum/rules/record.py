r"""Records as text a person can read and write: tags, one a line, then numbered moves.

    [Game "sum31"]

    1. +5 +6 2. +9 +8 3. +3

A match that does not begin at the start of its game says where: `[Position "1,2,3,4,7 28 1"]`.

An ending that no move makes may follow the moves: `resign:2`, `time:1`, `forfeit:1:"5 x"` (seat 1 answered
that). In tags and answers `\"`, `\\` and `\n` are escapes; journals begin with the same tags.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from zerosum.base import limits
from zerosum.base.errors import BadValueError, InvalidTextError, RecordError, ZerosumError
from zerosum.base.text import parse_number, printable, shorten
from zerosum.rules.game_files import BUILT_IN_IDS, built_in
from zerosum.rules.model import KEYS, Rules, Seat, rules_from_dict, rules_to_dict
from zerosum.rules.moves import Move, format_move
from zerosum.rules.notation import parse_position, play_numbered
from zerosum.rules.outcome import Outcome, Reason
from zerosum.rules.position import Position, start_position

Tags = dict[str, str]

QUOTED = r'"((?:[^"\\]|\\.)*)"'
_TAG = re.compile(rf"\[([A-Za-z][A-Za-z0-9-]*) {QUOTED}\]")
_ESCAPES = {"n": "\n"}
_RULE_TAGS = {key.title(): key for key in KEYS if key != "id"} | {"Game": "id"}
_LIST_KEYS = ("pool", "operations")
_WORD_KEYS = ("id", "name")


def quote(text: str) -> str:
    """Return `text` in double quotes, with escapes."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def unquote(body: str) -> str:
    """Return what stands between double quotes, escapes undone."""
    if "\\" not in body:
        return body
    return re.sub(r"\\(.)", lambda found: _ESCAPES.get(found[1], found[1]), body)


def format_tags(tags: Mapping[str, str]) -> str:
    """Return the lines of the tags."""
    return "".join(f"[{tag} {quote(text)}]\n" for tag, text in tags.items())


def parse_tags(text: str) -> tuple[Tags, str]:
    """Return the tags at the head of `text`, and the rest of it."""
    tags: Tags = {}
    lines = text.splitlines(keepends=True)
    for at, line in enumerate(lines):
        stripped = line.strip()
        if stripped and not stripped.startswith("["):
            return tags, "".join(lines[at:])
        if not stripped:
            continue
        found = _TAG.fullmatch(stripped)
        if found is None:
            raise RecordError(f'Line {at + 1} of the record is not a tag like [Game "sum31"]: {shorten(stripped)}')
        if found[1] in tags:
            raise RecordError(f"Line {at + 1} of the record gives the tag {found[1]} a second time.")
        tags[found[1]] = unquote(found[2])
    return tags, ""


def rules_tags(rules: Rules) -> Tags:
    """Return the full rules as tags, so that a changed rules file cannot alter an old match."""
    table = rules_to_dict(rules)
    return {"Game": table.pop("id")} | {key.title(): _tag_text(value) for key, value in table.items()}


def _tag_text(value: object) -> str:
    if isinstance(value, list):
        return ",".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def rules_from_tags(tags: Mapping[str, str]) -> Rules:
    """Return the rules that the tags write in full, or those of the built-in game they name."""
    game = tags.get("Game")
    if game is None:
        raise RecordError('The record does not say which game it is: the tag [Game "..."] is missing.')
    if "Pool" in tags:
        return _written_rules(tuple((key, tags[tag]) for tag, key in _RULE_TAGS.items() if tag in tags))
    if game not in BUILT_IN_IDS:
        raise RecordError(f"The record is of '{shorten(game)}', which is not built in, and does not give its rules.")
    return built_in(game)


@lru_cache(maxsize=8)
def _written_rules(written: tuple[tuple[str, str], ...]) -> Rules:
    """Return the rules that keys and texts write; cached, as many records in a row are of the same game."""
    return rules_from_dict({key: _tag_value(key, text) for key, text in written})


def _tag_value(key: str, text: str) -> object:
    """Return a tag's text as the value a rules file would hold, for `rules_from_dict` to judge."""
    if key in _WORD_KEYS:
        return text
    if key in _LIST_KEYS or (key == "start" and "," in text):
        return [_scalar(part) for part in text.split(",")]
    return _scalar(text)


def _scalar(text: str) -> object:
    if text in ("true", "false"):
        return text == "true"
    try:
        return parse_number(text)
    except InvalidTextError:
        return text


# An unclosed quote is one token up to the end, so that it is refused, and scanned only once.
_TOKEN = re.compile(r'(?:"(?:[^"\\]|\\.)*(?:"|\\?\Z)|[^\s"])+', re.DOTALL)
_NUMBERED = re.compile(r"([0-9]{1,9})\.(.*)", re.DOTALL)
_ENDING = re.compile(rf"(resign|time|forfeit):([12])(?::{QUOTED})?")
_ENDINGS = {"resign": Reason.RESIGNED, "time": Reason.TIME, "forfeit": Reason.FORFEIT}
_ENDING_WORDS = {reason: word for word, reason in _ENDINGS.items()}
_WRAP = 79
POSITION = "Position"
"""The tag of a match that does not begin at the start of its game."""


@dataclass(frozen=True, slots=True)
class Ending:
    """An end that no move makes: the seat resigned, forfeited (by answering `text`) or ran out of time."""

    reason: Reason
    seat: Seat
    text: str = ""

    def __post_init__(self) -> None:
        """Refuse what a record could not hold in one line."""
        if self.reason not in _ENDING_WORDS or type(self.seat) is not Seat:
            raise BadValueError(f"An ending is a reason out of {', '.join(_ENDING_WORDS)}, and the Seat that loses.")
        if type(self.text) is not str or self.text != printable(self.text[: limits.LINE_CHARACTERS]):
            raise BadValueError(f"The answer that forfeits is at most {limits.LINE_CHARACTERS} printable characters.")
        if self.text and self.reason is not Reason.FORFEIT:
            raise BadValueError("Only a forfeit has an answer that caused it.")

    @property
    def outcome(self) -> Outcome:
        """The other seat wins."""
        return Outcome(self.seat.other, self.reason)


@dataclass(frozen=True, slots=True)
class Record:
    """A record as read: its rules, its moves (all legal), its ending, and all other tags unread."""

    rules: Rules
    moves: tuple[Move, ...]
    ending: Ending | None
    tags: Tags
    start: Position | None = None
    """Where the match begins; None is the start of its game."""


def format_ending(ending: Ending) -> str:
    """Return the ending as it stands after the moves."""
    text = f":{quote(ending.text)}" if ending.reason is Reason.FORFEIT else ""
    return f"{_ENDING_WORDS[ending.reason]}:{ending.seat.value}{text}"


def parse_ending(token: str) -> Ending | None:
    """Return the ending a token writes, None if the token is something else."""
    found = _ENDING.fullmatch(token)
    if found is None or (found[3] is not None) != (found[1] == "forfeit"):
        return None
    try:
        return Ending(_ENDINGS[found[1]], Seat(int(found[2])), unquote(found[3] or ""))
    except BadValueError:
        return None


def format_record(tags: Mapping[str, str], rules: Rules, moves: Iterable[Move], ending: Ending | None) -> str:
    """Return the text of a record."""
    tokens: list[str] = []
    for at, move in enumerate(moves):
        text = format_move(move, rules.operations)
        tokens.append(text if at % 2 else f"{at // 2 + 1}. {text}")
    if ending is not None:
        tokens.append(format_ending(ending))
    lines = [""]
    for token in tokens:
        if lines[-1] and len(lines[-1]) + 1 + len(token) > _WRAP:
            lines.append("")
        lines[-1] += f" {token}" if lines[-1] else token
    return f"{format_tags(tags)}\n" + "\n".join(lines) + "\n"


def parse_record(text: str) -> Record:
    r"""Return the record that `text` writes, its moves replayed and found legal.

    >>> parse_record('[Game "sum31"]\n\n1. +5 +6 2. +9').moves[-1].number
    9
    """
    tags, body = parse_tags(text)
    rules = rules_from_tags(tags)
    moves: list[Move] = []
    start = _start(tags[POSITION], rules) if POSITION in tags else None
    position = start_position(rules) if start is None else start
    ending: Ending | None = None
    for token in _tokens(body, moves):
        if ending is not None:
            raise RecordError(f"'{shorten(token)}' stands after the end of the match.")
        ending = parse_ending(token)
        if ending is None:
            move, position = play_numbered(position, token, len(moves) + 1)
            moves.append(move)
    return Record(rules, tuple(moves), ending, tags, start)


def _start(text: str, rules: Rules) -> Position:
    try:
        return parse_position(text, rules)
    except ZerosumError as error:
        raise RecordError(f"The tag {POSITION} cannot be '{shorten(text)}'. {error}") from None


def _tokens(body: str, moves: list[Move]) -> Iterable[str]:
    """Yield the tokens of the moves without their numbers; a number that is given must be right."""
    for token in _TOKEN.findall(body):
        found = _NUMBERED.fullmatch(token)
        if found is None:
            yield token
            continue
        if int(found[1]) != len(moves) // 2 + 1 or len(moves) % 2:
            raise RecordError(f"'{found[1]}.' is out of order after {len(moves)} moves.")
        if found[2]:
            yield found[2]
