"""Rules files and records that mean harm: refused in 200 MiB, for no more work than a plain file of their size.

The work is processor time, compared with other work of the same process; `make bench` holds each to a second.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.held import READ, TIMES, held, refused
from tests.rules.hostile import HOSTILE, HOSTILE_RECORDS


@pytest.mark.parametrize("kind", HOSTILE)
def test_rules_files(tmp_path: Path, kind: str) -> None:
    make, message = HOSTILE[kind]
    path = tmp_path / "hostile.toml"
    make(path)
    refused(path, message)


@pytest.mark.parametrize("kind", HOSTILE_RECORDS)
def test_records(tmp_path: Path, kind: str) -> None:
    text, message = HOSTILE_RECORDS[kind]
    path = tmp_path / "hostile.record"
    path.write_text(text)
    refused(path, message)


def test_the_limits_hold(tmp_path: Path) -> None:
    """The measuring process itself fails on a file that takes more than it may have."""
    greedy = READ.replace("return load_file(path)", "return bytearray(10**9)")
    assert "MemoryError" in held(tmp_path / "any.toml", greedy).stderr


@pytest.mark.full
def test_work_that_grows_with_the_square_of_a_file_is_noticed(tmp_path: Path) -> None:
    """Here every tenth letter has all letters before it looked at."""
    path = tmp_path / "hostile.toml"
    path.write_text("x" * 65_000)
    squared = "text = open(path).read(); [max(text[:n]) for n in range(1, 65_000, 10)]; return load_file(path)"
    slow = READ.replace("return load_file(path)", squared)
    assert float(held(path, slow).stdout.partition("\n")[0]) > TIMES
