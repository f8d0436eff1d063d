"""The example of docs/batch.md learns: run as a reader runs it, and measured by the command."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.cli.command import Zerosum
from tests.conftest import ROOT
from tests.patience import PATIENCE

EXAMPLE = ROOT / "docs/envs/batch_q_learning.py"


def test_the_q_learner_ends_above_level_5_by_exact_score(tmp_path: Path, zerosum: Zerosum) -> None:
    policy = tmp_path / "learned.json"
    ran = subprocess.run(
        (sys.executable, EXAMPLE, "1000", policy), capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert ran.returncode == 0, ran.stderr
    told = {line.split()[0]: float(line.split()[1]) for line in ran.stdout.splitlines()}
    measured = zerosum("measure", "policy", f"policy:{policy}", "--game", "sum31", "--json").ok().json()
    scores = {one["who"]: (one["as_first"] + one["as_second"]) / 2 for one in measured["against"]}
    assert told == {who: round(100 * score, 2) for who, score in scores.items()}
    assert scores["level:5"] > 0.6, "level 5 itself has 0.5"
    assert scores["level:1"] > 0.9


def test_the_example_is_short() -> None:
    assert len(EXAMPLE.read_text().splitlines()) < 60
