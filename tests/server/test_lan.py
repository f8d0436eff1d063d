"""`zerosum serve --lan`: the room can open the page, by the address and the code that the terminal shows."""

from __future__ import annotations

import re
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

import pytest

from tests.cli.command import Zerosum
from tests.cli.pty_play import Person
from tests.patience import PATIENCE
from tests.server.running import COMMAND, served
from zerosum.server import serve
from zerosum.server.serve import LanError, lan_address, terminal_qr_code


def fetch(url: str, host: str, form: dict[str, str] | None = None) -> str:
    """Return a page as a browser gets it that calls the server by `host`."""
    browser = build_opener(HTTPCookieProcessor())
    headers = {"Host": host, "Origin": f"http://{host}"}
    with browser.open(Request(url, urlencode(form).encode() if form else None, headers), timeout=PATIENCE) as answer:  # noqa: S310 - a server of this test
        return str(answer.read().decode())


def known() -> str:
    """Return the address of this machine, nothing where it is on no network."""
    try:
        return lan_address()
    except LanError:
        return ""


def test_the_terminal_shows_where_the_room_opens_the_page(zerosum: Zerosum) -> None:
    address = known()
    if not address:
        assert "has no address on a network" in zerosum("serve", "--lan").err
        return
    with Person([*COMMAND, "--lan", "--port", "0"]) as host:
        host.sees(f"Serving on http://{address}:").sees("\n")
        port = int(re.findall(r":(\d+)\s*$", host.text)[0])
        host.sees("Everybody on your network can open it. Scan this with a phone:").sees("Ctrl-C stops it")
        assert terminal_qr_code(f"http://{address}:{port}") in host.text
        # Who opens it on this machine by its own name invites by the name that others can use.
        form = {"game": "sum31", "opponent": "human", "name": "Ann"}
        invited = fetch(f"http://127.0.0.1:{port}/tables", f"127.0.0.1:{port}", form)
        assert f'value="http://{address}:{port}/join/' in invited
        assert "Only this computer" not in invited
        assert "Play a friend" in fetch(f"http://{address}:{port}/", f"{address}:{port}")
        host.presses("\x03").ends()


def test_the_code_is_plain_text_and_for_terminals_alone() -> None:
    code = terminal_qr_code("http://192.168.1.20:8031")
    assert set(code) == set(" █▀▄\n")
    lines = code.splitlines()
    assert {len(line) for line in lines} == {len(lines[0])}
    assert len(lines[0]) <= 40
    if known():
        with served(lan=True) as server:
            assert "█" not in server.out + server.log


def test_the_address_is_not_chosen_twice(zerosum: Zerosum) -> None:
    ran = zerosum("serve", "--lan", "--host", "127.0.0.1")
    assert (ran.status, ran.out) == (2, "")
    assert "leave --host out" in ran.err


def test_a_machine_on_no_network_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "_candidates", lambda: iter(["127.0.1.1", "0.0.0.0"]))  # noqa: S104 - not listened on
    with pytest.raises(LanError, match="--host"):
        lan_address()
