"""Files that are no certificate, and ones that mean harm."""

from __future__ import annotations

import zlib

import pytest

from tests.proof.making import claims, prove, sealed, variant, verify
from zerosum.base import limits
from zerosum.base.errors import ZerosumError
from zerosum.proof import certificate
from zerosum.proof.certificate import CertificateError

RULES = variant(pool=[1, 2, 3, 4], target=5)


def parts() -> tuple[bytes, bytes]:
    """Return the tags and the unpacked codes of an honest certificate."""
    body = prove(RULES).split(b"\n", 2)[2]
    tags, _, packed = body.partition(b"\n\n")
    return tags, zlib.decompress(packed)


def test_parts_put_together_again_are_true() -> None:
    """So that what follows fails for its own reason."""
    tags, codes = parts()
    assert verify(sealed(tags + b"\n\n" + zlib.compress(codes))) == len(claims(RULES).codes)


@pytest.mark.parametrize("data", [b"", b"\n", b"zerosum", b"PK\x03\x04", b"\0" * 500, b'[Game "sum31"]\n\n1. +5\n'])
def test_a_foreign_file(data: bytes) -> None:
    with pytest.raises(CertificateError, match="not a certificate"):
        verify(data)


@pytest.mark.parametrize("version", [0, 2, 999_999_999])
def test_another_version(version: int) -> None:
    with pytest.raises(CertificateError, match=f"has format {version}; this zerosum reads 1"):
        verify(sealed(prove(RULES).split(b"\n", 2)[2], version))


def test_a_file_that_is_cut_off_or_goes_on() -> None:
    data = prove(RULES)
    for size in range(len(data)):
        with pytest.raises(CertificateError):
            verify(data[:size])
    with pytest.raises(CertificateError, match="damaged"):
        verify(data + b"\n")


@pytest.mark.parametrize(
    "packed",
    [b"", b"2 2 2", zlib.compress(b"2 3 2")[:-3], zlib.compress(b"2 3 2") + b"more", zlib.compress("２".encode())],
)
def test_codes_that_cannot_be_unpacked(packed: bytes) -> None:
    tags, _ = parts()
    with pytest.raises(CertificateError, match="cannot be unpacked"):
        verify(sealed(tags + b"\n\n" + packed))


@pytest.mark.parametrize("word", [b"x", b"-2", b"", b"2.0", b"1e1", b"+2", b"9" * 13, b"9" * 5_000, b"\n"])
def test_a_code_that_is_none(word: bytes) -> None:
    """Nothing is left out silently, even where the rest would be true."""
    tags, codes = parts()
    for text in (codes + b" " + word, word + b" " + codes):
        with pytest.raises(CertificateError, match="is not the value of a position"):
            verify(sealed(tags + b"\n\n" + zlib.compress(text)))


@pytest.mark.slow
def test_a_body_that_unpacks_to_gigabytes() -> None:
    tags, _ = parts()
    packer = zlib.compressobj(9)
    chunk = bytes(1 << 22)
    bomb = b"".join([*(packer.compress(chunk) for _ in range(66)), packer.flush()])
    assert len(bomb) < limits.CERTIFICATE_BYTES / 50
    with pytest.raises(CertificateError, match="lists more than 270,000 positions"):
        verify(sealed(tags + b"\n\n" + bomb))
    with pytest.raises(CertificateError, match="unpacks to more than 256 MiB"):
        certificate.read(sealed(tags + b"\n\n" + bomb), large=True)


@pytest.mark.parametrize(
    "tags",
    [
        b"",
        b'[Game "nothing"]',
        b'[Game "sum31"]\nno tag',
        b'[Game "sum31"]\n[Game "sum31"]',
        b'[Game "x"]\n[Pool "0"]',
        b'[Game "sum31"]\n[Bound "far"]',
        b'[Game "sum31"]\n[Tail1 "1 2"]',
        b'[Game "sum31"]\n[Tail1 "1 2 3 4 5 x"]',
        b'[Game "sum31"]\n[Tail1 "1 1 1 1 1 1"]',
        b'[Game "zero-sum-game"]\n[Bound "999999999999"]\n[Tail1 "1 -1 1 1 1 1"]',
        b'[Game "zero-sum-game"]\n[Bound "100"]\n[Tail1 "1 -1 1 1 1 1"]',
        b'[Game "zero-sum-game"]',
        b"\xff",
    ],
)
def test_tags_that_make_no_certificate(tags: bytes) -> None:
    with pytest.raises(ZerosumError):
        verify(sealed(tags + b"\n\n" + zlib.compress(b"2 3 2")))
