"""The API for programs, `/api/v1`: what a page can do, and nothing else.

Every answer is a document whose type stands in `domain/view.py` or below; the description of the API is generated from
these types.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Path, Query
from fastapi.security import HTTPBearer
from pydantic import BaseModel, ConfigDict, Field, JsonValue, StrictStr
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from zerosum.base import limits as rule_limits
from zerosum.base.errors import ZerosumError
from zerosum.coach.analysis import AnalysisDocument, SolutionDocument
from zerosum.coach.review_words import ReviewDocument
from zerosum.match.setup import Person
from zerosum.rules.describe import describe, idea
from zerosum.rules.files import GAME_IDS, built_in, shelf_of
from zerosum.rules.model import Rules
from zerosum.rules.notation import parse_position
from zerosum.rules.rules_dict import rules_to_dict
from zerosum.server.domain.commands import COMMANDS, Command, MoveText
from zerosum.server.domain.json_text import with_state
from zerosum.server.domain.keys import Key, new_key
from zerosum.server.domain.new_table import KNOWN, VARIANT, Game, Name, TableRequest, one_of, requested_rules
from zerosum.server.domain.problems import Problem
from zerosum.server.domain.view import State
from zerosum.server.http.api_documents import Answer, Events, Games, Hint, NewKey, OwnTable, Tables, Values
from zerosum.server.http.api_documents import Game as GameDocument
from zerosum.server.http.auth import caller, needed_key
from zerosum.server.http.context import RequestContext, record_of, request_context
from zerosum.server.http.openapi import AFTER_COMMAND, AFTER_GAMES, AFTER_TABLE, answers
from zerosum.server.http.responses import json_reply
from zerosum.server.runtime.loaded_table import LoadedTable

BASE: Final = "/api/v1"
router = APIRouter(prefix=BASE, generate_unique_id_function=lambda route: route.name)
_bearer = HTTPBearer(auto_error=False, description="A key from POST /api/v1/keys.")

AnyKey = Annotated[Key | None, Depends(caller)]
OwnKey = Annotated[Key, Depends(needed_key)]
Context = Annotated[RequestContext, Depends(request_context)]
TableId = Annotated[str, Path(max_length=32, description="The id of a table.")]
GameId = Annotated[str, Path(max_length=64, json_schema_extra=KNOWN)]
Since = Annotated[str, Query(pattern="^[0-9]{1,9}$", description="A version.")]
Number = Annotated[str, Path(pattern="^[1-9][0-9]{0,4}$", description="Which match at the table, from 1 on.")]
_KEYED: Final = [Depends(_bearer)]
_FOR_ALL: Final[dict[str, Any]] = {"security": [{}]}
"""A key is taken, but none is needed."""


@router.get("/games", responses=answers(Games, links=AFTER_GAMES))
async def games() -> Response:
    """List the games."""
    return json_reply({"games": [_game(built_in(one)) for one in GAME_IDS]})


@router.get("/games/{game}", responses=answers(GameDocument))
async def game(game: GameId) -> Response:
    """Give the rules of a game, as a rules file's keys and in words."""
    return json_reply(_game(requested_rules(game, None)))


@router.get("/games/{game}/solution", responses=answers(SolutionDocument))
async def solution(game: GameId, context: Context) -> Response:
    """Say who wins a game when both play perfectly."""
    return json_reply(await context.questions.knowledge(requested_rules(game, None)))


def _game(rules: Rules) -> GameDocument:
    return {"rules": rules_to_dict(rules), "shelf": shelf_of(rules.id), "idea": idea(rules), "words": describe(rules)}


_POSITIONS: Final[list[JsonValue]] = [
    {"game": "sum31", "moves": ["+5", "+6"]},
    {"game": "sum31", "position": "1,2,3,4,7,8,9 11 1"},
    {"variant": VARIANT},
]


class AnalysisRequest(BaseModel):
    """A position to be judged: of a game or a variant, from its start or a position, after some moves."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, json_schema_extra=one_of("game", "variant", examples=_POSITIONS)
    )

    game: Game | None = None
    variant: Annotated[StrictStr, Field(max_length=rule_limits.RULES_FILE_BYTES)] | None = None
    position: Annotated[StrictStr, Field(max_length=1000)] | None = None
    moves: Annotated[list[MoveText], Field(max_length=600)] = []


@router.post("/analyze", responses=answers(AnalysisDocument))
async def analyze(request: AnalysisRequest, context: Context) -> Response:
    """Give the verdict of a position and of each of its moves."""
    if (request.game is None) == (request.variant is None):
        raise Problem("bad-field", "body: give either game or variant.")
    rules = requested_rules(request.game, request.variant)
    try:
        position = "" if request.position is None else str(parse_position(request.position.strip(), rules))
    except ZerosumError as error:
        raise Problem("bad-position", str(error)) from None
    return json_reply(await context.questions.analyze(rules, position, request.moves))


@router.post("/keys", status_code=201, responses=answers(NewKey, 201))
async def key() -> Response:
    """Make a key. It holds the seats that are taken with it; anybody who has it can play for them."""
    return json_reply({"token": new_key().token}, 201)


@router.get("/tables", responses=answers(Tables), dependencies=_KEYED)
async def tables(key: OwnKey, context: Context) -> Response:
    """List the tables where the caller holds a seat, the latest first."""
    mine = await context.runtime.seats.mine(key)
    states = [loaded.text(held) for loaded, held in mine]
    return json_reply(f'{{"tables":[{",".join(states)}]}}')


@router.post("/tables", status_code=201, responses=answers(OwnTable, 201, AFTER_TABLE), dependencies=_KEYED)
async def create(request: TableRequest, key: OwnKey, context: Context) -> Response:
    """Open a table; the caller is person 1."""
    return await _table(context, await context.open_table(key, request), key, 201)


class Joining(BaseModel):
    """An invitation taken up."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    invitation: Annotated[StrictStr, Field(max_length=64)]
    name: Name = "Player 2"


@router.post("/join", responses=answers(OwnTable, links=AFTER_TABLE), dependencies=_KEYED)
async def join(joining: Joining, key: OwnKey, context: Context) -> Response:
    """Take the seat that an invitation is for."""
    return await _table(context, await context.join(key, joining.invitation, joining.name), key)


class Return(BaseModel):
    """A personal code."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    code: Annotated[StrictStr, Field(max_length=64)]


@router.post("/come-back", responses=answers(OwnTable, links=AFTER_TABLE), dependencies=_KEYED)
async def come_back(given: Return, key: OwnKey, context: Context) -> Response:
    """Take one's own seat on another device."""
    return await _table(context, await context.come_back(key, given.code), key)


async def _table(context: RequestContext, loaded: LoadedTable, key: Key, status: int = 200) -> Response:
    seats, table = context.runtime.seats, loaded.table
    held = await context.seats(table.id, key)
    codes = {str(one.value): seats.code(table, key, one) for one in sorted(held)}
    invitation = await seats.invitation(table, key) if held == {Person.ONE} else None
    document: OwnTable = {"state": loaded.state(held), "codes": codes, "invitation": invitation}
    return json_reply(document, status)


@router.get("/tables/{table_id}", responses=answers(State), dependencies=_KEYED, openapi_extra=_FOR_ALL)
async def table(table_id: TableId, key: AnyKey, context: Context) -> Response:
    """Show a table."""
    loaded = await context.table(table_id)
    return json_reply(loaded.text(await context.seats(table_id, key)))


@router.get("/tables/{table_id}/events", responses=answers(Events))
async def events(table_id: TableId, context: Context, since: Since = "0") -> Response:
    """List what happened after a version."""
    loaded = await context.table(table_id)
    document: Events = {"version": loaded.table.version, "events": context.events(loaded, int(since))}
    return json_reply(document)


@router.get("/tables/{table_id}/matches/{number}/record", responses=answers(None), response_class=PlainTextResponse)
async def record(table_id: TableId, number: Number, context: Context) -> Response:
    """Give the record of a match, the text that the terminal reads and writes."""
    return PlainTextResponse(record_of(await context.table(table_id), int(number)))


@router.get("/tables/{table_id}/matches/{number}/review", responses=answers(ReviewDocument))
async def review(table_id: TableId, number: Number, context: Context) -> Response:
    """Hold each move of a match against the truth; of an online match, once it is over."""
    loaded = await context.table(table_id)
    found = await context.questions.table_review(loaded.table, int(number), record_of(loaded, int(number)))
    return json_reply(found["json"])


@router.get("/tables/{table_id}/values", responses=answers(Values), dependencies=_KEYED)
async def values(table_id: TableId, key: OwnKey, context: Context) -> Response:
    """Say what each move is worth; never in an online match that is being played."""
    loaded = await context.own_table(table_id, key)
    table = loaded.table
    return json_reply({"version": table.version, "values": await context.questions.table_values(table)})


@router.get("/tables/{table_id}/hint", responses=answers(Hint), dependencies=_KEYED)
async def hint(
    table_id: TableId, key: OwnKey, context: Context, step: Annotated[str, Query(pattern="^[1234]$")] = "1"
) -> Response:
    """Give one step of a hint; never in an online match that is being played."""
    loaded = await context.own_table(table_id, key)
    table = loaded.table
    sentences = await context.questions.hint(table, int(step))
    document: Hint = {"version": table.version, "step": int(step), "sentences": sentences}
    return json_reply(document)


def _command_route(name: str) -> Callable[..., Awaitable[Response]]:
    """Return the route of a command; all are alike but for what they carry."""

    async def route(request: Request, table_id: str, command: Command, key: Key, context: RequestContext) -> Response:
        del request
        held = await context.seats(table_id, key)
        result = await context.command(table_id, held, name, command)
        return json_reply(with_state({"version": result.version}, result.loaded.text_at(held, result.version)))

    parameters = {
        "request": Request,
        "table_id": TableId,
        "command": COMMANDS[name].model,
        "key": OwnKey,
        "context": Context,
    }
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    signature = inspect.Signature([inspect.Parameter(one, kind, annotation=how) for one, how in parameters.items()])
    route.__signature__ = signature  # type: ignore[attr-defined]  # read by FastAPI: each command has its own model
    route.__doc__ = COMMANDS[name].says
    return route


for _name in COMMANDS:
    router.add_api_route(
        f"/tables/{{table_id}}/{_name}",
        _command_route(_name),
        methods=["POST"],
        name=_name,
        operation_id=_name,
        responses=answers(Answer, links=AFTER_COMMAND),
        dependencies=_KEYED,
    )
