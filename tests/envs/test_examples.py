"""The training examples of docs/envs learn: what they end with is scored exactly, before and after."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from zerosum.arena.strength.measurement import scores_of
from zerosum.arena.strength.named_policies import policy_of
from zerosum.arena.strength.policy_tables import document_of
from zerosum.players import Player
from zerosum.rules.game_files import load_game
from zerosum.rules.position import start_position

FOLDER = Path(__file__).parents[2] / "docs" / "envs"
EXAMPLES = ("pettingzoo_self_play", "gymnasium_q_learning", "openspiel_q_learner")
LINES = 60


def _example(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _score(player: Player, game: str, folder: Path, against: str = "level:5") -> float:
    """Return the exact score of what was learned, by the file that an example writes."""
    rules, path = load_game(game), folder / "policy.json"
    path.write_text(json.dumps(document_of(player, rules)))
    (score,) = scores_of(policy_of(f"policy:{path}", rules), start_position(rules), [against]).against
    return score.average


def _self_play(episodes: int) -> Player:
    module = _example("pettingzoo_self_play")
    player: Player = module.player_of(*module.learn(episodes, "zero-sum-duel"))
    return player


def _against_level_5(episodes: int) -> Player:
    module = _example("gymnasium_q_learning")
    player: Player = module.player_of(*module.learn(episodes))
    return player


def _of_openspiel(episodes: int) -> Player:
    module = _example("openspiel_q_learner")
    player: Player = module.player_of(module.learn(episodes, "sum31"), "sum31")
    return player


@pytest.mark.slow
@pytest.mark.parametrize(
    ("learned", "game", "episodes"),
    [(_self_play, "zero-sum-duel", 20_000), (_against_level_5, "sum31", 3_000), (_of_openspiel, "sum31", 2_500)],
)
def test_they_end_above_level_5(learned: Callable[[int], Player], game: str, episodes: int, tmp_path: Path) -> None:
    """A score of a half is level 5's own: a learner begins far below it and ends above it."""
    assert _score(learned(10), game, tmp_path) < 0.35
    assert _score(learned(episodes), game, tmp_path) > 0.5


@pytest.mark.slow
@pytest.mark.full
@pytest.mark.parametrize(
    ("name", "at_least"),
    [
        ("pettingzoo_self_play", {"level:5": 85, "level:9": 51, "perfect": 50}),
        # The best response to level 5 wins 96.81 %: its exploitability is .9361.
        ("gymnasium_q_learning", {"level:5": 96.8}),
        ("openspiel_q_learner", {"level:5": 75, "level:9": 50}),
    ],
)
def test_the_whole_example(name: str, at_least: dict[str, float], tmp_path: Path) -> None:
    command = [sys.executable, str(FOLDER / f"{name}.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    scores = {line.split()[0]: float(line.split()[1]) for line in done.stdout.splitlines()}
    for who, least in at_least.items():
        assert scores[who] >= least, scores


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_they_are_short(path: Path) -> None:
    assert len(path.read_text().splitlines()) < LINES


def test_all_of_them_are_tried() -> None:
    here = {path.stem for path in FOLDER.glob("*.py") if not path.stem.startswith("batch")}
    assert here == set(EXAMPLES)
