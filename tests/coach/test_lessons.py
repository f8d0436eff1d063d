"""Courses: every exercise checked again by a plain definition, every step worth something, and the way through them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest

from tests import naive
from tests.coach.truth import naive_game
from tests.full import parted
from tests.strategy import plain
from zerosum.coach.course_builder import build_course, course_of, learnt, rises
from zerosum.coach.exercises import exercise_at, find_exercises, images
from zerosum.coach.learner import Learner, answer_words, follow, next_exercise, right_answer_words, wrong_answer_words
from zerosum.coach.lessons import Course, Exercise, for_seat
from zerosum.players.levels import Score
from zerosum.rules.game_files import GAME_IDS, built_in, load_game, load_text
from zerosum.rules.model import Rules, Seat, Tie
from zerosum.rules.notation import parse_position
from zerosum.solver import Solution, solution_of
from zerosum.strategy.card import Card, Rule
from zerosum.strategy.card_figures import against
from zerosum.strategy.lookahead import Sight

IDEAS = {
    "sum31": ["make", "guard", "shut-in-two", "smallest"],
    "sequence-zero": ["make", "guard", "squeeze-in-two@5", "quiet-threat", "nearest"],
    "zero-sum-duel": ["make", "guard"],
    "zero-sum-game": ["make", "guard"],
    "sum-to-zero": ["make"],
    "last-straw": ["guard", "shut-in-two", "smallest"],
    "seventeen": ["make", "guard", "smallest"],
    "campfire": ["guard", "squeeze-in-two"],
}
OPPONENTS = {
    "sum31": "level:6",
    "sequence-zero": "level:7",
    "zero-sum-duel": "level:1",
    "zero-sum-game": "level:3",
    "sum-to-zero": "level:3",
    "last-straw": "level:6",
    "seventeen": "level:6",
    "campfire": "level:6",
}
SMALL = 10
"""Numbers left, at most, in positions that the plain search looks at."""
SEVEN = 'like = "sum31"\nid = "seven"\nname = "Seven"\npool = [1, 2, 3, 4, 5, 6, 7]\ntarget = 22'
FIVE = 'like = "zero-sum-duel"\nid = "five"\nname = "Five"\npool = [1, 2, 3, 4, 5]'


@cache
def course(game: str) -> Course:
    return course_of(built_in(game), solution_of)


def state_of(exercise: Exercise) -> naive.State:
    position = exercise.position
    return naive.State(position.pool, position.totals, position.seat.value)


def by_the_law(state: naive.State) -> str:
    """Return the verdict in Zero Sum Game, whose plain search takes long; `tests/solver` holds its law to one."""
    mine = state.totals[state.seat - 1]
    return "win" if state.seat == 1 or -mine in state.pool else "loss"


def is_exercise(rules: Rules, ideas: list[str], exercise: Exercise) -> bool:
    """Say, from the definition alone, whether the last of some rules decides here, and the solutions are all wins."""
    endless = rules.tie is Tie.SUDDEN_DEATH
    game, verdict = (naive.GAMES[rules.id], by_the_law) if endless else naive_game(rules)
    table, state = plain.Table(game, rules.target), state_of(exercise)

    def wins(move: str) -> bool:
        after = game.play(state, move)
        return after.winner == state.seat if after.winner else verdict(after) == "loss"

    winning = {move for move in game.moves(state) if wins(move)}
    real = winning and winning != set(game.moves(state))
    decides = set(plain.survivors(table, ideas, state)) <= winning
    earlier = all(not set(plain.survivors(table, ideas[:n], state)) <= winning for n in range(len(ideas)))
    told_all = winning == {exercise.position.text_of(move) for move in exercise.solutions}
    return bool(real) and decides and earlier and told_all


def prefix(course: Course, step: int) -> list[str]:
    return [str(rule) for rule in course.card.rules[: course.steps[step].count]]


class TestExercises:
    @pytest.mark.parametrize("game", parted(GAME_IDS, ("sum-to-zero", "sequence-zero", "zero-sum-game")))
    def test_every_exercise_is_one_by_the_definition(self, game: str) -> None:
        here = course(game)
        assert [step.idea for step in here.steps] == IDEAS[game]
        for n, step in enumerate(here.steps):
            small = [one for one in step.exercises if len(one.position.pool) <= SMALL]
            assert len(small) >= 3
            for one in small[:6]:
                assert is_exercise(here.rules, prefix(here, n), one), (step.idea, str(one.position))
                assert one.position.seat is here.card.seat
                assert one.wrong == len(one.position.legal_moves()) - len(one.solutions)

    def test_the_check_can_fail(self) -> None:
        """The exercises of one step are none of another."""
        here = course("sum31")
        for step in range(1, 4):
            assert not is_exercise(here.rules, prefix(here, step), here.steps[0].exercises[0])
            assert not is_exercise(here.rules, prefix(here, 0), here.steps[step].exercises[0])

    def test_a_small_game_is_searched_whole(self) -> None:
        """Every position of Sum31 by the plain definition; what is given is spread over all of them."""
        rules, card = built_in("sum31"), course("sum31").card
        solution, sight = solution_of(rules), Sight(rules)
        counts = [0] * 5
        for position, _ in solution.everything():
            found = exercise_at(card, position, solution, sight) if position.seat is card.seat else None
            if found is not None:
                counts[found[0]] += 1
                assert is_exercise(rules, [str(rule) for rule in card.rules[: found[0]]], found[1])
        assert counts == [0, 47, 21, 75, 8]
        assert len(find_exercises(card, solution, sight)[4]) == 8

    @pytest.mark.parametrize("game", parted(GAME_IDS, ("sum-to-zero", "sequence-zero", "zero-sum-game")))
    def test_the_fewest_wrong_moves_come_first_and_none_comes_twice(self, game: str) -> None:
        for step in course(game).steps:
            assert [one.wrong for one in step.exercises] == sorted(one.wrong for one in step.exercises)
            assert len({one.position.key for one in step.exercises}) == len(step.exercises) <= 12

    def test_mirrors_show_the_same_exercise_with_other_signs(self) -> None:
        here = course("sequence-zero")
        solution, sight = solution_of(here.rules), Sight(here.rules)
        for n, step in enumerate(here.steps):
            mirrors = images(here.card, step.exercises[0], solution, sight)
            assert len({one.position.key for one in mirrors}) == len(mirrors) == 4
            for one in mirrors:
                assert is_exercise(here.rules, prefix(here, n), one)

    def test_totals_of_both_signs_are_asked(self) -> None:
        totals = [one.position.totals[0] for one in course("zero-sum-duel").steps[0].exercises]
        assert min(totals) < 0 < max(totals)

    @pytest.mark.parametrize("keys", [SEVEN, FIVE])
    def test_exercises_of_variants(self, keys: str) -> None:
        here = course_of(load_text(keys), solution_of)
        assert len(here.steps) >= 2
        for n, step in enumerate(here.steps):
            assert len(step.exercises) >= 3
            for one in step.exercises:
                assert is_exercise(here.rules, prefix(here, n), one)

    @pytest.mark.parametrize(
        ("keys", "why"),
        [
            ('like = "sum31"\nid = "s"\nname = "S"\nswap = true', "seats can be swapped"),
            ('like = "zero-sum-duel"\nid = "ones"\nname = "Ones"\npool = [1, 1, 1]', "In no position"),
        ],
    )
    def test_where_no_course_can_be_made_it_says_why(self, keys: str, why: str) -> None:
        here = course_of(load_text(keys), solution_of)
        assert here.steps == ()
        assert why in here.why_not


def test_where_positions_have_no_end_exercises_alone_decide() -> None:
    """Scores in sudden death take minutes; and where reaching the target loses, no rule says to reach it."""
    four = load_text('like = "zero-sum-game"\nid = "four"\nname = "Four"\npool = [1, 2, 3, 4]')
    here = course_of(four, solution_of)
    assert (here.scores, here.opponent) == ({}, "level:3")
    assert [step.idea for step in here.steps] == ["guard"]
    loses = load_text('like = "sum31"\nid = "loses"\nname = "Loses"\nreaching = "loses"')
    assert Rule("make").words(loses) == "Win at once if you can."
    assert Rule("guard").words(loses) == "Never make 31 or pass it, and never leave them a win at once."


class TestWorth:
    @pytest.mark.parametrize("game", GAME_IDS)
    def test_every_step_raises_some_score_and_lowers_none(self, game: str) -> None:
        here = course(game)
        counts = [0, *(step.count for step in here.steps)]
        for before, after in pairwise(counts):
            gains = [
                for_seat(new, here.card.seat) - for_seat(old, here.card.seat)
                for old, new in zip(here.scores[before], here.scores[after], strict=True)
            ]
            assert min(gains) >= 0
            assert max(gains) > 0.001
        assert here.opponent == OPPONENTS[game]

    @pytest.mark.full
    def test_in_sum_to_zero_guarding_decides_positions_but_raises_no_score(self) -> None:
        here = course("sum-to-zero")
        found = find_exercises(here.card, solution_of(here.rules), Sight(here.rules))
        assert len(found[2]) >= 3
        assert [str(rule) for rule in here.untaught] == ["guard"]
        assert all(for_seat(one, Seat.SECOND) == 1 for one in here.scores[1])

    def test_scores_that_come_with_a_card_are_computed_again(self) -> None:
        here = course("sum31")
        for count, known in here.scores.items():
            for ours, theirs in zip(against(learnt(here.card, count), Sight(here.rules)), known, strict=True):
                assert ours.who == theirs.who
                assert (ours.as_first, ours.as_second) == pytest.approx((theirs.as_first, theirs.as_second), abs=1e-9)

    def test_a_step_that_lowers_a_score_is_no_step(self) -> None:
        before = (Score("random", 0.5, 0.5), Score("level:1", 0.5, 0.5))
        worse = (Score("random", 0.9, 0.4), Score("level:1", 0.9, 0.9))
        assert rises(before, worse, Seat.FIRST)
        assert not rises(before, worse, Seat.SECOND)
        assert not rises(before, before, None)


class TestTheCourseThatComesWithAGame:
    @pytest.mark.parametrize("game", parted(GAME_IDS, ("sum-to-zero", "sequence-zero", "zero-sum-game", "campfire")))
    def test_it_is_the_one_that_would_be_built(self, game: str) -> None:
        assert course(game) == build_course(solution_of(built_in(game)))

    @pytest.mark.parametrize("game", GAME_IDS)
    def test_no_first_question_solves_the_game(self, game: str) -> None:
        here = course_of(built_in(game), _refuse)
        for n, step in enumerate(here.steps):
            asked = tuple(len(step.exercises) - 1 for step in here.steps)
            assert next_exercise(here, Learner(step=n, asked=asked), _refuse) == step.exercises[-1]

    def test_other_rules_under_the_same_id_have_their_own_course(self) -> None:
        other = replace(built_in("sum31"), target=22)
        with pytest.raises(AssertionError, match="solved"):
            course_of(other, _refuse)
        assert course_of(other, solution_of).steps != course("sum31").steps


def _refuse(rules: Rules) -> Solution:
    raise AssertionError(f"{rules.id} is solved.")


class TestTheWayThrough:
    def test_three_right_open_the_next_step_and_two_wrong_in_a_row_go_back(self) -> None:
        here = course("sum31")
        learner = follow(here, [("make", True), ("make", False), ("make", True), ("make", True)])
        assert (learner.step, learner.right, learner.wrong) == (1, 0, 0)
        learner = follow(here, [*[("make", True)] * 3, ("guard", True), ("guard", False), ("guard", False)])
        assert (learner.step, learner.right, learner.wrong) == (0, 0, 0)
        assert follow(here, [("make", False)] * 4).step == 0

    def test_a_wrong_answer_between_right_ones_does_not_go_back(self) -> None:
        answers = [*[("make", True)] * 3, ("guard", False), ("guard", True), ("guard", False)]
        assert follow(course("sum31"), answers).step == 1

    def test_all_steps_and_no_further(self) -> None:
        here = course("sum31")
        answers = [(step.idea, True) for step in here.steps for _ in range(3)]
        assert follow(here, answers).done(here)
        assert follow(here, [*answers, ("make", False)]).done(here)
        assert not follow(here, answers[:-1]).done(here)

    def test_answers_about_another_idea_are_left_out(self) -> None:
        assert follow(course("sum31"), [("guard", True), ("nonsense", False)]) == Learner()

    def test_exercises_come_again_only_after_all_and_then_with_other_signs(self) -> None:
        here = course("zero-sum-duel")
        count = len(here.steps[0].exercises)
        asked = [next_exercise(here, Learner(asked=(n, 0)), solution_of) for n in range(2 * count)]
        assert len({one.position.key for one in asked}) == 2 * count


class TestWords:
    def test_a_wrong_answer_is_told_what_follows_and_the_idea(self) -> None:
        rules = built_in("sum31")
        solution = solution_of(rules)
        position = parse_position("4,5,6,8 22 2", rules)
        found = exercise_at(course("sum31").card, position, solution, Sight(rules))
        assert found is not None
        wrong = next(move for move in position.legal_moves() if position.text_of(move) == "+4")
        assert (
            wrong_answer_words(found[1], wrong, solution, "The rule.")
            == "After +4 the other side plays +5, and wins. The rule."
        )
        assert {position.text_of(move) for move in found[1].solutions} == {"+6", "+8"}
        assert (
            right_answer_words(found[1], found[1].solutions[0]) == "+6 keeps the win; 2 other moves would have lost it."
        )

    def test_a_right_answer_that_the_idea_does_not_pick(self) -> None:
        rules = built_in("sum31")
        position = parse_position("3,4,6,7 25 2", rules)
        found = exercise_at(course("sum31").card, position, solution_of(rules), Sight(rules))
        assert found is not None
        said = [right_answer_words(found[1], move) for move in found[1].solutions]
        assert said[0] == "+3 keeps the win too; the idea of this step picks +6."
        assert said[2] == "+6 wins at once."
        assert answer_words(found[1]) == "+6; +3 and +4 win too."

    def test_the_game_of_a_file(self) -> None:
        card = Card(Seat.SECOND, (Rule("make"),))
        rules = load_game("docs/variants/sum21.toml")
        found = find_exercises(card, solution_of(rules), Sight(rules))
        assert set(found) == {1}
