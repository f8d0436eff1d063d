"""The tools that a model may have in an exam: a referee who knows the rules and says nothing about good moves.

They are those of `zerosum mcp --no-answers` that concern one game, and that game is the item's own. A run without
tools and a run with them are two conditions of the same exam.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final

from zerosum.arena.entrants.model_endpoint import ToolCall
from zerosum.base.documents import Document
from zerosum.base.errors import BadValueError, ZerosumError
from zerosum.coach.analysis import play_on, refereed
from zerosum.exam import limits
from zerosum.exam.items import Item
from zerosum.rules.describe import describe
from zerosum.rules.notation import parse_position
from zerosum.rules.position import Position

NO_TOOLS: Final = "none"
REFEREE: Final = "referee"
CONDITIONS: Final = (NO_TOOLS, REFEREE)
"""The conditions of an exam by the tools that a model has."""


def answer_call(item: Item, call: ToolCall) -> str:
    """Return what the referee answers to a call, as JSON; what is wrong with a call is an answer too."""
    try:
        arguments = json.loads(call.arguments or "{}") or {}
        if call.name not in _TOOLS or not isinstance(arguments, dict):
            raise BadValueError(f"The tools are {', '.join(_TOOLS)}; each takes an object.")
        if not all(isinstance(argument, str) and len(argument) <= limits.TOOL_TEXT for argument in arguments.values()):
            raise BadValueError(f"Every argument is a text of at most {limits.TOOL_TEXT:,} characters.")
        return json.dumps(_TOOLS[call.name](item.shown.position, arguments))
    except ZerosumError as error:
        return json.dumps({"error": str(error)})
    except (ValueError, RecursionError):
        return json.dumps({"error": "The arguments are not JSON."})


def _start(position: Position, arguments: Mapping[str, str]) -> Position:
    text = arguments.get("position", "").strip()
    return parse_position(text, position.rules) if text else position


def _rules(position: Position, _arguments: Mapping[str, str]) -> Document:
    return {"game": position.rules.id, "name": position.rules.name, "words": describe(position.rules, typed=False)}


def _analyze(position: Position, arguments: Mapping[str, str]) -> Document:
    return refereed(_start(position, arguments), arguments.get("moves", "").split())


def _reply(position: Position, arguments: Mapping[str, str]) -> Document:
    at, _ = play_on(_start(position, arguments), arguments.get("moves", "").split())
    if at.outcome is not None:
        raise BadValueError("The match is over; nobody is to move.")
    move = Random(f"{arguments.get('seed', '')}/{at}").choice(at.legal_moves())
    return {**refereed(at, [at.text_of(move)]), "move": at.text_of(move)}


_TOOLS: Final[Mapping[str, Callable[[Position, Mapping[str, str]], Document]]] = {
    "rules": _rules,
    "analyze": _analyze,
    "reply": _reply,
}
_MOVES: Final = {"type": "string", "description": "Moves from there on, with signs: '+5 +6'. Empty: none."}
_POSITION: Final = {
    "type": "string",
    "description": "'POOL TOTALS SEAT' as in '1,2,3,4,7 28 1'. Empty: the question's.",
}
_SEED: Final = {"type": "string", "description": "Any text; the same seed gives the same move."}


def _tool(name: str, words: str, properties: Mapping[str, Any]) -> Mapping[str, object]:
    parameters = {"type": "object", "properties": properties, "additionalProperties": False}
    return {"type": "function", "function": {"name": name, "description": words, "parameters": parameters}}


REFEREE_TOOLS: Final = (
    _tool("rules", "Give the rules of the game in words.", {}),
    _tool(
        "analyze",
        "Say where moves lead: the position, who is to move, the legal moves, and who has won once it is over.",
        {"moves": _MOVES, "position": _POSITION},
    ),
    _tool(
        "reply",
        "Choose a legal move at random, as an opponent.",
        {"moves": _MOVES, "position": _POSITION, "seed": _SEED},
    ),
)
"""The tools as an endpoint gets them."""
