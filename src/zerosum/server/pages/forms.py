"""Forms: what a page sends, read as text; a file is as good as the text in it."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import Request
from pydantic import BeforeValidator
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException

from zerosum.server.domain.problems import Problem
from zerosum.server.pages.form_errors import field_label

_FIELDS: Final = 40
_FILES: Final = 2
_NUMBER_LENGTH: Final = 10

Fields = dict[str, str]


async def fields_of(request: Request) -> Fields:
    """Return the fields of a form; of two with one name the last counts. A file `x_file` with text stands for `x`."""
    try:
        form = await request.form(max_files=_FILES, max_fields=_FIELDS)
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


def number_in(fields: Fields, name: str) -> int:
    """Return a whole number that a form must give."""
    text = fields.get(name, "")
    if not _is_number(text):
        raise Problem("bad-field", f"{field_label(name)} must be a whole number.")
    return int(text)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= _NUMBER_LENGTH


def _whole(value: object) -> object:
    """Refuse text that is more than digits, such as `1_0` and `5.0`, which would be read as numbers."""
    if isinstance(value, str) and not _is_number(value):
        raise ValueError("a whole number is due")
    return value


WholeNumber = Annotated[int, BeforeValidator(_whole)]
"""A whole number in an address or a form."""
