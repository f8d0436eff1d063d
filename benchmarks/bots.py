"""What the protocol costs: the time of a move beyond the bot's own, with a bot that counts its own time."""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from benchmarks.measure import within
from zerosum.arena.entrants.bot import Bot
from zerosum.arena.entrants.entrant import Turn
from zerosum.rules.game_files import built_in
from zerosum.rules.moves import Move
from zerosum.rules.position import start_position

MOVES: Final = 2_000
ROUNDS: Final = 5
BOUND: Final = 150e-6

COUNTING: Final = """
import sys, time
own = 0.0
for line in sys.stdin:
    began = time.perf_counter()
    word, _, rest = line.partition(" ")
    if word == "go":
        sys.stdout.write("bestmove +5\\n")
    elif word == "isready\\n":
        sys.stdout.write("readyok\\n")
    elif word == "ugi\\n":
        sys.stdout.write("ugiok\\n")
    elif word == "tell":
        sys.stdout.write(f"info own {own}\\n")
        own = 0.0
    elif word == "quit\\n":
        break
    sys.stdout.flush()
    own += time.perf_counter() - began
"""


def overhead(bot: Bot) -> float:
    """Return the seconds that a move takes beyond the time that the bot counts as its own."""
    start = start_position(built_in("sum31"))
    played = (Move(1), Move(2), Move(3))
    position = start
    for move in played:
        position = position.play(move)
    turn = Turn(start, played, position, 10.0)
    began = time.perf_counter()
    for _ in range(MOVES):
        if bot.choose(turn).move is None:
            raise SystemExit("The bot of the benchmark gave no move.")
    whole = time.perf_counter() - began
    return (whole - _own(bot)) / MOVES


def _own(bot: Bot) -> float:
    """Ask the bot how long it took itself."""
    talk = bot._talk  # noqa: SLF001 - only a benchmark asks such a thing
    if talk is None:
        raise SystemExit("The bot of the benchmark has ended.")
    talk.process.say("tell time")
    line = talk.process.hear(time.monotonic() + 10) or ""
    return float(line.rpartition(" ")[2])


def main() -> None:
    """Measure several times; the best is the one that other work on the machine disturbed least."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "bot.py")
        script.write_text(COUNTING, encoding="utf-8")
        bot = Bot(f"{sys.executable} -I -S {script}")
        try:
            bot.begin(built_in("sum31"))
            overhead(bot)
            best = min(overhead(bot) for _ in range(ROUNDS))
        finally:
            bot.close()
    within("the bot protocol, a move beyond the bot's own time", best, BOUND)


if __name__ == "__main__":
    main()
