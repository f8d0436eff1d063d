"""Which host and which page a request may come from: the defence against DNS rebinding and cross-site requests.

A browser sends cookies whoever asks it to. So a request with a cookie that changes something must come from a page of
this very server, and every request must name a host that this server answers to.
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers

from zerosum.server.domain.problems import Problem
from zerosum.server.http.auth import COOKIE

_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}
_HOST: Final = re.compile(r"(?P<name>\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,253})(?::[0-9]{1,5})?")
_PROGRAMS: Final = "/api/"
"""Where a header can stand for a cookie; a page knows only the cookie."""


@dataclass(frozen=True, slots=True)
class Call:
    """What is checked besides the headers; a live connection has no method."""

    scheme: str
    path: str
    method: str | None

    @property
    def safe(self) -> bool:
        """Whether it only reads."""
        return self.method in _SAFE

    @property
    def for_programs(self) -> bool:
        """Whether it is part of the API."""
        return self.path.startswith(_PROGRAMS)


@dataclass(frozen=True, slots=True)
class AllowedOrigins:
    """The hosts this server answers to, as `name` or `name:port`; where it is bound to all, any address in numbers."""

    hosts: frozenset[str]
    any_address: bool

    def check(self, call: Call, headers: Headers) -> None:
        """Refuse a call from another site, or to a name that is not ours."""
        host = headers.get("host", "").lower()
        if not self._ours(host):
            raise Problem("wrong-host", "Give this name to `zerosum serve` as --public-url if it is yours.")
        if call.safe:
            return
        origin = headers.get("origin")
        if origin is not None:
            if not _same_origin(origin, call.scheme, host):
                raise Problem("wrong-origin", "This came from a page of another site.")
        elif _has_cookie(headers) and not (call.for_programs and "authorization" in headers):
            raise Problem("wrong-origin", "A call with a cookie must say from which page it comes (Origin).")

    def _ours(self, host: str) -> bool:
        written = _HOST.fullmatch(host)
        if written is None:
            return False
        name = written["name"]
        return host in self.hosts or name in self.hosts or (self.any_address and _is_address(name))


def _has_cookie(headers: Headers) -> bool:
    return any(COOKIE in one for one in headers.getlist("cookie"))


def _is_address(name: str) -> bool:
    try:
        ipaddress.IPv6Address(name[1:-1]) if name.startswith("[") else ipaddress.IPv4Address(name)
    except ValueError:
        return False
    return True


def _same_origin(origin: str, scheme: str, host: str) -> bool:
    """Whether an origin, as browsers write it, is that of a page at `host`."""
    there, _, authority = origin.lower().partition("://")
    here = "https" if scheme in ("https", "wss") else "http"
    return there == here and _with_port(authority, here) == _with_port(host, here)


def _with_port(authority: str, scheme: str) -> str:
    """Return a host with its port, which is not written where it is the usual one."""
    has_port = authority.rpartition("]")[2].count(":")
    return authority if has_port else f"{authority}:{_DEFAULT_PORTS[scheme]}"


def allowed_origins(host: str, public_urls: tuple[str, ...]) -> AllowedOrigins:
    """Return the doors of a server bound to `host`, that people also reach under public addresses."""
    names = {"localhost", "127.0.0.1", "[::1]"}
    wildcard = host in ("0.0.0.0", "::", "")  # noqa: S104 - looked at, not bound to
    if not wildcard:
        names.add(f"[{host}]" if ":" in host else host.lower())
    names.update(urlsplit(url).netloc.lower() for url in public_urls)
    return AllowedOrigins(frozenset(names), wildcard)
