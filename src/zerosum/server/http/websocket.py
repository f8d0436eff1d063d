"""The live connection to a table: `/api/v1/tables/{table_id}/live?since=VERSION`, a WebSocket.

Every command of the API can be sent here as a message of the same name; the answer is the same too. With `states=false`
events come with their words and without the state, which is all that a page needs.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Any, Final

from fastapi import APIRouter
from starlette.websockets import WebSocket, WebSocketDisconnect

from zerosum.server import limits, prometheus
from zerosum.server.http.auth import request_key
from zerosum.server.http.bodies import json_object, validate
from zerosum.server.http.context import RequestContext, request_context
from zerosum.server.http.rate_limits import state_cost
from zerosum.server.runtime.hub import POLICY_VIOLATION, Backlog, Connection
from zerosum.server.runtime.table_cache import LoadedTable
from zerosum.tables import limits as table_limits
from zerosum.tables.commands import COMMANDS, Command
from zerosum.tables.events import is_room_id
from zerosum.tables.json_text import dumps, with_state
from zerosum.tables.problems import Problem

router = APIRouter()
_UNSUPPORTED_DATA: Final = 1003
_GOING_AWAY: Final = 1001
_VERSION_DIGITS: Final = 9


@router.websocket("/api/v1/tables/{table_id}/live")
async def live(socket: WebSocket, table_id: str) -> None:
    """Tell what happens at a table, and take commands."""
    context = request_context(socket)
    hub, presence = context.runtime.hub, context.runtime.presence
    with hub.arriving(table_id):
        try:
            since = _since(socket.query_params.get("since", "0"))
            states = _states(socket.query_params.get("states", "true"))
            key = request_key(socket)
            loaded = await context.table(table_id)
            connection = Connection(table_id, await context.seats(table_id, key), context.address, states)
            hub.check(connection)
            earlier = await _earlier(context, loaded, since)
        except Problem as problem:
            prometheus.count_refusal(problem.code)
            await socket.close(POLICY_VIOLATION, problem.code)
            return
        await socket.accept()
        hub.add(connection, loaded, since, earlier)
    try:
        await presence.arrive(table_id, connection.held)
        # A spectator gets who is present, but does not change it.
        await _tell_presence(context, table_id, hub.at(table_id) if connection.held else [connection])
        await talk(socket, connection, context)
    finally:
        hub.remove(connection)
        await asyncio.shield(presence.leave(table_id, connection.held))
        await asyncio.shield(_tell_presence(context, table_id, hub.at(table_id) if connection.held else []))


async def _earlier(context: RequestContext, loaded: LoadedTable, since: int) -> LoadedTable:
    """Return a copy of a table that has what somebody missed, if it is not too much to be told one by one."""
    version = loaded.table.version
    if since < 1 or version - since > limits.PAGE_EVENTS:
        return loaded
    return await context.runtime.cache.with_events(loaded, since, version)


def _since(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= _VERSION_DIGITS):
        raise Problem("bad-field", "since: must be a version.")
    return int(text)


def _states(text: str) -> bool:
    if text not in ("true", "false"):
        raise Problem("bad-field", "states: must be true or false.")
    return text == "true"


async def _tell_presence(context: RequestContext, table_id: str, viewers: Sequence[Connection]) -> None:
    if viewers:
        with contextlib.suppress(Problem):
            present = await context.runtime.presence.present(table_id)
            message = dumps({"type": "presence", "persons": {str(one.value): here for one, here in present.items()}})
            for connection in viewers:
                connection.queue(message)


async def talk(socket: WebSocket, connection: Connection, context: RequestContext) -> None:
    """Send and receive until either side ends it."""
    sending = asyncio.create_task(_send(socket, connection, context))
    receiving = asyncio.create_task(_receive(socket, connection, context))
    try:
        await asyncio.wait({sending, receiving}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (sending, receiving):
            task.cancel()
        done = await asyncio.gather(sending, receiving, return_exceptions=True)
    for error in done:
        if isinstance(error, Exception) and not isinstance(error, WebSocketDisconnect | RuntimeError):
            raise error


async def _send(socket: WebSocket, connection: Connection, context: RequestContext) -> None:
    while (due := await connection.next()) is not None:
        if isinstance(due, Backlog):
            await _send_backlog(socket, due, context)
        else:
            await socket.send_text(due)
    await socket.close(connection.closed or _GOING_AWAY)


async def _send_backlog(socket: WebSocket, backlog: Backlog, context: RequestContext) -> None:
    """Send what was missed piece by piece; others are served between two pieces, and each is charged."""
    pieces = state_cost(len(backlog.loaded.table.match.moves)) if backlog.texts is not None else 0
    for message in backlog.messages():
        context.payer.owe("state", pieces)
        await socket.send_text(message)
        await asyncio.sleep(0)


async def _receive(socket: WebSocket, connection: Connection, context: RequestContext) -> None:
    while True:
        received = await socket.receive()
        if received["type"] == "websocket.disconnect":
            return
        text = received.get("text")
        if text is None or not context.payer.can_pay("message"):
            connection.close(_UNSUPPORTED_DATA if text is None else POLICY_VIOLATION)
            await asyncio.sleep(limits.DRAIN_SECONDS)
            return
        await _take(text, connection, context)


async def _take(text: str, connection: Connection, context: RequestContext) -> None:
    """Take one message and queue its answer."""
    move_id = None
    try:
        message = _message(text)
        if message["type"] == "ping":
            connection.queue('{"type":"pong"}')
            return
        given = message.get("move_id")
        move_id = given if isinstance(given, str) and len(given) <= table_limits.MOVE_ID_LENGTH else None
        name, command = _command(message, connection)
        held = connection.held
        result = await context.command(connection.table_id, held, name, command)
        # The id of a command that was accepted needs no escaping.
        answer = f'{{"type":"answer","move_id":"{command.move_id}","version":{result.version}}}'
        connection.queue(with_state(answer, await context.text_after(result, held)))
    except Problem as problem:
        connection.queue(dumps({"type": "problem", "move_id": move_id, "problem": problem.document()}))


def _message(text: str) -> dict[str, Any]:
    message = json_object(text)
    if message is None or not isinstance(message.get("type"), str):
        raise Problem("bad-request", 'A message is one JSON object with a "type".')
    return message


def _command(message: dict[str, Any], connection: Connection) -> tuple[str, Command]:
    if is_room_id(connection.table_id):
        raise Problem("bad-field", "type: only ping; what is done in a room is sent to its API.")
    name = message.pop("type")
    handler = COMMANDS.get(name)
    if handler is None:
        raise Problem("bad-field", f"type: one of ping, {', '.join(COMMANDS)}.")
    return name, validate(handler.model, message)
