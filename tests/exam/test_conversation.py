"""A match as a conversation: what is asked, what an answer comes to, and marks that a review confirms."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from zerosum.arena.entrants.entrant import Fault, IllegalMovePolicy
from zerosum.coach.review import review
from zerosum.exam.conversation import Conversation, Host, added
from zerosum.match.match import read_match
from zerosum.match.setup import Person
from zerosum.rules.game_files import load_game
from zerosum.rules.model import InvalidMove
from zerosum.rules.notation import parse_position
from zerosum.rules.outcome import Reason
from zerosum.solver import solution_of

SWAP = replace(load_game("sum31"), id="sum31-swap", swap=True)


def answer_of(talk: Conversation, dice: Random) -> str:
    position = talk.turn.position
    return f"I take this.\nMOVE: {position.text_of(dice.choice(position.legal_moves()))}"


def played(host: Host, first: Person, seed: str) -> Conversation:
    talk, dice = host.begin(first, seed), Random(seed)
    while talk.messages:
        talk = host.answered(talk, answer_of(talk, dice))
    return talk


@pytest.mark.parametrize("first", Person)
@pytest.mark.parametrize("game", ["sum31", "zero-sum-duel", "swap"])
def test_the_share_kept_is_the_accuracy_of_a_review(game: str, first: Person) -> None:
    host = Host(SWAP if game == "swap" else load_game(game), "random")
    kept = []
    for n in range(12):
        talk = played(host, first, f"{game}/{n}")
        match = read_match(talk.match.record())
        assert match.outcome is not None
        assert talk.won is (match.person(match.outcome.winner) is Person.ONE)
        looked = review(match, solution_of(host.rules))
        own = [one for one in looked.moves if one.person is Person.ONE]
        assert [one.blunder for one in own] == [not mark.kept for mark in talk.marks]
        kept.append(added(talk.marks).share)
        assert kept[-1] == looked.accuracy(Person.ONE)
    assert any(share is not None for share in kept)


def test_one_who_finds_every_best_move_keeps_everything() -> None:
    host = Host(load_game("sum31"), "level:9")
    solution = solution_of(host.rules)
    talk = host.begin(Person.TWO, "seed")
    while talk.messages:
        position = talk.turn.position
        talk = host.answered(talk, f"MOVE: {position.text_of(solution.options(position)[0].move)}")
    marks = added(talk.marks)
    assert (marks.kept, marks.share) == (marks.choices, 1.0)
    assert marks.choices >= 1


def test_each_turn_is_a_chat_of_its_own_with_the_whole_history() -> None:
    host = Host(load_game("sum31"), "level:5")
    talk = host.begin(Person.ONE, "seed")
    (first,) = talk.messages
    assert (first.role, "No move has been made yet." in first.content) == ("user", True)
    later = host.answered(talk, "MOVE: +1")
    (second,) = later.messages
    assert f"seat 1 played +1; seat 2 played {later.turn.position.text_of(later.turn.moves[1])}" in second.content


def test_a_match_that_begins_later_says_so() -> None:
    host = Host(load_game("sum31"), "level:5")
    start = parse_position("2,4,5,6,8 20 1", host.rules)
    one, two = (host.begin(first, "seed", start).messages[0].content for first in Person)
    assert "The match begins here, in the middle of the game." in one
    assert "The match began in the middle of the game. Moves since then: seat 1 played +" in two


def test_a_conversation_is_a_value() -> None:
    host = Host(load_game("sum31"), "level:5")
    talk = host.begin(Person.ONE, "seed")
    one, other = host.answered(talk, "MOVE: +1"), host.answered(talk, "MOVE: +9")
    assert (talk.match.moves, len(talk.marks)) == ((), 0)
    assert one.match.moves[0] != other.match.moves[0]
    assert host.answered(talk, "MOVE: +1") == one
    assert played(host, Person.TWO, "a") == played(host, Person.TWO, "a") != played(host, Person.TWO, "b")


@pytest.mark.parametrize(
    ("reply", "fault"),
    [("MOVE: +77", Fault.ILLEGAL), ("I pass.", Fault.UNREADABLE), ("MOVE: +1 or +2", Fault.UNREADABLE)],
)
def test_what_is_no_legal_move_loses_where_the_rules_say_so(reply: str, fault: Fault) -> None:
    host = Host(replace(load_game("sum31"), invalid_move=InvalidMove.FORFEIT), "level:5")
    talk = host.answered(host.begin(Person.ONE, "seed"), reply)
    assert (talk.messages, talk.won) == ((), False)
    assert talk.match.outcome is not None
    assert talk.match.outcome.reason is Reason.FORFEIT
    (mark,) = talk.marks
    assert (mark.kept, mark.replies[0].fault) == (False, fault)
    assert talk.illegal == (fault is Fault.ILLEGAL)


def test_an_answer_that_was_cut_off_is_not_read_further() -> None:
    host = Host(load_game("sum31"), "level:5")
    talk = host.answered(host.begin(Person.ONE, "seed"), "Let me think about 5 and 6", cut=True)
    assert "cut off" in talk.marks[0].replies[0].detail


def test_rules_that_ask_again_say_what_was_wrong_and_then_forfeit() -> None:
    host = Host(replace(load_game("sum31"), invalid_move=InvalidMove.ASK_AGAIN), "level:5")
    talk = host.answered(host.begin(Person.ONE, "seed"), "MOVE: +77")
    assert [one.role for one in talk.messages] == ["user", "assistant", "user"]
    assert talk.messages[-1].content.startswith("+77 is not a legal move")
    assert talk.marks == ()
    good, bad = host.answered(talk, "MOVE: +5"), host.answered(talk, "MOVE: +78")
    assert [reply.text for reply in good.marks[0].replies] == ["+77", "+5"]
    assert (good.won, bad.won) == (None, False)


def test_a_move_picked_instead_is_played_but_never_kept() -> None:
    host = Host(load_game("sum31"), "level:5", illegal=IllegalMovePolicy.RANDOM)
    talk = host.begin(Person.TWO, "seed")
    while talk.messages:
        talk = host.answered(talk, "MOVE: +77")
    assert added(talk.marks).kept == 0
    assert len(talk.marks) >= 2
    assert talk.match.outcome is not None
    assert talk.match.outcome.reason is not Reason.FORFEIT
