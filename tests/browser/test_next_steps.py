"""After a match there is always a next step: scripted winners and losers meet each offer."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.auditing import SIZES, findings, overflow, spilled, unreachable
from tests.browser.browsing import Browsing
from tests.browser.playing import after, headline, made, open_table, our_turn, press, ready, resign, version
from tests.server.running import Server
from zerosum.coach.bundled import bundled_changes
from zerosum.coach.ideas import costly_idea
from zerosum.coach.lessons import bundled_course
from zerosum.rules.game_files import built_in
from zerosum.rules.moves import parse_move
from zerosum.rules.position import Position, start_position
from zerosum.solver import Verdict, solution_of

COOKIE = "zerosum_results"
RULES = built_in("sum31")
SIDES = (Verdict.WIN, Verdict.LOSS)


def having(page: Page, site: Server, *results: str) -> None:
    """Let a browser remember results, such as `sum31!level:2!w`, of long ago."""
    page.context.add_cookies([{"name": COOKIE, "value": "|".join(["1", *results]), "url": site.url}])


def remembered(page: Page) -> list[str]:
    """Return the results that a browser remembers."""
    values = [one.get("value", "") for one in page.context.cookies() if one.get("name") == COOKIE]
    return values[0].split("|")[1:] if values else []


def position_on(page: Page) -> Position:
    """Return the position that the moves on the page lead to."""
    position = start_position(RULES)
    for row in made(page).all():
        position = position.play(parse_move(row.locator("b").inner_text().replace("−", "-"), RULES.operations))
    return position


def play_to_the_end(page: Page, *, win: bool) -> tuple[str, list[Position]]:
    """Play without a mistake, or with every mistake there is; return the headline and where a win was let go."""
    solution, let_go = solution_of(RULES), list[Position]()
    while (told := our_turn(page)) == "Your turn":
        position, seen = position_on(page), version(page)
        options = solution.options(position)
        losing = [one for one in options if one.value.verdict is Verdict.LOSS]
        chosen = losing[0] if losing and not win else options[0]
        let_go += [position] if {one.value.verdict for one in (options[0], chosen)} == set(SIDES) else []
        press(page, position.text_of(chosen.move)).click()
        after(page, seen)
    return told, let_go


def first_button(page: Page) -> str:
    """Return what the most prominent control of the end says."""
    filled = page.locator("#board .go:visible")
    expect(filled).to_have_count(1)
    return filled.inner_text()


def test_two_wins_lead_to_the_next_level_and_home_knows_it(open_page: Browsing, site: Server) -> None:
    page = open_page(width=360, height=640, reduced_motion=True)
    having(page, site, "sum31!level:2!w")
    open_table(page, site, "sum31", "level:2", first="them")
    assert play_to_the_end(page, win=True)[0] == "You win!"
    assert first_button(page) == "Next: level 3"
    expect(page.get_by_role("group", name="What next?")).to_contain_text("it never overlooks a win at once")
    box = page.locator("#step-level").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 640, "it is in view"
    assert [*findings(page), *overflow(page), *spilled(page)] == []
    page.reload()
    ready(page)
    assert first_button(page) == "Next: level 3"
    assert remembered(page) == ["sum31!level:2!w"] * 2, "a match counts once, however often its end is looked at"
    page.goto(site.url)
    home = page.get_by_role("region", name="Sum31")
    expect(home).to_contain_text("2 wins in a row")
    expect(home).to_contain_text("0 of 4 ideas learnt")
    expect(home.get_by_role("button", name="Play level 3", exact=True)).to_have_class("big go")
    page.go_back()
    page.get_by_role("button", name="Next: level 3").click()
    expect(page.get_by_role("region", name="Players")).to_contain_text("Level 3")
    expect(headline(page)).to_have_text("Your turn")


def test_a_loss_leads_to_the_lesson_on_what_cost_most(open_page: Browsing, site: Server) -> None:
    page = open_page(reduced_motion=True)
    open_table(page, site, "sum31", "perfect", first="them")
    told, let_go = play_to_the_end(page, win=False)
    assert told == "Perfect wins"
    assert first_button(page) == "Lesson: what cost you the match"
    page.get_by_role("link", name="Lesson: what cost you the match").click()
    course = bundled_course(RULES)
    assert course is not None
    wanted = costly_idea(course, let_go, solution_of(RULES)).idea
    expect(page).to_have_url(f"{site.url}/learn/sum31{f'?idea={wanted}' if wanted else ''}")
    step = course.ideas.index(wanted) + 1 if wanted else 1
    expect(page.locator("#voice")).to_have_text(re.compile(f"^Step {step}: "))
    page.get_by_role("link", name="Try it").click()
    expect(page.get_by_role("heading", name="Which move wins?")).to_be_visible()


def test_three_losses_lead_to_an_easier_level_without_a_script_too(open_page: Browsing, site: Server) -> None:
    page = open_page(javascript=False, width=360, height=640)
    for level, losses, wanted in ((2, 2, "An easier one: level 1"), (1, 2, "Lesson: what cost you the match")):
        having(page, site, *[f"sum31!level:{level}!l"] * losses)
        open_table(page, site, "sum31", f"level:{level}")
        resign(page)
        assert first_button(page) == wanted
        expect(page.get_by_role("link", name="Lesson: what cost you the match")).to_be_visible()
    having(page, site, *["sum31!level:2!l"] * 3)
    page.goto(site.url)
    page.get_by_role("button", name="Play level 1", exact=True).click()
    expect(page.get_by_role("region", name="Players")).to_contain_text("Level 1")


def test_who_beats_level_5_gets_the_next_game(open_page: Browsing, site: Server) -> None:
    page = open_page(reduced_motion=True)
    open_table(page, site, "sum31", "level:5", first="them")
    assert play_to_the_end(page, win=True)[0] == "You win!"
    assert first_button(page) == "Next game: Summit"
    page.get_by_role("button", name="Next game: Summit").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Summit")
    expect(page.get_by_role("region", name="Players")).to_contain_text("Level 3")


def test_one_rule_is_changed_by_one_tap_at_the_end_and_on_the_page_of_a_game(open_page: Browsing, site: Server) -> None:
    page = open_page(width=360, height=640, reduced_motion=True)
    open_table(page, site, "sum31", "level:2")
    resign(page)
    offers = page.get_by_role("region", name="Change one rule")
    for one in bundled_changes("sum31"):
        expect(offers.get_by_role("button", name=one.question)).to_be_visible()
        expect(offers).to_contain_text(one.words[1:])
    expect(offers.get_by_role("button")).to_have_count(3)
    assert [*overflow(page), *spilled(page)] == []
    wanted = next(one for one in bundled_changes("sum31") if "target" in one.question)
    offers.get_by_role("button", name=wanted.question).tap()
    expect(page.locator(".goal-line")).to_contain_text(f"Land on {wanted.rules.target} exactly")
    expect(page.get_by_role("region", name="Players")).to_contain_text("Level 2")
    our_turn(page)
    resign(page)
    page.get_by_role("link", name="Show three changes").click()  # of the changed game, worked out now
    expect(page.get_by_role("main").get_by_role("button")).to_have_count(3)
    page.get_by_role("main").get_by_role("button").first.tap()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sum31, changed")
    plain = open_page(javascript=False)
    plain.goto(f"{site.url}/games/sum31")
    plain.get_by_role("region", name="Change one rule").get_by_role("button").first.click()
    expect(plain.get_by_role("heading", level=1)).to_have_text("Sum31, changed")


def test_the_next_step_and_the_changes_are_fit_for_every_screen(open_page: Browsing, site: Server) -> None:
    wrong = []
    for at, (width, height) in enumerate(SIZES):
        page = open_page(width=width, height=height, dark=not at % 2, reduced_motion=True)
        having(page, site, *["sum31!level:2!l"] * 2)
        open_table(page, site, "sum31", "level:2")
        resign(page)
        expect(page.locator("#step-easier")).to_be_visible()
        wrong += [f"{width}x{height}: {one}" for one in (*overflow(page), *spilled(page), *unreachable(page))]
        if not at:
            wrong += [f"{width}x{height}, dark: {one}" for one in findings(page)]
    assert wrong == []
