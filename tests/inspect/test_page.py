"""What docs/inspect.md says: its figures, its options, and that the models it names are there."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest
from inspect_ai import eval as run
from inspect_ai.model import get_model

from zerosum.exam.inspect_tasks import matches, positions
from zerosum.strategy.card_player import PLAYERS

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "inspect.md").read_text(encoding="utf-8")


def test_the_figures_are_those_of_a_run() -> None:
    (block,) = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
    (log,) = run("zerosum/matches", model="zerosum/level-7", task_args={"pairs": 20}, display="none")
    assert "--model zerosum/level-7 -T pairs=20`:" in PAGE
    assert log.results is not None
    (score,) = log.results.scores
    assert [line.split() for line in block.splitlines()] == [
        [name, f"{one.value:.3f}"] for name, one in score.metrics.items()
    ]


@pytest.mark.parametrize("task", [positions, matches])
def test_every_option_is_in_a_table_with_its_default(task: object) -> None:
    assert callable(task)
    for name, option in inspect.signature(task).parameters.items():
        (row,) = re.findall(rf"^\| `{name}` \|.*\|(.*)\|$", PAGE, re.MULTILINE)
        shown = row.strip().strip("`")
        assert shown == (str(option.default).lower() if isinstance(option.default, bool) else str(option.default)), name


def test_every_player_is_a_model() -> None:
    for player in PLAYERS:
        model = f"zerosum/{player.name.replace(':', '-')}"
        assert str(get_model(model)) == model
        if not re.search(r"level-[2-8]", model):
            assert f"`{model}`" in PAGE
