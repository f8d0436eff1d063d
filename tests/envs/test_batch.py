"""Many matches at once, step by step against a list of positions; chance, labels and refusals."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.envs.test_batch_table import variants
from tests.full import part
from zerosum.base.errors import BadValueError, UnknownGameError
from zerosum.envs.batch import GOES_ON, ILLEGAL, LOST, REWARDS, WON, Batch
from zerosum.envs.coded_matches import CodedMoves, label_of
from zerosum.rules.game_files import load_game
from zerosum.rules.model import Rules, Seat, rules_from_dict
from zerosum.rules.position import Position, start_position
from zerosum.solver import SolverError, solution_of
from zerosum.solver.encoding import encoding_of

LARGE = Rules(id="large", name="Large", pool=tuple(range(-12, 0)) + tuple(range(1, 13)), target=7, totals="own")  # type: ignore[arg-type]


class Plain:
    """The same matches, a position each: what a batch must equal."""

    def __init__(self, rules: Rules, n: int) -> None:
        self.start = start_position(rules)
        self.positions = [self.start] * n

    def step(self, actions: list[int]) -> list[int]:
        found = [self._moved(position, action) for position, action in zip(self.positions, actions, strict=True)]
        self.positions = [self.start if outcome else position for outcome, position in found]
        return [outcome for outcome, _ in found]

    def _moved(self, position: Position, action: int) -> tuple[int, Position]:
        move = position.rules.moves[action]
        if position.objection(move) is not None:
            return ILLEGAL, position
        after = position.play_unchecked(move)
        if after.outcome is None:
            return GOES_ON, after
        return (WON if after.outcome.winner is position.seat else LOST), after


def same_steps(batch: Batch, steps: int, *, wrong: float = 0.02) -> None:
    """Play random actions, a few of them illegal, in a batch and in plain positions; compare every outcome."""
    plain, encoding = Plain(batch.rules, batch.n), encoding_of(batch.rules)
    dice = np.random.default_rng(steps)
    for _ in range(steps):
        mask = batch.mask()
        some = plain.positions[:20]
        assert mask[:20].tolist() == [_mask(position) for position in some]
        assert batch.observe()[:20].tolist() == [encoding.observe(one, one.seat).tolist() for one in some]
        actions = batch.sample().copy()
        assert mask[np.arange(batch.n), actions].all(), "an illegal action was drawn"
        astray = dice.random(batch.n) < wrong
        actions[astray] = dice.integers(0, batch.actions, int(astray.sum()))
        assert batch.step(actions).tolist() == plain.step(actions.tolist())
        for match in range(0, batch.n, 1 + batch.n // 16):
            assert batch.position(match).key == plain.positions[match].key
    assert [batch.position(match).key for match in range(batch.n)] == [one.key for one in plain.positions]


def _mask(position: Position) -> list[bool]:
    legal = set(position.legal_moves())
    return [move in legal for move in position.rules.moves]


@pytest.mark.slow
@pytest.mark.parametrize("game", ["zero-sum-game", "zero-sum-duel", "sequence-zero", "sum31"])
def test_steps_by_arithmetic_are_those_of_positions(game: str) -> None:
    """A million steps in all four; a part of them in `make test`."""
    same_steps(Batch(game, part(2_000, 10_000), seed=1, arithmetic=True), 25)


@pytest.mark.slow
def test_steps_of_a_game_that_is_too_large_are_those_of_positions() -> None:
    batch = Batch(LARGE, 400, seed=2)
    assert batch.table is None
    same_steps(batch, part(4, 250))


def _wide(**changes: Any) -> Rules:
    """Return a game whose codes fit into no word."""
    table = {"pool": [999_000 + n for n in range(50)] + [-7, -7, 3], "target": 5, "totals": "own", **changes}
    return rules_from_dict({"format": 1, "id": "wide", "name": "Wide", "operations": ["add", "subtract"], **table})


@pytest.mark.parametrize(
    "changes",
    [
        {"ban": "mirror", "swap": True, "exhausted": "closest", "tie": "first-mover"},
        {"pool": [999_983, -999_979, 4, 4], "exhausted": "closest", "tie": "sudden-death"},
        {"totals": "shared", "operations": ["add"]},
    ],
    ids=["everything", "sudden-death", "shared"],
)
def test_steps_of_codes_of_many_bits_are_those_of_positions(changes: dict[str, Any]) -> None:
    same_steps(Batch(_wide(**changes), 60, seed=8, arithmetic=True), 70)


def test_sudden_death_without_end_is_refused_before_totals_leave_their_bits() -> None:
    rules = rules_from_dict(
        {
            "format": 1,
            "id": "away",
            "name": "Away",
            "pool": [2, 4],
            "target": 1,
            "totals": "own",
            "exhausted": "closest",
            "tie": "sudden-death",
        }
    )
    moves = CodedMoves(rules)
    far = replace(start_position(rules), pool=(4,), totals=(6 * (1 << 20) - 1, 6 * (1 << 20) - 5), seat=Seat.SECOND)
    with pytest.raises(SolverError, match="A match of Away has gone on for more than 1,048,576 rounds"):
        moves.play(moves.coded([far]), np.array([1]))


def test_steps_by_arithmetic_of_random_rules_are_those_of_positions() -> None:
    for n, rules in enumerate(variants(40)):
        same_steps(Batch(rules, 20, seed=n, arithmetic=True), part(12, 250), wrong=0.05)


def test_steps_by_a_table_are_those_of_positions() -> None:
    for game in ("sum31", "zero-sum-duel", "seventeen"):
        batch = Batch(game, 100, seed=3)
        assert batch.table is not None
        same_steps(batch, 20)
    for rules in variants(40):
        same_steps(Batch(rules, 8, seed=4), 10, wrong=0.1)


def test_the_rounds_of_sudden_death_are_played() -> None:
    rules = load_game("zero-sum-game")
    batch, plies, longest = Batch(rules, 2_000, seed=5), np.zeros(2_000, np.int64), 0
    for _ in range(60):
        over = batch.step(batch.sample()) != GOES_ON
        plies += 1
        longest = max(longest, int(plies.max()))
        plies[over] = 0
    assert longest > len(rules.pool), "no pool was ever refilled"


def test_a_finished_match_begins_anew_by_itself() -> None:
    batch = Batch("sum31", 2)
    for action in (8, 7, 6, 5):  # 9 + 8 + 7 + 6 = 30
        assert batch.step([action, action]).tolist() == [GOES_ON, GOES_ON]
    assert batch.step([0, 4]).tolist() == [WON, LOST]
    assert [str(batch.position(match)) for match in range(2)] == ["1,2,3,4,5,6,7,8,9 0 1"] * 2
    assert batch.step([0, 0]).tolist() == [GOES_ON, GOES_ON]
    assert batch.step([0, 1]).tolist() == [ILLEGAL, GOES_ON]
    assert REWARDS[[GOES_ON, WON, LOST, ILLEGAL]].tolist() == [0, 1, -1, -1]
    batch.reset()
    assert str(batch.position(1)) == str(batch.position(0)) == "1,2,3,4,5,6,7,8,9 0 1"


@pytest.mark.parametrize("arithmetic", [False, True])
def test_a_seed_gives_the_same_matches_and_every_legal_action_alike(arithmetic: bool) -> None:
    n = 45_000
    one, two, other = (Batch("sum31", n, seed, arithmetic=arithmetic) for seed in (7, 7, 8))
    first = one.sample().copy()
    assert np.array_equal(first, two.sample())
    assert not np.array_equal(first, other.sample())
    # 6 standard deviations of a count around n / 9, and around n / 8 once a number is gone.
    assert abs(np.bincount(first, minlength=9) - n / 9).max() < 6 * (n / 9 * 8 / 9) ** 0.5
    one.step(np.full(n, 4))
    counts = np.bincount(one.sample(), minlength=9)
    assert counts[4] == 0
    assert abs(np.delete(counts, 4) - n / 8).max() < 6 * (n / 8 * 7 / 8) ** 0.5


@pytest.mark.parametrize("game", ["sum31", "zero-sum-game", "campfire"])
def test_labels_and_observations_of_matches_on_the_way(game: str) -> None:
    table, computed = Batch(game, 12, seed=6), Batch(game, 12, seed=6, arithmetic=True)
    solution = solution_of(table.rules)
    for _ in range(5):
        actions = table.sample().copy()
        assert table.step(actions).tolist() == computed.step(actions).tolist()
        assert table.observe().tolist() == computed.observe().tolist()
        expected = [label_of(table.position(match), solution) for match in range(12)]
        for batch in (table, computed):
            value, plies, keeping = batch.labels()
            assert list(zip(value.tolist(), plies.tolist(), keeping.tolist(), strict=True)) == expected


def test_a_draw_has_the_value_0_and_no_plies() -> None:
    rules = rules_from_dict(
        {
            "format": 1,
            "id": "draw",
            "name": "Draw",
            "pool": [2, -2],
            "target": 0,
            "start": [1, -1],
            "totals": "own",
            "exhausted": "closest",
            "tie": "sudden-death",
        }
    )
    value, plies, keeping = Batch(rules, 1).labels()
    draws = [move for move, keeps in zip(rules.moves, keeping[0], strict=True) if keeps]
    assert (value.tolist(), plies.tolist()) == ([0], [0])
    assert draws == [one.move for one in solution_of(rules).options(start_position(rules)) if one.value.plies is None]


def test_observations_begin_with_what_is_left() -> None:
    batch = Batch("sum31", 1)
    batch.step([4])
    assert batch.observe().tolist() == [[1, 1, 1, 1, 0, 1, 1, 1, 1, 2, 26]]
    own = Batch("zero-sum-game", 1)
    own.step([0])
    assert own.observe().tolist()[0][-3:] == [2, *_gaps(own.position(0))]


def _gaps(position: Position) -> list[int]:
    return [position.rules.target - position.total(seat) for seat in (position.seat, position.seat.other)]


@pytest.mark.parametrize(
    ("actions", "says"),
    [
        ([1, 2], "Actions are 3 whole numbers, one for each match."),
        ([[1, 2, 3]], "Actions are 3 whole numbers, one for each match."),
        ([1.0, 2.0, 3.0], "Actions are 3 whole numbers, one for each match."),
        ([True, False, True], "Actions are 3 whole numbers, one for each match."),
        ([0, 9, 1], "Match 1: an action is a number from 0 to 8, not 9."),
        ([0, 1, -1], "Match 2: an action is a number from 0 to 8, not -1."),
        (np.array([0, 255, 1], np.uint8), "Match 1: an action is a number from 0 to 8, not 255."),
    ],
)
def test_actions_that_are_none_are_refused(actions: Any, says: str) -> None:
    batch = Batch("sum31", 3)
    with pytest.raises(BadValueError) as refused:
        batch.step(actions)
    assert str(refused.value) == says
    assert [str(batch.position(match)) for match in range(3)] == ["1,2,3,4,5,6,7,8,9 0 1"] * 3


def test_actions_of_any_whole_type_are_taken() -> None:
    for kind in (np.int8, np.uint8, np.int32, np.uint64):
        batch = Batch("sum31", 2)
        assert batch.step(np.array([4, 5], kind)).tolist() == [GOES_ON, GOES_ON]
        assert str(batch.position(1)) == "1,2,3,4,5,7,8,9 6 2"


@pytest.mark.parametrize("n", [0, -3, 2.5, True, "many"])
def test_a_batch_has_at_least_one_match(n: Any) -> None:
    with pytest.raises(BadValueError, match="n is a whole number from 1 on"):
        Batch("sum31", n)


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(UnknownGameError, match="Did you mean"):
        Batch("sum32", 4)


def test_a_rules_file_will_do() -> None:
    assert Batch("docs/variants/sum21.toml", 2).rules.target == 21
