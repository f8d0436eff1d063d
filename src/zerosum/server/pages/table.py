"""The page of a table, its board alone, and what its forms do."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Request
from fastapi.responses import PlainTextResponse, RedirectResponse, Response
from pydantic import ValidationError

from zerosum.match.setup import Person
from zerosum.rules.errors import InvalidTextError
from zerosum.rules.moves import parse_move
from zerosum.server.domain.commands import COMMANDS, Command
from zerosum.server.domain.events import now_ms
from zerosum.server.domain.keys import Key
from zerosum.server.domain.problems import Problem
from zerosum.server.domain.table import Table
from zerosum.server.http.context import RequestContext, recorded
from zerosum.server.pages.board import Look, board
from zerosum.server.pages.coach import Advice, Asked, advice, asked_of
from zerosum.server.pages.dependencies import Context, PageKey
from zerosum.server.pages.forms import Fields, Whole, fields_of, number_in
from zerosum.server.pages.templates import page
from zerosum.server.runtime.loaded_table import LoadedTable

router = APIRouter(include_in_schema=False)

_FRAGMENT: Final = "X-Fragment"
_SINCE: Final = "Something has happened at this table since; here is how it stands now."
_WORDS: Final = {"stale": _SINCE, "move-id-reused": _SINCE}
"""What people are told instead of words meant for programs."""
_ANSWER_SECONDS: Final = 1.0
"""So long a page without a script waits for the move of a computer."""


@router.get("/tables/{table_id}")
async def table(request: Request, table_id: str, key: PageKey, at: Context) -> Response:
    """Show a table."""
    loaded = await at.tables.fresh(table_id)
    await at.tables.settled(loaded, _ANSWER_SECONDS)
    return await _show(request, at, loaded, key, asked_of(request, loaded.table))


@router.get("/tables/{table_id}/board")
async def fragment(request: Request, table_id: str, key: PageKey, at: Context) -> Response:
    """Show the board alone, for the script of the page."""
    loaded = await at.tables.fresh(table_id)
    return await _show(request, at, loaded, key, asked_of(request, loaded.table), alone=True)


@router.get("/tables/{table_id}/record")
async def record(table_id: str, at: Context, match: Annotated[Whole, Query(ge=1, le=10_000)] = 1) -> Response:
    """Give the record of a match, as the terminal writes and reads it."""
    loaded = await at.tables.fresh(table_id)
    text = recorded(loaded, match)
    name = f"{loaded.table.setup.rules.id}-{table_id}-{match}.txt"
    headers = {"Content-Disposition": f'inline; filename="{name}"'}
    return PlainTextResponse(text, headers=headers)


@router.post("/tables/{table_id}/{command}")
async def act(request: Request, table_id: str, command: str, key: PageKey, at: Context) -> Response:
    """Do what a form asks, then show the table; a refusal is told above it."""
    alone = _FRAGMENT in request.headers
    if command not in COMMANDS:
        raise Problem("no-such-page")
    loaded = await at.tables.fresh(table_id)
    held = await at.seating.held(table_id, key)
    fields = await fields_of(request)
    asked = Asked(table_id, values=fields.get("values") == "1", at=loaded.table.version)
    sure = _forfeit(loaded.table, held, command, fields)
    if sure:
        return await _to_confirm(request, at, loaded, key, replace(asked, sure=sure))
    try:
        await at.command(table_id, held, command, _command(command, fields))
    except Problem as problem:
        return await _show(request, at, loaded, key, asked, alone=alone, problem=problem)
    if alone:
        return await _show(request, at, loaded, key, replace(asked, at=loaded.table.version), alone=True)
    return RedirectResponse(f"{asked.link()}#board", 303)


async def _to_confirm(request: Request, at: RequestContext, loaded: LoadedTable, key: Key, asked: Asked) -> Response:
    if _FRAGMENT in request.headers:
        return await _show(request, at, loaded, key, asked, alone=True)
    return RedirectResponse(f"{asked.link()}#board", 303)


def _command(name: str, fields: Fields) -> Command:
    given: dict[str, Any] = {"version": number_in(fields, "version"), "move_id": fields.get("move_id", "")}
    if fields.get("person"):
        given["person"] = number_in(fields, "person")
    if name == "move":
        given["move"] = fields.get("move", "").strip()
    try:
        return COMMANDS[name].model.model_validate(given)
    except ValidationError as error:
        first = error.errors()[0]
        raise Problem("bad-field", f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from None


def _forfeit(table: Table, held: frozenset[Person], command: str, fields: Fields) -> str:
    """Return a move that would forfeit and has not been confirmed; a page plays none of these by mistake."""
    text = fields.get("move", "").strip()
    due = table.running and table.match.to_move in held and fields.get("version") == str(table.version)
    if command != "move" or not due or not table.setup.forfeits or fields.get("sure") == "1":
        return ""
    try:
        move = parse_move(text, table.setup.rules.operations)
    except InvalidTextError:
        return ""
    return text if table.match.position.objection(move) else ""


async def _show(
    request: Request,
    at: RequestContext,
    loaded: LoadedTable,
    key: Key,
    asked: Asked,
    *,
    alone: bool = False,
    problem: Problem | None = None,
) -> Response:
    tables, table = at.tables, loaded.table
    held = await at.seating.held(table.id, key)
    look = Look(
        held=held,
        said=loaded.said[-1],
        origin=str(request.base_url).rstrip("/"),
        here=await tables.presence.present(table.id) if table.online else {},
        spent=tables.downtime.spent(table.turn_began, now_ms()) if table.clock else 0,
        invitation=await at.seating.invitation(table, key) if held else None,
        codes={person: at.seating.code(table, key, person) for person in sorted(held)},
        problem=_WORDS.get(problem.code, problem.detail) if problem else "",
    )
    shown = board(table, look, asked, await advice(at, table, asked) if held else Advice())
    template = "board.html" if alone else "table.html"
    answer = page(request, template, status=problem.status if problem else 200, here="Play", board=shown)
    answer.headers["Cache-Control"] = "no-store"
    if alone:
        answer.headers[_FRAGMENT] = "board"
    return answer
