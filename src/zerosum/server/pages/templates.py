"""The templates of the pages: every value escaped, every missing name an error."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from pathlib import Path
from typing import Final

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from zerosum.base.english import figure
from zerosum.base.numbers import MINUS
from zerosum.base.text import printable

_SERVER: Final = Path(__file__).parent.parent
STATIC: Final = _SERVER / "static"
_SIGN: Final = re.compile(r"(?<!\w)-(?=-?[0-9])|(?<=[+-])-(?=[0-9])")


@cache
def static_url(name: str) -> str:
    """Return the address of a static file, which changes with its contents: browsers may cache it forever."""
    digest = hashlib.sha256((STATIC / name).read_bytes()).hexdigest()
    return f"/static/{name}?v={digest[:12]}"


def minus_signs(text: str) -> str:
    """Return a sentence with a true minus sign before each number; other hyphens stay.

    >>> signs("Jean-Luc plays -3.") == f"Jean-Luc plays {MINUS}3."
    True
    """
    return _SIGN.sub(MINUS, text)


@cache
def environment() -> Environment:
    """Return the one environment of all templates."""
    made = Environment(
        loader=FileSystemLoader(_SERVER / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["static"] = static_url
    made.filters |= {"minus": figure, "signs": minus_signs, "printable": printable}
    return made


def render_page(request: Request, template: str, *, status: int = 200, **values: object) -> HTMLResponse:
    """Return a filled template as an answer."""
    text = environment().get_template(template).render(request=request, **values)
    return HTMLResponse(text, status_code=status)
