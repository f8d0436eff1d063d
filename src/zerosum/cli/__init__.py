"""The terminal: dialogue, commands, rendering."""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import sys
from typing import Any, Final

from zerosum.base.errors import ZerosumError
from zerosum.base.secrets import hide_secrets, is_secret
from zerosum.cli.terminal_text import notice
from zerosum.version import __version__

FAULT: Final = 70
"""The exit status of a bug in zerosum; BSD's `EX_SOFTWARE`."""
_SHOWN: Final = 200


def main() -> None:
    """Run the command `zerosum`; every error ends in one line and an exit status, never in a traceback."""
    try:
        status = _run()
    except KeyboardInterrupt:
        status = 130
    except OSError as error:
        # Standard output takes no more: its reader has gone, or its disk is full. Python would complain once more
        # when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            notice(f"zerosum: Cannot go on: {error.strerror or error}.")
        status = 1
    except Exception as error:  # noqa: BLE001 - the last resort: people never see a traceback
        _report_bug(error)
        status = FAULT
    sys.exit(status)


def _run() -> int:
    _prepare_streams()
    if sys.argv[1:] == ["--version"]:
        sys.stdout.write(f"zerosum {__version__}\n")
        sys.stdout.flush()
        return 0
    # Loading makes no garbage, and looking for it would take a tenth of the time; `loading_is_over` enables it again.
    gc.disable()
    if sys.platform == "linux" and os.path.exists("/proc/self/environ") and any(map(is_secret, os.environ)):
        hide_secrets()  # before any bot could look, here or in a process that this one starts
    try:
        status = _home() if len(sys.argv) == 1 and sys.stdin.isatty() and sys.stdout.isatty() else _command_line()
    except ZerosumError as error:
        notice(f"zerosum: {error}")
        status = error.exit_code
    sys.stdout.flush()
    return status


def _home() -> int:
    """Ask what to do; until a command is chosen, nothing has to be parsed."""
    home_menu = load("home_menu")
    loading_is_over()
    status: int = home_menu.go_home()
    return status


def _command_line() -> int:
    status: int = load("root_command").run()
    return status


def load(module: str) -> Any:
    """Load a module of this room by its name, when it is used: so Ctrl-C is answered from the beginning."""
    return importlib.import_module(f"zerosum.cli.{module}")


def loading_is_over() -> None:
    """Look for garbage again; what is loaded stays, so no collection has to look at it, not even the last one."""
    gc.freeze()
    gc.enable()


def _report_bug(error: Exception) -> None:
    """Report a bug in zerosum in one line; `ZEROSUM_DEBUG=1` adds the traceback."""
    if os.environ.get("ZEROSUM_DEBUG"):
        sys.excepthook(type(error), error, error.__traceback__)
    kind = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    with contextlib.suppress(Exception):
        notice(
            f"zerosum: This is a bug in zerosum ({kind[:_SHOWN]}). Your matches are safe. "
            "To help us fix it, run the same command with ZEROSUM_DEBUG=1 and report what it shows."
        )


def _prepare_streams() -> None:
    """Let no closed stream or unusual encoding stop a command."""
    # The descriptor of a closed stream would go to the next file opened, such as a journal.
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - open until the end
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        # Neither bytes that are not text nor text that a terminal cannot show may stop a match. (The declared type has
        # no `reconfigure`; the standard streams that Python opens do.)
        stream.reconfigure(errors="replace" if stream is sys.stdin else "backslashreplace")  # type: ignore[union-attr]
