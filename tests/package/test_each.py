"""Many cases in one test: all are tried, those that fail are named, and no case at all is an error."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.each import each

TRIED: list[tuple[int, str]] = []


@each(("number", "word"), [(1, "one"), (2, "two"), (3, "three")])
def cases(number: int, word: str) -> None:
    TRIED.append((number, word))
    assert len(word) == 3
    assert number != 1


def test_every_case_is_tried_and_all_that_fail_are_named() -> None:
    TRIED.clear()
    with pytest.raises(AssertionError, match=r"(?s)^2 of 3 cases\n\(1, 'one'\).*\n\(3, 'three'\)"):
        cases()
    assert TRIED == [(1, "one"), (2, "two"), (3, "three")]


@each("name", ["a", "b"])
def test_fixtures_are_given(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(name)


def test_no_case_at_all_is_an_error() -> None:
    with pytest.raises(AssertionError, match="without a case"):
        each("name", [])
