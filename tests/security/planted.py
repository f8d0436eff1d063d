"""The server with something changed in it: a bug for a harness to find, or a limit that a test cannot wait for."""

from __future__ import annotations

import os
import signal
import sys
import textwrap
from typing import Final

from tests.server.running import Server

_RUN: Final = """
import sys
sys.argv[0] = "zerosum"
from zerosum.server import limits
table, known = vars(limits), set(vars(limits))
{patch}
assert set(table) == known, set(table) - known
from zerosum.cli import main
main()
"""


def changed(patch: str) -> tuple[str, ...]:
    """Return the command `zerosum serve` that runs a patch first."""
    return (sys.executable, "-c", _RUN.format(patch=textwrap.dedent(patch)), "serve")


NO_RATES: Final = """
from zerosum.server import limits
limits.WORK = limits.TABLES = limits.SECRETS = limits.QUESTIONS = limits.ROOMS = limits.GUESSES = (10**9, 1e9)
"""
"""Rates by which nobody is refused, for those who look for something else."""

UNLIMITED: Final = NO_RATES + "limits.TOO_MANY_SECONDS = 0\n"

BURST, RATE = 200, 20.0
LIMITED: Final = f"""
from zerosum.server import limits
limits.WORK = ({2.5 * BURST}, {2.5 * RATE})
limits.TOO_MANY_SECONDS = 0
"""
"""Small numbers, so that an attack passes them at once; whoever is new at an address has two fifths of its account."""

KEPT_REFUSALS: Final = """
from starlette.responses import Response
kept, make = [], Response.__init__
def keeping(self, content=None, status_code=200, *more, **named):
    make(self, content, status_code, *more, **named)
    if status_code >= 400:
        kept.append(bytearray(b"x") * 2**20)
Response.__init__ = keeping
"""
"""A refused request keeps its memory."""

SHARED_DESK: Final = """
from fastapi import FastAPI
from starlette.responses import Response
answer, spent = FastAPI.__call__, []
async def shared(self, scope, receive, send):
    if scope["type"] == "http" and "/room" in scope["path"]:
        spent.append(scope["path"])
        if len(spent) > 300:
            return await Response(status_code=429)(scope, receive, send)
    await answer(self, scope, receive, send)
FastAPI.__call__ = shared
"""
"""Teachers share one budget with pupils and with whoever else asks for a room."""

IMPATIENT: Final = """
import signal
from zerosum.server import limits
signal.signal(signal.SIGUSR1, lambda *_: setattr(limits, "REQUEST_SECONDS", 1))
"""
"""A second for a request, once it is told so; honest people have more to come in, on a busy machine."""


def lose_patience(server: Server) -> None:
    """Let a server that is `IMPATIENT` be so from now on."""
    os.kill(server.pid, signal.SIGUSR1)
