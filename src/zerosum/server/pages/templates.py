"""The templates of the pages: every value is escaped, every missing name is an error; problem pages."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from zerosum import screens
from zerosum.base.english import figure, minus_signs
from zerosum.base.text import printable
from zerosum.server.http.bodies import problem_response
from zerosum.server.pages.static_files import compress, static_url
from zerosum.tables.classroom_report import idea_title
from zerosum.tables.problems import Problem

_TEMPLATES: Final = Path(screens.__file__).parent / "templates"
_PIECE: Final = 4 * 1024
"""Characters of a page that are made in one step; then others get their turn."""


@cache
def environment() -> Environment:
    """Return the one environment of all templates."""
    made = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["static"] = static_url
    made.filters |= {"minus": figure, "signs": minus_signs, "printable": printable, "idea": idea_title}
    return made


def compile_templates() -> None:
    """Compile all templates, those of a table first: it takes a quarter of a second, for which no visitor waits."""
    for name in sorted(environment().list_templates(), key=lambda name: not name.startswith(("table", "board"))):
        environment().get_template(name)


def render(template: str, **values: object) -> Markup:
    """Return a filled template, as a piece of another."""
    return Markup(environment().get_template(template).render(values))  # noqa: S704 - templates escape every value


class Page(HTMLResponse):
    """A page that is filled while it is sent, piece by piece: a long one keeps nobody waiting."""

    def __init__(self, request: Request, pieces: Iterable[str], status: int, *, holds_key: bool) -> None:
        super().__init__(status_code=status)
        self._request_headers = request.headers
        self._pieces = pieces
        self._holds_key = holds_key

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Fill the page, then send it."""
        await asyncio.sleep(0)
        made: list[str] = []
        size = 0
        for piece in self._pieces:
            made.append(piece)
            size += len(piece)
            if size > _PIECE:
                size = 0
                await asyncio.sleep(0)
        self.body = "".join(made).encode()
        self.headers["Content-Length"] = str(len(self.body))
        if not self._holds_key:
            await compress(self, self._request_headers)
        await super().__call__(scope, receive, send)


def render_page(
    request: Request, template: str, *, status: int = 200, holds_key: bool = False, **values: object
) -> HTMLResponse:
    """Return a filled template as an answer, compressed unless it holds a key, a personal code or an invitation."""
    pieces = environment().get_template(template).generate(request=request, **values)
    return Page(request, pieces, status, holds_key=holds_key)


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
    answer = HTMLResponse(html, problem.status)
    for name in ("Allow", "Retry-After", "WWW-Authenticate"):
        if name in headers:
            answer.headers[name] = headers[name]
    return answer
