"""Promise 1: killed at random moments, every acknowledged move is kept, in order, and play goes on."""

from __future__ import annotations

import sys
from random import Random

import pytest

from tests.cli.command import Zerosum
from tests.full import part
from tests.match.kills import GAME, Moment, long_line, play_until_killed

KILLS_A_TEST = 10
TESTS = part(1, 20)

FORGETFUL = """
from zerosum.match import journal
real, waiting = journal.Journal.write, []
def late(self, entry):  # what is acknowledged is written with the entry after it
    waiting.append(entry)
    if len(waiting) > 1:
        real(self, waiting.pop(0))
journal.Journal.write = late
from zerosum.cli import main
main()
"""


@pytest.fixture(scope="module")
def line() -> list[str]:
    return long_line()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(TESTS))
def test_killed_at_random_moments(zerosum: Zerosum, line: list[str], seed: int) -> None:
    chance = Random(seed)
    kept: list[str] = []
    play = (*zerosum.command, "play", GAME)
    for _ in range(KILLS_A_TEST):
        matches = zerosum.unfinished()
        assert len(matches) <= 1
        command = (*zerosum.command, "resume", matches[0]["id"]) if matches else play
        sent = line[len(kept) : len(kept) + 50]
        acknowledged = play_until_killed(command, sent, Moment.random(chance))
        now = [one["moves"] for one in zerosum.unfinished()]
        if not now:
            assert acknowledged == 0
            assert kept == []
            continue
        assert len(kept) + acknowledged <= len(now[0]) <= len(kept) + len(sent)
        assert now[0] == line[: len(now[0])]
        kept = now[0]
    if kept:
        ran = zerosum("resume", stdin=f"{line[len(kept)]}\nresign\n").ok()
        assert "resigns" in ran.out


def test_the_harness_finds_a_move_acknowledged_before_it_is_written(zerosum: Zerosum, line: list[str]) -> None:
    command = (sys.executable, "-c", FORGETFUL, "play", GAME)
    acknowledged = play_until_killed(command, line[:20], Moment(20, 0.0))
    assert acknowledged == 20
    assert len(zerosum.unfinished()[0]["moves"]) < acknowledged
