"""HEAD is answered as GET is, without the body, on every route; `Allow` names both."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import pytest
from fastapi.routing import iter_route_contexts

from tests.each import each
from tests.security.calling import Caller, Reply, said_to, somebody
from tests.security.planted import changed
from tests.server.running import Server, served
from zerosum.server.app import make_app
from zerosum.server.settings import Settings

GENEROUS: Final = """
from zerosum.server import limits
limits.WORK = limits.TABLES = limits.SECRETS = limits.QUESTIONS = (10**9, 1e9)
"""
VALUES: Final = {"game": "sum31", "number": "1", "invitation": "0" * 28}
"""What stands for the parameters of paths; a table is made."""
VARYING: Final = ("date", "set-cookie")


def _paths() -> list[str]:
    """Return the patterns of all paths that can be got."""
    routes = iter_route_contexts(make_app(Settings(database="sqlite:///unused")).routes)
    return sorted({str(one.path) for one in routes if one.methods and "GET" in one.methods})


@pytest.fixture(scope="module")
def player() -> Iterator[Caller]:
    """Return somebody who sits at a table."""
    with served(command=changed(GENEROUS)) as server:
        yield somebody(server, "Ann")


@pytest.fixture(scope="module")
def table_id(player: Caller) -> str:
    made = player.call("POST", "/api/v1/tables", {"game": "sum31"})
    return str(made.json["state"]["table"])


def _headers(reply: Reply) -> list[tuple[str, str]]:
    return [pair for pair in reply.headers if pair[0].lower() not in VARYING]


@each("accept", ["text/html", "application/json"])
@each("pattern", [*_paths(), "/static/table.js", "/static/none", "/nowhere", "/static/table.js?v=1"])
def test_head_answers_as_get_without_the_body(player: Caller, table_id: str, pattern: str, accept: str) -> None:
    path = re.sub(r"{(\w+)[^}]*}", lambda found: {**VALUES, "table_id": table_id}.get(found[1], "1"), pattern)
    browser = player.renamed("Ann", browser=accept == "text/html")
    got = browser.call("GET", path, headers={"Accept": accept})
    asked = browser.call("HEAD", path, headers={"Accept": accept})
    assert (asked.status, asked.body) == (got.status, b"")
    if pattern == "/metrics":  # each request is counted, so its length changes
        return
    assert _headers(asked) == _headers(got)
    assert int(asked.header("content-length")) == len(got.body)


def test_a_route_without_get_has_no_head_either(player: Caller) -> None:
    asked = player.call("HEAD", "/api/v1/keys")
    assert (asked.status, asked.header("allow"), asked.body) == (405, "POST", b"")


@pytest.mark.parametrize("path", ["/", "/api/v1/games", "/healthz", "/static/table.js"])
def test_allow_names_head_beside_get(player: Caller, path: str) -> None:
    refused = player.call("DELETE", path)
    assert refused.status == 405
    assert {"GET", "HEAD"} <= set(refused.header("allow").split(", "))


def test_the_description_of_the_api_does_not_repeat_it(player: Caller) -> None:
    described = player.call("GET", "/api/v1/openapi.json").json
    assert not any("head" in methods for methods in described["paths"].values())


def test_head_counts_as_get_does() -> None:
    few = "from zerosum.server import limits\nlimits.TOO_MANY_SECONDS = 0\n"
    few += "limits.WORK, limits.SMALLEST_SHARE = (50, 1.0), 20\n"
    with served(command=changed(few)) as server:
        told = {method: _told(server, method) for method in ("GET", "HEAD")}
    assert told["GET"] == told["HEAD"] == [200, 200, 200, 200, 429, 429]


def _told(server: Server, method: str) -> list[int]:
    visitor = Caller(server, "a visitor")
    return [visitor.call(method, "/").status for _ in range(6)]


def test_a_broken_head_request_is_refused_and_leaves_no_trace_in_the_log(player: Caller) -> None:
    server = player.server
    broken = b"HEAD / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"
    said = said_to(server, broken)
    assert said.startswith(b"HTTP/1.1 ")
    assert said.endswith(b"\r\n\r\n")
    assert said.count(b"\r\n\r\n") == 1
    # One that is broken after it, on the same connection, is refused too.
    twice = said_to(server, b"HEAD /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nno HTTP\r\n\r\n")
    assert twice.count(b"HTTP/1.1 ") == 2
    assert "Traceback" not in server.log
