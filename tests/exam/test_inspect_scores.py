"""Questions as data, and what samples add up to: the same as the exam's own words and figures."""

from __future__ import annotations

import json

import pytest

from zerosum.exam.conversation import Host, seatings
from zerosum.exam.draw_items import make_items
from zerosum.exam.export import (
    match_figures,
    note_item,
    note_turn,
    position_figures,
    read_note,
    tally_answer,
    tally_match,
)
from zerosum.exam.items import ItemSet, Options
from zerosum.exam.scoring import grade, keeping_moves
from zerosum.exam.summary import summarize
from zerosum.match.setup import Person
from zerosum.rules.game_files import load_game


@pytest.fixture(scope="module")
def drawn() -> ItemSet:
    games = (load_game("sum31"), load_game("zero-sum-duel"))
    return make_items(Options(games=games, count=8, fresh=1, reskin=2, seed="notes"), "notes")


def test_a_note_of_an_item_names_its_position_and_writes_its_moves(drawn: ItemSet) -> None:
    assert any(item.dress is not None for item in drawn.items)
    for item in drawn.items:
        note = read_note(json.loads(json.dumps(note_item(item))))
        assert note.position == item.position
        for move in note.position.legal_moves():
            assert note.text_of(move) == item.text_of(move)


def test_a_note_of_a_turn_names_its_position() -> None:
    host = Host(load_game("zero-sum-game"), "level:5")
    talk = host.begin(Person.TWO, "seed")
    assert talk.turn.moves
    while talk.messages:
        note = read_note(json.loads(json.dumps(note_turn(talk.turn))))
        assert (note.position, note.seed) == (talk.turn.position, talk.turn.seed)
        move = note.position.legal_moves()[0]
        assert note.text_of(move) == talk.turn.position.text_of(move)
        talk = host.answered(talk, f"MOVE: {note.text_of(move)}")


def test_figures_of_positions_are_those_of_the_exam(drawn: ItemSet) -> None:
    replies = ["MOVE: +997", "nothing", *(f"MOVE: {keeping_moves(item)[0]}" for item in drawn.items[2:])]
    replies[5::7] = [f"MOVE: {item.text_of(item.position.legal_moves()[-1])}" for item in drawn.items[5::7]]
    grades = [grade(item, reply) for item, reply in zip(drawn.items, replies, strict=True)]
    tallies = [
        ((item.game, item.number), tally_answer(item, one)) for item, one in zip(drawn.items, grades, strict=True)
    ]
    found, whole = position_figures(tallies), summarize(drawn.items, grades)
    assert (found["kept"], found["chance"], found["skill"]) == (
        whole.score.kept.rate,
        whole.score.chance,
        whole.score.skill,
    )
    assert (found["kept_low"], found["kept_high"]) == whole.score.interval
    for name, part in whole.by_skin.items():
        assert (found[f"kept_{name}"], found[f"kept_{name}_low"], found[f"kept_{name}_high"]) == (
            part.kept.rate,
            *part.interval,
        )
    assert (found["illegal"], found["unreadable"], found["truncated"]) == (1, 1, 0)


def test_figures_of_matches_are_the_sums_of_their_marks() -> None:
    host = Host(load_game("sum31"), "level:3")
    tallies, marks, won = [], [], 0
    seats = list(seatings(host.rules, 5, "seed", from_start=False))
    for one in seats:
        talk = host.begin(one.first, f"seed/{one.pair}", one.start)
        while talk.messages:
            talk = host.answered(talk, f"MOVE: {talk.turn.position.text_of(talk.turn.position.legal_moves()[-1])}")
        tallies.append((one.pair, tally_match(talk)))
        marks += [mark for mark in talk.marks if mark.real]
        won += talk.won is True
    found = match_figures(tallies)
    assert (found["score"], found["kept"]) == (won / 10, sum(mark.kept for mark in marks) / len(marks))
    assert (found["choices"], found["illegal"], found["unreadable"]) == (len(marks), 0, 0)
    chance = sum(mark.chance for mark in marks) / len(marks)
    assert found["chance"] == pytest.approx(chance)
    assert found["skill"] == pytest.approx((found["kept"] - chance) / (1 - chance))


def test_seatings_come_in_pairs_from_different_positions() -> None:
    rules = load_game("sum31")
    found = list(seatings(rules, 6, "seed", from_start=False))
    assert [(one.pair, one.first) for one in found] == [(pair, first) for pair in range(1, 7) for first in Person]
    assert len({one.start for one in found}) == 6
    assert all(one.start == two.start for one, two in zip(found[::2], found[1::2], strict=True))
    assert {str(one.start) for one in seatings(rules, 2, "", from_start=True)} == {"1,2,3,4,5,6,7,8,9 0 1"}
    assert "the model in seat 2" in str(found[1])
