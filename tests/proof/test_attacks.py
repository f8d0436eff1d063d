"""Certificates that mean harm: refused in one line by the real command, held to 200 MiB, with work that is counted."""

from __future__ import annotations

import os
import re
import resource
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.command import Zerosum
from tests.proof import mutations
from tests.proof.making import SUDDEN, claims, prove, sealed, variant, written
from zerosum.base import limits
from zerosum.proof import certificate
from zerosum.proof.certificate import WAYS, Certificate, CertifiedTail, RoundPattern, TooLargeCertificateError, largest
from zerosum.proof.checker import check
from zerosum.rules.game_files import GAME_IDS, load_game
from zerosum.rules.model import Rules
from zerosum.rules.record import format_tags, rules_tags
from zerosum.solver import solve

MEMORY = 200 << 20
FAR = 1_000_000


def packed(rules: Rules, chunk: bytes, count: int, pattern: str = "") -> bytes:
    """Return a certificate whose values are `count` times the same bytes and a 2, however many that are."""
    packer = zlib.compressobj(9)
    values = b"".join([*(packer.compress(chunk) for _ in range(count)), packer.compress(b"2"), packer.flush()])
    return sealed(format_tags(rules_tags(rules)).encode() + pattern.encode() + b"\n" + values)


def foreign_tail() -> bytes:
    """Return a sum that never changes, and a tail in a direction in which no round can begin twice."""
    said = claims(variant(**SUDDEN, pool=[1, 1, -1, -1], start=[2, 2]))
    return written(Certificate(said.rules, RoundPattern(8, {(1, 1): CertifiedTail(1, 1, 0, 0)}), said.codes))


def far_bound() -> bytes:
    """Return nine thousand rounds up to a bound that takes nine thousand million steps to count to."""
    rules = variant(**SUDDEN, pool=[FAR, -FAR])
    return packed(rules, b"2 " * 9_001, 1, f'[Bound "{9_000 * FAR}"]\n[Tail1 "1 -1 1 {FAR} 0 0"]\n')


def many_values() -> bytes:
    """Return a quarter of a megabyte that unpacks to 128 million values."""
    data = packed(variant(**SUDDEN, pool=[1, 2]), b"2 " * (1 << 20), 127)
    assert len(data) < 300_000
    return data


def many_rounds() -> bytes:
    """Return distances at each of which begin a thousand rounds: four directions, two seats, 126 moves before it."""
    rules = variant(**SUDDEN, pool=list(range(1, 64)), operations=["add", "subtract"], ban="mirror")
    return packed(rules, b"2 " * 40_000, 1, '[Bound "40000"]\n[Tail1 "1 1 1 1 0 0"]\n')


def wide_game() -> bytes:
    """Return a game of 2^64 positions, of which as many are valued as are checked unasked."""
    rules = variant(pool=list(range(1, 65)), target=FAR)
    return packed(rules, b"2 " * (largest(rules) - 1), 1)


def long_tags() -> bytes:
    return sealed(b'[T "x"]\n' * (7 << 20) + b"\n" + zlib.compress(b"2"))


def values_as_they_are() -> bytes:
    """Return the largest file there may be, hardly compressed."""
    tags = format_tags(rules_tags(variant(pool=[1], target=1))).encode()
    return sealed(tags + b"\n" + zlib.compress(os.urandom(60 << 20), 0))


ATTACKS: dict[str, tuple[Callable[[], bytes], str]] = {
    "foreign tail": (foreign_tail, "does not list all rounds|does not hold|says nothing"),
    "far bound": (far_bound, "The bound is too near|does not hold|does not list all rounds|says nothing|calls '.*' "),
    "many values": (many_values, "lists more than 270,000 positions"),
    "many rounds": (many_rounds, "does not list all rounds up to its bound"),
    "wide game": (wide_game, "calls '.*' won"),
    "long tags": (long_tags, "do not end within 64 KiB"),
    "values as they are": (values_as_they_are, "lists more than 270,000|cannot be unpacked"),
}


def held() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


@pytest.mark.parametrize("attack", ATTACKS)
def test_the_command_refuses_it(zerosum: Zerosum, tmp_path: Path, attack: str) -> None:
    make, message = ATTACKS[attack]
    path = tmp_path / "hostile.proof"
    path.write_bytes(make())
    assert path.stat().st_size <= limits.CERTIFICATE_BYTES
    ran = zerosum("verify", str(path), before=held)
    assert (ran.status, ran.out, len(ran.err.splitlines())) == (1, "", 1), ran
    assert re.search(message, ran.err), ran


@pytest.mark.parametrize("attack", ATTACKS)
def test_its_work_is_counted(attack: str) -> None:
    """Count calls, not seconds: no more than the values it lists pay for."""
    assert mutations.outcome(ATTACKS[attack][0]()) != "true"


def test_counting_finds_a_hang() -> None:
    def hang() -> None:
        while True:
            len("")

    with pytest.raises(mutations.TooMuchWorkError), mutations.Counted():
        hang()


def test_a_million_periods_are_not_counted_one_by_one() -> None:
    """A start may lie that far beyond the bound, and every end of its round asks for the pattern."""
    tail = CertifiedTail(1, 1, 2, 3)
    with mutations.Counted() as counted:
        assert [tail.after(code, FAR) for code in (6, 7, 8, 9)] == [6, 7, 8 + 4 * FAR, 9 + 4 * FAR]
    assert counted.calls < 100
    for code in range(12):
        one_by_one = code
        for _ in range(5):
            one_by_one = tail.after(one_by_one)
        assert tail.after(code, 5) == one_by_one


class TestHowLargeACertificateMayBe:
    @pytest.mark.full
    def test_all_games_that_are_built_in(self) -> None:
        sizes = {game: solve(load_game(game)).count or 0 for game in GAME_IDS}
        sizes["zero-sum-game"] = len(claims(load_game("zero-sum-game")).codes)
        assert all(size < largest(load_game(game)) for game, size in sizes.items()), sizes

    def test_one_more_is_refused_and_large_checks_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        data = prove(load_game("sum31"))
        monkeypatch.setattr(limits, "CERTIFICATE_POSITIONS", 420)
        assert check(certificate.read(data), lambda _: None).positions == 420
        monkeypatch.setattr(limits, "CERTIFICATE_POSITIONS", 419)
        with pytest.raises(TooLargeCertificateError, match=r"more than 419 positions.*--large"):
            certificate.read(data)
        assert check(certificate.read(data, large=True), lambda _: None).positions == 420

    def test_moves_are_limited_too(self) -> None:
        wide = variant(pool=list(range(1, 65)), operations=["add", "subtract"], target=0)
        assert largest(wide) == limits.CERTIFICATE_MOVES // 128 < limits.CERTIFICATE_POSITIONS


def test_directions_are_those_there_are() -> None:
    rules = variant(**SUDDEN, pool=[1, 2])
    for ways in ("0 0", "1 2", "-1 3", "1 999999999999"):
        data = packed(rules, b"", 1, f'[Bound "9"]\n[Tail1 "{ways} 1 1 1 1"]\n')
        assert "needs a direction that no other tag has" in mutations.outcome(data)
    twice = "".join(f'[Tail{n} "1 1 1 1 1 1"]\n' for n in (1, 2))
    assert "needs a direction that no other tag has" in mutations.outcome(packed(rules, b"", 1, twice))
    assert len(WAYS) == 4
