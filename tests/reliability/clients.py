"""Clients that know what they sent and what came back, to the byte; each has an address of its own on this machine."""

from __future__ import annotations

import contextlib
import itertools
import json
import logging
import socket
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from typing import Any
from urllib.parse import urlsplit

from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import connect

from tests.patience import PATIENCE

Document = dict[str, Any]
_numbers = itertools.count()
_SILENT = logging.getLogger(f"{__name__}.websockets")
_SILENT.disabled = True  # a connection that is dropped on purpose is no error


class CutError(Exception):
    """The connection ended, or could not be made, before the answer was there."""


def address() -> str:
    """Return an address that no client has yet; rates are counted by address."""
    number = next(_numbers)
    return f"127.{1 + number // 62500 % 250}.{1 + number // 250 % 250}.{1 + number % 250}"


@dataclass(frozen=True)
class Reply:
    """An answer."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def document(self) -> Document:
        found: Document = json.loads(self.body)
        return found

    @property
    def code(self) -> str:
        """What kind of problem it is; empty where it is none."""
        return "" if self.status < 400 else str(self.document["code"])


def _connected(url: str, source: str, seconds: float) -> socket.socket:
    where = urlsplit(url)
    assert where.hostname is not None
    assert where.port is not None
    try:
        made = socket.create_connection((where.hostname, where.port), seconds, source_address=(source, 0))
    except OSError as error:
        raise CutError(f"cannot connect: {error}") from None
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return made


class Caller:
    """A client that asks over HTTP, on one connection that is kept."""

    def __init__(self, url: str, token: str = "", source: str = "", seconds: float = PATIENCE) -> None:
        self.url = url
        self.token = token
        self.source = source or address()
        self._seconds = seconds
        self._socket: socket.socket | None = None

    def __del__(self) -> None:
        """Close what nobody will ask on any more."""
        self.close()

    def call(self, method: str, path: str, document: object = None) -> Reply:
        """Ask, and return the answer; what was cut is not asked again."""
        self.send(self.request(method, path, document))
        return self.reply()

    def request(self, method: str, path: str, document: object = None) -> bytes:
        """Return a request as it goes over the wire."""
        body = b"" if document is None else json.dumps(document).encode()
        lines = [f"{method} {path} HTTP/1.1", f"Host: {urlsplit(self.url).netloc}", f"Content-Length: {len(body)}"]
        lines += ["Content-Type: application/json"] if body else []
        lines += [f"Authorization: Bearer {self.token}"] if self.token else []
        return "\r\n".join([*lines, "", ""]).encode() + body

    def send(self, data: bytes) -> None:
        """Send bytes of a request."""
        if self._socket is None:
            self._socket = _connected(self.url, self.source, self._seconds)
        try:
            self._socket.sendall(data)
        except OSError as error:
            self.close()
            raise CutError(f"cut while sending: {error}") from None

    def reply(self) -> Reply:
        """Wait for the answer to what was sent."""
        assert self._socket is not None
        response = HTTPResponse(self._socket)
        try:
            response.begin()
            body = response.read()
        except (OSError, HTTPException) as error:
            response.close()
            self.close()
            raise CutError(f"cut before the answer: {type(error).__name__}") from None
        if response.will_close:
            self.close()
        headers = {name.lower(): value for name, value in response.getheaders()}
        return Reply(response.status, headers, body)

    def close(self, *, rudely: bool = False) -> None:
        """Close the connection; rudely: with a reset, whatever was on its way."""
        closing, self._socket = self._socket, None
        if closing is not None:
            if rudely:
                closing.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            closing.close()


class Live:
    """A live connection to a table."""

    def __init__(
        self, url: str, table: str, token: str = "", since: int = 0, source: str = "", *, states: bool = True
    ) -> None:
        self.url = url
        made = _connected(url, source or address(), PATIENCE)
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._stack = contextlib.ExitStack()
        query = f"since={since}{'' if states else '&states=false'}"
        where = f"{url.replace('http', 'ws', 1)}/api/v1/tables/{table}/live?{query}"
        try:
            self._socket = self._stack.enter_context(
                connect(
                    where,
                    sock=made,
                    additional_headers=headers,
                    compression=None,
                    max_size=None,
                    max_queue=(None, None),
                    open_timeout=PATIENCE,
                    close_timeout=1,
                    ping_interval=None,
                    proxy=None,
                    logger=_SILENT,
                )
            )
        except (OSError, WebSocketException, EOFError) as error:
            made.close()
            raise CutError(f"no live connection: {type(error).__name__} {error}") from None

    def send(self, document: object) -> None:
        """Send a message."""
        try:
            self._socket.send(document if isinstance(document, str) else json.dumps(document))
        except (ConnectionClosed, OSError) as error:
            raise CutError(f"cut while sending: {type(error).__name__}") from None

    def read(self, seconds: float = PATIENCE) -> str | None:
        """Return the next message; None if there is none for so long."""
        try:
            return str(self._socket.recv(seconds, decode=True))
        except TimeoutError:
            return None
        except (ConnectionClosed, OSError) as error:
            raise CutError(f"cut while waiting: {type(error).__name__}") from None

    def next(self, *kinds: str, seconds: float = PATIENCE) -> Document:
        """Return the next message of one of some kinds."""
        while (text := self.read(seconds)) is not None:
            found: Document = json.loads(text)
            if found["type"] in kinds:
                return found
        raise CutError(f"no {' or '.join(kinds)} within {seconds} s")

    @property
    def close_code(self) -> int | None:
        """Return the code with which the connection was closed."""
        return self._socket.close_code

    def close(self) -> None:
        """Say goodbye."""
        self._stack.close()

    def drop(self) -> None:
        """Cut the connection without a word."""
        with contextlib.suppress(OSError):
            self._socket.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self._socket.socket.shutdown(socket.SHUT_RDWR)
        self._stack.close()
