"""The pictures of openings and replies: complete, true, and readable without colours."""

import re
import xml.etree.ElementTree as ET

import pytest

from tools.make_docs import drawn, made
from zerosum import Seat, load_game, start_position
from zerosum.rules.game_files import GAME_IDS
from zerosum.solver import Verdict, solve

SVG = "{http://www.w3.org/2000/svg}"


def picture(game: str) -> ET.Element:
    return ET.fromstring(drawn(f"openings-{game}.svg"))  # noqa: S314 - our own


def expected(game: str) -> list[str]:
    """Return what the cells must say, row by row, from nothing but positions and their values."""
    rules = load_game(game)
    solution = solve(rules)
    start = start_position(rules)
    cells = []
    for opening in start.legal_moves():
        after = start.play(opening)
        for reply in after.legal_moves():
            end = after.play(reply)
            if end.outcome is not None:
                cells.append("W" if end.outcome.winner is Seat.FIRST else "L")
            else:
                value = solution.value(end)
                cells.append(f"{'W' if value.verdict is Verdict.WIN else 'L'} {value.plies}")
    return cells


@pytest.mark.parametrize("game", GAME_IDS)
class TestPicture:
    def test_the_cells_say_what_is_true(self, game: str) -> None:
        texts = [one for one in picture(game).iter(f"{SVG}text") if (one.get("class") or "").endswith("-text")]
        assert [one.text for one in texts] == expected(game)
        for one in texts:
            assert str(one.text)[0] == str(one.get("class"))[0], "the letter says the same as the colour"

    def test_the_headers_are_the_moves(self, game: str) -> None:
        start = start_position(load_game(game))
        moves = [start.text_of(move).replace("-", "\N{MINUS SIGN}") for move in start.legal_moves()]
        groups = [one for one in picture(game).iter(f"{SVG}g") if one.get("class") == "text"]
        assert [[text.text for text in group] for group in groups] == [moves, moves]

    def test_it_has_a_title_and_a_description_of_every_opening(self, game: str) -> None:
        root = picture(game)
        title, description = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
        assert title is not None
        assert load_game(game).name in str(title.text)
        assert description is not None
        start = start_position(load_game(game))
        said = re.findall(r"^(\S+): (?:wins|loses) after ", str(description.text), re.MULTILINE)
        assert said == [start.text_of(move) for move in start.legal_moves()]

    def test_replies_that_end_the_match_are_marked(self, game: str) -> None:
        marks = [one for one in picture(game).iter(f"{SVG}rect") if (one.get("class") or "").endswith("-text")]
        assert len(marks) == sum(" " not in cell for cell in expected(game))

    def test_each_row_has_a_best_reply(self, game: str) -> None:
        frames = [one for one in picture(game).iter(f"{SVG}rect") if (one.get("class") or "").startswith("best ")]
        assert len({one.get("y") for one in frames}) == len(start_position(load_game(game)).legal_moves())

    def test_it_stands_on_the_page_of_the_game(self, game: str) -> None:
        assert f"](../images/openings-{game}.svg)\n" in made(f"solution {game}")

    def test_it_is_for_light_and_dark(self, game: str) -> None:
        style = picture(game).find(f"{SVG}style")
        assert style is not None
        light, _, dark = str(style.text).partition("@media (prefers-color-scheme: dark)")
        names = set(re.findall(r"\.([\w-]+) \{ (?:fill|stroke): #", light))
        assert "card" in names
        assert names == set(re.findall(r"\.([\w-]+) \{ (?:fill|stroke): #", dark))
