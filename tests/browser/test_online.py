"""Two people in two browsers, and a third who watches: what one does, the others see at once."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.browsing import Browsing
from tests.browser.playing import (
    expect_heard,
    happened,
    headline,
    invite,
    listen,
    made,
    open_menu,
    open_table,
    play,
    press,
    presses,
    resign,
    share,
)
from tests.server.running import Server, served

LOST = "Failed to load resource: net::|WebSocket connection to"
"""What a browser writes in its console while there is no connection; no page can keep it from that."""


def calm(open_page: Browsing, count: int) -> list[Page]:
    return [open_page(reduced_motion=True) for _ in range(count)]


def test_an_invitation_is_for_one_and_the_table_for_all(open_page: Browsing, site: Server) -> None:
    ann, ben, eve = calm(open_page, 3)
    address = open_table(ann, site, "sum31", "human", name="Ann", minutes="30")
    listen(ann)
    expect(headline(ann)).to_have_text("Waiting for your friend")
    invitation = ann.get_by_label("Invitation").input_value()
    for page in (ben, eve):
        page.goto(invitation)
        expect(page.get_by_role("heading", level=1)).to_have_text("Ann invites you to Sum31")
        expect(page.get_by_role("main")).to_contain_text("Reach 31 with the shared total; past it you lose.")
        expect(page.get_by_role("main")).to_contain_text("30 minutes each on the clock. Ann moves first.")
        page.get_by_label("Your name").fill("Ben" if page is ben else "Eve")
    ben.get_by_role("button", name="Take the seat").click()
    expect(headline(ben)).to_have_text("Ann’s turn")
    expect(headline(ann)).to_have_text("Your turn")
    expect_heard(ann, "Ben has joined. Ann is to move.")

    open_page.allow("status of 410")
    eve.get_by_role("button", name="Take the seat").click()
    expect(eve.get_by_role("heading", level=1)).to_have_text("The seat is taken")
    eve.goto(invitation)
    expect(eve.get_by_role("main")).to_contain_text("Ann and Ben play Sum31. You can watch them")
    eve.get_by_role("link", name="Watch the match").click()
    expect(eve).to_have_url(address)
    listen(eve)
    play(ann, "+5")
    share((ann, ben, eve), "Ann plays +5. The total is 5.")
    expect_heard(eve, "Ann plays +5. The total is 5.")
    for page in (ann, eve):
        expect(headline(page)).to_have_text("Ben’s turn")
        expect(presses(page)).to_have_count(0)
    expect(headline(ben)).to_have_text("Your turn")
    for nothing in ("Resign", "Ask to take back", "Your personal code", "Coach"):
        expect(eve.get_by_text(nothing, exact=True)).to_have_count(0)
    expect(ann.get_by_text("No coaching while two people play online")).to_be_visible()


def test_a_lost_connection_loses_nothing(open_page: Browsing, site: Server) -> None:
    open_page.allow(LOST)
    ann, ben = calm(open_page, 2)
    address = invite(ann, site, "sum31", ben)
    expect(headline(ann)).to_have_text("Your turn")
    play(ann, "+5")
    expect(headline(ben)).to_have_text("Your turn")
    listen(ben)
    ben.context.set_offline(offline=True)
    press(ben, "+6").click()
    expect(ben.get_by_text("Connection lost. Sending your move again…").first).to_be_visible()
    expect_heard(ben, "Connection lost.")
    expect(headline(ann)).to_have_text("Ben’s turn")
    ben.context.set_offline(offline=False)
    share((ann, ben), "Ben plays +6. The total is 11.")
    expect(ben.locator("#link")).to_be_hidden()
    for page in (ann, ben):
        expect(made(page)).to_have_count(2)

    # Another way to lose it: the page is closed, and opened again after the others went on.
    ben.close()
    play(ann, "+9")
    again = open_page(beside=ben)
    again.goto(address)
    expect(headline(again)).to_have_text("Your turn")
    expect(made(again)).to_have_count(3)
    play(again, "+8")
    share((ann, again), re.compile(r"^Ben plays \+8\. The total is 28\."))


def test_a_server_that_stops_in_the_middle_costs_nothing(open_page: Browsing) -> None:
    open_page.allow(LOST)
    with served() as site:
        ann, ben = calm(open_page, 2)
        invite(ann, site, "sum31", ben, minutes="30")
        expect(headline(ann)).to_have_text("Your turn")
        play(ann, "+5")
        expect(headline(ben)).to_have_text("Your turn")
        site.stop()
        for page in (ann, ben):
            expect(page.get_by_text("Connection lost. Reconnecting…").first).to_be_visible()
        press(ben, "+6").click()
        site.start()
        for page in (ann, ben):
            expect(page.locator("#link")).to_be_hidden()
            expect(happened(page)).to_have_text("Ben plays +6. The total is 11.")
            expect(made(page)).to_have_count(2)
        play(ann, "+7")
        share((ann, ben), "Ann plays +7. The total is 18.")
        expect(ann.get_by_text(re.compile(r"^(30:00|2\d:\d\d)$"))).to_have_count(2)


def test_taking_back_needs_the_others_consent(open_page: Browsing, site: Server) -> None:
    ann, ben = calm(open_page, 2)
    invite(ann, site, "zero-sum-duel", ben)
    expect(headline(ann)).to_have_text("Your turn")
    play(ann, "+5")
    listen(ben)
    ann.get_by_role("button", name="Ask to take back").click()
    expect(ann.get_by_text("Waiting for Ben’s answer.")).to_be_visible()
    expect_heard(ben, "Ann asks to take the last move back.")
    ben.get_by_role("button", name="Refuse").click()
    share((ann, ben), "Ben does not want the move taken back.")
    expect(made(ann)).to_have_count(1)
    ann.get_by_role("button", name="Ask to take back").click()
    ben.get_by_role("button", name="Allow it").click()
    share((ann, ben), "One move was taken back.")
    for page in (ann, ben):
        expect(made(page)).to_have_count(0)
    expect(press(ann, "+5")).to_be_enabled()


def test_a_rematch_swaps_the_seats(open_page: Browsing, site: Server) -> None:
    ann, ben = calm(open_page, 2)
    invite(ann, site, "sequence-zero", ben)
    expect(headline(ann)).to_have_text("Your turn")
    play(ann, "+5")
    resign(ben)
    share((ann,), "You won: Ben resigned.")
    share((ben,), "Ann won: you resigned.")
    expect(headline(ann)).to_have_text("You win!")
    expect(headline(ben)).to_have_text("Ann wins")
    ben.get_by_role("button", name="Ask for a rematch").click()
    ann.get_by_role("button", name="No, thank you").click()
    share((ann, ben), "Ann does not want to play again.")
    ann.get_by_role("button", name="Ask for a rematch").click()
    ben.get_by_role("button", name="Yes, play again").click()
    share((ann, ben), "Match 2: the seats are swapped.")
    expect(headline(ben)).to_have_text("Your turn")
    play(ben, "-3")
    expect(headline(ann)).to_have_text("Your turn")


def test_a_series_ends_when_it_is_decided(open_page: Browsing, site: Server) -> None:
    ann, ben = calm(open_page, 2)
    invite(ann, site, "sum31", ben, best_of="3")
    expect(headline(ann)).to_have_text("Your turn")
    play(ann, "+5")
    resign(ben)
    expect(ann.get_by_role("button", name="Ask for a rematch")).to_have_count(0)
    ann.get_by_role("button", name="Next match").click()
    share((ann, ben), "Match 2 of at most 3: the seats are swapped.")
    expect(headline(ben)).to_have_text("Your turn")
    play(ben, "+9")
    expect(headline(ann)).to_have_text("Your turn")
    play(ann, "+1")
    resign(ben)
    share((ann,), "You won: Ben resigned. You win the series 2 to 0.")
    share((ben,), "Ann won: you resigned. Ann wins the series 2 to 0.")
    expect(ben.get_by_role("button", name="Next match")).to_have_count(0)
    expect(ben.get_by_role("button", name="Ask for a rematch")).to_be_visible()
    ann.get_by_role("link", name="Review the match").click()
    ann.get_by_role("link", name="Match 1").click()
    expect(ann.get_by_role("main")).to_contain_text("Ann won: Ben resigned.")


def test_a_personal_code_takes_the_seat_to_another_device(open_page: Browsing, site: Server) -> None:
    ann, ben, phone = *calm(open_page, 2), open_page(width=360, reduced_motion=True)
    address = invite(ann, site, "sum31", ben)
    expect(headline(ann)).to_have_text("Your turn")
    play(ann, "+5")
    open_menu(ben)
    ben.get_by_text("This table").click()
    code = ben.get_by_label("Your personal code").input_value()
    phone.goto(f"{site.url}/return")
    phone.get_by_label("Personal code").fill(code)
    phone.get_by_role("button", name="Take my seat").tap()
    expect(phone).to_have_url(address)
    expect(headline(phone)).to_have_text("Your turn")
    play(phone, "+6")
    share((ann, ben, phone), "Ben plays +6. The total is 11.")
    phone.goto(f"{site.url}/return")
    expect(phone.get_by_role("region", name="In this browser")).to_contain_text("Ann and Ben")
