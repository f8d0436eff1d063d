"""`zerosum completion`."""

import click

from zerosum.cli.completion import SHELLS, script


@click.command
@click.argument("shell", type=click.Choice(SHELLS))
def command(shell: str) -> int:
    r"""Print the completion script of SHELL.

    \b
    Examples:
      eval "$(zerosum completion bash)"
      source <(zerosum completion zsh)
      zerosum completion fish > ~/.config/fish/completions/zerosum.fish
    """
    click.echo(script(shell), nl=False)
    return 0
