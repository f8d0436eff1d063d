"""A table for a whole classroom: large, without controls, as every spectator may see it."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from zerosum.server.pages.addresses import only_here, qr_code, shared_origin
from zerosum.server.pages.board import board
from zerosum.server.pages.coach import Advice, Asked
from zerosum.server.pages.dependencies import Context
from zerosum.server.pages.head import Look
from zerosum.server.pages.templates import page

router = APIRouter(include_in_schema=False)


@router.get("/tables/{table_id}/projector")
async def projector(request: Request, table_id: str, context: Context) -> Response:
    """Show a table to a room; nobody's seat counts here, so that no secret is ever on the wall."""
    loaded = await context.table(table_id)
    table, origin = loaded.table, shared_origin(request)
    shown = board(table, Look(frozenset(), loaded.said[-1], origin), Asked(table_id), Advice())
    watch = str(shown["watch"])
    qr = "" if only_here(origin) else qr_code(watch)
    return page(request, "projector.html", here="", board=shown, watch=watch, qr=qr)
