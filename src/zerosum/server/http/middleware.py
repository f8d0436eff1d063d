"""The outermost layer: checks every request (rate, host, origin, size), then adds headers to its answer and logs it.

It drives each request step by step (`turns.py`), so that no address keeps the others waiting. An address that has taken
more time than it may is refused before anything is read. Commands of seated players pass first.
HEAD is answered here too, for every route: as GET, without the body.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
from collections import OrderedDict
from collections.abc import Callable
from hashlib import blake2b
from http import HTTPStatus
from typing import Final

import structlog
from python_multipart.multipart import parse_options_header
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from zerosum.server import limits, prometheus
from zerosum.server.db.writer import CHARGE
from zerosum.server.http.auth import NEW_KEY, AllowedOrigins, RequestLine, cookie_header, request_key
from zerosum.server.http.rate_limits import Bucket, Budgets, Clock, TimeAccount
from zerosum.server.http.turns import Turns, charge_nobody
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
_ROOM_PATH: Final = re.compile(r"/(?:room|api/v1/rooms)/([0-9A-Za-z]{6})(?:/|$)")
_CHARSETS: Final = frozenset({b"utf-8", b"utf8", b"us-ascii"})
_NETWORK_BITS: Final = 64
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"})
_COMMAND: Final = re.compile(r"(?:/api/v1)?/tables/([a-z0-9]{1,16})/[a-z-]{1,20}")
_BUSY: Final = "What you asked for took long to work out, and others wait."
Reply = Callable[[Request, Problem], Response]
"""How a problem is answered: as JSON to programs, as a page to people."""
_log = structlog.get_logger("zerosum.requests")


class SeatedCallers:
    """Callers whose commands were accepted at a table lately, and how many more of them pass first."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._buckets: OrderedDict[bytes, Bucket] = OrderedDict()

    def key(self, scope: Scope, headers: Headers) -> bytes | None:
        """Return who sends a command to which table, None if a request is no command."""
        command = _COMMAND.fullmatch(scope["path"]) if scope.get("method") == "POST" else None
        if command is None:
            return None
        whose = headers.get("authorization") or headers.get("cookie", "")
        return blake2b(f"{command[1]} {whose}".encode(errors="replace"), digest_size=16).digest()

    def passes(self, key: bytes | None) -> bool:
        """Whether a command passes first."""
        bucket = self._buckets.get(key) if key is not None else None
        return bucket is not None and not bucket.take()

    def note(self, key: bytes) -> None:
        """Note that a command of a caller was accepted."""
        if key not in self._buckets:
            self._buckets[key] = Bucket(limits.SEATED_MOVES, self._clock)
            if len(self._buckets) > limits.ADDRESSES:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(key)


class GateMiddleware:
    """The outermost layer of the application."""

    def __init__(
        self, app: ASGIApp, *, origins: AllowedOrigins, budgets: Budgets, turns: Turns, reply: Reply, clock: Clock
    ) -> None:
        self._app = app
        self._reply = reply
        self._origins = origins
        self._budgets = budgets
        self._turns = turns
        self._clock = clock
        self._seated = SeatedCallers(clock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        command = self._seated.key(scope, headers)
        first = self._seated.passes(command)
        admitting = self._admit(scope, headers, first=first)
        who, time_left, problem = await (
            admitting if first else self._turns.drive(address(scope), charge_nobody, admitting)
        )
        if problem is not None:
            prometheus.count_refusal(problem.code)
            if problem.code == "too-many":
                await asyncio.sleep(self._budgets.refusal_delay(who))
            # Many that were refused at once would be answered at once.
            await self._turns.drive(who, charge_nobody, self._refuse(problem, scope, receive, send))
            return
        CHARGE.set(None if first else time_left.charge)
        if scope["type"] == "websocket":
            await self._turns.drive(who, time_left.charge, self._passed_on(scope, receive, send))
            return
        work = self._answer(scope, receive, send)
        if first:
            with self._turns.move():
                status = await work
        else:
            status = await self._turns.drive(who, time_left.charge, work)
        if command is not None and status < HTTPStatus.BAD_REQUEST:
            self._seated.note(command)

    async def _passed_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)

    async def _admit(self, scope: Scope, headers: Headers, *, first: bool) -> tuple[str, TimeAccount, Problem | None]:
        """Return who pays for a request, the time they have left, and why it is refused; None if it is let in.

        Whoever is in debt is refused before anything else is looked at, unless their command passes first.
        """
        who = scope[PAYER] = payer(scope)
        time_left = self._budgets.time(who, address(scope))
        if not first and (wait := time_left.wait):
            return who, time_left, Problem("too-many", _BUSY, retry_after=max(1, round(wait)))
        try:
            self._check(who, scope, headers)
        except Problem as problem:
            return who, time_left, problem
        return who, time_left, None

    def _check(self, who: str, scope: Scope, headers: Headers) -> None:
        self._budgets.admit(who, address(scope), scope, headers)
        self._origins.check(RequestLine(scope["scheme"], scope["path"], scope.get("method")), headers)
        if _head_bytes(scope) > limits.HEAD_BYTES:
            raise Problem(
                "headers-too-large", f"The address and the headers may have {limits.HEAD_BYTES // 1024} KiB at most."
            )
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

        await self._reply(Request(scope), problem)(scope, receive, send_noted)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> int:
        """Have a request answered; return the status."""
        began, status, size = self._clock(), 500, 0
        asked = scope["method"]
        if asked == "HEAD":
            scope, send = {**scope, "method": "GET"}, _without_body(send)

        async def receive_bounded() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > limits.BODY_BYTES:
                raise _too_large()
            return message

        async def send_noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                _add_headers(scope, message)
            await send(message)

        try:
            await self._app(scope, receive_bounded, send_noted)
        finally:
            route = getattr(scope.get("route"), "path", "none")
            took = self._clock() - began
            # A client can invent methods; each would become another time series.
            method = asked if asked in _METHODS else "other"
            prometheus.count_request(route, method, status, took)
            # The path may hold an invitation, so only its pattern is logged.
            _log.info("request", method=method, route=route, status=status, ms=round(took * 1000, 1))
        return status


def _without_body(send: Send) -> Send:
    """Return a `send` that drops the body; the headers stay, with its length."""

    async def send_head(message: Message) -> None:
        if message["type"] == "http.response.body":
            message = {**message, "body": b""}
        await send(message)

    return send_head


def _add_headers(scope: Scope, start: Message) -> None:
    """Add to an answer the headers that every answer has, and the cookie of a browser that got a new key."""
    headers = MutableHeaders(scope=start)
    for name, value in HEADERS.items():
        headers.setdefault(name, value)
    headers.setdefault("Cache-Control", "no-store")
    if scope["scheme"] == "https":
        headers.setdefault("Strict-Transport-Security", "max-age=31536000")
    if NEW_KEY in scope:
        headers.append("Set-Cookie", cookie_header(scope[NEW_KEY], scope["scheme"]))


def address(scope: Scope) -> str:
    """Return the address of the caller; of an IPv6 address the network, since one caller owns all of it."""
    client = scope.get("client")
    host = client[0] if client else ""
    return network(host) if ":" in host else host


def payer(scope: Scope) -> str:
    """Return who is charged for a request: the room that it belongs to, so that a class can share an address, or that.

    A request belongs to a room if its key does. One that only names the code of a room in use is charged to the door of
    that room: however many outsiders stand there, the pupils inside go on.
    """
    rooms = scope["app"].state.runtime.rooms
    if not rooms.any:
        return address(scope)
    try:
        key = request_key(HTTPConnection(scope))
    except Problem:
        key = None
    member: str | None = rooms.payer(key, "")
    if member is not None:
        return member
    code = _ROOM_PATH.match(scope["path"])
    door: str | None = rooms.payer(None, code[1].lower()) if code else None
    return f"{door} door" if door else address(scope)


def payer_of(scope: Scope) -> str:
    """Return who was charged for a request that has been let in."""
    found: str = scope.get(PAYER) or address(scope)
    return found


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
    """Refuse a body that is too large, or whose length a proxy could read otherwise (request smuggling)."""
    length = headers.get("content-length")
    if length is None:
        return
    if "transfer-encoding" in headers:
        raise Problem("bad-request", "Send Content-Length or Transfer-Encoding, not both.")
    if not length.isascii() or not length.isdigit() or int(length[:12]) > limits.BODY_BYTES:
        raise _too_large()


def _check_charset(content_type: str) -> None:
    """Refuse text that is declared as anything but UTF-8: Python knows charsets that no browser sends."""
    charset = parse_options_header(content_type)[1].get(b"charset", b"utf-8")
    if charset.lower() not in _CHARSETS:
        raise Problem("wrong-type", "Text must be UTF-8.")


def _too_large() -> Problem:
    return Problem("too-large-body", f"A body may have {limits.BODY_BYTES // 1024} KiB at most.")
