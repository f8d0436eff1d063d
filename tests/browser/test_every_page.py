"""Every page is fit for everybody: nothing for axe to find, nothing off the screen, nothing out of reach."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi.routing import iter_route_contexts
from playwright.sync_api import expect

from tests.arena.entrants.fake_endpoint import Scripted, endpoint
from tests.browser.auditing import expect_motion, expect_stillness, watch, wrong
from tests.browser.browsing import PHONE, Browsing
from tests.browser.places import PLACES
from tests.browser.playing import after, dressed, open_table, our_turn, play, presses, ready, version
from tests.exam.sets import drawn
from tests.full import parted
from tests.patience import PATIENCE
from tests.server.running import Server
from zerosum.exam.askers import ModelAsker
from zerosum.exam.exam_page import page as exam_page
from zerosum.exam.exam_run import ExamPlan, ask_all, create_run
from zerosum.exam.summary import report_of
from zerosum.screens.rendering import environment
from zerosum.server.app import make_app
from zerosum.server.settings import Settings, sqlite_url

PIECES = {
    "GET /api/v1/openapi.json",
    "GET /tables/{table_id}/board",
    "GET /tables/{table_id}/record",
    "POST /own/check",
    "GET /room/{code}/report.csv",
    "GET /room/{code}/report.json",
    "POST /room/{code}/ready",
    "POST /room/{code}/new-partner",
}
"""What pages are made of, or link to: no page by itself."""


def page_routes(tmp_path: Path) -> set[str]:
    """Return method and path of all that the server answers with pages, as the application has it."""
    app = make_app(Settings(database=sqlite_url(str(tmp_path / "unused.sqlite3"))))
    return {
        f"{method} {one.path}"
        for one in iter_route_contexts(app.routes)
        if one.endpoint is not None and one.endpoint.__module__.startswith("zerosum.server.pages.")
        for method in one.methods or ()
    }


def test_every_route_of_a_page_has_a_place(tmp_path: Path) -> None:
    assert page_routes(tmp_path) - PIECES == {place.route for place in PLACES.values()} - {"problem"}


def test_every_template_of_a_page_has_a_place() -> None:
    made = environment()
    assert made.loader is not None
    whole = {
        name for name in made.list_templates() if '{% extends "base.html" %}' in made.loader.get_source(made, name)[0]
    }
    assert whole == {place.template for place in PLACES.values()}


FIRST = {place.template: name for name, place in reversed(PLACES.items())}
"""The first place of each template, which `make test` looks at; `make full` looks at all."""


@pytest.mark.parametrize("name", parted(PLACES, PLACES.keys() - FIRST.values()))
def test_nothing_is_wrong_with_a_page(open_page: Browsing, site: Server, name: str) -> None:
    page = PLACES[name].arrive(open_page, site)
    page.wait_for_load_state()
    assert not wrong(page)


def test_nothing_moves_for_who_wants_no_motion(open_page: Browsing, site: Server) -> None:
    for page, check in ((open_page(reduced_motion=True), expect_stillness), (open_page(), expect_motion)):
        watch(page)
        open_table(page, site, "sum31", "level:1")
        ready(page)
        play(page, "+5")
        our_turn(page)
        check(page)


def test_a_match_is_played_on_a_phone_without_scrolling_sideways(open_page: Browsing, site: Server) -> None:
    page = open_page(width=PHONE, height=640)
    page.goto(site.url)
    page.get_by_label("Play against").select_option("level:1")
    page.get_by_role("button", name="Play Zero Sum Duel").tap()
    ready(page)
    while our_turn(page) == "Your turn":
        assert page.evaluate("[visualViewport.width, document.scrollingElement.scrollWidth]") == [PHONE, PHONE]
        seen = version(page)
        presses(page).first.tap()
        after(page, seen)
    page.get_by_role("link", name="Review the match").tap()
    expect(page.get_by_role("heading", name="Zero Sum Duel: review")).to_be_visible()
    dressed(page)
    assert page.evaluate("[visualViewport.width, document.scrollingElement.scrollWidth]") == [PHONE, PHONE]


def test_nothing_is_wrong_with_the_report_of_an_exam(open_page: Browsing, tmp_path: Path) -> None:
    found = drawn("sum31", 4, 0, 1)
    run = create_run(found, ExamPlan(found.sha256, "model", "tiny"), str(tmp_path / "run"))
    with endpoint(lambda _: Scripted(f"I take 3.{' Or 5?' * 200}\nMOVE: +3")) as fake:
        ask_all(run, ModelAsker("tiny", fake.url, PATIENCE, run.plan.style))
    report = tmp_path / "report.html"
    report.write_text(exam_page(report_of(run)), encoding="utf-8")
    page = open_page(javascript=True)
    page.goto(report.as_uri())
    expect(page.get_by_role("heading", name="Exam of tiny")).to_be_visible()
    page.locator("summary").first.click()
    expect(page.get_by_text("MOVE: +3").first).to_be_visible()
    assert not wrong(page)
