"""Poison values get an answer with a stable code, and no match at another table notices (promises 9, 12, 13, 14)."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator

import pytest

from tests.security import poison
from tests.security.browsing import send
from tests.security.calling import Caller, said_to, somebody
from tests.security.honest import going_on
from tests.security.planted import NO_RATES, changed
from tests.security.sizes import oversized
from tests.server.running import Server, served

BREAKABLE = """
from zerosum.tables import commands
def parse_move(text, operations):
    return right(text.encode("ascii").decode(), operations)
right = commands.parse_move
commands.parse_move = parse_move
"""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with served(command=changed(NO_RATES)) as one:
        yield one


@pytest.fixture(scope="module")
def ann(server: Server) -> Caller:
    return somebody(server, "Ann")


def opened(ann: Caller, **order: object) -> str:
    table_id: str = ann.call("POST", "/api/v1/tables", {"game": "sum31", "opponent": "here", **order}).json["state"][
        "table"
    ]
    return table_id


def room_of(teacher: Caller) -> str:
    """Open a room, and return its code."""
    return str(teacher.call("POST", "/api/v1/rooms", {"game": "sum31"}).json["code"])


def test_every_member_of_every_body(server: Server, ann: Caller) -> None:
    table_id = opened(ann)
    right: dict[str, dict[str, object]] = {
        "table": {"id": table_id},
        "command": {"version": 1, "move_id": "x", "move": "+1"},
        "/api/v1/analyze": {"game": "sum31"},
        "/api/v1/tables": {"game": "sum31", "opponent": "here"},
        "/api/v1/join": {"invitation": "0" * 28},
        "/api/v1/come-back": {"code": "0" * 28},
        "room": {"code": room_of(ann)},
        "/api/v1/rooms": {"game": "sum31"},
        "/api/v1/room-link": {"secret": "0" * 28},
        "/api/v1/rooms/{code}/join": {"name": "Ben"},
        "/api/v1/rooms/{code}/pupils/{number}/rename": {"name": "Ben"},
        "/api/v1/rooms/{code}/links": {"pupil": 0},
    }
    with going_on(server):
        assert list(map(str, poison.bodies(ann, right))) == []


def test_every_parameter_of_every_path_and_query(server: Server, ann: Caller) -> None:
    table_id = opened(ann)
    browser = ann.renamed("Ann", browser=True)
    with going_on(server):
        assert list(map(str, poison.parameters(ann, table_id, room_of(ann)))) == []
        assert list(map(str, poison.parameters(browser, table_id, room_of(ann)))) == []


def test_every_field_of_every_form(server: Server, ann: Caller) -> None:
    browser = ann.renamed("Ann", browser=True)
    online = opened(ann, opponent="human")
    places = [f"/tables/{opened(ann)}", f"/tables/{online}", "/new", "/own", "/learn/sum31", "/return", "/review", "/"]
    with going_on(server):
        assert list(map(str, poison.forms(places, browser))) == []


def test_every_member_of_every_message(server: Server, ann: Caller) -> None:
    table_id = opened(ann)
    with going_on(server), ann.live(table_id) as live:
        version = live.hear()["state"]["version"]
        for what, message in poison.messages():
            live.connection.send(message)
            while (heard := live.hear())["type"] == "presence":
                pass
            assert heard["type"] == "problem", (what, message, heard)
            assert 400 <= heard["problem"]["status"] < 500, (what, message, heard)
        live.connection.send(json.dumps({"type": "ping"}))
        assert live.hear() == {"type": "pong"}
    assert ann.call("GET", f"/api/v1/tables/{table_id}").json["version"] == version


HOST = b"Host: 127.0.0.1\r\nConnection: close\r\n"
CALLS = {
    "no HTTP": (b"\0\1\2\3\r\n\r\n", b"400"),
    "HTTP/2": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"400 421"),
    "TLS": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\r\n\r\n", b"400"),
    "large header": (b"GET / HTTP/1.1\r\n" + HOST + b"X: " + b"a" * 100_000 + b"\r\n\r\n", b"431"),
    "many headers": (b"GET / HTTP/1.1\r\n" + HOST + b"X: a\r\n" * 10_000 + b"\r\n", b"431"),
    "large path": (b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n" + HOST + b"\r\n", b"431"),
    "large query": (b"GET /?" + b"a&" * 50_000 + b" HTTP/1.1\r\n" + HOST + b"\r\n", b"431"),
    "large cookie": (b"GET / HTTP/1.1\r\n" + HOST + b"Cookie: " + b"a=b;" * 30_000 + b"\r\n\r\n", b"431"),
    "negative length": (b"POST /review HTTP/1.1\r\n" + HOST + b"Content-Length: -1\r\n\r\n", b"400"),
    "length in words": (b"POST /review HTTP/1.1\r\n" + HOST + b"Content-Length: 1_0\r\n\r\n", b"400"),
    "two lengths": (b"POST /review HTTP/1.1\r\n" + HOST + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n", b"400"),
    "huge length": (b"POST /review HTTP/1.1\r\n" + HOST + b"Content-Length: 99999999999999999999\r\n\r\n", b"413"),
    "two encodings": (
        b"POST /review HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        b"400",
    ),
    "bad chunk": (b"POST /review HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n", b"400"),
    "two hosts": (b"GET / HTTP/1.1\r\n" + HOST * 2 + b"\r\n", b"400"),
    "folded header": (b"GET / HTTP/1.1\r\n" + HOST + b"X: a\r\n b\r\n\r\n", b"200"),
    "NUL in a header": (b"GET / HTTP/1.1\r\n" + HOST + b"X: a\0b\r\n\r\n", b"400"),
    "no path": (b"GET HTTP/1.1\r\n" + HOST + b"\r\n", b"400"),
    "dots": (b"GET /static/../../../etc/passwd HTTP/1.1\r\n" + HOST + b"\r\n", b"404"),
    "coded dots": (b"GET /static/%2e%2e/%2e%2e/app.py HTTP/1.1\r\n" + HOST + b"\r\n", b"404"),
    "ranges": (
        b"GET /static/style.css HTTP/1.1\r\n"
        + HOST
        + b"Connection: close\r\nRange: bytes="
        + b"0-1," * 3000
        + b"0-1\r\n\r\n",
        b"206 200 400 416",
    ),
    "upgrade of a form": (
        b"POST /tables HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
        b"400 403 405 426",
    ),
    "a handshake without a key": (
        b"GET /api/v1/tables/x/live HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
        b"400 426",
    ),
}


UNREADABLE = b"Invalid HTTP request received."


@pytest.mark.parametrize(("data", "status"), CALLS.values(), ids=CALLS)
def test_what_is_hardly_http(server: Server, data: bytes, status: bytes) -> None:
    answer = said_to(server, data)
    if answer.startswith(b"HTTP/1.1 400 Bad Request\r\n") and UNREADABLE in answer:
        return  # the server underneath has refused it
    assert answer[9:12] in status.split(), answer[:300]
    if answer[9:12] in (b"400", b"431") and b"websocket" not in data:
        assert b"application/problem+json" in answer
        assert b'"code":' in answer
    assert b"Traceback" not in answer


def test_a_body_ends_at_the_limit(ann: Caller) -> None:
    browser = ann.renamed("Ann", browser=True)
    plain = Caller(ann.server, ann.name, ann.token)  # a browser asks for pages, a program for codes
    assert list(oversized(plain, opened(ann))) == []
    assert browser.call("POST", "/tables", b"a" * 200_000).status == 413


@pytest.mark.full
def test_a_server_without_a_limit_of_size_is_found() -> None:
    with served(command=changed(NO_RATES + "limits.BODY_BYTES = 10**9\n")) as server:
        ann = somebody(server, "Ann")
        found = list(itertools.islice(oversized(ann, opened(ann)), 2))
        assert all("with its length said" in one for one in found)


@pytest.mark.parametrize(
    "charset", ["utf-16", "unicode_escape", "undefined", "punycode", "idna", "utf-7", "hex", "x" * 99]
)
def test_forms_are_taken_in_utf_8_alone(server: Server, charset: str) -> None:
    nobody = Caller(server, "nobody")
    body = b'--B\r\nContent-Disposition: form-data; name="record"\r\n\r\n\\ud800\r\n--B--\r\n'
    for path in ("/review", "/tables", "/return"):
        kind = f"multipart/form-data; boundary=B; charset={charset}"
        assert nobody.call("POST", path, body, {"Content-Type": kind}).code == "wrong-type"


def test_a_form_with_too_many_fields_is_refused(ann: Caller) -> None:
    browser = ann.renamed("Ann", browser=True)
    for path in ("/tables", "/review", "/return"):
        assert send(browser, path, {f"f{n}": "1" for n in range(5000)}).status in (400, 413)
        assert send(browser, path, {f"f{n}": "1" for n in range(1500)}, multipart=True).status in (400, 413)


@pytest.mark.full
def test_a_handler_that_breaks_on_a_value_is_found() -> None:
    with served(command=changed(NO_RATES + BREAKABLE)) as server:
        ann = somebody(server, "Ann")
        right: dict[str, dict[str, object]] = {
            "table": {"id": opened(ann)},
            "room": {"code": room_of(ann)},
            "command": {"version": 1, "move_id": "x"},
        }
        assert any("500" in str(one) for one in poison.bodies(ann, right, "/move"))
