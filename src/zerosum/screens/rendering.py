"""The templates of the screens: every value is escaped, every missing name is an error."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from zerosum.base.english import figure, minus_signs
from zerosum.base.text import printable
from zerosum.screens.screen import Answer
from zerosum.screens.static_files import static_url
from zerosum.tables.classroom_report import idea_title
from zerosum.tables.problems import Problem

_TEMPLATES: Final = Path(__file__).parent / "templates"


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


def page(
    template: str,
    *,
    status: int = 200,
    private: bool = False,
    cookies: dict[str, str] | None = None,
    prepares: Any = (),
    **values: object,
) -> Answer:
    """Return a filled template as an answer; one with a `Problem` has its status, and shows its detail."""
    if isinstance(problem := values.get("problem"), Problem):
        status, values["problem"] = problem.status, problem.detail
    return Answer(render(template, **values), status, private=private, cookies=cookies or {}, prepares=prepares)


def long_page(template: str, **values: object) -> Answer:
    """Return a template as an answer that is filled piece by piece."""
    return Answer(pieces=environment().get_template(template).generate(values))
