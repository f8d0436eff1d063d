"""HTTP and WebSocket connections with the deadlines, bounds and backpressure that uvicorn lacks.

uvicorn waits forever for a request to arrive, answers every ping although its answers are not read, and collects the
fragments of a message without end. Also, all that one read returns is parsed before any other connection gets a turn;
so a read is small here, and a client that sends thousands of tiny frames or chunks is cut.
"""

from __future__ import annotations

import asyncio
import struct
import sys
from collections import Counter, deque
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.protocol import OPEN

from zerosum.server import limits
from zerosum.server.http.middleware import HEADERS, address
from zerosum.server.http.rate_limits import Bucket
from zerosum.server.http.turns import TURNS, Turns, charge_nobody
from zerosum.tables.json_text import dumps
from zerosum.tables.problems import Problem

_INVALID_DATA: Final = 1007
_POLICY_VIOLATION: Final = 1008
_CLOSE_SECONDS: Final = 2
"""Seconds for a client to take its close frame, before its connection is cut."""
_READ_BYTES: Final = 16 * 1024
"""Bytes of one read; then the other connections get their turn."""
_SLICE_BYTES: Final = 512
"""Bytes of WebSocket frames that are parsed before the rate limit is checked again."""
_WAITING_MESSAGES: Final = 8
"""Messages of a client that may wait for the application before nothing more is read."""
WRITE_NOW: Final = "zerosum.write_now"
"""The extension of a WebSocket's scope by which messages are written at once."""
_WHOLE_TEXT: Final = 0x81
_SHORT, _MIDDLING = 126, 0xFFFF
"""Lengths of a frame up to which one byte, and two more, say how long it is."""
_MASKED, _MASKED_HEAD = 0x80, 6
"""The bit that says that a frame is masked, and the bytes before the text of a short one: two, then the mask."""
_open: Final[Counter[str]] = Counter()
"""Open connections of each address."""


def _forget(client: tuple[str, int] | None) -> None:
    address = client[0] if client else ""
    _open[address] -= 1
    if _open[address] <= 0:
        del _open[address]


class _Parser(h11.Connection):
    """The HTTP parser; it refuses a body in too many chunks."""

    _chunks = 0

    def next_event(self) -> type[h11.NEED_DATA | h11.PAUSED] | h11.Event:
        """Return the next event."""
        event = super().next_event()
        if isinstance(event, h11.Request):
            self._chunks = 0
        elif isinstance(event, h11.Data):
            self._chunks += 1
            if self._chunks > limits.REQUEST_PIECES:
                raise h11.RemoteProtocolError("too many chunks")
        return event


class HttpProtocol(H11Protocol):
    """A connection for HTTP requests, one after the other (keep-alive)."""

    _deadline: asyncio.TimerHandle | None = None
    _upgrade: asyncio.Task[None] | None = None

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.conn = _Parser(h11.SERVER, limits.HEAD_BYTES)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """Accept a connection, unless its address has too many."""
        super().connection_made(transport)
        if hasattr(transport, "max_size"):
            transport.max_size = _READ_BYTES
        address = self.client[0] if self.client else ""
        _open[address] += 1
        if _open[address] > limits.CONNECTIONS and not self.config.proxy_headers:
            transport.abort()
        self._set_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._clear_deadline()
        if self._upgrade is not None:
            self._upgrade.cancel()
        super().connection_lost(exc)
        _forget(self.client)

    def data_received(self, data: bytes) -> None:
        """Parse some bytes; a request that they begin must arrive before its deadline."""
        super().data_received(data)
        if self._unfinished:
            self._set_deadline()
        else:
            self._clear_deadline()

    def on_response_complete(self) -> None:
        """Go on to the next request, which may have begun to arrive already (pipelining)."""
        super().on_response_complete()
        if not self.transport.is_closing() and self._unfinished and self.conn.trailing_data[0]:
            self._set_deadline()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Let a handshake wait for its turn, since a hundred that arrive at once would delay the moves of others."""
        self.transport.pause_reading()
        turns: Turns = self.app_state[TURNS]
        upgrading = turns.drive(address(dict(self.scope)), charge_nobody, self._upgrade_now(event))
        self._upgrade = self.loop.create_task(upgrading)

    async def _upgrade_now(self, event: h11.Request) -> None:
        self._clear_deadline()
        super().handle_websocket_upgrade(event)
        self.transport.resume_reading()

    def shutdown(self) -> None:
        """Close the connection when it has been answered; a handshake that waits is not answered any more."""
        if self._upgrade is not None:
            self.transport.abort()
        else:
            super().shutdown()

    @property
    def _unfinished(self) -> bool:
        return self.transport.get_protocol() is self and self.conn.their_state in (h11.IDLE, h11.SEND_BODY)

    def _set_deadline(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(limits.REQUEST_SECONDS, self._on_deadline)

    def _clear_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _on_deadline(self) -> None:
        self._deadline = None
        if self._unfinished:
            self.transport.abort()

    def send_400_response(self, msg: str) -> None:
        """Answer what is not HTTP, or exceeds its limits, with a problem."""
        del msg
        if self.transport.is_closing():
            return
        if self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
            self.transport.close()
            return
        to_head = self.conn.our_state is h11.SEND_RESPONSE and self.scope["method"] == "HEAD"
        large = getattr(sys.exc_info()[1], "error_status_hint", 400) == HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
        head, body = _last_answer(Problem("headers-too-large" if large else "bad-request"))
        self.transport.write(head if to_head else head + body)
        self.transport.close()


def _last_answer(problem: Problem) -> tuple[bytes, bytes]:
    """Return the head and the body of a problem after which the connection is closed."""
    body = dumps(problem.document()).encode()
    headers = HEADERS | {
        "Content-Type": "application/problem+json",
        "Connection": "close",
        "Content-Length": str(len(body)),
    }
    lines = [f"HTTP/1.1 {problem.status} {HTTPStatus(problem.status).phrase}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode(), body


def _text_frame(text: str) -> bytes:
    r"""Return a whole text frame (RFC 6455, 5.2; servers do not mask). It is most of what is sent, and built at once.

    >>> _text_frame("hi")
    b'\x81\x02hi'
    """
    payload = text.encode()
    length = len(payload)
    if length < _SHORT:
        return bytes((_WHOLE_TEXT, length)) + payload
    if length <= _MIDDLING:
        return struct.pack("!BBH", _WHOLE_TEXT, _SHORT, length) + payload
    return struct.pack("!BBQ", _WHOLE_TEXT, _SHORT + 1, length) + payload


def _whole_text(data: bytes) -> str | None:
    r"""Return the text of what is exactly one whole short text frame of a client, which masks it; None for all else.

    >>> _whole_text(b"\x81\x82\0\0\0\0hi"), _whole_text(b"\x81\x82\0\0\0\0h")
    ('hi', None)
    """
    if len(data) < _MASKED_HEAD or data[0] != _WHOLE_TEXT:
        return None
    length = data[1] ^ _MASKED
    if length >= _SHORT or len(data) != _MASKED_HEAD + length:
        return None
    mask = (data[2:_MASKED_HEAD] * (length // 4 + 1))[:length]
    text = int.from_bytes(data[_MASKED_HEAD:], "big") ^ int.from_bytes(mask, "big")
    try:
        return text.to_bytes(length, "big").decode()
    except UnicodeDecodeError:
        return None


class _Messages:
    """The messages of a client that wait for the application, which is the only one to take them.

    It does what `asyncio.Queue` would do here, at a third of its cost.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._messages: deque[Any] = deque()
        self._waiter: asyncio.Future[None] | None = None
        self.qsize = self._messages.__len__

    def empty(self) -> bool:
        """Whether no message waits."""
        return not self._messages

    def put_nowait(self, message: Any) -> None:
        """Add a message."""
        self._messages.append(message)
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def get(self) -> Any:
        """Return the next message; wait for one."""
        while not self._messages:
            self._waiter = self._loop.create_future()
            await self._waiter
        return self._messages.popleft()


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """A WebSocket connection."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.queue = _Messages(self.loop)  # type: ignore[assignment]  # the part of a queue that uvicorn uses
        self._frames = Bucket(limits.LIVE_MESSAGES, self.loop.time)
        self._bytes_after_close = 0

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        super().connection_lost(exc)
        _forget(self.client)

    def data_received(self, data: bytes) -> None:
        """Parse some bytes, slice by slice; a client that goes on sending after the close frame is cut.

        Nearly always they are one short message whole, which is read here at a third of the parser's cost.
        """
        conn = self.conn
        if conn.state is OPEN and not self.close_sent and not conn.reader.buffer and conn.current_size is None:
            text = _whole_text(data)
            if text is not None:
                self._pass({"type": "websocket.receive", "text": text})
                return
        for at in range(0, len(data), _SLICE_BYTES):
            if self.transport.is_closing():
                return
            if self.close_sent:
                self._bytes_after_close += _SLICE_BYTES
                if self._bytes_after_close > limits.FRAME_BYTES:
                    self.transport.abort()
                    return
            super().data_received(data[at : at + _SLICE_BYTES])
            if self.conn.handshake_exc is not None and not self.handshake_initiated:
                self._refuse_handshake()

    def _refuse_handshake(self) -> None:
        """Answer a handshake that cannot be read, such as one with a body; uvicorn would wait forever for another."""
        self.transport.write(b"".join(_last_answer(Problem("bad-request"))))
        self.transport.close()

    async def run_asgi(self) -> None:
        """Run the application; `scope` offers it `write_now`."""
        self.scope["extensions"][WRITE_NOW] = self.write_now  # type: ignore[assignment]  # ASGI has dicts there
        await super().run_asgi()

    def write_now(self, texts: Sequence[str]) -> bool:
        """Write several messages at once, without waiting; whether that was possible.

        This is how nearly all messages go out: a task that waits for each would cost as much as the move itself.
        """
        if not self.handshake_complete or self.close_sent or self.disconnected or not self.writable.is_set():
            return False
        self.transport.write(b"".join([_text_frame(text) for text in texts]))
        return True

    def handle_ping(self) -> None:
        """Answer a ping; pings count as messages."""
        if self._too_many():
            self._close(_POLICY_VIOLATION)
        else:
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """Take a pong, asked for or not; pongs count as messages."""
        if self._too_many():
            self._close(_POLICY_VIOLATION)
        else:
            super().handle_pong(event)

    def send_receive_event_to_app(self) -> None:
        """Pass a message to the application, when its last frame is here."""
        data, self.frames = b"".join(self.frames), []
        if self.curr_msg_data_type == "bytes":
            self._pass({"type": "websocket.receive", "bytes": data})
            return
        try:
            self._pass({"type": "websocket.receive", "text": data.decode()})
        except UnicodeDecodeError:
            self._close(_INVALID_DATA)

    def _pass(self, message: Any) -> None:
        """Pass a message to the application; stop reading if too many wait for it."""
        if self._too_many():
            self._close(_POLICY_VIOLATION)
        elif not self.close_sent:
            self.queue.put_nowait(message)
            if not self.read_paused and self.queue.qsize() >= _WAITING_MESSAGES:
                self.read_paused = True
                self.transport.pause_reading()

    def _too_many(self) -> bool:
        return bool(self._frames.take())

    def handle_cont(self, event: Frame) -> None:
        """Take a continuation frame."""
        if len(self.frames) >= limits.LIVE_PIECES:
            self._close(_POLICY_VIOLATION)
        else:
            super().handle_cont(event)

    def keepalive_timeout(self) -> None:
        """Close a connection that does not answer pings, even if it does not take the close frame either."""
        super().keepalive_timeout()
        self.loop.call_later(_CLOSE_SECONDS, self.transport.abort)

    def _close(self, code: int) -> None:
        if not self.close_sent:
            self.conn.fail(code)
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
            self.transport.close()
            self.loop.call_later(_CLOSE_SECONDS, self.transport.abort)
