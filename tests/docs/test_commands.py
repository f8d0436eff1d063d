"""A command without documentation fails."""

import shlex
from pathlib import Path

import click
import pytest

from zerosum.cli.app import COMMANDS, app

ROOT = Path(__file__).resolve().parents[2]
CLI = (ROOT / "docs" / "reference" / "cli.md").read_text(encoding="utf-8")


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
    """Return what docs/reference/cli.md says of a command."""
    heading = f"\n## {name}\n"
    assert heading in CLI, f"docs/reference/cli.md has no section on '{name}'; run: make docs"
    return CLI.partition(heading)[2].partition("\n## ")[0]


def options(name: str) -> list[str]:
    return [word for one in command(name).params if isinstance(one, click.Option) for word in one.opts]


def examples(text: str) -> list[list[str]]:
    """Return the words of each example that a help text gives."""
    below = text.partition("Examples:\n")[2]
    lines = below.split("\n\n")[0].splitlines()
    return [shlex.split(line) for line in lines if "zerosum" in line]


@pytest.mark.parametrize("name", EVERY)
def test_a_command_is_documented(name: str) -> None:
    text = section(f"zerosum {name}")
    assert f"Usage: zerosum {name}" in text
    for word in options(name):
        assert word in text, f"{word} of {name}"


@pytest.mark.parametrize("name", EVERY)
def test_a_command_has_an_example_in_its_help(name: str) -> None:
    found = examples(command(name).help or "")
    assert found, f"zerosum {name} --help has no 'Examples:'"
    for words in found:
        # An example of a group calls one of its commands.
        called = next((one for one in (" ".join(words[1:3]), words[1]) if one in EVERY), name)
        known = {*options(called), "-h", "--help"}
        used = [word for word in words if word.startswith("--") and word[2:3].isalpha()]
        assert set(used) <= known, words


@pytest.mark.parametrize("name", EVERY)
def test_the_examples_stand_one_a_line(name: str) -> None:
    text = section(f"zerosum {name}")
    assert "\\b" not in text
    assert len(examples(text)) == len(examples(command(name).help or ""))


@pytest.mark.parametrize("name", EVERY)
def test_every_option_has_its_words(name: str) -> None:
    for one in command(name).params:
        if isinstance(one, click.Option):
            assert one.help, f"{one.opts} of {name} has no help"


def test_the_main_command_lists_all() -> None:
    text = section("zerosum")
    for name, idea in COMMANDS.items():
        assert f"{name} " in text
        assert idea.rstrip(".").split("\n")[0][:40] in " ".join(text.split())


def test_the_commands_at_a_prompt_are_in_the_page_for_players() -> None:
    text = (ROOT / "docs" / "play.md").read_text(encoding="utf-8")
    for word in ("hint", "undo", "moves", "rules", "resign", "quit", "help"):
        assert f"\n  {word} " in text
