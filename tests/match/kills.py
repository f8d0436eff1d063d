"""Playing through a pipe and being killed at a random moment."""

from __future__ import annotations

import os
import re
import select
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from tests.cli.command import TIMEOUT
from zerosum import Position, load_game, start_position

GAME = "zero-sum-game"
CONFIRMED = re.compile(rb"Running Total: .+ = -?[0-9]+\n")


@dataclass(frozen=True)
class Moment:
    """When to kill: after so many acknowledged moves, and then so many seconds later."""

    moves: int
    seconds: float

    @classmethod
    def random(cls, chance: Random) -> Moment:
        return cls(chance.choice((0, 0, 1, 2, chance.randrange(30))), chance.choice((0.0, chance.random() * 0.15)))


def long_line(plies: int = 600) -> list[str]:
    """Return moves of Zero Sum Game that never reach zero: the first that does not, looking back where stuck."""
    line: list[str] = []

    def extend(position: Position) -> bool:
        if len(line) == plies:
            return True
        for move in position.legal_moves():
            after = position.play(move)
            if after.outcome is None:
                line.append(position.text_of(move))
                if extend(after):
                    return True
                line.pop()
        return False

    assert extend(start_position(load_game(GAME)))
    return line


def play_until_killed(command: Sequence[str], answers: Sequence[str], moment: Moment) -> int:
    """Feed answers, kill the process at the moment, and return how many moves it had acknowledged by then.

    A move is acknowledged when its confirmation is on standard output, read by anyone or not.
    """
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        # Input stays open, so that the process waits for more and does not end by itself.
        os.write(process.stdin.fileno(), "".join(f"{answer}\n" for answer in answers).encode())
        seen = b""
        deadline = time.monotonic() + TIMEOUT
        while len(CONFIRMED.findall(seen)) < moment.moves:
            assert time.monotonic() < deadline, seen
            if select.select([process.stdout], [], [], 0.5)[0]:
                seen += os.read(process.stdout.fileno(), 300)
        time.sleep(moment.seconds)
    finally:
        process.kill()
        process.wait()
        process.stdin.close()
    seen += process.stdout.read()
    process.stdout.close()
    return len(CONFIRMED.findall(seen))
