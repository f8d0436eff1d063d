"""Try it: the server in a process of its own, two sessions at once over its WebSocket, exact rewards."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

from zerosum.rules.game_files import load_game
from zerosum.rules.notation import parse_position
from zerosum.solver import solution_of
from zerosum_openenv import Reply, ZerosumClient


@contextmanager
def server() -> Iterator[str]:
    """Run the server; give its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, str(Path(__file__).with_name("zerosum_openenv.py")), "--port", str(port)]
    process = subprocess.Popen(command)
    try:
        for _ in range(600):
            try:
                with urlopen(f"http://127.0.0.1:{port}/health") as answer:
                    assert answer.status == 200
                break
            except OSError:
                time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


def main() -> None:
    """Check what the README says."""
    solution = solution_of(load_game("sum31"))
    with server() as url, ZerosumClient(base_url=url).sync() as one, ZerosumClient(base_url=url).sync() as two:
        result = one.reset(seed=1, game="sum31", opponent="random", first=2)
        other = two.reset(seed=1, game="zero-sum-duel")
        assert "You are playing Sum31" in result.observation.prompt
        assert "You are playing Zero Sum Duel" in other.observation.prompt
        turns = 0
        while not result.done:
            position = parse_position(one.state().position, solution.rules)
            best = solution.options(position)[0].move
            result = one.step(Reply(text=f"I think.\nMOVE: {position.text_of(best)}"))
            assert (result.reward, result.observation.regret) == (1.0, 0.0)
            turns += 1
        assert result.observation.prompt == ""
        assert turns == one.state().step_count
        print(f"A perfect reply has reward 1 in each of {turns} turns; won: {result.observation.won}.")

        lost = two.step(Reply(text="MOVE: +77"))
        assert (lost.done, lost.reward, lost.observation.illegal, lost.observation.won) == (True, 0.0, True, False)
        print("An illegal move forfeits Zero Sum Duel, as its rules say.")


if __name__ == "__main__":
    main()
