"""Replies that somebody else has gathered: lines of JSON with the id of an item and a reply to it."""

from __future__ import annotations

import json
from typing import Any

from zerosum.base.files import decode
from zerosum.base.numbers import shorten
from zerosum.base.text import printable
from zerosum.exam import limits
from zerosum.exam.items import ItemsError, ItemSet
from zerosum.exam.scoring import Grade, grade


def grade_lines(found: ItemSet, data: bytes, source: str, *, lenient: bool = False) -> list[Grade]:
    """Return the grades of replies, each a line `{"id": ..., "reply": ..., "truncated": false}`.

    Whether a reply was cut off need not be said. Lines of one item, in their order, are its tries.
    """
    grades = []
    for row, line in enumerate(decode(data, source).split("\n"), 1):
        if not line.strip():
            continue
        told = _told(line, f"{source}: line {row}")
        item = found.by_id.get(told["id"])
        if item is None:
            raise ItemsError(
                f"{source}: line {row}: no item of this set has the id '{shorten(printable(told['id']))}'."
            )
        reply, cut = told["reply"][-limits.REPLY_CHARACTERS :], told.get("truncated", False)
        grades.append(grade(item, reply, truncated=cut, lenient=lenient))
    return grades


def _told(line: str, where: str) -> dict[str, Any]:
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict) or not isinstance(told.get("id"), str):
        raise ItemsError(f'{where} is not a JSON object with an "id" and a "reply".')
    if told.get("reply") is None:
        told["reply"] = ""  # some harnesses write null where a model said nothing
    if not isinstance(told["reply"], str) or not isinstance(told.get("truncated", False), bool):
        raise ItemsError(f'{where}: "reply" is a text, and "truncated" is true or false.')
    return told
