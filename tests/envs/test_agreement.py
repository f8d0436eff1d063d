"""Every environment plays the game: the same masks, observations and results as the plain version of the rules."""

from __future__ import annotations

import random
from typing import Any

import gymnasium
import numpy as np
import pyspiel

from tests.each import each
from tests.envs.plain import PlainMatch
from tests.envs.rules import RULES
from tests.full import part
from zerosum.envs import ANY, aec, openspiel
from zerosum.rules.position import Position

MATCHES = part(6, 200)


def _action(mask: list[int], dice: random.Random) -> int:
    return dice.choice([action for action, legal in enumerate(mask) if legal])


@each("name", RULES)
def test_pettingzoo_plays_the_game(name: str) -> None:
    rules, dice = RULES[name], random.Random(name)
    env = aec.env(rules)
    for _ in range(MATCHES):
        plain = PlainMatch(rules)
        env.reset()
        while not plain.over:
            assert env.agent_selection == aec.AGENTS[plain.mover]
            for player, agent in enumerate(aec.AGENTS):
                _agrees(env.observe(agent), plain, player)
            action = _action(plain.mask(plain.mover), dice)
            plain.play(action)
            env.step(action)
        for player, agent in enumerate(aec.AGENTS):
            _agrees(env.observe(agent), plain, player)
        assert list(env.terminations.values()) == [not plain.cut_off] * 2
        assert list(env.truncations.values()) == [plain.cut_off] * 2
        assert list(env.rewards.values()) == plain.rewards
        assert [info["reason"] for info in env.infos.values()] == [plain.reason] * 2


@each("name", RULES)
def test_gymnasium_plays_the_game(name: str) -> None:
    """The opponent's moves are known, as it is a function that tells them."""
    rules, dice = RULES[name], random.Random(name)
    told: list[int] = []

    def opponent(position: Position) -> Any:
        move = dice.choice(position.legal_moves())
        told.append(rules.index_of(move))
        return move

    env = gymnasium.make(ANY, rules=rules, opponent=opponent).unwrapped
    env.reset(seed=1)
    for _ in range(MATCHES):
        told.clear()
        seen, _ = env.reset()
        plain, me = PlainMatch(rules), int(seen["observation"][len(set(rules.pool))]) - 1
        end = False
        while True:
            while told:
                plain.play(told.pop(0))
            assert plain.over or plain.mover == me
            _agrees(seen, plain, me)
            if end:
                break
            action = 0 if plain.over else _action(plain.mask(me), dice)
            if not plain.over:
                plain.play(action)
            seen, reward, terminated, truncated, info = env.step(action)
            while told:
                plain.play(told.pop(0))
            assert (reward, truncated) == (plain.rewards[me], plain.cut_off)
            assert (terminated or truncated) == plain.over
            assert info == ({"reason": plain.reason} if plain.over else {})
            end = plain.over


@each("name", RULES)
def test_openspiel_plays_the_game(name: str) -> None:
    rules, dice = RULES[name], random.Random(name)
    game = pyspiel.load_game(openspiel.name_of(rules))
    assert game.num_distinct_actions() == len(rules.moves)
    for _ in range(MATCHES):
        plain, state = PlainMatch(rules), game.new_initial_state()
        while not plain.over:
            assert state.current_player() == plain.mover
            assert state.legal_actions_mask(plain.mover) == plain.mask(plain.mover)
            assert [state.observation_tensor(player) for player in range(2)] == _floats(plain)
            action = _action(plain.mask(plain.mover), dice)
            assert state.action_to_string(plain.mover, action) == plain.texts[action]
            plain.play(action)
            state = state.child(action)
        assert state.is_terminal()
        assert state.returns() == plain.rewards
        assert [state.observation_tensor(player) for player in range(2)] == _floats(plain)


def _floats(plain: PlainMatch) -> list[list[float]]:
    """Return what both see; a tensor has 32 bits."""
    return [np.array(plain.seen(player), np.float32).tolist() for player in range(2)]


def _agrees(seen: dict[str, Any], plain: PlainMatch, player: int) -> None:
    assert seen["observation"].tolist() == plain.seen(player)
    assert seen["action_mask"].tolist() == ([0] * len(plain.texts) if plain.over else plain.mask(player))
