"""The application in this very process: requests without a network, so that work can be counted."""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, TypeVar
from urllib.parse import urlencode

from fastapi import FastAPI

from zerosum.server.app import make_app
from zerosum.server.db.engine import read_url
from zerosum.server.db.upgrade import upgrade
from zerosum.server.settings import Settings, sqlite_url

T = TypeVar("T")


class Inside:
    """A client of an application in this process; its cookies are kept, as a browser's are."""

    def __init__(self, app: FastAPI, address: str = "127.0.0.1") -> None:
        self.app = app
        self.address = address
        self.cookies: dict[str, str] = {}
        self.fragments = False
        """Whether the script of a page asks, which gets boards alone."""

    async def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        form: bool = False,
        token: str = "",
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        """Send a request; `body` is JSON, or the fields of a form."""
        return await self._call(method, path, body, form=form, token=token, more=headers or {})

    async def _call(
        self, method: str, path: str, body: Any, *, form: bool, token: str, more: Mapping[str, str]
    ) -> Reply:
        content = b""
        headers = [("host", "127.0.0.1:8031"), ("origin", "http://127.0.0.1:8031"), *more.items()]
        if body is not None:
            kind = "application/x-www-form-urlencoded" if form else "application/json"
            content = (urlencode(body) if form else json.dumps(body)).encode()
            headers += [("content-type", kind), ("content-length", str(len(content)))]
        if self.fragments:
            headers.append(("x-fragment", "board"))
        if token:
            headers.append(("authorization", f"Bearer {token}"))
        if self.cookies:
            headers.append(("cookie", "; ".join(f"{name}={value}" for name, value in self.cookies.items())))
        reply = await self._exchange(method, path, headers, content)
        for name, value in reply.headers:
            if name == b"set-cookie":
                key, _, kept = value.decode().partition(";")[0].partition("=")
                self.cookies[key] = kept
        return reply

    async def _exchange(self, method: str, path: str, headers: list[tuple[str, str]], content: bytes) -> Reply:
        path, _, query = path.partition("?")
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(name.encode(), value.encode()) for name, value in headers],
            "client": (self.address, 1),
            "server": ("127.0.0.1", 8031),
        }
        sent: list[dict[str, Any]] = []
        requests = iter([{"type": "http.request", "body": content, "more_body": False}])

        async def receive() -> dict[str, Any]:
            found = next(requests, None)
            if found is None:
                await asyncio.sleep(3600)
            return found or {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(dict(message))

        await self.app(scope, receive, send)
        start = next(one for one in sent if one["type"] == "http.response.start")
        body = b"".join(one.get("body", b"") for one in sent if one["type"] == "http.response.body")
        return Reply(start["status"], list(start["headers"]), body)


class Reply:
    """An answer."""

    def __init__(self, status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> None:
        self.status = status
        self.headers = headers
        self.body = body

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def inside(folder: Path, talk: Callable[[FastAPI], Awaitable[T]]) -> T:
    """Return what comes of talking to a new application with a database of its own."""
    database = sqlite_url(str(folder / "tables.sqlite3"))
    upgrade(read_url(database))

    async def run() -> T:
        app = make_app(Settings(database))
        async with app.router.lifespan_context(app):
            return await talk(app)

    return asyncio.run(run())


@contextmanager
def counted(*functions: Any) -> Iterator[Counter[str]]:
    """Count how often functions are called in this thread meanwhile, whoever calls them by whatever name."""
    names: dict[CodeType, str] = {one.__code__: one.__qualname__ for one in functions}
    calls: Counter[str] = Counter()
    seen: set[FrameType] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        # A coroutine that goes on after a wait is the same frame again.
        if event == "call" and frame.f_code in names and frame not in seen:
            seen.add(frame)
            calls[names[frame.f_code]] += 1

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield calls
    finally:
        sys.setprofile(before)
