"""The report of a run: everything that is told of it, from its folder alone, the same bytes every time."""

from __future__ import annotations

from dataclasses import dataclass

from zerosum.exam.folder import Run
from zerosum.exam.items import Item
from zerosum.exam.practical import OPPONENT
from zerosum.exam.running import Told, graded, replies_in
from zerosum.exam.scoring import Grade
from zerosum.exam.summary import Summary, score


@dataclass(frozen=True, slots=True)
class Row:
    """An item, its replies and their grades."""

    item: Item
    replies: tuple[Told, ...]
    grades: tuple[Grade, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """A run as it is told."""

    run: Run
    summary: Summary
    rows: tuple[Row, ...]


def report_of(run: Run, against: str = OPPONENT) -> Report:
    """Return the report of a run."""
    rows = [
        Row(item, tuple(told), tuple(graded(item, told, lenient=run.plan.lenient)))
        for item, told in replies_in(run, run.log())
    ]
    summary = score(run.set.items, (grade for row in rows for grade in row.grades), against)
    return Report(run, summary, tuple(rows))
