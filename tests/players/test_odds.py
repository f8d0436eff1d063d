"""Exact chances: against a plain recursion, against each other, and against matches that were played."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt

import pytest

from tests.full import parted
from tests.players.remembering import solved
from tests.players.simulation import Simulation
from zerosum.players.levels import STRENGTHS
from zerosum.players.odds import MOST_POSITIONS, odds_from
from zerosum.players.policies import chances
from zerosum.rules.game_files import load_game
from zerosum.rules.model import Ban, Exhausted, Overshoot, Reaching, Rules, Seat, Tie, Totals
from zerosum.rules.moves import SWAP, Operation
from zerosum.rules.position import Position, PositionKey, start_position
from zerosum.solver import SolverError, solve

MATCHES = 20_000
BOTH = (Operation.ADD, Operation.SUBTRACT)
VARIANTS = {
    "swap": Rules(id="v", name="v", pool=(1, 2, 3, 4, 5), target=9, overshoot=Overshoot.LOSES, swap=True),
    "ban": Rules(id="v", name="v", pool=(1, 2, 2, 3), target=3, operations=BOTH, ban=Ban.MIRROR),
    "ban and swap": Rules(id="v", name="v", pool=(-2, -1, 1, 2), target=1, ban=Ban.MIRROR, swap=True),
    "negated": Rules(id="v", name="v", pool=(-3, -2, -1, 1, 2, 3), target=0),
    "negated, own": Rules(
        id="v",
        name="v",
        pool=(-3, -2, -1, 1, 2, 3),
        target=1,
        start=(1, 2),
        totals=Totals.OWN,
        exhausted=Exhausted.CLOSEST,
        tie=Tie.FIRST_MOVER,
    ),
    "sides, own": Rules(
        id="v",
        name="v",
        pool=(-1, 2, 3, 4),
        target=2,
        start=(0, 5),
        operations=BOTH,
        totals=Totals.OWN,
        exhausted=Exhausted.CLOSEST,
        tie=Tie.SECOND_MOVER,
    ),
    "misere": Rules(id="v", name="v", pool=(1, 2, 3, 4), target=4, operations=BOTH, reaching=Reaching.LOSES),
}


def plainly(rules: Rules, first: str, second: str) -> float:
    """Return the chance of whoever begins in seat 1, by a recursion over all positions that knows no mirrors."""
    solution = solve(rules)
    found: dict[tuple[PositionKey, bool], float] = {}

    def chance(position: Position, *, swapped: bool) -> float:
        """Return the chance of the person who sits in seat 1 at the beginning."""
        if position.outcome is not None:
            return float((position.outcome.winner is Seat.FIRST) != swapped)
        key = (position.key, swapped)
        if key not in found:
            who = first if (position.seat is Seat.FIRST) != swapped else second
            found[key] = sum(
                share * chance(position.play(move), swapped=swapped != (move == SWAP))
                for move, share in chances(who, position, solution).items()
                if share
            )
        return found[key]

    return chance(start_position(rules), swapped=False)


@pytest.mark.parametrize("name", VARIANTS)
def test_any_variant_agrees_with_a_plain_recursion(name: str) -> None:
    rules = VARIANTS[name]
    pairings = [("level:2", "level:7"), ("random", "perfect"), ("level:5", "level:4"), ("random", "random")]
    odds = odds_from(start_position(rules), pairings).first_wins
    for one, two in pairings:
        assert odds[one, two] == pytest.approx(plainly(rules, one, two), abs=1e-12)
        assert odds[two, one] == pytest.approx(plainly(rules, two, one), abs=1e-12)


@pytest.mark.parametrize("game", parted(["sum31", "zero-sum-duel"], ("zero-sum-duel",)))
def test_a_game_agrees_with_a_plain_recursion(game: str) -> None:
    rules = load_game(game)
    odds = odds_from(start_position(rules), [("level:8", "level:3")]).first_wins
    assert odds["level:8", "level:3"] == pytest.approx(plainly(rules, "level:8", "level:3"), abs=1e-12)


def test_any_position_has_its_odds() -> None:
    position = start_position(load_game("sum31")).play("+9").play("+8").play("+7")
    odds = odds_from(position, [("random", "level:3")]).first_wins
    solution = solve(position.rules)
    parts = 0.0
    for move, share in chances("level:3", position, solution).items():
        after = position.play(move)
        if after.outcome is not None:
            parts += share * (after.outcome.winner is Seat.FIRST)
        else:
            parts += share * odds_from(after, [("random", "level:3")]).first_wins["random", "level:3"]
    assert odds["random", "level:3"] == pytest.approx(parts, abs=1e-12)
    assert 0 < parts < 1


def test_by_hand() -> None:
    """One number of two is the target: whoever picks at random finds it half of the time."""
    rules = Rules(id="v", name="v", pool=(1, 2), target=2)
    odds = odds_from(start_position(rules), [("random", "perfect"), ("level:3", "random")]).first_wins
    assert odds["random", "perfect"] == 0.5
    assert odds["perfect", "random"] == 1
    assert odds["level:3", "random"] == 1
    assert odds["random", "level:3"] == 0.5


def test_a_game_with_too_many_positions_is_refused_with_an_estimate() -> None:
    rules = Rules(id="v", name="Vast", pool=tuple(range(1, 22)), target=200)
    with pytest.raises(SolverError, match=r"Vast has [0-9,]+ positions; .* about [0-9]+ minutes"):
        odds_from(start_position(rules), [("random", "random")])
    assert MOST_POSITIONS >= 253_589


# Sudden death

TINY = Rules(
    id="v",
    name="v",
    pool=(-2, -1, 1, 2),
    target=0,
    totals=Totals.OWN,
    exhausted=Exhausted.CLOSEST,
    tie=Tie.SUDDEN_DEATH,
)
ODD = Rules(
    id="v",
    name="v",
    pool=(-2, 1, 3),
    target=0,
    start=(2, -1),
    totals=Totals.OWN,
    exhausted=Exhausted.CLOSEST,
    tie=Tie.SUDDEN_DEATH,
)
# Whoever has gone past the target never comes back, and every round further out is like the one before.
AWAY = replace(TINY, pool=(1, 2, 3, 4), target=6)
# Rounds drift away on one side of the target, and come back on the other.
DRIFTING = replace(TINY, pool=(-3, -1, 1, 2, 3), start=(2, -2))


def within(rules: Rules, first: str, second: str, plies: int) -> tuple[float, float]:
    """Return with what chance each seat has won after so many plies, by following all positions forwards."""
    solution = solve(rules)
    here = {start_position(rules).key: (start_position(rules), 1.0)}
    moves: dict[PositionKey, list[tuple[Position, float]]] = {}
    won = {Seat.FIRST: 0.0, Seat.SECOND: 0.0}
    for _ in range(plies):
        following: dict[PositionKey, tuple[Position, float]] = {}
        for key, (position, mass) in here.items():
            if key not in moves:
                who = first if position.seat is Seat.FIRST else second
                found = chances(who, position, solution).items()
                moves[key] = [(position.play(move), share) for move, share in found if share]
            for after, share in moves[key]:
                if after.outcome is not None:
                    won[after.outcome.winner] += mass * share
                else:
                    following[after.key] = (after, following.get(after.key, (after, 0.0))[1] + mass * share)
        here = following
    return won[Seat.FIRST], won[Seat.SECOND]


@pytest.mark.slow
@pytest.mark.parametrize("rules", [TINY, ODD, AWAY, DRIFTING])
@pytest.mark.parametrize(
    ("first", "second"), [("perfect", "level:4"), ("level:3", "perfect"), ("level:6", "level:5"), ("random", "random")]
)
def test_sudden_death_lies_between_what_is_decided_after_many_rounds(rules: Rules, first: str, second: str) -> None:
    odds = odds_from(start_position(rules), [(first, second)])
    one, two = within(rules, first, second, 240)
    assert one - 1e-9 <= odds.first_wins[first, second] <= 1 - two + 1e-9
    assert one + two > 0.9 or second == "perfect"  # who, lost in seat 2, runs away for ever
    assert odds.error <= 1e-9


def test_a_round_may_be_asked_about_in_its_middle() -> None:
    position = start_position(TINY).play("+1").play("+2")
    middle = odds_from(position, [("level:5", "level:4")]).first_wins["level:5", "level:4"]
    solution = solve(TINY)
    parts = 0.0
    for move, share in chances("level:5", position, solution).items():
        after = position.play(move)
        if after.outcome is not None:
            parts += share * (after.outcome.winner is Seat.FIRST)
        else:
            parts += share * odds_from(after, [("level:5", "level:4")]).first_wins["level:5", "level:4"]
    assert middle == pytest.approx(parts, abs=3e-9)


def test_sudden_death_with_a_ban_is_refused() -> None:
    rules = replace(TINY, ban=Ban.MIRROR)
    with pytest.raises(SolverError, match="banned or swapped"):
        odds_from(start_position(rules), [("random", "random")])


# Matches that were played

PAIRINGS = {
    "sum-to-zero": [("perfect", "random"), ("perfect", "level:1"), ("perfect", "level:2")],
    "sequence-zero": [("level:2", "level:3"), ("level:6", "level:7"), ("level:8", "level:9")],
    "zero-sum-duel": [("random", "level:2"), ("level:5", "level:3"), ("level:7", "perfect")],
    "zero-sum-game": [("level:9", "perfect"), ("level:8", "level:2"), ("level:2", "level:1")],
    "sum31": [("level:1", "level:2"), ("level:7", "level:6"), ("level:9", "level:4")],
}

UNDECIDED = {("level:9", "perfect"): 0.01, ("level:8", "level:2"): 0.002, ("level:2", "level:1"): 0.07}


@pytest.mark.slow
@pytest.mark.parametrize("game", parted(PAIRINGS, ("zero-sum-game", "sum-to-zero", "sequence-zero", "zero-sum-duel")))
def test_20_000_matches_agree_with_the_exact_chance(game: str) -> None:
    """Within four standard deviations. What many rounds leave undecided may go either way: there bounds are wider."""
    exact = odds_from(start_position(load_game(game)), PAIRINGS[game]).first_wins
    for pairing in PAIRINGS[game]:
        won, undecided = Simulation(load_game(game), solved(game), *pairing).play(MATCHES, f"{game} {pairing}", 120)
        chance = exact[pairing]
        spread = 4 * sqrt(chance * (1 - chance) / MATCHES)
        assert won / MATCHES - spread <= chance <= (won + undecided) / MATCHES + spread, pairing
        assert 0.01 < chance < 0.999, pairing
        assert undecided <= (UNDECIDED[pairing] * MATCHES if game == "zero-sum-game" else 0), pairing


def test_every_player_is_in_some_pairing() -> None:
    assert {who for pairs in PAIRINGS.values() for pair in pairs for who in pair} == STRENGTHS.keys()
