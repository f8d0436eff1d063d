"""Who is there: a closed tab is noticed, a network that is gone is said, and a match that was left says so."""

from __future__ import annotations

from playwright.sync_api import WebSocketRoute, expect

from tests.browser.browsing import Browsing
from tests.browser.playing import headline, invite, play, ready
from tests.server.running import Server
from zerosum.screens.static_files import STATIC
from zerosum.server import limits


def test_a_closed_tab_is_noticed(open_page: Browsing, site: Server) -> None:
    ann, ben = open_page(), open_page()
    invite(ann, site, "sum31", ben)
    ready(ann)
    beside = ann.locator("[data-presence='2']")
    expect(beside).to_contain_text("here")
    ben.close()
    expect(beside).to_contain_text("away")
    # Within 10 s: the server counts somebody as there for a while, and the page asks a little later.
    script = (STATIC / "table.js").read_text(encoding="utf-8")
    asks = next(
        int(line.split(";")[0].split("=")[1].replace("_", "")) for line in script.splitlines() if "ABSENT =" in line
    )
    assert (limits.SEEN_SECONDS + limits.POLL_SECONDS) * 1000 < asks < 10_000


def test_a_network_that_is_gone_is_said_and_so_is_its_return(open_page: Browsing, site: Server) -> None:
    open_page.allow("ERR_INTERNET_DISCONNECTED")
    ann = open_page()
    invite(ann, site, "sum31", open_page())
    ready(ann)
    ann.context.set_offline(True)
    expect(ann.locator("#link")).to_have_text("Connection lost. Reconnecting…")
    ann.context.set_offline(False)
    expect(ann.locator("#link")).to_be_hidden()
    play(ann, "+5")
    expect(headline(ann)).to_contain_text("turn")


def test_a_network_that_says_nothing_is_noticed(open_page: Browsing, site: Server) -> None:
    """No event tells of it, and no connection breaks: only the answers stay away."""
    ann = open_page()
    invite(ann, site, "sum31", open_page())
    silent = False

    def between(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        server.on_message(lambda message: None if silent else socket.send(message))

    ann.route_web_socket("**/live?*", between)
    ann.reload()
    ready(ann)
    expect(ann.locator("#link")).to_be_hidden()
    silent = True
    expect(ann.locator("#link")).to_have_text("Connection lost. Reconnecting…")
    silent = False
    expect(ann.locator("#link")).to_be_hidden()
