"""`zerosum rules`."""

import click

from zerosum.cli.parameters import game_argument
from zerosum.cli.width import echo
from zerosum.rules.describe import describe
from zerosum.rules.model import Rules
from zerosum.rules.text import printable


@click.command
@game_argument
def command(game: Rules) -> int:
    r"""Print the rules of GAME in words, made from its rules file.

    \b
    Examples:
      zerosum rules sum31
      zerosum rules ./my-variant.toml
    """
    echo(f"{printable(game.name)}\n")
    for line in describe(game):
        echo(line)
    return 0
