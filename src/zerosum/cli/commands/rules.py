"""`zerosum rules`."""

from typing import Final

import click

from zerosum.cli.parameters import game_argument
from zerosum.cli.width import echo
from zerosum.lab.dead_clauses import cannot_happen
from zerosum.lab.endings import endings
from zerosum.rules.describe import describe
from zerosum.rules.model import Rules
from zerosum.rules.text import printable

_QUICKLY: Final = 2_000
"""Positions that may be gone through before the rules are shown: a moment."""


@click.command
@game_argument
def command(game: Rules) -> int:
    r"""Print the rules of GAME in words, made from its rules file.

    Of a clause that can never apply it is said that it cannot happen, and why.

    \b
    Examples:
      zerosum rules sum31
      zerosum rules ./my-variant.toml
    """
    echo(f"{printable(game.name)}\n")
    never = cannot_happen(game, endings(game, _QUICKLY))
    for line in describe(game):
        echo(line)
        if line in never:
            echo(f"  {never[line]}")
    return 0
