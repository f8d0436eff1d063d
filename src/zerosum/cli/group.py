"""A command that has commands of its own, such as `zerosum bot check`."""

from __future__ import annotations

import click

from zerosum.rules.guess import did_you_mean


class Group(click.Group):
    """A group that knows which command was probably meant."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or say which one was probably meant."""
        if args[0] not in self.commands and not args[0].startswith("-"):
            hint = did_you_mean(args[0], self.commands, f"The commands are {', '.join(self.commands)}.")
            raise click.UsageError(f"There is no command '{self.name} {args[0]}'. {hint}", ctx)
        return super().resolve_command(ctx, args)
