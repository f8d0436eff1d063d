"""Rules as the text of a rules file: what `load_text` reads back."""

from __future__ import annotations

import json
import tomllib

from zerosum.rules.examples import examples_table
from zerosum.rules.files import GAME_IDS, built_in
from zerosum.rules.model import Rules
from zerosum.rules.schema import RulesDict, rules_to_dict

_OWN = ("id", "name")
"""What a variant never takes from the game it is like."""


def write_rules(rules: Rules, like: str = "") -> str:
    r"""Return rules as TOML: every key, or beside a built-in game only what differs from it.

    >>> from zerosum.rules.files import load_text
    >>> text = 'like = "sum31"\nid = "sum21"\nname = "Sum21"\ntarget = 21\n'
    >>> write_rules(load_text(text), "sum31") == text
    True
    """
    table = rules_to_dict(rules)
    if like in GAME_IDS:
        base = rules_to_dict(built_in(like))
        changed = {key: value for key, value in table.items() if key in _OWN or base.get(key) != value}
        table = {"like": like, **changed}
    return "".join([_lines(table), *(f"\n[[examples]]\n{_lines(examples_table(one))}" for one in rules.examples)])


def _lines(table: RulesDict) -> str:
    return "".join(f"{key} = {_value(value)}\n" for key, value in table.items())


def like_of(text: str) -> str:
    """Return the built-in game that the text of a rules file, already checked, is like; nothing where it is not."""
    table: RulesDict = tomllib.loads(text)
    return str(table.get("like", ""))


def _value(value: object) -> str:
    # What a rules file holds is written the same in TOML and in JSON: names have no control characters.
    return json.dumps(value, ensure_ascii=False)
