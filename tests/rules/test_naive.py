"""Every game played twice, by the package and by the plain second implementation, which must agree at every step."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import naive
from tests.strategies import CHOICES, RulesDict, sudden_death_tables, tables
from zerosum.rules.game_files import GAME_IDS, built_in
from zerosum.rules.model import rules_from_dict, rules_to_dict
from zerosum.rules.position import Position, start_position


def agree(position: Position, state: naive.State, game: naive.Game) -> None:
    """Compare everything that both know."""
    assert [position.text_of(move) for move in position.legal_moves()] == game.moves(state)
    assert list(position.legal_move_texts()) == game.moves(state)
    assert position.pool == state.pool
    assert position.totals == state.totals
    assert position.seat == state.seat
    outcome = position.outcome
    ends = (outcome.winner.value, outcome.reason.value) if outcome else (None, None)
    assert ends == (state.winner, state.reason)


def play_both(position: Position, game: naive.Game, choices: list[int], *, shy: bool) -> list[naive.State]:
    """Play the same moves in both; `shy` players avoid the end where they can."""
    state = game.start()
    states = [state]
    agree(position, state, game)
    for choice in choices:
        moves = game.moves(state)
        if shy:
            moves = [move for move in moves if game.play(state, move).winner is None] or moves
        if not moves:
            break
        move = moves[choice % len(moves)]
        position, state = position.play(move), game.play(state, move)
        agree(position, state, game)
        states.append(state)
    return states


@pytest.mark.parametrize("game_id", GAME_IDS)
@given(choices=CHOICES, shy=st.booleans())
def test_the_five_games(game_id: str, choices: list[int], *, shy: bool) -> None:
    play_both(start_position(built_in(game_id)), naive.GAMES[game_id], choices, shy=shy)


@pytest.mark.parametrize("seed", range(5))
def test_zero_sum_game_over_several_rounds_of_sudden_death(seed: int) -> None:
    random = Random(seed)
    game = naive.GAMES["zero-sum-game"]
    choices = [random.randrange(1000) for _ in range(100)]
    states = play_both(start_position(built_in("zero-sum-game")), game, choices, shy=True)
    refills = sum(state.pool == game.start().pool for state in states[1:])
    assert refills >= 3
    assert all(abs(state.totals[0]) == abs(state.totals[1]) for state in states if len(state.pool) == 10)


@given(table=st.one_of(tables(), sudden_death_tables()), choices=CHOICES, shy=st.booleans())
def test_any_variant(table: RulesDict, choices: list[int], *, shy: bool) -> None:
    """The match goes on or ends exactly as the keys say."""
    play_both(start_position(rules_from_dict(table)), naive.Variant(table), choices, shy=shy)


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_the_five_games_are_variants_like_any_other(game_id: str) -> None:
    game, variant = naive.GAMES[game_id], naive.Variant(rules_to_dict(built_in(game_id)))
    random = Random(game_id)
    for _ in range(30):
        ours, state = variant.start(), game.start()
        while moves := game.moves(state):
            assert variant.moves(ours) == moves
            move = random.choice(moves)
            ours, state = variant.play(ours, move), game.play(state, move)
            assert ours[:5] == state[:5]


def test_the_plain_search_knows_what_pencil_and_paper_know() -> None:
    assert naive.best("sum31", naive.State((3, 4), (28,))) == ("win", 1)
    assert naive.best("sum31", naive.State((4, 5), (28,))) == ("loss", 1)
    assert naive.best("sum31", naive.State((1, 2, 5), (28,), 2)) == ("loss", 2)
    assert naive.best("sum-to-zero", naive.State((-3, 3), (0,))) == ("loss", 2)
    assert naive.best("zero-sum-duel", naive.State((1, 2), (9,))) == ("loss", 2)
    assert naive.best("sequence-zero", naive.State((1,), (4, 3))) == ("loss", 1)
    with pytest.raises(ValueError, match="need not end"):
        naive.best("zero-sum-game", naive.State((1,), (1, 1)))


def test_the_plain_search_swaps() -> None:
    """After `swap` the first person is to move, in seat 2."""
    for pool, target, value in (
        ([2, 3], 5, ("loss", 2)),  # Whatever is left reaches 5.
        ([1, 2, 3], 5, ("loss", 4)),  # Whoever is to move at 1 loses: so does the second person, who swaps.
        ([1, 1, 1], 3, ("loss", 4)),  # Whoever sits in seat 1 makes the third move.
        ([1], 5, ("win", 1)),  # The last mover wins before there is a second ply.
    ):
        variant = naive.Variant({"pool": pool, "target": target, "swap": True})
        assert naive.solver(variant)(variant.start()) == value
