r"""Certificates: a file that says the value of every position of a game, in the order of `walk`.

    zerosum certificate 1
    sha256 <of everything below this line>
    [Game "sum31"]
    ...                                 the full rules, as in a record
    [Bound "48"]                        sudden death only: rounds up to there are listed,
    [Tail "+1 -1 7 3 10 10"]            and for each direction: since, period, later, still

    <zlib: the codes of the positions, in decimal, with spaces between>

A code is 2n for a win in n plies, 2n + 1 for a loss in n plies, 0 for a draw.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Iterable
from dataclasses import dataclass

from zerosum.base import limits
from zerosum.base.errors import ZerosumError
from zerosum.base.text import shorten
from zerosum.proof.positions import WAYS, CertifiedTail, RoundPattern, Ways
from zerosum.rules.model import Rules
from zerosum.rules.record import format_tags, parse_tags, rules_from_tags, rules_tags

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
