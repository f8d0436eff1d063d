"""Taking a seat: by an invitation, or again by one's personal code."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from zerosum.base.english import count
from zerosum.base.text import printable
from zerosum.coach.review_words import name_of
from zerosum.match.setup import Person
from zerosum.rules.describe import idea
from zerosum.server.domain.keys import Key
from zerosum.server.domain.problems import Problem
from zerosum.server.domain.table import Table
from zerosum.server.http.context import RequestContext
from zerosum.server.pages.board_view import rules_link
from zerosum.server.pages.cookies import browser_choices, remember_choices
from zerosum.server.pages.dependencies import Context, PageKey
from zerosum.server.pages.forms import fields_of
from zerosum.server.pages.home import tables_of
from zerosum.server.pages.templates import render_page

router = APIRouter(include_in_schema=False)


@router.get("/join/{invitation}")
async def invited(request: Request, invitation: str, key: PageKey, context: Context) -> Response:
    """Show an invitation; a link alone takes no seat, for links are also opened by programs that look at them."""
    loaded, person, used = await context.invited_to(invitation)
    if await context.seats(loaded.table.id, key):
        return RedirectResponse(f"/tables/{loaded.table.id}", 303)
    if used:
        return _too_late(request, loaded.table)
    return _join_form(request, loaded.table, person, invitation, name=browser_choices(request).name)


def _too_late(request: Request, table: Table, status: int = 200) -> Response:
    """Offer the match to watch to whoever comes after somebody else took the seat."""
    names = [name_of(table.match, person) for person in Person]
    game = printable(table.setup.rules.name)
    return render_page(request, "late.html", status=status, here="Play", table=table.id, names=names, game=game)


def _join_form(
    request: Request, table: Table, person: Person, invitation: str, *, name: str = "", problem: Problem | None = None
) -> Response:
    setup = table.setup
    return render_page(
        request,
        "join.html",
        status=problem.status if problem else 200,
        here="Play",
        invitation=invitation,
        host=name_of(table.match, person.other),
        game=printable(setup.rules.name),
        idea=idea(setup.rules),
        rules_link=rules_link(setup.rules),
        terms=_terms(table),
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
async def join(request: Request, invitation: str, key: PageKey, context: Context) -> Response:
    """Take the seat."""
    fields = await fields_of(request)
    name = fields.get("name", "").strip()
    try:
        joined = await context.join(key, invitation, name)
    except Problem as problem:
        loaded, person, used = await context.invited_to(invitation)
        if used:
            return _too_late(request, loaded.table, problem.status)
        return _join_form(request, loaded.table, person, invitation, name=name, problem=problem)
    answer = RedirectResponse(f"/tables/{joined.table.id}", 303)
    remember_choices(request, answer, {"name": name})
    return answer


@router.get("/return")
async def back(request: Request, key: PageKey, context: Context) -> Response:
    """Show where a personal code is entered."""
    return await _return_form(request, key, context)


async def _return_form(request: Request, key: Key, context: RequestContext, problem: Problem | None = None) -> Response:
    return render_page(
        request,
        "return.html",
        status=problem.status if problem else 200,
        here="Return",
        tables=await tables_of(context, key),
        problem=problem.detail if problem else "",
    )


@router.post("/return")
async def come_back(request: Request, key: PageKey, context: Context) -> Response:
    """Take one's seat again."""
    fields = await fields_of(request)
    try:
        loaded = await context.come_back(key, fields.get("code", ""))
    except Problem as problem:
        return await _return_form(request, key, context, problem)
    return RedirectResponse(f"/tables/{loaded.table.id}", 303)
