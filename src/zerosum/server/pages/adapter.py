"""Screens as routes of the server: a request becomes a visit, an answer a response, and the server the host.

Who asks what is charged as by the API (`http/context.py`). A browser that has no key gets one once it sends a form,
or a screen needs it, unless the screen is anonymous.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Final, ParamSpec, TypeVar

import segno
from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response
from markupsafe import Markup
from starlette.background import BackgroundTask
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection

from zerosum.jobs.job_table import Job
from zerosum.match.setup import Person
from zerosum.screens.board_view import only_here
from zerosum.screens.forms import Fields
from zerosum.screens.rendering import render
from zerosum.screens.screen import (
    FRAGMENT,
    Answer,
    ClassroomStrip,
    Invited,
    RegisteredScreen,
    SeatedTable,
    Surroundings,
    TableSight,
    Visit,
    screens,
)
from zerosum.server import limits
from zerosum.server.db import queries
from zerosum.server.http.auth import page_key
from zerosum.server.http.bodies import problem_response
from zerosum.server.http.context import RequestContext, code_warning, request_context
from zerosum.server.pages.compression import compress
from zerosum.server.runtime.hub import LastSeen
from zerosum.server.runtime.table_cache import LoadedTable
from zerosum.server.worker.client import WorkerError
from zerosum.tables.commands import Command, Moment
from zerosum.tables.keys import Key, shown_room_code
from zerosum.tables.new_table import TableRequest
from zerosum.tables.problems import Problem
from zerosum.tables.table import Table

P = ParamSpec("P")
T = TypeVar("T")
_YEAR: Final = 365 * 24 * 3600
_KEPT: Final = 256
"""QR codes that are remembered; making one takes some milliseconds, and a waiting page asks for its own again."""
_STEP: Final = 4 * 1024
"""Characters of a long page that are made in one step."""
_HTML: Final = "text/html"


@dataclass(frozen=True, slots=True)
class ServerHost:
    """The server as the screens of one request ask it."""

    request: Request
    context: RequestContext
    anonymous: bool = False
    """Whether a browser without a key is left without one."""

    @property
    def key(self) -> Key:
        """The key of the browser; one that has none gets one."""
        return page_key(self.request)

    async def ask(self, job: Job[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Charge a question to whoever asks, and return the answer of the worker."""
        return await self.context.questions.ask(job, *args, **kwargs)

    def knows(self, job: Job[P, T], *args: P.args, **kwargs: P.kwargs) -> bool:
        """Whether the answer is remembered."""
        return self.context.questions.worker.remembers(job, *args, **kwargs)

    def now_ms(self) -> int:
        """Return the time."""
        return self.context.runtime.world.now_ms()

    def token(self) -> str:
        """Return 16 hexadecimal digits that nobody can guess."""
        return self.context.runtime.world.token_hex(8)

    def qr_code(self, address: str) -> Markup:
        """Return an address as a picture for a phone's camera."""
        return qr_code(address)

    @property
    def meeting(self) -> ServerHost:
        """A server is where people meet."""
        return self

    async def table(self, table_id: str, *, settled: bool = False) -> TableSight:
        """Return a table as the database has it now."""
        loaded, news = await self.context.table_and_news(table_id, self.context.key if self.anonymous else self.key)
        if settled:
            await self.context.runtime.cache.settled(loaded, limits.COMPUTER_SECONDS)
        return _sight(loaded, news.held, news.last_seen)

    async def around(self, sight: TableSight) -> Surroundings:
        """Return what else whoever looks may know."""
        runtime, table, key = self.context.runtime, sight.table, self.key
        seen = sight.note if isinstance(sight.note, dict) else None
        return Surroundings(
            moment=await self._moment(sight, seen),
            here=await runtime.presence.present(table.id, seen) if table.online else {},
            invitation=await runtime.seats.invitation(table, key) if sight.held else None,
            codes={person: runtime.seats.code(table, key, person) for person in sorted(sight.held)},
            classroom=await self._classroom(table),
        )

    async def _moment(self, sight: TableSight, seen: LastSeen | None) -> Moment:
        """Return how long the turn has taken; of an online opponent who is to move also how long they were not seen."""
        runtime, table = self.context.runtime, sight.table
        if table.online and table.running and len(sight.held) == 1 and table.match.to_move not in sight.held:
            return await runtime.clocks.moment(table, claim=True, seen=seen)
        now = runtime.world.now_ms()
        return Moment(now, runtime.downtime.spent(table.turn_began, now) if table.clock else 0)

    async def _classroom(self, table: Table) -> ClassroomStrip | None:
        if not table.room:
            return None
        rooms = self.context.runtime.rooms
        room = (rooms.get(table.room) or await rooms.fresh(table.room)).room
        match = room.matches.get(table.id)
        return ClassroomStrip(
            room.code, shown_room_code(room.code), room.phase.value, match is not None and match.voided
        )

    async def command(self, table_id: str, name: str, command: Command, *, may_forfeit: bool) -> TableSight:
        """Carry a command out."""
        held = await self.context.seats(table_id, self.key)
        result = await self.context.command(table_id, held, name, command, may_forfeit=may_forfeit)
        return _sight(result.loaded, held)

    async def record(self, sight: TableSight, match: int) -> str:
        """Return the record of one of the matches at a table."""
        return await self.context.record(await self.context.table(sight.table.id), match)

    async def own_tables(self) -> list[SeatedTable]:
        """Return the tables where the key of the browser holds seats."""
        seats = self.context.runtime.seats
        tables = [(loaded.table, held) async for loaded, held in seats.mine(self.key)]
        earlier = await seats.earlier_winners([table.id for table, _ in tables])
        return [SeatedTable(table, held, earlier.get(table.id, {})) for table, held in tables]

    async def open_table(self, order: TableRequest) -> str:
        """Open a table."""
        return (await self.context.open_table(self.key, order)).table.id

    async def recall(self) -> Mapping[str, str]:
        """Return the tries of a browser at the dailies that it played lately, by the date."""
        return await self.context.runtime.writer.read(partial(queries.daily_tries, key=self.key))

    async def remember(self, name: str, version: int, text: str) -> bool:
        """Keep the tries at the daily of a date after one more move."""
        write = partial(queries.add_daily_move, key=self.key, day=name, moves=version, tries=text, at=self.now_ms())
        return await self.context.runtime.writer.write(write)

    async def invited_to(self, invitation: str) -> Invited:
        """Return what an invitation is for."""
        loaded, person, used = await self.context.invited_to(invitation)
        return Invited(loaded.table, person, used, await self.context.seats(loaded.table.id, self.key))

    async def join(self, invitation: str, name: str) -> str:
        """Take the seat that an invitation is for."""
        return (await self.context.join(self.key, invitation, name)).table.id

    async def come_back(self, code: str) -> tuple[str, str]:
        """Take one's seat on this device too."""
        loaded, devices_left = await self.context.come_back(self.key, code)
        return loaded.table.id, code_warning(devices_left)


def _sight(loaded: LoadedTable, held: frozenset[Person], seen: LastSeen | None = None) -> TableSight:
    return TableSight(loaded.table, loaded.said[-1], loaded.drawn, held, seen)


@lru_cache(maxsize=_KEPT)
def qr_code(address: str) -> Markup:
    """Return an address as a picture for a phone's camera, black on white whatever the colours of the page."""
    made = segno.make(address, micro=False, error="m")
    picture = made.svg_inline(omitsize=True, border=4, light="#fff", svgclass="qr", lineclass=None)
    return Markup(picture.replace("<svg ", '<svg aria-hidden="true" ', 1))  # noqa: S704 - squares alone


def public_origin(connection: HTTPConnection, own: str) -> str:
    """Return how links to pass on begin: as the browser calls this server, or by a name that others can use too."""
    public: tuple[str, ...] = connection.app.state.public_urls
    return public[0] if public and only_here(own) else own


async def _fields(request: Request) -> Fields:
    """Return the fields of a form; of two with one name the last counts. A file `x_file` with text stands for `x`."""
    try:
        form = await request.form(max_files=limits.FORM_FILES, max_fields=limits.FORM_FIELDS)
    except HTTPException as error:
        raise Problem("bad-request", f"The form cannot be read: {error.detail}") from None
    fields: Fields = {}
    files: Fields = {}
    for name, value in form.multi_items():
        if isinstance(value, UploadFile):
            files[name.removesuffix("_file")] = await _text(value)
        else:
            fields[name] = value.replace("\r\n", "\n")
    return fields | {name: text for name, text in files.items() if text.strip()}


async def _text(file: UploadFile) -> str:
    try:
        return (await file.read()).decode().replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise Problem("bad-request", "The file is not text in UTF-8.") from None


async def _visit(request: Request) -> Visit:
    """Return what a request asks for."""
    return Visit(
        path=request.path_params,
        query=dict(request.query_params),
        fields=await _fields(request) if request.method == "POST" else {},
        cookies=request.cookies,
        origin=public_origin(request, str(request.base_url).rstrip("/")),
        alone=FRAGMENT in request.headers,
        written=request.url.query,
    )


async def _response(answer: Answer, host: ServerHost) -> Response:
    """Return the answer of a screen as it is sent."""
    if answer.location:
        made: Response = RedirectResponse(answer.location, answer.status, dict(answer.headers))
    else:
        text = f"{answer.text}{await _rest(answer.pieces)}"
        made = Response(text, answer.status, dict(answer.headers), answer.media_type)
        if answer.media_type == _HTML and not answer.private:
            compress(made, host.request.headers)
    secure = host.request.url.scheme == "https"
    for name, value in answer.cookies.items():
        made.set_cookie(name, value, max_age=_YEAR, httponly=True, samesite="lax", secure=secure)
    if answer.prepares:
        made.background = BackgroundTask(_prepare, answer, host.context)
    return made


async def _rest(pieces: Iterable[str]) -> str:
    """Return the rest of a long page, made in small steps: nobody else waits for it."""
    made, size = list[str](), 0
    for piece in pieces:
        made.append(piece)
        size += len(piece)
        if size > _STEP:
            size = 0
            await asyncio.sleep(0)
    return "".join(made)


async def _prepare(answer: Answer, context: RequestContext) -> None:
    """Have the answers to the next questions ready: a worker may have to start for them."""
    worker = context.questions.worker
    for job, args in answer.prepares:
        if not worker.remembers(job, *args):
            try:
                await worker.ask(job, *args)
            except WorkerError:
                return


def _route(screen: RegisteredScreen, make_host: type[ServerHost]) -> Callable[[Request], Awaitable[Response]]:
    async def route(request: Request) -> Response:
        host = make_host(request, request_context(request), screen.anonymous)
        if request.method == "POST" and not screen.anonymous:
            page_key(request)
        return await _response(await screen.show(await _visit(request), host), host)

    route.__name__ = screen.draw.__name__
    route.__doc__ = screen.draw.__doc__
    return route


def screen_routes(make_host: type[ServerHost]) -> APIRouter:
    """Return the routes of all screens."""
    router = APIRouter(include_in_schema=False)
    for screen in screens():
        router.add_api_route(screen.path, _route(screen, make_host), methods=[screen.method], response_class=Response)
    return router


@lru_cache(maxsize=64)
def _problem_html(code: str, detail: str, wait: int, *, repeats: bool) -> str:
    """Return the page of a problem; a flood of refused requests gets one that is there already."""
    return render("problem.html", here="", problem=Problem(code, detail), wait=wait, repeats=repeats)


def problem_page(request: Request, problem: Problem) -> Response:
    """Return a page that says what went wrong and what to do."""
    headers = problem_response(problem).headers
    html = _problem_html(
        problem.code, problem.detail, int(headers.get("Retry-After", 0)), repeats=request.method in ("GET", "HEAD")
    )
    told = {name: headers[name] for name in ("Allow", "Retry-After", "WWW-Authenticate") if name in headers}
    return Response(html, problem.status, told, _HTML)
