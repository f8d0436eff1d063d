"""Every sentence of every reason is read back and played out: none is false, none is empty, none is long."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, reduce
from typing import get_args

import pytest

from tests.coach.line_reader import SENTENCES, Reader
from tests.coach.positions import GAMES, VARIANTS, moves_to_explain
from tests.full import part
from zerosum.coach.lines import (
    AllLose,
    Answered,
    BackTo,
    LinePart,
    NoLossAfter,
    NoWinAmong,
    Refuted,
    lines_of,
    lines_words,
)
from zerosum.rules.game_files import built_in
from zerosum.rules.moves import Move
from zerosum.rules.notation import parse_position
from zerosum.rules.position import Position
from zerosum.solver import Solution, solution_of
from zerosum.strategy.claims import NoSafeReply
from zerosum.strategy.phrases import Subjects, named

pytestmark = pytest.mark.slow

EACH = part(150, 1_300)  # in full, of five games: more than 5,000, even where a game has few positions
LONGEST = 200
JARGON = re.compile(r"\b(eval\w*|ply|plies|minimax|nodes?|optimal\w*|verdict|1 replies)\b")


@cache
def solved(game: str) -> Solution:
    return solution_of(built_in(game) if game in GAMES else VARIANTS[game])


def explained(game: str, count: int) -> int:
    """Check the reasons of a game and return how many there were."""
    solution = solved(game)
    checked = 0
    for position, move in moves_to_explain(solution, count):
        told = lines_words(lines_of(position, move, solution))
        false = Reader(position, move, solution).false(told)
        assert false == [], (str(position), position.text_of(move), told, false)
        assert all(len(one) <= LONGEST and one.endswith(".") for one in told), told
        assert not any(map(JARGON.search, told)), told
        checked += 1
    return checked


@pytest.mark.parametrize("game", GAMES)
def test_no_false_claim_in_the_five_games(game: str) -> None:
    assert explained(game, EACH) == EACH


@pytest.mark.parametrize("game", VARIANTS)
def test_no_false_claim_in_variants(game: str) -> None:
    assert explained(game, part(60, 300)) > 3


def test_the_reader_finds_what_is_false() -> None:
    """Sentences of one move are not true of another, so that the checks above can fail."""
    solution, false, wrong = solved("sum31"), 0, 0
    for position, move in moves_to_explain(solution, 200):
        other = next((one for one in position.legal_moves() if one != move), None)
        if other is not None:
            told = lines_words(lines_of(position, move, solution))
            swapped = [text.replace(position.text_of(move), position.text_of(other)) for text in told]
            false += bool(Reader(position, move, solution).false(swapped))
            wrong += bool(Reader(position, move, solution).false(told[:-1])) and len(told) > 1
    assert false > 150
    assert wrong > 20


def test_names_of_any_length_leave_sentences_short() -> None:
    who = Subjects(named("W" * 40), named("M" * 40))
    for game in (*GAMES, *VARIANTS):
        solution = solved(game)
        for position, move in moves_to_explain(solution, part(50, 150)):
            told = lines_words(lines_of(position, move, solution), who)
            assert max(map(len, told)) <= LONGEST, told
            assert not any(f" {word} " in f" {one.lower()}" for one in told for word in ("you", "they", "their"))


def test_a_reason_is_found_in_few_steps() -> None:
    """Steps are calls of functions; `make bench` holds a reason to 50 ms."""
    most = 0
    for game in GAMES:
        solution = solved(game)
        for position, move in moves_to_explain(solution, 150, seed=3):
            with counted_calls() as calls:
                lines_words(lines_of(position, move, solution))
            most = max(most, calls[0])
    assert 100 < most <= 100_000


@contextmanager
def counted_calls() -> Iterator[list[int]]:
    """Count the calls of functions, also of those that are written in C."""
    calls = [0]

    def count(_: object, event: str, __: object) -> None:
        calls[0] += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        yield calls
    finally:
        sys.setprofile(None)


def told_of(game: str, text: str, move: str) -> list[str]:
    solution = solved(game)
    position: Position = parse_position(text, solution.rules)
    chosen = next(one for one in position.legal_moves() if position.text_of(one) == move)
    return lines_words(lines_of(position, chosen, solution))


def test_the_words() -> None:
    assert told_of("sum31", "1,2,3,4,7 28 1", "+3") == ["+3 wins at once: it makes 31."]
    assert told_of("sum31", "1,2,3,4,7 28 1", "+7") == ["+7 loses at once: it passes 31.", "+3 would have won."]
    assert told_of("sum31", "5,6,7,9 18 2", "+9") == [
        "+9 wins within 2 moves, counting both sides.",
        "Whatever they play, they pass 31.",
    ]
    assert told_of("zero-sum-duel", "7,8,9 -3 1", "-8")[1] == "Nobody can make 0 any more, and you make the last move."
    assert told_of("sum31", "2,3,4,5,6,7,8,9 1 2", "+2") == [
        "+2 wins within 6 moves, counting both sides.",
        "After +8 you play +3 and still win.",
        "After any other reply you play +8 and still win.",
    ]
    lost = told_of("sum31", "4,5,6,7,8,9 6 2", "+6")
    assert lost[0] == "+6 loses within 5 moves, counting both sides."
    assert lost[-1] == "+8 or +9 would have won."


def test_the_pattern_where_replies_are_many() -> None:
    assert told_of("sum31", "1,2,3,4,5,6,8 16 1", "+8")[1:] == ["Every reply leaves you a move that makes 31."]
    assert told_of("repeats", "1,1,1,2,2,3,3,3,4,4,4 17 1", "+4")[1:] == [
        "Whatever they play, you can make the total 26 and still win."
    ]


@pytest.mark.full
def test_every_kind_of_line_and_of_sentence_is_met() -> None:
    """A pattern that never occurs would be a check that never runs."""
    kinds: set[str] = set()
    patterns: set[str] = set()
    for game in (*GAMES, *VARIANTS):
        solution = solved(game)
        for position, move in moves_to_explain(solution, 300):
            lines = lines_of(position, move, solution)
            kinds |= {type(part).__name__ for part in lines.parts}
            for text in lines_words(lines):
                patterns.add(next(pattern for pattern in SENTENCES if re.fullmatch(pattern, text)))
    assert kinds == {kind.__name__ for kind in get_args(LinePart)}
    assert patterns == set(SENTENCES)


def test_a_reason_is_data_that_names_its_move() -> None:
    solution = solved("sum31")
    position = solution.start
    move = position.legal_moves()[0]
    lines = lines_of(position, move, solution)
    assert lines.move == move
    assert [type(part).__name__ for part in lines.parts] == ["Refuted", "AllLose"]
    assert lines == lines_of(position, move, solution)
    assert hash(lines) == hash(lines_of(position, move, solution))


@pytest.mark.parametrize("game", [*GAMES, *VARIANTS])
def test_what_the_data_says_and_the_words_leave_out(game: str) -> None:
    """Each reply to a winning move is in one part; a line goes on just as long as it says."""
    solution = solved(game)
    for position, move in moves_to_explain(solution, 200, seed=5):
        after = position.play(move)
        replies: list[Move] = []
        for one in lines_of(position, move, solution).parts:
            match one:
                case NoSafeReply(lost, answered):
                    replies += [*lost, *(reply for reply, _ in answered)]
                    assert all(after.play(reply).outcome for reply in lost)
                    assert all(after.play(reply).play(answer).outcome for reply, answer in answered)
                case Answered(some, _) | BackTo(some, _) | NoWinAmong(some, _):
                    replies += some
                case Refuted(line, more):
                    assert (more == 0) == (reduce(Position.play, line, after).outcome is not None)
                case NoLossAfter(number):
                    assert number == len(after.legal_moves())
                case AllLose(moves):
                    assert moves == len(position.legal_moves())
        assert not replies or sorted(replies, key=str) == sorted(after.legal_moves(), key=str)
