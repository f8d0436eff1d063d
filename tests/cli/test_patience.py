"""One reader of written moves: what each kind of writer is forgiven."""

from __future__ import annotations

import pytest

from zerosum.match.typed_moves import NOTATION, PROSE, TYPED, Forbidden, Patience, Unreadable, read_whole_move
from zerosum.rules.game_files import built_in
from zerosum.rules.moves import Move
from zerosum.rules.position import start_position

SUM31 = start_position(built_in("sum31"))
FORGIVEN: list[tuple[str, set[Patience]]] = [
    ("+5", {NOTATION, TYPED, PROSE}),
    ("5", {NOTATION, TYPED, PROSE}),
    (" +5 ", {TYPED}),
    ("**+5**.", {PROSE}),
    ("\N{FULLWIDTH PLUS SIGN}5", {PROSE}),
    ("five", set()),
    ("+5 +6", set()),
]


@pytest.mark.parametrize(("text", "readers"), FORGIVEN)
def test_who_reads_a_text_as_the_move(text: str, readers: set[Patience]) -> None:
    for patience in (NOTATION, TYPED, PROSE):
        answer = read_whole_move(SUM31, text, patience)
        assert (answer == Move(5)) == (patience in readers), patience
        assert patience in readers or isinstance(answer, Unreadable)


def test_capitals_are_forgiven_only_of_people_and_models() -> None:
    answers = [read_whole_move(SUM31, "SWAP", patience) for patience in (NOTATION, TYPED, PROSE)]
    assert [type(answer) for answer in answers] == [Unreadable, Forbidden, Forbidden]


def test_what_the_rules_forbid_is_no_unreadable_text() -> None:
    answer = read_whole_move(SUM31.play("+5"), "+5")
    assert isinstance(answer, Forbidden)
    assert answer.move == Move(5)
