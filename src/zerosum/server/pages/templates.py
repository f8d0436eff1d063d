"""The templates of the pages: every value is escaped, every missing name is an error; problem pages."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import Response

from zerosum.base.english import figure, minus_signs
from zerosum.base.text import printable
from zerosum.server.domain.problems import Problem
from zerosum.server.http.bodies import problem_response
from zerosum.server.pages.static_files import compress, static_url

_TEMPLATES: Final = Path(__file__).parent.parent / "templates"


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
    made.filters |= {"minus": figure, "signs": minus_signs, "printable": printable}
    return made


def render(template: str, **values: object) -> Markup:
    """Return a filled template, as a piece of another."""
    return Markup(environment().get_template(template).render(values))  # noqa: S704 - templates escape every value


def render_page(
    request: Request, template: str, *, status: int = 200, holds_key: bool = False, **values: object
) -> HTMLResponse:
    """Return a filled template as an answer, compressed unless it holds a key, a personal code or an invitation."""
    text = environment().get_template(template).render(request=request, **values)
    answer = HTMLResponse(text, status_code=status)
    if not holds_key:
        compress(answer, request.headers)
    return answer


def problem_page(request: Request, problem: Problem) -> Response:
    """Return a page that says what went wrong and what to do."""
    answer = render_page(request, "problem.html", status=problem.status, here="", problem=problem)
    headers = problem_response(problem).headers
    for name in ("Allow", "Retry-After", "WWW-Authenticate"):
        if name in headers:
            answer.headers[name] = headers[name]
    return answer
