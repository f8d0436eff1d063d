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
{patch}
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

IMPATIENT: Final = """
import signal
from zerosum.server import limits
signal.signal(signal.SIGUSR1, lambda *_: setattr(limits, "REQUEST_SECONDS", 1))
"""
"""A second for a request, once it is told so; honest people have more to come in, on a busy machine."""


def lose_patience(server: Server) -> None:
    """Let a server that is `IMPATIENT` be so from now on."""
    os.kill(server.pid, signal.SIGUSR1)
