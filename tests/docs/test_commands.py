"""A command without documentation fails."""

import importlib
import shlex
from itertools import groupby
from pathlib import Path

import click

from tools.make_docs import made, page
from zerosum.cli import commands
from zerosum.cli.root_command import COMMANDS, GROUPS, app

ROOT = Path(__file__).resolve().parents[2]


def command(name: str) -> click.Command:
    """Return a command by its words, such as `bot check`."""
    found: click.Command = app
    for word in name.split():
        assert isinstance(found, click.Group)
        below = found.get_command(click.Context(found), word)
        assert below is not None
        found = below
    return found


def every() -> list[str]:
    """Return the words of every command, those of a group too."""
    groups = {name: command(name) for name in COMMANDS}
    below = ((name, group.commands) for name, group in groups.items() if isinstance(group, click.Group))
    return [*COMMANDS, *(f"{name} {one}" for name, commands in below for one in commands)]


EVERY = every()


def section(name: str) -> str:
    """Return what the page of the commands says of one."""
    text = f"\n{made('cli')}"
    heading = f"\n## {name}\n"
    assert heading in text
    return text.partition(heading)[2].partition("\n## ")[0]


def options(name: str) -> list[str]:
    return [word for one in command(name).params if isinstance(one, click.Option) for word in one.opts]


def examples(text: str) -> list[list[str]]:
    """Return the words of each example that a help text gives."""
    below = text.partition("Examples:\n")[2]
    lines = below.split("\n\n")[0].splitlines()
    return [shlex.split(line) for line in lines if "zerosum" in line]


def test_every_command_is_documented_with_its_options() -> None:
    missing = []
    for name in EVERY:
        text = section(f"zerosum {name}")
        missing += [f"{name}: {word}" for word in (f"Usage: zerosum {name}", *options(name)) if word not in text]
    assert missing == []


def test_every_command_has_an_example_in_its_help() -> None:
    assert [name for name in EVERY if not examples(command(name).help or "")] == []


def test_examples_use_known_options() -> None:
    unknown = []
    for name in EVERY:
        for words in examples(command(name).help or ""):
            # An example of a group calls one of its commands.
            called = next((one for one in (" ".join(words[1:3]), words[1]) if one in EVERY), name)
            used = {word for word in words if word.startswith("--") and word[2:3].isalpha()}
            unknown += [f"{name}: {word}" for word in used - {*options(called), "-h", "--help"}]
    assert unknown == []


def test_every_example_has_its_own_line() -> None:
    wrong = []
    for name in EVERY:
        text = section(f"zerosum {name}")
        if "\\b" in text or len(examples(text)) != len(examples(command(name).help or "")):
            wrong.append(name)
    assert wrong == []


def test_every_option_has_a_help_text() -> None:
    params = ((name, one) for name in EVERY for one in command(name).params)
    assert [f"{name}: {one.opts}" for name, one in params if isinstance(one, click.Option) and not one.help] == []


def test_the_main_command_lists_all() -> None:
    text = section("zerosum")
    for name, one in COMMANDS.items():
        assert f"{name} " in text
        assert one.words.rstrip(".").split("\n")[0][:40] in " ".join(text.split())


def test_the_commands_at_a_prompt_are_in_the_page_for_players() -> None:
    text = page("play.md")
    for word in ("hint", "undo", "moves", "rules", "resign", "quit", "help"):
        assert f"\n  {word} " in text


def test_each_command_is_listed_once_where_it_is_written() -> None:
    written = set()
    for path in Path(commands.__path__[0]).glob("*_command*.py"):
        module = vars(importlib.import_module(f"{commands.__name__}.{path.stem}"))
        below = [one for group in module.values() if isinstance(group, click.Group) for one in group.commands.values()]
        here = {name for name, one in module.items() if isinstance(one, click.Command) and one not in below}
        written |= {(path.stem, name.removesuffix("_command")) for name in here}
    assert {(one.module, one.name) for one in COMMANDS.values()} == written
    for _, listed in groupby(COMMANDS.values(), lambda one: one.group):
        places = [one.place for one in listed]
        assert places == list(range(1, len(places) + 1))
    assert {one.group for one in COMMANDS.values()} == set(GROUPS)
