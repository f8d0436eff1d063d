"""Who calls: the key of a request, and the doors through which it may come.

A browser sends cookies whoever asks it to. So a call with a cookie that changes something must come from a page of this
very server, and every call must name a host that this server answers to; a name that was bent to our address does not.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import Final
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from zerosum.server.keys import Key, new_key, read_key
from zerosum.server.problems import Problem

COOKIE: Final = "zerosum_key"
_YEAR: Final = 365 * 24 * 3600
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_DEFAULT_PORTS: Final = {"http": 80, "https": 443, "ws": 80, "wss": 443}
NEW_KEY: Final = "zerosum.new_key"


@dataclass(frozen=True, slots=True)
class Doors:
    """The hosts this server answers to, as `name` or `name:port`; where it is bound to all, any address in numbers."""

    hosts: frozenset[str]
    any_address: bool

    def check(self, scope_type: str, method: str, scheme: str, headers: Mapping[str, str]) -> None:
        """Refuse a call from another site, or to a name that is not ours."""
        host = headers.get("host", "")
        if not self._ours(host):
            raise Problem("wrong-host", "Give this name to `zerosum serve` as --public-url if it is yours.")
        if scope_type == "http" and method in _SAFE:
            return
        origin = headers.get("origin")
        if origin is not None:
            if not _same_origin(origin, scheme, host):
                raise Problem("wrong-origin", "This came from a page of another site.")
        elif "authorization" not in headers and COOKIE in headers.get("cookie", ""):
            raise Problem("wrong-origin", "A call with a cookie must say from which page it comes (Origin).")

    def _ours(self, host: str) -> bool:
        name = _name(host)
        if host in self.hosts or name in self.hosts:
            return True
        return self.any_address and _is_address(name)


def _name(host: str) -> str:
    """Return a host without its port."""
    if host.startswith("["):
        return host[: host.find("]") + 1]
    return host.partition(":")[0].lower()


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def _same_origin(origin: str, scheme: str, host: str) -> bool:
    try:
        parts = urlsplit(origin)
        port = parts.port
        there = (parts.scheme, parts.hostname, port or _DEFAULT_PORTS.get(parts.scheme))
        here_parts = urlsplit(f"//{host}")
        secure = scheme in ("https", "wss")
        here = ("https" if secure else "http", here_parts.hostname, here_parts.port or (443 if secure else 80))
    except ValueError:
        return False
    return there == here


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
    cookies: SimpleCookie = SimpleCookie()
    try:
        cookies.load(connection.headers.get("cookie", ""))
    except CookieError:
        return None
    found = cookies.get(cookie_name(connection.url.scheme))
    return read_key(found.value) if found else None
