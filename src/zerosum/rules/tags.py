r"""Tags, the head of records and journals: `[Game "sum31"]`, one a line; `\"`, `\\` and `\n` are escapes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from zerosum.base.errors import InvalidTextError, RecordError
from zerosum.base.text import parse_number, shorten
from zerosum.rules.game_files import BUILT_IN_IDS, built_in
from zerosum.rules.model import Rules
from zerosum.rules.rules_dict import KEYS, rules_from_dict, rules_to_dict

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
