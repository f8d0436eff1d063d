"""`zerosum games` and `zerosum check`: which games there are, and whether a rules file is one.

- games (Play 3): List the games.
- check (Design 1): Validate a rules file.
"""

import click

from zerosum.base.text import printable
from zerosum.cli.parameters import json_option, print_json
from zerosum.cli.terminal_text import echo
from zerosum.rules.game_files import SHELVES, built_in, games_json, load_file


@click.command
@json_option
def games_command(*, as_json: bool) -> int:
    r"""List the games.

    \b
    Examples:
      zerosum games
      zerosum games --json
    """
    if as_json:
        print_json(games_json())
        return 0
    echo("\n\n".join("\n".join([title, *map(_line, games)]) for title, games in SHELVES.values()))
    return 0


def _line(game: str) -> str:
    from zerosum.rules.describe import idea, warning  # noqa: PLC0415 - the JSON document has no words

    rules = built_in(game)
    note = f"; {warning(rules)}" if warning(rules) else ""
    return f"  {game:15}{idea(rules)}{note}."


@click.command
@click.argument("file", type=click.Path())
def check_command(file: str) -> int:
    r"""Validate the rules file FILE: exit 0, or one clear error and exit 1.

    \b
    Examples:
      zerosum check my-variant.toml
    """
    rules = load_file(file)
    echo(f"{printable(file)}: good rules for {rules.name} ({rules.id}).")
    return 0
