"""A check of our own for schemathesis, which loads this file: why a request was refused that the description allows.

No description can say which text makes a game, or that a whole number is written without a fraction (to JSON Schema
`5.0` is one; here it is refused at every door). So such requests may be answered with 422; but with the codes of these
reasons alone, which is held here.
"""

from __future__ import annotations

from typing import Any, Final

import schemathesis

OF_GAMES: Final = frozenset(
    {
        "bad-name",
        "bad-position",
        "bad-record",
        "bad-rules",
        "illegal-move",
        "no-solution",
        "operation-missing",
        "too-large",
        "unreadable-move",
    }
)


@schemathesis.check
def refused_for_a_reason(
    ctx: schemathesis.CheckContext,  # noqa: ARG001 - one signature for every check
    response: schemathesis.Response,
    case: schemathesis.Case[Any],
) -> None:
    """Refuse to have a request refused for anything that the description could say."""
    allowed = case.meta is not None and case.meta.generation.mode.is_positive
    if response.status_code != 422 or not allowed:
        return
    code = response.json()["code"]
    if code in OF_GAMES or (code == "bad-field" and _has_fraction(case.body)):
        return
    raise AssertionError(f"The description allows what was refused as {code}: {response.text[:300]}")


def _has_fraction(value: object) -> bool:
    if isinstance(value, dict):
        return any(map(_has_fraction, value.values()))
    return isinstance(value, float)
