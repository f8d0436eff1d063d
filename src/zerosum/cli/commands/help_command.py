"""`zerosum help`.

- help (Tools 2): This list, or the help of a command.
"""

from __future__ import annotations

import click


@click.command
@click.argument("words", metavar="[COMMAND]", nargs=-1)
@click.pass_context
def help_command(ctx: click.Context, words: tuple[str, ...]) -> int:
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
    return 0
