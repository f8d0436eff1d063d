"""The coach while a match is played, fault by fault; `test_whole_matches` reads all that it says back."""

from __future__ import annotations

import re

from tests.cli.command import Zerosum
from tests.coach.cause_pairs import plain_of
from tests.coach.comment_reader import THEIRS, CommentReader
from zerosum.coach.commentary import CommentHistory, on_last_move, on_own_move, on_turn, past_words
from zerosum.coach.hints import hint, hint_sentences, trap_words
from zerosum.match.match import Match
from zerosum.match.setup import Setup
from zerosum.rules.game_files import built_in
from zerosum.rules.moves import Move
from zerosum.rules.notation import parse_position
from zerosum.rules.position import Position
from zerosum.solver import Verdict, solution_of

SUM31 = built_in("sum31")


def at(text: str) -> Position:
    return parse_position(text, SUM31)


def made(position: Position, text: str) -> Move:
    return next(move for move in position.legal_moves() if position.text_of(move) == text)


def lost_told(position: Position, told: list[str]) -> bool:
    """Whether it is true what is said in a lost position: no move is safe, or this one is the best trap."""
    match = Match(Setup(rules=position.rules), start=position)
    return CommentReader(plain_of(solution_of(position.rules)), match).wrong(told, THEIRS, -1) == ""


def test_a_move_that_misses_a_win_at_once_is_not_praised() -> None:
    """It keeps the win, and yet the coach names the win that was there: before, it praised it."""
    position, solution, said = at("1,3,4,6,9 22 1"), solution_of(SUM31), CommentHistory()
    told, said = on_own_move(position, made(position, "+4"), solution, said)
    assert told == ["+9 would have won at once; +4 still wins."]
    told, said = on_own_move(position, made(position, "+6"), solution, said)
    assert told[0].startswith("+6 lets the win go")
    assert told[1] == "+9 would have won at once."


def test_a_mistake_is_told_as_often_as_it_is_made() -> None:
    """A move that was taken back can be made again; silence would call it good."""
    position, solution = at("1,2,3,4,6,7,8,9 5 2"), solution_of(SUM31)
    move = made(position, "+2")
    first, said = on_own_move(position, move, solution, CommentHistory())
    assert first[0].startswith("+2 lets the win go")
    assert on_own_move(position, move, solution, said)[0] == first


def test_they_missed_it() -> None:
    """After a mistake that the computer does not punish the coach says so."""
    solution = solution_of(SUM31)
    match = Match.begin(Setup(rules=SUM31, who=("level:3", "human")))
    for text in ("+5", "+2", "+7"):
        match = match.after(made(match.position, text))
    told, _ = on_last_move(match, solution, CommentHistory())
    assert solution.value(match.position).verdict is Verdict.LOSS
    assert not told[0].startswith("They")
    match = match.at(2).after(made(match.at(2).position, "+9"))
    told, _ = on_last_move(match, solution, CommentHistory())
    assert told[0] == "They missed it: you can win again."
    slip = Match.begin(Setup(rules=SUM31, who=("human", "level:3")))
    for text in ("+5", "+2"):
        slip = slip.after(made(slip.position, text))
    assert on_last_move(slip, solution, CommentHistory())[0][0] == "They let the win go: you can win now."


def test_the_best_trap_is_named_where_every_move_loses() -> None:
    """And nothing is said where all moves are lost alike, nor the same sentence twice."""
    solution, start = solution_of(SUM31), at("1,2,3,4,6,7,8,9 5 2")
    lost = start.play(made(start, "+1"))
    told, said = on_turn(lost, solution, CommentHistory())
    assert told[0] == "Every move loses against perfect play."
    assert lost_told(lost, told)
    assert on_turn(lost, solution, said)[0] == []


def test_a_move_that_lets_them_win_at_once_is_no_trap() -> None:
    """Where every move does, no trap is named, though they may have other replies: before, a hint named one."""
    solution, squeezed = solution_of(SUM31), at("1,2,6,8 28 2")
    assert on_turn(squeezed, solution, CommentHistory())[0] == ["They have left you no safe move."]
    for step in (2, 3):
        assert "trap" not in " ".join(hint_sentences(hint(squeezed, solution, step), squeezed))
    assert "trap" not in " ".join(trap_words(squeezed, solution))


def test_what_stays_after_the_reply_has_no_total() -> None:
    position, solution = at("1,2,3,4,6,7,8,9 5 2"), solution_of(SUM31)
    assert (
        past_words(position, made(position, "+2"), solution) == "+2 let the win go (the idea: an answer to everything)."
    )
    assert past_words(position, made(position, "+1"), solution).startswith("+1 kept the win; the idea was: ")
    position = at("1,3,4,6,9 22 1")
    assert past_words(position, made(position, "+4"), solution) == "+9 would have won at once."
    assert past_words(position, made(position, "+9"), solution) == ""


def test_an_analysis_with_reasons_names_the_trap_too(zerosum: Zerosum) -> None:
    lost, won = "2,3,4,6,7,8,9 6 1", "1,2,3,4,6,7,8,9 5 2"
    trap = zerosum("analyze", "sum31", "--position", lost, "--why", "--json").ok().json()["trap"]
    assert lost_told(at(lost), re.split(r"(?<=\.) ", trap))
    text = zerosum("analyze", "sum31", "--position", lost, "--why").ok().out
    assert trap in " ".join(text.split())
    assert "trap" not in zerosum("analyze", "sum31", "--position", won, "--why", "--json").ok().json()
    assert "trap" not in zerosum("analyze", "sum31", "--position", lost, "--json").ok().json()


def test_the_coach_at_the_prompt(zerosum: Zerosum) -> None:
    ran = zerosum.play("sum31", "--vs", "level:2", "--seed", "4", "--coach", answers="5 8 undo 1 quit").ok()
    assert "Coach: +8 lets the win go" in ran.out
    assert "type undo to take it back." in ran.out
    plain = zerosum.play("sum31", "--vs", "level:2", "--seed", "4", answers="5 8 undo 1 quit").ok()
    assert "Coach" not in plain.out
    assert [line for line in ran.out.splitlines() if not line.startswith("Coach")] == plain.out.splitlines()


def test_the_coach_speaks_before_the_computer_replies(zerosum: Zerosum) -> None:
    """The comment on a move stands before the computer's turn, the comment on that after it."""
    ran = zerosum.play("sum31", "--vs", "level:2", "--first", "2", "--seed", "4", "--coach", answers="8 quit").ok()
    order = re.findall(r"Player 2's Turn|Coach: \S+ \S+ \S+|Player 1's Turn", ran.out)
    turns = ("Player 2's Turn", "Player 1's Turn")
    assert order == [
        *turns,
        "Coach: +8 lets the",
        "Coach: They can answer",
        turns[0],
        "Coach: They missed it:",
        turns[1],
    ]
