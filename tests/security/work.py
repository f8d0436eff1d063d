"""What a server does, counted: calls that it let in, and what else its figures tell."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from tests.security.calling import Caller
from tests.server.running import Server

_SAMPLE: Final = re.compile(r"^(zerosum_\w+)(?:\{(.*)\})? ([0-9.e+]+)$", re.MULTILINE)
_LABEL: Final = re.compile(r'(\w+)="([^"]*)"')


def counted(server: Server, name: str, **other_than: str) -> int:
    """Return what a counter of a server stands at, without the samples that have these labels."""
    text = Caller(server, "who counts").call("GET", "/metrics").text
    return sum(
        int(float(value))
        for found, labels, value in _SAMPLE.findall(text)
        if found == name and not other_than.items() & _labels(labels).items()
    )


def _labels(text: str) -> Mapping[str, str]:
    return dict(_LABEL.findall(text))


def let_in(server: Server) -> int:
    """Return how many calls and messages a server has looked at, beside those that it was asked too many of."""
    return (
        counted(server, "zerosum_requests_total", route="/metrics", status="429")
        + counted(server, "zerosum_refusals_total", code="too-many")
        + counted(server, "zerosum_commands_total", result="done")
    )
