"""Examples made from random lines of random variants: true ones pass, and each kind of lie is found."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests import naive
from tests.lab.brute import small_tables
from zerosum.lab.endings import endings
from zerosum.lab.findings import Finding, Severity
from zerosum.lab.worked_examples import example_findings
from zerosum.rules.model import rules_from_dict
from zerosum.solver import solve

COUNT = 80
Keys = dict[str, Any]


def played(keys: Keys, dice: random.Random) -> tuple[list[str], list[naive.State]]:
    """Return a random line of at most two rounds, and the states after each move."""
    game = naive.Variant(keys)
    state = game.start()
    moves: list[str] = []
    states: list[naive.State] = []
    while state.winner is None and len(moves) < 2 * len(game.pool):
        moves.append(dice.choice(game.moves(state)))
        state = game.play(state, moves[-1])
        states.append(state)
    return moves, states


def told(moves: list[str], states: list[naive.State]) -> Keys:
    """Return a line with everything that can be said of it."""
    last = states[-1]
    end = {"winner": last.winner, "reason": last.reason} if last.winner else {}
    totals = [list(state.totals) if len(state.totals) > 1 else state.totals[0] for state in states]
    return {"name": "One", "moves": moves, "totals": totals, "pools": [list(state.pool) for state in states], **end}


def errors(keys: Keys, example: Keys) -> list[Finding]:
    """Return the errors that are found in one example."""
    rules = rules_from_dict(keys | {"examples": [example]})
    found = list(example_findings(rules, endings(rules), None))
    assert all(one.severity in {Severity.ERROR, Severity.NOTE} for one in found)
    return [one for one in found if one.severity is Severity.ERROR]


def lies(example: Keys, dice: random.Random) -> list[tuple[str, Keys]]:
    """Return the example with one thing changed, each with the kind of finding that it makes."""
    moves = example["moves"]
    at = dice.randrange(len(moves))
    totals, pools = list(example["totals"]), [list(pool) for pool in example["pools"]]
    totals[at] = [totals[at][0], totals[at][1] + 1] if isinstance(totals[at], list) else totals[at] + 1
    pools[at] = [*pools[at], 77]
    made = [
        ("example-total", example | {"totals": totals}),
        ("example-pool", example | {"pools": pools}),
        ("example-illegal", {"name": "One", "moves": [*moves[:at], "+77"]}),
        ("example-illegal", example | {"expect": "illegal"}),
    ]
    if "winner" in example:
        made.append(("example-outcome", example | {"winner": 3 - example["winner"]}))
        made.append(("example-illegal", {"name": "One", "moves": [*moves, moves[0]]}))
        made.append(
            ("example-outcome", example | {"reason": "overshot" if example["reason"] != "overshot" else "closer"})
        )
    else:
        made.append(("example-outcome", example | {"winner": 1}))
    return made


def test_true_examples_pass_and_lies_are_found() -> None:
    dice = random.Random(5)
    for keys in small_tables(COUNT):
        moves, states = played(keys, dice)
        example = told(moves, states)
        assert errors(keys, example) == [], keys
        for kind, lie in lies(example, dice):
            assert kind in [one.kind for one in errors(keys, lie)], (keys, lie)


def test_final_totals_are_possible_exactly_where_some_line_ends_so() -> None:
    """Every end of every line is possible; totals near them, or with another winner, only if some line has them."""
    dice = random.Random(6)
    for keys in small_tables(40):
        if keys.get("tie") == "sudden-death":
            continue
        ends = all_ends(keys)
        for totals, winner, reason in [*dice.sample(sorted(ends), min(4, len(ends)))]:
            for near in (0, 1):
                final = (*totals[:-1], totals[-1] + near)
                for seat in (winner, 3 - winner):
                    said = list(final) if len(final) > 1 else final[0]
                    found = errors(keys, {"name": "One", "final": said, "winner": seat, "reason": reason})
                    assert bool(found) is ((final, seat, reason) not in ends), (keys, final, seat, reason)
                    assert {one.kind for one in found} <= {"example-impossible"}


def all_ends(keys: Keys) -> set[tuple[tuple[int, ...], int, str]]:
    """Return every way that a line of a game without refills ends."""
    game = naive.Variant(keys)
    ends: set[tuple[tuple[int, ...], int, str]] = set()
    seen, todo = {game.start()}, [game.start()]
    while todo:
        state = todo.pop()
        for move in game.moves(state):
            after = game.play(state, move)
            if after.winner is not None:
                ends.add((after.totals, after.winner, str(after.reason)))
            elif after not in seen:
                seen.add(after)
                todo.append(after)
    return ends


def test_missed_wins_are_those_of_a_plain_search() -> None:
    dice = random.Random(7)
    notes = 0
    for keys in small_tables(60):
        if keys.get("tie") == "sudden-death":
            continue
        game = naive.Variant(keys)
        value = naive.solver(game)
        moves, states = played(keys, dice)
        rules = rules_from_dict(keys | {"examples": [{"name": "One", "moves": moves}]})
        found = [one.words for one in example_findings(rules, endings(rules), solve(rules))]
        for at, (before, after) in enumerate(zip([game.start(), *states[:-1]], states, strict=True), 1):
            kept = after.winner == before.seat if after.winner else value(after)[0] == "loss"
            missed = value(before)[0] == "win" and not kept
            notes += missed
            assert any(f"move {at}: " in words for words in found) is missed, (keys, moves, at)
    assert notes > 10


@pytest.mark.parametrize(("start", "wrong"), [("1,2,4 3 2", False), ("1,2 3 1", True), ("nonsense", True)])
def test_an_example_may_begin_anywhere_that_play_reaches(start: str, wrong: bool) -> None:
    keys = {"format": 1, "id": "x", "name": "X", "pool": [1, 2, 3, 4], "target": 9}
    found = errors(keys, {"name": "One", "from": start, "moves": ["+4"], "totals": [7]})
    assert bool(found) is wrong
