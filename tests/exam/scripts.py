"""Scripted models: what an endpoint would say who plays like one of ours, or like nobody."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.arena.entrants.fake_endpoint import Scripted
from tests.exam.sets import answer
from zerosum.arena.entrants.prompt import DEFAULT_STYLE, PromptStyle
from zerosum.exam.items import Item, ItemSet

Script = Callable[[dict[str, Any]], Scripted]


def asked(found: ItemSet, style: PromptStyle = DEFAULT_STYLE) -> dict[str, Item]:
    """Return the items by what is asked."""
    return {item.prompt(style): item for item in found.items}


def player(found: ItemSet, who: str, style: PromptStyle = DEFAULT_STYLE) -> Script:
    """Return a script that answers like one of our players."""
    items = asked(found, style)
    return lambda request: Scripted(answer(items[request["messages"][0]["content"]], who))
