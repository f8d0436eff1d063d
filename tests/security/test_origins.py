"""Another site cannot use a browser's key, neither by its own name nor by DNS rebinding (promise 17)."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.security.calling import Caller, said_to
from tests.security.origins import (
    BEARER_KEY,
    COOKIE_KEY,
    Target,
    check_disguises,
    check_hosts,
    check_origins,
    check_repeated,
    hosts_of,
    origins_of,
    target_at,
)
from tests.security.planted import changed
from tests.server.running import Server, served

NO_ORIGIN_CHECK = """
from zerosum.server.http import auth
right = auth.AllowedOrigins.check
def check(self, scheme, path, method, headers):
    if method is not None:
        right(self, scheme, path, method, headers)
auth.AllowedOrigins.check = check
"""


EVERYWHERE = "0.0.0.0"  # noqa: S104 - what is tested


@pytest.fixture(scope="module")
def plain() -> Iterator[Target]:
    with served() as server:
        yield target_at(server)


def test_only_our_own_hosts_are_answered(plain: Target) -> None:
    assert list(check_hosts(plain, *hosts_of(plain.server.port))) == []


@pytest.mark.parametrize("name", ["127.0.0.1", "[::1]"])
def test_only_our_own_pages_change_anything_or_look_on_live(plain: Target, name: str) -> None:
    port = plain.server.port
    host = f"{name}:{port}"
    right, wrong = origins_of("http", host, port)
    assert list(check_origins(plain, host, right, wrong if name == "127.0.0.1" else wrong[::3])) == []


def test_a_name_in_another_header_opens_nothing(plain: Target) -> None:
    mine = f"localhost:{plain.server.port}"
    for header in (f"X-Forwarded-Host: {mine}", f"Forwarded: host={mine}", f"X-Host: {mine}", f"Host: {mine}"):
        target = Target(plain.server, plain.table_id, plain.token, (header,))
        assert list(check_hosts(target, [], ["evil.example"])) == []
    absolute = f"POST http://{mine}/api/v1/keys HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
    assert b"wrong-host" in said_to(plain.server, absolute.encode())


def test_an_http_1_0_call_without_a_host_is_not_answered(plain: Target) -> None:
    assert said_to(plain.server, b"GET / HTTP/1.0\r\n\r\n").startswith(b"HTTP/1.1 421")


def test_on_a_page_a_header_stands_in_for_no_origin(plain: Target) -> None:
    """A page knows the cookie alone; so a header that no page can send must not open what the cookie opens."""
    both = {"Cookie": f"zerosum_key={plain.token}", "Authorization": f"Bearer {plain.token}"}
    nobody = Caller(plain.server, "nobody")
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    assert nobody.call("POST", f"/tables/{plain.table_id}/resign", b"", both | form).code == "wrong-origin"
    assert nobody.call("GET", "/api/v1/tables", headers=both).status == 200
    two = {"Cookie": "a=1", "cookie": f"zerosum_key={plain.token}"}
    assert nobody.call("POST", "/return", b"code=", two | form).code == "wrong-origin"


def test_a_cookie_needs_an_origin_whatever_stands_beside_it(plain: Target) -> None:
    assert list(check_disguises(plain, f"127.0.0.1:{plain.server.port}")) == []


def test_a_header_that_decides_comes_once(plain: Target) -> None:
    host = f"127.0.0.1:{plain.server.port}"
    assert list(check_repeated(plain, host)) == []
    # Two equal lengths mean one thing, and the parser takes them for one.
    twice = ["Content-Length: 0", "Content-Length: 0"]
    assert plain.send("POST", [f"Host: {host}", *twice]).startswith(b"HTTP/1.1 201")


def test_an_empty_authorization_header_is_not_a_cookie(plain: Target) -> None:
    """Even where the Origin is right, who sends the header is known by the header alone."""
    browser = {"Cookie": f"zerosum_key={plain.token}", "Origin": plain.server.url}
    nobody = Caller(plain.server, "nobody")
    assert nobody.call("GET", "/api/v1/tables", headers=browser).status == 200
    assert nobody.call("GET", "/api/v1/tables", headers=browser | {"Authorization": ""}).code == "no-key"


def test_bound_to_all_addresses_only_numbers_and_given_names_are_answered() -> None:
    with served(host=EVERYWHERE, public_url=["http://lan.example:8080"]) as server:
        target, port = target_at(server), server.port
        right = [f"192.168.0.7:{port}", f"[fe80::1]:{port}", f"[2001:db8::7]:{port}", f"127.0.0.1:{port}"]
        right += ["lan.example:8080", "LAN.example:8080", f"localhost:{port}"]
        wrong = ["lan.example", f"lan.example:{port}", "lan.example:80800", "evil.example", "127.1", "2130706433"]
        wrong += ["0x7f000001", "192.168.0.7.nip.io", "[::1", "[evil.example]", "1.2.3.4.5", "1.2.3", "[1.2.3.4]"]
        assert list(check_hosts(target, right, wrong)) == []
        host = f"192.168.0.7:{port}"
        right_origins, wrong_origins = origins_of("http", host, port)
        assert list(check_origins(target, host, right_origins, wrong_origins[::3])) == []


PROXIED = "X-Forwarded-Proto: https"


@pytest.fixture(scope="module")
def proxied() -> Iterator[Server]:
    with served(public_url=["https://play.example"], behind_proxy=True) as server:
        yield server


def test_behind_a_proxy_a_page_is_at_the_public_address(proxied: Server) -> None:
    target = target_at(proxied, PROXIED, address="127.0.0.1")
    over_tls = [f"https://{host}" for host in ("play.example", "play.example:443")]
    _, wrong = origins_of("https", "play.example", 443)
    wrong.remove("https://play.example:443")
    found = list(check_origins(target, "play.example", [], wrong))
    assert found == []
    for origin in over_tls:
        for method in ("POST", "handshake"):
            secure = Target(proxied, target.table_id, target.token, target.more, target.address)
            assert b"wrong-origin" not in secure.call(method, "play.example", origin, BEARER_KEY)


def test_what_a_proxy_says_is_believed_of_the_proxy_alone(proxied: Server) -> None:
    honest = target_at(proxied, PROXIED, address="127.0.0.1")
    stranger = Target(proxied, honest.table_id, honest.token, honest.more, "127.0.0.2")
    for method in ("POST", "handshake"):
        assert b"403" not in honest.call(method, "play.example", "https://play.example", COOKIE_KEY)[:12]
        assert b"403" in stranger.call(method, "play.example", "https://play.example", COOKIE_KEY)[:12]
    with served() as alone:
        direct = target_at(alone, PROXIED, address="127.0.0.1")
        host = f"127.0.0.1:{alone.port}"
        assert b"403" in direct.call("POST", host, f"https://{host}", COOKIE_KEY)[:12]


def test_a_host_outside_ascii_is_ours_in_a_handshake_too() -> None:
    name = "xn--bcher-kva.example"
    with served(public_url=f"http://{name}:8031") as server:
        target = target_at(server)
        for method in ("POST", "handshake"):
            answer = target.call(method, f"{name}:8031", f"http://{name}:8031", COOKIE_KEY)
            assert answer[:12] in (b"HTTP/1.1 201", b"HTTP/1.1 101"), answer[:100]


@pytest.mark.parametrize(("address", "believed"), [("127.0.0.1", True), ("127.0.0.3", False)])
def test_rates_are_counted_by_the_address_that_the_proxy_says(proxied: Server, address: str, believed: bool) -> None:
    said = _all_looked_for(proxied, address, [f"203.0.113.{n}" for n in range(45)])
    assert (429 in said) is not believed
    # An address that a caller wrote there itself stands before the one that the proxy has added.
    forged = _all_looked_for(proxied, address, [f"198.51.100.{n}, 203.0.113.200" for n in range(45)])
    assert 429 in forged


def _all_looked_for(server: Server, address: str, forwarded: list[str]) -> list[int]:
    """Return the statuses of requests sent at once: each refusal comes after a second."""
    with ThreadPoolExecutor(len(forwarded)) as pool:
        return list(pool.map(lambda one: _looked_for(server, address, one), forwarded))


def _looked_for(server: Server, address: str, forwarded: str) -> int:
    headers = {"X-Forwarded-For": forwarded, "Host": "play.example"}
    return Caller(server, "nobody", address=address).call("GET", "/join/" + "0" * 28, headers=headers).status


@pytest.mark.full
def test_a_live_door_without_the_check_is_found() -> None:
    with served(command=changed(NO_ORIGIN_CHECK)) as server:
        target, port = target_at(server), server.port
        host = f"127.0.0.1:{port}"
        found = [*check_origins(target, host, [], ["null"]), *check_hosts(target, [], ["evil"])]
        assert any(one.startswith("handshake with cookie, Host: evil") for one in found)
        assert any(one.startswith("handshake with cookie, Origin: null") for one in found)
        assert all(one.startswith("handshake") for one in found)
