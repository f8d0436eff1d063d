"""Home, and how a table is opened."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from zerosum.coach.review_words import name_of
from zerosum.match.setup import Person
from zerosum.rules.text import printable
from zerosum.server.domain.keys import Key
from zerosum.server.domain.problems import Problem
from zerosum.server.domain.table import Table
from zerosum.server.http.context import RequestContext
from zerosum.server.pages.choices import DEFAULT, filled, games, opponents, table_request
from zerosum.server.pages.dependencies import Context, PageKey
from zerosum.server.pages.forms import fields_of
from zerosum.server.pages.templates import page

router = APIRouter(include_in_schema=False)


async def listed(context: RequestContext, key: Key) -> list[dict[str, str]]:
    """Return the tables where the caller has a seat, as a list shows them; none while the database is away."""
    try:
        mine = await context.runtime.seats.mine(key)
    except Problem:
        return []
    return [_line(loaded.table) for loaded, _ in mine]


def _line(table: Table) -> dict[str, str]:
    match = table.match
    names = [name_of(match, person) if person in table.seated else "\N{HORIZONTAL ELLIPSIS}" for person in Person]
    if table.waiting:
        status = "waiting for the other player"
    elif match.outcome is None:
        status = f"{name_of(match, match.to_move)} is to move"
    else:
        status = f"{name_of(match, match.person(match.outcome.winner))} won"
    return {
        "id": table.id,
        "game": printable(table.setup.rules.name),
        "players": f"{names[0]} and {names[1]}",
        "status": status,
    }


@router.get("/")
async def home(request: Request, key: PageKey, context: Context) -> Response:
    """Show the five games."""
    tables = await listed(context, key)
    return page(request, "home.html", here="Play", games=games(), opponents=opponents(), chosen=DEFAULT, tables=tables)


@router.get("/new")
async def new(request: Request) -> Response:
    """Show the form of a new table, with a game chosen where the address names one."""
    return _form(request, dict(request.query_params))


def _form(request: Request, fields: dict[str, str], problem: Problem | None = None) -> Response:
    return page(
        request,
        "new.html",
        status=problem.status if problem else 200,
        here="Play",
        games=games(),
        opponents=opponents(),
        form=filled(fields),
        problem=problem.detail if problem else "",
    )


@router.post("/tables")
async def create(request: Request, key: PageKey, context: Context) -> Response:
    """Open a table as a form asks for it."""
    fields = await fields_of(request)
    try:
        loaded = await context.open_table(key, table_request(fields))
    except Problem as problem:
        return _form(request, fields, problem)
    return RedirectResponse(f"/tables/{loaded.table.id}", 303)
