"""`--no-answers`: an examinee may know the rules and be refereed, and learns nothing about good moves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.assistant.asking import SUM21, Assistant, assistant
from zerosum.rules.game_files import GAME_IDS, built_in
from zerosum.rules.notation import parse_position
from zerosum.rules.position import start_position

pytestmark = pytest.mark.slow

SPOILING = {"hint", "review", "solve", "audit", "metrics", "repair", "measure", "card", "lesson"}
ANSWERS = {"verdict", "plies", "solutions", "chances", "better", "winner", "winning_openings", "words", "law", "trap"}
"""Members that say something about good moves; `words` and `winner` are looked for only where they would."""


@pytest.fixture(scope="module")
def talk() -> Iterator[Assistant]:
    with assistant("--no-answers") as one:
        yield one


def members(value: Any) -> set[str]:
    """Return all names of members in a document."""
    if isinstance(value, dict):
        return set(value) | {name for one in value.values() for name in members(one)}
    return {name for one in value for name in members(one)} if isinstance(value, list) else set()


def test_the_tools_that_would_answer_are_not_there(talk: Assistant) -> None:
    assert list(talk.tools()) == ["games", "rules", "analyze", "reply", "puzzle", "check_rules"]
    for name in SPOILING:
        assert talk.refused(name, game="sum31").startswith(f"There is no tool '{name}'. ")


def test_there_are_no_prompts(talk: Assistant) -> None:
    assert talk.portal.call(talk.client.list_prompts).prompts == []


def test_nothing_that_is_shown_speaks_of_what_is_left_out(talk: Assistant) -> None:
    assert talk.client.instructions is not None
    assert "examination" in talk.client.instructions
    for one in talk.tools().values():
        assert "perfect" not in str(one.input_schema)
        assert "verdict" not in one.description


@pytest.mark.parametrize("game", GAME_IDS)
def test_a_position_is_refereed_and_not_judged(talk: Assistant, game: str) -> None:
    start = start_position(built_in(game))
    found = talk.ask("analyze", game=game)
    assert found["options"] == [{"move": start.text_of(move)} for move in start.legal_moves()], "in the pool's order"
    assert not members(found) & ANSWERS
    assert found["to_move"] == 1


def test_a_finished_match_has_its_winner(talk: Assistant) -> None:
    found = talk.ask("analyze", game="sum31", moves="+5 +6 +9 +8 +3")
    assert (found["options"], found["to_move"]) == ([], None)
    assert found["outcome"] == {"winner": 1, "reason": "reached-target"}
    assert talk.refused("analyze", game="sum31", moves="+5 +5").startswith("Move 2, +5: ")
    assert talk.refused("analyze", game="sum31", why=True).startswith("analyze has no argument 'why'.")


def test_the_opponent_knows_nothing(talk: Assistant) -> None:
    """One move wins at once; over many seeds the opponent takes each of the five about as often."""
    at = "1,2,3,4,7 28 1"
    moves = [talk.ask("reply", game="sum31", position=at, seed=seed)["move"] for seed in range(100)]
    assert set(moves) == {"+1", "+2", "+3", "+4", "+7"}
    assert 5 <= moves.count("+3") <= 40
    assert talk.refused("reply", game="sum31", who="perfect").startswith("reply has no argument 'who'.")


def test_puzzles_come_without_what_there_is_to_find(talk: Assistant) -> None:
    puzzles = talk.ask("puzzle", game="sum31", count=5, seed="a")["puzzles"]
    assert len(puzzles) == 5
    assert not members(puzzles) & ANSWERS
    for one in puzzles:
        assert parse_position(one["position"], built_in("sum31")).outcome is None


def test_rules_are_as_written_without_what_was_found_out(talk: Assistant) -> None:
    for game in ("sum31", SUM21):
        found = talk.ask("rules", game=game)
        assert not [line for line in found["words"] if "cannot happen" in line]
        assert found["words"]
    assert talk.ask("check_rules", rules=SUM21) == talk.ask("rules", game=SUM21)
