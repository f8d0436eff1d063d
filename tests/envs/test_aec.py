"""The PettingZoo environment beyond its own tests: regret, forfeits, sudden death cut off, positions, copies."""

from __future__ import annotations

import copy
import pickle
import random

import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from tests import naive
from tests.envs.rules import RULES, table_of
from zerosum.base import limits
from zerosum.base.errors import BadValueError, RulesError, UnknownGameError
from zerosum.envs import aec
from zerosum.rules.game_files import rules_of
from zerosum.solver import SolverError

ENDLESS = {
    "format": 1,
    "id": "endless",
    "name": "Endless",
    "pool": [1, 1],
    "target": 1_000_000,
    "totals": "own",
    "exhausted": "closest",
    "tie": "sudden-death",
}


@pytest.mark.parametrize("name", ["sum31", "duel-without-mirrors", "thin-ice", "random-5", "random-7"])
def test_regret_is_what_a_plain_search_says(name: str) -> None:
    rules, dice = RULES[name], random.Random(name)
    game = naive.Variant(table_of(rules))
    value = naive.solver(game)
    env = aec.env(rules, regret=True)
    checked = 0
    for _ in range(20):
        env.reset()
        state = game.start()
        while state.winner is None:
            texts = game.moves(state)
            following = {text: game.play(state, text) for text in texts}
            wins = {
                text: after.winner == state.seat if after.winner is not None else value(after)[0] == "loss"
                for text, after in following.items()
            }
            text, agent = dice.choice(texts), env.agent_selection
            move = next(move for move in env.position.legal_moves() if env.position.text_of(move) == text)
            env.step(rules.index_of(move))
            assert env.infos[agent]["regret"] == max(wins.values()) - wins[text]
            assert env.infos[agent]["real"] == (len(set(wins.values())) == 2)
            checked += env.infos[agent]["regret"] == 1
            state = following[text]
    assert checked


def test_without_being_asked_info_has_no_regret() -> None:
    env = aec.env()
    env.reset()
    env.step(0)
    assert env.infos == {"player_1": {}, "player_2": {}}
    env = aec.env(regret=True)
    env.reset()
    env.step(4)
    assert env.infos == {"player_1": {"regret": 0.0, "real": False}, "player_2": {}}  # seat 2 wins anyway


def test_regret_is_refused_where_a_game_cannot_be_solved() -> None:
    numbers = [999_999, 999_983, 999_979, 999_961, 999_959, 999_953, -999_931]
    large = ENDLESS | {"pool": numbers, "target": 7, "operations": ["add", "subtract"]}
    aec.env(large)
    with pytest.raises(SolverError, match="memory"):
        aec.env(large, regret=True)


def test_an_illegal_action_where_all_is_lost_is_no_real_choice() -> None:
    env = aec.env("sum31", regret=True)
    env.reset()
    for action in (4, 7, 4):  # seat 2 keeps its win; then 5 is gone
        env.step(action)
    assert env.infos["player_1"] == {"regret": 0.0, "real": False, "reason": "forfeit"}


def test_an_illegal_action_forfeits_and_gives_everything_away() -> None:
    env = aec.env("sum31", regret=True)
    env.reset(options={"position": "1,2,3,4,7 28 1"})
    env.step(8)
    assert env.rewards == {"player_1": -1.0, "player_2": 1.0}
    assert env.terminations == {"player_1": True, "player_2": True}
    assert env.infos["player_1"] == {"regret": 1.0, "real": True, "reason": "forfeit"}
    assert env.infos["player_2"] == {"reason": "forfeit"}
    assert not env.observe("player_1")["action_mask"].any()
    assert not env.observe("player_2")["action_mask"].any()
    for agent in env.agent_iter():
        assert env.last()[1] == (-1.0 if agent == "player_1" else 1.0)
        env.step(None)
    with pytest.raises(ResetNeeded, match="reset"):
        env.step(0)


@pytest.mark.parametrize("action", [-1, 9, 2.0, "3", None, np.float32(1)])
def test_what_is_no_action_is_refused(action: object) -> None:
    env = aec.env("sum31")
    env.reset()
    with pytest.raises(BadValueError, match="An action is a number from 0 to 8, not"):
        env.step(action)  # type: ignore[arg-type]


def test_before_a_reset_there_is_no_match() -> None:
    with pytest.raises(ResetNeeded, match="reset"):
        aec.env("sum31").step(0)
    with pytest.raises(ResetNeeded, match="reset"):
        aec.env("sum31").observe("player_1")


def test_sudden_death_without_end_is_cut_off() -> None:
    env = aec.env(ENDLESS)
    env.reset()
    for ply in range(limits.MATCH_PLIES):
        assert not any(env.truncations.values()), ply
        env.step(0)
    assert env.truncations == {"player_1": True, "player_2": True}
    assert env.terminations == {"player_1": False, "player_2": False}
    assert env.rewards == {"player_1": 0.0, "player_2": 0.0}
    assert env.infos["player_1"]["reason"] == "ply-limit"
    assert env.observation_space("player_1").contains(env.observe("player_1"))


def test_a_match_begins_at_a_position() -> None:
    env = aec.env("sum31", render_mode="ansi")
    env.reset(options={"position": "1,2,3,4,7,9 19 2"})
    assert env.agent_selection == "player_2"
    assert env.render() == "Sum31: player_2 to move\nNumbers left: 1, 2, 3, 4, 7, 9\nTotal: 19, target 31"
    with pytest.raises(BadValueError, match="over"):
        env.reset(options={"position": "1,3,4,6 31 2"})
    with pytest.raises(BadValueError, match="text"):
        env.reset(options={"position": 31})


@pytest.mark.parametrize("name", ["sum31", "duel-without-mirrors"])
def test_a_copy_plays_on_by_itself(name: str) -> None:
    env = aec.env(RULES[name], regret=True)
    env.reset()
    env.step(1)
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):  # noqa: S301 - our own
        other.step(2)
        assert other.position.seat != env.position.seat
        assert other.observe("player_1").keys() == env.observe("player_1").keys()
        assert other.observe("player_1")["observation"].tolist() != env.observe("player_1")["observation"].tolist()


def test_what_is_seen_may_be_changed() -> None:
    env = aec.env("sum31")
    env.reset()
    first = env.observe("player_1")
    first["action_mask"][:] = 0
    first["observation"][:] = 0
    assert env.observe("player_1")["action_mask"].all()
    assert env.observe("player_1")["observation"].any()


def test_a_game_is_given_in_every_way() -> None:
    sum31 = rules_of("sum31")
    assert rules_of(sum31) == rules_of(table_of(sum31)) == sum31
    with pytest.raises(UnknownGameError, match="There is no game 'sum32'"):
        aec.env("sum32")
    with pytest.raises(RulesError, match="target: missing"):
        aec.env({"format": 1, "id": "a", "name": "A", "pool": [1]})
    with pytest.raises(BadValueError, match="A game is"):
        aec.env(31)  # type: ignore[arg-type]
    with pytest.raises(BadValueError, match="render_mode is one of human, ansi"):
        aec.env("sum31", render_mode="rgb_array")


def test_people_watch(capsys: pytest.CaptureFixture[str]) -> None:
    env = aec.env("sum31", render_mode="human")
    env.reset()
    env.step(8)
    assert env.render() is None
    assert capsys.readouterr().out == (
        "Sum31: player_1 to move\nNumbers left: 1, 2, 3, 4, 5, 6, 7, 8, 9\nTotal: 0, target 31\n\n"
        "Sum31: player_2 to move\nNumbers left: 1, 2, 3, 4, 5, 6, 7, 8\nTotal: 9, target 31\n\n"
    )
