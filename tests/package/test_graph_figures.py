"""Figures of the graphs of games are what they were before all rooms shared one graph: see tools/make_graph_figures.py.

Integers, hashes and words are the same; numbers that are not whole differ relatively by at most 1e-11, or in the last
place to which they are rounded.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache
from math import isclose
from typing import Any

import pytest

from tests.full import FULL
from tools.make_graph_figures import KINDS, VARIANTS, figure, stored
from zerosum.rules.game_files import BUILT_IN_IDS
from zerosum.rules.model import rules_from_dict

RELATIVE = 1e-11
LAST_PLACE = {"chances": 1e-14, "scores": 1e-14, "metrics": 1e-12}
"""The last place to which a kind of figure is rounded, if it is."""
LARGE = ("sum-to-zero", "sequence-zero", "zero-sum-game")
LONG: dict[str, Collection[str]] = {
    "values": LARGE,
    "chances": LARGE,
    "metrics": LARGE,
    "responses": (*LARGE, "zero-sum-duel", "campfire"),
    "scores": LARGE,
    "environment": (),
}
"""The games whose figures of a kind take seconds; only `make full` computes them."""
EACH = 7
"""`make test` looks at each seventh variant; each eighth has sudden death."""


@cache
def figures() -> dict[str, dict[str, Any]]:
    return stored()


def looked_at(kind: str) -> list[str]:
    names = list(figures())
    if FULL:
        return names
    games = [name for name in names if name in BUILT_IN_IDS and name not in LONG[kind]]
    return games + [name for name in names if name not in BUILT_IN_IDS][::EACH]


def differences(then: object, now: object, last_place: float, path: str = "") -> Iterator[str]:
    """Yield where two documents differ; a later one may have more keys."""
    if isinstance(then, dict) and isinstance(now, dict):
        if then.keys() - now.keys():
            yield f"{path}: no {sorted(then.keys() - now.keys())}"
        for key in then.keys() & now.keys():
            yield from differences(then[key], now[key], last_place, f"{path}.{key}")
    elif isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        for at, (old, new) in enumerate(zip(then, now, strict=True)):
            yield from differences(old, new, last_place, f"{path}[{at}]")
    elif isinstance(then, float) and isinstance(now, float):
        if not isclose(then, now, rel_tol=RELATIVE, abs_tol=1.5 * last_place):
            yield f"{path}: {then!r} was, {now!r} is"
    elif type(then) is not type(now) or then != now:
        yield f"{path}: {then!r} was, {now!r} is"


def changed(kind: str, name: str) -> list[str]:
    """Return how a figure of a game has changed; what was refused then may be known now."""
    game = figures()[name]
    if game[kind] is None:
        return []
    now = figure(kind, rules_from_dict(game["rules"]))
    return [f"{name} {kind}{one}" for one in differences(game[kind], now, LAST_PLACE.get(kind, 0.0))]


@pytest.mark.parametrize("kind", KINDS)
def test_figures_are_what_they_were(kind: str) -> None:
    failures = [one for name in looked_at(kind) for one in changed(kind, name)]
    assert not failures, "\n".join(failures[:40])


def test_the_variants_are_of_every_kind() -> None:
    variants = [game["rules"] for name, game in figures().items() if name not in BUILT_IN_IDS]
    assert len(variants) == VARIANTS
    wanted = {
        "reaching": "loses",
        "overshoot": "loses",
        "ban": "mirror",
        "swap": True,
        "totals": "own",
        "operations": ["add", "subtract"],
    }
    for key, value in wanted.items():
        assert sum(rules[key] == value for rules in variants) >= 20, key
    for tie in ("first-mover", "second-mover", "sudden-death"):
        assert sum(rules.get("tie") == tie for rules in variants) >= 20, tie
    assert sum(min(rules["pool"]) < 0 for rules in variants) >= 20
    assert sum(len(set(rules["pool"])) < len(rules["pool"]) for rules in variants) >= 20


def test_most_figures_are_known() -> None:
    for kind in KINDS:
        assert sum(game[kind] is not None for game in figures().values()) >= 250, kind


def test_a_changed_figure_is_found() -> None:
    then = {"hash": "ab", "plies": 3, "first": [0.25, None]}
    assert not list(differences(then, {"hash": "ab", "plies": 3, "first": [0.25 + 1e-13, None]}, 0.0))
    for now in (
        {"hash": "ac", "plies": 3, "first": [0.25, None]},
        {"hash": "ab", "plies": 3.0, "first": [0.25, None]},
        {"hash": "ab", "plies": 3, "first": [0.25 + 1e-10, None]},
        {"hash": "ab", "plies": 3, "first": [0.25, 1]},
        {"hash": "ab", "plies": 3, "first": [0.25]},
        {"hash": "ab", "plies": 3},
    ):
        assert list(differences(then, now, 0.0)), now
