"""The training examples of docs/envs learn: what they end with is scored exactly, before and after."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tests.patience import PATIENCE
from zerosum.arena.strength.best_response import exploitability
from zerosum.arena.strength.named_policies import document_of, policy_of
from zerosum.arena.strength.policy_report import scores_of
from zerosum.players import Player
from zerosum.players.policies import MovePolicy
from zerosum.rules.game_files import load_game
from zerosum.rules.position import Position, start_position
from zerosum.solver.game_table import table_of

FOLDER = Path(__file__).parents[2] / "docs" / "envs"
EXAMPLES = ("pettingzoo_self_play", "gymnasium_q_learning", "openspiel_q_learner", "ppo", "exact_labels")
LINES = 60
LONGER = {"ppo": 190}


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


def _run_apart(code: str) -> Any:
    """Return what code prints as JSON, in a process where NumPy's threads are set as the examples set them."""
    command = [sys.executable, "-c", f"import json\n{code}"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=FOLDER, timeout=PATIENCE)
    return json.loads(done.stdout)


def test_ppo_learns_by_its_exact_curve() -> None:
    """A small part of the example: the curve rises, and the picture draws every point of it."""
    code = "import ppo\nppo.MATCHES, ppo.HIDDEN = 256, 48\n_, _, curve = ppo.train(0, rollouts=30)\n"
    curve, points = _run_apart(f"{code}print(json.dumps([curve, ppo.picture(curve).count(',')]))")
    first, last = curve[0], curve[-1]
    assert last[1] > first[1] + 0.15, curve
    assert last[2] > first[2] + 0.1, curve
    assert points >= 3 * len(curve)


@pytest.mark.full
def test_the_whole_of_ppo(tmp_path: Path) -> None:
    """A minute of the processor: at least 92 % against level 5 and 49 % against perfect play."""
    command = [sys.executable, str(FOLDER / "ppo.py"), "60", "curve.svg"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    five, perfect = (float(one) for one in re.findall(r"([\d.]+)% against", done.stdout)[:2])
    assert five >= 92, done.stdout
    assert perfect >= 49, done.stdout
    assert "<polyline" in (tmp_path / "curve.svg").read_text()


def test_exact_labels_leave_nothing_to_exploit() -> None:
    """The chances are measured again here, from what a process of its own has learned."""
    code = "import exact_labels\n_, chances, _ = exact_labels.train(0.01)\nprint(json.dumps(chances.tolist()))"
    chances, table = np.array(_run_apart(code)), table_of(load_game("sum31"))
    assert table is not None
    index = {table.position(state).key: chances[state] for state in range(table.size)}

    def ask(position: Position) -> list[float]:
        row = [index[position.key][position.rules.index_of(move)] for move in position.legal_moves()]
        return [share / sum(row) for share in row]

    assert exploitability(MovePolicy(ask, mirrors=False), table.rules).value <= 0.01


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_they_are_short(path: Path) -> None:
    assert len(path.read_text().splitlines()) < LONGER.get(path.stem, LINES)


def test_all_of_them_are_tried() -> None:
    here = {path.stem for path in FOLDER.glob("*.py") if not path.stem.startswith("batch")}
    assert here == set(EXAMPLES)
