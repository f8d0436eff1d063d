"""The terminal: dialogue, commands, rendering."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from typing import Final

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
            _complain(f"Cannot go on: {error.strerror or error}.")
        status = 1
    except Exception as error:  # noqa: BLE001 - the last resort: people never see a traceback
        _confess(error)
        status = FAULT
    sys.exit(status)


def _confess(error: Exception) -> None:
    """Report a bug in zerosum in one line; `ZEROSUM_DEBUG=1` shows where it is."""
    if os.environ.get("ZEROSUM_DEBUG"):
        import traceback  # noqa: PLC0415 - only a bug needs it

        traceback.print_exception(error)
    kind = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    with contextlib.suppress(Exception):
        _complain(
            f"This is a bug in zerosum ({kind[:_SHOWN]}). Your matches are safe. "
            "To help us fix it, run the same command with ZEROSUM_DEBUG=1 and report what it shows."
        )


def _run() -> int:
    _prepare_streams()
    import click  # noqa: PLC0415 - `python -m zerosum` and completion load it, a library user does not

    from zerosum.base.errors import ZerosumError  # noqa: PLC0415 - likewise
    from zerosum.cli.root_command import VARIABLE, app  # noqa: PLC0415 - likewise

    if VARIABLE in os.environ:
        from zerosum.cli.completion import register  # noqa: PLC0415 - only the Tab key needs it

        register()
    try:
        status: int = app.main(prog_name="zerosum", standalone_mode=False) or 0
    except click.ClickException as error:
        text = io.StringIO()
        error.show(text)
        # The message quotes what was typed, so it is made printable; click may indent its lines with tabs.
        for line in text.getvalue().expandtabs(2).splitlines():
            _write_error(line)
        status = error.exit_code
    except ZerosumError as error:
        _complain(str(error))
        status = error.exit_code
    except click.Abort:
        status = 130
    sys.stdout.flush()
    return status


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


def _complain(message: str) -> None:
    sys.stdout.flush()
    _write_error(f"zerosum: {message}")


def _write_error(line: str) -> None:
    from zerosum.base.text import printable  # noqa: PLC0415 - likewise
    from zerosum.cli.terminal_text import fit, terminal_columns  # noqa: PLC0415 - only errors need it

    sys.stderr.write(fit(printable(line), terminal_columns(sys.stderr)) + "\n")
