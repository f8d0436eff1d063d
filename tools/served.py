"""What the server offers to programs, as tables: its problems, commands and calls, from the code itself."""

from __future__ import annotations

from typing import Final

from tools.tables import table
from zerosum.server.app import make_app
from zerosum.server.settings import Settings
from zerosum.tables.commands import COMMANDS
from zerosum.tables.problems import PROBLEMS, RETRY_AFTER

OWN_WAIT: Final = "too-many"
"""The problem that says itself when to try again."""


def problems() -> str:
    """Return every problem: its code, its status, what it means, and when to try again."""
    rows = [(f"`{code}`", str(status), title, _wait(code)) for code, (status, title) in PROBLEMS.items()]
    return table(("code", "status", "meaning", "try again after"), rows)


def _wait(code: str) -> str:
    if code == OWN_WAIT:
        return "as it says"
    return f"{RETRY_AFTER[code]} s" if code in RETRY_AFTER else ""


def commands() -> str:
    """Return what a person can do at a table."""
    return table(("command", "does"), [(f"`{name}`", one.says) for name, one in COMMANDS.items()])


def calls() -> str:
    """Return every call of the API, as its reference describes them."""
    described = make_app(Settings(database="sqlite:///unused")).openapi()
    rows = [
        (method.upper(), f"`{path}`", call["description"])
        for path, methods in described["paths"].items()
        for method, call in methods.items()
        if path.rpartition("/")[2] not in COMMANDS
    ]
    return table(("method", "path", "does"), rows)
