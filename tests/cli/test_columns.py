"""Terminals of 80, 60 and 40 columns: words stay whole, columns straight, and pictures fit or give way."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.command import GAMES, Zerosum
from tests.cli.pty_play import Person
from zerosum.cli.picture import draw_match
from zerosum.cli.terminal_text import width
from zerosum.match.match import Match
from zerosum.match.new_setup import new_setup
from zerosum.rules.game_files import load_game, load_text

NARROW = 40
"""Too narrow for a picture."""
TERMINALS = (80, 60, NARROW)
NAMES = ("李小龍", "Bartholomew the Third of Nowhere")
PICTURE = frozenset("●○◎")
# The last word of each game's prompt: the words before it may stand on the line above.
PROMPTS = {
    "sum-to-zero": "number: ",
    "sequence-zero": "sequence: ",
    "zero-sum-game": "Selection: ",
    "sum31": "numbers: ",
}
FIRST = {"sum-to-zero": -9, "sequence-zero": 1, "zero-sum-game": -5, "sum31": 1}


def _fits(someone: Person) -> None:
    for line in re.split("[\r\n]+", someone.text):
        assert width(line) <= someone.columns, line


@pytest.mark.parametrize("columns", TERMINALS)
@pytest.mark.parametrize("game", PROMPTS)
def test_a_match_fits(zerosum: Zerosum, game: str, columns: int) -> None:
    """Prose, prompts, notices and pictures; the words of the rulebook are there with a picture too."""
    with Person(zerosum.command, "play", game, "--names", *NAMES, columns=columns) as someone:
        someone.sees(PROMPTS[game]).types("+5").sees(PROMPTS[game])
        turn = someone.text.rpartition("+5")[2]
        someone.types("help").sees(PROMPTS[game]).types("rules").sees(PROMPTS[game])
        for _ in range(3):
            someone.types("hint").sees(PROMPTS[game])
        someone.types("1234").sees(PROMPTS[game]).types("resign").sees("Again? ").types("n")
        assert someone.ends() == 0
        _fits(someone)
    assert PICTURE.isdisjoint(turn) is (columns == NARROW)
    # Sequence Zero lists what remains after a move, and again before the next, as its rulebook does.
    pools = re.findall(rf": \[?{FIRST[game]}[ ,]", turn)
    assert len(pools) == (2 if game == "sequence-zero" else 1), turn
    drawn = re.findall(rf"^  {FIRST[game]}  ", turn, re.MULTILINE)
    assert len(drawn) == (columns != NARROW), turn


@pytest.mark.parametrize("columns", TERMINALS)
@pytest.mark.parametrize("args", ["rules zero-sum-duel", "games", "solve sum31", "levels sum31 --full"])
def test_a_command_fits(zerosum: Zerosum, args: str, columns: int) -> None:
    with Person(zerosum.command, *args.split(), columns=columns) as someone:
        assert someone.ends() == 0
        _fits(someone)
    words = someone.text.replace("\r", "").split()
    if args.startswith(("rules", "games")):
        assert words == zerosum(*args.split()).ok().out.split()


@pytest.mark.parametrize("columns", TERMINALS)
@pytest.mark.parametrize("args", [["plya"], ["play", "nonsense"], ["play", "sum31", "--best-of", "4"], ["bad"]])
def test_an_error_fits(zerosum: Zerosum, args: list[str], columns: int) -> None:
    with Person(zerosum.command, *args, columns=columns) as someone:
        assert someone.ends() == 2
        _fits(someone)


@pytest.mark.parametrize("columns", TERMINALS)
def test_the_figures_of_a_history_stand_below_each_other(zerosum: Zerosum, tmp_path: Path, columns: int) -> None:
    for number, name in enumerate(("数字の決闘", "A game with a very long name, as long as names may be")):
        variant = tmp_path / f"variant-{number}.toml"
        variant.write_text(f'like = "sum31"\nid = "variant-{number}"\nname = "{name}"\n', encoding="utf-8")
        zerosum("play", str(variant), "--vs", "random", "--seed", "1", stdin="5\nresign\n").ok()
    with Person(zerosum.command, "stats", columns=columns) as someone:
        assert someone.ends() == 0
        _fits(someone)
    rows = [line.rstrip() for line in someone.text.replace("\r", "").split("\n") if re.search(r"random +\d", line)]
    assert len(rows) == 2
    assert len({width(row.partition("random")[0]) for row in rows}) == 1, rows
    assert len({width(row) for row in rows}) == 1, rows


def _drawn(match: Match, columns: int) -> list[str]:
    return ["".join(text for text, _ in line) for line in draw_match(match, columns)]


@pytest.mark.parametrize("columns", [50, 60, 80, 200])
@pytest.mark.parametrize("game", GAMES)
def test_a_picture_scales_and_its_gauges_stand_below_each_other(game: str, columns: int) -> None:
    match = Match.begin(new_setup(load_game(game), names=NAMES))
    for _ in range(3):
        match = match.after(match.position.legal_moves()[-1])
    lines = _drawn(match, columns)
    assert max(map(width, lines)) <= min(columns, 79)
    gauges = [line for line in lines if not PICTURE.isdisjoint(line)]
    assert len({width(re.split("[●○◎·]", line)[0]) for line in gauges}) == 1, gauges
    assert len({len(re.findall("[●○◎·─]", line)) for line in gauges}) == 1, gauges


def test_a_large_pool_takes_several_lines() -> None:
    numbers = ", ".join(str(1_000_000 - n) for n in range(64))
    text = f'format = 1\nid = "huge"\nname = "Huge"\npool = [{numbers}]\ntarget = -1000000\n'
    for columns in (50, 80):
        lines = _drawn(Match.begin(new_setup(load_text(text))), columns)
        assert max(map(width, lines)) <= columns
        assert sum(line.count("9999") for line in lines) >= 60


def test_after_control_z_and_fg_the_prompt_is_there(zerosum: Zerosum) -> None:
    """With what was typed behind it."""
    with Person(["bash", "--norc", "--noprofile", "-i"], PS1="shell> ") as someone:
        someone.sees("shell> ").types(f"{zerosum.command[0]} play sum31 --plain").sees("available numbers: ")
        someone.presses("1").sees("1").presses("\x1a").sees("Stopped").sees("shell> ").types("fg")
        someone.sees("play sum31").sees("Enter a number from the available numbers: 1")
        someone.presses("\x7f8\r").sees("Total is now 8").sees("available numbers: ").types("quit").sees("shell> ")
        someone.types("exit")
        assert someone.ends() == 0
