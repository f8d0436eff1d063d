"""Every command of docs/reproduce.md exists and takes what it is given; the citation names this version."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest
import yaml

from tests.each import each
from zerosum.cli.root_command import app
from zerosum.version import __version__

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "reproduce.md").read_text(encoding="utf-8")
ROWS = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith(("| number", "|---"))]
COMMANDS = sorted({one for row in ROWS for one in re.findall(r"`([^`]+)`", row.rpartition(" | ")[2])})


def check(command: str) -> None:
    """Raise unless a command exists and understands its words."""
    program, *words = shlex.split(command)
    if program == "make":
        assert re.search(rf"^{words[0]}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE), command
    elif program == "python" and words[:2] == ["-m", "benchmarks"]:
        assert (ROOT / "benchmarks" / f"{words[2]}.py").exists(), command
    elif program == "python" and words[:2] == ["-m", "pytest"]:
        assert (ROOT / words[2]).exists(), command
    elif program == "python":
        assert (ROOT / words[0]).exists(), command
        assert '__name__ == "__main__"' in (ROOT / words[0]).read_text(encoding="utf-8"), command
    else:
        assert program == "zerosum", command
        assert all((ROOT / word).exists() for word in words if word.startswith("docs/")), command
        _parse(app, words)


def _parse(command: click.Command, words: list[str]) -> None:
    """Let click read the words of a command, without running it."""
    if isinstance(command, click.Group):
        found = command.get_command(click.Context(command), words[0])
        assert found is not None, words
        _parse(found, words[1:])
    else:
        command.make_context(command.name, words)


@each("command", COMMANDS)
def test_every_command_exists(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    check(command)


@pytest.mark.parametrize(
    "command", ["zerosum nonsense", "zerosum search docs/no.toml", "make no", "python tools/no.py"]
)
def test_one_that_does_not_exist_is_found(command: str) -> None:
    with pytest.raises(AssertionError):
        check(command)


def test_every_row_has_a_command_and_every_page_exists() -> None:
    assert len(ROWS) > 20
    assert len(COMMANDS) >= len(ROWS)
    for row in ROWS:
        assert "`" in row.rpartition(" | ")[2], row
        for page in re.findall(r"\]\(([^)]+)\)", row):
            assert (ROOT / "docs" / page).exists(), row


def test_the_citation_is_of_this_version() -> None:
    found = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert (found["cff-version"], found["type"], found["license"]) == ("1.2.0", "software", "MIT")
    assert found["version"] == __version__
    assert found["title"].startswith("zerosum")
    assert {"message", "authors"} <= found.keys()
