"""Calls as anybody can make them: with any header, any bytes, from any address of this machine."""

from __future__ import annotations

import hashlib
import http.client
import itertools
import json
import re
import secrets
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from websockets.sync.client import ClientConnection, connect

from tests.patience import PATIENCE
from tests.server.running import Server

UPGRADE: Final = (
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
)
"""Headers that ask for a live connection."""
COOKIE: Final = "zerosum_key"
_numbers = itertools.count(1)
_lock = threading.Lock()


def fresh_address() -> str:
    """Return an address of this machine that has not called yet, and so is at the start of every rate."""
    with _lock:
        n = next(_numbers)
    return f"127.{1 + n // 62500 % 250}.{n // 250 % 250}.{2 + n % 250}"


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    @property
    def text(self) -> str:
        """Return the body as text."""
        return self.body.decode("utf-8", "replace")

    @property
    def json(self) -> Any:
        """Return the body as what its JSON says."""
        return json.loads(self.body)

    @property
    def code(self) -> str:
        """Return the code of a problem; nothing where it is none."""
        return str(self.json["code"]) if self.header("content-type") == "application/problem+json" else ""

    def header(self, name: str) -> str:
        """Return a header, or nothing."""
        return next((value for key, value in self.headers if key.lower() == name.lower()), "")

    def everything(self) -> str:
        """Return all that was received, as text."""
        return "\n".join(f"{name}: {value}" for name, value in self.headers) + "\n\n" + self.text


Heard = Callable[["Caller", str, str], None]


def ignore(caller: Caller, what: str, heard: str) -> None:
    """Listen to nothing."""


@dataclass(frozen=True)
class Caller:
    """Somebody: with a key in a header, or as a browser with a key in a cookie, or without a key."""

    server: Server
    name: str
    token: str = ""
    browser: bool = False
    address: str = field(default_factory=fresh_address)
    heard: Heard = ignore
    """Is told of all that this one receives."""

    def headers(self) -> dict[str, str]:
        """Return what this one sends with every call."""
        if self.browser:
            mine = {"Origin": self.server.url, "Accept": "text/html"}
            return mine | {"Cookie": f"{COOKIE}={self.token}"} if self.token else mine
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def call(self, method: str, path: str, body: object = None, headers: Mapping[str, str] | None = None) -> Reply:
        """Make a call; a body that is not bytes is sent as JSON."""
        given = self.headers() | dict(headers or {})
        if body is not None and not isinstance(body, bytes):
            body, given = json.dumps(body).encode(), {"Content-Type": "application/json"} | given
        connection = http.client.HTTPConnection(
            "127.0.0.1", self.server.port, timeout=PATIENCE, source_address=(self.address, 0)
        )
        try:
            connection.request(method, path, body, given)
            response = connection.getresponse()
            reply = Reply(response.status, tuple(response.getheaders()), response.read())
        finally:
            connection.close()
        self.heard(self, f"{method} {path}", reply.everything())
        return reply

    @contextmanager
    def live(self, table_id: str, headers: Mapping[str, str] | None = None) -> Iterator[Socket]:
        """Open a live connection to a table."""
        path = f"/api/v1/tables/{table_id}/live"
        given = self.headers() | dict(headers or {})
        given.pop("Accept", None)
        plain = socket.create_connection(("127.0.0.1", self.server.port), PATIENCE, (self.address, 0))
        uri = f"ws://127.0.0.1:{self.server.port}{path}"
        patient: dict[str, Any] = {"open_timeout": PATIENCE, "ping_interval": None}
        with connect(uri, sock=plain, additional_headers=given, compression=None, proxy=None, **patient) as connection:
            yield Socket(self, path, connection)

    def renamed(self, name: str, *, token: str | None = None, browser: bool | None = None) -> Caller:
        """Return one who calls in another way."""
        key = self.token if token is None else token
        return Caller(self.server, name, key, self.browser if browser is None else browser, heard=self.heard)


@dataclass(frozen=True, slots=True)
class Socket:
    """A live connection."""

    caller: Caller
    path: str
    connection: ClientConnection

    def hear(self) -> dict[str, Any]:
        """Return the next message."""
        text = str(self.connection.recv(PATIENCE))
        self.caller.heard(self.caller, f"live {self.path}", text)
        message: dict[str, Any] = json.loads(text)
        return message

    def ask(self, message: Mapping[str, object]) -> dict[str, Any]:
        """Send a message and return its answer or problem; what else is told meanwhile is heard and passed over."""
        self.connection.send(json.dumps(message))
        while (heard := self.hear())["type"] not in ("answer", "problem", "pong"):
            pass
        return heard


def somebody(server: Server, name: str, *, browser: bool = False, heard: Heard = ignore) -> Caller:
    """Return somebody with a new key."""
    token = Caller(server, name, heard=heard).call("POST", "/api/v1/keys").json["token"]
    return Caller(server, name, token, browser, heard=heard)


def opened(server: Server, **order: object) -> tuple[Caller, str]:
    """Return somebody who has opened a table, and its id."""
    ann = somebody(server, "Ann")
    state = ann.call("POST", "/api/v1/tables", {"game": "sum31", "opponent": "here", **order}).json["state"]
    return ann, state["table"]


def new_token() -> str:
    """Return a key that nobody has."""
    return f"zs_{secrets.token_urlsafe(32)}"


def hash_of(token: str) -> str:
    """Return the hash by which the store knows a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def upgrade(table_id: str, query: str = "") -> bytes:
    """Return the request for a live connection of a spectator, for those who speak without a library."""
    lines = [f"GET /api/v1/tables/{table_id}/live{query} HTTP/1.1", "Host: 127.0.0.1", *UPGRADE, "", ""]
    return "\r\n".join(lines).encode()


def said_to(server: Server, data: bytes, *, address: str = "127.0.0.1") -> bytes:
    """Send bytes as they are and return the answer; where none comes, what came until the other side closed."""
    heard = b""
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE, (address, 0)) as plain:
        try:
            plain.sendall(data)
            while not _is_whole(heard) and (part := plain.recv(65536)):
                heard += part
        except (TimeoutError, ConnectionError):
            pass  # what was said before that counts
    return heard


def _is_whole(answer: bytes) -> bool:
    """Whether an answer has all of its head and, if its length is stated, of its body."""
    head, end, body = answer.partition(b"\r\n\r\n")
    length = re.search(rb"\r\ncontent-length: *([0-9]+)", head.lower())
    return bool(end) and (head.startswith(b"HTTP/1.1 101") or (length is not None and len(body) >= int(length[1])))
