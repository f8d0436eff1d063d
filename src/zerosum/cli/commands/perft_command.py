"""`zerosum perft`."""

import click

from zerosum.cli.parameters import game_argument, whole_number
from zerosum.rules.model import Rules
from zerosum.rules.perft import perft


@click.command
@game_argument
@click.argument("depth", type=whole_number)
def command(game: Rules, depth: int) -> int:
    r"""Count the legal move sequences of exactly DEPTH moves.

    A sequence that ends earlier is not counted; the last move may end the game.

    \b
    Examples:
      zerosum perft sum31 3
    """
    if depth < 0:
        raise click.UsageError("DEPTH must be 0 or more.")
    click.echo(perft(game, depth))
    return 0
