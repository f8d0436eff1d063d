"""The coach that speaks up while one plays: its switch, what it says, and taking a move back."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.auditing import overflow, unreachable
from tests.browser.browsing import PHONE, Browsing
from tests.browser.playing import expect_heard, invite, listen, made, open_menu, open_table, our_turn, play, press
from tests.server.running import Server

RECORD = '[Game "sum31"]\n[Who1 "perfect"]\n[Who2 "human"]\n\n1. +9 +8 2. +5\n'
"""You have let the win go, and so have they. You can win from 22: +1 lets it go again, +7 leaves 29 and 2 to them."""
BEFORE = "They missed it: you can win again."
WHY = "They can answer +7; every number left takes you past 31."
LET_GO = "+1 let the win go (the idea: outlast them)."


def opened(page: Page, site: Server) -> None:
    page.goto(f"{site.url}/new?open=record")
    page.get_by_label("Record", exact=True).fill(RECORD)
    page.get_by_role("button", name="Open the match").click()


def test_switched_on_told_and_taken_back_on_a_phone(open_page: Browsing, site: Server) -> None:
    phone = open_page(width=375, height=667, reduced_motion=True)
    opened(phone, site)
    listen(phone)
    open_menu(phone)
    switch = phone.get_by_role("switch", name="Coach me while I play")
    expect(switch).to_have_attribute("aria-checked", "false")
    switch.tap()
    expect(switch).to_have_attribute("aria-checked", "true")
    phone.locator("#menu > summary").tap()
    said = phone.locator("#comment")
    expect(said).to_contain_text(BEFORE)
    numbers = phone.locator("#by-number").bounding_box()
    play(phone, "+1")
    # The reply waits until this could be read.
    expect(said).to_contain_text(WHY)
    our_turn(phone)
    expect(said).to_contain_text(LET_GO)
    expect(said).to_be_in_viewport()
    expect(said).not_to_contain_text("31")
    expect_heard(phone, LET_GO)
    assert phone.locator("#by-number").bounding_box() == numbers
    assert [*overflow(phone), *unreachable(phone)] == []
    phone.get_by_role("button", name="Take back").tap()
    expect(made(phone)).to_have_count(3)
    expect(said).to_contain_text(BEFORE)


def test_without_a_script_and_remembered_for_the_next_match(open_page: Browsing, site: Server) -> None:
    plain = open_page(javascript=False, width=PHONE)
    plain.goto(site.url)
    plain.get_by_label("Coach me while I play").check()
    plain.get_by_label("Play against").select_option("perfect")
    plain.get_by_role("button", name="Play Sum31").click()
    expect(plain.locator("#comment")).to_be_visible()
    opened(plain, site)
    press(plain, "+7").click()
    expect(plain.locator("#comment")).to_have_text("+7 let the win go (the idea: outlast them).")
    opened(plain, site)
    press(plain, "+1").click()
    expect(plain.locator("#comment")).to_contain_text(LET_GO)
    plain.get_by_role("button", name="Take back").click()
    expect(made(plain)).to_have_count(3)
    open_menu(plain)
    plain.get_by_role("switch", name="Coach me while I play").click()
    expect(plain.locator("#comment")).to_have_count(0)
    plain.goto(site.url)
    expect(plain.get_by_label("Coach me while I play")).not_to_be_checked()


def test_never_between_two_people(open_page: Browsing, site: Server) -> None:
    host, guest = open_page(), open_page()
    for page in (host, guest):
        open_table(page, site, "sum31", "level:1", coach="1")
    invite(host, site, "sum31", guest)
    play(host, "+9")
    our_turn(guest)
    play(guest, "+1")
    our_turn(host)
    for page in (host, guest):
        expect(page.locator("#comment")).to_have_count(0)
        expect(page.get_by_role("switch")).to_have_count(0)
    open_table(host, site, "sum31", "here")
    play(host, "+9", "+1")
    expect(host.locator("#comment")).to_have_count(0)
    expect(host.get_by_role("switch")).to_have_count(0)
