"""Hints in three steps: each is true, says no more than its step, and the third is the reason."""

from __future__ import annotations

import re

import pytest

from tests.coach.positions import GAMES, VARIANTS, moves_to_explain
from tests.coach.reader import Reader
from zerosum.coach.hints import Prospect, Which, hint, hint_sentences
from zerosum.rules.files import built_in
from zerosum.rules.notation import parse_position
from zerosum.rules.position import Position
from zerosum.solver import Solution, Verdict, solution_of

MOVE = re.compile(r"[+-]\d|swap")


def solved(game: str) -> Solution:
    return solution_of(built_in(game) if game in GAMES else VARIANTS[game])


def values(position: Position, solution: Solution) -> dict[str, Verdict]:
    """Return the verdict of each move for whoever makes it, from the positions after it."""
    found = {}
    for move in position.legal_moves():
        after = position.play(move)
        if after.outcome is None:
            verdict = solution.value(after).verdict.opposite
        else:
            verdict = Verdict.WIN if after.outcome.winner is position.seat else Verdict.LOSS
        found[position.text_of(move)] = verdict
    return found


@pytest.mark.parametrize("game", [*GAMES, *VARIANTS])
def test_the_three_steps_are_true(game: str) -> None:
    solution = solved(game)
    for position, _ in moves_to_explain(solution, 120, seed=11):
        known = values(position, solution)
        best = solution.value(position).verdict
        keeping = [text for text, verdict in known.items() if verdict is best]
        first, second, third = (hint(position, solution, step) for step in (1, 2, 3))
        assert first == Prospect(best, len(known), len(keeping))
        assert isinstance(second, Which)
        assert sorted(map(position.text_of, second.moves)) == sorted(keeping)
        assert second.value == solution.value(position)
        assert hint(position, solution, 4) == third
        told = hint_sentences(third, position)
        assert Reader(position, second.moves[0], solution).false(told) == []
        one, two = hint_sentences(first, position), hint_sentences(second, position)
        assert not MOVE.search(" ".join(one)), one
        assert position.text_of(second.moves[0]) in two[0]
        assert all(len(text) <= 200 and text.endswith(".") for text in (*one, *two, *told))


def told(game: str, text: str, step: int) -> list[str]:
    solution = solved(game)
    position = parse_position(text, solution.rules)
    return hint_sentences(hint(position, solution, step), position)


def test_the_words() -> None:
    assert told("sum31", "1,2,3,4,7 28 1", 1) == ["Yes, there is a winning move: 1 of your 5 moves wins."]
    assert told("sum31", "1,2,3,4,7 28 1", 2) == ["+3 wins at once."]
    assert told("sum31", "1,2,3,4,7 28 1", 3) == ["+3 wins at once: it makes 31."]
    assert told("sum31", "4,5,6,7,8,9 6 2", 2) == ["+8 wins, in 4 moves at the latest.", "+9 wins too."]
    assert told("sum31", "1,2,3,4,5,6,7,8,9 0 1", 1) == [
        "No, there is no winning move: whatever you play loses against perfect play."
    ]
    assert told("sum-to-zero", "9 -9 2", 1) == ["You have only one move, and it wins."]
    assert told("draws", "-1,1 1/-1 1", 1) == ["Yes, there is a winning move: both of your moves win."]
    assert told("misere sudden death", "-2,-1,1,2 0/0 1", 1) == ["No move wins, but none loses either."]
    assert told("misere sudden death", "-2,-1,1,2 0/0 1", 2) == [
        "Nobody can force an end here; -2 keeps it so.",
        "-1, +1 and +2 keep it so too.",
    ]
