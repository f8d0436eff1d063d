"""What there is: `zerosum games`, `rules` and `check` for games, `help` for commands.

- games (Play 3): List the games.
- rules (Play 4): The rules of a game, in words.
- check (Design 1): Validate a rules file.
- help (Tools 2): This list, or the help of a command.
"""

from __future__ import annotations

import click

from zerosum.base.text import printable
from zerosum.cli.parameters import json_option, last_game_argument, print_json
from zerosum.cli.terminal_text import echo
from zerosum.rules.game_files import SHELVES, built_in, games_json, load_file
from zerosum.rules.model import Rules


@click.command
@json_option
def games_command(*, as_json: bool) -> None:
    r"""List the games.

    \b
    Examples:
      zerosum games
      zerosum games --json
    """
    if as_json:
        print_json(games_json())
        return
    echo("\n\n".join("\n".join([title, *map(_line, games)]) for title, games in SHELVES.values()))


def _line(game: str) -> str:
    from zerosum.rules.describe import idea, warning  # noqa: PLC0415 - the JSON document has no words

    rules = built_in(game)
    note = f"; {warning(rules)}" if warning(rules) else ""
    return f"  {game:15}{idea(rules)}{note}."


@click.command
@last_game_argument
def rules_command(game: Rules) -> None:
    r"""Print the rules of GAME in words, made from its rules file.

    A clause that can never apply is marked as such, with the reason.

    \b
    Examples:
      zerosum rules sum31
      zerosum rules ./my-variant.toml
    """
    from zerosum.lab.endings import annotated_rules  # noqa: PLC0415 - nothing else here needs the lab

    echo("\n".join([f"{printable(game.name)}\n", *annotated_rules(game)]))


@click.command
@click.argument("file", type=click.Path())
def check_command(file: str) -> None:
    r"""Validate the rules file FILE: exit 0, or one clear error and exit 1.

    \b
    Examples:
      zerosum check my-variant.toml
    """
    rules = load_file(file)
    echo(f"{printable(file)}: good rules for {rules.name} ({rules.id}).")


@click.command
@click.argument("words", metavar="[COMMAND]", nargs=-1)
@click.pass_context
def help_command(ctx: click.Context, words: tuple[str, ...]) -> None:
    r"""Print the list of commands, or the help of COMMAND.

    \b
    Examples:
      zerosum help
      zerosum help play
    """
    root = ctx.find_root()
    shown, found = root, root.command
    for word in words:
        if not isinstance(found, click.Group):
            raise click.UsageError(f"'{shown.info_name}' has no subcommands.")
        # It raises for an unknown command, and says which one was probably meant.
        name, resolved, _ = found.resolve_command(shown, [word])
        found = resolved or found
        shown = click.Context(found, info_name=name, parent=shown)
    click.echo(found.get_help(shown))
