"""What a client is told about the tools beside their words: titles, the shapes of answers, and prompts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

BROKEN: Final = "\N{REPLACEMENT CHARACTER}"
"""What stands for a character that could not be read."""

TITLES: Final = {
    "games": "The games",
    "rules": "Rules of a game",
    "analyze": "Judge a position",
    "hint": "A hint",
    "review": "Review a match",
    "reply": "An opponent's move",
    "puzzle": "Puzzles",
    "check_rules": "Check a rules file",
    "solve": "Who wins",
    "audit": "What is wrong with a game",
    "metrics": "How even and rich a game is",
    "repair": "Make a better game",
    "measure": "How strong a player is",
    "card": "Strategy card",
    "lesson": "A course",
}

_TEXT: Final = {"type": "string"}
_NUMBER: Final = {"type": "number"}
_WHOLE: Final = {"type": "integer"}
_LIST: Final = {"type": "array"}
_OBJECT: Final = {"type": "object"}
_FLAG: Final = {"type": "boolean"}


def _or_null(kind: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"anyOf": [dict(kind), {"type": "null"}]}


_SEAT: Final = _or_null({"type": "integer", "enum": [1, 2]})
_VERDICT: Final = _or_null({"type": "string", "enum": ["win", "loss", "draw"]})
_RULES: Final = {"game": _TEXT, "name": _TEXT, "idea": _TEXT, "words": _LIST, "rules": _OBJECT}
_PUZZLES: Final = {"puzzles": {"type": "array", "items": _OBJECT}}
_AT: Final = {"game": _TEXT, "moves": _LIST, "position": _TEXT, "to_move": _SEAT, "options": _LIST}
_MEMBERS: Final[Mapping[str, Mapping[str, Mapping[str, Any]]]] = {
    "games": {"games": {"type": "array", "items": _OBJECT}},
    "rules": _RULES,
    "check_rules": _RULES,
    "analyze": {**_AT, "outcome": _or_null(_OBJECT)},
    "hint": {"game": _TEXT, "position": _TEXT, "step": _WHOLE, "sentences": _LIST},
    "review": {"game": _TEXT, "moves": _LIST, "blunders": _OBJECT, "accuracy": _OBJECT, "outcome": _or_null(_OBJECT)},
    "reply": {
        "game": _TEXT,
        "who": _TEXT,
        "seed": _TEXT,
        "position": _TEXT,
        "move": _TEXT,
        "after": _TEXT,
        "to_move": _SEAT,
        "outcome": _or_null(_OBJECT),
    },
    "puzzle": _PUZZLES,
    "solve": {
        "game": _TEXT,
        "winner": _SEAT,
        "plies": _or_null(_WHOLE),
        "winning_openings": _LIST,
        "openings": _LIST,
        "positions": _or_null(_WHOLE),
        "law": _or_null(_OBJECT),
        "seconds": _NUMBER,
    },
    "audit": {"game": _TEXT, "findings": _LIST, "solved": _FLAG},
    "metrics": {"games": {"type": "array", "items": _OBJECT}},
    "repair": {
        "game": _TEXT,
        "goal": _TEXT,
        "meets": _FLAG,
        "cost": _WHOLE,
        "tried": _WHOLE,
        "found": _LIST,
        "nearest": _LIST,
    },
    "measure": {"policy": _TEXT, "game": _TEXT, "against": _LIST, "exploitability": _or_null(_NUMBER)},
    "card": {"game": _TEXT, "rules": _LIST, "proved": _FLAG},
    "lesson": {"game": _TEXT, "steps": _LIST},
}
"""The members that every answer of a tool has; `analyze` has a verdict too, except in an examination."""
_SOMETIMES: Final[Mapping[str, Mapping[str, Any]]] = {"analyze": {"verdict": _VERDICT, "plies": _or_null(_WHOLE)}}
OUTPUTS: Final = {
    name: {
        "type": "object",
        "title": TITLES[name],
        "properties": {"schema": {"type": "integer", "const": 1}, **members, **_SOMETIMES.get(name, {})},
        "required": ["schema", *members],
    }
    for name, members in _MEMBERS.items()
}
"""The JSON Schema of each tool's answer."""

_PLAY: Final = (
    "Play {game} with me. Ask which level you should play at and who begins. Call rules and tell me the rules in a few "
    "words, choose your moves with reply, and show me the position after each move. If I ask for a hint, call hint, "
    "with step 1 first."
)
_LEARN: Final = (
    "Teach me {game}. Call lesson and go through its steps one by one: one idea, then its exercises; wait for my "
    "answer to each before you tell me the solution. Check every claim of yours with analyze."
)
_DESIGN: Final = (
    "Help me to make a better game of {game}. Call audit and metrics, tell me in a few words what is wrong, call "
    "repair for the smallest changes, and let me choose. Write the rules file of the one that I choose, and check it "
    "with check_rules."
)
PROMPTS: Final = {
    "play": ("Play a match", "Play a number duel with the assistant.", _PLAY),
    "learn": ("Learn a game", "A lesson on a number duel, one idea at a time.", _LEARN),
    "design": ("Design a game", "Change a number duel until it is a good game.", _DESIGN),
}
"""Prompts that a client may offer, by name: title, words, and text with the game in it."""
