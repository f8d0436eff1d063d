"""A search against brute force, against itself after an interruption, and from the store."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.full import first
from tests.lab.inline import inline
from zerosum.base.errors import RulesError
from zerosum.lab.audit import audit
from zerosum.lab.batches import Row
from zerosum.lab.goals import Stage, load_goal, score
from zerosum.lab.metrics import metrics
from zerosum.lab.search import Request, SearchResult, finish, search, search_json
from zerosum.lab.spaces import read_space
from zerosum.lab.store import open_store
from zerosum.rules.game_files import built_in
from zerosum.rules.model import Overshoot, Reaching, Rules
from zerosum.solver.fingerprint import fingerprint

SPACE = """
format = 1
name = "Small pools"
like = "sum31"
[vary]
n = "4..6"
pool = "1..n"
target = "n+2..n*(n+1)/2+1"
reaching = ["wins", "loses"]
overshoot = ["loses", "play-on"]
"""
GOAL = """
format = 1
[goal]
"value.plies" = { min = 4, max = 6 }
"openings.share" = { min = 0.2, max = 0.8 }
"first.level:2" = { min = 0.3, max = 0.7 }
"audit.dead" = { max = 0 }
[score]
"density.level:5" = 1
"balance.level:5" = 0.5
"""
FREE = """
format = 1
like = "sum31"
[vary]
pool = { free = { numbers = "1..9", size = [4, 6], repeats = 2 } }
target = "9..24"
reaching = ["wins", "loses"]
"""


def request(folder: Path, space: str = SPACE, goal: str = GOAL, **more: Any) -> Request:
    (folder / "space.toml").write_text(space, encoding="utf-8")
    (folder / "goal.toml").write_text(goal, encoding="utf-8")
    return Request(read_space(str(folder / "space.toml")), load_goal(str(folder / "goal.toml")), **more)


def run(asked: Request, home: Path) -> SearchResult:
    with open_store(home) as store:
        result = search(asked, store, inline)
        finish(asked, store)
    return result


def answer(result: SearchResult) -> dict[str, Any]:
    return {**search_json(result), "seconds": 0}


def _every_game() -> Iterator[Rules]:
    base = built_in("sum31")
    for n in (4, 5, 6):
        for target in range(n + 2, n * (n + 1) // 2 + 2):
            for reaching in Reaching:
                for overshoot in Overshoot:
                    yield replace(
                        base, pool=tuple(range(1, n + 1)), target=target, reaching=reaching, overshoot=overshoot
                    )


def _is_good(rules: Rules, document: dict[str, Any]) -> bool:
    return (
        4 <= document["value"]["plies"] <= 6
        and 0.2 <= document["openings"]["winning"] / document["openings"]["count"] <= 0.8
        and 0.3 <= document["first"]["level:2"] <= 0.7
        and audit(rules).counts["dead"] == 0
    )


def _twin(rules: Rules) -> str:
    """Return what misère twins share, by the theorem: (T, reaching wins) and (T + 1, reaching loses)."""
    if rules.overshoot is Overshoot.LOSES and rules.reaching is Reaching.LOSES and sum(rules.pool) > rules.target - 1:
        return fingerprint(replace(rules, target=rules.target - 1, reaching=Reaching.WINS))
    return fingerprint(rules)


def _brute_force() -> dict[str, dict[str, Any]]:
    """Return the document of every game that meets the goal, of twins the one with the better score."""
    best: dict[str, tuple[float, str, dict[str, Any]]] = {}
    for rules in _every_game():
        document: dict[str, Any] = {**metrics(rules)}
        if _is_good(rules, document):
            points = document["density"]["level:5"] + 0.5 * document["balance"]["level:5"]
            one = (-round(points, 12), fingerprint(rules), document)
            best[_twin(rules)] = min(best.get(_twin(rules), one), one, key=lambda each: each[:2])
    return {name: document for _, name, document in best.values()}


def test_a_small_space_gives_exactly_what_brute_force_gives(tmp_path: Path) -> None:
    asked = request(tmp_path, count=4)
    result = run(asked, tmp_path)
    expected = _brute_force()
    assert len(expected) > 5
    assert {find.fingerprint for find in result.finds} == set(expected)
    assert result.good == len(expected)
    assert result.games == len({fingerprint(rules) for rules in _every_game()})
    assert result.solved + result.funnel["arithmetic"] == result.games
    assert result.complete
    for find in result.finds:
        document = expected[find.fingerprint]
        assert find.score == pytest.approx(document["density"]["level:5"] + 0.5 * document["balance"]["level:5"])
        four = _four(document)
        beaten = [other for other in map(_four, expected.values()) if other != four and _at_least(other, four)]
        assert find.front is (not beaten)
    assert sum(find.pick is not None for find in result.finds) == 4


def _four(document: dict[str, Any]) -> tuple[float, ...]:
    worst = min(document["balance"][who] for who in ("random", "level:2", "level:5"))
    return (worst, document["density"]["level:5"], document["behind"]["level:5"], -document["early"]["level:2"])


def _at_least(one: Sequence[float], other: Sequence[float]) -> bool:
    return all(mine >= yours for mine, yours in zip(one, other, strict=True))


def test_the_finds_are_rules_that_can_be_read(tmp_path: Path) -> None:
    result = run(request(tmp_path), tmp_path)
    names = [find.rules.id for find in result.finds]
    assert len(set(names)) == len(names)
    for find in result.finds:
        assert fingerprint(find.rules) == find.fingerprint


def test_a_second_run_solves_nothing(tmp_path: Path) -> None:
    asked = request(tmp_path)
    first = run(asked, tmp_path)
    with open_store(tmp_path) as store:
        second = search(asked, store, _nobody)
    assert (second.solved, second.from_store) == (0, first.solved)
    assert answer(second)["finds"] == answer(first)["finds"]


def _nobody(job: str, tasks: Sequence[str], patience: float | None = None) -> Iterator[Row]:  # noqa: ARG001
    assert not tasks
    return iter(())


def test_another_goal_uses_what_is_known(tmp_path: Path) -> None:
    run(request(tmp_path), tmp_path)
    wider = request(tmp_path, goal=GOAL.replace("min = 0.3, max = 0.7", "min = 0.2, max = 0.8"))
    assert run(wider, tmp_path).solved < 10


@pytest.mark.slow
def test_fresh_computes_everything_anew(tmp_path: Path) -> None:
    first = run(request(tmp_path), tmp_path)
    again = run(request(tmp_path, fresh=True), tmp_path)
    assert (again.solved, again.from_store) == (first.solved, 0)
    assert answer(again)["finds"] == answer(first)["finds"]


class _StoppedError(Exception):
    pass


def _stopping(after: int) -> Any:
    """Return work that stops for good after so many rows."""
    rows = iter(range(after))

    def work(job: str, tasks: Sequence[str], patience: float | None = None) -> Iterator[Row]:
        for row in inline(job, tasks, patience):
            if next(rows, None) is None:
                raise _StoppedError
            yield row

    return work


@pytest.mark.parametrize(("samples", "after"), first(2, [(None, 35), (75, 1), (None, 1), (75, 35)]))
@pytest.mark.slow
def test_a_run_that_was_stopped_goes_on_to_the_same_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, samples: int | None, after: int
) -> None:
    monkeypatch.setattr("zerosum.lab.search.GENERATION", 25)
    monkeypatch.setattr("zerosum.lab.filters._KEPT_AFTER", 0.02)
    asked = request(tmp_path, FREE if samples else SPACE, samples=samples)
    whole = answer(run(asked, tmp_path / "whole"))
    with open_store(tmp_path / "stopped") as store, pytest.raises(_StoppedError):
        search(asked, store, _stopping(after))
    assert json.dumps(answer(run(asked, tmp_path / "stopped"))) == json.dumps(whole)


@pytest.mark.slow
def test_a_seed_fixes_the_samples_and_another_gives_others(tmp_path: Path) -> None:
    one = run(request(tmp_path, FREE, samples=60, seed=5), tmp_path / "a")
    same = run(request(tmp_path, FREE, samples=60, seed=5), tmp_path / "b")
    other = run(request(tmp_path, FREE, samples=60, seed=6), tmp_path / "c")
    assert answer(one) == answer(same)
    assert answer(one)["funnel"] != answer(other)["funnel"]
    assert not one.complete


@pytest.mark.slow
def test_what_is_skipped_is_counted_named_and_skipped_again(tmp_path: Path) -> None:
    space = SPACE.replace('overshoot = ["loses", "play-on"]', "")

    def impatient(job: str, tasks: Sequence[str], patience: float | None = None) -> Iterator[Row]:
        for at, row in inline(job, tasks, patience):
            looked_at_first = f'"through": {Stage.SOLVE:d}' in tasks[at]
            yield at, '{"skipped": "it took longer than 1 s"}' if looked_at_first and at % 10 == 3 else row

    asked = request(tmp_path, space, patience=1.0)
    with open_store(tmp_path) as store:
        result = search(asked, store, impatient)
        finish(asked, store)
    assert len(result.skipped) == result.funnel["skipped"] > 2
    assert not result.complete
    again = run(asked, tmp_path)
    assert (again.solved, len(again.skipped)) == (0, len(result.skipped))
    patient = run(request(tmp_path, space, patience=2.0), tmp_path)
    assert (patient.solved, patient.skipped) == (len(result.skipped), ())


@pytest.mark.slow
def test_a_goal_that_wants_full_metrics(tmp_path: Path) -> None:
    goal = 'format = 1\n[goal]\n"first.level:7" = { max = 0.5 }\n[score]\n"balance.level:7" = 1\n'
    result = run(request(tmp_path, SPACE, goal), tmp_path)
    expected = {fingerprint(rules) for rules in _every_game() if metrics(rules)["first"]["level:7"] <= 0.5}
    twins = {_twin(rules) for rules in _every_game() if fingerprint(rules) in expected}
    assert {find.fingerprint for find in result.finds} <= expected
    assert result.good == len(twins)
    assert result.funnel["even"] == result.games - len(expected)


def test_scores_are_those_of_the_goal(tmp_path: Path) -> None:
    result = run(request(tmp_path), tmp_path)
    for find in result.finds:
        assert find.score == score(result.request.goal, find.document)


def test_rules_that_contradict_themselves_are_left_out(tmp_path: Path) -> None:
    space = 'format = 1\nlike = "sum31"\n[vary]\ntarget = "0..9"\n'
    result = run(request(tmp_path, space), tmp_path)
    assert (result.size, result.games, result.funnel["invalid"]) == (10, 9, 1)
    with pytest.raises(RulesError):
        replace(built_in("sum31"), target=0)


@pytest.mark.slow
def test_what_another_run_left_in_the_store_changes_no_byte(tmp_path: Path) -> None:
    full = 'format = 1\n[goal]\n"skill.depth" = { min = 0 }\n'
    alone = answer(run(request(tmp_path), tmp_path / "alone"))
    run(request(tmp_path, goal=full), tmp_path / "shared")  # keeps the full metrics of every game
    after = answer(run(request(tmp_path), tmp_path / "shared"))
    assert json.dumps(after["finds"]) == json.dumps(alone["finds"])
    assert after["solved"] == 0 or after["solved"] < alone["solved"]
