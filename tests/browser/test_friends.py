"""With a friend: a name first, a link that says who can open it, a QR code, a late comer, a room that looks on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.auditing import findings, wrong
from tests.browser.browsing import PHONE, Browsing
from tests.browser.playing import headline, open_table, play, ready
from tests.security.planted import changed
from tests.server.running import Server, served

PUBLIC = "http://games.example:8031"
# What the system would show; a browser without a window has no dialogue of its own.
SHARES = "navigator.share = async (what) => { window.shared = what; };"
SOON = (
    "from zerosum.server import limits\nfrom zerosum.tables import limits as table_limits\n"
    "table_limits.ABSENT_SECONDS, limits.SEEN_SECONDS, limits.POLL_SECONDS = 3, 0.2, 0.1\n"
)


@pytest.fixture(scope="module")
def public() -> Iterator[Server]:
    """Return a server that others reach by a name."""
    with served(public_url=[PUBLIC]) as server:
        yield server


def invited(page: Page, site: Server, name: str = "Ann") -> str:
    """Invite somebody from Home, and return the invitation."""
    page.goto(site.url)
    page.get_by_label("Play against").select_option("human")
    page.get_by_role("button", name="Play Sum31").click()
    expect(page.get_by_role("main")).to_contain_text("Your friend sees this name on the invitation to Sum31.")
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Make the invitation").click()
    expect(headline(page)).to_have_text("Waiting for your friend")
    return page.get_by_label("Invitation").input_value()


def test_the_host_gives_a_name_and_a_late_comer_watches(open_page: Browsing, site: Server) -> None:
    ann, ben, eve = (open_page(reduced_motion=True) for _ in range(3))
    invitation = invited(ann, site)
    for page in (ben, eve):
        page.goto(invitation)
        expect(page.get_by_role("heading", level=1)).to_have_text("Ann invites you to Sum31")
    ben.get_by_label("Your name").fill("Ben")
    ben.get_by_role("button", name="Take the seat").click()
    expect(headline(ann)).to_have_text("Your turn")
    expect(ann.get_by_label("Invitation")).to_have_count(0)
    eve.reload()
    expect(eve.get_by_role("main")).to_contain_text("Somebody else took it first: Ann and Ben")
    eve.get_by_role("link", name="Watch the match").click()
    play(ann, "+5")
    expect(headline(eve)).to_have_text("Ben’s turn")
    # The name is asked for once.
    ann.goto(site.url)
    ann.get_by_role("button", name="Play Sum31").click()
    expect(headline(ann)).to_have_text("Waiting for your friend")
    expect(ann.get_by_role("region", name="Players")).to_contain_text("Ann")


def test_a_link_for_this_machine_alone_says_so_and_has_no_code_to_scan(open_page: Browsing, site: Server) -> None:
    page = open_page(javascript=False)
    invited(page, site)
    expect(page.get_by_role("button", name="Share")).to_have_count(0)
    expect(page.get_by_text("Only this computer can open this link.")).to_be_visible()
    expect(page.get_by_text("zerosum serve --lan")).to_be_visible()
    expect(page.get_by_role("img", name="QR code of this link")).to_have_count(0)


def test_an_invitation_is_shared_copied_and_scanned(open_page: Browsing, public: Server) -> None:
    page = open_page(width=PHONE, reduced_motion=True)
    page.add_init_script(SHARES)
    invitation = invited(page, public)
    assert invitation.startswith(f"{PUBLIC}/join/")
    expect(page.get_by_text("Only this computer")).to_have_count(0)
    expect(page.get_by_role("img", name="QR code of this link")).to_be_visible()
    ready(page)
    page.get_by_role("button", name="Share").tap()
    page.wait_for_function("url => window.shared?.url === url", arg=invitation)
    page.get_by_role("button", name="Copy").first.tap()
    expect(page.get_by_role("button", name="Copied").first).to_be_visible()
    assert not wrong(page)


def test_a_room_follows_a_table_on_the_wall(open_page: Browsing, public: Server) -> None:
    host, wall, plain = open_page(reduced_motion=True), open_page(reduced_motion=True), open_page(javascript=False)
    address = open_table(host, public, "sequence-zero", "here", name="Ann", opponent_name="Ben")
    for page in (wall, plain):
        page.goto(f"{address}/projector")
        expect(page.get_by_role("heading", name="Ann’s turn")).to_be_visible()
    assert wall.locator("a, button, input, select, summary").count() == 0
    play(host, "+5")
    for page in (wall, plain):
        expect(page.get_by_role("heading", name="Ben’s turn")).to_be_visible()
        expect(page.get_by_text("5, taken by Ann")).to_have_count(1)
    expect(wall.get_by_role("img", name="QR code of the link for spectators")).to_be_visible()
    for scheme in ("light", "dark"):
        wall.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        assert findings(wall) == []
    # On a wall nothing scrolls.
    assert wall.evaluate("document.scrollingElement.scrollHeight <= innerHeight")


def test_a_match_can_be_claimed_once_it_can_and_not_before(open_page: Browsing) -> None:
    with served(command=changed(SOON)) as server:
        ann, ben = open_page(reduced_motion=True), open_page(reduced_motion=True)
        ben.goto(invited(ann, server))
        ben.get_by_role("button", name="Take the seat").click()
        expect(headline(ann)).to_have_text("Your turn")
        play(ann, "+5")
        claim = ann.get_by_role("button", name="Claim the match")
        expect(headline(ben)).to_have_text("Your turn")
        expect(claim).to_have_count(0)
        address = ben.url
        ben.close()
        hidden = ann.locator("[data-appears]")
        while not hidden.count() and not claim.count():  # whoever was here a moment ago still counts as here
            ann.goto(address)
        claim.click()  # it appears without another look at the page
        expect(headline(ann)).to_have_text("You win!")
        ann.close()  # before the server, for which its page would look
