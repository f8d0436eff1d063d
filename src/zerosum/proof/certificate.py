r"""Certificates: a file that says the value of every position of a game, in the order of `walk`.

    zerosum certificate 1
    sha256 <of everything below this line>
    [Game "sum31"]
    ...                                 the full rules, as in a record
    [Bound "48"]                        sudden death only: rounds up to there are listed,
    [Tail "+1 -1 7 3 10 10"]            and for each direction: since, period, later, still

    <zlib: the codes of the positions, in decimal, with spaces between>

A code is 2n for a win in n plies, 2n + 1 for a loss in n plies, 0 for a draw.

In sudden death a certificate lists rounds up to a bound one by one, and a pattern covers those beyond it. The argument
is the solver's (see `zerosum.solver.endless`); its conditions are written here a second time, so that the check does
not depend on the solver.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product
from math import gcd

from zerosum.base import limits
from zerosum.base.errors import ZerosumError
from zerosum.base.text import shorten
from zerosum.rules.model import Ban, Rules, Seat
from zerosum.rules.moves import ADD_ONLY, Move
from zerosum.rules.position import Position, PositionKey, start_position
from zerosum.rules.record import format_tags, parse_tags, rules_from_tags, rules_tags

Ways = tuple[int, int]
WAYS = ((1, 1), (1, -1), (-1, 1), (-1, -1))


@dataclass(frozen=True, slots=True)
class CertifiedTail:
    """Beyond the distance `since` values repeat every `period`, `later` plies later if more than `still`."""

    since: int
    period: int
    later: int
    still: int

    def after(self, code: int, periods: int = 1) -> int:
        """Return the code so many periods further out; `later` is not negative, so what grows keeps growing."""
        return code + 2 * self.later * periods if code >> 1 > self.still else code


@dataclass(frozen=True, slots=True)
class RoundPattern:
    """The bound up to which rounds are listed, and what follows in each direction; no tails, no bound."""

    bound: int = 0
    tails: dict[Ways, CertifiedTail] = field(default_factory=dict)


def widest(rules: Rules) -> int:
    """Return the most that one seat's total can move in a round."""
    turns = (len(rules.pool) + 1) // 2
    amounts = rules.pool if rules.operations == ADD_ONLY else tuple(map(abs, rules.pool))
    most = sum(sorted((amount for amount in amounts if amount > 0), reverse=True)[:turns])
    least = sum(sorted(amount for amount in amounts if amount < 0)[:turns])
    return max(most, -least)


def distance_of(position: Position) -> tuple[int, Ways]:
    """Return how far from the target a round begins, and in which directions."""
    x, y = (total - position.rules.target for total in position.totals)
    return abs(x), (1 if x > 0 else -1, 1 if y > 0 else -1)


def round_starts(rules: Rules, bound: int) -> Iterator[Position]:
    """Yield every round that can begin at most `bound` from the target, for any seat and any move before it.

    Totals differ from the start by multiples of the pool's common divisor, so only such distances are looked at.
    """
    common = gcd(*rules.pool)
    rests = sorted({sign * (rules.start[0] - rules.target) % common for sign in (1, -1)})
    fixed = rules.operations == ADD_ONLY and sum(rules.pool) == 0
    seats = tuple(Seat) if len(rules.pool) % 2 else (Seat.FIRST,)
    for distance in (multiple + rest for multiple in range(0, bound + 1, common) for rest in rests):
        if distance > bound:
            return
        for ways in WAYS if distance else WAYS[:1]:
            totals = (rules.target + ways[0] * distance, rules.target + ways[1] * distance)
            if any((total - start) % common for total, start in zip(totals, rules.start, strict=True)):
                continue
            if fixed and sum(totals) != sum(rules.start):
                continue
            for seat, move in product(seats, _moves_before(rules)):
                yield Position(rules, rules.pool, totals, seat, move)


def _moves_before(rules: Rules) -> list[Move | None]:
    """Return what a round may remember of the move before it: nothing, any amount, or just that there was one."""
    if not rules.remembers:
        return [None]
    moves = start_position(rules).legal_moves()
    return [moves[0]] if rules.ban is Ban.NONE else [*{move.amount: move for move in moves}.values()]


@dataclass(frozen=True, slots=True)
class Following:
    """A position that a move leads to, and its place in the list; None if it is over or beyond the bound."""

    position: Position
    at: int | None


def walk(rules: Rules, pattern: RoundPattern) -> Iterator[tuple[Position, list[Following]]]:
    """Yield every unfinished position with those its moves lead to; if there is a pattern, round starts first."""
    places: dict[PositionKey, int] = {}
    waiting: deque[Position] = deque()

    def place(position: Position) -> int:
        new = len(places)
        at = places.setdefault(position.key, new)
        if at == new:
            waiting.append(position)
        return at

    for seed in (*(round_starts(rules, pattern.bound) if pattern.tails else ()), start_position(rules)):
        place(seed)
    while waiting:
        position = waiting.popleft()
        following = []
        for move in position.legal_moves():
            after = position.play_unchecked(move)
            over = after.outcome is not None or is_beyond(after, pattern)
            following.append(Following(after, None if over else place(after)))
        yield position, following


def is_beyond(position: Position, pattern: RoundPattern) -> bool:
    """Whether a position begins a round beyond the bound; a round in which seats may be swapped is like no other."""
    if not pattern.tails or position.swap_open:
        return False
    x, y = (total - position.rules.target for total in position.totals)
    return position.pool == position.rules.pool and abs(x) == abs(y) > pattern.bound


_HEAD = re.compile(rb"zerosum certificate ([0-9]{1,9})\nsha256 ([0-9a-f]{64})\n")
_VERSION = 1
_NUMBERS = re.compile(r"-?[0-9]{1,12}")
_CODE_DIGITS = 12
_CODE = re.compile(rf"[0-9]{{1,{_CODE_DIGITS}}}")
_TAIL_FIELDS = 6


class CertificateError(ZerosumError):
    """A certificate that cannot be read, or that does not prove what it claims."""


class TooLargeCertificateError(CertificateError):
    """A certificate that may be true, but that is not checked without being asked to."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """What a certificate says."""

    rules: Rules
    pattern: RoundPattern
    codes: list[int]


def write(rules: Rules, pattern: RoundPattern, codes: Iterable[int]) -> bytes:
    """Return the bytes of a certificate."""
    tags = rules_tags(rules)
    if pattern.tails:
        tags["Bound"] = str(pattern.bound)
    for n, (ways, tail) in enumerate(sorted(pattern.tails.items()), 1):
        numbers = (*ways, tail.since, tail.period, tail.later, tail.still)
        tags[f"Tail{n}"] = " ".join(map(str, numbers))
    body = f"{format_tags(tags)}\n".encode() + zlib.compress(" ".join(map(str, codes)).encode(), 9)
    return f"zerosum certificate {_VERSION}\nsha256 {hashlib.sha256(body).hexdigest()}\n".encode() + body


def read(data: bytes, *, large: bool = False) -> Certificate:
    """Return what the bytes of a certificate say, or raise.

    Unless `large`, a certificate that is too large to check with little memory is refused before it is unpacked.
    """
    head = _HEAD.match(data)
    if head is None:
        raise CertificateError("This is not a certificate of zerosum.")
    if int(head[1]) != _VERSION:
        raise CertificateError(f"The certificate has format {int(head[1])}; this zerosum reads {_VERSION}.")
    # Views, since a copy of the largest file would take as much memory again.
    body = memoryview(data)[head.end() :]
    if hashlib.sha256(body).hexdigest().encode() != head[2]:
        raise CertificateError("The certificate is damaged: its contents do not match its checksum.")
    end = data.find(b"\n\n", head.end(), head.end() + limits.RECORD_BYTES)
    if end < 0:
        raise CertificateError(f"The tags of the certificate do not end within {limits.RECORD_BYTES >> 10} KiB.")
    try:
        tags, _ = parse_tags(data[head.end() : end].decode())
    except UnicodeDecodeError:
        raise CertificateError("The tags of the certificate are not UTF-8 text.") from None
    rules = rules_from_tags(tags)
    text = _unpack(memoryview(data)[end + 2 :], rules, large=large)
    return Certificate(rules, _pattern(tags), [_code(word) for word in text.split(" ")])


def largest(rules: Rules) -> int:
    """Return how many positions a certificate of these rules may list without being `large`."""
    moves = len(set(rules.pool)) * len(rules.operations)
    return min(limits.CERTIFICATE_POSITIONS, limits.CERTIFICATE_MOVES // moves)


def _unpack(packed: memoryview, rules: Rules, *, large: bool) -> str:
    """Return the values as text; no more is unpacked than the values that are allowed can take."""
    most = largest(rules)
    room = 4 * limits.CERTIFICATE_BYTES if large else most * (_CODE_DIGITS + len(" "))
    unpacker = zlib.decompressobj()
    try:
        text = unpacker.decompress(packed, room).decode("ascii")
    except (UnicodeDecodeError, zlib.error, MemoryError):
        raise CertificateError("The certificate cannot be unpacked.") from None
    if large and unpacker.unconsumed_tail:
        raise CertificateError(f"The certificate unpacks to more than {room >> 20} MiB.")
    if not large and (unpacker.unconsumed_tail or text.count(" ") >= most):
        raise TooLargeCertificateError(
            f"The certificate lists more than {most:,} positions, the limit for this game. "
            "To check it all the same, which can take long and gigabytes of memory: --large."
        )
    if not unpacker.eof or unpacker.unused_data:
        raise CertificateError("The certificate cannot be unpacked.")
    return text


def _code(word: str) -> int:
    if not _CODE.fullmatch(word):
        raise CertificateError(f"'{shorten(word)}' is not the value of a position.")
    return int(word)


def _pattern(tags: dict[str, str]) -> RoundPattern:
    tails: dict[Ways, CertifiedTail] = {}
    for tag, text in tags.items():
        if tag.startswith("Tail"):
            numbers = [int(word) for word in text.split(" ") if _NUMBERS.fullmatch(word)]
            if len(numbers) != _TAIL_FIELDS:
                raise CertificateError(f"The tag {tag} needs {_TAIL_FIELDS} numbers.")
            ways = (numbers[0], numbers[1])
            if ways not in WAYS or ways in tails:
                raise CertificateError(f"The tag {tag} needs a direction that no other tag has: 1 or -1, and 1 or -1.")
            tails[ways] = CertifiedTail(*numbers[2:])
    bound = tags.get("Bound", "0")
    if not _NUMBERS.fullmatch(bound):
        raise CertificateError("The tag Bound needs a number.")
    return RoundPattern(int(bound), tails)
