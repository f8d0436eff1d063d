"""How wide text is, and text that fits its columns."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.each import each
from zerosum.cli.terminal_text import clip, column, fit, pad, width

NAMES = {
    "Ann": 3,
    "李小龍": 6,
    "Zoë": 3,
    "Zoe\u0308": 3,
    "ＡＢ": 4,
    "한글": 4,
    "\u1112\u1161\u11ab": 2,
    "👑": 2,
    "नी": 2,
}


@pytest.mark.parametrize("name", NAMES)
def test_the_columns_of_a_name(name: str) -> None:
    assert width(name) == NAMES[name]
    assert width(pad(name, 9)) == 9
    assert width(column(name, 9)) == 9


@each("columns", range(4, 14))
@each("name", ["Bartholomew the Third", "李小龍李小龍李小龍李小龍", "e\u0301" * 20])
def test_a_long_name_is_clipped_to_its_column(name: str, columns: int) -> None:
    assert width(clip(name, columns)) in (columns - 1, columns)
    assert clip(name, columns).endswith("...")
    assert width(column(name, columns)) == columns


def test_a_mark_stays_with_its_character() -> None:
    assert clip("e\u0301" * 5, 4) == "e\u0301..."


PROSE = st.text(st.sampled_from("abc .李\u0301"), max_size=120)


@given(PROSE, st.integers(6, 40), st.integers(0, 5))
def test_no_line_is_too_long_and_no_word_is_broken(text: str, columns: int, at: int) -> None:
    lines = fit(text, columns, at=at).split("\n")
    assert " ".join(" ".join(lines).split()) == " ".join(text.split())
    for n, line in enumerate(lines):
        if (at if n == 0 else 0) + width(line.rstrip(" ")) > columns:
            assert len(line.split()) == 1, lines


def test_a_table_hangs_below_its_last_column() -> None:
    assert fit("sum31    Reach 31 with the total", 20) == "sum31    Reach 31\n         with the\n         total"


def test_what_is_piped_is_not_broken() -> None:
    assert fit("word " * 50, None) == "word " * 50


def test_a_prompt_keeps_the_space_behind_it() -> None:
    assert fit("Enter a number from the available numbers: ", 20).endswith("numbers: ")
    assert fit("One line: ", 9) == "One line: "
