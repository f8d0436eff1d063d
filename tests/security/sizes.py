"""Bodies larger than the server takes, with their length said and without, to every route that takes one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fastapi.routing import iter_route_contexts

from tests.security.calling import Caller, said_to
from zerosum.server.app import make_app
from zerosum.server.settings import Settings

MOST: Final = 128 * 1024
"""What the documentation promises to take."""
_USUAL: Final = {
    "table_id": "2" * 12,
    "invitation": "0" * 28,
    "command": "move",
    "game": "sum31",
    "day": "2026-11-15",
    "code": "zzzzzz",
    "secret": "0" * 28,
    "action": "start",
    "number": "1",
    "table": "2" * 12,
}


def oversized(caller: Caller, table_id: str) -> Iterator[str]:
    """Yield the routes that do not refuse a body one byte too large, or one that does not end."""
    app = make_app(Settings("sqlite:////nowhere/nothing.sqlite3"))
    for route in iter_route_contexts(app.routes):
        if "POST" not in (route.methods or ()) or route.path == "/api/v1/keys":
            continue
        path = (route.path or "").format(**(_USUAL | {"table_id": table_id}))
        kind = "application/json" if path.startswith("/api") else "application/x-www-form-urlencoded"
        reply = caller.call("POST", path, b"a" * (MOST + 1), {"Content-Type": kind})
        if (reply.status, reply.code) != (413, "too-large-body"):
            yield f"{path}, with its length said: {reply.status}"
        answer = _endless(caller, path, kind)
        unread = "/room" in path and answer[9:12] in (b"403", b"404")  # refused before its body is read
        if not unread and (not answer.startswith(b"HTTP/1.1 411") or b'"length-needed"' not in answer):
            yield f"{path}, without a length: {answer[:60]!r}"
        within = caller.call("POST", path, b"a" * MOST, {"Content-Type": kind})
        if within.status == 413:
            yield f"{path}: a body of the largest size that is promised is refused"


def _endless(caller: Caller, path: str, kind: str) -> bytes:
    lines = [f"POST {path} HTTP/1.1", "Host: 127.0.0.1", "Transfer-Encoding: chunked", f"Content-Type: {kind}"]
    lines += [f"{name}: {value}" for name, value in caller.headers().items() if name != "Accept"]
    chunk = b"8000\r\n" + b"a" * 0x8000 + b"\r\n"
    return said_to(caller.server, "\r\n".join([*lines, "Connection: close", "", ""]).encode() + chunk * 20)
