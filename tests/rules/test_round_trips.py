"""Everything that is written can be read back: moves, positions, tags, tables, records."""

from __future__ import annotations

import tomllib
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import CHOICES, LARGE_NUMBERS, NAMES, RulesDict, hostile_text, lines, tables, variants
from zerosum.base.errors import RecordError, ZerosumError
from zerosum.match.match import Match, Undo, read_match
from zerosum.match.setup import Person, Series, Setup, setup_from_tags, setup_tags
from zerosum.rules.model import Rules, Seat, rules_from_dict, rules_to_dict
from zerosum.rules.moves import SWAP, Move, Operation, format_move, parse_move
from zerosum.rules.notation import parse_position
from zerosum.rules.outcome import Reason
from zerosum.rules.position import Position
from zerosum.rules.record import Ending, format_tags, parse_record, parse_tags, rules_from_tags, rules_tags

BOTH = (Operation.ADD, Operation.SUBTRACT)
PLAIN_NAMES = NAMES.filter(lambda name: len(name) <= 40)


@st.composite
def matches(draw: st.DrawFn) -> Match:
    """Return a match of any variant, at any point, ended by anything."""
    setup = Setup(
        rules=draw(variants()),
        names=(draw(PLAIN_NAMES), draw(PLAIN_NAMES)),
        first=draw(st.sampled_from(Person)),
        lenient=draw(st.booleans()),
        seed=draw(st.one_of(st.just(""), PLAIN_NAMES)),
        date=draw(st.sampled_from(["", "2024-02-29", "2024-02-29 10:00", "2024-02-29 10:00:59"])),
        series=draw(st.sampled_from([None, Series("abc234", 3, 2)])),
    )
    match = Match.begin(setup)
    for choice in draw(CHOICES):
        moves = match.position.legal_moves()
        if match.outcome is not None:
            return match
        match = match.after(moves[choice % len(moves)])
    ending = draw(st.sampled_from([None, Reason.RESIGNED, Reason.TIME]))
    if ending is not None and match.outcome is None:
        match = match.after(Ending(ending, draw(st.sampled_from(Seat))))
    return match


@given(number=st.one_of(LARGE_NUMBERS, st.just(0)), operation=st.sampled_from(BOTH))
def test_moves(number: int, operation: Operation) -> None:
    move = Move(number, operation)
    assert parse_move(format_move(move, BOTH), BOTH) == move
    assert parse_move(format_move(move, BOTH).replace("-", "\N{MINUS SIGN}"), BOTH) == move
    if operation is Operation.ADD:
        assert parse_move(format_move(move, (Operation.ADD,)), (Operation.ADD,)) == move
        assert parse_move(str(number), (Operation.ADD,)) == move
    assert parse_move(format_move(SWAP, BOTH), BOTH) == SWAP


@given(lines())
def test_positions(line: list[Position]) -> None:
    """With ban and swap, in sudden death, at the start and at the end."""
    for position in line:
        assert parse_position(str(position), position.rules) == position
        pool, _, rest = str(position).partition(" ")
        if pool != "-":
            backwards = ",".join(reversed(pool.split(",")))
            assert parse_position(f"{backwards} {rest}", position.rules) == position


@given(st.one_of(tables(), tables(numbers=LARGE_NUMBERS)))
def test_tables(table: RulesDict) -> None:
    rules = rules_from_dict(table)
    full = rules_to_dict(rules)
    assert rules_from_dict(full) == rules
    assert rules_to_dict(rules_from_dict(full)) == full
    said = {key: value for key, value in table.items() if key not in ("pool", "start")}
    assert said.items() <= full.items()
    assert full["pool"] == sorted(table["pool"])


@given(st.one_of(tables(), tables(numbers=LARGE_NUMBERS)))
def test_rules_files(table: RulesDict) -> None:
    """A table written by hand as TOML says the same."""
    text = "\n".join(f"{key} = {_toml(value)}" for key, value in table.items())
    assert rules_from_dict(tomllib.loads(text)) == rules_from_dict(table)


def _toml(value: object) -> str:
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return str(value).lower() if isinstance(value, bool) else str(value)


@given(variants())
def test_rules_as_tags(rules: Rules) -> None:
    tags, body = parse_tags(format_tags(rules_tags(rules)))
    assert body == ""
    assert rules_from_tags(tags) == rules


@given(st.dictionaries(st.from_regex(r"[A-Za-z][A-Za-z0-9-]{0,9}", fullmatch=True), NAMES, max_size=5))
def test_tags(tags: dict[str, str]) -> None:
    assert parse_tags(format_tags(tags)) == (tags, "")


@given(matches())
def test_records(match: Match) -> None:
    text = match.record()
    assert read_match(text) == match
    assert read_match(text).record() == text
    assert all(len(line) < 80 for line in text.splitlines() if not line.startswith("["))
    assert setup_from_tags(setup_tags(match.setup)) == match.setup


@given(match=matches(), result=st.sampled_from(["1", "2", "*", "9", "x"]))
def test_an_edited_result_is_not_believed(match: Match, result: str) -> None:
    lines = [f'[Result "{result}"]' if line.startswith("[Result ") else line for line in match.record().split("\n")]
    assert read_match("\n".join(lines)) == match


@given(matches())
def test_undo_returns_to_the_equal_match(match: Match) -> None:
    begun = Match.begin(match.setup)
    before = [begun]
    for move in match.moves:
        after = before[-1].after(move)
        if after.outcome is None:
            for plies, earlier in enumerate(reversed(before), 1):
                assert after.after(Undo(plies)) == earlier
            with pytest.raises(RecordError, match=f"{len(after.moves) + 1} of {len(after.moves)} plies"):
                after.after(Undo(len(after.moves) + 1))
        else:
            with pytest.raises(RecordError, match="over"):
                after.after(Undo(1))
        before.append(after)
    with pytest.raises(RecordError):
        begun.after(Undo(0))


@given(rules=variants(), text=hostile_text())
def test_hostile_text_is_read_or_refused(rules: Rules, text: str) -> None:
    """No text gets anything but a value or one of our errors, which can always be shown."""
    for read in (
        lambda: parse_move(text, rules.operations),
        lambda: parse_position(text, rules),
        lambda: parse_position(f"{text} 0 1", rules),
        lambda: parse_position(f"1 {text} 1", rules),
        lambda: parse_record(text),
        lambda: parse_record(f'[Game "sum31"]\n\n{text}'),
        lambda: parse_record(f'[Game "{text}"]\n\n1. +5'),
        lambda: parse_record(f'[Game "x"]\n[Pool "{text}"]\n[Format "1"]\n[Name "x"]\n[Target "1"]\n\n'),
    ):
        message = _message(read)
        assert message.isprintable(), repr(message)


def _message(read: Callable[[], object]) -> str:
    """Return the message of the error that reading ends with, if it does."""
    try:
        read()
    except ZerosumError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("text", ["+5", "-5", "+-3", "--3", "swap", "+0", "-0"])
def test_moves_have_one_text_each(text: str) -> None:
    """What is written again after reading is the form that the notation has for it."""
    assert format_move(parse_move(text, BOTH), BOTH) == text
