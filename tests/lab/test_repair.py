"""Repairs against brute force over the documented edits, and their words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.lab.inline import inline, misses
from tests.lab.plain_edits import cheapest
from zerosum.lab.audit import audit
from zerosum.lab.goals import Goal, load_goal
from zerosum.lab.metrics import metrics
from zerosum.lab.repair import Repairs, repair, repair_json
from zerosum.lab.store import open_store
from zerosum.rules.game_files import built_in
from zerosum.rules.model import Overshoot, Rules

EASY = 'format = 1\n[goal]\n"value.plies" = { min = 4 }\n"openings.share" = { min = 0.3, max = 0.6 }\n'
HARD = EASY + '"audit.dead" = { max = 0 }\n"first.level:2" = { min = 0.45, max = 0.55 }\n'
NEVER = HARD + '"value.winner" = { in = [3] }\n'
GAME = Rules(id="small", name="Small", pool=(1, 2, 3, 4), target=9, overshoot=Overshoot.LOSES)


def _repairs(folder: Path, goal: str, cost: int, count: int = 3, game: Rules = GAME) -> Repairs:
    (folder / "goal.toml").write_text(goal, encoding="utf-8")
    with open_store(folder) as store:
        return repair(game, load_goal(str(folder / "goal.toml")), cost, count, store=store, evaluate=inline)


def _document(rules: Rules, goal: Goal) -> dict[str, Any]:
    document: dict[str, Any] = {**metrics(rules)}
    return {**document, "audit": audit(rules).counts} if any("audit" in one.path for one in goal.bounds) else document


@pytest.mark.slow
@pytest.mark.parametrize("goal", [EASY, HARD], ids=["easy", "hard"])
def test_brute_force_finds_nothing_cheaper(tmp_path: Path, goal: str) -> None:
    found = _repairs(tmp_path, goal, cost=2, count=1_000)
    good = {
        name: cost
        for name, (cost, rules) in cheapest(GAME, 2).items()
        if not misses(found.goal, _document(rules, found.goal))
    }
    assert good
    assert {one.edited.fingerprint: one.edited.cost for one in found.found} == good
    assert found.tried == len(cheapest(GAME, 2))
    assert [one.edited.cost for one in found.found] == sorted(good.values())


def test_a_cost_is_finished_before_it_stops(tmp_path: Path) -> None:
    one = _repairs(tmp_path, EASY, cost=3, count=1)
    many = _repairs(tmp_path, EASY, cost=1, count=1_000)
    assert (one.cost, one.tried) == (many.cost, many.tried)
    assert one.found == many.found[:1]


@pytest.mark.slow
def test_the_nearest_three_miss_the_fewest_lines(tmp_path: Path) -> None:
    repairs = _repairs(tmp_path, NEVER, cost=1)
    assert repairs.found == ()
    every = []
    for name, (cost, rules) in cheapest(GAME, 1).items():
        document = _document(rules, repairs.goal)
        far = sum(bound.distance(document) for bound in repairs.goal.bounds)
        every.append((len(misses(repairs.goal, document)), round(far, 12), cost, name))
    assert [(len(one.fails), one.edited.fingerprint) for one in repairs.nearest] == [
        (fails, name) for fails, _, _, name in sorted(every)[:3]
    ]
    for one in repairs.nearest:
        assert "value.winner" in one.fails


def test_sum31_needs_only_another_target(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        repairs = repair(built_in("sum31"), load_goal("open"), 1, 1, store=store, evaluate=inline)
    document = repair_json(repairs)
    best = document["found"][0]
    assert best["changes"] == [{"key": "target", "from": 31, "to": 32}]
    assert best["words"].startswith(
        "Change the target from 31 to 32: then 3 of 9 openings win, the first player wins in 7, "
    )
    assert best["words"].endswith(" %, and it is even up to level 5.")
    assert (best["cost"], best["fails"], best["rules"]["target"]) == (1, [], 32)


@pytest.mark.parametrize("target", [9, 31, 32])
def test_it_is_known_whether_the_game_meets_the_goal_as_it_is(tmp_path: Path, target: int) -> None:
    game = replace(built_in("sum31"), target=target)
    repairs = _repairs(tmp_path, EASY, cost=1, count=1, game=game)
    assert repairs.meets is (not misses(repairs.goal, _document(game, repairs.goal)))
