"""The key of a request, from its Authorization header or its cookie."""

from __future__ import annotations

from typing import Final

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection

from zerosum.server.domain.keys import Key, new_key, read_key
from zerosum.server.domain.problems import Problem

COOKIE: Final = "zerosum_key"
NEW_KEY: Final = "zerosum.new_key"
_YEAR: Final = 365 * 24 * 3600


def bearer_token(headers: Headers) -> str | None:
    """Return the token of the Authorization header: empty where it holds none, None where there is no header."""
    value = headers.get("authorization")
    if value is None:
        return None
    kind, _, token = value.strip().partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""


def request_key(connection: HTTPConnection) -> Key | None:
    """Return the key of a request; where there is an Authorization header, even an empty one, no cookie counts."""
    token = bearer_token(connection.headers)
    if token is None:
        return _cookie_key(connection)
    key = read_key(token)
    if key is None:
        raise Problem("no-key", "The Authorization header is not `Bearer TOKEN` with a token of this server.")
    return key


def required_key(connection: HTTPConnection) -> Key:
    """Return the key of a request that needs one."""
    key = request_key(connection)
    if key is None:
        raise Problem("no-key", "Get a key by POST /api/v1/keys and send it as `Authorization: Bearer TOKEN`.")
    return key


def page_key(connection: HTTPConnection) -> Key:
    """Return the key of a browser; one without a key gets a new one with the answer."""
    key = _cookie_key(connection)
    if key is None:
        key = new_key()
        connection.scope[NEW_KEY] = key
    return key


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
