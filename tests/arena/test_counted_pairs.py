"""How a run stands does not depend on the order of arrival: against a plain count of the pairs in order."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tests.arena.strength.sequential import until_decided
from zerosum.arena.arena_run import CountedPairs
from zerosum.arena.plan import ArenaPlan, plan_from_table, slot, total_pairs, with_books

Line = dict[str, Any]


def plan_of(*entrants: str, **keys: Any) -> ArenaPlan:
    table = {"format": 1, "games": ["sum31"], "entrants": list(entrants), "pairs": 60, "book": "start", **keys}
    return with_books(plan_from_table(table))


def lines_of(plan: ArenaPlan, dice: Random, crashing: int | None = None) -> list[Line]:
    lines = []
    for number in range(1, total_pairs(plan) + 1):
        where = slot(plan, number)
        matches: list[dict[str, Any]] = [{}, {}]
        for match in matches:
            side = [where.a, where.b].index(crashing) if crashing in (where.a, where.b) else None
            if side is not None and dice.random() < 0.7:
                match |= {"by": side, "fault": "crash"}
        lines.append({"n": number, "points": dice.choice((0, 1, 1, 2, 2)), "matches": matches})
    return lines


def heard(plan: ArenaPlan, lines: list[Line]) -> CountedPairs:
    standing = CountedPairs(plan)
    for line in lines:
        standing.add(line)
    return standing


@pytest.mark.parametrize("seed", range(6))
def test_a_test_is_decided_by_the_order_of_numbers(seed: int) -> None:
    plan, dice = plan_of("level:5", "level:6", sprt=[0, 60]), Random(seed)
    lines = lines_of(plan, dice)
    expected = until_decided((line["points"] for line in lines), 0, 60)
    for _ in range(3):
        standing = heard(plan, lines)
        assert standing.test == expected
        assert len(standing.counted) == expected.pairs
        assert standing.complete
        assert standing.decided == (expected.decision is not None)
        dice.shuffle(lines)


@pytest.mark.parametrize("seed", range(6))
def test_who_is_withdrawn_does_not_depend_on_arrival(seed: int) -> None:
    plan, dice = plan_of("level:5", "level:6", "level:7"), Random(seed)
    lines = lines_of(plan, dice, crashing=1)
    counted, void, streak, out = [], 0, 0, False
    for line in lines:  # the definition, in order
        where = slot(plan, line["n"])
        if out and 1 in (where.a, where.b):
            void += 1
            continue
        counted.append(line["n"])
        if 1 in (where.a, where.b):
            for match in line["matches"]:
                streak = streak + 1 if match.get("fault") == "crash" else 0
                out = out or streak == 4
    assert void
    for _ in range(3):
        standing = heard(plan, lines)
        assert standing.counted == counted
        assert standing.void == void
        assert standing.withdrawn == {1}
        assert standing.complete
        dice.shuffle(lines)


def test_a_gap_is_waited_for() -> None:
    plan = plan_of("level:5", "level:6")
    lines = lines_of(plan, Random(1))
    standing = heard(plan, lines[:10] + lines[11:])
    assert standing.known == 10
    assert not standing.complete
    standing.add(lines[10])
    assert standing.complete
