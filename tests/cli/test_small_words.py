"""Small words: errors that name the element or say what to write, and counts that agree with their nouns."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import Zerosum
from zerosum.base.errors import RulesError
from zerosum.coach.hints import Prospect, hint_sentences
from zerosum.players import UnknownPlayerError
from zerosum.rules.game_files import load_game, load_text
from zerosum.rules.position import start_position
from zerosum.solver import Verdict
from zerosum.strategy.card_player import PLAYERS

HEAD = 'format = 1\nid = "a"\nname = "A"\n'
RANGE = "must be a whole number from -1000000 to 1000000."
ELEMENTS = {
    'pool = [1, "2"]\ntarget = 3': f"pool: number 2 of the list, '2', {RANGE}",
    "pool = [true, 2]\ntarget = 3": f"pool: number 1 of the list, True, {RANGE}",
    "pool = [1, 2, 2.5]\ntarget = 3": f"pool: number 3 of the list, 2.5, {RANGE}",
    "pool = [1, 2000000]\ntarget = 3": f"pool: number 2 of the list, 2000000, {RANGE}",
    'pool = [1]\ntarget = 3\ntotals = "own"\nstart = [0, "x"]': f"start: number 2 of the list, 'x', {RANGE}",
}


@pytest.mark.parametrize("text", ELEMENTS)
def test_the_element_is_named(text: str) -> None:
    with pytest.raises(RulesError) as error:
        load_text(HEAD + text)
    assert str(error.value) == ELEMENTS[text]


def test_an_element_too_large_to_show() -> None:
    with pytest.raises(RulesError, match="number 1 of the list, too large to show, must be"):
        type(load_game("sum31"))(id="a", name="A", pool=(10**5000,), target=1)


@pytest.mark.parametrize("text", ["", "# nothing yet\n", 'id = "a"\n'])
def test_a_file_without_a_format_says_what_to_write(zerosum: Zerosum, tmp_path: Path, text: str) -> None:
    path = tmp_path / "empty.toml"
    path.write_text(text)
    done = zerosum("check", str(path))
    assert (done.status, done.err) == (1, f"zerosum: {path}: format: missing; write `format = 1` at the top.\n")


@pytest.mark.parametrize("name", ["level:10", "level:0", "level:", "LEVEL:12", "level:1x"])
def test_a_level_that_does_not_exist_is_no_misspelling(name: str) -> None:
    with pytest.raises(UnknownPlayerError) as error:
        PLAYERS.find(name)
    assert str(error.value).endswith("The players are human, random, level:1 to level:9, perfect and card.")


MEANT = {"leve:3": "level:3", "level3": "level:3", "Level:3": "level:3", "randm": "random"}


@pytest.mark.parametrize(("name", "meant"), MEANT.items())
def test_a_misspelling_is_still_understood(name: str, meant: str) -> None:
    with pytest.raises(UnknownPlayerError, match=f"Did you mean '{meant}'"):
        PLAYERS.find(name)


@pytest.mark.parametrize(("moves", "words"), [(2, "both of your moves win."), (3, "all of your 3 moves win.")])
def test_two_moves_are_both(moves: int, words: str) -> None:
    (told,) = hint_sentences(Prospect(Verdict.WIN, moves, moves), start_position(load_game("sum31")))
    assert told.endswith(words)


def test_one_ply(zerosum: Zerosum, tmp_path: Path) -> None:
    path = tmp_path / "one.toml"
    path.write_text(f"{HEAD}pool = [1, 2]\ntarget = 2\n")
    assert "The first player wins, in 1 ply at the latest." in zerosum("solve", str(path)).ok().out
    zerosum("prove", str(path), "--output", str(tmp_path / "proof")).ok()
    assert "The first player wins, in 1 ply at the latest." in zerosum("verify", str(tmp_path / "proof")).ok().out
