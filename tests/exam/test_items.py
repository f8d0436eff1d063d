"""Items: what a set holds, how it is read, and that nothing in it can be changed unseen."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.each import each
from tests.exam.sets import drawn
from tests.full import part
from zerosum.arena.entrants.prompt import NOUNS, AnswerFormat, PromptStyle
from zerosum.base.files import UnreadableFileError
from zerosum.exam.draw_items import make_items
from zerosum.exam.items import Item, ItemsError, Source, parse_items, read_items
from zerosum.exam.reskins import STORIES
from zerosum.rules.model import rules_from_dict
from zerosum.rules.notation import parse_position

SET = drawn()
RESKINNED = [item for item in SET.items if item.dress is not None]


def test_a_set_is_what_was_asked_for() -> None:
    assert len(SET.items) == SET.options.total == 2 * 12 * 3
    assert len({item.id for item in SET.items}) == len(SET.items)
    for game in ("sum31", "zero-sum-duel"):
        own = [item for item in SET.items if item.game == game]
        assert {item.number for item in own} == set(range(1, 13))
        assert sum(item.source is Source.FRESH for item in own) == len(own) / 2
        assert sum(item.dress is None for item in own) == len(own) / 3


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    path.write_bytes(SET.data)
    found = read_items(str(path))
    assert found == SET
    assert found.sha256 == SET.sha256


def test_a_line_says_everything_that_a_harness_needs_and_no_answer() -> None:
    lines = [json.loads(line) for line in SET.data.splitlines()[1:]]
    for line, item in zip(lines, SET.items, strict=True):
        assert set(line) == {
            "id",
            "game",
            "number",
            "source",
            "skin",
            "rules",
            "moves",
            "position",
            "prompt",
            "canary",
            "origin",
        }
        rules = rules_from_dict(line["rules"])
        position = parse_position(line["position"], rules)
        assert position == item.shown.position
        assert line["prompt"] == item.prompt()


def test_a_changed_byte_anywhere_is_noticed() -> None:
    data = SET.data
    for at in range(0, len(data), part(4_999, 97)):
        changed = bytearray(data)
        changed[at] = ord("7") if changed[at] != ord("7") else ord("8")
        with pytest.raises((ItemsError, UnreadableFileError)):
            parse_items(bytes(changed), "items")


@pytest.mark.parametrize(
    "data",
    [b"", b"\n", b"{}\n", b"[1]\n", b"null\n", b"not json\n", b"\xff\n", b"[" * 100_000, b'{"schema":1,"exam":2}\n'],
)
def test_what_is_no_set_is_refused_in_one_line(data: bytes) -> None:
    with pytest.raises((ItemsError, UnreadableFileError)) as caught:
        parse_items(data, "items")
    assert "\n" not in str(caught.value)


def test_a_line_that_is_missing_or_doubled_or_cut_off_is_noticed() -> None:
    lines = SET.data.splitlines(keepends=True)
    with pytest.raises(ItemsError, match="twice"):
        parse_items(b"".join([*lines, lines[-1]]), "items")
    with pytest.raises(ItemsError, match="cut off"):
        parse_items(SET.data[:-1], "items")
    with pytest.raises(ItemsError, match="line 2"):
        parse_items(b"".join([lines[0], b'{"id":"x"}\n']), "items")


@each("item", RESKINNED[:24])
def test_a_reskinned_prompt_has_other_words_and_other_numbers(item: Item) -> None:
    assert item.dress is not None
    story = STORIES[item.dress.story]
    text = item.prompt()
    question = text.partition("\n\nWrite a move")[0]
    for noun in NOUNS:
        assert f" {noun}" not in question.lower(), noun
    assert item.origin.name not in text
    assert story.name in text
    me, other = story.seats[item.position.seat - 1], story.seats[item.position.seat.other - 1]
    assert f"as {me}; {story.seats[0]} moves first" in text
    if len(item.moves) > 1:
        assert f"{other} played" in text
    numbers = text.partition("left: ")[2].partition(".")[0].split(", ")
    assert sorted(map(int, numbers)) == list(item.shown.position.pool)
    if len(numbers) > 5:
        assert numbers != [str(number) for number in item.shown.position.pool]


def test_the_switches_change_what_is_asked() -> None:
    item = RESKINNED[0]
    full = item.prompt(PromptStyle(legal_moves=True, history=False, thinking=False, format=AnswerFormat.TOOL))
    legal = [item.shown.position.text_of(move) for move in item.shown.position.legal_moves()]
    listed = full.partition("Legal moves: ")[2].partition(".\n")[0].split(", ")
    assert sorted(listed) == sorted(legal)
    assert "played" not in full
    assert "Answer by calling the function `move`" in full
    assert "played" in item.prompt()
    assert "Legal moves" not in item.prompt()


def test_a_move_is_shown_as_the_game_writes_it() -> None:
    for item in SET.items:
        shown = item.shown.position
        for move in item.position.legal_moves():
            text = item.text_of(move)
            assert shown.play(text).outcome == item.position.play(move).outcome


def test_a_prompt_says_nothing_of_signs_that_no_move_has() -> None:
    said = {"-3 adds -3": 0, "+5 adds 5": 0, "-5 subtracts 5": 0}
    for item in drawn("sum31,sum-to-zero,zero-sum-duel", 4, 1, 2).items:
        shown, text = item.shown.position, item.prompt()
        signs = {text[: len(text) - len(text.lstrip("+-"))] for text in map(shown.text_of, item.shown_rules.moves)}
        negative = min(item.shown_rules.pool) < 0
        adds = len(item.shown_rules.operations) == 1
        assert ("-3 adds -3" in text.replace("+-3", "")) == (negative and adds)
        assert ("--3 subtracts -3" in text) == ("--" in signs)
        assert ("-5 subtracts 5" in text) == (not adds and max(item.shown_rules.pool) > 0)
        assert ("+5 adds 5" in text) == (max(item.shown_rules.pool) > 0)
        assert "costs you a try" not in text
        said = {words: times + (words in text) for words, times in said.items()}
    assert all(said.values()), said


def test_sets_of_the_first_format_are_still_read_and_drawn() -> None:
    """The published one is checked byte by byte in test_commands."""
    options = replace(drawn("sum31", 4, 0, 1).options, format=1)
    old = make_items(options, "1")
    lines = [json.loads(line) for line in old.data.splitlines()]
    assert not any("canary" in line for line in lines)
    assert all("+5 adds 5, -3 adds -3" in line["prompt"] for line in lines[1:])
    assert parse_items(old.data, "old") == old
