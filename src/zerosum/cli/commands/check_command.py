"""`zerosum check`."""

import click

from zerosum.base.text import printable
from zerosum.cli.terminal_text import echo
from zerosum.rules.game_files import load_file


@click.command
@click.argument("file", type=click.Path())
def command(file: str) -> int:
    r"""Validate the rules file FILE: exit 0, or one clear error and exit 1.

    \b
    Examples:
      zerosum check my-variant.toml
    """
    rules = load_file(file)
    echo(f"{printable(file)}: good rules for {rules.name} ({rules.id}).")
    return 0
