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

from zerosum.proof.rounds import Pattern, Tail
from zerosum.rules import limits
from zerosum.rules.errors import ZerosumError
from zerosum.rules.model import Rules
from zerosum.rules.numbers import shorten
from zerosum.rules.tags import format_tags, parse_tags, rules_from_tags, rules_tags

_HEAD = re.compile(rb"zerosum certificate ([0-9]{1,9})\nsha256 ([0-9a-f]{64})\n")
_VERSION = 1
_NUMBERS = re.compile(r"-?[0-9]{1,12}")
_CODE = re.compile(r"[0-9]{1,12}")
_TAIL_FIELDS = 6


class CertificateError(ZerosumError):
    """A certificate that cannot be read, or that does not prove what it says."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """What a certificate says."""

    rules: Rules
    pattern: Pattern
    codes: list[int]


def write(rules: Rules, pattern: Pattern, codes: Iterable[int]) -> bytes:
    """Return the bytes of a certificate."""
    tags = rules_tags(rules)
    if pattern.tails:
        tags["Bound"] = str(pattern.bound)
    for n, (ways, tail) in enumerate(sorted(pattern.tails.items()), 1):
        numbers = (*ways, tail.since, tail.period, tail.later, tail.still)
        tags[f"Tail{n}"] = " ".join(map(str, numbers))
    body = f"{format_tags(tags)}\n".encode() + zlib.compress(" ".join(map(str, codes)).encode(), 9)
    return f"zerosum certificate {_VERSION}\nsha256 {hashlib.sha256(body).hexdigest()}\n".encode() + body


def read(data: bytes) -> Certificate:
    """Return what the bytes of a certificate say, or raise."""
    head = _HEAD.match(data)
    if head is None:
        raise CertificateError("This is not a certificate of zerosum.")
    if int(head[1]) != _VERSION:
        raise CertificateError(f"The certificate has format {int(head[1])}; this zerosum reads {_VERSION}.")
    body = data[head.end() :]
    if hashlib.sha256(body).hexdigest().encode() != head[2]:
        raise CertificateError("The certificate is damaged: its contents do not fit its checksum.")
    text, _, packed = body.partition(b"\n\n")
    try:
        tags, _ = parse_tags(text.decode())
        unpacker = zlib.decompressobj()
        codes = unpacker.decompress(packed, 4 * limits.CERTIFICATE_BYTES).decode("ascii")
    except (UnicodeDecodeError, zlib.error, MemoryError):
        raise CertificateError("The certificate cannot be unpacked.") from None
    if unpacker.unconsumed_tail:
        raise CertificateError(f"The certificate unpacks to more than {4 * limits.CERTIFICATE_BYTES >> 20} MiB.")
    if not unpacker.eof or unpacker.unused_data:
        raise CertificateError("The certificate cannot be unpacked.")
    return Certificate(rules_from_tags(tags), _pattern(tags), [_code(word) for word in codes.split(" ")])


def _code(word: str) -> int:
    if not _CODE.fullmatch(word):
        raise CertificateError(f"'{shorten(word)}' is not the value of a position.")
    return int(word)


def _pattern(tags: dict[str, str]) -> Pattern:
    tails = {}
    for tag, text in tags.items():
        if tag.startswith("Tail"):
            numbers = [int(word) for word in text.split(" ") if _NUMBERS.fullmatch(word)]
            if len(numbers) != _TAIL_FIELDS:
                raise CertificateError(f"The tag {tag} needs {_TAIL_FIELDS} numbers.")
            tails[numbers[0], numbers[1]] = Tail(*numbers[2:])
    bound = tags.get("Bound", "0")
    if not _NUMBERS.fullmatch(bound):
        raise CertificateError("The tag Bound needs a number.")
    return Pattern(int(bound), tails)
