"""Forty rules files with one fault each, and what becomes of each file without it."""

from __future__ import annotations

from typing import Any, NamedTuple

Keys = dict[str, Any]


class Planted(NamedTuple):
    """A game, what is changed in it, and the finding that the change makes."""

    kind: str
    severity: str
    sound: Keys
    fault: Keys


def _game(**keys: object) -> Keys:
    return {"format": 1, "id": "planted", "name": "Planted"} | {key.replace("_", "-"): v for key, v in keys.items()}


SUM = _game(pool=[1, 2, 3, 4, 5, 6, 7], target=19, overshoot="loses", exhausted="last-mover")
TURNS = _game(pool=[1, 2, 3, 4, 5, 6, 7], target=9, start=2, exhausted="last-mover")
BOTH = _game(pool=[1, 2, 3, 4, 5, 7], operations=["add", "subtract"], target=2, exhausted="last-mover")
OWN = _game(pool=[1, 2, 3, 4, 5, 7], totals="own", target=7, exhausted="closest", tie="second-mover")
SIGNED = OWN | {"operations": ["add", "subtract"], "target": 4}
SUDDEN = OWN | {"tie": "sudden-death", "pool": [-3, -1, 1, 2, 3], "start": [2, -2], "target": 0}
BANNED = _game(pool=[-3, -2, 1, 2, 3, 4], target=4, ban="mirror", exhausted="last-mover")
SWAPPED = SUM | {"swap": True, "target": 14}


def _example(sound: Keys, wrong: Keys, base: Keys) -> tuple[Keys, Keys]:
    return base | {"examples": [{"name": "One"} | sound]}, {"examples": [{"name": "One"} | wrong]}


def _examples() -> list[Planted]:
    moves = ["+5", "+6", "+3", "+4", "+1"]
    line: Keys = {"moves": moves, "totals": [5, 11, 14, 18, 19]}
    won = line | {"winner": 1, "reason": "reached-target"}
    own = {"moves": ["+5", "+4"], "totals": [5, 4]}
    pools = {"moves": ["+5", "+6"], "pools": [[1, 2, 3, 4, 6, 7], [1, 2, 3, 4, 7]]}
    mirror = {"moves": ["+3", "+2"]}
    ends = {"final": [11, 11], "reason": "tie-rule", "winner": 2}
    rows: list[tuple[str, Keys, Keys, Keys]] = [
        ("example-illegal", SUM, line, {"moves": ["+5", "+6", "+5"]}),
        ("example-illegal", SUM, line, {"moves": ["+5", "+8"]}),
        ("example-illegal", SUM, won, {"moves": [*moves, "+2"]}),
        ("example-illegal", BANNED, mirror, {"moves": ["+3", "-3"]}),
        ("example-illegal", SUM, line, {"moves": ["+5", "swap"]}),
        ("example-illegal", SUM, line, won | {"expect": "illegal"}),
        ("example-illegal", SUM, line, line | {"from": "1,2 5 1"}),
        ("example-total", SUM, line, line | {"totals": [5, 11, 15, 18, 19]}),
        ("example-total", OWN, own, {"moves": ["+5", "+4"], "totals": [5, 9]}),
        ("example-total", OWN, own, {"moves": ["+5", "+4"], "totals": [[5, 0], [4, 5]]}),
        ("example-pool", SUM, pools, {"moves": ["+5", "+6"], "pools": [[1, 2, 3, 4, 6, 7], [1, 2, 3, 4]]}),
        ("example-pool", SUM, pools, {"moves": ["+5", "+6"], "pools": [[1, 2, 3, 4, 5, 6, 7], [1, 2, 3, 4, 7]]}),
        ("example-outcome", SUM, won, won | {"winner": 2}),
        ("example-outcome", SUM, won, won | {"reason": "overshot"}),
        ("example-outcome", SUM, line, {"moves": ["+5"], "winner": 1}),
        ("example-impossible", OWN, ends, ends | {"final": [11, 12]}),
        ("example-impossible", OWN, ends, {"final": [7, 7]}),
        ("example-impossible", SUM, won, {"reason": "last-mover"}),
        ("example-impossible", TURNS, {"final": 9}, {"final": 8}),
        ("example-impossible", SUM, {"final": 19}, {"final": 19, "reason": "closer"}),
        ("example-impossible", TURNS, {"reason": "last-mover", "winner": 1}, {"reason": "last-mover", "winner": 2}),
    ]
    return [Planted(kind, "error", *_example(sound, wrong, base)) for kind, base, sound, wrong in rows]


FAULTS = [
    *_examples(),
    Planted("dead-ending", "dead", TURNS, {"target": 30}),
    Planted("dead-ending", "dead", SUDDEN, {"pool": [-3, -2, -1, 1, 2, 3]}),
    Planted("dead-ending", "dead", OWN, {"target": 11, "start": 0}),
    Planted("dead-ending", "dead", TURNS | {"overshoot": "loses"}, {"target": 30}),
    Planted("dead-tie", "dead", OWN, {"start": [0, 1]}),
    Planted("dead-tie", "dead", SIGNED, {"start": [0, 1]}),
    Planted("dead-tie", "dead", SUDDEN, {"start": [2, -1]}),
    Planted("unreachable-target", "dead", TURNS | {"pool": [2, 4, 6, 8, 3]}, {"pool": [2, 4, 6, 8]}),
    Planted("unreachable-target", "dead", OWN, {"target": 40}),
    Planted("unreachable-target", "dead", BOTH, {"target": 500}),
    Planted("dead-ban", "dead", BANNED, {"pool": [1, 2, 3, 4, 5, 6]}),
    Planted("dead-ban", "dead", BOTH | {"ban": "mirror", "pool": [1, 2, 2, 3, 5]}, {"pool": [1, 2, 4, 3, 5]}),
    Planted("swap-never", "decided", SWAPPED, {"pool": [1, 2, 3, 4, 5, 6, 7, 8, 9], "target": 31}),
    Planted("decided-at-once", "decided", SUM, {"target": 6}),
    Planted("decided-openings", "decided", SUM, {"target": 16}),
    Planted("parity-only", "decided", TURNS, {"reaching": "loses", "target": 31}),
    Planted("never-ends", "warning", SUDDEN, {"pool": [7, 7], "start": 0, "target": 5}),
    Planted("useless-number", "dead", SUM, {"pool": [1, 2, 3, 4, 5, 6, 7, 99]}),
    Planted("useless-number", "warning", TURNS, {"target": 500}),
    Planted("seat", "warning", SUM | {"pool": [1, 2, 3, 4, 5, 6, 7, 8, 9], "target": 31}, {"target": 7}),
    Planted("early", "warning", SUM, {"target": 8}),
    Planted("short", "warning", SUM, {"target": 6}),
    Planted("same-as", "warning", SUM, {"pool": [-9, -8, -7, -6, -5, -4, -3, -2, -1], "start": 31, "target": 0}),
]
