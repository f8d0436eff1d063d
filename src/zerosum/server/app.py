"""The application: everything put together."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from http import HTTPStatus

import structlog
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.routing import iter_route_contexts
from sqlalchemy import text
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import compile_path

from zerosum.server import prometheus
from zerosum.server.db.engine import read_url
from zerosum.server.http import api, classroom_api, websocket
from zerosum.server.http.auth import allowed_origins
from zerosum.server.http.bodies import field_problem, problem_response
from zerosum.server.http.kept_documents import DocumentShelf
from zerosum.server.http.middleware import PAYER, GateMiddleware
from zerosum.server.http.openapi import describe_api
from zerosum.server.http.rate_limits import Budgets
from zerosum.server.pages import api_reference, live_wall
from zerosum.server.pages.adapter import problem_page, screen_routes
from zerosum.server.pages.compression import static_app
from zerosum.server.runtime.runtime import Runtime
from zerosum.server.settings import Settings
from zerosum.server.world import REAL, World
from zerosum.tables.problems import Problem
from zerosum.version import __version__

_log = structlog.get_logger("zerosum.app")
_BY_STATUS = {400: "bad-request", 404: "no-such-page", 413: "too-large-body", 415: "wrong-type"}


def make_app(settings: Settings, world: World = REAL, make_runtime: Callable[[], Runtime] | None = None) -> FastAPI:
    """Return the application; its database is up to date. A simulation gives its own world and runtime."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        url, trusted = read_url(settings.database), settings.trust_database
        runtime = Runtime(url, trusted=trusted, world=world) if make_runtime is None else make_runtime()
        app.state.runtime = runtime
        await runtime.start()
        yield
        await runtime.close()

    app = FastAPI(
        title="zerosum",
        version=__version__,
        description="Number duels: tables, moves, coaching.",
        openapi_url=None,  # `api_reference.py` sends it, made once
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.world = world
    app.state.budgets = Budgets(world.monotonic)
    app.state.documents = DocumentShelf()
    app.state.public_urls = settings.public_urls
    app.openapi = lambda: describe_api(app)  # type: ignore[method-assign]  # the way FastAPI documents
    app.include_router(screen_routes(live_wall.ClassroomServerHost))
    app.include_router(api_reference.router)
    app.include_router(live_wall.router)
    app.include_router(api.router)
    app.include_router(classroom_api.router)
    app.include_router(websocket.router)
    _add_probes(app)
    app.mount("/static", static_app)
    _add_handlers(app)
    app.add_middleware(
        GateMiddleware,
        origins=allowed_origins(settings.host, settings.public_urls),
        budgets=app.state.budgets,
        reply=_reply,
        clock=world.monotonic,
    )
    return app


def _add_probes(app: FastAPI) -> None:
    @app.get("/healthz", include_in_schema=False)
    async def healthz() -> Response:
        """Say that the process answers."""
        return PlainTextResponse("ok\n")

    @app.get("/readyz", include_in_schema=False)
    async def readyz() -> Response:
        """Say that the database answers too, and can be written to."""
        await app.state.runtime.writer.read(lambda connection: connection.execute(text("SELECT 1")).scalar())
        if not app.state.runtime.writer.writable:
            raise Problem("unavailable", "The database can be read, but not written to.")
        return PlainTextResponse("ready\n")

    @app.get("/metrics", include_in_schema=False)
    async def count() -> Response:
        """Give the figures for Prometheus."""
        prometheus.store_batches.set(app.state.runtime.writer.batches)
        return Response(prometheus.metrics_text(), media_type="text/plain; version=0.0.4")


def _add_handlers(app: FastAPI) -> None:
    async def problem(request: Request, error: Exception) -> Response:
        found = _problem_of(request, error)
        if found.code == "too-many":
            await request.scope[PAYER].slow_down()
        return _reply(request, found)

    for kind in (Problem, RequestValidationError, HTTPException, ClientDisconnect, Exception):
        app.add_exception_handler(kind, problem)


def _problem_of(request: Request, error: Exception) -> Problem:
    """Return what to tell of an error."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, RequestValidationError):
        if any(one["type"] == "json_invalid" for one in error.errors()):
            return Problem("bad-request", "The body is not JSON.")
        return field_problem(error.errors())
    if isinstance(error, HTTPException):
        if isinstance(error.__cause__, Problem):
            return error.__cause__  # it arose while a body was read
        if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
            return Problem("wrong-method", allow=_methods(request))
        return Problem(_BY_STATUS.get(error.status_code, "bad-request"))
    if isinstance(error, ClientDisconnect):
        return Problem("bad-request", "The request broke off.")
    _log.error("internal error", exc_info=error)
    return Problem("internal", "It has been written to the log; nothing was acknowledged.")


def _methods(request: Request) -> list[str]:
    """Return the methods that the path of a request allows; HEAD goes with GET (`middleware.py`)."""
    path, found = request.url.path, set[str]()
    for route in iter_route_contexts(request.app.routes):
        if route.methods and compile_path(route.path or "")[0].match(path):
            found |= route.methods
    found = found or {"GET"}  # no route: a static file
    return sorted(found | {"HEAD"} if "GET" in found else found)


def _reply(request: Request, problem: Problem) -> Response:
    """Return a problem as JSON to programs, as a page to people."""
    if request.url.path.startswith(api.BASE) or "text/html" not in request.headers.get("accept", ""):
        return problem_response(problem)
    return problem_page(request, problem)
