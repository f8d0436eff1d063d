"""The Gymnasium environment beyond its own test: names, opponents, seats, seeds, forfeits on either side."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

from tests.envs.rules import RULES
from zerosum.arena.strength.named_policies import document_of, policy_of
from zerosum.arena.strength.policy_report import scores_of
from zerosum.base.errors import BadValueError
from zerosum.envs import ANY, name_of
from zerosum.envs.gym import DuelEnv
from zerosum.players import UnknownPlayerError
from zerosum.rules.game_files import GAME_IDS, load_game
from zerosum.rules.moves import Move
from zerosum.rules.position import Position
from zerosum.solver import solution_of

BOT = Path(__file__).parents[2] / "docs" / "bots" / "bot.py"


def made(name: str = "zerosum/Sum31-v0", **options: Any) -> DuelEnv:
    env = gymnasium.make(name, **options).unwrapped
    assert isinstance(env, DuelEnv)
    return env


def episodes(env: DuelEnv, count: int, seed: int = 1) -> list[list[object]]:
    """Return all that is seen in matches of an agent who plays at random."""
    dice = np.random.default_rng(seed)
    found: list[list[object]] = []
    seen, _ = env.reset(seed=seed)
    for _ in range(count):
        rows: list[object] = [seen["observation"].tolist()]
        done = False
        while not done:
            legal = seen["action_mask"].nonzero()[0]
            seen, reward, terminated, truncated, info = env.step(dice.choice(legal) if len(legal) else 0)
            rows += [seen["observation"].tolist(), reward, info]
            done = terminated or truncated
        found.append(rows)
        seen, _ = env.reset()
    return found


@pytest.mark.parametrize("game", GAME_IDS)
def test_every_game_has_its_name(game: str) -> None:
    env = made(name_of(game))
    assert env.rules == load_game(game)
    assert env.action_space == gymnasium.spaces.Discrete(len(env.rules.moves))


def test_any_rules_by_one_name() -> None:
    assert made(ANY, rules=RULES["random-3"]).rules == RULES["random-3"]
    assert made(ANY, rules=str(Path(__file__).parents[2] / "docs" / "variants" / "sum21.toml")).rules.target == 21
    with pytest.raises(TypeError, match="rules"):
        gymnasium.make(ANY)


@pytest.mark.parametrize("opponent", ["random", "level:1", "level:9", "perfect", "card"])
def test_the_same_seed_gives_the_same_matches(opponent: str) -> None:
    first, again = (episodes(made(opponent=opponent), 12) for _ in range(2))
    assert first == again
    assert first != episodes(made(opponent=opponent), 12, seed=2)


def test_seats() -> None:
    at = len(set(load_game("sum31").pool))
    for seat in (1, 2):
        env = made(seat=seat)
        assert {env.reset(seed=seed)[0]["observation"][at] for seed in range(20)} == {seat}
    env = made()
    env.reset(seed=1)
    drawn = [int(env.reset()[0]["observation"][at]) for _ in range(200)]
    assert 60 < drawn.count(1) < 140
    with pytest.raises(BadValueError, match="seat is 1, 2 or None"):
        made(seat=3)


@pytest.mark.parametrize(("opponent", "agent"), [("level:4", "random"), ("card", "random"), ("random", "random")])
def test_results_follow_the_exact_chances(opponent: str, agent: str) -> None:
    """A random agent in a fixed seat wins as often as the exact score says, within five standard deviations."""
    rules, count = load_game("sum31"), 2_000
    (score,) = scores_of(policy_of(agent, rules), solution_of(rules).start, [policy_of(opponent, rules)]).against
    for seat, exact in ((1, score.as_first), (2, score.as_second)):
        env = made(opponent=opponent, seat=seat)
        won = sum(rows[-2] == 1.0 for rows in episodes(env, count))
        assert abs(won / count - exact) < 5 * (exact * (1 - exact) / count) ** 0.5 + 1e-9, (won, exact)


def test_a_table_is_an_opponent(tmp_path: Path) -> None:
    rules, path = load_game("sum31"), tmp_path / "first.json"
    path.write_text(json.dumps(document_of(lambda position: position.legal_moves()[0], rules)))
    env = made(opponent=f"policy:{path}", seat=1)
    env.reset(seed=1)
    assert env.step(8)[0]["observation"].tolist() == [0, 1, 1, 1, 1, 1, 1, 1, 0, 1, 21]


def test_a_bot_is_an_opponent_and_is_closed() -> None:
    env = made(opponent=f"bot:{sys.executable} {BOT}", seat=1)
    for rows in episodes(env, 3):
        assert rows[-2] in {1.0, -1.0}
    env.close()
    env.close()


def test_an_opponent_who_fails_forfeits(tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text(BOT.read_text().replace('"bestmove', '"bestmove +999999 '))
    env = made(opponent=f"bot:{sys.executable} {bad}", seat=1)
    env.reset(seed=1)
    seen, reward, terminated, _, info = env.step(0)
    env.close()
    assert (reward, terminated, info) == (1.0, True, {"reason": "forfeit"})
    assert not seen["action_mask"].any()


def test_who_is_no_opponent() -> None:
    with pytest.raises(UnknownPlayerError, match="There is no player 'level:99'"):
        made(opponent="level:99")
    with pytest.raises(BadValueError, match="An opponent is"):
        made(opponent=5)


def test_a_match_can_be_over_before_the_first_move() -> None:
    rules = {"format": 1, "id": "quick", "name": "Quick", "pool": [1, 2], "target": 1}
    env = made(ANY, rules=rules, seat=2, opponent=lambda _: Move(1))
    seen, info = env.reset(seed=1)
    assert not seen["action_mask"].any()
    assert not info
    assert env.step(0)[1:] == (-1.0, True, False, {"reason": "reached-target"})


def test_an_illegal_action_forfeits() -> None:
    env = made(seat=1, regret=True, opponent="perfect")
    env.reset(seed=1, options={"position": "1,2,3,4,7 28 1"})
    assert env.action_masks().tolist() == [1, 1, 1, 1, 0, 0, 1, 0, 0]
    seen, *result = env.step(4)
    assert result == [-1.0, True, False, {"regret": 1.0, "real": True, "reason": "forfeit"}]
    assert not seen["action_mask"].any()


def test_best_play_has_no_regret_and_beats_everybody() -> None:
    solution = solution_of(load_game("sum31"))
    env = made(seat=2, regret=True, opponent="perfect")
    env.reset(seed=5)
    done, reward = False, 0.0
    while not done:
        best = solution.options(env.position)[0].move
        _, reward, done, _, info = env.step(env.encoding.action_of[best])
        assert info["regret"] == 0.0
    assert reward == 1.0


def test_many_at_once() -> None:
    envs = gymnasium.make_vec("zerosum/Sum31-v0", num_envs=3, vectorization_mode="sync", opponent="level:2")
    seen, _ = envs.reset(seed=1)
    assert seen["action_mask"].shape == (3, 9)
    for _ in range(10):
        seen, *_ = envs.step(np.array([mask.argmax() for mask in seen["action_mask"]]))
    envs.close()


def test_what_is_rendered() -> None:
    env = made(render_mode="ansi", seat=2, opponent=lambda position: position.legal_moves()[0])
    env.reset(seed=1)
    assert env.render() == "Sum31: agent to move\nNumbers left: 2, 3, 4, 5, 6, 7, 8, 9\nTotal: 1, target 31"
    handicap = made(ANY, rules=RULES["handicap"], render_mode="ansi", seat=2, opponent=_largest)
    handicap.reset(seed=1)
    assert "Totals: opponent 9, agent 3, target 10" in str(handicap.render())


def _largest(position: Position) -> Move:
    return max(position.legal_moves(), key=lambda move: move.amount)
