"""Courses: every exercise checked again by a plain definition, every step worth what the table says, the way through.

A reader who goes by the printed words alone solves every exercise; nobody passes a step by luck or by the opposite.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise
from math import prod
from random import Random

import pytest

from tests import naive
from tests.coach.plain_features import Plain
from tests.coach.table_reader import TableReader
from tests.coach.truth import naive_game
from tests.full import FULL, part, parted
from tests.strategy import plain
from tests.strategy.word_reader import WordReader
from zerosum.coach.causes import why, words
from zerosum.coach.course_builder import build_course, course_of, rises
from zerosum.coach.exercises import choice_at, decided, images
from zerosum.coach.learner import (
    AskedExercise,
    Learner,
    Reskin,
    answer_words,
    follow,
    learnt_before,
    next_exercise,
    reason,
    reskin,
    rules_in,
)
from zerosum.coach.lessons import (
    ENOUGH,
    IN_A_ROW,
    STEPS,
    Course,
    Exercise,
    LessonStep,
    course_from,
    course_table,
    expectation,
    for_seat,
)
from zerosum.players.levels import Score
from zerosum.players.policies import chances
from zerosum.rules.game_files import GAME_IDS, built_in, load_text
from zerosum.rules.model import Rules, Seat, Tie
from zerosum.rules.moves import Move, Operation
from zerosum.rules.notation import parse_position
from zerosum.rules.position import Position, PositionKey, start_position
from zerosum.rules.skins import SAME
from zerosum.solver import Solution, solution_of
from zerosum.strategy.card import Rule
from zerosum.strategy.lookahead import Sight

LARGE = ("sum-to-zero", "sequence-zero", "zero-sum-game")
IDEAS = {
    "sum31": ["make", "guard", "hold", "shut-in-two"],
    "sequence-zero": ["make", "guard", "hold", "squeeze-in-two@5", "quiet-threat"],
    "zero-sum-duel": ["make", "guard", "law"],
    "zero-sum-game": ["make", "guard", "law"],
    "sum-to-zero": ["make", "law"],
}
INSTEAD = "In place of the steps, in this order: "
PLACED = re.compile(r"(?:Before step 1|After step (\d)): (.+)")
SMALL = 10
"""Numbers left, at most, in positions that the plain search looks at."""
SEVEN = 'like = "sum31"\nid = "seven"\nname = "Seven"\npool = [1, 2, 3, 4, 5, 6, 7]\ntarget = 22'
FIVE = 'like = "zero-sum-duel"\nid = "five"\nname = "Five"\npool = [1, 2, 3, 4, 5]'


@cache
def course(game: str) -> Course:
    return course_of(built_in(game), solution_of)


def practised(here: Course) -> Iterator[tuple[int, LessonStep]]:
    """Yield the steps that have exercises, each with the number of rules that it takes."""
    return ((n, step) for n, step in enumerate(here.steps, 1) if step.exercises)


def state_of(position: Position) -> naive.State:
    return naive.State(position.pool, position.totals, position.seat.value)


def by_the_law(state: naive.State) -> str:
    """Return the verdict in Zero Sum Game, whose plain search takes long; `tests/solver` holds its law to one."""
    mine = state.totals[state.seat - 1]
    return "win" if state.seat == 1 or -mine in state.pool else "loss"


def is_exercise(rules: Rules, ideas: list[str], exercise: Exercise, one_of: int = 3) -> bool:
    """Say, from the definition alone, whether what the rules leave are the winning moves, and with fewer rules not."""
    endless = rules.tie is Tie.SUDDEN_DEATH
    game, verdict = (naive.GAMES[rules.id], by_the_law) if endless else naive_game(rules)
    table, state = plain.Table(game, rules.target), state_of(exercise.position)

    def wins(move: str) -> bool:
        after = game.play(state, move)
        return after.winner == state.seat if after.winner else verdict(after) == "loss"

    winning = {move for move in game.moves(state) if wins(move)}
    left = [set(plain.survivors(table, ideas[:n], state)) for n in range(len(ideas) + 1)]
    told_all = winning == {exercise.position.text_of(move) for move in exercise.solutions}
    few = 0 < one_of * len(winning) <= len(game.moves(state))
    return told_all and few and left[-1] == winning and winning not in left[:-1]


def ideas_up_to(here: Course, count: int) -> list[str]:
    return [str(rule) for rule in here.card.rules[:count]]


class TestExercises:
    @pytest.mark.parametrize("game", parted(GAME_IDS, LARGE))
    def test_every_exercise_is_one_by_the_definition(self, game: str) -> None:
        here = course(game)
        for count, step in practised(here):
            small = [one for one in step.exercises if len(one.position.pool) <= SMALL]
            assert len(small) >= 3
            for one in small:
                one_of = 3 if step.enough == ENOUGH else 2
                assert is_exercise(here.rules, ideas_up_to(here, count), one, one_of), (step.idea, str(one.position))
                assert one.wrong == len(one.position.legal_moves()) - len(one.solutions)

    def test_the_check_can_fail(self) -> None:
        """The exercises of one step are none of another, and a position in which the opposite wins too is none."""
        here = course("sum31")
        for step in range(1, 4):
            assert not is_exercise(here.rules, ideas_up_to(here, step + 1), here.steps[0].exercises[0])
            assert not is_exercise(here.rules, ideas_up_to(here, 1), here.steps[step].exercises[0])
        loose = parse_position("3,4,6,7 25 2", here.rules)
        assert not is_exercise(here.rules, ["make"], Exercise(loose, (Move(3), Move(4), Move(6))))

    def test_a_small_game_is_searched_whole(self) -> None:
        """Every position of Sum31 by the plain definition, from both seats."""
        here = course("sum31")
        solution, sight = solution_of(here.rules), Sight(here.rules)
        counts: dict[tuple[int, int], int] = {}
        for position, _ in solution.everything():
            choice = choice_at(position, solution) if len(position.pool) > 1 else None
            found = None if choice is None else decided(here.card, choice, sight)
            if found is None or found.exercise is None or not found.exercise.within(3):
                continue
            counts[found.count, position.seat.value] = counts.get((found.count, position.seat.value), 0) + 1
            assert is_exercise(here.rules, ideas_up_to(here, found.count), found.exercise)
        assert counts == {
            (1, 1): 23,
            (1, 2): 24,
            (2, 1): 23,
            (2, 2): 12,
            (3, 1): 15,
            (3, 2): 25,
            (4, 1): 1,
            (4, 2): 33,
            (5, 2): 1,
        }

    @pytest.mark.parametrize("game", GAME_IDS)
    def test_the_fewest_wrong_moves_come_first_and_none_comes_twice(self, game: str) -> None:
        for _, step in practised(course(game)):
            assert [one.wrong for one in step.exercises] == sorted(one.wrong for one in step.exercises)
            assert len({one.position.key for one in step.exercises}) == len(step.exercises)
            assert 6 <= len(step.exercises) <= 12
            assert step.example is not None
            assert step.example.position not in {one.position for one in step.exercises}

    def test_both_seats_are_asked(self) -> None:
        for game in ("sum31", "sequence-zero"):
            for _, step in practised(course(game)):
                if step.idea in {"make", "guard", "hold"}:
                    assert {one.position.seat for one in step.exercises} == set(Seat)

    @pytest.mark.full
    def test_mirrors_show_the_same_exercise_with_other_signs(self) -> None:
        here = course("sequence-zero")
        solution, sight = solution_of(here.rules), Sight(here.rules)
        for count, step in practised(here):
            mirrors = images(here.card.prefix(count), step.exercises[0], solution, sight)
            assert len({one.position.key for one in mirrors}) == len(mirrors) == 4
            for one in mirrors:
                assert is_exercise(here.rules, ideas_up_to(here, count), one)

    def test_totals_of_both_signs_are_asked(self) -> None:
        totals = [one.position.totals[0] for one in course("zero-sum-duel").steps[0].exercises]
        assert min(totals) < 0 < max(totals)

    @pytest.mark.parametrize("keys", [SEVEN, FIVE])
    def test_exercises_of_variants(self, keys: str) -> None:
        here = course_of(load_text(keys), solution_of)
        assert len(here.steps) >= 2
        for count, step in practised(here):
            for one in step.exercises:
                one_of = 3 if step.enough == ENOUGH else 2
                assert is_exercise(here.rules, ideas_up_to(here, count), one, one_of)

    @pytest.mark.parametrize(
        ("keys", "why_not"),
        [
            ('like = "sum31"\nid = "s"\nname = "S"\nswap = true', "seats can be swapped"),
            ('like = "zero-sum-duel"\nid = "ones"\nname = "Ones"\npool = [1, 1, 1]', "In no position"),
        ],
    )
    def test_where_no_course_can_be_made_it_says_why(self, keys: str, why_not: str) -> None:
        here = course_of(load_text(keys), solution_of)
        assert here.steps == ()
        assert why_not in here.why_not


class TestLuck:
    @pytest.mark.parametrize("game", GAME_IDS)
    def test_random_answers_pass_a_step_once_in_27(self, game: str) -> None:
        """Exactly: the chance that random answers to its first exercises are all right."""
        for _, step in practised(course(game)):
            shares = [len(one.solutions) / len(one.position.legal_moves()) for one in step.exercises]
            assert prod(shares[: step.enough]) <= 0.04
            assert step.enough == (ENOUGH if max(shares) <= 1 / 3 + 1e-9 else IN_A_ROW)

    def test_steps_of_which_half_the_moves_are_right_ask_five_in_a_row(self) -> None:
        here = course("sum31")
        half = Exercise(parse_position("2,4,7,8 24 2", here.rules), (Move(7), Move(8)))
        steps = (here.steps[0]._replace(exercises=(half,) * 6), *here.steps[1:])
        assert steps[0].enough == IN_A_ROW
        answers = [("make", True)] * 4 + [("make", False)] + [("make", True)] * 4
        other = replace(here, steps=steps)
        assert follow(other, answers) == replace(follow(other, answers[:1]), right=4, asked=(9, 0, 0, 0), worn=3)
        assert follow(other, [*answers, ("make", True)]).checking

    @pytest.mark.parametrize("game", parted(GAME_IDS, LARGE))
    def test_the_words_alone_solve_every_exercise_and_their_opposite_none(self, game: str) -> None:
        """A reader keeps what the printed sentences of the steps so far do not exclude: these are the right answers."""
        here = course(game)
        start = start_position(here.rules)
        for count, step in practised(here):
            reader = WordReader([one.words for one in here.steps[:count]], start)
            for one in step.exercises:
                assert set(reader.left(one.position)) == set(one.solutions)
                assert 0 < len(one.solutions) < len(one.position.legal_moves())


def plain_score(here: Course, sentences: list[str], who: str, seat: Seat) -> float:
    """Return how often somebody beats a player who goes by sentences, evenly, by a recursion that knows no mirrors."""
    solution, reader = solution_of(here.rules), WordReader(sentences, start_position(here.rules))
    known: dict[PositionKey, float] = {}

    def chance(position: Position) -> float:
        if position.outcome is not None:
            return float(position.outcome.winner is seat)
        if position.key not in known:
            if position.seat is seat:
                left = reader.left(position)
                known[position.key] = sum(chance(position.play(move)) for move in left) / len(left)
            else:
                shares = chances(who, position, solution).items()
                known[position.key] = sum(share * chance(position.play(move)) for move, share in shares if share)
        return known[position.key]

    return chance(start_position(here.rules))


class TestWorth:
    @pytest.mark.parametrize("game", GAME_IDS)
    def test_every_step_raises_some_score_and_lowers_none(self, game: str) -> None:
        here = course(game)
        assert len(here.scores) == here.taught + 1
        for before, after in pairwise(here.scores):
            assert rises(before, after, here.card.seat)
        if here.by_heart:
            assert rises(here.scores[-1], here.by_heart, here.card.seat)
        assert game not in IDEAS or list(here.ideas) == IDEAS[game]
        assert len(here.steps) <= STEPS

    @pytest.mark.parametrize("known", range(5))
    def test_who_follows_the_words_scores_what_the_table_says(self, known: int) -> None:
        here = course("sum31")
        sentences = [step.words for step in here.steps[:known]]
        for score in here.scores[known]:
            for seat in Seat if FULL or score.who in {"random", "level:4", "level:7", "perfect"} else ():
                assert plain_score(here, sentences, score.who, seat) == pytest.approx(for_seat(score, seat), abs=1e-9)

    @pytest.mark.full
    @pytest.mark.parametrize("game", [one for one in GAME_IDS if one not in LARGE])
    def test_the_same_in_the_other_games(self, game: str) -> None:
        here = course(game)
        for known, row in enumerate(here.scores):
            sentences = [step.words for step in here.steps[:known]]
            for score in row:
                for seat in Seat:
                    said = plain_score(here, sentences, score.who, seat)
                    assert said == pytest.approx(for_seat(score, seat), abs=1e-9)

    def test_a_step_that_lowers_a_score_is_no_step(self) -> None:
        before = (Score("random", 0.5, 0.5), Score("level:1", 0.5, 0.5))
        worse = (Score("random", 0.9, 0.4), Score("level:1", 0.9, 0.9))
        assert rises(before, worse, Seat.FIRST)
        assert not rises(before, worse, Seat.SECOND)
        assert not rises(before, before, None)

    def test_in_sum_to_zero_staying_safe_is_no_step_and_the_course_says_so(self) -> None:
        here = course("sum-to-zero")
        assert [str(rule) for rule in here.card.rules[here.taught :]] == ["guard"]
        assert here.left_out == ("stay safe is no step: it wins no more matches",)
        assert all(for_seat(one, Seat.SECOND) == 1 for one in here.scores[1])

    @pytest.mark.parametrize("game", GAME_IDS)
    def test_the_match_is_against_the_first_level_that_is_beaten_less_than_three_times_in_four(self, game: str) -> None:
        here = course(game)
        shares = {one.who: for_seat(one, here.card.seat) for one in here.scores[-1]}
        levels = [f"level:{n}" for n in range(1, 10)]
        hard = next((who for who in levels if shares[who] < 0.75), "perfect")
        assert here.opponent == hard
        said = re.match(r"Expect to win (?:(\d+) of 10|(\w+) )", here.expects)
        assert said is not None
        assert int(said[1] or {"every": 10, "nearly": 10, "fewer": 0}[said[2]]) == round(10 * shares[hard])
        assert ("every match" in here.expects.partition(". ")[0]) is (shares[hard] == 1)

    def test_what_to_expect_in_words(self) -> None:
        assert expectation(0.67, "level:6") == "expect to win 7 of 10 against level 6"
        assert expectation(1, "perfect") == "expect to win every match against perfect play"
        assert expectation(0.999, "level:9") == "expect to win nearly every match against level 9"
        assert expectation(0.02, "perfect") == "expect to win fewer than 1 match of 10 against perfect play"

    def test_where_positions_have_no_end_exercises_alone_decide(self) -> None:
        """Scores in sudden death take minutes."""
        here = course_of(
            load_text('like = "zero-sum-game"\nid = "four"\nname = "Four"\npool = [1, 2, 3, 4]'), solution_of
        )
        assert (here.scores, here.by_heart, here.expects, here.opponent) == ((), (), "", "level:3")
        assert here.steps[0].idea == "guard"


class TestByHeart:
    def test_the_opening_of_sum31_is_followed_by_its_words(self) -> None:
        """It answers every first move, every answer wins, and with it the second player wins against everybody."""
        here = course("sum31")
        (opening,) = here.book
        told = opening.removeprefix("Your first move as the second player: ").removesuffix(".")
        reader = TableReader(Plain(), start_position(here.rules), "you", "they")
        assert reader.meets(told, lambda left: reader.plain.verdict(left) == "loss")
        assert not reader.meets(told.replace("+1", "+5"), lambda left: reader.plain.verdict(left) == "loss")
        assert all(one.as_second == 1 for one in here.by_heart)
        assert (
            here.expects == "Expect to win 6 of 10 against level 6. With the part by heart, expect to win every match."
        )

    @pytest.mark.parametrize("game", parted(GAME_IDS, LARGE))
    def test_rules_by_heart_have_their_place_among_the_steps_and_are_played_by_their_words(self, game: str) -> None:
        """Who plays by all the sentences in this order scores against random moves what the table says."""
        here = course(game)
        sentences = [step.words for step in here.steps if step.exercises]
        told = [one for one in map(PLACED.fullmatch, here.book) if one]
        assert [one[2] for one in told] in ([], [rule.words(here.rules) for rule in here.card.rules[here.taught :]])
        for one in reversed(told):
            sentences.insert(int(one[1] or 0), one[2])
        instead = [one for one in here.book if one.startswith(INSTEAD)]
        if instead:
            sentences = re.split(r"(?<=\.) ", instead[0].removeprefix(INSTEAD))
        if instead or (told and len(told) == len(here.book)):
            score = here.by_heart[0]
            said = plain_score(here, sentences, score.who, here.card.seat or Seat.FIRST)
            assert said == pytest.approx(for_seat(score, here.card.seat), abs=1e-9)

    @pytest.mark.parametrize("game", GAME_IDS)
    def test_an_opening_that_is_told_wins(self, game: str) -> None:
        here = course(game)
        for sentence in here.book:
            found = re.match(r"As the first player, open with (\S+)\. ", sentence)
            if found:
                start = start_position(here.rules)
                move = next(one for one in start.legal_moves() if start.text_of(one) == found[1])
                assert solution_of(here.rules).value(start.play(move)).verdict == "loss"


class TestLaws:
    def test_games_with_a_law_teach_it_with_its_proof(self) -> None:
        for game in GAME_IDS:
            law = solution_of(built_in(game)).law
            taught = [step for step in course(game).steps if step.rule is None]
            assert [step.words for step in taught] == ([law.words] if law else [])
            assert all(step.why and not step.exercises for step in taught)

    def test_the_proof_of_the_duel(self) -> None:
        """With an odd count: the largest number, away from 0, is out of their reach, and wins in every line of play."""
        game = naive.GAMES["zero-sum-duel"]
        for state in _with_odd_count(game, Random(1), part(300, 3_000)):
            move = f"{'+' if state.totals[0] >= 0 else '-'}{max(state.pool)}"
            after = game.play(state, move)
            assert after.winner == state.seat or all(abs(after.totals[0]) > one for one in after.pool)

    def test_the_proof_of_sum_to_zero(self) -> None:
        """With an odd count some number has no partner left, and then they cannot make 0."""
        game = naive.GAMES["sum-to-zero"]
        for state in _with_odd_count(game, Random(2), part(300, 3_000)):
            total = state.totals[0]
            alone = [one for one in state.pool if -(total + one) not in state.pool or 2 * one == -total]
            assert alone
            for one in alone:
                after = game.play(state, f"{one:+d}")
                assert after.winner == state.seat or -after.totals[0] not in after.pool

    def test_the_proof_of_zero_sum_game(self) -> None:
        """When the numbers run out without a 0 the totals cancel, and the round begins again with the first player."""
        game, dice = naive.GAMES["zero-sum-game"], Random(3)
        for _ in range(part(100, 1_000)):
            state = game.start()
            while state.winner is None:
                state = game.play(state, dice.choice(game.moves(state)))
                if state.winner is None and len(state.pool) == 10:
                    assert (sum(state.totals), state.seat) == (0, 1)
                    assert abs(state.totals[0]) > 5 or -state.totals[0] in state.pool
                    break


def _with_odd_count(game: naive.Game, dice: Random, count: int) -> Iterator[naive.State]:
    """Yield states of random matches in which an odd count of numbers is left."""
    for _ in range(count):
        state = game.start()
        while state.winner is None:
            if len(state.pool) % 2:
                yield state
            state = game.play(state, dice.choice(game.moves(state)))


class TestExamples:
    @pytest.mark.parametrize("game", GAME_IDS)
    def test_an_example_is_played_to_its_end_and_says_why(self, game: str) -> None:
        here = course(game)
        solution = solution_of(here.rules)
        for count, step in practised(here):
            example = step.example
            assert example is not None
            at = example.position
            choice = choice_at(at, solution)
            assert choice is not None
            found = decided(here.card, choice, Sight(here.rules))
            assert found is not None
            assert found.count == count
            assert found.exercise is not None
            assert example.line[0] in choice.wins
            assert example.mistake not in choice.wins
            assert example.words == " ".join(words(why(at, example.line[0], solution)))
            assert example.refutation == " ".join(words(why(at, example.mistake, solution)))
            for move in example.line:
                assert at.outcome is None
                at = at.play(move)
            assert at.outcome is not None
            assert at.outcome.winner is example.position.seat

    def test_an_example_in_words(self) -> None:
        example = course("sum31").steps[2].example
        assert example is not None
        assert example.told == [
            "You play +4: the total is 27.",
            "They play +1: the total is 28.",
            "You play +3: the total is 31. You win.",
        ]


class TestTheCourseThatComesWithAGame:
    @pytest.mark.slow
    @pytest.mark.parametrize("game", parted(GAME_IDS, (*LARGE, "to-the-brim")))
    def test_it_is_the_one_that_would_be_built(self, game: str) -> None:
        built = build_course(solution_of(built_in(game)))
        assert course(game) == built == course_from(built.rules, course_table(built))

    @pytest.mark.parametrize("game", GAME_IDS)
    def test_no_question_solves_the_game(self, game: str) -> None:
        here = course_of(built_in(game), _refuse)
        learner = Learner.begin(here.ideas)
        while not learner.done:
            step = here.steps[learner.step]
            if step.exercises:
                assert next_exercise(here, learner).origin in step.exercises
            learner = learner.after(here, right=True)
        assert learner.learnt == set(range(len(here.steps)))

    def test_other_rules_under_the_same_id_have_their_own_course(self) -> None:
        other = replace(built_in("sum31"), target=22)
        with pytest.raises(AssertionError, match="solved"):
            course_of(other, _refuse)
        assert course_of(other, solution_of).steps != course("sum31").steps


def _refuse(rules: Rules) -> Solution:
    raise AssertionError(f"{rules.id} is solved.")


LEARNT = [("make", True)] * 5
"""Three right at the first try, and two in new numbers."""


class TestTheWayThrough:
    def test_three_right_open_new_numbers_and_two_in_a_row_there_learn_the_step(self) -> None:
        here = course("sum31")
        learner = follow(here, [("make", True), ("make", False), ("make", True), ("make", True)])
        assert (learner.step, learner.checking, learner.right, learner.learnt) == (0, True, 0, frozenset())
        learner = follow(here, [*LEARNT[:3], ("make", True), ("make", False), ("make", True)])
        assert (learner.step, learner.checking, learner.right) == (0, True, 1)
        learner = follow(here, LEARNT)
        assert (learner.step, learner.checking, learner.right, learner.learnt) == (1, False, 0, frozenset({0}))

    def test_two_wrong_in_a_row_go_back_and_what_was_learnt_stays_learnt(self) -> None:
        here = course("sum31")
        learner = follow(here, [*LEARNT, ("guard", True), ("guard", False), ("guard", False)])
        assert (learner.step, learner.right, learner.wrong, learner.learnt) == (0, 0, 0, frozenset({0}))
        again = follow(here, [*LEARNT, ("guard", False), ("guard", False), *[("make", True)] * 3])
        assert (again.step, again.checking) == (1, False)
        back = follow(here, [*LEARNT[:3], ("make", False), ("make", False)])
        assert (back.step, back.checking, back.right) == (0, False, 0)
        assert follow(here, [("make", False)] * 4).step == 0

    def test_all_steps_and_no_further(self) -> None:
        here = course("zero-sum-duel")
        answers = [("make", True)] * 5 + [("guard", True)] * 5 + [("law", True)]
        assert follow(here, answers).done
        assert follow(here, [*answers, ("make", False)]).done
        assert not follow(here, answers[:-1]).done

    def test_answers_about_another_idea_are_left_out(self) -> None:
        here = course("sum31")
        assert follow(here, [("guard", True), ("nonsense", False)]) == Learner.begin(here.ideas)

    def test_what_earlier_versions_taught_stays_learnt(self) -> None:
        here = course("sum31")
        right, wrong = ("make", True), ("make", False)
        assert learnt_before([right, wrong, right, right]) == {"make"}
        assert learnt_before([right, right, wrong, wrong, right]) == set()
        learner = follow(here, [], {"make", "guard", "shut-in-two", "smallest"})
        assert (learner.step, learner.learnt) == (2, frozenset({0, 1, 3}))
        learner = follow(here, [("hold", True)] * 5, {"make", "guard", "shut-in-two"})
        assert learner.done

    def test_a_learner_is_written_as_numbers(self) -> None:
        here = course("sum31")
        learner = follow(here, [*LEARNT, ("guard", True), ("guard", False)])
        assert Learner.read(learner.numbers) == learner
        assert Learner.read([9, 9, 9, 1, 3, 255, 1, 1]).learnt == {0, 1}


class TestNewNumbers:
    def test_no_numbers_come_twice(self) -> None:
        here = course("sum31")
        skins = [reskin(here, n).skin for n in range(300)]
        assert len(set(skins)) == 300
        assert (skins[0].k, skins[0].shift) == (1, 0)

    def test_exercises_come_again_only_in_new_numbers(self) -> None:
        here = course("zero-sum-duel")
        learner = Learner.begin(here.ideas)
        seen = set()
        for n in range(60):
            asked = next_exercise(here, learner)
            seen.add((str(asked.shown.position), asked.shown.position.rules.target))
            learner = replace(learner.after(here, right=n % 2 == 0), step=0, learnt=frozenset())
        assert len(seen) == 60

    @pytest.mark.parametrize("game", parted(GAME_IDS, LARGE))
    def test_an_exercise_is_one_in_new_numbers_too_and_its_reasons_are_those_of_that_game(self, game: str) -> None:
        """The game in new numbers is solved and explained on its own, and read by its own words."""
        here = course(game)
        number = 1 + GAME_IDS.index(game)
        worn = reskin(here, number)
        rules = replace(worn.rules, id="worn")
        solution, start = solution_of(rules), start_position(rules)
        for count, step in practised(here):
            reader = WordReader([worn.words(rule) for rule in here.card.rules[:count]], start)
            for one in step.exercises[:: part(4, 1)]:
                asked = AskedExercise(number, worn, one)
                shown = replace(asked.shown.position, rules=rules)
                choice = choice_at(shown, solution)
                assert choice is not None
                assert choice.wins == asked.shown.solutions
                assert set(reader.left(shown)) == set(choice.wins)
                for move in shown.legal_moves():
                    own = AskedExercise(0, Reskin(SAME, rules), Exercise(*choice))
                    assert reason(asked, move, solution_of(here.rules)) == reason(own, move, solution)

    def test_rules_with_arguments_are_worn_too(self) -> None:
        here = course("sum31")
        worn = reskin(here, 2)
        assert (worn.skin.k, worn.skin.shift, worn.rules.target) == (4, 14, 138)
        assert worn.words(Rule.read("leave:24")) == "Leave the total at 110."
        assert worn.words(Rule.read("open:6")) == "Open with 24."
        assert worn.words(Rule.read("make")) == "Make 138 if you can."
        assert rules_in(here.rules, 2) == worn.rules

    def test_a_move_and_a_position_come_back(self) -> None:
        here = course("sequence-zero")
        worn = reskin(here, 5)
        for one in here.steps[2].exercises:
            shown = worn.exercise(one)
            assert worn.origin(shown.position, here.rules) == one.position
            assert tuple(map(worn.move_behind, shown.solutions)) == one.solutions


class TestWords:
    def test_an_answer_is_judged_by_the_board(self) -> None:
        here = course("sum31")
        position = parse_position("3,4,6,8 24 2", here.rules)
        asked, solution = _as_it_is(here, position), solution_of(here.rules)
        assert {position.text_of(move): reason(asked, move, solution) for move in position.legal_moves()} == {
            "+3": "It leaves 27, and 4 is still there.",
            "+4": "It leaves 28, and 3 is still there.",
            "+6": "Every number left takes them past 31.",
            "+8": "+8 passes 31.",
        }

    def test_a_wrong_answer_in_a_law_game_says_who_moves_last(self) -> None:
        here = course("zero-sum-duel")
        position = parse_position("1,2,5,7,8,9 -5 2", here.rules)
        asked, solution = _as_it_is(here, position), solution_of(here.rules)
        odd = "5 numbers are left, an odd count, so they move last."
        assert reason(asked, Move(9, Operation.SUBTRACT), solution) == odd
        assert reason(asked, Move(7), solution) == "It leaves 2, and 2 is still there."
        worn = asked._replace(numbers=1, reskin=reskin(here, 1))
        assert reason(worn, Move(27, Operation.SUBTRACT), solution) == odd
        assert reason(worn, Move(21), solution) == "It leaves 13, and 6 is still there."

    def test_the_answer_names_all_that_wins(self) -> None:
        rules = built_in("sum31")
        assert answer_words(Exercise(parse_position("4,5,6,8 22 2", rules), (Move(6), Move(8)))) == (
            "+6 or +8; the 2 other moves lose."
        )
        assert answer_words(Exercise(parse_position("6,9 30 2", rules), (Move(6),))) == "+6; the 1 other move loses."


def _as_it_is(here: Course, position: Position) -> AskedExercise:
    choice = choice_at(position, solution_of(here.rules))
    assert choice is not None
    return AskedExercise(0, reskin(here, 0), Exercise(*choice))
