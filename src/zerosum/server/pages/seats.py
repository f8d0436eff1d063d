"""Taking a seat: by an invitation, or again by one's personal code."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from zerosum.coach.phrases import count
from zerosum.coach.review_words import name_of
from zerosum.rules.describe import idea
from zerosum.rules.text import printable
from zerosum.server.domain.keys import Key
from zerosum.server.domain.problems import Problem
from zerosum.server.domain.table import Table
from zerosum.server.http.context import RequestContext
from zerosum.server.pages.board import rules_link
from zerosum.server.pages.dependencies import Context, PageKey
from zerosum.server.pages.forms import fields_of
from zerosum.server.pages.home import listed
from zerosum.server.pages.templates import page

router = APIRouter(include_in_schema=False)


@router.get("/join/{invitation}")
async def invited(request: Request, invitation: str, key: PageKey, at: Context) -> Response:
    """Show an invitation; a link alone takes no seat, for links are also opened by programs that look at them."""
    at.count("secrets")
    kept, _, used = await at.seating.invited_to(invitation)
    if used or await at.seating.held(kept.table.id, key):
        return RedirectResponse(f"/tables/{kept.table.id}", 303)
    return await _join_form(request, at, invitation)


async def _join_form(
    request: Request, at: RequestContext, invitation: str, name: str = "", problem: Problem | None = None
) -> Response:
    kept, person, _ = await at.seating.invited_to(invitation)
    setup = kept.table.setup
    return page(
        request,
        "join.html",
        status=problem.status if problem else 200,
        here="Play",
        invitation=invitation,
        host=name_of(kept.table.match, person.other),
        game=printable(setup.rules.name),
        idea=idea(setup.rules),
        rules_link=rules_link(setup.rules),
        terms=_terms(kept.table),
        first=setup.first is person,
        name=name,
        usual=setup.name(person),
        problem=problem.detail if problem else "",
    )


def _terms(table: Table) -> str:
    """Return what else one agrees to: a series, a clock."""
    series, clock = table.setup.series, table.clock
    terms = [f"Best of {series.best_of} matches."] if series else []
    if clock:
        more = f", and {count(clock.increment, 'second')} more for each move" if clock.increment else ""
        terms.append(f"{count(clock.minutes, 'minute')} each on the clock{more}.")
    return " ".join(terms)


@router.post("/join/{invitation}")
async def join(request: Request, invitation: str, key: PageKey, at: Context) -> Response:
    """Take the seat."""
    fields = await fields_of(request)
    at.count("secrets")
    kept, person, _ = await at.seating.invited_to(invitation)
    name = fields.get("name", "").strip()
    try:
        joined = await at.seating.join(key, invitation, name or kept.table.setup.name(person))
    except Problem as problem:
        return await _join_form(request, at, invitation, name, problem)
    return RedirectResponse(f"/tables/{joined.table.id}", 303)


@router.get("/return")
async def back(request: Request, key: PageKey, at: Context) -> Response:
    """Show where a personal code is entered."""
    return await _return_form(request, key, at)


async def _return_form(request: Request, key: Key, at: RequestContext, problem: Problem | None = None) -> Response:
    return page(
        request,
        "return.html",
        status=problem.status if problem else 200,
        here="Return",
        tables=await listed(at, key),
        problem=problem.detail if problem else "",
    )


@router.post("/return")
async def come_back(request: Request, key: PageKey, at: Context) -> Response:
    """Take one's seat again."""
    fields = await fields_of(request)
    try:
        at.count("secrets")
        kept = await at.seating.come_back(key, fields.get("code", ""))
    except Problem as problem:
        return await _return_form(request, key, at, problem)
    return RedirectResponse(f"/tables/{kept.table.id}", 303)
