"""Who calls: the key of a request, from its header or its cookie."""

from __future__ import annotations

from typing import Final

from starlette.requests import HTTPConnection

from zerosum.server.domain.keys import Key, new_key, read_key
from zerosum.server.domain.problems import Problem

COOKIE: Final = "zerosum_key"
NEW_KEY: Final = "zerosum.new_key"
_YEAR: Final = 365 * 24 * 3600


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
