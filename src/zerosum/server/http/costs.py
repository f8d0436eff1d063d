"""What a request costs its address, in units of `limits.REQUESTS`: one table, by what is asked for."""

from __future__ import annotations

from typing import Final

from starlette.datastructures import Headers
from starlette.types import Scope

from zerosum.server import limits

COSTS: Final = (
    ("/api/", 1),
    ("/static/", 1),
    ("/healthz", 1),
    ("/readyz", 1),
    ("", limits.PAGE_REQUESTS),
)
"""By the beginning of the path; the first that fits counts, and the last is every page."""
LIVE_COST: Final = limits.LIVE_REQUESTS
"""Opening a live connection, whatever its path."""
KIB: Final = 1024
_LENGTH_DIGITS: Final = 12


def request_cost(scope: Scope, headers: Headers) -> int:
    """Return what a request costs before it is read: by its path, and 1 for each KiB of its body."""
    if scope["type"] == "websocket":
        return LIVE_COST
    path: str = scope["path"]
    return next(cost for prefix, cost in COSTS if path.startswith(prefix)) + _body_cost(headers)


def _body_cost(headers: Headers) -> int:
    """Return the KiB of a body; one that does not announce its length counts as the largest."""
    most = limits.BODY_BYTES // KIB
    if "transfer-encoding" in headers:
        return most
    length = headers.get("content-length", "0")[:_LENGTH_DIGITS]
    return min(most, int(length) // KIB) if length.isascii() and length.isdigit() else 0
