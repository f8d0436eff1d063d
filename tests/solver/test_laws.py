"""Laws: the whole truth in one sentence, never with an exception, and the conditions under which their proofs hold.

Here a law is tried again from the rules alone: a value is looked up, a move that lands on the target is looked for by
playing every move.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest

from tests.each import each
from tests.solver.random_tables import RulesDict, table
from zerosum.base.progress import silent
from zerosum.rules.game_files import load_game
from zerosum.rules.model import Reaching, Rules, Seat, rules_from_dict
from zerosum.rules.outcome import Reason
from zerosum.rules.position import Position, can_make
from zerosum.solver import MEMORY, SOLVERS, Fact, Solution, SolverError, Value, Verdict, solve
from zerosum.solver.supports import SUPPORTED, Method, supports

FACTS: dict[Fact, Callable[[Position], bool]] = {
    Fact.ODD: lambda position: len(position.pool) % 2 == 1,
    Fact.EVEN: lambda position: len(position.pool) % 2 == 0,
    Fact.FIRST: lambda position: position.seat is Seat.FIRST,
    Fact.SECOND: lambda position: position.seat is Seat.SECOND,
    Fact.NONE: lambda _position: False,
}
"""The facts, written again."""
DUEL: RulesDict = {"target": 0, "operations": ["add", "subtract"]}
GAME: RulesDict = {"target": 0, "totals": "own", "exhausted": "closest", "tie": "sudden-death"}


def rules_of(keys: RulesDict) -> Rules:
    return rules_from_dict({"format": 1, "id": "family", "name": "Family", **keys})


def makes(position: Position) -> bool:
    """Whether some move lands exactly on the target and wins, by playing every move."""
    ends = (position.play(move).outcome for move in position.legal_moves())
    return any(end is not None and end.reason is Reason.REACHED_TARGET and end.winner is position.seat for end in ends)


def free_of_exceptions(everything: Iterator[tuple[Position, Value]]) -> set[Fact]:
    """Return the facts whose laws hold of every position."""
    facts = set(Fact)
    for position, value in everything:
        now = makes(position)
        facts = {fact for fact in facts if ((now or FACTS[fact](position)), False) == wins_or_draws(value)}
    return facts


def wins_or_draws(value: Value) -> tuple[bool, bool]:
    return value.verdict is Verdict.WIN, value.verdict is Verdict.DRAW


def law_id(keys: RulesDict) -> str | None:
    law = solve(rules_of(keys)).law
    return None if law is None else law.id


def upto(most: int) -> list[int]:
    return list(range(1, most + 1))


def both_ways(most: int) -> list[int]:
    return [*range(-most, 0), *upto(most)]


class TestTheFiveGames:
    @pytest.mark.parametrize(
        ("game", "law"),
        [
            ("zero-sum-duel", "make-or-odd"),
            ("sum-to-zero", "make-or-odd"),
            ("zero-sum-game", "make-or-first"),
            ("sum31", None),
            ("sequence-zero", None),
        ],
    )
    def test_three_have_a_law(self, game: str, law: str | None) -> None:
        found = solve(load_game(game)).law
        assert (found.id if found else None) == law

    @pytest.mark.slow
    @pytest.mark.parametrize("game", ["zero-sum-duel", "zero-sum-game"])
    def test_it_has_no_exception_in_any_position(self, game: str) -> None:
        solution = solve(load_game(game))
        law = solution.law
        assert law is not None
        count = 0
        for position, value in solution.everything():
            now = makes(position)
            assert can_make(position) is now, position
            assert (now or FACTS[law.fact](position)) is (value.verdict is Verdict.WIN), position
            count += 1
        assert count > 9_000

    @pytest.mark.slow
    def test_nor_in_sum_to_zero(self) -> None:
        """Its quarter of a million positions, by what `everything` yields and no play: a number is left, or is not."""
        solution = solve(load_game("sum-to-zero"))
        exceptions = sum(
            (-position.totals[0] in position.pool or len(position.pool) % 2 == 1) is not (value.verdict is Verdict.WIN)
            for position, value in solution.everything()
        )
        assert exceptions == 0

    def test_rounds_far_out_obey_it_too(self) -> None:
        """The values of rounds that no board lays out follow from others, and so does the law."""
        rules = load_game("zero-sum-game")
        solution = solve(rules)
        dice = random.Random("far out")
        for _ in range(2_000):
            far = dice.choice((-1, 1)) * dice.randint(60, 100_000)
            position = Position(rules, rules.pool, (far, -far), Seat.FIRST)
            for _ in range(dice.randrange(10)):
                position = position.play(dice.choice(position.legal_moves()))
            law = solution.law
            assert law is not None
            assert solution.value(position).verdict is law.verdict(position)

    def test_how_often_odd_and_even_are_wrong_in_sum31(self) -> None:
        wrong = 0
        for position, value in solve(load_game("sum31")).everything():
            said = makes(position) or len(position.pool) % 2 == 1
            wrong += said is not (value.verdict is Verdict.WIN)
        assert wrong == 175


class TestFamilies:
    """Where the proofs in `docs/games` hold, the law holds."""

    @pytest.mark.parametrize("most", range(1, 11))
    def test_duel_on_one_to(self, most: int) -> None:
        assert law_id(DUEL | {"pool": upto(most)}) in {"make-or-odd", "odd"}

    @pytest.mark.parametrize("most", range(1, 8))
    def test_sum_to_zero_on_both_ways_to(self, most: int) -> None:
        assert law_id({"target": 0, "pool": both_ways(most)}) == "make-or-odd"

    @pytest.mark.parametrize("most", range(2, 6))
    def test_zero_sum_game_on_both_ways_to(self, most: int) -> None:
        assert law_id(GAME | {"pool": both_ways(most)}) == "make-or-first"

    @each("seed", range(25))
    def test_adding_and_subtracting_from_any_pool_whose_largest_number_stands_alone(self, seed: int) -> None:
        """Or which is even in count, or where play does not begin on the target: any of the three is enough."""
        dice = random.Random(f"duel/{seed}")
        pool = [dice.choice((-1, 1)) * dice.randint(1, 9) for _ in range(dice.randint(1, 7))]
        start, target = dice.randint(-5, 5), dice.randint(-5, 5)
        largest = max(map(abs, pool))
        alone = sum(abs(number) == largest for number in pool) == 1
        if start == target and len(pool) % 2 and not alone:
            pool.append(dice.choice((-1, 1)) * dice.randint(1, 9))
        solution = solve(rules_of(DUEL | {"pool": pool, "start": start, "target": target}))
        assert Fact.ODD in free_of_exceptions(solution.everything())
        assert solution.law is not None

    @each("seed", range(25))
    def test_adding_from_any_pool_without_repeats(self, seed: int) -> None:
        """Whatever the start and the target are."""
        dice = random.Random(f"sum/{seed}")
        pool = dice.sample([number for number in range(-15, 16) if number], dice.randint(1, 9))
        solution = solve(rules_of({"pool": pool, "start": dice.randint(-9, 9), "target": dice.randint(-20, 20)}))
        assert Fact.ODD in free_of_exceptions(solution.everything())
        assert solution.law is not None

    def test_not_where_the_conditions_fail(self) -> None:
        assert law_id(DUEL | {"pool": [1, 1, 1]}) is None
        assert law_id({"target": 0, "pool": [-1, 1, 1, 2, -2, -2, -1]}) is None


class TestMethods:
    """However a game is solved, the same laws are found, and they are those that hold."""

    @each("seed", range(40))
    def test_agree_with_a_plain_comparison(self, seed: int) -> None:
        dice = random.Random(f"laws/{seed}")
        rules = rules_from_dict(table(dice, most=6) | {"swap": False})
        for method in (*SUPPORTED, Method.PLAYING):
            if method is Method.MASKS or (method is not Method.PLAYING and not supports(method, rules)):
                continue
            if method is not Method.REACHING and method is not Method.PLAYING and max(map(abs, rules.pool)) > 1_000:
                continue
            solved = SOLVERS[method](rules, MEMORY, silent)
            facts, _ = solved.laws()
            assert facts == free_of_exceptions(solved.everything()), (method, rules)

    @each("seed", range(25))
    def test_agree_where_pools_are_refilled(self, seed: int) -> None:
        dice = random.Random(f"laws of rounds/{seed}")
        keys = table(dice, most=4, sudden_death=True) | {"swap": False}
        if max(map(abs, keys["pool"])) > 1_000:
            keys["pool"] = [dice.randint(-4, 4) or 5 for _ in range(dice.randint(1, 4))]
            keys["target"] = dice.randint(-3, 3)
            keys.pop("overshoot", None)
        try:
            solution = solve(rules_from_dict(keys))
        except SolverError:
            return
        facts, _ = solution.solved.laws()
        assert facts == free_of_exceptions(solution.everything()), keys

    def test_some_random_variants_have_laws_and_some_have_none(self) -> None:
        """So that the agreement above is not one of empty sets."""
        found = []
        for seed in range(60):
            rules = rules_from_dict(table(random.Random(f"laws/{seed}"), most=6) | {"swap": False})
            law = solve(rules).law
            found.append(law.id if law else None)
        assert None in found
        assert len(set(found)) >= 4

    def test_no_law_where_seats_can_be_swapped(self) -> None:
        assert law_id(DUEL | {"pool": [1, 2, 3], "swap": True}) is None


class TestWords:
    def test_name_the_target_and_the_fact(self) -> None:
        law = solve(rules_of({"pool": [1, 2, 3, 4], "target": 7})).law
        assert law is not None
        assert law.words == (
            "The player to move wins if they can make 7 now, or if an odd number of numbers is left; "
            "otherwise they lose."
        )

    def test_do_not_speak_of_a_target_that_nobody_can_make(self) -> None:
        law = solve(rules_of({"pool": [2, 4, 6], "target": 7})).law
        assert law is not None
        assert (law.id, law.words) == (
            "odd",
            "The player to move wins if an odd number of numbers is left; otherwise they lose.",
        )

    def test_where_reaching_the_target_loses_it_is_not_made(self) -> None:
        solution: Solution = solve(rules_of({"pool": [1, 2, 3], "target": 3, "reaching": "loses"}))
        assert solution.rules.reaching is Reaching.LOSES
        assert not any(can_make(position) for position, _ in solution.everything())
