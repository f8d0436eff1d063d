"""The live door to a table: `/api/v1/tables/{table_id}/live?since=VERSION`, a WebSocket.

What a person can do by a request can be said here as a message of the same name; the answer is the same too.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter
from pydantic import ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect

from zerosum.server import limits, metrics
from zerosum.server.domain.commands import COMMANDS, Command
from zerosum.server.domain.encoding import dumps, with_state
from zerosum.server.domain.problems import Problem
from zerosum.server.http.auth import caller
from zerosum.server.http.context import RequestContext, request_context
from zerosum.server.http.rates import Bucket
from zerosum.server.runtime.hub import SLOW, Connection, Hub
from zerosum.server.runtime.registry import TableRegistry

router = APIRouter()
_BAD_FRAME = 1003
_GOING_AWAY = 1001
_FIELD = re.compile(r"[a-z0-9_]{1,20}")


@router.websocket("/api/v1/tables/{table_id}/live")
async def live(socket: WebSocket, table_id: str) -> None:
    """Tell what happens at a table, and take commands."""
    at = request_context(socket)
    tables = at.tables
    hub: Hub = socket.app.state.hub
    try:
        since = _since(socket.query_params.get("since", "0"))
        key = caller(socket)
        kept = await tables.fresh(table_id)
        connection = Connection(table_id, await at.seating.held(table_id, key), at.address)
        hub.check(connection)
    except Problem as problem:
        metrics.refused(problem.code)
        await socket.close(SLOW, problem.code)
        return
    await socket.accept()
    hub.add(connection, kept, since)
    try:
        await tables.presence.arrive(table_id, connection.held)
        # A spectator is told who is there, but changes nothing of it.
        await _tell_presence(tables, table_id, hub.at(table_id) if connection.held else [connection])
        await _talk(socket, connection, at)
    finally:
        hub.remove(connection)
        await asyncio.shield(tables.presence.leave(table_id, connection.held))
        await asyncio.shield(_tell_presence(tables, table_id, hub.at(table_id) if connection.held else []))


def _since(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 9):  # noqa: PLR2004 - no table gets so far
        raise Problem("bad-field", "since: a version is due.")
    return int(text)


async def _tell_presence(tables: TableRegistry, table_id: str, lookers: Sequence[Connection]) -> None:
    if lookers:
        with contextlib.suppress(Problem):
            present = await tables.presence.present(table_id)
            said = dumps({"type": "presence", "persons": {str(one.value): there for one, there in present.items()}})
            for connection in lookers:
                connection.tell(said)


async def _talk(socket: WebSocket, connection: Connection, at: RequestContext) -> None:
    """Send and receive until either side has enough."""
    sending = asyncio.create_task(_send(socket, connection))
    receiving = asyncio.create_task(_receive(socket, connection, at))
    try:
        await asyncio.wait({sending, receiving}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (sending, receiving):
            task.cancel()
        done = await asyncio.gather(sending, receiving, return_exceptions=True)
    for error in done:
        if isinstance(error, Exception) and not isinstance(error, WebSocketDisconnect | RuntimeError):
            raise error


async def _send(socket: WebSocket, connection: Connection) -> None:
    while (message := await connection.messages.get()) is not None:
        await socket.send_text(message)
    await socket.close(connection.closed or _GOING_AWAY)


async def _receive(socket: WebSocket, connection: Connection, at: RequestContext) -> None:
    bucket = Bucket(limits.LIVE_MESSAGES)
    while True:
        received = await socket.receive()
        if received["type"] == "websocket.disconnect":
            return
        text = received.get("text")
        if text is None or bucket.take() or at.too_many("requests"):
            connection.close(_BAD_FRAME if text is None else SLOW)
            await asyncio.sleep(limits.DRAIN_SECONDS)
            return
        await _take(text, connection, at)


async def _take(text: str, connection: Connection, at: RequestContext) -> None:
    """Take one message and queue its answer."""
    move_id = None
    try:
        message = _message(text)
        if message["type"] == "ping":
            connection.tell('{"type":"pong"}')
            return
        given = message.get("move_id")
        move_id = given if isinstance(given, str) and len(given) <= limits.MOVE_ID_LENGTH else None
        name, command = _command(message)
        answer = await at.command(connection.table_id, connection.held, name, command)
        said = {"type": "answer", "move_id": move_id, "version": answer.version}
        connection.tell(with_state(said, answer.state))
    except Problem as problem:
        connection.tell(dumps({"type": "problem", "move_id": move_id, "problem": problem.document()}))


def _message(text: str) -> dict[str, Any]:
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise Problem("bad-request", "A message is one JSON object.") from None
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise Problem("bad-request", 'A message is one JSON object with a "type".')
    return message


def _command(message: dict[str, Any]) -> tuple[str, Command]:
    name = message.pop("type")
    handler = COMMANDS.get(name)
    if handler is None:
        raise Problem("bad-field", f"type: one of ping, {', '.join(COMMANDS)}.")
    try:
        return name, handler.model.model_validate(message)
    except ValidationError as error:
        raise field_problem(error.errors(include_url=False, include_input=False, include_context=False)) from None


def field_problem(errors: Sequence[Any]) -> Problem:
    """Return what is wrong with which field; what was sent is not repeated."""
    parts = []
    for one in errors[:5]:
        where = ".".join(map(_part, one["loc"])).removeprefix("body.")
        parts.append(f"{where or 'body'}: {one['msg']}")
    return Problem("bad-field", "; ".join(parts)[:500].encode("ascii", "backslashreplace").decode() + ".")


def _part(part: object) -> str:
    """Return a part of the place of a field; a name that none of our fields could have is not repeated."""
    text = str(part)
    return text if _FIELD.fullmatch(text) else "..."
