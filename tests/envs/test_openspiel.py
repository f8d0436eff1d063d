"""The OpenSpiel game beyond its own test: its strings, copies, and what OpenSpiel's algorithms find in it."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from base64 import urlsafe_b64encode
from pathlib import Path

import pyspiel
import pytest
from open_spiel.python.algorithms.exploitability import nash_conv
from open_spiel.python.algorithms.minimax import alpha_beta_search
from open_spiel.python.policy import UniformRandomPolicy

from tests.each import each
from tests.envs.rules import RULES
from tests.envs.test_aec import ENDLESS
from tests.patience import PATIENCE
from zerosum.arena.strength.best_response import exploitability
from zerosum.arena.strength.named_policies import policy_of
from zerosum.base import limits
from zerosum.base.errors import RulesError
from zerosum.envs.openspiel import from_base64, name_of, to_base64
from zerosum.rules.game_files import GAME_IDS, rules_of
from zerosum.rules.model import Tie
from zerosum.solver import Verdict, solution_of

SMALL = [name for name, rules in RULES.items() if len(rules.moves) <= 6 and rules.tie is not Tie.SUDDEN_DEATH]
VALUES = {Verdict.WIN: 1, Verdict.LOSS: -1}


@pytest.mark.parametrize("game", GAME_IDS)
def test_every_game_by_its_id(game: str) -> None:
    loaded = pyspiel.load_game(f"zerosum_duel(game={game})")
    assert loaded.get_parameters() == {"game": game, "rules": ""}
    assert str(loaded.new_initial_state()) == str(solution_of(rules_of(game)).start)
    assert str(pickle.loads(pickle.dumps(loaded))) == str(loaded)  # noqa: S301 - our own


def test_openspiel_keeps_its_own() -> None:
    """Importing us adds one name; OpenSpiel's transform `zerosum` is still OpenSpiel's."""
    code = (
        "import pyspiel\nbefore = set(pyspiel.registered_names())\nimport zerosum.envs\n"
        "print(sorted(set(pyspiel.registered_names()) - before), sorted(before - set(pyspiel.registered_names())))\n"
        "print(pyspiel.load_game('zerosum(game=blotto())').get_type().long_name)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE, check=True, cwd="/"
    )
    assert done.stdout == "['zerosum_duel'] []\nZeroSum Blotto\n"


def test_a_game_like_another() -> None:
    rules = {"like": "sum31", "id": "sum21", "name": "Sum21", "target": 21}
    text = urlsafe_b64encode(json.dumps(rules).encode()).decode().rstrip("=")
    assert from_base64(text) == rules_of(rules)
    state = pyspiel.load_game(f"zerosum_duel(rules={text})").new_initial_state()
    assert state.drawing().endswith("Total: 0, target 21")
    with pytest.raises(RulesError, match="like: must be one of"):
        rules_of({"like": ["sum31"], "id": "x", "name": "X"})


def test_without_parameters_it_is_sum31() -> None:
    assert str(pyspiel.load_game("zerosum_duel").new_initial_state()) == "1,2,3,4,5,6,7,8,9 0 1"


@each("name", RULES)
def test_rules_are_written_and_read_back(name: str) -> None:
    text = to_base64(RULES[name])
    assert not set(text) & set(",()=+/ ")
    assert from_base64(text) == RULES[name]


@pytest.mark.parametrize("text", ["abc", "é", "bnVsbA", "eyJmb3JtYXQiOiAyfQ", "W" * 200_000])
def test_what_is_no_rules_is_refused(text: str) -> None:
    with pytest.raises(RulesError):
        from_base64(text)


def test_a_rules_file_by_its_path() -> None:
    path = Path(__file__).parents[2] / "docs" / "variants" / "sum21.toml"
    assert pyspiel.load_game("zerosum_duel", {"game": str(path)}).max_game_length() == 9


def test_a_clone_is_cheap_and_plays_on_by_itself() -> None:
    state = pyspiel.load_game("zerosum_duel(game=sum31)").new_initial_state()
    state.apply_action(4)
    other = state.clone()
    assert other.duel is state.duel  # copied by OpenSpiel, but it is a value
    other.apply_action(5)
    assert str(state) == "1,2,3,4,6,7,8,9 5 2"
    assert str(other) == "1,2,3,4,7,8,9 11 1"
    assert state.history() == [4]
    assert other.history() == [4, 5]
    assert other.observation_string(0) == "1,2,3,4,7,8,9 11 1"
    assert other.information_state_string(1) == "4, 5"
    assert "Numbers left: 1, 2, 3, 4, 7, 8, 9" in other.drawing()


def test_states_that_differ_in_who_sits_where_have_different_texts() -> None:
    state = pyspiel.load_game(name_of(RULES["duel-without-mirrors"])).new_initial_state()
    swap = state.num_distinct_actions() - 1
    for action in (2, swap):
        state.apply_action(action)
    assert state.current_player() == 0
    assert str(state).endswith(" swapped")


def test_sudden_death_without_end_is_cut_off() -> None:
    game = pyspiel.load_game(name_of(ENDLESS))
    assert game.max_game_length() == limits.MATCH_PLIES
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(0)
    assert len(state.history()) == limits.MATCH_PLIES
    assert state.returns() == [0.0, 0.0]


@pytest.mark.parametrize("name", SMALL)
def test_its_minimax_finds_our_verdict(name: str) -> None:
    rules = RULES[name]
    solution = solution_of(rules)
    value, _ = alpha_beta_search(pyspiel.load_game(name_of(rules)))
    assert value == VALUES[solution.value(solution.start).verdict]


@pytest.mark.parametrize("name", SMALL[:4])
def test_its_exploitability_of_random_play_is_ours(name: str) -> None:
    rules = RULES[name]
    game = pyspiel.load_game(name_of(rules))
    theirs = nash_conv(game, UniformRandomPolicy(game)) / 2
    assert exploitability(policy_of("random", rules).guest, rules).value == pytest.approx(theirs, abs=1e-12)
