"""Client connections over WebSocket or bare lines, in as few steps as asyncio allows: they share the machine."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Callable
from typing import Final, cast

Hear = Callable[[bytes], None]
_TEXT, _CLOSE, _PING, _PONG = 0x1, 0x8, 0x9, 0xA
_FINAL: Final = 0x80
_SHORT: Final = 126
# Masking with zeros is masking too, and leaves every byte as it is.
_MASKED: Final = 0x80
_MASK: Final = bytes(4)


class Lines(asyncio.Protocol):
    """A connection whose messages are lines."""

    def __init__(self, hear: Hear) -> None:
        self._hear = hear
        self._unread = b""
        self._transport: asyncio.Transport | None = None
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.lost: str | None = None
        """Why the connection is no more."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        self._transport = cast("asyncio.Transport", transport)
        self.opened.set_result(None)

    def data_received(self, data: bytes) -> None:
        """Hand over every whole message."""
        *messages, self._unread = (self._unread + data).split(b"\n")
        for message in messages:
            self._hear(message)

    def connection_lost(self, exc: Exception | None) -> None:
        """Note the end."""
        self.lost = self.lost or repr(exc)
        if not self.opened.done():
            self.opened.set_exception(ConnectionError(self.lost))

    def send(self, message: bytes) -> None:
        """Send a message."""
        self._write(message + b"\n")

    def close(self) -> None:
        """End the connection."""
        if self._transport is not None:
            self.lost = self.lost or "closed here"
            self._transport.close()

    def _write(self, data: bytes) -> None:
        if self._transport is not None and self.lost is None:
            self._transport.write(data)


class Socket(Lines):
    """A connection over WebSocket."""

    def __init__(self, hear: Hear, request: bytes) -> None:
        super().__init__(hear)
        self._request = request

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the WebSocket."""
        self._transport = cast("asyncio.Transport", transport)
        self._transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        """Hand over every whole message."""
        unread = self._unread + data if self._unread else data
        at = 0
        if not self.opened.done():
            head, found, _ = unread.partition(b"\r\n\r\n")
            if found:
                at = len(head + found)
                self._answered(head)
        if self.opened.done():
            while (after := self._frame(unread, at)) != at:
                at = after
        self._unread = unread[at:]

    def _answered(self, head: bytes) -> None:
        if head.startswith(b"HTTP/1.1 101 "):
            self.opened.set_result(None)
        else:
            self.opened.set_exception(ConnectionError(head.decode(errors="replace")))

    def _frame(self, data: bytes, at: int) -> int:
        """Read the frame that begins at `at`, and return where it ends; `at` again if it is not all there."""
        if len(data) < at + 2:
            return at
        size, begin = data[at + 1], at + 2
        if size >= _SHORT:
            width = 2 if size == _SHORT else 8
            size, begin = int.from_bytes(data[begin : begin + width]), begin + width
        end = begin + size
        if len(data) < end:
            return at
        self._take(data[at] & 0xF, data[begin:end])
        return end

    def _take(self, kind: int, message: bytes) -> None:
        if kind == _TEXT:
            self._hear(message)
        elif kind == _PING:
            self._send(_PONG, message)
        elif kind == _CLOSE:
            self.lost = self.lost or f"closed by the server: {message!r}"

    def send(self, message: bytes) -> None:
        """Send a message."""
        self._send(_TEXT, message)

    def _send(self, kind: int, message: bytes) -> None:
        size = len(message)
        if size < _SHORT:
            head = bytes((_FINAL | kind, _MASKED | size))
        else:
            head = struct.pack(">BBH", _FINAL | kind, _MASKED | _SHORT, size)
        self._write(head + _MASK + message)


def asking(path: str, port: int, token: str = "") -> bytes:
    """Return the request for a WebSocket."""
    key = f"Authorization: Bearer {token}\r\n" if token else ""
    return (
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n{key}"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    ).encode()
