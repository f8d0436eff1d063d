"""Who calls: the key of a request, and the doors through which it may come.

A browser sends cookies whoever asks it to. So a call with a cookie that changes something must come from a page of this
very server, and every call must name a host that this server answers to; a name that was bent to our address does not.
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection

from zerosum.server.keys import Key, new_key, read_key
from zerosum.server.problems import Problem

COOKIE: Final = "zerosum_key"
_YEAR: Final = 365 * 24 * 3600
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}
_HOST: Final = re.compile(r"(?P<name>\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,253})(?::[0-9]{1,5})?")
_PROGRAMS: Final = "/api/"
"""Where a header can stand for a cookie; a page knows only the cookie."""
NEW_KEY: Final = "zerosum.new_key"


@dataclass(frozen=True, slots=True)
class Call:
    """What the doors look at, besides the headers; a live connection has no method."""

    scheme: str
    path: str
    method: str | None

    @property
    def safe(self) -> bool:
        """Whether it can only look, and only once."""
        return self.method in _SAFE

    @property
    def for_programs(self) -> bool:
        """Whether it is one that programs make too."""
        return self.path.startswith(_PROGRAMS)


@dataclass(frozen=True, slots=True)
class Doors:
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


def doors(host: str, public_urls: tuple[str, ...]) -> Doors:
    """Return the doors of a server bound to `host`, that people also reach under public addresses."""
    names = {"localhost", "127.0.0.1", "[::1]"}
    wildcard = host in ("0.0.0.0", "::", "")  # noqa: S104 - looked at, not bound to
    if not wildcard:
        names.add(f"[{host}]" if ":" in host else host.lower())
    names.update(urlsplit(url).netloc.lower() for url in public_urls)
    return Doors(frozenset(names), wildcard)


def caller(connection: HTTPConnection) -> Key | None:
    """Return the key of a call: from its header or, failing that, its cookie."""
    kind, _, token = connection.headers.get("authorization", "").partition(" ")
    if kind:
        key = read_key(token.strip()) if kind.lower() == "bearer" else None
        if key is None:
            raise Problem("no-key", "The Authorization header is not `Bearer TOKEN` with a token of this server.")
        return key
    return _cookie_key(connection)


def needed_key(connection: HTTPConnection) -> Key:
    """Return the key of a call that needs one."""
    key = caller(connection)
    if key is None:
        raise Problem("no-key", "Get a key by POST /api/v1/keys and send it as `Authorization: Bearer TOKEN`.")
    return key


def page_key(connection: HTTPConnection) -> Key:
    """Return the key of a browser; one that has none is given one with the answer."""
    key = _cookie_key(connection)
    if key is None:
        key = new_key()
        connection.scope[NEW_KEY] = key
    return key


def cookie_name(scheme: str) -> str:
    """Return the name of the cookie; over https no other site on the same domain can set it."""
    return f"__Host-{COOKIE}" if scheme in ("https", "wss") else COOKIE


def cookie_header(key: Key, scheme: str) -> str:
    """Return the header that gives a browser its key."""
    secure = "; Secure" if scheme in ("https", "wss") else ""
    return f"{cookie_name(scheme)}={key.token}; Path=/; Max-Age={_YEAR}; HttpOnly; SameSite=Lax{secure}"


def _cookie_key(connection: HTTPConnection) -> Key | None:
    # A machine's other servers may have set cookies of any form for the same name; none of them hides ours.
    found = connection.cookies.get(cookie_name(connection.url.scheme))
    return read_key(found) if found else None
