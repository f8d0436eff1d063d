"""`zerosum games`."""

import click

from zerosum.cli.parameters import json_option
from zerosum.cli.report import print_json
from zerosum.cli.width import echo
from zerosum.rules.describe import idea, warning
from zerosum.rules.files import GAME_IDS, built_in
from zerosum.rules.schema import rules_to_dict


@click.command
@json_option
def command(*, as_json: bool) -> int:
    r"""List the games.

    \b
    Examples:
      zerosum games
      zerosum games --json
    """
    games = [built_in(game) for game in GAME_IDS]
    if as_json:
        print_json({"games": [rules_to_dict(rules) for rules in games]})
        return 0
    for rules in games:
        told = f"; {warning(rules)}" if warning(rules) else ""
        echo(f"{rules.id:15}{idea(rules)}{told}.")
    return 0
