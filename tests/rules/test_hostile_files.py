"""Rules files and records that mean harm: refused in 200 MiB, for no more work than a plain file of their size.

The work is processor time, compared with other work of the same process; `make bench` holds each to a second.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tests.rules.held import READ, TIMES, faults, held, written
from tests.rules.hostile import HOSTILE, HOSTILE_RECORDS


def test_rules_files(tmp_path: Path) -> None:
    assert faults(written(tmp_path, HOSTILE)) == []


def test_records(tmp_path: Path) -> None:
    made = {kind: (partial(Path.write_text, data=text), message) for kind, (text, message) in HOSTILE_RECORDS.items()}
    assert faults(written(tmp_path, made, ".record")) == []


def test_the_limits_hold(tmp_path: Path) -> None:
    """The measuring process itself fails on a file that takes more than it may have."""
    greedy = READ.replace("return load_file(path)", "return bytearray(10**9)")
    path = tmp_path / "any.toml"
    assert "MemoryError" in held([path], greedy)[1]
    assert faults({path: "MemoryError"}, greedy) != []


@pytest.mark.full
def test_work_that_grows_with_the_square_of_a_file_is_noticed(tmp_path: Path) -> None:
    """Here every tenth letter has all letters before it looked at."""
    path = tmp_path / "hostile.toml"
    path.write_text("x" * 65_000)
    squared = "text = open(path).read(); [max(text[:n]) for n in range(1, 65_000, 10)]; return load_file(path)"
    slow = READ.replace("return load_file(path)", squared)
    assert held([path], slow)[0][0][0] > TIMES
