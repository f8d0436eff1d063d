"""Many matches as Gymnasium's `VectorEnv`: every step against the plain rules, opponents, labels and errors."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils import env_checker
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from hypothesis import given
from hypothesis import strategies as st

from tests.each import each
from tests.envs.plain import PlainMatch
from tests.envs.rules import RULES
from tests.full import FULL
from zerosum.arena.strength.named_policies import document_of, policy_of
from zerosum.arena.strength.policy_report import scores_of
from zerosum.base.errors import BadValueError
from zerosum.envs import ANY
from zerosum.envs.batch import REWARDS, Batch
from zerosum.envs.opponents import AliasTable
from zerosum.envs.vector import DuelVectorEnv
from zerosum.players import UnknownPlayerError
from zerosum.rules.game_files import load_game
from zerosum.rules.model import Rules
from zerosum.rules.moves import SWAP, Move
from zerosum.rules.position import Position, start_position
from zerosum.solver import Verdict, solution_of

SUM31 = load_game("sum31")
MATCHES = 5
STEPS = 25
WORTH = {Verdict.WIN: 1.0, Verdict.DRAW: 0.0, Verdict.LOSS: -1.0}


def settled(position: Position) -> Move:
    """Return the only move of an opponent who seems to play anyhow."""
    legal = position.legal_moves()
    return legal[(7 * sum(position.pool) + 3 * sum(position.totals) + position.seat) % len(legal)]


# Step by step


class _Plain:
    """What one match must be: the plain rules, with the settled opponent."""

    def __init__(self, rules: Rules, position: Position) -> None:
        self.rules = rules
        self.match = PlainMatch(rules)
        self.position = start_position(rules)
        self.agent = 0
        if str(position) != str(self.position) or self.position.seat != position.seat:
            self.agent = 1
            self.reply()

    def reply(self) -> None:
        if not self.match.over and self.match.mover != self.agent:
            self._play(settled(self.position))

    def _play(self, move: Move) -> None:
        self.match.play(self.rules.moves.index(move))
        self.position = self.position.play_unchecked(move)

    def act(self, action: int) -> float:
        """Play an action and the reply; return the reward, None before the end."""
        if not self.match.over:
            if not self.match.mask(self.agent)[action]:
                return -1.0
            self._play(self.rules.moves[action])
            self.reply()
        return self.match.rewards[self.agent]


def _differences(rules: Rules) -> list[str]:
    envs = DuelVectorEnv(MATCHES, rules, settled)
    dice = np.random.default_rng(1)
    seen, _ = envs.reset(seed=1)
    plain = [_Plain(rules, envs.position(match)) for match in range(MATCHES)]
    wrong: list[str] = []

    def same(what: str, found: object, expected: object) -> None:
        if found != expected:
            wrong.append(f"{rules.id}, {what}: {found}, not {expected}")

    for step in range(STEPS):
        for match, one in enumerate(plain):
            same(f"step {step}, observation", seen["observation"][match].tolist(), one.match.seen(one.agent))
            same(f"step {step}, mask", seen["action_mask"][match].tolist(), one.match.mask(one.agent))
        # One action in twenty is anything, legal or not.
        weights = seen["action_mask"] + (dice.random((MATCHES, 1)) < 0.05) + 1e-9
        actions = (weights * dice.random(weights.shape)).argmax(axis=1)
        seen, rewards, terminated, truncated, infos = envs.step(actions)
        for match, one in enumerate(plain):
            before = one.match.seen(one.agent)
            legal = one.match.over or one.match.mask(one.agent)[actions[match]]
            reward = one.act(int(actions[match]))
            over = one.match.over or not legal
            same(f"step {step}, result", (rewards[match], terminated[match] | truncated[match]), (reward, over))
            same(f"step {step}, cut off", truncated[match], one.match.cut_off)
            if over:
                expected = one.match.seen(one.agent) if legal else before
                same(f"step {step}, final", infos["final_obs"][match]["observation"].tolist(), expected)
                same(f"step {step}, final mask", infos["final_obs"][match]["action_mask"].any(), np.False_)
                plain[match] = _Plain(rules, envs.position(match))
            elif infos:
                same(f"step {step}, no final", infos["final_obs"][match], None)
    return wrong


# A function is asked about every position, which takes seconds in these two.
LARGE = ("sum-to-zero", "sequence-zero")


@each("game", RULES if FULL else [game for game in RULES if game not in LARGE])
def test_every_step_is_that_of_the_rules(game: str) -> None:
    wrong = _differences(RULES[game])
    assert not wrong, wrong[:3]


def test_a_match_that_the_first_move_ends() -> None:
    """The agent sees the end with nothing legal, and any action ends the match with its result."""
    rules = {"format": 1, "id": "quick", "name": "Quick", "pool": [1, 2, 4], "target": 2, "overshoot": "loses"}
    envs = DuelVectorEnv(400, rules, "random", seat=2)
    seen, _ = envs.reset(seed=1)
    lost = ~seen["action_mask"].any(axis=1)
    assert 200 < lost.sum() < 330
    assert {tuple(row) for row in seen["observation"][lost].tolist()} == {(1, 0, 1, 2, 0), (1, 1, 0, 2, -2)}
    at_two = lost & (seen["observation"][:, -1] == 0)
    _, rewards, terminated, _, infos = envs.step(np.zeros(400, np.int64))
    assert terminated[lost].all()
    assert set(rewards[at_two].tolist()) == {-1.0}
    assert set(rewards[lost & ~at_two].tolist()) <= {1.0}
    first = int(np.flatnonzero(at_two)[0])
    assert infos["final_obs"][first]["observation"].tolist() == [1, 0, 1, 2, 0]
    assert str(envs.position(0)).count(",") <= 2


def test_sudden_death_is_cut_off() -> None:
    """Nobody reaches the target: after 600 plies a match is truncated, without a reward."""
    envs = DuelVectorEnv(2, "zero-sum-game", lambda position: position.legal_moves()[0], seat=1)
    seen, _ = envs.reset(seed=1)
    assert envs.table is None
    for _ in range(400):
        seen, rewards, terminated, truncated, _ = envs.step(seen["action_mask"].argmax(axis=1))
        if truncated.any():
            assert not rewards[truncated].any()
            assert not terminated[truncated].any()
            return
        if terminated.all():
            return
    pytest.fail("nothing ended")


def test_both_players_by_one_agent() -> None:
    """With `self` the steps are those of a batch, and each reward is for the player who moved."""
    for game in ("sum31", "zero-sum-game"):
        envs, batch = DuelVectorEnv(50, game, "self"), Batch(game, 50, seed=3)
        seen, _ = envs.reset(seed=1)
        for _ in range(40):
            actions = batch.sample()
            assert (seen["observation"] == batch.observe()).all()
            assert (seen["action_mask"] == batch.mask()).all()
            seen, rewards, terminated, truncated, _ = envs.step(actions)
            outcomes = batch.step(actions)
            assert (rewards == REWARDS[outcomes]).all()
            assert (terminated == (outcomes != 0)).all()
            assert not truncated.any()


# Opponents


@given(st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=9).filter(any), min_size=1, max_size=5))
def test_moves_are_drawn_by_their_chances(weights: list[list[int]]) -> None:
    """Every number that can be drawn is counted, in a coarse grid: each entry comes up as often as its chance says."""
    chances = np.concatenate([np.array(row) / sum(row) for row in weights])
    first = np.cumsum([0, *map(len, weights)])
    drawn = AliasTable(first, chances)
    grid = 1 << 12
    dice = (np.arange(grid, dtype=np.int64) << 19) + (1 << 18)
    for row, low in enumerate(first[:-1].tolist()):
        found = np.bincount(drawn.draw(np.full(grid, row), dice) - low, minlength=len(weights[row]))
        assert np.abs(found / grid - chances[low : first[row + 1]]).max() <= len(weights[row]) / grid


def _frequencies(opponent: Any, text: str, count: int = 20_000) -> dict[Move, float]:
    """Return how often an opponent plays each move at a position."""
    envs = DuelVectorEnv(count, SUM31, opponent, seat=1 if text.endswith("2") else 2)
    envs.reset(seed=5, options={"position": text})
    pool = Counter(map(int, text.split(maxsplit=1)[0].split(",")))
    found = Counter(min(pool - Counter(envs.position(match).pool)) for match in range(count))
    return {Move(number): times / count for number, times in found.items()}


def _array_of(player: Callable[[Position], dict[Move, float]]) -> Any:
    envs = DuelVectorEnv(1, SUM31)
    assert envs.table is not None
    return np.array(
        [
            [player(envs.table.position(state)).get(move, 0.0) for move in SUM31.moves]
            for state in range(envs.table.size)
        ]
    )


def _weighed(position: Position) -> dict[Move, float]:
    total = sum(move.number for move in position.legal_moves())
    return {move: move.number / total for move in position.legal_moves()}


@pytest.mark.parametrize("opponent", ["random", "level:2", "level:5", "perfect", "card", "table", "function", "array"])
def test_opponents_play_as_often_as_their_chances_say(opponent: str, tmp_path: Path) -> None:
    text = "1,2,3,4,6,7,8,9 5 2"
    position = start_position(SUM31).play("+5")
    who: Any = opponent
    if opponent in {"table", "function", "array"}:
        exact = _weighed(position)
        path = tmp_path / "weighed.json"
        path.write_text(json.dumps(document_of(_weighed, SUM31)))
        who = {"table": f"policy:{path}", "function": _weighed, "array": _array_of(_weighed)}[opponent]
    else:
        chances = policy_of(opponent, SUM31).guest.chances(position)
        exact = dict(zip(position.legal_moves(), chances, strict=True))
    found = _frequencies(who, text)
    for move, chance in exact.items():
        assert abs(found.get(move, 0.0) - chance) < 5 * (chance * (1 - chance) / 20_000) ** 0.5 + 1e-9, move
    assert set(found) <= {move for move, chance in exact.items() if chance}


def test_results_follow_the_exact_score() -> None:
    """A random agent scores against level 4 what arithmetic says, in both seats together and in each."""
    (score,) = scores_of(policy_of("random", SUM31), start_position(SUM31), ["level:4"]).against
    for seat, exact in ((None, score.average), (1, score.as_first), (2, score.as_second)):
        envs = DuelVectorEnv(2_000, SUM31, "level:4", seat=seat)  # type: ignore[arg-type]
        dice = np.random.default_rng(2)
        seen, _ = envs.reset(seed=3)
        over = won = 0
        for _ in range(40):
            mask = seen["action_mask"]
            seen, rewards, terminated, _, _ = envs.step((mask * dice.random(mask.shape)).argmax(axis=1))
            over, won = over + int(terminated.sum()), won + int((rewards > 0).sum())
        assert abs(won / over - exact) < 5 * (exact * (1 - exact) / over) ** 0.5


def test_seats_are_drawn_and_kept() -> None:
    at = len(SUM31.pool)
    for seat, low, high in ((None, 0.45, 0.55), (1, 1, 1), (2, 0, 0)):
        envs = DuelVectorEnv(2_000, SUM31, "level:3", seat=seat)  # type: ignore[arg-type]
        seen, _ = envs.reset(seed=1)
        seats = [seen["observation"][:, at]]
        for _ in range(8):
            seen, _, terminated, _, _ = envs.step(seen["action_mask"].argmax(axis=1))
            seats.append(seen["observation"][terminated, at])
        assert low <= (np.concatenate(seats) == 1).mean() <= high


def test_another_opponent_plays_on() -> None:
    envs = DuelVectorEnv(200, SUM31, "random", seat=1)
    envs.reset(seed=1)
    envs.set_opponent(lambda position: position.legal_moves()[-1])
    seen, *_ = envs.step(np.zeros(200, np.int64))
    assert (seen["observation"][:, 8] == 0).all()
    assert (seen["observation"][:, -1] == 21).all()
    envs.set_opponent("self")
    seen, *_ = envs.step(np.full(200, 1))
    assert (seen["observation"][:, -2] == 2).all()


# Labels


def test_advantages_are_those_of_the_solver() -> None:
    wrong = []
    for rules in (SUM31, RULES["handicap"], RULES["random-1"], RULES["random-4"]):
        envs = DuelVectorEnv(30, rules, "random", advantage="perfect")
        solution = solution_of(rules)
        seen, infos = envs.reset(seed=2)
        for _ in range(10):
            for match in range(30):
                position = envs.position(match)
                if position.outcome is None:
                    worth = {option.move: WORTH[option.value.verdict] for option in solution.options(position)}
                    best = max(worth.values())
                    expected = [worth.get(move, -1.0) - best for move in rules.moves]
                    if infos["advantage"][match].tolist() != expected:
                        wrong.append(f"{rules.id}, {position}: {infos['advantage'][match]}, not {expected}")
            dice = np.random.default_rng(4)
            seen, *_, infos = envs.step((seen["action_mask"] * dice.random(seen["action_mask"].shape)).argmax(axis=1))
    assert not wrong, wrong[:3]


def test_advantages_against_the_opponent_inside() -> None:
    """Equal to a plain recursion: best play against level 2, whose chances are averaged over."""
    rules = load_game(str(Path(__file__).parents[2] / "docs" / "variants" / "sum21.toml"))
    chances = policy_of("level:2", rules).guest.chances

    @cache
    def agent(position: Position) -> float:
        return max(after(position.play_unchecked(move)) for move in position.legal_moves())

    @cache
    def after(position: Position) -> float:
        """Return the agent's best result if the opponent is to move, or if the agent has just ended the match."""
        if position.outcome is not None:
            return -1.0 if position.outcome.winner is position.seat else 1.0
        shares = zip(position.legal_moves(), chances(position), strict=True)
        return sum(share * _ended(position.play_unchecked(move), agent) for move, share in shares if share)

    envs = DuelVectorEnv(60, rules, "level:2", advantage="opponent")
    seen, infos = envs.reset(seed=2)
    for _ in range(12):
        for match in range(60):
            position = envs.position(match)
            legal = position.legal_moves()
            best = agent(position)
            for move, found in zip(rules.moves, infos["advantage"][match], strict=True):
                worth = after(position.play_unchecked(move)) if move in legal else -1.0
                assert found == pytest.approx(worth - best, abs=1e-6), (position, move)
        seen, *_, infos = envs.step(seen["action_mask"].argmax(axis=1))


def _ended(position: Position, go_on: Callable[[Position], float]) -> float:
    """Return the agent's result after an opponent's move."""
    if position.outcome is None:
        return go_on(position)
    return 1.0 if position.outcome.winner is position.seat else -1.0


def test_what_has_no_label_is_refused() -> None:
    with pytest.raises(BadValueError, match="only advantage='perfect'"):
        DuelVectorEnv(2, "zero-sum-game", "random", advantage="opponent")
    with pytest.raises(BadValueError, match="Against oneself"):
        DuelVectorEnv(2, "sum31", "self", advantage="opponent")


# Gymnasium


def _made(name: str = "zerosum/Sum31-v0", num_envs: int = 64, **options: Any) -> VectorEnv[Any, Any, Any]:
    return gymnasium.make_vec(name, num_envs=num_envs, **options)


def test_gymnasium_makes_it() -> None:
    """`make_vec` warns of whatever is missing, and a warning is an error here."""
    games: list[tuple[str, dict[str, Any]]] = [("zerosum/Sum31-v0", {}), (ANY, {"rules": RULES["handicap"]})]
    for name, options in games:
        envs = _made(name, opponent="level:5", **options)
        assert isinstance(envs.unwrapped, DuelVectorEnv)
        assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
        seen, infos = envs.reset(seed=1)
        assert infos == {}
        for _ in range(20):
            assert envs.observation_space.contains(seen)
            seen, rewards, terminated, truncated, infos = envs.step(seen["action_mask"].argmax(axis=1))
            assert rewards.dtype == np.float64
            assert terminated.dtype == truncated.dtype == np.bool_
            if "final_obs" in infos:
                for match in np.flatnonzero(infos["_final_obs"]):
                    assert envs.single_observation_space.contains(infos["final_obs"][match])
        envs.close()


def test_gymnasiums_own_checks() -> None:
    """Those of its checker that a vector environment can pass: with one match, its arrays are as good as values."""
    envs: Any = _made(num_envs=1, opponent="level:5")
    env_checker.check_reset_seed_determinism(envs)
    env_checker.check_reset_options(envs)
    env_checker.check_reset_return_type(envs)
    env_checker.check_reset_return_info_deprecation(envs)
    env_checker.check_seed_deprecation(envs)
    if hasattr(env_checker, "check_returned_data_not_reused"):
        env_checker.check_returned_data_not_reused(envs)


def test_it_agrees_with_gymnasiums_own_vector_of_single_matches() -> None:
    """The same matches as in `SyncVectorEnv` with the same autoreset, against an opponent without chance."""
    first = _made(num_envs=6, opponent=settled, seat=1)
    again = _made(
        num_envs=6,
        opponent=settled,
        seat=1,
        vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": AutoresetMode.SAME_STEP},
    )
    dice = np.random.default_rng(1)
    one, _ = first.reset(seed=1)
    two, _ = again.reset(seed=1)
    for _ in range(40):
        assert all((one[key] == two[key]).all() for key in ("observation", "action_mask"))
        actions = (one["action_mask"] * dice.random(one["action_mask"].shape)).argmax(axis=1)
        one, *ours, infos = first.step(actions)
        two, *theirs, others = again.step(actions)
        assert all((a == b).all() for a, b in zip(ours, theirs, strict=True))
        assert ("final_obs" in infos) == ("final_obs" in others)
        for match in np.flatnonzero(infos.get("_final_obs", np.zeros(6, np.bool_))):
            for key in ("observation", "action_mask"):
                assert (infos["final_obs"][match][key] == others["final_obs"][match][key]).all()


def test_gymnasiums_wrappers_take_it() -> None:
    envs = RecordEpisodeStatistics(_made(num_envs=8, opponent="level:2"))
    seen, _ = envs.reset(seed=1)
    lengths, scores = [], []
    for _ in range(30):
        seen, *_, infos = envs.step(seen["action_mask"].argmax(axis=1))
        if "final_obs" in infos:
            lengths += infos["episode"]["l"][infos["_episode"]].tolist()
            scores += infos["episode"]["r"][infos["_episode"]].tolist()
    assert 1 <= min(lengths) <= max(lengths) <= 5
    assert set(scores) == {-1.0, 1.0}


def test_the_same_seed_gives_the_same_matches() -> None:
    def played(seed: int) -> list[Any]:
        envs = DuelVectorEnv(20, "sum31", "level:3", advantage="opponent")
        seen, infos = envs.reset(seed=seed)
        found: list[Any] = []
        for _ in range(15):
            found += [seen["observation"].tolist(), infos["advantage"].tolist()]
            seen, rewards, *_, infos = envs.step(seen["action_mask"].argmax(axis=1))
            found.append(rewards.tolist())
        return found

    assert played(1) == played(1)
    assert played(1) != played(2)


def test_what_was_returned_is_never_overwritten() -> None:
    envs = DuelVectorEnv(16, "sum31", "level:3", advantage="perfect")
    seen, infos = envs.reset(seed=1)
    kept: list[tuple[Any, Any]] = []
    for _ in range(6):
        arrays = [*seen.values(), infos["advantage"]]
        kept += [(one, one.copy()) for one in arrays]
        seen, rewards, terminated, truncated, infos = envs.step(seen["action_mask"].argmax(axis=1))
        kept += [(one, one.copy()) for one in (rewards, terminated, truncated)]
    assert all((one == copy).all() for one, copy in kept)
    assert not any(np.shares_memory(kept[0][0], one) for one, _ in kept[1:])


# Errors


def test_actions_are_checked() -> None:
    envs = DuelVectorEnv(3, "sum31")
    with pytest.raises(BadValueError, match=r"Call reset\(\) first"):
        envs.step([0, 0, 0])
    envs.reset(seed=1)
    with pytest.raises(BadValueError, match="Match 1: an action is a number from 0 to 8, not 9"):
        envs.step([0, 9, 0])
    with pytest.raises(BadValueError, match="Match 2: an action is a number from 0 to 8, not -1"):
        envs.step([0, 0, -1])
    with pytest.raises(BadValueError, match="Actions are 3 whole numbers"):
        envs.step([0, 0])
    with pytest.raises(BadValueError, match="Actions are 3 whole numbers"):
        envs.step([0.0, 1.0, 2.0])  # type: ignore[list-item]


def test_what_is_refused() -> None:
    table = DuelVectorEnv(1, "sum31").table
    assert table is not None
    even = table.mask / table.mask.sum(axis=1, keepdims=True)
    wrong = even.copy()
    wrong[7] /= 2
    below = even.copy()
    below[5, np.flatnonzero(table.mask[5])[:2]] = -1.0, 1.0 + 2 / table.mask[5].sum()
    for options, words in (
        ({"opponent": "bot:python3 mine.py"}, r"'bot:python3 mine.py' is a program.*gymnasium.make"),
        ({"opponent": 5}, "An opponent is the name"),
        ({"opponent": even[:-1]}, r"array of floats of the shape \(420, 9\)"),
        ({"opponent": wrong}, f"chances at '{table.position(7)}' are not"),
        ({"opponent": below}, "from 0 to 1"),
        ({"opponent": even, "rules": "zero-sum-game"}, "has no table of states"),
        ({"seat": 3}, "seat is 1, 2 or None, not 3"),
        ({"advantage": "best"}, "advantage is 'perfect', 'opponent' or None"),
        ({"render_mode": "human"}, "render_mode is 'ansi' or None"),
    ):
        with pytest.raises(BadValueError, match=words):
            DuelVectorEnv(2, **{"rules": "sum31", **options})
    with pytest.raises(UnknownPlayerError, match="There is no player 'level:99'"):
        DuelVectorEnv(2, "sum31", "level:99")
    with pytest.raises(BadValueError, match="at least one match"):
        DuelVectorEnv(0)


def test_where_matches_begin() -> None:
    envs = DuelVectorEnv(2, "sum31", "perfect", seat=1)
    seen, _ = envs.reset(seed=1, options={"position": ["1,2,3,4,7 28 1", "1,2,3,4,5 30 1"]})
    assert seen["observation"][:, -1].tolist() == [3, 1]
    assert [str(envs.position(match)) for match in (0, 1)] == ["1,2,3,4,7 28 1", "1,2,3,4,5 30 1"]
    for options, words in (
        ({"position": ["1,2,3,4,7 28 1"]}, "one for each of the 2 matches, not 1"),
        ({"position": "2,3,4,5 31 2"}, "The match is over"),
        ({"position": "3,4,6,7 25 2"}, "the opponent's move ends the match"),
    ):
        with pytest.raises(BadValueError, match=words):
            envs.reset(options=options)


def test_what_is_rendered() -> None:
    envs = DuelVectorEnv(2, "sum31", "random", seat=1, render_mode="ansi")
    envs.reset(seed=1)
    assert envs.render() == ("Sum31: seat 1 to move\nNumbers left: 1, 2, 3, 4, 5, 6, 7, 8, 9\nTotal: 0, target 31",) * 2
    assert DuelVectorEnv(2).render() is None
    assert SWAP not in SUM31.moves
