"""The server under load, from a generator on the same machine: moves acknowledged, how soon, in how much memory.

    python -m benchmarks.serving                 the whole measurement
    python -m benchmarks.serving --quick         ten tables for five seconds: only whether anything goes wrong
    python -m benchmarks.serving --many [60]     500 matches and 500 moves a second alone, for n seconds

Every move has the time at which it is due, and its wait is counted from then, however late it could be sent. Nothing is
acknowledged before it is synced to the disk; the store is the default one.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import psutil

from benchmarks.load.loops import Run, closed_loop, open_loop
from benchmarks.load.pairs import echo_rate
from benchmarks.load.seats import Tally, leave_all, seat_all
from benchmarks.measure import at_least, at_most, none
from tests.server.running import Server, served

_TABLES: Final = 200
_RATE: Final = 200
_SECONDS: Final = 120
_P50, _P99 = 0.025, 0.250
_MEMORY: Final = 250
_MANY, _MANY_SECONDS, _MANY_P99 = 500, 600.0, 0.025
_ROUNDS, _WARM, _ROUND_SECONDS = 5, 3, 15


@dataclass(frozen=True)
class Measured:
    """What a run came to; memory in MiB, the most of each process added up."""

    tally: Tally
    run: Run
    server_work: float
    memory: float


def steady(tables: int, rate: float, seconds: float) -> Measured:
    """Run the server under moves that are due at a rate, whatever became of those before."""
    with served() as server:
        return asyncio.run(_steady(server, tables, rate, seconds))


async def _steady(server: Server, count: int, rate: float, seconds: float) -> Measured:
    tally = Tally()
    tables = await seat_all(server.port, count, tally)
    worked = _work(server)
    run = await open_loop(tables, rate, seconds)
    measured = Measured(tally, run, _work(server) - worked, memory_of(server))
    await leave_all(tables)
    return measured


async def _saturated(server: Server) -> tuple[float, float, Run]:
    """Return how many moves a second were acknowledged, and the server's processor time for each.

    There are so many tables that nobody moves faster than a live connection and an address may.
    """
    tally = Tally()
    tables = await seat_all(server.port, _MANY, tally, endless=True)
    worked, before = _work(server), len(tally.acknowledged)
    rate, run = await closed_loop(tables, tally, _WARM, _ROUND_SECONDS)
    work = (_work(server) - worked) / (len(tally.acknowledged) - before)
    await leave_all(tables)
    if tally.errors:
        raise AssertionError("\n".join(tally.errors[:10]))
    return rate, work, run


def _work(server: Server) -> float:
    """Return the processor time of all processes of a server."""
    times = [process.cpu_times() for process in server.processes()]
    return float(sum(one.user + one.system for one in times))


def memory_of(server: Server) -> float:
    """Return the most memory of each process of a server, added up, in MiB."""
    kibibytes = 0
    for process in server.processes():
        with open(f"/proc/{process.pid}/status") as status:
            kibibytes += next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
    return kibibytes / 1024


def share_of(waits: Sequence[float], share: float) -> float:
    """Return the wait that a share of all waits does not pass."""
    return sorted(waits)[min(len(waits) - 1, int(len(waits) * share))]


def _tell_load(measured: Measured, tables: int, rate: float, limits: Mapping[float, float]) -> None:
    """Print a run against its limits; each is the wait in seconds that a share of all moves may not pass."""
    tally, run = measured.tally, measured.run
    waits, moves = tally.acknowledged, len(tally.acknowledged)
    print(
        f"      {moves:,} moves and {tally.rematches:,} rematches; the generator took {run.own_work / run.seconds:.0%} "
        f"of a core, the server {measured.server_work / run.seconds:.0%}, of {psutil.cpu_count()} cores with load "
        f"{psutil.getloadavg()[0]:.1f}; the generator's clock was at most {run.late * 1000:.0f} ms late"
    )
    told = [f"{share_of(tally.told, share) * 1000:.1f} ms (p{share * 100:.0f})" for share in (0.5, 0.99)]
    print(f"      the opponent has the move after {' and '.join(told)}")
    for error in tally.errors[:10]:
        print(f"      {error}")
    print(f"      {tables} matches, {2 * tables} connections, {run.seconds:.0f} seconds:")
    at_least("moves acknowledged", moves / run.seconds, rate * 0.999, "a second")
    none("errors", len(tally.errors))
    for share, limit in limits.items():
        wait = share_of(waits, share)
        told_limit = f"{limit * 1000:.0f} ms"
        at_most(f"acknowledgement, p{share * 100:.0f} ({wait * 1000:.1f} ms)", wait / limit, 1, told_limit)


def _tell_steady(measured: Measured) -> None:
    _tell_load(measured, _TABLES, _RATE, {0.5: _P50, 0.99: _P99})
    at_most(f"memory ({measured.memory:.0f} MiB)", measured.memory / _MEMORY, 1, f"{_MEMORY} MiB")


def _tell_many(seconds: float) -> None:
    _tell_load(steady(_MANY, _MANY, seconds), _MANY, _MANY, {0.99: _MANY_P99})


def _tell_saturated() -> None:
    """Take turns, so that a noisy minute falls on all; of each the best round counts."""
    ours: list[float] = []
    bare: dict[str, list[float]] = {"websocket": [], "sharing": [], "lines": []}
    for _ in range(_ROUNDS):
        with served() as server:
            rate, work, run = asyncio.run(_saturated(server))
        ours.append(rate)
        for kind, rates in bare.items():
            rates.append(asyncio.run(echo_rate(kind, _MANY, _WARM, _ROUND_SECONDS))[0])
        others = ", ".join(f"{kind} {rates[-1]:,.0f}" for kind, rates in bare.items())
        print(
            f"      {rate:,.0f} moves a second, {work * 1e6:.0f} \N{MICRO SIGN}s of processor time each "
            f"(generator {run.own_work / run.seconds:.0%} of a core); bare: {others}"
        )
    at_least("saturated rate of moves", max(ours) / max(bare["websocket"]), 1.0, "a bare accept-fsync-echo server's")
    print(
        f"      {max(ours) / max(bare['sharing']):.2f} times a bare server's whose messages share their syncs, "
        f"{max(ours) / max(bare['lines']):.2f} times one's on bare TCP lines"
    )


def main() -> None:
    """Print the figures against their limits."""
    reader = argparse.ArgumentParser(prog="python -m benchmarks.serving", allow_abbrev=False)
    reader.add_argument("--quick", action="store_true", help="ten tables for five seconds: only whether anything fails")
    reader.add_argument(
        "--many",
        nargs="?",
        type=float,
        const=_MANY_SECONDS,
        metavar="SECONDS",
        help=f"{_MANY} matches and {_MANY} moves a second alone",
    )
    asked = reader.parse_args()
    if asked.quick:
        tally = steady(10, 20, 5).tally
        print(f"{len(tally.acknowledged)} moves, {tally.rematches} rematches, {len(tally.errors)} errors")
        sys.exit(bool(tally.errors))
    if asked.many is not None:
        _tell_many(asked.many)
        return
    _tell_steady(steady(_TABLES, _RATE, _SECONDS))
    _tell_many(_MANY_SECONDS)
    _tell_saturated()


if __name__ == "__main__":
    main()
