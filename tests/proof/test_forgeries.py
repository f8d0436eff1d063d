"""Certificates that are not true, although their checksum fits."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.proof.making import SUDDEN, Table, claims, prove, variant, verify, written
from zerosum.base.errors import ZerosumError
from zerosum.cli.commands.prove_commands import code_of, pattern_of
from zerosum.proof.certificate import WAYS, Certificate, CertificateError, CertifiedTail, RoundPattern, walk
from zerosum.rules.game_files import load_game
from zerosum.rules.model import Seat
from zerosum.solver import Value, Verdict, solve

SMALL: list[Table] = [
    {"pool": [1, 2, 3, 4], "target": 5},
    {"pool": [1, 2, 3], "target": 0, "operations": ["add", "subtract"], "ban": "mirror", "swap": True},
    SUDDEN | {"pool": [1, 2, -1, -2], "start": [3, -3]},
    SUDDEN | {"pool": [1, 1], "start": [1, 1]},
    SUDDEN | {"pool": [1, 2, -1, -2], "ban": "mirror", "start": [3, -3]},
]


def forged(said: Certificate, at: int, code: int) -> Certificate:
    return replace(said, codes=[*said.codes[:at], code, *said.codes[at + 1 :]])


def refused(said: Certificate) -> None:
    """Assert that a certificate is refused, wherever it is noticed."""
    with pytest.raises(CertificateError):
        verify(written(said))


@pytest.mark.slow
@pytest.mark.parametrize("keys", SMALL)
def test_every_code_changed(keys: Table) -> None:
    """A win for a loss, one ply more or less, a draw: not one position can be told otherwise."""
    said = claims(variant(**keys))
    for at, code in enumerate(said.codes):
        for other in {0, code ^ 1, code + 2, max(0, code - 2)} - {code}:
            refused(forged(said, at, other))


@pytest.mark.full
@pytest.mark.parametrize("game_id", ["sum31", "zero-sum-duel"])
def test_codes_of_games_changed(game_id: str) -> None:
    said = claims(load_game(game_id))
    dice = random.Random(4)
    for at in [0, len(said.codes) - 1, *dice.sample(range(len(said.codes)), 4)]:
        refused(forged(said, at, said.codes[at] ^ 1))
        refused(forged(said, at, said.codes[at] + 2))


@pytest.mark.parametrize("keys", SMALL)
def test_codes_missing_or_too_many(keys: Table) -> None:
    said = claims(variant(**keys))
    for count in range(len(said.codes)):
        refused(replace(said, codes=said.codes[:count]))
    for more in ([0], [2], [3], [2] * 100):
        refused(replace(said, codes=[*said.codes, *more]))


def test_the_certificate_of_another_game() -> None:
    one, two = (claims(variant(pool=[1, 2, 3, 4], target=target)) for target in (5, 6))
    refused(replace(one, rules=two.rules))


@pytest.mark.parametrize(
    "change",
    [
        lambda tail: replace(tail, since=tail.since - 1),
        lambda tail: replace(tail, since=0),
        lambda tail: replace(tail, since=-5),
        lambda tail: replace(tail, since=tail.since + 10_000),
        lambda tail: replace(tail, period=tail.period + 1),
        lambda tail: replace(tail, period=0),
        lambda tail: replace(tail, period=-tail.period),
        lambda tail: replace(tail, period=10**9),
        lambda tail: replace(tail, later=tail.later + 2),
        lambda tail: replace(tail, later=0),
        lambda tail: replace(tail, later=-tail.later),
        lambda tail: replace(tail, still=0),
        lambda tail: replace(tail, still=-1),
        lambda tail: replace(tail, still=10**6),
    ],
)
def test_tails_changed(change: Callable[[CertifiedTail], CertifiedTail]) -> None:
    said = claims(variant(**SUDDEN, pool=[1, 2, -1, -2], start=[3, -3]))
    for ways, tail in said.pattern.tails.items():
        refused(replace(said, pattern=replace(said.pattern, tails=said.pattern.tails | {ways: change(tail)})))


@pytest.mark.parametrize("by", [-1, 1, -5, 1_000, 10**11])
def test_bounds_changed(by: int) -> None:
    said = claims(variant(**SUDDEN, pool=[1, 2, -1, -2], start=[3, -3]))
    refused(replace(said, pattern=replace(said.pattern, bound=said.pattern.bound + by)))


def test_tails_left_out_or_made_up() -> None:
    said = claims(variant(**SUDDEN, pool=[1, 2, -1, -2], start=[3, -3]))
    for ways in said.pattern.tails:
        others = {way: tail for way, tail in said.pattern.tails.items() if way != ways}
        refused(replace(said, pattern=replace(said.pattern, tails=others)))
    finite = claims(variant(pool=[1, 2, 3, 4], target=5))
    refused(replace(finite, pattern=RoundPattern(1, {(1, 1): CertifiedTail(1, 1, 0, 0)})))


def test_a_period_that_no_round_has() -> None:
    said = claims(variant(**SUDDEN, pool=[2, 4, -2, -4], start=[6, -6]))
    tails = {ways: replace(tail, period=tail.period + 1) for ways, tail in said.pattern.tails.items()}
    assert tails
    refused(replace(said, pattern=replace(said.pattern, tails=tails)))


def test_a_match_without_end_is_not_won_by_plies_that_fall_for_ever() -> None:
    """Both only go further out: a draw. Each round could be said to be won two plies sooner than the one before."""
    rules = variant(**SUDDEN, pool=[1, 1], start=[1, 1])
    solution = solve(rules)
    assert solution.value(solution.start).verdict is Verdict.DRAW
    pattern = RoundPattern(20, pattern_of(solution).tails | {(1, 1): CertifiedTail(1, 1, -2, 2)})
    codes = []
    for position, _ in walk(rules, pattern):
        honest = code_of(solution.value(position))
        if min(position.totals) > 0 and honest == 0:
            left = 1_000 - 2 * min(position.totals)
            honest = 2 * left if position.seat is Seat.FIRST else 2 * (left - 1) + 1
        codes.append(honest)
    with pytest.raises(CertificateError, match="none that rounds can have"):
        verify(written(Certificate(rules, pattern, codes)))


def test_where_seats_may_be_swapped_is_like_no_round_far_out() -> None:
    """With a pool of one number the second ply begins a round, however far out: its swap is not to be overlooked."""
    rules = variant(**SUDDEN, pool=[5], start=[100, 105], swap=True)
    solution = solve(rules)
    assert solution.value(solution.start) == Value(Verdict.LOSS, 3)
    pattern = RoundPattern(20, dict.fromkeys(WAYS, CertifiedTail(5, 5, 0, 0)))
    codes = []
    for position, _ in walk(rules, pattern):
        after = position.play("+5")
        decided = 2 if after.outcome is not None and after.outcome.winner is position.seat else 3
        codes.append(4 if position.previous is None else decided)  # The start: won in 2, if nobody swaps.
    refused(Certificate(rules, pattern, codes))


def test_every_flipped_bit_of_a_small_certificate() -> None:
    data = prove(variant(pool=[1, 2, 3, 4], target=5))
    for bit in range(8 * len(data)):
        broken = bytearray(data)
        broken[bit // 8] ^= 1 << bit % 8
        with pytest.raises(ZerosumError):
            verify(bytes(broken))


def test_flipped_bits_of_a_game() -> None:
    data = prove(load_game("sum31"))
    dice = random.Random(31)
    for _ in range(300):
        broken = bytearray(data)
        broken[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
        with pytest.raises(ZerosumError):
            verify(bytes(broken))
