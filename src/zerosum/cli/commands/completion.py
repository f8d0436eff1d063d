"""`zerosum completion`."""

import click
from click.shell_completion import get_completion_class

_SHELLS = ("bash", "zsh", "fish")


@click.command
@click.argument("shell", type=click.Choice(_SHELLS))
@click.pass_context
def command(ctx: click.Context, shell: str) -> int:
    r"""Print the completion script of SHELL.

    \b
    Examples:
      eval "$(zerosum completion bash)"
      zerosum completion fish > ~/.config/fish/completions/zerosum.fish
    """
    completion = get_completion_class(shell)
    if completion is None:
        raise click.UsageError(f"There is no completion for '{shell}'.")
    click.echo(completion(ctx.find_root().command, {}, "zerosum", "_ZEROSUM_COMPLETE").source())
    return 0
