"""Keys, codes and invitations: long, stored as hashes, told to nobody else, and single where they are (promise 18)."""

from __future__ import annotations

import os
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.security.browsing import visitor
from tests.security.calling import Caller, hash_of, somebody
from tests.security.evening import race, spend
from tests.security.listening import Listener
from tests.security.planted import changed
from tests.security.seating import open_online
from tests.server.running import Server, served

if TYPE_CHECKING:
    from tests.server.postgres import Cluster

TALKATIVE_LOG = """
import structlog
from zerosum.tables import keys
from zerosum.server.http import auth
right = keys.read_key
def read_key(text):
    structlog.get_logger().warning("a caller", key=text[:10] + text[10:])
    return right(text)
keys.read_key = auth.read_key = read_key
"""
BROKEN = """
from zerosum.server.db import queries
def seats_of(connection, key):
    token = key.token
    raise RuntimeError("broken")
queries.seats_of = seats_of
"""


@pytest.fixture(scope="module")
def evening() -> Iterator[tuple[Server, Listener]]:
    with served() as server:
        yield server, spend(server)


def in_files(listener: Listener, folder: Path) -> list[str]:
    """Return the secrets that stand in some file of a folder."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files
    return [
        f"{path.name}: {secret}"
        for path in files
        for content in [path.read_bytes()]
        for secret in listener.owners
        if secret.encode() in content
    ]


def test_nobody_is_told_a_secret_of_somebody_else(evening: tuple[Server, Listener]) -> None:
    _, listener = evening
    assert len(listener.owners) > 15
    assert len(listener.told) > 200
    assert listener.leaks() == []


def test_no_secret_is_logged(evening: tuple[Server, Listener]) -> None:
    server, listener = evening
    log = server.log + server.out
    assert log.count('"event": "request"') > 100
    assert [secret for secret in listener.owners if secret in log] == []


def test_the_file_of_the_store_holds_hashes_alone(evening: tuple[Server, Listener]) -> None:
    server, listener = evening
    assert in_files(listener, server.home) == []
    stored = b"".join(path.read_bytes() for path in server.home.glob("*.sqlite3*"))
    seated = [token for secret, owners in listener.owners.items() if "-" in secret for token in owners]
    assert len(seated) > 4
    assert all(hash_of(token).encode() in stored for token in seated)


def test_postgresql_holds_hashes_alone(postgres: Cluster) -> None:
    url = postgres.database()
    with served(url) as server:
        listener = spend(server)
        assert listener.leaks() == []
        dump = subprocess.run([postgres.binaries / "pg_dump", url], capture_output=True, check=True).stdout
        assert in_files(listener, server.home) == []
    assert b"CREATE TABLE" in dump
    assert [secret for secret in listener.owners if secret.encode() in dump] == []
    assert any(hash_of(secret).encode() in dump for secret in listener.owners)
    # The files, with what was deleted or only logged ahead; they may belong to another user.
    postgres.stop()
    try:
        assert os.access(postgres.folder / "data", os.R_OK)
        assert in_files(listener, postgres.folder / "data") == []
    finally:
        postgres.start()
    assert [secret for secret in listener.owners if secret in postgres.log] == []


def test_no_address_holds_a_key_or_a_code(evening: tuple[Server, Listener]) -> None:
    """An invitation is a link by its nature; keys and codes are never part of one that the server writes."""
    _, listener = evening
    for caller, what, text in listener.told:
        for secret in (one for one in listener.owners if one.startswith("zs_") or "-" in one):
            for before in ('href="', 'action="', 'src="', "location: "):
                parts = text.split(before)[1:]
                assert not any(secret in part.partition('"')[0].partition("\n")[0] for part in parts), (caller, what)


def test_a_key_in_a_line_of_the_log_is_found() -> None:
    with served(command=changed(TALKATIVE_LOG)) as server:
        listener = Listener()
        open_online(server, listener)
        assert any(secret in server.log for secret in listener.owners)


def test_an_error_in_the_server_logs_no_key() -> None:
    with served(command=changed(BROKEN)) as server:
        ann = somebody(server, "Ann")
        reply = ann.call("GET", "/api/v1/tables")
        assert (reply.status, reply.code) == (500, "internal")
        assert "RuntimeError" in server.log
        assert ann.token not in server.log + reply.everything()


def test_an_invitation_is_for_one_alone() -> None:
    with served() as server:
        for _ in range(3):
            ann = somebody(server, "Ann")
            opened = ann.call("POST", "/api/v1/tables", {"game": "sum31"}).json
            statuses = Counter(race(server, opened["invitation"], 20))
            assert statuses[200] + statuses[303] == 1, statuses
            assert statuses[410] == 19
            table = f"/api/v1/tables/{opened['state']['table']}"
            assert ann.call("GET", table).json["version"] == 2


@pytest.mark.parametrize("written", [str, str.upper, lambda code: f"  {code.replace('-', ' ')} "])
def test_a_code_brings_a_seat_to_another_device(evening: tuple[Server, Listener], written: type[str]) -> None:
    server, _ = evening
    listener = Listener()
    table = open_online(server, listener)
    code = next(one for one, owners in listener.owners.items() if table.one.token in owners and "-" in one)
    phone = somebody(server, "Ann's phone")
    assert phone.call("POST", "/api/v1/come-back", {"code": written(code)}).json["state"]["you"] == [1]
    table.do(phone, "move")
    table.do(table.two, "move")
    table.do(table.one, "move")


def test_of_too_many_devices_the_first_loses_the_seat(evening: tuple[Server, Listener]) -> None:
    server, _ = evening
    listener = Listener()
    table = open_online(server, listener)
    code = next(one for one, owners in listener.owners.items() if table.one.token in owners and "-" in one)
    devices = [somebody(server, f"device {n}") for n in range(8)]
    for device in devices:
        assert device.call("POST", "/api/v1/come-back", {"code": code}).status == 200
    refused = table.one.call("POST", f"/api/v1/tables/{table.id}/resign", table.body("resign"))
    assert refused.code == "not-your-seat"


def test_a_browser_keeps_its_key_where_no_script_and_no_other_site_can_reach_it() -> None:
    with served(public_url=["https://play.example"], behind_proxy=True) as server:
        plain = Caller(server, "a browser", browser=True).call("GET", "/").header("set-cookie")
        value, *rest = plain.split("; ")
        assert value.startswith("zerosum_key=zs_")
        assert sorted(rest) == ["HttpOnly", "Max-Age=31536000", "Path=/", "SameSite=Lax"]
        tls = {"Host": "play.example", "X-Forwarded-Proto": "https"}
        proxy = Caller(server, "a browser", address="127.0.0.1")
        first = proxy.call("GET", "/", headers=tls)
        value, *rest = first.header("set-cookie").split("; ")
        assert value.startswith("__Host-zerosum_key=zs_")
        assert sorted(rest) == ["HttpOnly", "Max-Age=31536000", "Path=/", "SameSite=Lax", "Secure"]
        assert first.header("strict-transport-security")
        # A cookie that any site on the same domain, or a page without TLS, could have set is not believed.
        assert proxy.call("GET", "/", headers=tls | {"Cookie": plain.split(";")[0]}).header("set-cookie")
        assert not proxy.call("GET", "/", headers=tls | {"Cookie": value}).header("set-cookie")


@pytest.mark.parametrize("other", ['a={"b":1}', "a", "a=\xe4", 'a="b', "=", "zerosum_keys=1", "a=1; ; b"])
def test_cookies_of_other_servers_do_not_cost_a_seat(evening: tuple[Server, Listener], other: str) -> None:
    server, _ = evening
    ann = visitor(server, "Ann")
    for cookies in (f"{other}; zerosum_key={ann.token}", f"zerosum_key={ann.token}; {other}"):
        assert not ann.call("GET", "/", headers={"Cookie": cookies}).header("set-cookie")


def test_one_who_comes_back_elsewhere_is_shown_no_invitation_that_does_not_work() -> None:
    with served() as server:
        ann, phone = somebody(server, "Ann"), somebody(server, "Ann's phone")
        opened = ann.call("POST", "/api/v1/tables", {"game": "sum31"}).json
        back = phone.call("POST", "/api/v1/come-back", {"code": opened["codes"]["1"]}).json
        assert (back["state"]["you"], back["invitation"]) == ([1], None)
        page = phone.renamed("phone", browser=True).call("GET", f"/tables/{opened['state']['table']}")
        assert "/join/" not in page.text
