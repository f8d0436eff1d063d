"""Screens are drawn by a host without a server, in a Python without a server's packages, locks and processes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.screens.plain_host import PlainHost
from zerosum.tables.problems import Problem

BLOCKED = (
    *("fastapi", "starlette", "pydantic", "pydantic_core", "msgspec", "sqlalchemy", "alembic", "uvicorn", "websockets"),
    *("prometheus_client", "structlog", "segno", "networkx", "click", "platformdirs", "fcntl", "msvcrt", "resource"),
)
"""What is not there in a browser, or is not for screens."""


def play_a_match(host: PlainHost) -> str:
    """Play a match against a computer by the forms of its pages alone; return the page of its end."""
    assert "Sum31" in host.visit("GET", "/").text
    address = host.send("/new", "/tables", game="sum31", opponent="level:1", name="Ann")
    for _ in range(31):
        shown = host.visit("GET", f"{address}?values=1")
        assert shown.status == 200
        if "/move" not in shown.text:
            return shown.text
        table_id = address.rpartition("/")[2]
        position = host.at(table_id).match.position
        move = position.text_of(position.legal_moves()[-1])
        address = host.send(address, "/move", move=move).partition("?")[0]
    raise AssertionError("the match does not end")


def test_a_match_is_played_without_a_server() -> None:
    host = PlainHost()
    end = play_a_match(host)
    assert " won" in end or "You win" in end
    assert "Ann" in host.visit("GET", "/return").text
    assert host.visit("GET", "/tables/table0/record").media_type == "text/plain"


def test_a_match_is_played_where_no_server_could_run() -> None:
    code = f"""
import sys, threading
for name in {BLOCKED!r}:
    sys.modules[name] = None
threading.Thread.start = None
from tests.screens.test_screens import PlainHost, play_a_match
play_a_match(PlainHost())
"""
    root = Path(__file__).resolve().parents[2]
    subprocess.run([sys.executable, "-c", code], check=True, cwd=root)


def test_a_refusal_stands_above_the_board() -> None:
    host = PlainHost()
    address = host.send("/new", "/tables", game="sum31", opponent="here")
    refused = host.visit("POST", f"{address}/move", {"version": "1", "move_id": "a", "move": "+99"}, alone=True)
    assert refused.status == 422
    assert refused.headers == {"X-Fragment": "board"}
    assert "99" in refused.text


@pytest.mark.parametrize(("query", "words"), [("match=0", "must be 1 or more"), ("match=x", "must be a whole number")])
def test_what_an_address_says_is_checked(query: str, words: str) -> None:
    host = PlainHost()
    address = host.send("/new", "/tables", game="sum31", opponent="here")
    with pytest.raises(Problem, match=words):
        host.visit("GET", f"{address}/record?{query}")
