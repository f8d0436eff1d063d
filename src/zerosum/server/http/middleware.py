"""The outermost layer: charges and checks every request, then adds headers to its answer and logs it.

HEAD is answered here too, for every route: as GET, without the body.
"""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import structlog
from python_multipart.multipart import parse_options_header
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from zerosum.server import limits, prometheus
from zerosum.server.http.auth import NEW_KEY, AllowedOrigins, cookie_header, request_key
from zerosum.server.http.rate_limits import ASKED, Budgets, Clock, Payer, request_cost
from zerosum.tables.keys import Key
from zerosum.tables.problems import Problem

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
PAYER: Final = "zerosum.payer"
"""Where a request keeps who is charged for it."""
_CHARSETS: Final = frozenset({b"utf-8", b"utf8", b"us-ascii"})
_NETWORK_BITS: Final = 64
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"})
Reply = Callable[[Request, Problem], Response]
"""How a problem is answered: as JSON to programs, as a page to people."""
_log = structlog.get_logger("zerosum.requests")


class GateMiddleware:
    """The outermost layer of the application."""

    def __init__(self, app: ASGIApp, *, origins: AllowedOrigins, budgets: Budgets, reply: Reply, clock: Clock) -> None:
        self._app = app
        self._reply = reply
        self._origins = origins
        self._budgets = budgets
        self._clock = clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        try:
            self._check(scope)
        except Problem as problem:
            prometheus.count_refusal(problem.code)
            if problem.code == "too-many":
                await scope[PAYER].slow_down()
            await self._refuse(problem, scope, receive, send)
            return
        if scope["type"] == "websocket":
            await self._app(scope, receive, send)
        else:
            await self._answer(scope, receive, send)

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        payer = scope[PAYER] = Payer(self._budgets, address(scope), _key(scope))
        payer.take(request_cost(scope, headers))
        work = ASKED.get((scope.get("method", ""), scope["path"]))
        if work is not None:
            payer.charge(work)
        self._origins.check(scope["scheme"], scope["path"], scope.get("method"), headers)
        if _head_bytes(scope) > limits.HEAD_BYTES:
            raise Problem(
                "headers-too-large", f"The address and the headers may have {limits.HEAD_BYTES // 1024} KiB at most."
            )
        if scope["type"] == "websocket" and _has_body(scope):
            raise Problem("bad-request", "A handshake has no body.")
        _check_length(headers)
        _check_charset(headers.get("content-type", ""))

    async def _refuse(self, problem: Problem, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": problem.code})
            return
        answer = _without_body(send) if scope["method"] == "HEAD" else send

        async def send_noted(message: Message) -> None:
            if message["type"] == "http.response.start":
                _add_headers(scope, message)
            await answer(message)

        reply = self._reply(Request(scope), problem)
        # Chunks that cannot be read have made the server end the connection already: then nothing can be sent on it.
        with suppress(*([Exception] if problem.code == "length-needed" else [])):
            await reply(scope, receive, send_noted)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Have a request answered."""
        began, status = self._clock(), 500
        asked = scope["method"]
        body = _Body(receive, whole=not _has_body(scope))
        if asked == "HEAD":
            scope, send = {**scope, "method": "GET"}, _without_body(send)

        async def send_noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                _add_headers(scope, message)
            await send(message)

        try:
            await self._app(scope, body.receive, send_noted)
        finally:
            route = getattr(scope.get("route"), "path", "none")
            took = self._clock() - began
            # A client can invent methods; each would become another time series.
            method = asked if asked in _METHODS else "other"
            prometheus.count_request(route, method, status, took)
            # The path may hold an invitation, so only its pattern is logged.
            _log.info("request", method=method, route=route, status=status, ms=round(took * 1000, 1))


class _Body:
    """The body of a request, which must arrive in time."""

    def __init__(self, receive: Receive, *, whole: bool) -> None:
        self._receive = receive
        self._deadline = asyncio.get_running_loop().time() + limits.REQUEST_SECONDS
        self._whole = whole

    async def receive(self) -> Message:
        """Return its next piece; after the last one, wait for the client to go."""
        if self._whole:
            return await self._receive()
        try:
            async with asyncio.timeout_at(self._deadline):
                message = await self._receive()
        except TimeoutError:
            raise Problem("bad-request", f"A request must arrive within {limits.REQUEST_SECONDS} s.") from None
        self._whole = not message.get("more_body", False)
        return message


def _without_body(send: Send) -> Send:
    """Return a `send` that drops the body; the headers stay, with its length."""

    async def send_head(message: Message) -> None:
        if message["type"] == "http.response.body":
            message = {**message, "body": b""}
        await send(message)

    return send_head


def _add_headers(scope: Scope, start: Message) -> None:
    """Add to an answer the headers that every answer has, and the cookie of a browser that got a new key.

    A refused body in chunks ends its connection: there may be any number of them.
    """
    headers = MutableHeaders(scope=start)
    for name, value in HEADERS.items():
        headers.setdefault(name, value)
    headers.setdefault("Cache-Control", "no-store")
    if "transfer-encoding" in Headers(scope=scope):
        headers["Connection"] = "close"
    if scope["scheme"] == "https":
        headers.setdefault("Strict-Transport-Security", "max-age=31536000")
    if NEW_KEY in scope:
        headers.append("Set-Cookie", cookie_header(scope[NEW_KEY], scope["scheme"]))


def address(scope: Scope) -> str:
    """Return the address of the caller; of an IPv6 address the network, since one caller owns all of it."""
    client = scope.get("client")
    host = client[0] if client else ""
    return network(host) if ":" in host else host


def _key(scope: Scope) -> Key | None:
    """Return the key of a request; one that cannot be read is the business of the route that needs it."""
    try:
        return request_key(HTTPConnection(scope))
    except Problem:
        return None


def _has_body(scope: Scope) -> bool:
    headers = Headers(scope=scope)
    return "transfer-encoding" in headers or headers.get("content-length", "0") != "0"


def network(address: str) -> str:
    """Return the /64 network of an IPv6 address; an IPv4-mapped one as IPv4.

    >>> network("2001:db8:1:2:3:4:5:6"), network("::ffff:192.0.2.1")
    ('2001:db8:1:2::', '192.0.2.1')
    """
    try:
        known = ipaddress.IPv6Address(address.partition("%")[0])
    except ValueError:
        return address
    if known.ipv4_mapped is not None:
        return str(known.ipv4_mapped)
    return str(ipaddress.IPv6Address(int(known) >> _NETWORK_BITS << _NETWORK_BITS))


def _head_bytes(scope: Scope) -> int:
    """Return the bytes of address and headers; the parser bounds them only if they come in several packets."""
    address = len(scope["raw_path"]) + len(scope["query_string"])
    return address + sum(len(name) + len(value) for name, value in scope["headers"])


def _check_length(headers: Headers) -> None:
    """Refuse a body that is too large, in chunks, or whose length a proxy could read otherwise (request smuggling).

    A hundred thousand chunks of one byte take seconds to parse, and nobody who plays here sends any.
    """
    length = headers.get("content-length")
    if "transfer-encoding" in headers:
        if length is not None:
            raise Problem("bad-request", "Send Content-Length or Transfer-Encoding, not both.")
        raise Problem("length-needed", "Send the body at once, with its Content-Length, not in chunks.")
    if length is not None and (not length.isascii() or not length.isdigit() or int(length[:12]) > limits.BODY_BYTES):
        raise Problem("too-large-body", f"A body may have {limits.BODY_BYTES // 1024} KiB at most.")


def _check_charset(content_type: str) -> None:
    """Refuse text that is declared as anything but UTF-8: Python knows charsets that no browser sends."""
    charset = parse_options_header(content_type)[1].get(b"charset", b"utf-8")
    if charset.lower() not in _CHARSETS:
        raise Problem("wrong-type", "Text must be UTF-8.")
