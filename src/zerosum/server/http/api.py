"""The API for programs, `/api/v1`: what a page can do, and nothing else.

Every response is a document whose type is below, in `domain/view.py`, or in the coach's `analysis.py` and
`review_words.py`; the description of the API is generated from these types.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Any, Final, cast

from fastapi import APIRouter, Depends, Path, Query
from fastapi.security import HTTPBearer
from pydantic import BaseModel, ConfigDict, Field, JsonValue, StrictStr
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from zerosum.base.errors import ZerosumError
from zerosum.coach.analysis import AnalysisDocument, OptionDocument, SolutionDocument
from zerosum.coach.review_words import ReviewDocument
from zerosum.jobs import game_jobs
from zerosum.match.setup import Person
from zerosum.rules.describe import describe, idea
from zerosum.rules.game_files import GAME_IDS, Shelf, built_in, shelf_of
from zerosum.rules.model import Rules, rules_to_dict
from zerosum.rules.notation import parse_position
from zerosum.server.http.auth import AnyKey, OwnKey
from zerosum.server.http.bodies import CHECKED, json_response, limited
from zerosum.server.http.context import Context, RequestContext, code_warning
from zerosum.server.http.openapi import AFTER_COMMAND, AFTER_GAMES, AFTER_TABLE, route_responses
from zerosum.server.runtime.table_cache import LoadedTable
from zerosum.tables.commands import COMMANDS, MOVE_TEXT, Command, check_coaching, coached_position
from zerosum.tables.json_text import with_state
from zerosum.tables.keys import Key, new_key
from zerosum.tables.new_table import (
    EXAMPLE_VARIANT,
    GAME_NAME,
    KNOWN_GAMES,
    NAME,
    VARIANT,
    TableRequest,
    exactly_one_of,
    requested_rules,
)
from zerosum.tables.problems import Problem
from zerosum.tables.view import EventState, State


@dataclass(frozen=True, slots=True)
class CommandAnswer:
    """The answer to a command: the version of its event, and the state it made."""

    version: int
    state: State


@dataclass(frozen=True, slots=True)
class OwnTable:
    """A table that was opened, joined or returned to; the codes of the caller's seats, and the open invitation.

    `warning` says that a personal code will soon stop working, because many devices hold the seat.
    """

    state: State
    codes: dict[str, str]
    invitation: str | None
    warning: str = ""


@dataclass(frozen=True, slots=True)
class TableList:
    """The caller's tables, the latest first."""

    tables: list[State]


@dataclass(frozen=True, slots=True)
class EventList:
    """Events after a version."""

    version: int
    events: list[EventState]


@dataclass(frozen=True, slots=True)
class NewKey:
    """A new key."""

    token: str


@dataclass(frozen=True, slots=True)
class GameInfo:
    """A game: the keys of its rules file, and the same in words."""

    rules: dict[str, Any]
    shelf: Shelf
    idea: str
    words: list[str]


@dataclass(frozen=True, slots=True)
class GameList:
    """The games."""

    games: list[GameInfo]


@dataclass(frozen=True, slots=True)
class MoveValues:
    """What each move is worth to the player who makes it."""

    version: int
    values: list[OptionDocument]


@dataclass(frozen=True, slots=True)
class HintStep:
    """One step of a hint, in sentences."""

    version: int
    step: int
    sentences: list[str]


BASE: Final = "/api/v1"
router = APIRouter(prefix=BASE, generate_unique_id_function=lambda route: route.name)
_bearer = HTTPBearer(auto_error=False, description="A key from POST /api/v1/keys.")

TableId = Annotated[str, Path(max_length=32, description="The id of a table.")]
GameId = Annotated[str, Path(max_length=64, json_schema_extra=KNOWN_GAMES)]
Since = Annotated[str, Query(pattern="^[0-9]{1,9}$", description="A version.")]
Number = Annotated[str, Path(pattern="^[1-9][0-9]{0,4}$", description="Which match at the table, from 1 on.")]
_KEYED: Final = [Depends(_bearer)]
_FOR_ALL: Final[dict[str, Any]] = {"security": [{}]}
"""A key is taken, but none is needed."""


@router.get("/games", responses=route_responses(GameList, links=AFTER_GAMES))
async def games() -> Response:
    """List the games."""
    return json_response(GameList([_game(built_in(game)) for game in GAME_IDS]))


@router.get("/games/{game}", responses=route_responses(GameInfo))
async def game(game: GameId) -> Response:
    """Give the rules of a game, as a rules file's keys and in words."""
    return json_response(_game(requested_rules(game, None)))


@router.get("/games/{game}/solution", responses=route_responses(SolutionDocument))
async def solution(game: GameId, context: Context) -> Response:
    """Say who wins a game when both play perfectly."""
    return json_response(await context.questions.ask(game_jobs.knowledge, rules_to_dict(requested_rules(game, None))))


def _game(rules: Rules) -> GameInfo:
    return GameInfo(rules_to_dict(rules), shelf_of(rules.id), idea(rules), describe(rules))


_POSITIONS: Final[list[JsonValue]] = [
    {"game": "sum31", "moves": ["+5", "+6"]},
    {"game": "sum31", "position": "1,2,3,4,7,8,9 11 1"},
    {"variant": EXAMPLE_VARIANT},
]


class AnalysisRequest(BaseModel, extra="forbid", frozen=True):
    """A position to be judged: of a game or a variant, from its start or a position, after some moves."""

    model_config = ConfigDict(json_schema_extra=exactly_one_of("game", "variant", examples=_POSITIONS))

    game: Annotated[str, limited(GAME_NAME)] | None = None
    variant: Annotated[str, limited(VARIANT)] | None = None
    position: Annotated[StrictStr, Field(max_length=1000)] | None = None
    moves: Annotated[list[Annotated[str, limited(MOVE_TEXT)]], Field(max_length=600)] = []


@router.post("/analyze", responses=route_responses(AnalysisDocument))
async def analyze(request: AnalysisRequest, context: Context) -> Response:
    """Give the verdict of a position and of each of its moves."""
    if (request.game is None) == (request.variant is None):
        raise Problem("bad-field", "body: give either game or variant.")
    rules = requested_rules(request.game, request.variant)
    try:
        position = "" if request.position is None else str(parse_position(request.position.strip(), rules))
    except ZerosumError as error:
        raise Problem("bad-position", str(error)) from None
    worker = context.questions.worker  # it was charged before it was read
    return json_response(await worker.ask(game_jobs.analyze, rules_to_dict(rules), position, request.moves))


@router.post("/keys", status_code=201, responses=route_responses(NewKey, 201))
async def key(context: Context) -> Response:
    """Make a key. It holds the seats that are taken with it; anybody who has it can play for them."""
    return json_response(NewKey(new_key(context.runtime.world.dice).token), 201)


@router.get("/tables", responses=route_responses(TableList), dependencies=_KEYED)
async def tables(key: OwnKey, context: Context) -> Response:
    """List the tables where the caller holds a seat, the latest first."""
    states = [loaded.text(held) async for loaded, held in context.runtime.seats.mine(key)]
    return json_response(f'{{"tables":[{",".join(states)}]}}')


@router.post("/tables", status_code=201, responses=route_responses(OwnTable, 201, AFTER_TABLE), dependencies=_KEYED)
async def create(request: Annotated[TableRequest, CHECKED], key: OwnKey, context: Context) -> Response:
    """Open a table; the caller is person 1."""
    return await _table(context, await context.open_table(key, request), key, 201)


class Joining(BaseModel, extra="forbid", frozen=True):
    """An invitation taken up."""

    invitation: Annotated[StrictStr, Field(max_length=64)]
    name: Annotated[str, limited(NAME)] = "Player 2"


@router.post("/join", responses=route_responses(OwnTable, links=AFTER_TABLE), dependencies=_KEYED)
async def join(joining: Joining, key: OwnKey, context: Context) -> Response:
    """Take the seat that an invitation is for."""
    return await _table(context, await context.join(key, joining.invitation, joining.name), key)


class Return(BaseModel, extra="forbid", frozen=True):
    """A personal code."""

    code: Annotated[StrictStr, Field(max_length=64)]


@router.post("/come-back", responses=route_responses(OwnTable, links=AFTER_TABLE), dependencies=_KEYED)
async def come_back(given: Return, key: OwnKey, context: Context) -> Response:
    """Take one's own seat on another device."""
    loaded, devices_left = await context.come_back(key, given.code)
    return await _table(context, loaded, key, warning=code_warning(devices_left))


async def _table(
    context: RequestContext, loaded: LoadedTable, key: Key, status: int = 200, *, warning: str = ""
) -> Response:
    seats, table = context.runtime.seats, loaded.table
    held = await context.seats(table.id, key)
    codes = {str(one.value): seats.code(table, key, one) for one in sorted(held)}
    invitation = await seats.invitation(table, key) if held == {Person.ONE} else None
    return json_response(OwnTable(loaded.state(held), codes, invitation, warning), status)


@router.get("/tables/{table_id}", responses=route_responses(State), dependencies=_KEYED, openapi_extra=_FOR_ALL)
async def table(table_id: TableId, key: AnyKey, context: Context) -> Response:
    """Show a table."""
    loaded, news = await context.table_and_news(table_id, key)
    return json_response(loaded.text(news.held))


@router.get("/tables/{table_id}/events", responses=route_responses(EventList))
async def events(table_id: TableId, context: Context, since: Since = "0") -> Response:
    """List what happened after a version."""
    loaded = await context.table(table_id)
    return json_response(EventList(loaded.table.version, await context.events(loaded, int(since))))


@router.get(
    "/tables/{table_id}/matches/{number}/record", responses=route_responses(None), response_class=PlainTextResponse
)
async def record(table_id: TableId, number: Number, context: Context) -> Response:
    """Give the record of a match, the text that the terminal reads and writes."""
    return PlainTextResponse(await context.record(await context.table(table_id), int(number)))


@router.get("/tables/{table_id}/matches/{number}/review", responses=route_responses(ReviewDocument))
async def review(table_id: TableId, number: Number, context: Context) -> Response:
    """Hold each move of a match against the truth; of an online match, once it is over."""
    loaded = await context.table(table_id)
    record = await context.record(loaded, int(number))
    if int(number) == loaded.table.number:
        check_coaching(loaded.table)
    found = await context.questions.ask(game_jobs.review, record)
    return json_response(found["json"])


@router.get("/tables/{table_id}/values", responses=route_responses(MoveValues), dependencies=_KEYED)
async def values(table_id: TableId, key: OwnKey, context: Context) -> Response:
    """Say what each move is worth; never in an online match that is being played."""
    loaded = await context.own_table(table_id, key)
    table = loaded.table
    options = await context.questions.ask(game_jobs.values, *game_jobs.about(coached_position(table)))
    # The worker's answer is a document already; the class describes its keys.
    return json_response(MoveValues(table.version, cast("list[OptionDocument]", options)))


@router.get("/tables/{table_id}/hint", responses=route_responses(HintStep), dependencies=_KEYED)
async def hint(
    table_id: TableId, key: OwnKey, context: Context, step: Annotated[str, Query(pattern="^[1234]$")] = "1"
) -> Response:
    """Give one step of a hint; never in an online match that is being played."""
    loaded = await context.own_table(table_id, key)
    table = loaded.table
    sentences = await context.questions.ask(game_jobs.hint, *game_jobs.about(coached_position(table)), int(step))
    return json_response(HintStep(table.version, int(step), sentences))


def _command_route(name: str) -> Callable[..., Awaitable[Response]]:
    """Return the route of a command; all are alike but for what they carry."""

    async def route(request: Request, table_id: str, command: Command, key: Key, context: RequestContext) -> Response:
        del request
        held = await context.seats(table_id, key)
        result = await context.command(table_id, held, name, command)
        return json_response(with_state({"version": result.version}, await context.text_after(result, held)))

    parameters = {
        "request": Request,
        "table_id": TableId,
        "command": Annotated[COMMANDS[name].model, CHECKED],
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
        responses=route_responses(CommandAnswer, links=AFTER_COMMAND),
        dependencies=_KEYED,
    )
