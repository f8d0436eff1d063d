"""How good a game is, on its page and on the form for a game of one's own: the same figures as the lab gives."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest

from tests.full import FULL
from tests.lab.inline import inline
from tests.server.running import Server, served
from zerosum.coach.bundled import FOLDER, bundled_figures
from zerosum.coach.evenness import even_words
from zerosum.lab.audit import compute_figures
from zerosum.lab.goals import goal_named
from zerosum.lab.metrics import is_whole, metrics
from zerosum.lab.repair import edited, repair, repair_words
from zerosum.lab.store import open_store
from zerosum.rules.game_files import GAME_IDS, built_in, load_text
from zerosum.screens.game_quality import MADE_EVEN
from zerosum.solver import solve

QUICK = ("sum31", "zero-sum-duel")
TWELVE = 'format = 1\nlike = "sum31"\nid = "twelve"\nname = "Twelve"\npool = [1, 2, 3, 4]\ntarget = 7\n'


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with served() as running:
        yield running


def get(server: Server, path: str, fields: dict[str, str] | None = None, *, unescaped: bool = True) -> str:
    body = urlencode(fields).encode() if fields is not None else None
    headers = {"Accept": "text/html", "Origin": server.url}
    with urlopen(Request(server.url + path, body, headers)) as answer:  # noqa: S310 - our own server
        text: str = answer.read().decode()
    return unescape(text) if unescaped else text


@pytest.mark.parametrize("game", GAME_IDS if FULL else QUICK)
def test_the_figures_that_come_with_a_game_are_what_the_lab_finds(game: str) -> None:
    assert bundled_figures(built_in(game)) == json.loads(json.dumps(compute_figures(built_in(game))))


@pytest.mark.parametrize("game", GAME_IDS)
def test_every_game_has_figures_of_this_version(game: str) -> None:
    found = bundled_figures(built_in(game))
    assert found is not None, f"run tools/make_figures.py {game}"
    assert is_whole(found["metrics"])
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


def test_both_seats_are_offered_where_the_seat_decides(server: Server) -> None:
    offered = '<a href="/new?game={}&best_of=2">Play one match from each seat</a>: any game is even this way.'
    decided = [game for game in QUICK if offered.format(game) in get(server, f"/games/{game}")]
    found = {game: bundled_figures(built_in(game)) for game in QUICK}
    said = [game for game, one in found.items() if one and any(each["kind"] == "seat" for each in one["findings"])]
    assert decided == said == ["zero-sum-duel"]


def test_a_game_of_ones_own_is_measured(server: Server) -> None:
    page = get(server, "/own", {"text": TWELVE, "was": "", "do": "read"})
    assert "How good is it?</button>" in page
    measured = metrics(load_text(TWELVE))
    for who in ("random", "level:5", "level:9"):  # the bars, while it is typed
        assert f"{who.removeprefix('level:').replace('random', 'R')}: {100 * measured['first'][who]:.1f} %" in page
    assert f"Between equals it is {even_words(measured['even_to'])}" in page
    page = get(server, "/own", {"text": TWELVE, "was": "", "do": "measure"})
    assert f"the first player wins {100 * measured['first']['level:5']:.0f} %" in page


def _buttons(page: str) -> list[str]:
    """Return the rules behind the buttons that change them."""
    return [unescape(text) for text in re.findall(r'<button name="repair" value="([^"]*)"', page)]


def test_a_game_is_made_even_at_once_without_a_script(server: Server, tmp_path: Path) -> None:
    text = Path("docs/variants/ferry.toml").read_text(encoding="utf-8")
    page = get(server, "/own", {"text": text, "was": "", "do": "even"}, unescaped=False)
    ferry = load_text(text)
    with open_store(tmp_path) as store:
        best = repair(ferry, goal_named("even"), 2, 3, store=store, evaluate=inline).found[0]
    assert f"Now it is even.</b> {repair_words(ferry, best.edited, best.document)}" in page.replace("\u2212", "-")
    assert 'name="target" value="24"' in page
    (undo,) = _buttons(page)
    assert load_text(undo) == ferry
    # What nobody wrote is still unwritten.
    shown = re.search(r'<textarea id="own-text"[^>]*>\n(.*?)</textarea>', page, re.DOTALL)
    assert shown is not None
    assert set(tomllib.loads(unescape(shown[1]))) == {"format", "id", "name", "pool", "target", "overshoot"}


def test_the_games_near_it_are_tried_a_few_at_a_time(server: Server) -> None:
    """Each request asks the worker once and says how far it is; the last has the answer of all of them."""
    said = []
    for _ in range(100):
        page = get(server, "/own/check", {"text": TWELVE, "was": "", "do": "even"})
        said += re.findall(r"([0-9,]+) of ([0-9,]+) games near this one tried", page)
        if "data-going" not in page:
            break
    near = [len(games) for games in edited(load_text(TWELVE), 2)]
    assert said == sorted(said, key=lambda one: int(one[0]))
    assert {int(total) for _, total in said} == {near[0], sum(near)}
    assert f"{sum(near)} games near this one were tried, and none is good and even up to level 7." in page
    # Asked again, all is known.
    assert "data-going" not in get(server, "/own/check", {"text": TWELVE, "was": "", "do": "even"})


def test_a_form_that_leaves_a_rule_at_its_default_has_not_written_it(server: Server) -> None:
    fields = {"name": "F", "pool": "-4 -2 1 2 3 5 5 6 7 8", "target": "20", "start": "0", "passing": "1"}
    for like in ("", "sum31"):
        page = get(server, "/own", {**fields, "like": like, "ends": "last-mover", "do": "even"})
        assert "Now it is even." in page
        assert 'name="target" value="24"' in page


def test_a_link_opens_exactly_these_rules(server: Server) -> None:
    text = TWELVE.replace("Twelve", "Zw\u00f6lf & <b>").replace("target = 7", "target = -7\nswap = true")
    page = get(server, "/own", {"text": text, "was": "", "do": "read"}, unescaped=False)
    link = unescape(re.findall(r'id="own-link"[^>]*value="([^"]*)"', page)[0])
    assert link.startswith(f"{server.url}/own?rules=")
    assert link.partition("?")[2].split("&")[0] == link.partition("?")[2]  # nothing but the rules
    opened = get(server, link.removeprefix(server.url), unescaped=False)
    shown = re.search(r'<textarea id="own-text"[^>]*>\n(.*?)</textarea>', opened, re.DOTALL)
    assert shown is not None
    assert unescape(shown[1]).replace("\r\n", "\n") == text
    assert 'name="target" value="-7"' in opened
    assert "<b>" not in opened.partition('id="own-name"')[2][:60]


def test_a_link_with_wrong_or_long_rules_says_so(server: Server) -> None:
    for rules, said in (("format = 1\nid = 3", "id"), ("x" * 4_001, "4,000")):
        with pytest.raises(HTTPError) as caught:
            get(server, f"/own?{urlencode({'rules': rules})}")
        assert caught.value.code == 422
        assert said in caught.value.read().decode()
    page = get(server, "/own", {"text": TWELVE + "#" * 4_000, "was": "", "do": "read"})
    assert 'id="own-link"' not in page


def test_a_game_too_large_to_measure_says_so(server: Server) -> None:
    large = (
        'format = 1\nid = "large"\nname = "Large"\npool = [' + ", ".join(map(str, range(1, 18))) + "]\ntarget = 77\n"
    )
    page = get(server, "/own", {"text": large, "was": "", "do": "measure"})
    assert "too many to measure here" in page
    assert '<th scope="row">Level 9</th>' not in page


def test_a_page_makes_games_even_up_to_the_level_of_the_goal() -> None:
    (line,) = (bound for bound in goal_named("even").bounds if bound.path == "even_to")
    assert line.least == MADE_EVEN
