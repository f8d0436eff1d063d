"""`zerosum games`."""

import click

from zerosum.cli.json_output import print_json
from zerosum.cli.parameters import json_option
from zerosum.cli.terminal_text import echo
from zerosum.rules.describe import idea, warning
from zerosum.rules.game_files import SHELVES, built_in, games_json


@click.command
@json_option
def command(*, as_json: bool) -> int:
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
    rules = built_in(game)
    note = f"; {warning(rules)}" if warning(rules) else ""
    return f"  {game:15}{idea(rules)}{note}."
