"""Large games: solved where they fit, refused at once where they do not."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from tests import naive
from tests.full import FULL
from tests.solver.agreement import best_of, disagreements, plain
from tests.solver.random_tables import RulesDict
from zerosum.rules.game_files import GAME_IDS, load_game
from zerosum.rules.model import rules_from_dict
from zerosum.rules.position import Position, start_position
from zerosum.solver import Solution, SolverError, TooLargeError, Value, Verdict, solve
from zerosum.solver.choose_method import method_plans, quickest_plan
from zerosum.solver.graph_arrays import Graph
from zerosum.solver.graph_build import grow
from zerosum.solver.supports import Method

GAME: RulesDict = {"format": 1, "id": "large", "name": "Large Game", "target": 0}
OWN: RulesDict = {"totals": "own", "exhausted": "closest", "tie": "sudden-death"}
NAMES_ALL = re.compile(
    r"Large Game can have (.+) positions\. Solving it needs (.+) of memory; (.+) are allowed\. "
    r"Use a smaller pool or smaller numbers\."
)


@pytest.mark.parametrize(
    ("keys", "positions"),
    [
        ({"pool": list(range(1, 41))}, "about 1.1 trillion"),
        ({"pool": list(range(1, 65))}, "more than 1,000 trillion"),
        ({"pool": list(range(1, 31)), "ban": "mirror"}, None),
        ({"pool": list(range(1, 25)), "operations": ["add", "subtract"]}, None),
        ({"pool": [1_000_000 - n for n in range(20)], "totals": "own"}, None),
        ({"pool": [*range(-16, 0), *range(1, 17)]} | OWN, None),
        ({"pool": [999_999, 1_000_000, 999_998], "operations": ["add", "subtract"]} | OWN, None),
    ],
)
def test_a_game_beyond_the_memory_is_refused_at_once(keys: RulesDict, positions: str | None) -> None:
    rules = rules_from_dict(GAME | keys)
    with pytest.raises(SolverError) as refusal:
        solve(rules)
    said = NAMES_ALL.fullmatch(str(refusal.value))
    assert said is not None, refusal.value
    assert said[3] == "1 GiB"
    assert positions in (None, said[1])


def test_less_memory_refuses_what_more_solves() -> None:
    rules = rules_from_dict(GAME | {"pool": list(range(1, 17)), "target": 94, "overshoot": "loses"})
    with pytest.raises(SolverError, match="256 KiB are allowed"):
        solve(rules, 1 << 18)
    assert solve(rules, 1 << 24).value(solve(rules).start).verdict in Verdict


@pytest.mark.slow
@pytest.mark.parametrize(("most", "positions"), [(28, 2_032), pytest.param(64, 2_035, marks=pytest.mark.full)])
@pytest.mark.parametrize("keys", [{}, {"swap": True}, {"start": -3, "target": 28}] if FULL else [{"swap": True}])
def test_a_large_pool_of_which_play_reaches_little(most: int, positions: int, keys: RulesDict) -> None:
    """Sum31 on more numbers: all sets of numbers would not fit into any memory, those that are reached are few."""
    keys = GAME | {"pool": list(range(1, most + 1)), "target": 31, "overshoot": "loses"} | keys
    rules = rules_from_dict(keys)
    assert quickest_plan(replace(rules, swap=False)).method is Method.REACHING
    solution = solve(rules, 16 << 20)
    if "swap" not in keys:
        assert solution.count == positions
    count, found = disagreements(keys, solution)
    assert (count, found) == (solution.count, [])


def test_sixty_four_numbers_with_a_ban_own_totals_and_repeats() -> None:
    keys = GAME | {"pool": [*range(1, 33)] * 2, "target": 12, "overshoot": "loses", "ban": "mirror"}
    keys |= {"totals": "own", "exhausted": "closest", "tie": "first-mover", "start": [5, 6]}
    solution = solve(rules_from_dict(keys))
    count, found = disagreements(keys, solution)
    assert (count, found) == (solution.count, [])


class TestLooking:
    """What play reaches is looked at only where that pays, and no further than it pays."""

    @pytest.mark.parametrize("game", GAME_IDS)
    def test_the_five_games_are_planned_without_a_look(self, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("zerosum.solver.choose_method._look", None)
        assert quickest_plan(replace(load_game(game), swap=False)).reached is None

    def test_a_look_stops_at_its_limit(self) -> None:
        rules = rules_from_dict(GAME | {"pool": list(range(1, 65))})
        for nodes, edges in ((1_000, 1 << 60), (1 << 60, 10_000)):
            grown: list[Graph] = []
            with pytest.raises(TooLargeError):
                grown.extend(grow([start_position(rules)], most=nodes, most_edges=edges))
            # It stops in the middle of a layer, each of which is many times as large as the one before.
            assert grown[-1].size < 10_000
            assert len(grown[-1].to) < 10_000 + 64

    def test_a_refusal_looks_at_a_bounded_number_of_moves(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Whatever the memory; so it does not take long before it is refused."""
        limits: list[dict[str, int]] = []

        def watched(starts: list[Position], **limit: Any) -> Iterator[Graph]:
            limits.append(limit)
            return grow(starts, **limit)

        monkeypatch.setattr("zerosum.solver.graph_build.grow", watched)
        with pytest.raises(SolverError):
            quickest_plan(rules_from_dict(GAME | {"pool": list(range(1, 65))}), 1 << 40)
        assert [limit["most_edges"] for limit in limits] == [2_000_000]
        assert limits[0]["most"] <= 125_000

    def test_a_look_takes_a_fiftieth_of_what_solving_would(self, monkeypatch: pytest.MonkeyPatch) -> None:
        rules = rules_from_dict(GAME | {"pool": list(range(1, 26))})
        quickest = method_plans(rules)[0]
        seconds = []
        monkeypatch.setattr(
            "zerosum.solver.choose_method._look", lambda _size, allowed, _memory: seconds.append(allowed)
        )
        assert quickest_plan(rules) == quickest
        assert seconds == [pytest.approx(quickest.seconds / 50)]


@pytest.mark.parametrize("operations", [["add"], ["add", "subtract"]])
@pytest.mark.parametrize("totals", ["shared", "own"])
def test_six_numbers_near_a_million(operations: list[str], totals: str) -> None:
    """Few positions with totals far apart; no table of totals would fit."""
    pool = [1_000_000, 999_999, -999_998, 999_997, -999_996, 999_995]
    keys = GAME | {"pool": pool, "target": 1, "totals": totals, "operations": operations, "reaching": "wins"}
    solution = solve(rules_from_dict(keys))
    count, found = disagreements(keys, solution)
    assert found == []
    assert count == solution.count


def test_sixty_four_copies_of_one_number() -> None:
    """The move is always the same: whoever moves last wins, or whoever lands on the target."""
    last = solve(rules_from_dict(GAME | {"pool": [1] * 64, "target": -1}))
    assert last.count == 64
    assert last.value(last.start) == Value(Verdict.LOSS, 64)
    lands = solve(rules_from_dict(GAME | {"pool": [1] * 64, "target": 33}))
    assert lands.count == 33
    assert lands.value(lands.start) == Value(Verdict.WIN, 33)
    plus_minus = GAME | {"pool": [2] * 64, "operations": ["add", "subtract"], "target": 128}
    solution = solve(rules_from_dict(plus_minus))
    count, found = disagreements(plus_minus, solution)
    assert (count, found) == (solution.count, [])


def test_sixteen_numbers_against_the_naive_search() -> None:
    """2^16 sets of numbers; positions in the middle of random plays."""
    keys = GAME | {"pool": list(range(1, 17)), "target": 94, "overshoot": "loses"}
    solution = solve(rules_from_dict(keys))
    game = naive.Variant(keys)
    value = naive.solver(game)
    dice = random.Random(16)
    for _ in range(30):
        state, position = game.start(), solution.start
        for _ in range(9):
            move = dice.choice(game.moves(state))
            state, position = game.play(state, move), position.play(move)
            if state.winner is not None:
                break
        if state.winner is None:
            assert plain(solution.value(position)) == value(state)


@pytest.fixture(scope="module")
def twenty() -> Solution:
    return solve(rules_from_dict(GAME | {"pool": list(range(1, 21)), "target": 145, "overshoot": "loses"}))


def test_a_million_positions_are_each_the_best_of_their_moves(twenty: Solution) -> None:
    assert twenty.count is not None
    assert twenty.count > 500_000
    dice = random.Random(20)
    for _ in range(100):
        position = twenty.start
        while position.outcome is None:
            assert twenty.value(position) == best_of(twenty, position), position
            position = position.play(dice.choice(position.legal_moves()))
