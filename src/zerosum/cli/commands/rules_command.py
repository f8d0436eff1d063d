"""`zerosum rules`.

- rules (Play 4): The rules of a game, in words.
"""

import click

from zerosum.base.text import printable
from zerosum.cli.parameters import last_game_argument
from zerosum.cli.terminal_text import echo
from zerosum.lab.endings import annotated_rules
from zerosum.rules.model import Rules


@click.command
@last_game_argument
def rules_command(game: Rules) -> int:
    r"""Print the rules of GAME in words, made from its rules file.

    A clause that can never apply is marked as such, with the reason.

    \b
    Examples:
      zerosum rules sum31
      zerosum rules ./my-variant.toml
    """
    echo(f"{printable(game.name)}\n")
    for line in annotated_rules(game):
        echo(line)
    return 0
