"""What a solution answers: values, options, lines, and errors where there is nothing to answer."""

from __future__ import annotations

import random

import pytest

from tests.each import each
from tests.solver.agreement import best_of
from tests.solver.random_tables import RulesDict, table
from zerosum.base.errors import IllegalPositionError
from zerosum.rules.game_files import GAME_IDS, load_game
from zerosum.rules.model import Seat, rules_from_dict
from zerosum.rules.moves import SWAP
from zerosum.rules.notation import parse_position
from zerosum.rules.position import Position
from zerosum.solver import Solution, Verdict, solve

CHOSEN: RulesDict = {"format": 1, "id": "chosen", "name": "Chosen", "pool": [1, 2, 3, 4], "target": 5}


@pytest.fixture(scope="module", params=GAME_IDS)
def game(request: pytest.FixtureRequest) -> Solution:
    return solve(load_game(request.param))


def played(solution: Solution, dice: random.Random, most: int) -> Position:
    """Return an unfinished position after at most so many random moves that do not end the match."""
    position = solution.start
    for _ in range(dice.randint(0, most)):
        following = [position.play(move) for move in position.legal_moves()]
        open_ones = [after for after in following if after.outcome is None]
        if not open_ones:
            break
        position = dice.choice(open_ones)
    return position


def check_line(solution: Solution, position: Position) -> None:
    """Play best moves: plies fall by one each time, and whoever was said to win does."""
    value = solution.value(position)
    assert value.plies is not None
    person_wins = value.verdict is Verdict.WIN
    line = solution.line(position, value.plies + 5)
    assert len(line) == value.plies
    person = position.seat  # Whose win it is follows the person, who changes seats in a swap.
    for left, move in zip(range(value.plies, 0, -1), line, strict=True):
        now = solution.value(position)
        assert now.plies == left
        if move == SWAP:
            person = person.other
        position = position.play(move)
    assert position.outcome is not None
    assert (position.outcome.winner is person) == person_wins


def test_best_play_ends_when_and_how_it_is_said(game: Solution) -> None:
    dice = random.Random(9)
    for _ in range(60):
        check_line(game, played(game, dice, 14))


def test_best_play_of_random_variants_ends_when_and_how_it_is_said() -> None:
    dice = random.Random(10)
    ended = 0
    for _ in range(150):
        solution = solve(rules_from_dict(table(dice, most=6)))
        for _ in range(5):
            check_line(solution, played(solution, dice, 5))
            ended += 1
    assert ended == 750


def test_options_are_the_legal_moves_best_first(game: Solution) -> None:
    dice = random.Random(11)
    for _ in range(100):
        position = played(game, dice, 12)
        options = game.options(position)
        assert {option.move for option in options} == set(position.legal_moves())
        ranks = [option.value.rank for option in options]
        assert ranks == sorted(ranks, reverse=True)
        assert options[0].value == game.value(position) == best_of(game, position)


def test_a_line_is_cut_where_asked() -> None:
    solution = solve(load_game("sum31"))
    whole = solution.line(solution.start, 100)
    assert [solution.line(solution.start, most) for most in range(9)] == [whole[:most] for most in range(9)]


def test_a_finished_match_has_no_value_and_no_options() -> None:
    rules = load_game("sum31")
    over = parse_position("2,3,4,5 31 2", rules)
    assert over.outcome is not None
    solution = solve(rules)
    with pytest.raises(IllegalPositionError, match="The match is over"):
        solution.value(over)
    assert solution.options(over) == []
    assert solution.line(over, 9) == []


@pytest.mark.parametrize(
    ("game_id", "pool", "totals", "seat"),
    [
        ("sum31", (1, 2, 3), (30,), 1),
        ("sum31", (1, 2, 3, 4, 5, 6, 7, 8), (8,), 2),
        ("sum31", (1, 2, 3, 4, 5, 6, 7, 8), (9,), 1),
        ("sum-to-zero", (-9, 9), (0,), 1),
        ("zero-sum-duel", (1, 2, 3, 4, 5, 6, 7, 8), (8,), 2),
        ("zero-sum-duel", (1, 2, 3, 4, 5, 6, 7, 8), (1_000,), 2),
        ("zero-sum-duel", (9,), (0,), 1),
        ("sequence-zero", (1, 2, 3, 4, 5, 6, 7, 8), (9, 9), 2),
        ("sequence-zero", (1, 2, 3, 4, 5, 6, 7, 8), (9, 0), 1),
        ("sequence-zero", (9,), (0, 1), 1),
    ],
)
def test_a_position_that_cannot_arise_has_no_value(
    game_id: str, pool: tuple[int, ...], totals: tuple[int, ...], seat: int
) -> None:
    """Numbers that do not make the total, the wrong seat, play that went on after its end."""
    rules = load_game(game_id)
    with pytest.raises(IllegalPositionError, match=r"cannot arise|match is over"):
        solve(rules).value(Position(rules, pool, totals, Seat(seat)))


def test_own_totals_that_the_used_numbers_do_not_make() -> None:
    rules = rules_from_dict(CHOSEN | {"totals": "own"})
    solution = solve(rules)
    assert solution.value(Position(rules, (1, 2, 3), (4, 0), Seat.SECOND)).plies
    with pytest.raises(IllegalPositionError, match="cannot arise"):
        solution.value(Position(rules, (1, 2, 3), (4, 1), Seat.SECOND))


def test_what_a_ban_remembers_must_have_been_possible() -> None:
    rules = rules_from_dict(CHOSEN | {"pool": [1, -1, 2, -2], "target": 9, "ban": "mirror"})
    solution = solve(rules)
    assert solution.value(solution.start.play("+2").play("-1")).verdict in Verdict
    # With 2 and -2 used, the second of them undid the first while other moves were left.
    with pytest.raises(IllegalPositionError, match="cannot arise"):
        solution.value(Position(rules, (-1, 1), (0,), Seat.FIRST, solution.start.play("-2").previous))


@each("seed", range(40))
def test_a_swap_is_worth_the_opposite_of_what_it_leaves(seed: int) -> None:
    """And with it, the second ply always has at least what the opening was worth without one."""
    keys = table(random.Random(seed), most=5) | {"swap": True}
    solution, without = solve(rules_from_dict(keys)), solve(rules_from_dict(keys | {"swap": False}))
    for move in solution.start.legal_moves():
        opened = solution.start.play(move)
        if opened.outcome is not None:
            continue
        left = solution.value(opened.play(SWAP))
        assert left == without.value(without.start.play(move))
        (swap,) = [option.value for option in solution.options(opened) if option.move == SWAP]
        assert left.plies is not None
        assert (swap.verdict, swap.plies) == (left.verdict.opposite, left.plies + 1)
        # Whoever may swap has the better side of any opening that goes on.
        assert solution.value(opened).verdict is Verdict.WIN
        assert solution.value(opened).plies == (left.plies if left.verdict is Verdict.WIN else left.plies + 1)


@each("seed", range(30))
def test_a_start_with_a_swap_is_won_only_by_ending_the_match_at_once(seed: int) -> None:
    keys = table(random.Random(100 + seed), most=5) | {"swap": True}
    solution = solve(rules_from_dict(keys))
    ends = [solution.start.play(move).outcome for move in solution.start.legal_moves()]
    at_once = any(outcome is not None and outcome.winner is Seat.FIRST for outcome in ends)
    assert (solution.value(solution.start).verdict is Verdict.WIN) == at_once


@each("seed", range(60))
def test_everything_is_complete(seed: int) -> None:
    """What is listed, as if there were no swap, is closed under moves, and agrees with what is asked."""
    solution = solve(rules_from_dict(table(random.Random(200 + seed), most=5)))
    listed = {position.key: value for position, value in solution.everything()}
    for position, value in solution.everything():
        assert solution.value(position) == value == best_of(solution, position)
        for move in position.legal_moves():
            after = position.play(move)
            assert after.outcome is not None or after.key in listed
