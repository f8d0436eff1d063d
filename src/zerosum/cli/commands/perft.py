"""`zerosum perft`."""

import click

from zerosum.cli.parameters import game_argument
from zerosum.rules.model import Rules
from zerosum.rules.perft import perft


@click.command
@game_argument
@click.argument("depth", type=click.IntRange(0))
def command(game: Rules, depth: int) -> int:
    r"""Count the legal move sequences of exactly DEPTH moves.

    A sequence that ends earlier is not counted; the last move may end the game.

    \b
    Examples:
      zerosum perft sum31 3
    """
    click.echo(perft(game, depth))
    return 0
