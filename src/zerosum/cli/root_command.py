"""The command and its subcommands, each loaded only when it is called."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from zerosum.base.text import did_you_mean
from zerosum.cli import load, loading_is_over
from zerosum.cli.terminal_text import notice
from zerosum.version import __version__

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

GROUPS: Final = ("Play", "Learn", "Design", "Measure", "Truth", "Tools")
"""Who needs a command, in the order of the README."""
_FOLDER: Final = os.path.join(os.path.dirname(__file__), "commands")
_HEAD: Final = 1_000
"""The characters of a module that are read for its commands."""
_COMMAND: Final = re.compile(r"^- ([a-z]+) \(([A-Z][a-z]+) ([0-9]+)\): (.+)$", re.MULTILINE)


class CommandInfo(NamedTuple):
    """A command as the docstring of its module lists it, one a line: `- NAME (GROUP PLACE): WORDS`."""

    group: str
    place: int
    name: str
    words: str
    module: str


def _listed() -> Iterator[CommandInfo]:
    """Yield the commands of all modules of `zerosum.cli.commands`; none is loaded, which would take a second."""
    for file in os.listdir(_FOLDER):
        module, extension = os.path.splitext(file)
        if extension == ".py":
            with open(os.path.join(_FOLDER, file), encoding="utf-8") as source:
                for name, group, place, words in _COMMAND.findall(source.read(_HEAD)):
                    yield CommandInfo(group, int(place), name, words, module)


COMMANDS: Final = {one.name: one for one in sorted(_listed(), key=lambda one: (GROUPS.index(one.group), one))}
"""The commands, in the order in which `--help` lists them."""


def _completing() -> bool:
    """Return whether a shell asks what the Tab key may offer; click looks for the same variable."""
    return "_ZEROSUM_COMPLETE" in os.environ


def _load(module: str) -> Any:
    """Load a module of this room; a command, the menu and completion are loaded only when they are used."""
    loaded = load(module)
    loading_is_over()
    return loaded


def _with_lines_kept(command: click.Command) -> click.Command:
    r"""Turn each `\b` of a raw docstring into the character by which click keeps the lines of a paragraph."""
    command.help = (command.help or "").replace("\\b\n", "\b\n")
    if isinstance(command, click.Group) and not isinstance(command, LazyGroup):
        for below in command.commands.values():
            _with_lines_kept(below)
    return command


class Group(click.Group):
    """A group that suggests the command that was probably meant."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or suggest the one that was probably meant."""
        known = self.commands or COMMANDS
        if args[0] not in known and not args[0].startswith("-"):
            name = " ".join(filter(None, (self.name if ctx.parent else "", args[0])))
            hint = did_you_mean(args[0], known, f"The commands are {', '.join(known)}.")
            raise click.UsageError(f"There is no command '{name}'. {hint}", ctx)
        return super().resolve_command(ctx, args)


class LazyGroup(Group):
    """A group whose commands are modules of `zerosum.cli.commands`."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """Return the names of the commands, in the order people meet them."""
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load the module of a command."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(_load(f"commands.{COMMANDS[cmd_name].module}"), f"{cmd_name}_command")
        if _completing():
            _load("commands.completion_command").complete_parameters(command)
        return _with_lines_kept(command)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Offer the commands without loading them."""
        offers: list[CompletionItem] = _load("commands.completion_command").matching(
            ((name, one.words) for name, one in COMMANDS.items()), incomplete
        )
        return [*offers, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without loading them."""
        widest = max(map(len, COMMANDS))
        for title, commands in groupby(COMMANDS.values(), lambda one: one.group):
            with formatter.section(title):
                formatter.write_dl([(f"{one.name:{widest}}", one.words) for one in commands])


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
)
@click.version_option(__version__, message="zerosum %(version)s")
@click.pass_context
def app(ctx: click.Context) -> int:
    r"""Play number duels, and learn to win them.

    Without a command, it asks what to do: go on, play, a puzzle, a lesson.

    \b
    Examples:
      zerosum
      zerosum play sum31 --vs random
      zerosum rules zero-sum-duel
    """
    if ctx.invoked_subcommand is not None:
        return 0
    status: int = _load("menu").menu()  # at a terminal `zerosum.cli` goes home without this module
    return status


_with_lines_kept(app)


def _explained(error: click.MissingParameter) -> click.MissingParameter:
    """Return the error for a missing argument or option, with what it may be and an example."""
    param = error.param
    if param is not None and isinstance(param.type, click.Choice):
        return error  # click lists the choices
    name = param.name if param is not None else None
    choices = error.message or _load("commands.completion_command").MISSING.get(name or "", "")
    told = "\n".join(filter(None, (choices, _example(error.ctx))))
    return click.MissingParameter(told, error.ctx, param, error.param_hint, error.param_type)


def _example(ctx: click.Context | None) -> str:
    """Return the first example of the help of a command."""
    _, _, examples = ((ctx.command.help or "") if ctx else "").partition("Examples:\n")
    return f"For example: {examples.split(chr(10))[0].strip()}" if examples else ""


def run_command(*args: str) -> int:
    """Run a command inside another one, which then goes on; return the exit status."""
    try:
        return app.main(list(args), prog_name="zerosum", standalone_mode=False) or 0
    except click.ClickException as error:
        text = io.StringIO()
        (_explained(error) if isinstance(error, click.MissingParameter) else error).show(text)
        # click may indent its lines with tabs.
        for line in text.getvalue().expandtabs(2).splitlines():
            notice(line)
        return error.exit_code
    except click.Abort:
        raise KeyboardInterrupt from None


def run() -> int:
    """Run the command line of this process; return the exit status."""
    if _completing():
        _load("commands.completion_command").register()
    return run_command(*sys.argv[1:])
