"""Hints in three steps: each is true, says no more than its step, and the third is the reason."""

from __future__ import annotations

import re

import pytest

from tests.coach.cause_pairs import plain_of
from tests.coach.cause_reader import CauseReader
from tests.coach.line_reader import Reader
from tests.coach.positions import GAMES, VARIANTS, moves_to_explain
from tests.full import part, parted
from zerosum.coach.causes import Why
from zerosum.coach.hints import Prospect, Which, hint, hint_sentences
from zerosum.rules.game_files import built_in
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


@pytest.mark.parametrize("game", parted([*GAMES, *VARIANTS], ("sequence-zero",)))
def test_the_three_steps_are_true(game: str) -> None:
    solution = solved(game)
    plain = plain_of(solution)
    for position, _ in moves_to_explain(solution, part(20, 120 if game != "sequence-zero" else 40), seed=11):
        known = values(position, solution)
        verdict = solution.value(position).verdict
        keeping = [text for text, its in known.items() if its is verdict]
        first, second, third = (hint(position, solution, step) for step in (1, 2, 3))
        assert first == Prospect(verdict, len(known), len(keeping))
        assert isinstance(second, Which)
        assert sorted(map(position.text_of, second.moves)) == sorted(keeping)
        best = second.moves[0]
        assert second.value == next(one.value for one in solution.options(position) if one.move == best)
        assert isinstance(third, Why)
        assert third.move == best
        told = hint_sentences(third, position)
        assert CauseReader(plain, position, best).wrong(third.name, " ".join(told)) == ""
        more = hint_sentences(hint(position, solution, 4), position)
        assert Reader(position, best, solution).false(more) == []
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
    assert told("sum31", "1,2,3,4,7 28 1", 3) == ["+3 makes 31."]
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


def test_a_lost_position_names_the_best_trap_or_says_that_all_lose_alike() -> None:
    for game in ("sum31", "sequence-zero", "zero-sum-duel"):
        solution, met = solved(game), set()
        for position, _ in moves_to_explain(solution, part(150, 400), seed=12):
            if solution.value(position).verdict is not Verdict.LOSS or len(position.legal_moves()) == 1:
                continue
            given = hint(position, solution, 2)
            assert isinstance(given, Which)
            replies = {}
            for move in position.legal_moves():
                after = position.play(move)
                wins = values(after, solution) if after.outcome is None else {}
                at_once = any(after.play(one).outcome is not None for one in wins if wins[one] is Verdict.WIN)
                still = sum(verdict is Verdict.WIN for verdict in wins.values())
                replies[move] = (after.outcome is None, not at_once, -still, len(wins))
            best = max(one[:3] for one in replies.values())
            chosen = replies[given.moves[0]]
            assert chosen[:3] == best, (str(position), given)
            (said,) = hint_sentences(given, position)
            if "best trap" in said:
                met.add("trap")
                few = "only " if -chosen[2] <= chosen[3] / 2 else ""
                assert f": {few}{-chosen[2]} of their {chosen[3]} repl" in said
                assert len({one[:3] for one in replies.values()}) > 1 or "alike" not in said
            if "alike" in said:
                met.add("alike")
                assert len({one[:3] for one in replies.values()}) == 1
            if "longest" in said:
                plies = [option.value.plies or 0 for option in solution.options(position)]
                assert plies.count(max(plies)) == 1
        assert met >= ({"trap"} if game == "sequence-zero" else {"alike"}), (game, met)
