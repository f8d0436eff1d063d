"""The same game with one rule changed: what is offered at the end of a match and on the page of a game.

The changes of a built-in game are known. Those of another game are worked out when somebody wants to see them, on a
page of their own; the end of a match waits for nothing.
"""

from __future__ import annotations

from functools import cache

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from zerosum.base.text import printable
from zerosum.lab import lab_jobs
from zerosum.lab.lab_jobs import OfferedDocument, offered
from zerosum.lab.one_change import bundled_changes
from zerosum.players import HUMAN
from zerosum.rules.game_files import is_built_in
from zerosum.rules.model import Rules
from zerosum.rules.rules_dict import written_dict
from zerosum.server.http.context import Context, RequestContext
from zerosum.server.pages.templates import render_page
from zerosum.tables.new_table import HERE
from zerosum.tables.table import Table

router = APIRouter(include_in_schema=False)


def opponent_of(table: Table) -> str:
    """Return whom the people at a table play, as a form for a new table says it."""
    computers = [who for who in table.setup.who if who != HUMAN]
    return computers[0] if computers else HUMAN if table.online else HERE


async def known_changes(context: RequestContext, rules: Rules) -> list[OfferedDocument] | None:
    """Return the changes of a game if they are known without any work, else None."""
    if is_built_in(rules):
        return _bundled(rules.id)
    if context.questions.worker.remembers(lab_jobs.one_change, written_dict(rules)):
        return await context.questions.ask(lab_jobs.one_change, written_dict(rules))
    return None


@cache
def _bundled(game: str) -> list[OfferedDocument]:
    """Return the changes of a built-in game, written once."""
    return [offered(one) for one in bundled_changes(game)]


@router.get("/tables/{table_id}/changes")
async def changes(request: Request, table_id: str, context: Context) -> HTMLResponse:
    """Show three changes of one rule, each of which one tap plays against the same opponent."""
    table = (await context.table(table_id)).table
    rules = table.setup.rules
    found = await known_changes(context, rules)
    if found is None:
        found = await context.questions.ask(lab_jobs.one_change, written_dict(rules))
    return render_page(
        request,
        "changes.html",
        here="Play",
        table=table.id,
        game=printable(rules.name),
        changes=found,
        opponent=opponent_of(table),
    )
