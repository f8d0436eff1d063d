"""`zerosum mcp`."""

from __future__ import annotations

import sys

import click

from zerosum.base.extras import require


@click.command
@click.option("--no-answers", is_flag=True, help="Leave out what would spoil an examination.")
def command(*, no_answers: bool) -> int:
    r"""Serve an AI assistant over standard input and output, by the Model Context Protocol, until the input ends.

    An assistant starts this command itself; docs/mcp.md shows how to plug it in. With --no-answers no tool says which
    moves are good: rules, legal moves, a random opponent and puzzles without their solutions remain.

    \b
    Examples:
      zerosum mcp
      zerosum mcp --no-answers
    """
    require("mcp", "mcp", ["mcp"])
    if sys.stdin.isatty():
        click.echo(
            "zerosum mcp: waiting for an assistant; Ctrl-C ends it. docs/mcp.md shows how to plug it in.", err=True
        )
    from zerosum.assistant.mcp_server import run  # noqa: PLC0415 - an extra, and slow to load

    return run(exam=no_answers)
