"""Who may ask: the key of a request, the host that it names, and the page that it comes from.

A key comes in the Authorization header or in a cookie. The checks of host and origin defend against DNS rebinding and
CSRF: a browser sends cookies with requests that another site makes, so a request with a cookie that changes something
must come from a page of this server, and every request must name a host of this server.
"""

from __future__ import annotations

import ipaddress
import re
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Final
from urllib.parse import urlsplit

from fastapi import Depends
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection

from zerosum.tables.keys import Key, new_key, read_key
from zerosum.tables.problems import Problem

COOKIE: Final = "zerosum_key"
NEW_KEY: Final = "zerosum.new_key"
_YEAR: Final = 365 * 24 * 3600


def bearer_token(headers: Headers) -> str | None:
    """Return the token of the Authorization header: empty if it holds none, None without a header."""
    value = headers.get("authorization")
    if value is None:
        return None
    kind, _, token = value.strip().partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""


def request_key(connection: HTTPConnection) -> Key | None:
    """Return the key of a request; an Authorization header, even an empty one, overrides the cookie."""
    token = bearer_token(connection.headers)
    if token is None:
        return _cookie_key(connection)
    key = read_key(token)
    if key is None:
        raise Problem("no-key", "The Authorization header is not `Bearer TOKEN` with a token of this server.")
    return key


async def _any_key(connection: HTTPConnection) -> Key | None:
    return request_key(connection)


async def _required_key(connection: HTTPConnection) -> Key:
    """Return the key of a request that needs one."""
    key = request_key(connection)
    if key is None:
        raise Problem("no-key", "Get a key by POST /api/v1/keys and send it as `Authorization: Bearer TOKEN`.")
    return key


def page_key(connection: HTTPConnection) -> Key:
    """Return the key of a browser; one without a key gets a new one with the answer."""
    key = _cookie_key(connection) or connection.scope.get(NEW_KEY)
    if key is None:
        key = connection.scope[NEW_KEY] = new_key(connection.app.state.world.dice)
    return key


AnyKey = Annotated[Key | None, Depends(_any_key)]
OwnKey = Annotated[Key, Depends(_required_key)]
"""The key of a request as a route takes it. These are coroutines: FastAPI runs any other function in a thread."""


def cookie_name(scheme: str) -> str:
    """Return the name of the cookie; over https its prefix keeps subdomains from setting it."""
    return f"__Host-{COOKIE}" if scheme in ("https", "wss") else COOKIE


def cookie_header(key: Key, scheme: str) -> str:
    """Return the header that gives a browser its key."""
    secure = "; Secure" if scheme in ("https", "wss") else ""
    return f"{cookie_name(scheme)}={key.token}; Path=/; Max-Age={_YEAR}; HttpOnly; SameSite=Lax{secure}"


def _cookie_key(connection: HTTPConnection) -> Key | None:
    # Other servers on this machine share its cookies, which may have any form; none of them may hide ours.
    found = connection.cookies.get(cookie_name(connection.url.scheme))
    return read_key(found) if found else None


_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}
_HOST: Final = re.compile(r"(?P<name>\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,253})(?::[0-9]{1,5})?")
_API: Final = "/api/"
"""Where a key may come in a header; pages read only the cookie."""
_ONCE: Final = ("host", "origin", "authorization", "content-length")
"""Headers that decide what is allowed; of two, a proxy and this server could each believe another one."""


@dataclass(frozen=True, slots=True)
class AllowedOrigins:
    """The hosts of this server, as `name` or `name:port`; with `any_address`, every IP address as well."""

    hosts: frozenset[str]
    any_address: bool

    def check(self, scheme: str, path: str, method: str | None, headers: Headers) -> None:
        """Refuse a request from a page of another site, or to a host that is not ours; a handshake has no method."""
        _check_once(headers)
        host = _host(headers)
        if not self._ours(host):
            raise Problem("wrong-host", "If this name is yours, give it to `zerosum serve` as --public-url.")
        if method in _SAFE:
            return
        origin = headers.get("origin")
        if origin is not None:
            if not _same_origin(origin, scheme, host):
                raise Problem("wrong-origin", "This came from a page of another site.")
        elif _has_cookie(headers) and not (path.startswith(_API) and bearer_token(headers)):
            raise Problem("wrong-origin", "A request with a cookie must name its page in the header Origin.")

    def _ours(self, host: str) -> bool:
        written = _HOST.fullmatch(host)
        if written is None:
            return False
        name = written["name"]
        return host in self.hosts or name in self.hosts or (self.any_address and _is_address(name))


def _host(headers: Headers) -> str:
    """Return the host that a request names, as browsers write it; in a handshake wsproto has decoded it to Unicode."""
    host = headers.get("host", "")
    if not host.isascii():
        with suppress(UnicodeError):
            host = host.encode("latin-1").decode().encode("idna").decode()
    return host.lower()


def _check_once(headers: Headers) -> None:
    repeated = [name for name in _ONCE if len(headers.getlist(name)) > 1]
    if repeated:
        raise Problem("bad-request", f"The header {repeated[0].title()} may come once only.")


def _has_cookie(headers: Headers) -> bool:
    """Whether our cookie may be in the request; its name anywhere counts, however a parser would read it."""
    return any(COOKIE in one for one in headers.getlist("cookie"))


def _is_address(name: str) -> bool:
    try:
        ipaddress.IPv6Address(name[1:-1]) if name.startswith("[") else ipaddress.IPv4Address(name)
    except ValueError:
        return False
    return True


def _same_origin(origin: str, scheme: str, host: str) -> bool:
    """Whether an Origin header, as browsers write it, names `host`."""
    there, _, authority = origin.lower().partition("://")
    here = "https" if scheme in ("https", "wss") else "http"
    return there == here and _with_port(authority, here) == _with_port(host, here)


def _with_port(authority: str, scheme: str) -> str:
    """Return a host with its port, or with the default one."""
    has_port = authority.rpartition("]")[2].count(":")
    return authority if has_port else f"{authority}:{_DEFAULT_PORTS[scheme]}"


def allowed_origins(host: str, public_urls: tuple[str, ...]) -> AllowedOrigins:
    """Return the hosts of a server that listens on `host` and has public URLs."""
    names = {"localhost", "127.0.0.1", "[::1]"}
    wildcard = host in ("0.0.0.0", "::", "")  # noqa: S104 - compared, not bound to
    if not wildcard:
        names.add(f"[{host}]" if ":" in host else host.lower())
    names.update(urlsplit(url).netloc.lower() for url in public_urls)
    return AllowedOrigins(frozenset(names), wildcard)
