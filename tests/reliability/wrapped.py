"""Servers that are not quite the installed one: with a planted bug, or with other limits."""

from __future__ import annotations

import dataclasses
import importlib
import json
import sys
from pathlib import Path

from tests.server.running import COMMAND

ROOT = Path(__file__).resolve().parents[2]
_RUN = "import sys; sys.path.insert(0, sys.argv.pop(1)); from tests.reliability.wrapped import run; run()"

_WITHOUT_RIGHTS = """
import ctypes, os, sys
PR_CAPBSET_DROP, CAP_DAC_OVERRIDE = 24, 1
if os.geteuid() == 0:
    assert ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE) == 0
os.execv(sys.argv[1], sys.argv[1:])
"""


def planted(bug: str) -> tuple[str, ...]:
    """Return the command of a server with a bug that a harness must find; see the folder `planted`."""
    return (sys.executable, "-c", _RUN, str(ROOT), bug, "{}", "serve")


def planted_command(bug: str) -> tuple[str, ...]:
    """Return the command `zerosum` with such a bug."""
    return planted(bug)[:-1]


def unprivileged() -> tuple[str, ...]:
    """Return the command of a server that may write only where its user may, also where that is root."""
    return (sys.executable, "-c", _WITHOUT_RIGHTS, *COMMAND)


def limited(**limits: int) -> tuple[str, ...]:
    """Return the command of a server with other limits, so that a test need not wait for minutes.

    `MINUTE_MS` is how many milliseconds a minute on a clock lasts.
    """
    return (sys.executable, "-c", _RUN, str(ROOT), "", json.dumps(limits), "serve")


def run() -> None:
    """Run the command of this process, changed as its first two arguments say."""
    bug, given = sys.argv.pop(1), json.loads(sys.argv.pop(1))
    _set_limits(given)
    if bug:
        importlib.import_module(f"tests.reliability.planted.{bug}").plant()
    from zerosum.cli import main  # noqa: PLC0415 - after the limits were set

    main()


def patch(owner: object, name: str, value: object) -> None:
    """Replace what an owner has under a name."""
    assert hasattr(owner, name), name
    setattr(owner, name, value)


def _set_limits(given: dict[str, int]) -> None:
    from zerosum.base import limits as rule_limits  # noqa: PLC0415 - only here, in the process of a server
    from zerosum.server import limits  # noqa: PLC0415 - likewise
    from zerosum.tables import limits as table_limits  # noqa: PLC0415 - likewise

    minute = given.pop("MINUTE_MS", None)
    for name, value in given.items():
        patch(next(one for one in (limits, table_limits, rule_limits) if hasattr(one, name)), name, value)
    if minute is not None:
        _shorten_minutes(minute)


def _shorten_minutes(milliseconds: int) -> None:
    from zerosum.tables import table  # noqa: PLC0415 - it must find the limits changed

    real = table._clock_started

    def started(of: table.Table, at: int) -> table.Table:
        full = milliseconds * of.clock.minutes if of.clock else 0
        return dataclasses.replace(real(of, at), left=(full, full))

    patch(table, "_clock_started", started)
