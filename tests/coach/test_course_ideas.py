"""Positions filed by idea, checked against a plain reading of the card; mistakes of matches, and names of ideas."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from tests import naive
from tests.coach.truth import naive_game
from tests.full import parted
from tests.strategy import plain
from zerosum.coach.course_builder import course_of
from zerosum.coach.ideas import UnknownIdeaError, idea_at, ideas_at, ideas_named, ideas_of, puzzles_on
from zerosum.coach.lessons import Course
from zerosum.coach.puzzles import missed, puzzle_of, puzzles_from
from zerosum.coach.stats import Mistakes, mistakes
from zerosum.match.match import Match
from zerosum.match.setup import Setup
from zerosum.rules.game_files import built_in, load_text
from zerosum.rules.model import Rules, Seat
from zerosum.rules.moves import Move
from zerosum.rules.position import Position
from zerosum.solver import Verdict, solution_of
from zerosum.strategy.lookahead import Sight

KNOWN = {
    "sum31": ["make", "guard", "hold", "shut-in-two", "smallest"],
    "sequence-zero": ["make", "guard", "hold", "squeeze-in-two@5", "quiet-threat", "threat", "nearest"],
    "zero-sum-duel": ["make", "guard"],
    "zero-sum-game": ["make", "guard", "nearest"],
    "sum-to-zero": ["make", "guard"],
}
THEY_ARE = "Its ideas are make, guard, hold, shut-in-two, smallest."
SWAP = 'like = "sum31"\nid = "s"\nname = "S"\nswap = true'
SEVEN = 'like = "sum31"\nid = "seven"\nname = "Seven"\npool = [1, 2, 3, 4, 5, 6, 7]\ntarget = 22'


@cache
def course(game: str) -> Course:
    return course_of(built_in(game), solution_of)


def plainly(rules: Rules, here: Course, position: Position) -> str | None:
    """Return, from the definition alone, the lowest idea whose rules leave only winning moves."""
    game, verdict = naive_game(rules)
    table = plain.Table(game, rules.target)
    state = naive.State(position.pool, position.totals, position.seat.value)

    def wins(move: str) -> bool:
        after = game.play(state, move)
        return after.winner == state.seat if after.winner else verdict(after) == "loss"

    serve = len(here.card.rules_for(position.seat))
    for idea in ideas_of(here):
        for count in range(1, min(idea.count, serve) + 1):
            if all(map(wins, plain.survivors(table, [str(rule) for rule in here.card.rules[:count]], state))):
                return str(idea)
    return None


def played(rules: Rules, *numbers: int, who: tuple[str, str] = ("human", "human")) -> Match:
    match = Match.begin(Setup(rules=rules, who=who))
    for number in numbers:
        match = match.after(Move(number))
    return match


@pytest.mark.parametrize("game", parted(KNOWN, ("sequence-zero", "zero-sum-game")))
def test_the_ideas_are_the_steps_and_then_the_rules_without_a_lesson(game: str) -> None:
    assert [str(one) for one in ideas_of(course(game))] == KNOWN[game]


@pytest.mark.parametrize(("game", "every"), [("sum31", 1), ("zero-sum-duel", 40)])
def test_every_won_position_is_filed_by_the_definition(game: str, every: int) -> None:
    rules, here = built_in(game), course(game)
    solution, sight = solution_of(rules), Sight(rules)
    found = set()
    for position, value in list(solution.everything())[::every]:
        idea = idea_at(here, position, solution, sight)
        assert (idea is None) >= (value.verdict is not Verdict.WIN)
        if value.verdict is Verdict.WIN:
            assert (None if idea is None else str(idea)) == plainly(rules, here, position), str(position)
        found.add((position.seat, None if idea is None else str(idea)))
    assert {idea for seat, idea in found if seat is here.card.seat} - {None} == set(KNOWN[game])
    # In the other seat "smallest" serves nobody, so nothing is filed under it.
    assert (Seat.FIRST, "smallest") not in found


@pytest.mark.parametrize("game", parted(KNOWN, ("sum-to-zero", "sequence-zero")))
def test_puzzles_on_an_idea_are_decided_by_it(game: str) -> None:
    here, solution = course(game), solution_of(built_in(game))
    *_, idea = ideas_of(here)
    found = list(puzzles_on(here, [idea], solution, Random("1")))
    assert found or (game, idea.name) == ("zero-sum-game", "nearest")
    assert set(ideas_at(here, found[:30], solution).values()) <= {idea}
    assert all(one == puzzle_of(one.position, solution) for one in found[:5])


def test_dice_choose_among_the_puzzles_on_an_idea() -> None:
    here, solution = course("sum31"), solution_of(built_in("sum31"))
    for idea, count in zip(ideas_of(here), (47, 21, 30, 45, 8), strict=True):
        one, same, other = (list(puzzles_on(here, [idea], solution, Random(seed))) for seed in "112")
        assert one == same != other
        assert len(one) == len(other) == count


def test_a_name_may_leave_out_when_the_idea_applies() -> None:
    here = course("sequence-zero")
    for name in ("squeeze-in-two@5", "squeeze-in-two", " Squeeze-In-Two "):
        assert [str(one) for one in ideas_named(here, name)] == ["squeeze-in-two@5"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "gard",
            "Sum31 has no idea 'gard'. Did you mean 'guard'? Its ideas are make, guard, hold, shut-in-two, smallest.",
        ),
        ("", "Sum31 has no idea ''. Its ideas are make, guard, hold, shut-in-two, smallest."),
        ("x\x1b[2J", r"Sum31 has no idea 'x\x1b[2J'. Its ideas are make, guard, hold, shut-in-two, smallest."),
    ],
)
def test_an_unknown_idea_is_told_the_others(name: str, said: str) -> None:
    with pytest.raises(UnknownIdeaError) as told:
        ideas_named(course("sum31"), name)
    assert str(told.value) == said
    assert told.value.exit_code == 2


def test_a_game_without_a_card_says_why_it_has_no_ideas() -> None:
    here = course_of(load_text(SWAP), solution_of)
    with pytest.raises(UnknownIdeaError, match=r"S has no ideas to choose from\. .*seats can be swapped"):
        ideas_named(here, "guard")


def test_mistakes_are_counted_by_game_and_idea_each_time_they_are_made() -> None:
    """A win let go twice counts twice, a computer's not at all; the mistakes of a variant are counted, not filed."""
    rules, seven = built_in("sum31"), load_text(SEVEN)
    numbers = (9, 8, 7, 6, 5)
    matches = [
        played(seven, 7, 6),
        played(rules, *numbers),
        played(rules, *numbers),
        played(rules, *numbers, who=("random", "random")),
    ]
    found = mistakes(matches, lambda match: solution_of(match.setup.rules))
    assert [(one.game, one.idea and str(one.idea), one.count, one.filed) for one in found] == [
        ("seven", None, 1, False),
        ("sum31", "make", 2, True),
        ("sum31", "smallest", 2, True),
    ]
    solution = solution_of(rules)
    assert len(list(missed(matches[1:], solution))) == 4
    assert len(list(puzzles_from(matches[1:], solution))) == 2


def test_a_match_without_mistakes_or_without_a_solution_files_nothing() -> None:
    assert mistakes([played(built_in("sum31"), 5)], lambda match: solution_of(match.setup.rules)) == []
    assert mistakes([played(built_in("sum31"), 9, 8, 7, 6, 5)], lambda _: None) == []
    assert Mistakes("g", "G", None, 1).filed
