"""Runs for the tests of the arena: plans in a few words, and a bot whose moves follow from the position alone."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from zerosum.arena.arena_report import ArenaReport, report_of
from zerosum.arena.arena_run import ArenaRun, create_run, play_run
from zerosum.arena.plan import plan_from_table
from zerosum.lab.executors import Engine, Local

_BOT = """
import sys
crash = {crash}
pool, asked = [], 0
for line in sys.stdin:
    words = line.split()
    if words[0] == "ugi":
        print("id name {name}\\nugiok", flush=True)
    elif words[0] == "isready":
        print("readyok", flush=True)
    elif words[0] == "rules":
        lines = [sys.stdin.readline() for _ in range(int(words[1]))]
        whole = next(line for line in lines if line.startswith("pool"))
    elif words[0] == "position":
        pool = words[2].split(",") if words[1] == "fen" else [n.strip(" []\\n") for n in whole.split("=")[1].split(",")]
        for move in words[words.index("moves") + 1:] if "moves" in words else []:
            pool.remove(move.lstrip("+"))
    elif words[0] == "go":
        if crash(len(pool)):
            print("too few numbers", file=sys.stderr)
            sys.exit(7)
        print("info score unknown")
        print("bestmove +" + sorted(pool)[len(pool) // 2], flush=True)
    elif words[0] == "quit":
        break
"""


def bot(folder: Path, name: str = "Middle", crash: str = "lambda left: False") -> str:
    """Return a bot of Sum31 that takes the middle number; `crash` says from how many numbers left it crashes."""
    script = folder / f"{name}.py"
    script.write_text(_BOT.format(name=name, crash=crash), encoding="utf-8")
    return f"bot:{sys.executable} -I -S {script}"


def settled(folder: Path, *entrants: str, **keys: Any) -> ArenaRun:
    """Settle a run of Sum31 in a folder."""
    table = {"format": 1, "games": ["sum31"], "entrants": list(entrants), "pairs": 20, "seed": "7", **keys}
    return create_run(plan_from_table(table), str(folder))


def reported(folder: Path, *entrants: str, engine: Engine | None = None, **keys: Any) -> ArenaReport:
    """Play a run of Sum31 to its end, and return its report."""
    run = settled(folder, *entrants, **keys)
    play_run(run, engine or Local())
    return report_of(run)
