"""What computer players do, position by position."""

from __future__ import annotations

from itertools import islice, pairwise

import pytest

from tests.full import part, parted
from tests.players.remembering import solved
from zerosum.players import choose
from zerosum.players.levels import LEVELS, STRENGTHS
from zerosum.players.policies import chances
from zerosum.rules.game_files import GAME_IDS, load_game
from zerosum.rules.model import Overshoot, Rules
from zerosum.rules.position import Position
from zerosum.solver import Solution, Value, Verdict, solve
from zerosum.solver.graph_passes import best_traps, chances_of
from zerosum.solver.value import FAR

SMALL = ("sum31", "zero-sum-duel")
STRONG = ("level:7", "level:8", "level:9", "perfect")


def replies_that_win(solution: Solution, position: Position) -> int:
    if position.outcome is not None:
        return 0
    return sum(option.value.verdict is Verdict.WIN for option in solution.options(position))


@pytest.mark.slow
@pytest.mark.parametrize("who", list(STRENGTHS))
@pytest.mark.parametrize("game", SMALL)
def test_chances_are_a_distribution_over_the_legal_moves(game: str, who: str) -> None:
    step = 1 if game == "sum31" else part(20, 1)
    for position, _ in islice(solved(game).everything(), 0, None, step):
        found = chances(who, position, solved(game))
        assert set(found) == set(position.legal_moves())
        assert min(found.values()) >= 0
        assert sum(found.values()) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("n", range(3, 10))
@pytest.mark.parametrize("game", SMALL)
def test_from_level_3_on_a_win_at_once_is_never_missed(game: str, n: int) -> None:
    seen = 0
    for position, value in solved(game).everything():
        if value == Value(Verdict.WIN, 1):
            seen += 1
            for move, chance in chances(f"level:{n}", position, solved(game)).items():
                after = position.play(move)
                assert not chance or (after.outcome is not None and after.outcome.winner is position.seat)
    assert seen


def test_level_1_and_2_may_miss_a_win_at_once() -> None:
    position = Position(load_game("sum31"), (1, 4, 9), (30,), solved("sum31").start.seat)
    for who in ("level:1", "level:2"):
        assert min(chances(who, position, solved("sum31")).values()) > 0


def test_slips_shrink_and_sights_grow_with_the_level() -> None:
    levels = list(LEVELS.values())
    for low, high in pairwise(levels):
        assert low.slip > high.slip
        assert low.sight <= high.sight
    assert [n for n, level in LEVELS.items() if level.sure] == [3, 4, 5, 6, 7, 8, 9]
    assert [n for n, level in LEVELS.items() if level.traps] == [7, 8, 9]


def test_a_level_plays_alike_whatever_lies_beyond_its_sight() -> None:
    level = STRENGTHS["level:5"]
    beyond = level.sight + 1
    unknown = chances_of([level], [FAR - beyond, beyond - FAR, 0, beyond + 7 - FAR], list)[0]
    assert unknown == pytest.approx([0.25] * 4)
    seen = chances_of([level], [FAR - level.sight, beyond - FAR, 0, level.sight - FAR], list)[0]
    assert seen == pytest.approx([1 - level.slip * 3 / 4, *[level.slip / 4] * 3])


def test_the_best_trap_leaves_the_fewest_winning_replies_then_takes_longest() -> None:
    assert best_traps([4 - FAR, 6 - FAR, 6 - FAR, 8 - FAR], [2, 2, 2, 3]) == [1, 2]


def test_what_loses_at_once_or_to_a_win_at_once_is_no_trap() -> None:
    assert best_traps([1 - FAR, 2 - FAR, 4 - FAR], [0, 1, 5]) == [2]
    assert best_traps([1 - FAR, 2 - FAR, 2 - FAR], [0, 4, 1]) == [2]


@pytest.mark.slow
@pytest.mark.parametrize("who", STRONG)
@pytest.mark.parametrize("game", SMALL)
def test_strong_players_who_see_that_they_are_lost_set_the_best_trap(game: str, who: str) -> None:
    """Counted here from the rules and the solution, move by move."""
    solution = solved(game)
    lost = 0
    step = 1 if game == "sum31" else part(7, 1)
    for position, value in islice(solution.everything(), 0, None, step):
        if value.verdict is not Verdict.LOSS or (value.plies or 0) > STRENGTHS[who].sight:
            continue
        lost += 1
        ranks = {}
        for option in solution.options(position):
            after = position.play(option.move)
            plies = option.value.plies or 0
            ranks[option.move] = (min(plies, 3), -replies_that_win(solution, after), plies)
        best = {move for move, rank in ranks.items() if rank == max(ranks.values())}
        assert {move for move, chance in chances(who, position, solution).items() if chance} == best
    assert lost > 50


@pytest.mark.slow
@pytest.mark.parametrize("game", parted(GAME_IDS, ("sum-to-zero", "sequence-zero", "zero-sum-game")))
def test_perfect_never_loses_from_a_won_position(game: str) -> None:
    """All positions of all games; of Zero Sum Game, all those of the rounds that begin at most 48 from the target.

    Every move that perfect may choose wins at once, or leads to a position that is lost for the opponent one ply
    sooner: whatever the reply, it is won again, sooner still. By induction over the plies no match is ever lost.
    """
    solution = solved(game)
    won = 0
    rounds = set()
    for position, value in solution.everything():
        if value.verdict is not Verdict.WIN:
            continue
        won += 1
        assert value.plies is not None
        if len(position.pool) == len(position.rules.pool):
            rounds.add(position.totals[0])
        for move, chance in chances("perfect", position, solution).items():
            if not chance:
                continue
            after = position.play_unchecked(move)
            if after.outcome is not None:
                assert after.outcome.winner is position.seat
            else:
                assert solution.value(after) == Value(Verdict.LOSS, value.plies - 1)
    assert won > 100
    if game == "zero-sum-game":
        assert rounds == set(range(-48, 49))


def test_the_same_seed_gives_the_same_move_and_others_give_others() -> None:
    start = solved("sum31").start
    moves = [choose("level:3", start, f"{n}") for n in range(40)]
    assert moves == [choose("level:3", start, f"{n}") for n in range(40)]
    assert len(set(moves)) > 3


def test_a_variant_has_levels_too() -> None:
    rules = Rules(id="x", name="x", pool=(1, 2, 2, 5), target=7, overshoot=Overshoot.LOSES, swap=True)
    solution = solve(rules)
    for who in list(STRENGTHS):
        for position in (solution.start, *(solution.start.play(move) for move in solution.start.legal_moves())):
            if position.outcome is None:
                assert sum(chances(who, position, solution).values()) == pytest.approx(1)
