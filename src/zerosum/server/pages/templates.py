"""The templates of the pages: every value is escaped, every missing name is an error; problem pages."""

from __future__ import annotations

from contextlib import suppress
from functools import cache, lru_cache
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
from zerosum.server.domain.room_report import idea_title
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
    made.filters |= {"minus": figure, "signs": minus_signs, "printable": printable, "idea": idea_title}
    return made


@cache
def _unprepared() -> list[str]:
    """Return the templates that nobody has asked for yet, those of a table last."""
    return sorted(environment().list_templates(), key=lambda name: name.startswith(("table", "board")))


def prepare_next() -> bool:
    """Compile one more template ahead of the first page that needs it; return whether there are others."""
    waiting = _unprepared()
    with suppress(IndexError):  # other threads take some too
        environment().get_template(waiting.pop())
    return bool(waiting)


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
