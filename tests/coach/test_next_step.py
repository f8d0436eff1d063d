"""After every match there is a next step, and terminal and page choose it in one place."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.each import each
from zerosum.coach.ideas import costly_idea
from zerosum.coach.lessons import LAW, bundled_course
from zerosum.coach.next_step import (
    FIRST_GAME,
    FIRST_OPPONENT,
    LOSSES,
    WINS,
    LessonIdea,
    MatchResult,
    StepKind,
    fitting_match,
    next_steps,
)
from zerosum.players.levels import LEVELS, STRENGTHS, sight_words
from zerosum.rules.game_files import GAME_IDS, built_in
from zerosum.rules.position import Position
from zerosum.solver import Verdict, solution_of
from zerosum.strategy.card import survivors
from zerosum.strategy.lookahead import Sight

GUARD = LessonIdea("guard", "stay safe")
MATCHES = st.builds(
    MatchResult,
    st.sampled_from([*GAME_IDS, "my-variant"]),
    st.sampled_from([*STRENGTHS, "card", "bot"]),
    st.booleans(),
)


def won(opponent: str, game: str = "sum31") -> MatchResult:
    return MatchResult(game, opponent, won=True)


def lost(opponent: str, game: str = "sum31") -> MatchResult:
    return MatchResult(game, opponent, won=False)


def labels(*played: MatchResult, lesson: LessonIdea | None = GUARD) -> list[str]:
    return [step.label for step in next_steps(played, lesson)]


@each(
    ("played", "said"),
    [
        ((), []),
        ((won("level:2"),), []),
        ((won("level:2"), won("level:2")), ["Next: level 3"]),
        ((won("level:2"), lost("level:2"), won("level:2")), []),
        ((won("level:2"), won("level:2", "summit"), won("level:2")), ["Next: level 3"]),
        ((won("level:1"), won("level:2")), []),
        ((won("level:5"),), ["Next game: Summit"]),
        ((won("level:5"), won("level:5")), ["Next: level 6", "Next game: Summit"]),
        ((won("perfect"), won("perfect")), ["Next game: Summit"]),
        ((won("random"), won("random")), ["Next: level 1"]),
        ((won("card"), won("card")), []),
        ((lost("level:2"),), ["Lesson: stay safe"]),
        ((lost("level:2"),) * 3, ["An easier one: level 1", "Lesson: stay safe"]),
        ((lost("level:1"),) * 4, ["Lesson: stay safe"]),
        ((lost("bot"),) * 3, ["Lesson: stay safe"]),
        ((lost("level:2"), won("level:2"), lost("level:2"), lost("level:2")), ["Lesson: stay safe"]),
    ],
)
def test_what_is_offered_after_a_match(played: tuple[MatchResult, ...], said: list[str]) -> None:
    assert labels(*played) == said


def test_a_game_without_a_course_has_no_lesson() -> None:
    assert labels(lost("level:1"), lesson=None) == []
    assert labels(lost("level:1"), lesson=LessonIdea()) == ["Lesson: the next idea"]


def test_once_every_game_is_beaten_only_levels_are_left() -> None:
    played = [won("level:5", game) for game in GAME_IDS]
    assert labels(*played) == []
    assert labels(*played, won("level:5", GAME_IDS[-1])) == ["Next: level 6"]


@given(st.lists(MATCHES, max_size=12), st.sampled_from([None, LessonIdea(), GUARD]))
def test_every_offer_has_its_grounds(played: list[MatchResult], lesson: LessonIdea | None) -> None:
    """The same rules once more, each read from the record by itself."""
    steps = next_steps(played, lesson)
    kinds = [step.kind for step in steps]
    last = played[-1] if played else None
    here = [one for one in played if last is not None and one.game == last.game]
    order = list(STRENGTHS)
    rising = [(one.opponent, one.won) for one in here[-WINS:]] == [(last.opponent, True)] * WINS if last else False
    falling = (
        [(one.opponent, one.won) for one in here[-LOSSES:]] == [(last.opponent, False)] * LOSSES if last else False
    )
    rank = order.index(last.opponent) if last is not None and last.opponent in order else None
    assert (StepKind.LEVEL in kinds) == (rising and rank is not None and rank < len(order) - 1)
    assert (StepKind.EASIER in kinds) == (falling and rank is not None and rank > 1)
    assert (StepKind.LESSON in kinds) == (last is not None and not last.won and lesson is not None)
    strong = {"level:5", "level:6", "level:7", "level:8", "level:9", "perfect"}
    beaten = {one.game for one in played if one.won and one.opponent in strong}
    mastered = last is not None and last.won and last.opponent in strong
    assert (StepKind.GAME in kinds) == (mastered and not set(GAME_IDS) <= beaten)
    for step in steps:
        if step.kind is StepKind.GAME:
            assert step.game not in beaten
        else:
            assert last is not None
            assert step.game == last.game
        if step.kind is StepKind.LEVEL:
            assert order.index(step.opponent) == (rank or 0) + 1
    assert len(kinds) == len(set(kinds))


@given(st.lists(MATCHES, max_size=12))
def test_the_match_that_fits_can_always_be_played(played: list[MatchResult]) -> None:
    game, opponent = fitting_match(played)
    assert game in GAME_IDS
    assert opponent in STRENGTHS


def test_a_newcomer_begins_with_the_first_game_and_others_where_they_are() -> None:
    assert fitting_match([]) == (FIRST_GAME, FIRST_OPPONENT)
    assert fitting_match([won("level:2")]) == ("sum31", "level:2")
    assert fitting_match([won("level:2"), won("level:2")]) == ("sum31", "level:3")
    assert fitting_match([lost("level:4")] * 3) == ("sum31", "level:3")
    assert fitting_match([won("level:5")]) == ("summit", "level:3")
    assert fitting_match([won("level:2"), lost("human", "summit")]) == ("sum31", "level:2")


def test_levels_say_what_they_can_see() -> None:
    for n, level in LEVELS.items():
        said = sight_words(f"level:{n}")
        assert f"looks {level.sight} moves ahead" in said
        assert f"{round(100 * level.slip)} %" in said
        assert ("never overlooks a win at once" in said) == (n >= 3)
        assert ("traps" in said) == level.traps


@pytest.mark.parametrize("game", ["sum31", "zero-sum-duel"])
def test_the_costly_idea_is_a_step_that_keeps_the_win(game: str) -> None:
    """The moves that the rules up to that step leave all win; without that step some of them lose."""
    rules = built_in(game)
    course, solution = bundled_course(rules), solution_of(rules)
    assert course is not None
    seen, todo, sight = set[Position](), [solution.start], Sight(rules)
    named = set()
    while todo and len(seen) < 150:
        position = todo.pop()
        options = solution.options(position)
        seen.add(position)
        todo += [after for one in options if (after := position.play(one.move)).outcome is None and after not in seen]
        if {one.value.verdict for one in options} != {
            Verdict.WIN,
            Verdict.LOSS,
        } or position.seat is not course.card.seat:
            continue
        found = costly_idea(course, [position], solution)
        named.add(found.idea)
        if found.idea in ("", LAW):
            continue
        count = course.ideas.index(found.idea) + 1
        for known, wins in ((count, True), (count - 1, False)):
            left = survivors(course.card.prefix(known), position, sight)
            best = [one.move for one in options if one.value.verdict is Verdict.WIN]
            assert (set(left) <= set(best)) == wins, (str(position), found)
    assert len(named) > 1
    assert costly_idea(course, [], solution) == LessonIdea()


def test_of_several_ideas_the_one_missed_most_counts_and_then_the_last() -> None:
    rules = built_in("sum31")
    course, solution = bundled_course(rules), solution_of(rules)
    assert course is not None
    make, guard = (step.exercises[0].position for step in course.steps[:2])
    ideas = {str(make): "make", str(guard): "guard"}
    for first, second in product((make, guard), repeat=2):
        assert costly_idea(course, [first, second], solution).idea == ideas[str(second)]
        assert costly_idea(course, [first, first, second], solution).idea == ideas[str(first)]
