"""Two runs against each other: the figures by a plain second implementation, false alarms and power by simulation."""

from __future__ import annotations

import json
from math import isclose
from pathlib import Path
from random import Random
from statistics import NormalDist, fmean, pstdev

import pytest

from tests.cli.command import Zerosum
from tests.exam.sets import answer, drawn
from tests.full import part
from zerosum.arena.entrants.model_endpoint import ModelReply
from zerosum.exam.compare import Observation, compare, compared_json, difference_of, positions_needed
from zerosum.exam.exam_run import ExamPlan, ask_all, create_run
from zerosum.exam.items import ItemsError, ItemSet
from zerosum.exam.scoring import facts_of
from zerosum.exam.summary import ExamReport, report_of

SET = drawn("sum31,zero-sum-duel", 24, 1, 1, "5")


class Player:
    """An asker who plays like one of ours."""

    def __init__(self, found: ItemSet, who: str) -> None:
        self._items = {item.prompt(): item for item in found.items}
        self._who = who

    def ask(self, messages: object, call: object = None) -> ModelReply:
        del call
        return ModelReply(answer(self._items[messages[0]["content"]], self._who, self._who), cut=False)  # type: ignore[index]


def examined(folder: Path, who: str, found: ItemSet = SET) -> ExamReport:
    run = create_run(found, ExamPlan(found.sha256, "command", who), str(folder))
    assert ask_all(run, Player(found, who)) is None
    return report_of(run)


def test_the_figures_are_those_of_a_plain_bootstrap(tmp_path: Path) -> None:
    a, b = examined(tmp_path / "a", "level:7"), examined(tmp_path / "b", "level:2")
    found = compare(a, b)
    kept = [{row.item.id: row.grades[-1].kept for row in one.rows} for one in (a, b)]
    positions: dict[tuple[str, int], list[int]] = {}
    for item in SET.items:
        if facts_of(item).real:
            apart = kept[0][item.id] - kept[1][item.id]
            positions.setdefault((item.game, item.number), []).append(apart)
    apart_by_position = [fmean(one) for one in positions.values()]
    one = found.difference
    assert (one.positions, one.items) == (len(positions), sum(map(len, positions.values())))
    assert isclose(one.difference, fmean(apart_by_position))
    assert isclose(one.kept_a - one.kept_b, one.difference)
    widened = [*apart_by_position, 1.0, -1.0]
    assert isclose(one.spread, pstdev(apart_by_position))
    dice = Random(1)
    means = sorted(fmean(dice.choices(widened, k=len(widened))) for _ in range(4_000))
    assert abs(one.interval.low - means[100]) < 0.02
    assert abs(one.interval.high - means[-100]) < 0.02
    assert one.clear
    assert one.more_items == 0
    assert {game.game for game in found.games} == {"sum31", "zero-sum-duel"}
    told = compared_json(found)
    assert json.loads(json.dumps(told))["games"][0]["p_holm"] >= told["games"][0]["p"]  # type: ignore[index]
    swapped = compare(b, a)
    assert isclose(swapped.difference.difference, -one.difference)
    same = compare(a, a).difference
    assert (same.difference, same.clear, same.more_items) == (0.0, False, None)


def test_only_runs_of_the_same_items_are_compared(tmp_path: Path) -> None:
    other = drawn("sum31", 4, 0, 1)
    a, b = examined(tmp_path / "a", "level:3"), examined(tmp_path / "b", "level:3", other)
    with pytest.raises(ItemsError, match="different items"):
        compare(a, b)


def test_no_interval_contradicts_its_p_value(tmp_path: Path) -> None:
    for seed in range(part(6, 60)):
        found = drawn("sum31,summit,thin-ice", 6, 0, 1, f"c{seed}")
        a, b = (examined(tmp_path / f"{seed}{who}", who, found) for who in ("level:6", "level:3"))
        one = compare(a, b, 1_000)
        assert one.difference.clear == (one.difference.p_value <= 0.05)
        assert one.difference.interval.low <= one.difference.difference <= one.difference.interval.high
        for game in one.games:
            assert game.difference.clear == (game.adjusted <= 0.05 + 1e-9)


def drawn_observations(dice: Random, positions: int, shares: tuple[float, float], reskins: int) -> list[Observation]:
    """Return what two models keep; a position is easy or hard for both, so that its skins and they go together."""
    found = []
    for _ in range(positions):
        ease = dice.choice((-0.2, 0.2))
        kept = [fmean(dice.random() < share + ease for _ in range(1 + reskins)) for share in shares]
        found.append(Observation("game", 1 + reskins, *kept))
    return found


def alarms(dice: Random, positions: int, shares: tuple[float, float], reskins: int, times: int) -> float:
    return fmean(
        difference_of(drawn_observations(dice, positions, shares, reskins), f"{n}", 999).clear for n in range(times)
    )


@pytest.mark.parametrize(
    ("positions", "reskins"),
    [pytest.param(20, 0, marks=pytest.mark.full), (60, 1), pytest.param(200, 0, marks=pytest.mark.full)],
)
def test_two_models_alike_are_called_different_once_in_twenty(positions: int, reskins: int) -> None:
    times = part(200, 4_000)
    found = alarms(Random(f"{positions}/{reskins}"), positions, (0.55, 0.55), reskins, times)
    most = 0.05 + 3.3 * (0.05 * 0.95 / times) ** 0.5
    assert found <= most, found
    if times >= 4_000 and positions >= 60:
        assert found >= 0.03, "and not so seldom that it could show nothing"


@pytest.mark.parametrize(("share", "reskins"), [(0.15, 0), (0.2, 1)])
def test_as_many_positions_as_it_says_show_a_difference_four_times_out_of_five(share: float, reskins: int) -> None:
    dice = Random(f"{share}/{reskins}")
    shares = (0.5 + share / 2, 0.5 - share / 2)
    many = drawn_observations(dice, 20_000, shares, reskins)
    apart = [one.kept_a - one.kept_b for one in many]
    needed = positions_needed(share, pstdev(apart))
    plain = ((NormalDist().inv_cdf(0.975) + NormalDist().inv_cdf(0.8)) * pstdev(apart) / share) ** 2
    assert plain <= needed <= 1.3 * plain + 2, "the textbook, and some for the two more"
    times = part(150, 3_000)
    found = alarms(dice, needed, shares, reskins, times)
    assert abs(found - 0.8) <= 0.03 + 3.3 * (0.16 / times) ** 0.5, found


def test_what_more_items_would_decide_is_said(tmp_path: Path, zerosum: Zerosum) -> None:
    found = drawn("sum31", 8, 0, 1)
    for name, who in (("a", "level:4"), ("b", "level:3")):
        examined(tmp_path / name, who, found)
    ran = zerosum("exam", "compare", str(tmp_path / "a"), str(tmp_path / "b")).ok()
    told = zerosum("exam", "compare", str(tmp_path / "a"), str(tmp_path / "b"), "--json").ok().json()
    assert f"{100 * told['difference']:+.1f} points" in ran.out
    assert ("no clear difference" in ran.out) == (not told["clear"])
    if told["more_items"]:
        assert f"{told['more_items']:,} items more would show it" in ran.out
    assert (told["a"]["name"], told["b"]["name"]) == ("level:4", "level:3")
    missing = zerosum("exam", "compare", str(tmp_path / "a"), str(tmp_path / "nowhere"))
    assert missing.status == 1
