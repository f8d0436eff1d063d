"""The terminal: dialogue, commands, rendering."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run the command `zerosum`; every error ends in one line and an exit status, never in a traceback."""
    import click  # noqa: PLC0415 - `python -m zerosum` and completion load it, a library user does not

    from zerosum.cli.app import app  # noqa: PLC0415
    from zerosum.rules.errors import ZerosumError  # noqa: PLC0415

    try:
        status = app.main(prog_name="zerosum", standalone_mode=False) or 0
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        status = error.exit_code
    except ZerosumError as error:
        _complain(str(error))
        status = error.exit_code
    except (KeyboardInterrupt, click.Abort):
        status = 130
    except BrokenPipeError:
        # Whoever read our output has gone; Python would complain once more when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 1
    sys.exit(status)


def _complain(message: str) -> None:
    from zerosum.rules.text import printable  # noqa: PLC0415

    sys.stdout.flush()
    sys.stderr.write(f"zerosum: {printable(message)}\n")
