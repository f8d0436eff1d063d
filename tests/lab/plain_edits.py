"""The edits of a repair, written again from their documentation, on tables of rules and without haste."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from zerosum.base.errors import RulesError
from zerosum.rules.model import Rules, rules_from_dict, rules_to_dict
from zerosum.solver.fingerprint import fingerprint

Table = dict[str, Any]
WORDS: dict[str, list[Any]] = {
    "reaching": ["wins", "loses"],
    "overshoot": ["play-on", "loses"],
    "exhausted": ["last-mover", "closest"],
    "tie": ["second-mover", "first-mover", "sudden-death"],
    "ban": ["none", "mirror"],
    "swap": [False, True],
    "operations": [["add"], ["add", "subtract"]],
    "totals": ["shared", "own"],
}


def cheapest(rules: Rules, most: int) -> dict[str, tuple[int, Rules]]:
    """Return every game that edits of at most this cost make, by fingerprint, with the least cost of making it."""
    start = rules_to_dict(rules)
    start["start"] = list(rules.start)
    found: dict[str, tuple[int, Rules]] = {}
    level: list[tuple[Table, frozenset[str], int]] = [(start, frozenset(), 0)]
    while level:
        after = []
        for table, touched, cost in level:
            game = _game(table)
            if game is not None and cost < found.get(fingerprint(game), (most + 1, game))[0]:
                found[fingerprint(game)] = cost, game
            for key, value, price in _edits(start, table, touched):
                if cost + price <= most:
                    after.append(({**table, key: value}, touched | ({key} if key != "pool" else set()), cost + price))
        level = list(
            {
                repr((sorted(table.items()), sorted(touched))): (table, touched, cost) for table, touched, cost in after
            }.values()
        )
    found.pop(fingerprint(rules))
    return found


def _edits(first: Table, table: Table, touched: frozenset[str]) -> Iterator[tuple[str, Any, int]]:
    """Yield single edits: each key once, the pool as often as wanted."""
    if "target" not in touched:
        yield from (("target", first["target"] + step, 1) for step in range(-12, 13) if step)
    if "start" not in touched:
        for step in range(-9, 10):
            if step:
                yield "start", [one + step for one in first["start"]], 1
        if len(first["start"]) == 2:
            for step in (-4, -3, -2, -1, 1, 2, 3, 4):
                yield "start", [first["start"][0] + step, first["start"][1]], 1
                yield "start", [first["start"][0], first["start"][1] + step], 1
    for key, words in WORDS.items():
        if key not in touched:
            yield from ((key, word, 1) for word in words if word != first.get(key))
    yield from _pools(first["pool"], table["pool"])


def _pools(first: list[int], pool: list[int]) -> Iterator[tuple[str, Any, int]]:
    for number in set(pool):
        less = list(pool)
        less.remove(number)
        yield "pool", less, 2
    for number in range(min(first) - 2, max(first) + 4):
        if number:
            yield "pool", sorted([*pool, number]), 2


def _game(table: Table) -> Rules | None:
    """Return the game of a table, None if it is none; a tie rule and a second start that nothing asks for go."""
    table = dict(table)
    if table["exhausted"] != "closest":
        table.pop("tie", None)
    if len(set(table["start"])) == 1:
        table["start"] = table["start"][0]
    try:
        return rules_from_dict(table)
    except RulesError:
        return None
