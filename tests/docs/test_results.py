"""The table of results: what is kept in its file is what is computed anew, and what it says makes sense."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import Zerosum
from tests.full import parted
from tests.patience import PATIENCE
from tools import results
from zerosum.exam.draw_items import PUBLIC_SHA256, public_set
from zerosum.exam.items import Item
from zerosum.players.levels import STRENGTHS
from zerosum.solver import solution_of

KEPT = json.loads(results.FILE.read_text(encoding="utf-8"))
PLAYERS: dict[str, Any] = KEPT["players"]


@pytest.fixture(scope="module")
def items() -> tuple[Item, ...]:
    return public_set().items


def test_the_results_are_of_the_public_set() -> None:
    assert KEPT["sha256"] == PUBLIC_SHA256
    assert list(PLAYERS) == [*STRENGTHS, "card", "Q-learner", "nearest", "hasty"]


def verdicts(item: Item) -> dict[str, str]:
    """Return the verdict of each legal move of an item, by its text as it is shown."""
    return {item.text_of(one.move): one.value.verdict for one in solution_of(item.origin).options(item.position)}


def kept_plainly(item: Item, reply: str) -> bool:
    """Whether a reply whose last line names a move keeps the verdict: the definition, without the grader."""
    move = reply.splitlines()[-1].removeprefix("MOVE: ")
    found = verdicts(item)
    best = "win" if "win" in found.values() else "draw" if "draw" in found.values() else "loss"
    return found.get(move) == best


@pytest.mark.parametrize("who", parted(["random", "level:5", "card", "Q-learner", "nearest", "hasty"], ["card"]))
def test_what_is_kept_of_sum31_is_as_it_is_shown(who: str, items: tuple[Item, ...]) -> None:
    own = [item for item in items if item.game == "sum31"]
    reply = results.players()[who]
    found = results.result(reply, own)["games"]["sum31"]
    assert found == PLAYERS[who]["games"]["sum31"]
    real = [item for item in own if len(set(verdicts(item).values())) > 1]
    assert found["kept"] == round(sum(kept_plainly(item, reply(item)) for item in real) / len(real), results.PLACES)


@pytest.mark.full
def test_everything_is_as_it_is_shown() -> None:
    assert results.document() == KEPT


@pytest.mark.full
@pytest.mark.parametrize("who", ["level:5", "hasty"])
def test_the_command_scores_the_same(who: str, items: tuple[Item, ...], tmp_path: Path, zerosum: Zerosum) -> None:
    replies = tmp_path / "replies.jsonl"
    reply = results.players()[who]
    replies.write_text("".join(json.dumps({"id": item.id, "reply": reply(item)}) + "\n" for item in items))
    found = zerosum("exam", "score", "public", str(replies), "--json").ok().json()
    keys = ("kept", "kept_low", "kept_high", "skill")
    assert {key: round(found[key], results.PLACES) for key in keys} == {key: PLAYERS[who][key] for key in keys}


def test_the_table_makes_sense() -> None:
    averages = [PLAYERS[who]["exactly"] for who in STRENGTHS]
    assert averages == sorted(averages)
    assert averages[-1] == PLAYERS["perfect"]["kept"] == PLAYERS["perfect"]["skill"] == 1
    for who, one in PLAYERS.items():
        assert one["kept_low"] <= one["kept"] <= one["kept_high"], who
        if one["exactly"] is not None:
            assert one["kept_low"] <= one["exactly"] <= one["kept_high"], f"{who} strays far from its average"
        assert one["illegal"] + one["unreadable"] == 0 or who == "hasty"
    for number in range(1, 10):
        _, low, high = results.level_of(PLAYERS[f"level:{number}"])
        assert low <= number <= high
    assert PLAYERS["Q-learner"]["games"]["sum31"]["kept"] > PLAYERS["level:5"]["games"]["sum31"]["kept"]
    assert PLAYERS["hasty"]["illegal"] > 20
    assert PLAYERS["hasty"]["unreadable"] > 20


@pytest.mark.parametrize("name", results.MODELS)
def test_a_scripted_model_is_a_command_that_reads_a_prompt(name: str, items: tuple[Item, ...]) -> None:
    for item in items[5::160]:
        prompt = item.prompt()
        ran = subprocess.run(
            (sys.executable, results.ROOT / "docs" / "models" / f"{name}.py"),
            input=prompt, capture_output=True, text=True, timeout=PATIENCE, check=True,
        )  # fmt: skip
        assert ran.stdout == results.by_script(name)(item) + "\n"
