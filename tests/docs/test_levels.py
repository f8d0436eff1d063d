"""The ladders in the documentation: their shape, and what their figures say."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

from tests.full import parted
from tools.ladders import HEAD
from tools.make_docs import LONG, made
from zerosum.players.levels import LEVELS
from zerosum.players.sudden_death import ERROR
from zerosum.rules.game_files import GAME_IDS, LAB_IDS, load_game

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "reference" / "levels.md").read_text(encoding="utf-8")
ROUNDING = 0.011
GAMES = parted(GAME_IDS, [game for game in GAME_IDS if f"ladder {game}" in LONG])


def ladder(game: str) -> str:
    """Return the ladder of a game as its page shows it."""
    if game not in LAB_IDS:
        return made(f"ladder {game}")
    return made("lab-ladders").partition(f"### {load_game(game).name}\n")[2].partition("\n### ")[0]


def rows(game: str) -> list[list[str]]:
    return [line.strip("| ").split(" | ") for line in ladder(game).splitlines() if line.startswith("| ")]


def scores(game: str) -> list[list[float]]:
    """Return a row for each level: below as first, as second, both; perfect as first, as second, both."""
    return [list(map(float, row[3:])) for row in rows(game)[len(HEAD) :]]


@pytest.mark.parametrize("game", GAMES)
def test_the_levels_of_a_ladder_are_those_of_now(game: str) -> None:
    head, body = rows(game)[: len(HEAD)], rows(game)[len(HEAD) :]
    assert head == list(map(list, HEAD))
    expected = [[f"`level:{n}`", f"{one.sight} plies", f"{one.slip:.0%}"] for n, one in LEVELS.items()]
    assert [row[:3] for row in body] == expected


@pytest.mark.parametrize("game", GAMES)
def test_figures_go_together(game: str) -> None:
    for row in scores(game):
        assert all(0 <= chance <= 100 for chance in row)
        for first, second, both in (row[:3], row[3:]):
            assert both == pytest.approx((first + second) / 2, abs=ROUNDING)


@pytest.mark.parametrize("game", GAMES)
def test_against_perfect_play_the_lost_seat_scores_nothing(game: str) -> None:
    """Every game favours one seat, and perfect play in it never loses."""
    solved = made(f"solution {game}")
    first_wins = solved.startswith("The first player wins, in ")
    assert first_wins != solved.startswith("The second player wins, in ")
    lost = 4 if first_wins else 3
    assert {row[lost] for row in scores(game)} == {0.0}


@pytest.mark.parametrize("game", GAMES)
def test_a_ladder_rises(game: str) -> None:
    """Each level beats the one below and does better against perfect play."""
    if game == "sum-to-zero":
        return  # the next test is about it
    assert all(row[2] > 50 for row in scores(game))
    assert all(low[5] < high[5] for low, high in pairwise(scores(game)))


@pytest.mark.full
def test_sum_to_zero_has_no_ladder_beyond_the_third_level() -> None:
    """It is decided on the second move, which nobody misses from the third level on."""
    assert [row[4] for row in scores("sum-to-zero")[2:]] == [100.0] * 7
    assert scores("sum-to-zero")[3:] == [[0.0, 100.0, 50.0] * 2] * 6


def test_every_ladder_is_on_the_page() -> None:
    blocks = [f"ladder {game}" for game in GAME_IDS if game not in LAB_IDS]
    for block in (*blocks, "lab-ladders"):
        assert f"\n```made\n{block}\n```\n" in PAGE


@pytest.mark.parametrize("game", GAMES)
def test_the_error_of_a_ladder_is_stated(game: str) -> None:
    bound = f"Each chance is off by at most {ERROR:g}, before it is rounded here."
    assert (bound in ladder(game)) == (game == "zero-sum-game")
    assert ("Every chance is exact." in ladder(game)) == (game != "zero-sum-game")


def test_the_error_bound_is_stated() -> None:
    assert re.search(r"off by at most 0\.0{8}1, ", " ".join(PAGE.split()))
    assert ERROR == 1e-9
