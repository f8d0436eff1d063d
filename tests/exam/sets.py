"""Sets of items that several tests use, drawn once."""

from __future__ import annotations

from functools import cache

from zerosum.exam.draw_items import make_items
from zerosum.exam.items import Item, ItemSet, Options
from zerosum.players import pick
from zerosum.players.policies import chances
from zerosum.rules.game_files import GAME_IDS, built_in
from zerosum.rules.moves import Move
from zerosum.solver import solution_of


@cache
def drawn(
    games: str = "sum31,zero-sum-duel",
    count: int = 12,
    fresh: int = 1,
    reskin: int = 2,
    seed: str = "1",
    *,
    difficulty: int | None = None,
) -> ItemSet:
    names = GAME_IDS if games == "all" else games.split(",")
    return make_items(Options(tuple(map(built_in, names)), count, fresh, reskin, seed, difficulty), seed)


def chosen(item: Item, who: str, seed: str = "") -> Move:
    """Return the move that a player of ours makes, in the item's origin."""
    return pick(chances(who, item.position, solution_of(item.origin)), f"{seed}{item.id}")


def answer(item: Item, who: str, seed: str = "") -> str:
    return f"Let me think.\nMOVE: {item.text_of(chosen(item, who, seed))}"
