"""How good a game is, on its page and on the form for a game of one's own: the same figures as the lab gives."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest

from tests.full import FULL
from tests.server.running import Server, served
from zerosum.lab.bundled_figures import FOLDER, bundled_figures, compute_figures
from zerosum.lab.metrics import metrics
from zerosum.rules.game_files import GAME_IDS, built_in, load_text
from zerosum.solver import solve

QUICK = ("sum31", "zero-sum-duel")
TWELVE = 'format = 1\nlike = "sum31"\nid = "twelve"\nname = "Twelve"\npool = [1, 2, 3, 4]\ntarget = 7\n'


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with served() as running:
        yield running


def get(server: Server, path: str, fields: dict[str, str] | None = None) -> str:
    body = urlencode(fields).encode() if fields is not None else None
    headers = {"Accept": "text/html", "Origin": server.url}
    with urlopen(Request(server.url + path, body, headers)) as answer:  # noqa: S310 - our own server
        return unescape(answer.read().decode())


@pytest.mark.parametrize("game", GAME_IDS if FULL else QUICK)
def test_the_figures_that_come_with_a_game_are_what_the_lab_finds(game: str) -> None:
    assert bundled_figures(built_in(game)) == json.loads(json.dumps(compute_figures(built_in(game))))


@pytest.mark.parametrize("game", GAME_IDS)
def test_every_game_has_figures_of_this_version(game: str) -> None:
    found = bundled_figures(built_in(game))
    assert found is not None, f"run tools/make_figures.py {game}"
    solution = solve(built_in(game))
    assert found["metrics"]["value"]["plies"] == solution.value(solution.start).plies


def test_nothing_else_has_such_figures() -> None:
    assert bundled_figures(load_text(TWELVE.replace("twelve", "sum31"))) is None
    assert {path.stem for path in Path(FOLDER).iterdir()} == set(GAME_IDS)


def test_the_page_of_a_game_shows_them(server: Server) -> None:
    text = get(server, "/games/sum31")
    measured = metrics(built_in("sum31"))
    assert f"the first player wins {100 * measured['first']['level:5']:.0f} %" in text
    for who, name in (("random", "Random"), ("level:9", "Level 9")):
        row = (measured["first"][who] * 100, measured["length"][who]["mean"], measured["density"][who] * 100)
        cells = "".join(f"<td>{value:.1f}</td>" for value in row)
        assert f'<th scope="row">{name}</th>{cells}' in text
    assert text.count("<figure>") >= 3
    figures = bundled_figures(built_in("sum31"))
    assert figures is not None
    for finding in figures["findings"]:
        assert finding["words"].replace("-", "−")[:40] in text.replace("-", "−")


def test_a_game_of_ones_own_is_measured_and_repaired(server: Server) -> None:
    page = get(server, "/own", {"text": TWELVE, "was": "", "do": "read"})
    assert "How good is it?" in page
    assert "Small changes" not in page
    page = get(server, "/own", {"text": TWELVE, "was": "", "do": "measure"})
    measured = metrics(load_text(TWELVE))
    assert f"the first player wins {100 * measured['first']['level:5']:.0f} %" in page
    assert "Small changes that make it better" in page
    repairs = re.findall(r'<button name="repair" value="([^"]*(?:"[^"]*"[^"]*)*?)" formaction', page)
    assert repairs
    changed = get(server, "/own", {"repair": repairs[0], "text": TWELVE, "was": ""})
    assert "Small changes" not in changed
    assert load_text(repairs[0]) != load_text(TWELVE)
    assert f"{repairs[0].strip()}</textarea>" in changed.replace("\r\n", "\n").replace("\n</textarea>", "</textarea>")


def test_a_game_too_large_to_measure_says_so(server: Server) -> None:
    large = (
        'format = 1\nid = "large"\nname = "Large"\npool = [' + ", ".join(map(str, range(1, 18))) + "]\ntarget = 77\n"
    )
    page = get(server, "/own", {"text": large, "was": "", "do": "measure"})
    assert "too many to measure here" in page
    assert '<th scope="row">Level 9</th>' not in page
