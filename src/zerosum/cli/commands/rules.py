"""`zerosum rules`."""

import click

from zerosum.cli.parameters import game_argument
from zerosum.rules.describe import describe
from zerosum.rules.model import Rules


@click.command
@game_argument
def command(game: Rules) -> int:
    r"""Print the rules of GAME in words, made from its rules file.

    \b
    Examples:
      zerosum rules sum31
      zerosum rules ./my-variant.toml
    """
    click.echo(f"{game.name}\n")
    for line in describe(game):
        click.echo(line)
    return 0
