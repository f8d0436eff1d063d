"""The connections themselves: nobody holds one for nothing, and what is no HTTP gets an answer like any other.

uvicorn waits for ever for a request that does not come, answers every ping whether or not its answers are read, and
gathers pieces of a message without end. Here all of that is bounded. Whatever is read at once is also worked off at
once, while everybody else waits; so little is read at once, and who sends thousands of tiny pieces is cut.
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from http import HTTPStatus
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from zerosum.server import limits
from zerosum.server.domain.encoding import dumps
from zerosum.server.domain.problems import Problem
from zerosum.server.http.middleware import HEADERS
from zerosum.server.http.rates import Bucket

_TOO_MANY: Final = 1008
_FAREWELL_SECONDS: Final = 2
_READ: Final = 16 * 1024
"""Bytes that are read from a connection before all others have their turn."""
_BITE: Final = 512
"""Bytes of a live connection that are worked off before it is looked whether they were too many frames."""
_open: Final[Counter[str]] = Counter()
"""How many connections each address has."""


def _leave(client: tuple[str, int] | None) -> None:
    address = client[0] if client else ""
    _open[address] -= 1
    if _open[address] <= 0:
        del _open[address]


class _Reader(h11.Connection):
    """HTTP as it is read; a body in too many pieces is none."""

    _pieces = 0

    def next_event(self) -> type[h11.NEED_DATA | h11.PAUSED] | h11.Event:
        """Return what comes next."""
        event = super().next_event()
        if isinstance(event, h11.Request):
            self._pieces = 0
        elif isinstance(event, h11.Data):
            self._pieces += 1
            if self._pieces > limits.REQUEST_PIECES:
                raise h11.RemoteProtocolError("too many pieces")
        return event


class Http(H11Protocol):
    """A connection for requests."""

    _deadline: asyncio.TimerHandle | None = None

    def __init__(self, *given: Any, **more: Any) -> None:  # noqa: ANN401 - as uvicorn makes it
        super().__init__(*given, **more)
        self.conn = _Reader(h11.SERVER, limits.HEAD_BYTES)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Let a connection in, unless there are too many from its address."""
        super().connection_made(transport)
        if hasattr(transport, "max_size"):
            transport.max_size = _READ
        address = self.client[0] if self.client else ""
        _open[address] += 1
        if _open[address] > limits.CONNECTIONS and not self.config.proxy_headers:
            transport.abort()
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget a connection."""
        self._wait_no_more()
        super().connection_lost(exc)
        _leave(self.client)

    def data_received(self, data: bytes) -> None:
        """Take some bytes; what they begin must be whole in time."""
        super().data_received(data)
        if self._unfinished:
            self._wait()
        else:
            self._wait_no_more()

    def on_response_complete(self) -> None:
        """Go on to the next request, which may have begun to arrive before this one was answered."""
        super().on_response_complete()
        if not self.transport.is_closing() and self._unfinished and self.conn.trailing_data[0]:
            self._wait()

    @property
    def _unfinished(self) -> bool:
        return self.transport.get_protocol() is self and self.conn.their_state in (h11.IDLE, h11.SEND_BODY)

    def _wait(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(limits.REQUEST_SECONDS, self._too_late)

    def _wait_no_more(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _too_late(self) -> None:
        self._deadline = None
        if self._unfinished:
            self.transport.abort()

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP, or too much of it."""
        del msg
        if self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
            self.transport.close()
            return
        large = getattr(sys.exc_info()[1], "error_status_hint", 400) == HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
        problem = Problem("headers-too-large" if large else "bad-request")
        body = dumps(problem.document()).encode()
        headers = {**HEADERS, "Content-Type": "application/problem+json", "Connection": "close"}
        reason = HTTPStatus(problem.status).phrase
        self._say(h11.Response(status_code=problem.status, headers=_pairs(headers, len(body)), reason=reason))
        self._say(h11.Data(data=body))
        self._say(h11.EndOfMessage())
        self.transport.close()

    def _say(self, event: h11.Event) -> None:
        self.transport.write(self.conn.send(event) or b"")


def _pairs(headers: dict[str, str], length: int) -> list[tuple[bytes, bytes]]:
    given = {**headers, "Content-Length": str(length)}
    return [(name.encode(), value.encode()) for name, value in given.items()]


class Live(WebSocketsSansIOProtocol):
    """A live connection."""

    def __init__(self, *given: Any, **more: Any) -> None:  # noqa: ANN401 - as uvicorn makes it
        super().__init__(*given, **more)
        self._frames = Bucket(limits.LIVE_MESSAGES)
        self._after_farewell = 0

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget a connection."""
        super().connection_lost(exc)
        _leave(self.client)

    def data_received(self, data: bytes) -> None:
        """Take some bytes, bite by bite; who goes on sending after a farewell is cut, not listened to for long."""
        for at in range(0, len(data), _BITE):
            if self.transport.is_closing():
                return
            if self.close_sent:
                self._after_farewell += _BITE
                if self._after_farewell > limits.FRAME_BYTES:
                    self.transport.abort()
                    return
            super().data_received(data[at : at + _BITE])

    def handle_ping(self) -> None:
        """Answer a ping; they are bounded as messages are."""
        if self._too_many():
            self._cut(_TOO_MANY)
        else:
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """Take an answer to a ping, or what looks like one."""
        if self._too_many():
            self._cut(_TOO_MANY)
        else:
            super().handle_pong(event)

    def send_receive_event_to_app(self) -> None:
        """Hand a message on."""
        if self._too_many():
            self._cut(_TOO_MANY)
        else:
            super().send_receive_event_to_app()

    def _too_many(self) -> bool:
        return bool(self._frames.take())

    def handle_cont(self, event: Frame) -> None:
        """Take a further piece of a message."""
        if len(self.frames) >= limits.LIVE_PIECES:
            self._cut(_TOO_MANY)
        else:
            super().handle_cont(event)

    def keepalive_timeout(self) -> None:
        """Close a connection that does not answer, even if it does not take its farewell either."""
        super().keepalive_timeout()
        self.loop.call_later(_FAREWELL_SECONDS, self.transport.abort)

    def _cut(self, code: int) -> None:
        if not self.close_sent:
            self.conn.fail(code)
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
            self.transport.close()
            self.loop.call_later(_FAREWELL_SECONDS, self.transport.abort)
