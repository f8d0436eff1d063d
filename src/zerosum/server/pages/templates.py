"""Pages that are no screens yet, and problem pages."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from fastapi import Request
from fastapi.responses import HTMLResponse
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from zerosum.screens.rendering import environment, render
from zerosum.server.http.bodies import problem_response
from zerosum.server.pages.compression import compress
from zerosum.tables.problems import Problem

_PIECE: Final = 4 * 1024
"""Characters of a page that are made in one step; then others get their turn."""


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
    pieces = environment().get_template(template).generate(**values)
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
