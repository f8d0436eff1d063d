"""Mutations of real certificates: each is true or refused in one line, with work and memory that are bounded.

`python -m tests.proof.mutations COUNT [SEED]` tries COUNT of them and prints the figures.
"""

from __future__ import annotations

import os
import random
import resource
import sys
import zlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from types import FrameType
from typing import Any, Self

from tests.proof.making import SUDDEN, prove, sealed, variant
from zerosum.base import limits
from zerosum.base.errors import ZerosumError
from zerosum.proof import certificate
from zerosum.proof.certificate import Certificate
from zerosum.proof.checker import Proven, check
from zerosum.rules.game_files import load_game
from zerosum.rules.model import Rules
from zerosum.solver import SolverError, Verdict, solve

MEMORY = 200 << 20
CALLS_A_MOVE = 40
CALLS_TO_READ = 4 * limits.CERTIFICATE_POSITIONS
CALLS_AT_LEAST = 10_000
LINE = 1_500

NUMBERS = (
    "0",
    "1",
    "-1",
    "2",
    "3",
    "7",
    "31",
    "48",
    "1000000",
    "-1000000",
    "999999",
    "9000000000",
    "999999999999",
    "x",
)
NUMBERS_IN_A_TAIL = 6


@dataclass(frozen=True, slots=True)
class Parts:
    """A certificate taken apart, to be put together otherwise."""

    tags: tuple[tuple[bytes, bytes], ...]
    codes: tuple[bytes, ...]

    def joined(self) -> bytes:
        lines = b"".join(b'[%s "%s"]\n' % tag for tag in self.tags)
        return sealed(lines + b"\n" + zlib.compress(b" ".join(self.codes)))


Mutation = Callable[[random.Random, Parts, Parts], Parts]


class TooMuchWorkError(Exception):
    """A check that makes more calls than the values it lists allow."""


@cache
def certificates() -> tuple[bytes, ...]:
    """Return honest certificates: of games, with and without a pattern, a ban, a swap, a fixed sum."""
    rules: list[Rules] = [
        load_game("sum31"),
        variant(pool=[1, 2, 3, 4], target=5),
        variant(pool=[1, 2, 3], target=0, operations=["add", "subtract"], ban="mirror", swap=True),
        variant(**SUDDEN, pool=[1, 2, -1, -2], start=[3, -3]),
        variant(**SUDDEN, pool=[1, 1, -1, -1], start=[2, 2]),
        variant(**SUDDEN, pool=[1, 1], start=[1, 1]),
        variant(**SUDDEN, pool=[1, 1, 2], start=[4, -4]),
        variant(**SUDDEN, pool=[2, 4, -2, -4], start=[6, -6]),
        variant(**SUDDEN, pool=[1, 1, -1, -1], start=[5, -5], swap=True, ban="mirror"),
        variant(**SUDDEN, pool=[5], start=[20, 25], swap=True),
    ]
    return tuple(map(prove, rules))


def taken_apart(data: bytes) -> Parts:
    body = data.split(b"\n", 2)[2]
    head, _, packed = body.partition(b"\n\n")
    tags = (line[1:-2].split(b' "', 1) for line in head.splitlines())
    return Parts(tuple((tag, text) for tag, text in tags), tuple(zlib.decompress(packed).split(b" ")))


def other_number(dice: random.Random, one: Parts, _: Parts) -> Parts:
    """Change one number of one tag."""
    at = dice.randrange(len(one.tags))
    tag, text = one.tags[at]
    mark = b"," if b"," in text else b" "
    words = text.split(mark)
    words[dice.randrange(len(words))] = dice.choice(NUMBERS).encode()
    return replace(one, tags=(*one.tags[:at], (tag, mark.join(words)), *one.tags[at + 1 :]))


def other_tag(dice: random.Random, one: Parts, two: Parts) -> Parts:
    """Take a tag, and perhaps its name, from another certificate."""
    at, tag = dice.randrange(len(one.tags)), dice.choice(two.tags)
    return replace(one, tags=(*one.tags[:at], tag, *one.tags[at + dice.randrange(2) :]))


def no_tag(dice: random.Random, one: Parts, _: Parts) -> Parts:
    at = dice.randrange(len(one.tags))
    return replace(one, tags=one.tags[:at] + one.tags[at + 1 :])


def other_tails(_: random.Random, one: Parts, two: Parts) -> Parts:
    """Take bound and tails from another certificate."""
    own = tuple(tag for tag in one.tags if not is_of_rounds(tag))
    return replace(one, tags=own + tuple(filter(is_of_rounds, two.tags)))


def new_tail(dice: random.Random, one: Parts, _: Parts) -> Parts:
    """Add a tail, in a direction that the game may not have."""
    ways = [dice.choice(("1", "-1")) for _ in range(2)]
    numbers = [*ways, *(dice.choice(("1", "2", "6", "10", "40")) for _ in range(NUMBERS_IN_A_TAIL - 2))]
    tags = one.tags if any(tag == b"Bound" for tag, _ in one.tags) else (*one.tags, (b"Bound", b"60"))
    return replace(one, tags=(*tags, (b"Tail9", " ".join(numbers).encode())))


def other_rules(_: random.Random, one: Parts, two: Parts) -> Parts:
    """Take the rules of another certificate, and keep bound, tails and values."""
    rules = tuple(tag for tag in two.tags if not is_of_rounds(tag))
    return replace(one, tags=rules + tuple(filter(is_of_rounds, one.tags)))


def other_codes(_: random.Random, one: Parts, two: Parts) -> Parts:
    return replace(one, codes=two.codes)


def other_code(dice: random.Random, one: Parts, _: Parts) -> Parts:
    at = dice.randrange(len(one.codes))
    return replace(one, codes=(*one.codes[:at], dice.choice(NUMBERS).encode(), *one.codes[at + 1 :]))


def fewer_codes(dice: random.Random, one: Parts, _: Parts) -> Parts:
    return replace(one, codes=one.codes[: dice.randrange(1, len(one.codes) + 1)])


def more_codes(dice: random.Random, one: Parts, _: Parts) -> Parts:
    more = (dice.choice(one.codes),) * dice.choice((1, 10, 5_000))
    at = dice.randrange(len(one.codes) + 1)
    return replace(one, codes=one.codes[:at] + more + one.codes[at:])


def same(_: random.Random, one: Parts, __: Parts) -> Parts:
    return one


def is_of_rounds(tag: tuple[bytes, bytes]) -> bool:
    return tag[0] == b"Bound" or tag[0].startswith(b"Tail")


MUTATIONS: tuple[Mutation, ...] = (
    other_number,
    other_tag,
    no_tag,
    other_tails,
    new_tail,
    other_rules,
    other_codes,
    other_code,
    fewer_codes,
    more_codes,
    same,
)


def mutated(dice: random.Random) -> bytes:
    """Return a certificate changed one to three times; now and then its bytes are changed too."""
    sources = [taken_apart(data) for data in certificates()]
    one = dice.choice(sources)
    for _ in range(dice.choice((1, 1, 2, 3))):
        one = dice.choice(MUTATIONS)(dice, one, dice.choice(sources))
    data = one.joined()
    if dice.random() < 1 / 4:
        return with_bytes_changed(dice, data)
    return data


def with_bytes_changed(dice: random.Random, data: bytes) -> bytes:
    """Change a few bytes of the body and seal it again, or of anything and leave the seal as it was."""
    body = bytearray(data.split(b"\n", 2)[2]) if dice.random() < 3 / 4 else bytearray(data)
    resealed = len(body) != len(data)
    for _ in range(dice.choice((1, 1, 2, 8))):
        body[dice.randrange(len(body))] = dice.randrange(256)
    return sealed(bytes(body)) if resealed else bytes(body)


def outcome(data: bytes) -> str:
    """Return "true" or the refusal; anything else raises."""
    listed: list[Certificate] = []
    try:
        with Counted() as counted:
            listed.append(certificate.read(data))
            # Work is paid for by the values that a certificate lists; the rest of the file is small.
            moves = len(set(listed[0].rules.pool)) * len(listed[0].rules.operations) + 4
            counted.most = counted.calls + CALLS_AT_LEAST + CALLS_A_MOVE * moves * len(listed[0].codes)
            proven = check(listed[0], lambda _: None)
    except ZerosumError as error:
        text = str(error)
        if not text.isprintable() or len(text) > LINE:
            raise AssertionError(f"not one short line: {text!r}") from None
        return text
    agrees(listed[0].rules, proven)
    return "true"


def agrees(rules: Rules, proven: Proven) -> None:
    """Raise unless the solver, which shares no code with the check, says the same of the start."""
    try:
        solution = solve(rules)
    except SolverError:
        return  # Small numbers in a large range: easy to check, but the solver looks at all of it.
    value = solution.value(solution.start)
    winner = {Verdict.WIN: 1, Verdict.LOSS: 2, Verdict.DRAW: None}[value.verdict]
    if (proven.winner, proven.plies) != (winner, value.plies or 0):
        raise AssertionError(f"{rules} is said to be {proven}, but is {value}")


class Counted:
    """Count calls, of Python's own functions too; raise where they are more than `most`."""

    def __init__(self) -> None:
        self.calls = 0
        self.most = CALLS_TO_READ

    def _count(self, frame: FrameType, event: str, arg: Any) -> None:  # noqa: ARG002 - Python's own signature
        if event in ("call", "c_call"):
            self.calls += 1
            if self.calls > self.most:
                sys.setprofile(None)
                raise TooMuchWorkError(f"{self.calls} calls")

    def __enter__(self) -> Self:
        sys.setprofile(self._count)
        return self

    def __exit__(self, *error: object) -> None:
        sys.setprofile(None)


def limit_memory() -> None:
    """Let this process have 200 MiB more than it has now."""
    with open("/proc/self/statm", "rb") as file:
        now = int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    resource.setrlimit(resource.RLIMIT_AS, (now + MEMORY, now + MEMORY))


def attempt(count: int, seed: int) -> Counter[str]:
    """Return how many of `count` mutations were true, and how many refused."""
    dice = random.Random(seed)
    found: Counter[str] = Counter()
    for n in range(count):
        data = mutated(dice)
        try:
            found["true" if outcome(data) == "true" else "refused"] += 1
        except Exception as error:
            error.add_note(f"mutation {n} of seed {seed}: {data!r}")
            raise
    return found


def main() -> None:
    """Try mutations, by default 20,000, and print the figures."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    certificates()
    limit_memory()
    found = attempt(count, seed)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(f"{count:,} mutations of certificates: {found['true']:,} true, {found['refused']:,} refused, ", end="")  # noqa: T201 - a command
    print(f"nothing else; {peak} MiB at most.")  # noqa: T201 - likewise


if __name__ == "__main__":
    main()
