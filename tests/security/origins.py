"""Requests to other hosts and from pages of other sites: every method and the live handshake, with each key.

The cases say what is right; nothing here is computed as the server does it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from tests.security.calling import UPGRADE, fresh_address, said_to, somebody
from tests.server.running import Server

SAFE: Final = ("GET", "HEAD", "OPTIONS")
UNSAFE: Final = ("POST", "PUT", "PATCH", "DELETE", "TRACE", "INVENTED")
HANDSHAKE: Final = "handshake"
METHODS: Final = (*SAFE, *UNSAFE, HANDSHAKE)
COOKIE_KEY, BEARER_KEY, NO_KEY = "cookie", "bearer", "nothing"
KEYS: Final = (COOKIE_KEY, BEARER_KEY, NO_KEY)
DISGUISES: Final = {
    "an empty header": ["Cookie: zerosum_key={token}", "Authorization:"],
    "an empty header first": ["Authorization:", "Cookie: zerosum_key={token}"],
    "blanks": ["Cookie: zerosum_key={token}", "Authorization: \t "],
    "a scheme alone": ["Cookie: zerosum_key={token}", "Authorization: Bearer"],
    "another scheme": ["Cookie: zerosum_key={token}", "Authorization: Basic YTpi"],
    "a token alone": ["Cookie: zerosum_key={token}", "Authorization: {token}"],
    "cookies with a comma": ["Cookie: a=1, zerosum_key={token}"],
    "two cookie headers": ["Cookie: a=1", "Cookie: zerosum_key={token}"],
    "a quoted cookie": ['Cookie: zerosum_key="{token}"'],
    "blanks around the cookie": ["Cookie: a=1;zerosum_key = {token}"],
}
"""A cookie beside headers that could make it look like a key in a header, or like no cookie."""
_OWN, _EVIL = "Origin: http://{host}", "Origin: http://evil.example"
REPEATED: Final = {
    "hosts": ["Host: {host}", "Host: {host}"],
    "another host first": ["Host: evil.example", "Host: {host}"],
    "another host last": ["Host: {host}", "Host: evil.example"],
    "origins": ["Host: {host}", _OWN, _OWN],
    "another origin first": ["Host: {host}", _EVIL, _OWN],
    "another origin last": ["Host: {host}", _OWN, _EVIL],
    "null last": ["Host: {host}", _OWN, "Origin: null"],
    "nothing first": ["Host: {host}", "Origin:", _OWN],
    "keys": ["Host: {host}", _OWN, "Authorization: Bearer {token}", "Authorization: Bearer {token}"],
    "an empty key first": ["Host: {host}", _OWN, "Authorization:", "Authorization: Bearer {token}"],
    "lengths": ["Host: {host}", _OWN, "Content-Length: 0", "Content-Length: 1"],
    "length and encoding": ["Host: {host}", _OWN, "Content-Length: 0", "Transfer-Encoding: chunked"],
}
"""Headers of which a proxy and the server could each believe another one."""
_REFUSALS: Final = (b'"code":"wrong-host"', b'"code":"wrong-origin"')


@dataclass(frozen=True, slots=True)
class Target:
    """A server, a table of it, and a key of somebody there."""

    server: Server
    table_id: str
    token: str
    more: tuple[str, ...] = ()
    """Headers that go with every call."""
    address: str = ""
    """From where the calls come, forwarded for a new address each; where none is given, from a new address each."""

    def call(self, method: str, host: str | None, origin: str | None, key: str) -> bytes:
        """Return the answer to a call, and of an accepted handshake its beginning."""
        lines = [f"Host: {host}"] if host is not None else []
        lines += [f"Origin: {origin}"] if origin is not None else []
        lines += {COOKIE_KEY: [f"Cookie: a=1; zerosum_key={self.token}; b=2"]}.get(key, [])
        lines += {BEARER_KEY: [f"Authorization: Bearer {self.token}"]}.get(key, [])
        return self.send(method, lines)

    def send(self, method: str, lines: Iterable[str]) -> bytes:
        """Return the answer to a call with these headers, and of an accepted handshake its beginning."""
        first = [f"{method} /api/v1/keys HTTP/1.1", "Connection: close"]
        if method == HANDSHAKE:
            first = [f"GET /api/v1/tables/{self.table_id}/live HTTP/1.1", *UPGRADE]
        lines = [*first, *lines]
        lines += [f"X-Forwarded-For: {fresh_address()}"] if self.address else []
        data = "\r\n".join([*lines, *self.more, "", ""]).encode("latin-1")
        return said_to(self.server, data, address=self.address or fresh_address())


def target_at(server: Server, *more: str, address: str = "") -> Target:
    """Return a table at a server, with the key of who opened it."""
    ann = somebody(server, "Ann")
    table_id = ann.call("POST", "/api/v1/tables", {"game": "sum31"}).json["state"]["table"]
    return Target(server, table_id, ann.token, more, address)


def hosts_of(port: int) -> tuple[list[str], list[str | None]]:
    """Return hosts that a server at its usual address answers to, and hosts that it must not answer to."""
    right = [f"127.0.0.1:{port}", f"localhost:{port}", f"LocalHost:{port}", f"[::1]:{port}", "localhost", "127.0.0.1"]
    names = ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "evil-localhost", "localhost-evil"]
    # Names that resolve to 127.0.0.1, now or by the time the browser asks again.
    names += ["127.0.0.1.nip.io", "rebind.evil.example", "localtest.me", "localhost.", "127.0.0.1.", ".localhost"]
    # The same address, written as no browser writes it after it has read it.
    names += ["127.1", "2130706433", "0x7f000001", "0177.0.0.1", "127.000.000.001", "[::ffff:127.0.0.1]", "::1", "[::1"]
    names += ["192.168.0.7", "0.0.0.1", "[fe80::1]", "xn--lcalhost-n4a", "l\xf6calhost", "localhost%00", "local host"]
    tricks = [f"localhost:{port}@evil.example", f"evil.example@localhost:{port}", f"evil.example/localhost:{port}"]
    tricks += [f"localhost:{port}:{port}", f"localhost,evil.example:{port}", f"http://localhost:{port}", "*", ""]
    wrong = [*names[:6], *(f"{name}:{port}" for name in names), *tricks, f"localhost:{port}x", "localhost:99999999"]
    return right, [None, *wrong]


def origins_of(scheme: str, host: str, port: int) -> tuple[list[str], list[str]]:
    """Return origins of pages at a host (with its port, where that is not the usual one), and of other pages."""
    at, name = f"{scheme}://{host}", host.partition(":")[0]
    other = "https" if scheme == "http" else "http"
    wrong = ["null", "", "http://evil.example", f"{other}://{host}", f"ws://{host}", f"//{host}", host, "file://"]
    wrong += [
        f"{scheme}://{name}:{port + 1}",
        f"{scheme}://{name}:1",
        f"{scheme}://{name}.:{port}",
        f"{at}/",
        f"{at}/x",
    ]
    wrong += [f"{scheme}://{name}.evil.example", f"{scheme}://evil.{host}", f"{at}.evil.example", f"{at}:{port}"]
    wrong += [f"{at}@evil.example", f"{scheme}://evil.example@{host}", f"{scheme}://:@{host}", f"{at}#", f"{at}?"]
    wrong += [f"{at}, http://evil.example", f"{at} http://evil.example", f"{scheme}://xn--{host}", f"{scheme}:{host}"]
    wrong += [f"{scheme}://{host}\\evil.example", f"chrome-extension://{host}", f"{scheme}://{name}%2e:{port}", "*"]
    return [at, at.upper()], wrong


def _refused(answer: bytes, method: str) -> bool:
    status = answer[:12]
    if method == HANDSHAKE:
        return not answer or status in (b"HTTP/1.1 403", b"HTTP/1.1 400")  # what wsproto cannot decode is cut
    return status in (b"HTTP/1.1 421", b"HTTP/1.1 403", b"HTTP/1.1 400")


def _let_in(answer: bytes, method: str) -> bool:
    if method == HANDSHAKE:
        return answer.startswith(b"HTTP/1.1 101")
    return answer[:12] in (b"HTTP/1.1 201", b"HTTP/1.1 405") and not any(code in answer for code in _REFUSALS)


def check_hosts(target: Target, right: Iterable[str], wrong: Iterable[str | None]) -> Iterator[str]:
    """Yield the calls that a wrong host did not stop, and those that a right one did."""
    for host, method, key in itertools.product(wrong, METHODS, KEYS):
        # A page at the wrong name would be its own origin, and a browser sends its cookie.
        origin = f"http://{host}" if key == COOKIE_KEY else None
        answer = target.call(method, host, origin, key)
        if not _refused(answer, method):
            yield f"{method} with {key}, Host: {host}, Origin: {origin}: {answer[:40]!r}"
    for host, method, key in itertools.product(right, METHODS, KEYS):
        answer = target.call(method, host, f"http://{host}".lower(), key)
        if not _let_in(answer, method):
            yield f"{method} with {key}, Host: {host}: {answer[:40]!r}"


def check_origins(target: Target, host: str, right: Iterable[str], wrong: Iterable[str]) -> Iterator[str]:
    """Yield the calls that came through from a page of another site, and those stopped from our own."""
    for origin, method, key in itertools.product(wrong, METHODS, KEYS):
        answer = target.call(method, host, origin, key)
        if _refused(answer, method) == (method in SAFE):
            yield f"{method} with {key}, Origin: {origin}: {answer[:40]!r}"
    for given, method, key in itertools.product([*right, None], METHODS, KEYS):
        answer = target.call(method, host, given, key)
        stopped = given is None and key == COOKIE_KEY and method not in SAFE
        if stopped != _refused(answer, method) or stopped == _let_in(answer, method):
            yield f"{method} with {key}, Origin: {given}: {answer[:40]!r}"


def check_disguises(target: Target, host: str) -> Iterator[str]:
    """Yield the calls with a cookie and no Origin that came through."""
    for (name, disguise), method in itertools.product(DISGUISES.items(), (*UNSAFE, HANDSHAKE)):
        headers = [f"Host: {host}", *(line.format(token=target.token) for line in disguise)]
        answer = target.send(method, headers)
        if not _refused(answer, method):
            yield f"{method} with {name}: {answer[:40]!r}"


def check_repeated(target: Target, host: str) -> Iterator[str]:
    """Yield the calls that a header which came twice did not stop."""
    for (name, given), method in itertools.product(REPEATED.items(), METHODS):
        answer = target.send(method, [line.format(host=host, token=target.token) for line in given])
        status = answer[:12]
        if status != b"HTTP/1.1 400" and not (method == HANDSHAKE and status == b"HTTP/1.1 403"):
            yield f"{method} with {name}: {answer[:40]!r}"
