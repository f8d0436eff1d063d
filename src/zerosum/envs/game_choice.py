"""Which game an environment plays: the id of a built-in game, a rules file, or rules at hand."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from json import dumps, loads
from typing import Any

from zerosum.base import limits
from zerosum.base.errors import BadValueError, RulesError
from zerosum.rules.files import load_game
from zerosum.rules.model import Rules
from zerosum.rules.rules_dict import rules_from_dict, rules_to_dict

Game = str | Rules | Mapping[str, Any]
"""A built-in id or the path of a rules file, rules, or the table of keys and values that a rules file holds."""


def rules_of(game: Game) -> Rules:
    """Return the rules of a game, however it is given.

    >>> rules_of({"format": 1, "id": "mine", "name": "Mine", "pool": [1, 2, 3], "target": 4}).target
    4
    """
    if isinstance(game, Rules):
        return game
    if isinstance(game, str):
        return load_game(game)
    if isinstance(game, Mapping):
        return rules_from_dict(dict(game))
    raise BadValueError("A game is the id of a built-in one, the path of a rules file, Rules, or their table.")


def to_base64(rules: Rules) -> str:
    """Return rules as the text of OpenSpiel's parameter `rules`: base64url of their JSON, unpadded.

    >>> rules = load_game("sum31")
    >>> from_base64(to_base64(rules)) == rules
    True
    """
    return urlsafe_b64encode(dumps(rules_to_dict(rules)).encode()).decode().rstrip("=")


def from_base64(text: str) -> Rules:
    """Return the rules that `to_base64` wrote."""
    if len(text) > 2 * limits.RULES_FILE_BYTES:
        raise RulesError(f"rules: larger than {limits.RULES_FILE_BYTES // 1024} KiB.")
    try:
        table = loads(urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except (ValueError, RecursionError):
        raise RulesError(
            "rules: not base64url of a JSON object; zerosum.envs.game_choice.to_base64 writes it."
        ) from None
    if not isinstance(table, dict):
        raise RulesError("rules: the JSON is no object.")
    return rules_from_dict(table)
