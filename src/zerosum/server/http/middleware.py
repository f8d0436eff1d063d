"""What every call passes (doors, rates, sizes), and what every answer carries (safe headers, a line in the log)."""

from __future__ import annotations

import asyncio
import ipaddress
import time
from typing import Final

import structlog
from python_multipart.multipart import parse_options_header
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from zerosum.server import limits, metrics
from zerosum.server.domain.problems import Problem
from zerosum.server.http.auth import NEW_KEY, cookie_header
from zerosum.server.http.origins import AllowedOrigins, Call
from zerosum.server.http.rates import Rates
from zerosum.server.http.replies import problem_reply

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
_CHARSETS: Final = frozenset({b"utf-8", b"utf8", b"us-ascii"})
_NETWORK_BITS: Final = 64
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"})
_CHEAP: Final = ("/api/", "/static/", "/healthz", "/readyz")
_log = structlog.get_logger("zerosum.requests")


class GateMiddleware:
    """The outermost layer of the application."""

    def __init__(self, app: ASGIApp, origins: AllowedOrigins, rates: Rates) -> None:
        self._app = app
        self._origins = origins
        self._rates = rates

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a call in, or say why not."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        try:
            self._check(scope)
        except Problem as problem:
            metrics.refused(problem.code)
            if problem.code == "too-many":
                await asyncio.sleep(limits.TOO_MANY_SECONDS)
            await _refuse(problem, scope, receive, send)
            return
        if scope["type"] == "websocket":
            await self._app(scope, receive, send)
        else:
            await self._answer(scope, receive, send)

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        self._rates.check(address(scope), _count(scope, headers))
        self._origins.check(Call(scope["scheme"], scope["path"], scope.get("method")), headers)
        if _head(scope) > limits.HEAD_BYTES:
            raise Problem(
                "headers-too-large", f"At most {limits.HEAD_BYTES // 1024} KiB of address and headers are taken."
            )
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit() or int(length[:12]) > limits.BODY_BYTES:
            raise _too_large()
        _check_charset(headers.get("content-type", ""))

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        began, status, size = time.perf_counter(), 500, 0

        async def counted() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > limits.BODY_BYTES:
                raise _too_large()
            return message

        async def adorned(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                _adorn(scope, MutableHeaders(scope=message))
            await send(message)

        try:
            await self._app(scope, counted, adorned)
        finally:
            route = getattr(scope.get("route"), "path", "none")
            took = time.perf_counter() - began
            # Anybody can invent methods; each would be counted apart for ever.
            method = scope["method"] if scope["method"] in _METHODS else "other"
            metrics.answered(route, method, status, took)
            # The path may hold an invitation, so only its pattern is written.
            _log.info("request", method=method, route=route, status=status, ms=round(took * 1000, 1))


def _adorn(scope: Scope, headers: MutableHeaders) -> None:
    for name, value in HEADERS.items():
        headers.setdefault(name, value)
    headers.setdefault("Cache-Control", "no-store")
    if scope["scheme"] == "https":
        headers.setdefault("Strict-Transport-Security", "max-age=31536000")
    if NEW_KEY in scope:
        headers.append("Set-Cookie", cookie_header(scope[NEW_KEY], scope["scheme"]))


def address(scope: Scope) -> str:
    """Return the address of who calls; of an IPv6 address the network, all of which is one caller's own."""
    client = scope.get("client")
    host = client[0] if client else ""
    return network(host) if ":" in host else host


def network(address: str) -> str:
    """Return the network of an IPv6 address; an IPv4 address written as one, as itself.

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


def _count(scope: Scope, headers: Headers) -> int:
    """Return as how many requests a call counts."""
    if scope["type"] == "websocket":
        return limits.LIVE_REQUESTS
    usual = 1 if scope["path"].startswith(_CHEAP) else limits.PAGE_REQUESTS
    most = limits.BODY_BYTES // 1024
    if "transfer-encoding" in headers:
        return usual + most
    length = headers.get("content-length", "0")[:12]
    return usual + min(most, int(length) // 1024 if length.isascii() and length.isdigit() else 0)


def _head(scope: Scope) -> int:
    """Return the bytes of the address and the headers of a call, which may have come all at once."""
    address = len(scope["raw_path"]) + len(scope["query_string"])
    return address + sum(len(name) + len(value) for name, value in scope["headers"])


def _check_charset(content_type: str) -> None:
    """Refuse text that says it is in anything but UTF-8: Python can read stranger things than any page sends."""
    charset = parse_options_header(content_type)[1].get(b"charset", b"utf-8")
    if charset.lower() not in _CHARSETS:
        raise Problem("wrong-type", "Text is taken in UTF-8 alone.")


def _too_large() -> Problem:
    return Problem("too-large-body", f"At most {limits.BODY_BYTES // 1024} KiB are taken.")


async def _refuse(problem: Problem, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008, "reason": problem.code})
        return

    async def adorned(message: Message) -> None:
        if message["type"] == "http.response.start":
            _adorn(scope, MutableHeaders(scope=message))
        await send(message)

    await problem_reply(problem)(scope, receive, adorned)
