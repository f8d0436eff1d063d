"""Lessons in a real browser: a whole course with wrong answers on a phone, without scripts, of a game of one's own."""

from __future__ import annotations

import re
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from tests.browser.auditing import overflow, unreachable
from tests.browser.browsing import PHONE, Browsing
from tests.browser.playing import dressed, headline
from tests.full import parted
from tests.server.running import Server
from zerosum.coach.learner import CHECKS, rules_in
from zerosum.coach.lessons import ENOUGH
from zerosum.rules.game_files import built_in, load_text
from zerosum.rules.model import Rules
from zerosum.rules.notation import parse_position
from zerosum.solver import Verdict, solution_of

OWN = 'like = "sum31"\nid = "sum21"\nname = "Sum21"\ntarget = 21\n'
DUEL = built_in("zero-sum-duel")


def moves(page: Page, rules: Rules) -> tuple[list[str], list[str]]:
    """Return the moves of the exercise on a page that win, and those that do not, by the solver."""
    shown = rules_in(rules, int(page.locator("[name=numbers]").input_value()))
    at = parse_position(page.locator("[name=position]").input_value(), shown)
    options = solution_of(shown).options(at)
    wins = [at.text_of(one.move) for one in options if one.value.verdict is Verdict.WIN]
    return wins, [at.text_of(one.move) for one in options if one.value.verdict is not Verdict.WIN]


def voice(page: Page) -> str:
    return page.locator("#answer").inner_text()


def answer(page: Page, move: str, head: str) -> None:
    """Answer the exercise on a page; a key is no double tap, and so need not wait."""
    page.locator(f"button[value='{move}']").press("Enter")
    expect(page.locator("#voice")).to_have_text(re.compile(f"{re.escape(head)}$"))


def solve(page: Page, rules: Rules, *, wrong_first: bool = False) -> None:
    """Solve the exercise on a page, and go on to the next, or to the next step."""
    wins, loses = moves(page, rules)
    if wrong_first:
        answer(page, loses[0], "No. Try again.")
    answer(page, wins[0], "Right.")
    page.locator("#next").press("Enter")
    expect(page.locator("#voice")).not_to_have_text(re.compile("Right.$"))
    dressed(page)


def begin(page: Page) -> None:
    """Go on from the example of a step to its exercises."""
    expect(page.locator(".worked")).to_be_visible()
    page.locator("#next").press("Enter")
    expect(page.locator("#moves")).to_be_visible()
    dressed(page)


def step(page: Page) -> str:
    return page.locator(".ladder [aria-current=step] .idea").inner_text()


def test_a_whole_course_with_wrong_answers_on_a_phone(open_page: Browsing, site: Server) -> None:
    """An example, new numbers, two wrong in a row, the law, the match; and nothing loads the page again."""
    phone = open_page(width=375, height=667)
    phone.goto(f"{site.url}/learn/zero-sum-duel")
    loads: list[str] = []
    phone.on("load", lambda page: loads.append(page.url))
    assert "Win at once if you can" in voice(phone)
    expect(phone.locator("#next")).to_be_in_viewport()
    expect(phone.locator(".worked")).to_contain_text("You win.")
    begin(phone)
    expect(phone.locator("#moves button").last).to_be_in_viewport()
    for _ in range(ENOUGH):
        assert step(phone) == "Make 0"
        solve(phone, DUEL)
    for _ in range(CHECKS):
        expect(phone.locator("#answer")).to_contain_text("New numbers: each is")
        solve(phone, DUEL)
    assert step(phone) == "Stay safe"
    assert "Stay safe: neither lose at once nor let them win at once." in voice(phone)
    begin(phone)
    solve(phone, DUEL, wrong_first=True)
    wins, loses = moves(phone, DUEL)
    answer(phone, loses[0], "No. Try again.")
    assert re.search(r"is still there\.|and they make the last move\.|so they move last\.", voice(phone))
    assert "Two wrong in a row: back to step 1 for a while." in voice(phone)
    expect(phone.locator("#answer")).to_be_focused()
    expect(phone.locator(".tried")).to_have_count(1)
    answer(phone, wins[0], "Right.")
    phone.locator("#next").press("Enter")
    expect(phone.locator("#voice")).to_have_text("Step 1: Make 0")
    phone.reload()
    loads.clear()
    for _ in range(ENOUGH):
        solve(phone, DUEL)
    assert step(phone) == "Stay safe"
    phone.get_by_role("button", name="Show the answer").press("Enter")
    expect(phone.locator("#voice")).to_have_text("The answer")
    expect(phone.get_by_text("0 of 3 right")).to_be_visible()
    phone.locator("#next").press("Enter")
    expect(phone.locator("#moves")).to_be_visible()
    phone.get_by_role("link", name="Why, and an example").press("Enter")
    begin(phone)
    for _ in range(ENOUGH + CHECKS):
        solve(phone, DUEL)
    expect(phone.locator("#voice")).to_have_text("Step 3: The law")
    assert "Take the largest number, away from 0" in voice(phone)
    phone.get_by_role("button", name="I can follow it").press("Enter")
    expect(phone.locator("#voice")).to_have_text("✓ You have learnt every step.")
    assert "Expect to win every match against perfect play." in voice(phone)
    assert loads == []
    phone.get_by_role("button", name="Play the match").press("Enter")
    expect(headline(phone)).to_have_text("Your turn")
    expect(phone.locator(".player.p2")).to_contain_text("Perfect")
    phone.goto(f"{site.url}/learn")
    expect(phone.get_by_role("listitem").filter(has_text="Zero Sum Duel")).to_contain_text("Learnt")


def test_an_exercise_that_is_answered_in_two_windows_counts_once(open_page: Browsing, site: Server) -> None:
    page = open_page(javascript=False)
    beside = open_page(beside=page)
    for one in (page, beside):
        one.goto(f"{site.url}/learn/sum31?show=exercise")
    wins, _ = moves(page, built_in("sum31"))
    for one in (page, beside):
        answer(one, wins[0], "Right.")
        expect(one.locator(".right-so-far")).to_contain_text("1 of 3 right")


@pytest.mark.parametrize("game", parted(("zero-sum-game", ""), ("zero-sum-game",)))
def test_a_course_without_a_script(open_page: Browsing, site: Server, game: str) -> None:
    """Also one of a game of one's own, whose rules are in its address."""
    page = open_page(javascript=False, width=PHONE)
    rules = built_in(game) if game else load_text(OWN)
    page.goto(f"{site.url}/learn/{game}" if game else f"{site.url}/learn/own?{urlencode({'rules': OWN})}")
    for asked in range(60):
        if page.locator("#moves").count():
            solve(page, rules, wrong_first=asked == 2)
        elif page.locator("#next").count():
            page.locator("#next").press("Enter")
            expect(page.locator("#next")).to_have_count(0)
        else:
            break
    expect(page.locator("#voice")).to_have_text("✓ You have learnt every step.")
    assert [*overflow(page), *unreachable(page)] == []
    page.get_by_role("button", name="Play the match").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(rules.name)
    page.go_back()
    page.get_by_role("button", name="Start again").click()
    begin(page)
    expect(page.locator(".right-so-far")).to_contain_text("0 of 3 right")


def test_from_home_to_the_lessons_and_against_the_card(page: Page, site: Server) -> None:
    page.goto(site.url)
    page.get_by_role("link", name="Learn", exact=True).first.click()
    page.get_by_role("link", name="Sum31").click()
    dressed(page)
    page.get_by_role("link", name="Rules").first.click()
    page.get_by_role("link", name="Lessons of Sum31").click()
    page.get_by_role("navigation", name="Sum31").get_by_role("link", name="Rules").click()
    card = page.locator(".strategy")
    expect(card).to_contain_text("With this card the second player always wins.")
    expect(card.get_by_role("listitem")).to_have_count(4)
    expect(card).to_contain_text("The first player goes by rules 1 to 3 alone.")
    card.get_by_text("Its figures").click()
    expect(card.get_by_role("row", name="Perfect 0.0 100.0")).to_be_visible()
    expect(card.get_by_role("link", name="Learn it in lessons")).to_have_attribute("href", "/learn/sum31")
    card.get_by_role("button", name="Practise against the card").click()
    expect(page.locator(".player.p2")).to_contain_text("Card")
