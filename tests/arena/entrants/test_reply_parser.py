"""The tolerant parser against a corpus of replies, and against anything at all."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.each import each
from zerosum.arena.entrants.prompt import ParsedReply, ReplyKind, read_reply
from zerosum.rules.moves import ADD_ONLY, Operation, Operations, format_move, parse_move

BOTH: Operations = (Operation.ADD, Operation.SUBTRACT)
CORPUS: dict[str, list[tuple[str, str]]] = {
    name: [(text, said) for text, said in table["replies"]]
    for name, table in tomllib.loads(Path(__file__).with_name("replies.toml").read_text(encoding="utf-8")).items()
}


def test_there_are_many_and_none_twice() -> None:
    assert sum(map(len, CORPUS.values())) >= 120
    for name, replies in CORPUS.items():
        assert len(dict(replies)) == len(replies), name


def read(name: str, text: str) -> ParsedReply:
    operations = BOTH if name == "both" else ADD_ONLY
    return read_reply(text, operations, lenient=name == "lenient", truncated=name == "truncated")


@each(("name", "text", "said"), [(name, *one) for name, all_ in CORPUS.items() for one in all_])
def test_a_reply(name: str, text: str, said: str) -> None:
    none = {
        "": ParsedReply(ReplyKind.UNREADABLE),
        "double": ParsedReply(ReplyKind.UNREADABLE, double=True),
        "truncated": ParsedReply(ReplyKind.TRUNCATED),
    }
    expected = none.get(said, ParsedReply(ReplyKind.MOVE, said))
    assert read(name, text) == expected


def test_a_reply_that_was_cut_off_is_not_read_leniently() -> None:
    assert read_reply("I take +1", ADD_ONLY, lenient=True, truncated=True) == ParsedReply(ReplyKind.TRUNCATED)
    assert read_reply("MOVE: +1", ADD_ONLY, lenient=True, truncated=True) == ParsedReply(ReplyKind.TRUNCATED)


@pytest.mark.slow
@given(st.text(max_size=200), st.booleans())
def test_anything_can_be_read_and_a_move_is_a_move(text: str, lenient: bool) -> None:
    for operations in (ADD_ONLY, BOTH):
        found = read_reply(text, operations, lenient=lenient)
        if found.kind is ReplyKind.MOVE:
            assert format_move(parse_move(found.move, operations), operations) == found.move
        else:
            assert found.move == ""


LONG = (("MOVE: ", 40_000), ("{", 100_000), ("\\boxed{", 30_000), ("(", 100_000), ("add ", 50_000), ("<think>", 30_000))


@pytest.mark.parametrize("text", [text * times for text, times in (*LONG, ("</think>", 25_000))])
def test_a_long_reply_takes_no_time(text: str) -> None:
    assert read_reply(text, ADD_ONLY, lenient=True).kind is ReplyKind.UNREADABLE
