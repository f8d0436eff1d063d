"""The templates of the pages: every value is escaped, every missing name is an error; static files and problem pages.

Static files with a version in their address are cached forever, the others are revalidated.
"""

from __future__ import annotations

import hashlib
import os
from functools import cache
from pathlib import Path
from typing import Final

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from zerosum.base.english import figure, minus_signs
from zerosum.base.text import printable
from zerosum.server.domain.problems import Problem
from zerosum.server.http.bodies import problem_response

_SERVER: Final = Path(__file__).parent.parent
STATIC: Final = _SERVER / "static"


@cache
def static_url(name: str) -> str:
    """Return the address of a static file, which changes with its contents: browsers may cache it forever."""
    digest = hashlib.sha256((STATIC / name).read_bytes()).hexdigest()
    return f"/static/{name}?v={digest[:12]}"


@cache
def environment() -> Environment:
    """Return the one environment of all templates."""
    made = Environment(
        loader=FileSystemLoader(_SERVER / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["static"] = static_url
    made.filters |= {"minus": figure, "signs": minus_signs, "printable": printable}
    return made


def render(template: str, **values: object) -> Markup:
    """Return a filled template, as a piece of another."""
    return Markup(environment().get_template(template).render(values))  # noqa: S704 - templates escape every value


def render_page(request: Request, template: str, *, status: int = 200, **values: object) -> HTMLResponse:
    """Return a filled template as an answer."""
    text = environment().get_template(template).render(request=request, **values)
    return HTMLResponse(text, status_code=status)


_FOREVER: Final = "public, max-age=31536000, immutable"


class StaticFolder(StaticFiles):
    """The folder of static files."""

    def file_response(
        self, full_path: str | os.PathLike[str], stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        """Return a file, and say how long it stays as it is."""
        response = super().file_response(full_path, stat_result, scope, status_code)
        versioned = scope["query_string"].startswith(b"v=")
        response.headers["Cache-Control"] = _FOREVER if versioned else "no-cache"
        return response


def problem_page(request: Request, problem: Problem) -> Response:
    """Return a page that says what went wrong and what to do."""
    answer = render_page(request, "problem.html", status=problem.status, here="", problem=problem)
    headers = problem_response(problem).headers
    for name in ("Allow", "Retry-After", "WWW-Authenticate"):
        if name in headers:
            answer.headers[name] = headers[name]
    return answer
