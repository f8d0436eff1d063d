"""Screens are drawn by a host without a server, where there are no packages, locks, threads or processes of one."""

from __future__ import annotations

import re
import subprocess
import sys
from html import unescape
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.screens.plain_browser import PlainBrowser
from zerosum.coach.daily import TRIES
from zerosum.tables.problems import Problem

BLOCKED = (
    *("fastapi", "starlette", "pydantic", "pydantic_core", "msgspec", "sqlalchemy", "alembic", "uvicorn", "websockets"),
    *("prometheus_client", "structlog", "segno", "networkx", "click", "platformdirs", "fcntl", "msvcrt", "resource"),
    *("multiprocessing", "_multiprocessing", "zerosum.lab", "zerosum.server"),
)
"""What is not there in a browser, or is not for screens."""


def _moves(ann: PlainBrowser, action: str) -> list[str]:
    return [move for name, move in ann.form(action).buttons if name == "move"]


def _like(ann: PlainBrowser) -> PlainBrowser:
    """Return another tab."""
    return PlainBrowser(ann.host, dict(ann.cookies), ann.at, ann.page)


def _play_on(ann: PlainBrowser, table: str) -> None:
    for _ in range(31):
        if "/move" not in ann.visit(f"{table}?values=1"):
            break
        ann.visit(table)
        position = ann.host.sights[table.rpartition("/")[2]].table.match.position
        ann.press("/move", move=position.text_of(position.legal_moves()[-1]))
    assert " won" in ann.page or "You win" in ann.page


def play_a_match(ann: PlainBrowser) -> None:
    """Play a match against a computer by the forms of its pages alone, and look at all that follows it."""
    assert "Sum31" in ann.visit("/")
    ann.visit("/new")
    ann.press("/tables", game="sum31", opponent="level:1", name="Ann")
    table = ann.at
    _play_on(ann, table)
    assert "Ann" in ann.visit("/return")
    assert "Turning points" in ann.visit(f"{table}/review")
    assert "Sum31: win as" in ann.visit(f"{table}/lesson")
    assert "Sum31" in ann.visit(f"{table}/projector")
    record = ann.answer("GET", f"{table}/record")
    assert record.media_type == "text/plain"
    ann.visit("/review")
    assert "Turning points" in ann.press("/review", record=record.text)


def learn_a_step(ann: PlainBrowser) -> None:
    """Answer exercises of a course at the first try until a step of it is learnt; another browser tries them out."""
    assert "Sum31" in ann.visit("/learn")
    path = "/learn/sum31"
    assert "An example" in ann.visit(path)
    for _ in range(20):
        ann.visit(f"{path}?show=exercise")
        tried = {move: _like(ann).press(path, move=move) for move in _moves(ann, path)}
        ann.press(path, move=next(move for move, page in tried.items() if "Right." in page))
        if "is learnt." in ann.page:
            break
    assert "Step 1 is learnt." in ann.page
    assert "Step 2" in ann.visit(path)
    assert "Step 1" in PlainBrowser().visit(path)


def solve_a_puzzle(ann: PlainBrowser) -> None:
    """Find the move of a puzzle, with all the tries that there are."""
    links = re.findall('href="(/games/sum31/puzzle[?][^"]+)"', ann.visit("/games/sum31/puzzles?set=2"))
    assert len(links) == 12
    address = unescape(links[0])
    assert "Which move wins?" in ann.visit(address)
    verdicts = {move: ann.visit(f"{address}&move={move.replace('+', '%2B')}") for move in _moves(ann, "/puzzle")}
    right = {move for move, page in verdicts.items() if "3 of 3 points" in page}
    assert right < verdicts.keys()
    wrong = min(verdicts.keys() - right)
    ann.visit(address)
    assert "Two tries left." in ann.press("/puzzle", move=wrong)
    assert "2 of 3 points" in ann.press("/puzzle", move=min(right))


def play_the_daily(ann: PlainBrowser) -> None:
    """Play the daily to its end, with the first move of every position, while another tab shows its beginning."""
    ann.visit("/puzzles")
    ann.visit("/puzzles/daily")
    action = ann.at
    assert f"Try 1 of {TRIES}" in ann.page
    other = _like(ann)
    while 'name="move"' in ann.page:
        ann.press(action, move=_moves(ann, action)[0])
    assert "Your result, to share" in ann.page
    reached = ann.page
    other.press(action, move=_moves(other, action)[-1])
    assert ann.visit(action) == reached, "of two tabs the first counts"


def make_a_game(ann: PlainBrowser) -> None:
    """Change a game until it is another, look how good it is and what would make it even, then play it."""
    ann.visit("/own?like=sum31")
    assert "is not a whole number" in ann.press("/own", do="write", target="many")
    assert "3 of 5 openings win" in ann.press("/own", do="write", name="Mine", target="9", pool="1, 2, 3, 4, 5")
    assert "When both play perfectly the first player wins" in ann.page
    rules = ann.form("/own").fields["text"]
    assert "What the audit finds" in ann.press("/own", do="measure")
    assert "Between two players of level 5 the first player wins 85" in ann.page
    assert "games near this one were tried" in ann.press("/own", do="even")
    ann.visit(f"/own?{urlencode({'rules': rules})}")
    ann.press("/own", do="play", opponent="level:1", first="me", player="Ann")
    _play_on(ann, ann.at)
    assert "Mine" in ann.page


PLAYED = (play_a_match, learn_a_step, solve_a_puzzle, play_the_daily)


@pytest.mark.parametrize("play", [*PLAYED, make_a_game])
def test_it_is_played_without_a_server(play: object) -> None:
    assert callable(play)
    play(PlainBrowser())


def test_it_is_played_where_no_server_could_run() -> None:
    code = f"""
import sys, threading
for name in {BLOCKED!r}:
    sys.modules[name] = None
def refuse(*_):
    raise RuntimeError("can't start new thread")
threading.Thread.start = refuse
from tests.screens.test_screens import PLAYED, PlainBrowser, make_a_game
for play in PLAYED:
    play(PlainBrowser())
del sys.modules["zerosum.lab"]  # the host measures games with it
make_a_game(PlainBrowser())
"""
    root = Path(__file__).resolve().parents[2]
    subprocess.run([sys.executable, "-c", code], check=True, cwd=root)


def test_a_refusal_stands_above_the_board() -> None:
    ann = PlainBrowser()
    ann.visit("/new")
    ann.press("/tables", game="sum31", opponent="here")
    refused = ann.answer("POST", f"{ann.at}/move", {"version": "1", "move_id": "a", "move": "+99"}, alone=True)
    assert refused.status == 422
    assert refused.headers == {"X-Fragment": "board"}
    assert "99" in refused.text


@pytest.mark.parametrize(("query", "words"), [("match=0", "must be 1 or more"), ("match=x", "must be a whole number")])
def test_what_an_address_says_is_checked(query: str, words: str) -> None:
    with pytest.raises(Problem, match=words):
        PlainBrowser().visit(f"/tables/any/record?{query}")


@pytest.mark.parametrize("address", ["/join/abc", "/room"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_nobody_comes_from_elsewhere(method: str, address: str) -> None:
    with pytest.raises(Problem, match="nothing here"):
        PlainBrowser().answer(method, address)
