"""The checker: whether a certificate is true, from the rules alone.

It plays through every position and asks of each one thing: is its value the best of what its moves lead to? A won
position then has a move to one lost in one ply less and no quicker one; a lost one has only moves to won ones, the
longest one ply less; a draw has a move to a draw and none that wins. Plies fall by one with each move, so only the
truth satisfies this everywhere. Where rounds go on without end, the rounds listed must also show the pattern that
stands for the others, over a stretch so long that every round beyond is the copy of one that was checked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from math import gcd

from zerosum.base.progress import Progress
from zerosum.proof.certificate import (
    Certificate,
    CertificateError,
    CertifiedTail,
    Following,
    RoundPattern,
    distance_of,
    round_starts,
    walk,
    widest,
)
from zerosum.rules.model import Rules, Seat, Tie, key_text
from zerosum.rules.moves import SWAP
from zerosum.rules.position import Position, PositionKey, start_position

_DRAW, _WIN_NOW, _LOSS_NOW = 0, 2, 3


@dataclass(frozen=True, slots=True)
class Proven:
    """What a true certificate proves: how many positions it values, and who wins from the start."""

    positions: int
    winner: Seat | None
    """None if neither side can force a win."""
    plies: int


def check(certificate: Certificate, progress: Progress) -> Proven:
    """Return what the certificate proves, or raise if it is not true.

    The walk ends at the first position without a value, so the work grows with the values that are listed, whatever
    the rules and the bound.
    """
    rules, pattern, codes = certificate.rules, certificate.pattern, certificate.codes
    beyond = _Beyond(rules, pattern, codes) if pattern.tails else None
    start = start_position(rules)
    from_start: int | None = None
    at = -1
    for at, (position, following) in enumerate(walk(rules, pattern)):
        if at >= len(codes):
            raise CertificateError(f"The certificate ends at position {at + 1}, '{position}', which has no value.")
        if at % 10_000 == 0:
            progress(f"{at} of {len(codes)} positions")
        if rules.unknown:
            _check_turns(position, following)
        best = _best([_code_of(one, position.seat, codes, beyond) for one in following])
        if codes[at] != best:
            raise CertificateError(
                f"The certificate calls '{position}' {_words(codes[at])}, but its moves make it {_words(best)}."
            )
        if len(position.pool) == len(start.pool) and position.key == start.key:
            from_start = best
    if at + 1 != len(codes):
        raise CertificateError(f"The certificate has {len(codes)} values, the game {at + 1} positions.")
    if from_start is None:
        raise CertificateError("The certificate says nothing of the position that a match begins with.")
    return Proven(at + 1, _winner(start.seat, from_start), from_start >> 1)


def _check_turns(position: Position, following: list[Following]) -> None:
    """Raise if players do not take turns, which is all that the checker assumes of rules that it does not know."""
    rules = position.rules
    for move, one in zip(position.legal_moves(), following, strict=True):
        if one.position.outcome is None and (one.position.seat is position.seat) != (move == SWAP):
            key = key_text(rules, rules.unknown[0])
            raise CertificateError(f"No certificate can prove {rules.name}: its seats do not take turns ({key}).")


def _winner(mover: Seat, code: int) -> Seat | None:
    """Return who wins from a position, None if neither side can force an end."""
    if code == _DRAW:
        return None
    return mover.other if code % 2 else mover


def _code_of(one: Following, mover: Seat, codes: Sequence[int], beyond: _Beyond | None) -> int:
    """Return the code of a move for the player who makes it: won in n after it is lost in n + 1 by it."""
    if one.position.outcome is not None:
        return _WIN_NOW if one.position.outcome.winner is mover else _LOSS_NOW
    if one.at is not None:
        if one.at >= len(codes):
            raise CertificateError(f"The certificate has no value for '{one.position}'.")
        after = codes[one.at]
    elif beyond is not None:
        after = beyond.code(one.position)
    else:
        raise CertificateError(f"The certificate has no value for '{one.position}'.")
    if after == _DRAW:
        return _DRAW
    return after + 1 if after % 2 else after + 3


def _best(options: list[int]) -> int:
    wins = [code for code in options if code and code % 2 == 0]
    if wins:
        return min(wins)
    return _DRAW if _DRAW in options else max(options)


def _words(code: int) -> str:
    return f"{'lost' if code % 2 else 'won'} in {code >> 1}" if code else "a draw"


class _Beyond:
    """The rounds beyond the bound: their codes follow from those listed, once the pattern is found to hold there.

    The pattern is the file's own claim: it may speak of rounds that this game does not have.
    """

    def __init__(self, rules: Rules, pattern: RoundPattern, codes: Sequence[int]) -> None:
        if rules.tie is not Tie.SUDDEN_DEATH:
            raise CertificateError("Only a game with sudden death has rounds beyond a bound.")
        if rules.unknown:
            raise CertificateError(f"No pattern of rounds is proven under {key_text(rules, rules.unknown[0])}.")
        # At every multiple of the common divisor there is a round; a bound beyond what is listed is not worth a walk.
        if pattern.bound > gcd(*rules.pool) * (len(codes) + 1):
            raise CertificateError("The certificate does not list all rounds up to its bound.")
        starts = list(islice(round_starts(rules, pattern.bound), len(codes) + 1))
        self._pattern = pattern
        self._codes: dict[PositionKey, int] = {one.key: code for one, code in zip(starts, codes, strict=False)}
        if len(self._codes) != len(starts):
            raise CertificateError("The certificate does not list all rounds up to its bound.")
        for ways, tail in pattern.tails.items():
            self._check(rules, tail, [one for one in starts if distance_of(one)[1] == ways])

    def _check(self, rules: Rules, tail: CertifiedTail, starts: list[Position]) -> None:
        """Raise unless a tail holds from its beginning to the bound, and its conditions hold."""
        width, bound = widest(rules), self._pattern.bound
        if tail.later < 0 or tail.period % gcd(*rules.pool):
            # Plies that fall further out would let a match be won by never coming back.
            raise CertificateError("The pattern beyond the bound is none that rounds can have.")
        if min(tail.since, tail.period) < 1 or bound < 2 * width + tail.period + max(tail.since, width):
            raise CertificateError("The bound is too near for the pattern to be proven.")
        for one in starts:
            distance, code = distance_of(one)[0], self._codes[one.key]
            if distance < tail.since:
                continue
            further = _outwards(one, tail.period)
            if distance + tail.period <= bound and self._codes.get(further.key) != tail.after(code):
                raise CertificateError(f"The pattern beyond the bound does not hold at '{one}'.")
            # What ends within a round of here must stay shorter than all that grows further out.
            if tail.later and tail.still - len(rules.pool) < (code >> 1) * (code >> 1 <= tail.still):
                raise CertificateError(f"The pattern does not keep short and long matches apart at '{one}'.")

    def code(self, position: Position) -> int:
        """Return the code of a round beyond the bound."""
        distance, ways = distance_of(position)
        tail = self._pattern.tails.get(ways)
        if tail is None:
            raise CertificateError(f"The certificate says nothing of the round '{position}'.")
        periods = -(-(distance - self._pattern.bound) // tail.period)
        code = self._codes.get(_outwards(position, -periods * tail.period).key)
        if code is None:
            raise CertificateError(f"The certificate says nothing of the round '{position}'.")
        return tail.after(code, periods)


def _outwards(position: Position, distance: int) -> Position:
    """Return the same beginning of a round, `distance` further from the target."""
    _, (first, second) = distance_of(position)
    totals = (position.totals[0] + first * distance, position.totals[1] + second * distance)
    return Position(position.rules, position.pool, totals, position.seat, position.previous)
