"""The first page of each kind of reader: every command on it runs, in its order, and its pictures have words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.command import Zerosum
from tests.docs.test_tour import TOUR, TYPED, command_lines

ROOT = Path(__file__).resolve().parents[2]
READERS = ("players", "teachers", "designers", "researchers")


def text_of(reader: str) -> str:
    return (ROOT / "docs" / "for" / f"{reader}.md").read_text(encoding="utf-8")


def test_there_is_a_page_for_each_and_no_other() -> None:
    assert {page.stem for page in (ROOT / "docs" / "for").iterdir()} == set(READERS)


@pytest.mark.slow
@pytest.mark.parametrize("reader", READERS)
def test_every_command_runs(reader: str, zerosum: Zerosum, tmp_path: Path) -> None:
    run_there = command_lines(TOUR.read_text(encoding="utf-8"))
    found = command_lines(text_of(reader))
    assert len(found) >= 3
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    for args in found:
        if args in run_there or args[0] == "serve":
            continue  # the tour runs it; tests of the server serve
        done = zerosum(*args, stdin=TYPED.get(args[0], ""), cwd=tmp_path)
        assert done.status == 0, (args, done)
        assert done.out, args


@pytest.mark.parametrize("reader", READERS)
def test_it_is_short_and_shows_pictures_in_words_too(reader: str) -> None:
    text = text_of(reader)
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    assert len(prose.split()) < (950 if reader == "teachers" else 600)  # a whole lesson plan is longer
    pictures = re.findall(r"!\[(.*?)\]\(\.\./images/", text)
    assert pictures
    assert all(len(words.split()) > 8 for words in pictures)
