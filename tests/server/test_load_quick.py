"""A small load on the installed server; `python -m benchmarks serving` is the large one, with its figures."""

from __future__ import annotations

from benchmarks.serving import steady


def test_two_moves_a_second_at_each_of_ten_tables_all_acknowledged_and_told() -> None:
    measured = steady(tables=10, rate=20, seconds=5)
    assert measured.tally.errors == []
    assert len(measured.tally.acknowledged) == 100
    assert measured.memory < 250
