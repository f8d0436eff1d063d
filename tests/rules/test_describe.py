"""The rules in words: every value of every key is said, and said nowhere else."""

from __future__ import annotations

import pytest

from tests.clauses.replay import variant
from tests.each import each
from zerosum.rules.describe import describe, first_step, goal_line, idea
from zerosum.rules.game_files import GAME_IDS, built_in
from zerosum.rules.model import Rules

SHARED = variant("sum-to-zero", pool=[1, 2, 3], start=4, target=9)
OWN = variant("sequence-zero", pool=[1, 2, 3], start=4, target=9)
TURN = (
    "In turn, take one number that is left; say whether it is added to or subtracted from your total. Nobody may pass."
)

NUMBER = (
    "An invalid number is a whole number, of at most 1,000,000 either way, that is not available; "
    "other text is asked for again."
)
NEVER = (
    "Commands, their short forms (q, ?, h, exit) and misspellings of them by one letter or two neighbours swapped "
    "never forfeit."
)
OPERATION = (
    "An invalid operation is any answer at that question but +, -, and every beginning of add, plus, subtract or "
    "minus, in small or capital letters; an empty answer is one too."
)
LIMIT = (
    "Between computers and on a server, the referee stops the match after 600 moves: whoever would win with perfect "
    "play from there wins, the second player if neither can force a win. "
    "At a terminal, a match with a person has no such limit."
)


@each(
    ("rules", "sentence"),
    [
        (SHARED, "The pool: 1, 2, 3; each can be taken once."),
        (variant("sum31", pool=[-2, 1, 1]), "The pool: -2, 1, 1; each can be taken as often as listed."),
        (SHARED, "There is one total for both players. It starts at 4; the target is 9."),
        (OWN, "Each player has a total of their own. Both start at 4; the target is 9."),
        (
            variant("sequence-zero", start=[1, 2], target=9),
            "Each player has a total of their own. The first player's starts at 1, the second's at 2; the target is 9.",
        ),
        (SHARED, "In turn, take one number that is left; it is added to the total. Nobody may pass."),
        (
            OWN,
            TURN,
        ),
        (SHARED, "Whoever brings the total to exactly 9 wins at once."),
        (OWN, "Whoever brings their own total to exactly 9 wins at once."),
        (variant("sum31", reaching="loses"), "Whoever brings the total to exactly 31 loses at once."),
        (built_in("sum31"), "Whoever takes the total past 31 (above it) loses at once."),
        (variant("sum31", start=40), "Whoever takes the total past 31 (below it) loses at once."),
        (
            variant("sequence-zero", start=[-1, 1], overshoot="loses"),
            "Whoever takes the total past 0 (above or below it) loses at once.",
        ),
        (SHARED, "If the pool is empty and nobody has won, whoever moved last wins."),
        (OWN, "If the pool is empty and nobody has won, whoever is closer to 9 wins."),
        (OWN, "If both are equally close, the second player wins."),
        (variant("sequence-zero", tie="first-mover"), "If both are equally close, the first player wins."),
        (
            built_in("zero-sum-game"),
            "If both are equally close, it is sudden death: the pool is refilled, totals stay, turns go on.",
        ),
        (variant("sum31", ban="mirror"), "No move may undo the one before it exactly, unless there is no other."),
        (
            variant("sum31", swap=True),
            "As the second move of a match, 'swap' may be said instead: the players change seats.",
        ),
        (built_in("zero-sum-duel"), "An invalid number or operation forfeits the match."),
        (
            built_in("zero-sum-duel"),
            NUMBER,
        ),
        (
            built_in("zero-sum-duel"),
            OPERATION,
        ),
        (
            built_in("zero-sum-duel"),
            NEVER,
        ),
        (variant("sum31", invalid_move="forfeit"), "An invalid number forfeits the match."),
        (
            built_in("zero-sum-game"),
            LIMIT,
        ),
        (SHARED, "An invalid number is asked for again."),
    ],
)
def test_every_value_is_said(rules: Rules, sentence: str) -> None:
    assert sentence in describe(rules)


def test_a_lenient_match_forfeits_nothing() -> None:
    lines = describe(built_in("zero-sum-duel"), lenient=True)
    assert lines[-1] == "An invalid number or operation is asked for again (--lenient)."
    assert "forfeit" not in " ".join(lines)


@pytest.mark.parametrize("word", ["referee", "past", "closer", "equally close", "undo", "swap", "forfeit", "subtract"])
def test_what_the_rules_do_not_say_is_not_said(word: str) -> None:
    assert word not in " ".join(describe(SHARED))


@pytest.mark.parametrize("game", GAME_IDS)
def test_the_five_games(game: str) -> None:
    lines = describe(built_in(game))
    assert all(line.endswith(".") and line.isprintable() for line in lines)
    assert len(set(lines)) == len(lines)


@pytest.mark.parametrize(
    ("game", "line"),
    [
        ("sum-to-zero", "Reach 0 with the shared total"),
        ("sequence-zero", "Reach 0 with your own total, adding or subtracting"),
        ("zero-sum-duel", "Reach 0 with the shared total, adding or subtracting"),
        ("zero-sum-game", "Reach 0 with your own total"),
        ("sum31", "Reach 31 with the shared total; past it you lose"),
    ],
)
def test_idea(game: str, line: str) -> None:
    assert idea(built_in(game)) == line


def test_idea_of_a_game_to_avoid() -> None:
    assert idea(variant("sum31", reaching="loses")) == "Avoid 31 with the shared total; past it you lose"


@pytest.mark.parametrize(
    ("rules", "line"),
    [
        (built_in("sum-to-zero"), "Bring the total back to 0, or take the last number"),
        (built_in("sequence-zero"), "Bring your total back to 0, or end closer to it"),
        (built_in("zero-sum-duel"), "Bring the total back to 0, or take the last number"),
        (built_in("zero-sum-game"), "Bring your total back to 0, or end closer to it"),
        (built_in("sum31"), "Land on 31 exactly; past it you lose"),
        (SHARED, "Bring the total to 9, or take the last number"),
        (variant("sequence-zero", start=[0, 2]), "Bring your total to 0, or end closer to it"),
        (variant("sum31", reaching="loses"), "Stay off 31: on it or past it you lose"),
        (variant("sum-to-zero", reaching="loses"), "Stay off 0: land on it and you lose"),
    ],
    ids=lambda one: one.id if isinstance(one, Rules) else "",
)
def test_what_to_do_is_said_in_one_line(rules: Rules, line: str) -> None:
    assert goal_line(rules) == line


@pytest.mark.parametrize(
    ("game", "line"),
    [
        ("sum31", "Pick a number; it moves the total"),
        ("zero-sum-game", "Pick a number; it moves your total"),
        ("zero-sum-duel", "Pick a number; it moves the total"),
    ],
)
def test_the_first_step_is_said_in_one_line(game: str, line: str) -> None:
    assert first_step(built_in(game)) == line


@pytest.mark.parametrize(("lenient", "last"), [(False, "forfeits the match; the page asks"), (True, "costs nothing")])
def test_where_nothing_is_typed_no_answer_at_a_prompt_is_named(lenient: bool, last: str) -> None:
    lines = describe(built_in("zero-sum-duel"), lenient=lenient, typed=False)
    assert last in lines[-1]
    assert not any("--" in line or "operation" in line for line in lines)
    assert lines[:-1] == describe(built_in("zero-sum-duel"), lenient=True)[:-1]
