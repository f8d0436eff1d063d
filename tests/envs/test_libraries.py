"""The libraries' own tests: PettingZoo's api, seed and render test, Gymnasium's check_env, OpenSpiel's simulation."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import pytest

from tests.each import each
from tests.envs.rules import RANDOM, RULES
from zerosum.envs import aec, gym, openspiel
from zerosum.rules.game_files import GAME_IDS
from zerosum.rules.model import Rules, Tie

DICTIONARY = ("Observation is not a NumPy array", "Observation space for each agent probably should be")
"""What PettingZoo warns of wherever an observation has a mask in it; its own games are on a list of exceptions."""
ONE_MOVE = "Action mask is a single number"


def _warnings(check: Callable[[Rules], None], rules: Rules) -> set[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        check(rules)
    return {str(one.message) for one in caught}


def test_the_rules_have_everything() -> None:
    every = RULES.values()
    assert len(every) > len(GAME_IDS) + RANDOM
    for key in ("totals", "swap", "ban", "reaching", "overshoot", "exhausted", "operations"):
        assert len({getattr(rules, key) for rules in every}) == 2, key
    assert any(rules.tie is Tie.SUDDEN_DEATH and rules.swap for rules in every)
    assert any(len(rules.moves) == 1 for rules in every)
    assert any(len(set(rules.pool)) < len(rules.pool) for rules in every)


@each("name", RULES)
def test_pettingzoo(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    rules = RULES[name]
    expected = (*DICTIONARY, *([ONE_MOVE] if len(rules.moves) == 1 else []))
    found = _warnings(aec.check, rules)
    assert all(one.startswith(expected) for one in found), found
    assert all(any(one.startswith(start) for one in found) for start in DICTIONARY)
    assert "Passed API test" in capsys.readouterr().out


@each("name", RULES)
def test_gymnasium(name: str) -> None:
    assert _warnings(gym.check, RULES[name]) == set()


@each("name", RULES)
def test_openspiel(name: str) -> None:
    assert _warnings(openspiel.check, RULES[name]) == set()
