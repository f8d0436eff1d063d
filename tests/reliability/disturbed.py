"""Promise 23: replicas and PostgreSQL are paused, cut off from each other, or have their clocks set, under load."""

from __future__ import annotations

import asyncio
import itertools
import json
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import psutil

from tests.patience import PATIENCE
from tests.reliability.clients import Caller
from tests.reliability.planted.jumping import FILE
from tests.reliability.players import Player, audit, finish, start_players, wait_for
from tests.reliability.report import Report, Say, quietly
from tests.reliability.tables import open_table
from tests.reliability.wrapped import planted
from tests.server.ports import free_port
from tests.server.postgres import Cluster, cluster
from tests.server.running import Server, served

AGAIN_SECONDS = 5.0
"""Within which every replica takes moves again, once what disturbed it is over."""
LONGEST = 6.0
"""Seconds; a database that does not answer for so long is taken for one that is away."""
TABLES = 4
JUMPS = (3600.0, -3600.0, 0.0, 7.5, -7.5)
FAULTS = ("replica paused", "PostgreSQL paused", "partition", "clock set")


class Proxy:
    """Carries bytes between a replica and PostgreSQL, until it is told to hold them back."""

    def __init__(self, target: int) -> None:
        self.port = free_port()
        self._target = target
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._open = asyncio.Event()
        self._open.set()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        assert self._ready.wait(PATIENCE)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(asyncio.start_server(self._carry, "127.0.0.1", self.port))
        self._ready.set()
        self._loop.run_forever()
        server.close()
        self._loop.run_until_complete(self._end())
        self._loop.close()

    async def _end(self) -> None:
        """Close every connection that is left."""
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        await asyncio.sleep(0)  # what was closed is closed in the next turn

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await self._open.wait()
            there, back = await asyncio.open_connection("127.0.0.1", self._target)
            try:
                await asyncio.gather(self._pipe(reader, back), self._pipe(there, writer))
            finally:
                back.transport.abort()
        except (OSError, asyncio.CancelledError):
            return
        finally:
            writer.transport.abort()

    async def _pipe(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65_536):
                await self._open.wait()
                writer.write(data)
                await writer.drain()
        writer.close()

    def cut(self) -> None:
        """Let nothing through any more; connections stay, as they do when a network is gone."""
        self._loop.call_soon_threadsafe(self._open.clear)

    def heal(self) -> None:
        """Let everything through again."""
        self._loop.call_soon_threadsafe(self._open.set)

    def close(self) -> None:
        """End."""
        self.heal()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(PATIENCE)


@dataclass
class Site:
    """Two replicas, each behind a proxy of its own to one PostgreSQL, and with a clock that can be set."""

    servers: list[Server]
    proxies: list[Proxy]
    clocks: list[Path]
    postgres: Cluster
    urls: list[str] = field(init=False)

    def __post_init__(self) -> None:
        self.urls = [server.url for server in self.servers]


@contextmanager
def site(bug: str = "jumping") -> Iterator[Site]:
    """Start such a site."""
    with ExitStack() as stack:
        postgres = stack.enter_context(cluster())
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="zerosum-clocks-")))
        database = postgres.database()
        servers, proxies, clocks = list[Server](), list[Proxy](), list[Path]()
        for number in range(2):
            proxy = Proxy(postgres.port)
            stack.callback(proxy.close)
            clock = folder / str(number)
            clock.write_text("0")
            url = database.replace(f":{postgres.port}/", f":{proxy.port}/")
            servers.append(stack.enter_context(served(url, command=planted(bug), env={FILE: str(clock)})))
            proxies.append(proxy)
            clocks.append(clock)
        yield Site(servers, proxies, clocks, postgres)


@contextmanager
def _paused(processes: Sequence[psutil.Process]) -> Iterator[None]:
    """Stop processes for a while."""
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        for process in processes:
            with suppress(psutil.NoSuchProcess):
                process.send_signal(signal.SIGCONT)


@contextmanager
def _disturbed(where: Site, fault: str, number: int, dice: Random) -> Iterator[None]:
    """Disturb one replica, or PostgreSQL."""
    if fault == "replica paused":
        with _paused([psutil.Process(where.servers[number].pid)]):
            yield
    elif fault == "PostgreSQL paused":
        postmaster = psutil.Process(where.postgres.pid)
        with _paused([postmaster, *postmaster.children(recursive=True)]):
            yield
    elif fault == "partition":
        where.proxies[number].cut()
        try:
            yield
        finally:
            where.proxies[number].heal()
    else:
        where.clocks[number].write_text(str(dice.choice(JUMPS)))
        if dice.random() < 0.5:  # or it is started with a wrong clock
            where.servers[number].kill()
            where.servers[number].start()
        yield


def disturb(where: Site, rounds: int, faults: Sequence[str] = FAULTS, *, say: Say = quietly, seed: int = 1) -> Report:
    """Disturb a site again and again while clients play; hold their ledgers and clocks against the store."""
    report = Report("23", "paused, cut off, clock set")
    dice = Random(seed)
    players = start_players(
        [open_table(where.urls[0], clock={"minutes": 180}) for _ in range(TABLES)], where.urls, seed
    )
    slowest = 0.0
    for number in range(rounds):
        fault = faults[number % len(faults)]
        say(f"{number} of {rounds} disturbances, {sum(len(one.ledger) for one in players)} moves acknowledged")
        replica = dice.randrange(2)
        wait_for(partial(_all_serve, where, players, time.monotonic()), PATIENCE, "moves at both replicas")
        with _disturbed(where, fault, replica, dice):
            time.sleep(dice.uniform(0.2, LONGEST))
        over = time.monotonic()
        wait_for(partial(_all_serve, where, players, over), PATIENCE, f"moves after: {fault}")
        slowest = max(slowest, time.monotonic() - over)
    finish(players)
    for server in where.servers:
        server.kill()
        server.start()
    report.broken += audit(players, where.urls[-1]) + _check_clocks(players, where.urls[-1])
    report.check_time(slowest, AGAIN_SECONDS, "until every replica took moves again it took")
    report.figures = {
        "disturbances": rounds,
        "moves acknowledged": sum(len(one.ledger) for one in players),
        "sent again": sum(one.resent for player in players for one in player.ledger),
        "moves at every replica again after (longest)": f"{slowest:.1f} s",
        "lost, changed, doubled or backwards": len(report.broken),
    }
    return report


def _all_serve(where: Site, players: Sequence[Player], since: float) -> bool:
    """Whether every replica has acknowledged a move since some time."""
    new = {one.url for player in players for one in player.ledger[-20:] if one.at - one.took > since}
    return new >= set(where.urls)


def _check_clocks(players: Sequence[Player], url: str) -> list[str]:
    """Return where time ran backwards: of the events of a table, or on somebody's clock."""
    wrong = []
    for table in {player.table for player in players}:
        times = [event["at"] for event in table.events(Caller(url))]
        if times != sorted(times):
            wrong.append(f"{table.id}: the times of its events run backwards")
        states = [
            json.loads("{" + one.answer)["state"]
            for player in players
            if player.table == table
            for one in player.ledger
        ]
        states.sort(key=lambda state: state["version"])
        for before, after in itertools.pairwise(states):
            if before["match"]["number"] == after["match"]["number"]:
                left = zip(before["clock"]["left_ms"], after["clock"]["left_ms"], strict=True)
                if any(now > then for then, now in left):
                    wrong.append(f"{table.id}: a clock runs backwards at version {after['version']}")
    return wrong
