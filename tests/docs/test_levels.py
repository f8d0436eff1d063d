"""The ladders in the documentation: their shape, and what their figures say. test_generated.py compares all figures."""

import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from tools.calls import SHARED
from tools.ladders import HEAD
from zerosum.players.levels import LEVELS
from zerosum.players.sudden_death import ERROR
from zerosum.rules.game_files import GAME_IDS, load_game

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "reference" / "levels.md").read_text(encoding="utf-8")
ROUNDING = 0.011


def block(game: str) -> str:
    return re.split(r"\n###? ", PAGE.partition(f"## {load_game(game).name}\n")[2])[0]


def rows(game: str) -> list[list[str]]:
    return [line.strip("| ").split(" | ") for line in block(game).splitlines() if line.startswith("| ")]


def scores(game: str) -> list[list[float]]:
    """Return a row for each level: below as first, as second, both; perfect as first, as second, both."""
    return [list(map(float, row[3:])) for row in rows(game)[len(HEAD) :]]


@pytest.mark.parametrize("game", GAME_IDS)
def test_the_levels_of_a_ladder_are_those_of_now(game: str) -> None:
    head, body = rows(game)[: len(HEAD)], rows(game)[len(HEAD) :]
    assert head == list(map(list, HEAD))
    expected = [[f"`level:{n}`", f"{one.sight} plies", f"{one.slip:.0%}"] for n, one in LEVELS.items()]
    assert [row[:3] for row in body] == expected, "run: make docs"


@pytest.mark.parametrize("game", GAME_IDS)
def test_figures_go_together(game: str) -> None:
    for row in scores(game):
        assert all(0 <= chance <= 100 for chance in row)
        for first, second, both in (row[:3], row[3:]):
            assert both == pytest.approx((first + second) / 2, abs=ROUNDING)


@pytest.mark.parametrize("game", GAME_IDS)
def test_against_perfect_play_the_lost_seat_scores_nothing(game: str) -> None:
    """Every game favours one seat, and perfect play in it never loses."""
    solved = (ROOT / "docs" / "games" / f"{game}.md").read_text(encoding="utf-8")
    first_wins = "\nThe first player wins, in " in solved
    assert first_wins != ("\nThe second player wins, in " in solved)
    lost = 4 if first_wins else 3
    assert {row[lost] for row in scores(game)} == {0.0}


@pytest.mark.parametrize("game", sorted({*GAME_IDS} - {"sum-to-zero"}))
def test_a_ladder_rises(game: str) -> None:
    """Each level beats the one below and does better against perfect play."""
    assert all(row[2] > 50 for row in scores(game))
    assert all(low[5] < high[5] for low, high in pairwise(scores(game)))


def test_sum_to_zero_has_no_ladder_beyond_the_third_level() -> None:
    """It is decided on the second move, which nobody misses from the third level on."""
    assert [row[4] for row in scores("sum-to-zero")[2:]] == [100.0] * 7
    assert scores("sum-to-zero")[3:] == [[0.0, 100.0, 50.0] * 2] * 6


def test_the_error_bound_is_stated() -> None:
    bound = f"Each chance is off by at most {ERROR:g}, before it is rounded here."
    for game in GAME_IDS:
        assert (bound in block(game)) == (game == "zero-sum-game")
        assert ("Every chance is exact." in block(game)) == (game != "zero-sum-game")
    assert re.search(r"off by at most 0\.0{8}1, ", " ".join(PAGE.split()))
    assert ERROR == 1e-9


def test_a_ladder_is_computed_once_by_all_processes_of_a_run(tmp_path: Path) -> None:
    env = {**os.environ, SHARED: str(tmp_path)}
    ask = [sys.executable, "-c", "from tools.ladders import document; print(document('sum31')['game'])"]

    def ask_for_it() -> str:
        return subprocess.run(ask, cwd=ROOT, env=env, capture_output=True, text=True, check=True).stdout

    assert ask_for_it() == "sum31\n"
    (kept,) = (path for path in tmp_path.iterdir() if path.suffix != ".lock")
    kept.write_text('{"game": "what the first process computed"}')
    assert ask_for_it() == "what the first process computed\n"
