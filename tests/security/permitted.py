"""What people feel of each attack, made alone and as fast as the server lets it (promises 19 and 21).

Honest players move meanwhile at tables of their own; once a second a teacher asks for the desk of a class, and every
pupil for their place. The server is the installed one, run as its users run it.

    python -m tests.security.permitted                      every attack for 30 seconds, beside 200 matches
    python -m tests.security.permitted --seconds 60 home    one of them, for a minute
    python -m tests.security.permitted --prices             what one request of each costs, into `prices.json`

An attack by which honest players wait too long is made twice again, because the disk of a machine stalls now and then,
and the middle one of the three counts. The command ends with status 1 if people feel something.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

import psutil

from benchmarks.load.loops import open_loop
from benchmarks.load.seats import Playing, Tally, leave_all, seat_all
from tests.match.kills import long_line
from tests.patience import PATIENCE
from tests.security.attacks import ATTACKS, CALM, CLASS_ADDRESS, Attacker, Kind, Place, attacked
from tests.security.calling import Caller, fresh_address, new_token, somebody
from tests.server.running import Server, served

TOO_MANY, BAD = HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.BAD_REQUEST
CALM_SECONDS: Final = 5.0
P50_MS, P99_MS = 20.0, 50.0
MOST_MIB: Final = 40.0
"""By which memory may grow; half of it must be given back."""
GIVEN_BACK_SECONDS: Final = 10.0
LOOK_SECONDS: Final = 5.0
"""Within which a desk and a place are answered."""
AGAIN: Final = 2
"""How often an attack is repeated that seems to make honest players wait too long."""
PUPILS: Final = 12
LONG_PLIES: Final = 590
PRICES: Final = Path(__file__).with_name("prices.json")
"""What each permitted request costs: milliseconds of processor time, and what its address is charged."""
PRICE_REQUESTS: Final = 200
PRICE_SECONDS: Final = 2.0
PERMITTED: Final = {name: kind for name, kind in ATTACKS.items() if isinstance(kind, Kind)}


def prepare(server: Server, *, plies: int = LONG_PLIES, listed: int = 15) -> Place:
    """Open what is attacked: a table, a long one, some for a list whose match is over, and a class of two."""
    ann = somebody(server, "Ann")

    def opened(game: str) -> str:
        return str(_asked(ann, "tables", {"game": game, "opponent": "here"})["state"]["table"])

    table, over, long = opened("sum31"), "", opened("zero-sum-game")
    _play(ann, table, ["+1"] * 3)
    for _ in range(listed):
        over = opened("sum31")
        _play(ann, over, ["+1"] * 40)
    _play(ann, long, long_line(plies))
    _asked(ann, "analyze", {"game": "sum31"})  # starts a worker
    place = open_class(server, Place(server.port, {}, {}), pupils=2)
    filled = {"table": table, "over": over, "long": long, "mine": place.filled["room"]}
    keys = {"ann": ann.token, "teacher": place.keys["desk"], "pupil": place.keys["place 1"]}
    return Place(server.port, {**filled, "day": str(datetime.now(UTC).date())}, keys)


def open_class(server: Server, place: Place, pupils: int = PUPILS) -> Place:
    """Return a place with a class of its own, whose pupils, all behind one address, have moved at their tables."""
    teacher = somebody(server, "teacher")
    room = _asked(teacher, "rooms", {"game": "sum31"})["code"]
    keys = {f"place {number}": new_token() for number in range(1, pupils + 1)}
    callers = [Caller(server, name, key, address=CLASS_ADDRESS) for name, key in keys.items()]
    for pupil in callers:
        _asked(pupil, f"rooms/{room}/join", {"name": f"Pupil {pupil.name[-2:]}"})
    _asked(teacher, f"rooms/{room}/start", {})
    deadline, seats = time.monotonic() + PATIENCE, dict[str, str]()
    for pupil in callers:
        while not (table := _asked(pupil, f"rooms/{room}/place")["table"]):
            assert time.monotonic() < deadline, "nobody was paired"
            time.sleep(0.1)
        seats[pupil.name] = str(table)
    for pupil in sorted(callers, key=lambda one: not _to_move(one, seats[one.name])):
        _play(pupil, seats[pupil.name], ["+1"])
    filled = {**place.filled, "room": room, "seat": seats["place 1"]}
    return Place(place.port, filled, {**place.keys, **keys, "desk": teacher.token})


def _play(one: Caller, table: str, moves: Sequence[str]) -> None:
    """Make moves at a table, the least that is legal where one is not, until its match is over."""
    for text in moves:
        state = _asked(one, f"tables/{table}")
        if state["match"]["outcome"] is not None:
            break
        legal = state["match"]["legal_moves"]
        body = {"version": state["version"], "move_id": f"m{state['version'] - 1}"}
        _asked(one, f"tables/{table}/move", {**body, "move": text if text in legal else legal[0]})


def _to_move(one: Caller, table: str) -> bool:
    state = _asked(one, f"tables/{table}")
    return state["match"]["to_move"] in state["you"]


def _asked(one: Caller, path: str, body: object = None) -> dict[str, Any]:
    """Return what the API answers. Who is in no class calls from everywhere, others wait if they ask too much."""
    deadline = time.monotonic() + PATIENCE
    one = one if one.address == CLASS_ADDRESS else replace(one, address=fresh_address())
    while (reply := one.call("GET" if body is None else "POST", f"/api/v1/{path}", body)).status == TOO_MANY:
        assert time.monotonic() < deadline, reply.text
        time.sleep(float(reply.header("retry-after")))
    assert reply.status < BAD, f"{path}: {reply.text[:300]}"
    answer: dict[str, Any] = reply.json
    return answer


@dataclass
class Felt:
    """What people felt of an attack, what it met, and what it took of the server."""

    seconds: list[float] = field(default_factory=list)
    """Until each honest move was acknowledged."""
    looks: list[float] = field(default_factory=list)
    """Until each desk and place was answered."""
    wrong: Counter[str] = field(default_factory=Counter)
    """Desks and places that were not."""
    memory: list[float] = field(default_factory=list)
    """MiB of the server's processes: before, then twice a second, then afterwards."""
    work: float = 0.0
    """Of a processor."""
    late: float = 0.0
    """Seconds by which moves were sent late at worst: how busy this machine was with other things."""
    met: Counter[str] = field(default_factory=Counter)
    of: int = 1
    """Of how many attacks it is the middle one."""

    def ms(self, share: float) -> float:
        """Return the milliseconds within which a share of all moves was acknowledged."""
        return 1000 * sorted(self.seconds)[int(share * (len(self.seconds) - 1))]

    @property
    def growth(self) -> float:
        """By how many MiB memory grew."""
        return max(self.memory) - self.memory[0]

    @property
    def kept(self) -> float:
        """How many of these MiB were not given back."""
        return max(0.0, self.memory[-1] - self.memory[0])

    def slow(self) -> list[str]:
        """Return what honest players felt."""
        bounds = ((0.5, P50_MS), (0.99, P99_MS))
        return [f"p{share * 100:g} {self.ms(share):.0f} ms" for share, most in bounds if self.ms(share) > most]

    def broken(self, most_mib: float = MOST_MIB) -> list[str]:
        """Return what else is wrong, however fast the machine is."""
        found = [f"{count} times: {what}" for what, count in self.wrong.items()]
        found += [] if self.looks else ["no desk was answered"]
        found += [] if self.seconds else ["nobody moved"]
        found += [f"memory grew by {self.growth:.0f} MiB"] if self.growth > most_mib else []
        return found + ([f"{self.kept:.0f} MiB were not given back"] if self.kept > most_mib / 2 else [])

    def __str__(self) -> str:
        """Return the figures as a line."""
        met = " ".join(f"{status}:{count}" for status, count in sorted(self.met.items()))
        memory = f"+{self.growth:3.0f} MiB, {self.kept:3.0f} kept"
        looks = f"looks {len(self.looks)}, {1000 * max(self.looks, default=0):4.0f} ms at most"
        times = f"p50 {self.ms(0.5):5.1f}  p99 {self.ms(0.99):6.1f}  max {self.ms(1):6.1f} ms"
        return f"{times}  {memory}  {looks}  work {self.work:4.2f}  late {1000 * self.late:3.0f} ms  {met}"


@dataclass
class Honest:
    """A server, and the honest people at it."""

    server: Server
    place: Place
    tables: list[Playing]
    tally: Tally
    rate: float
    patience: float = LOOK_SECONDS

    async def felt(self, name: str, seconds: float, *, least: int = 0, back: float = GIVEN_BACK_SECONDS) -> Felt:
        """Attack in one way for a while."""
        felt, place = Felt(), await asyncio.to_thread(open_class, self.server, self.place)
        felt.memory.append(memory_of(self.server))
        with ExitStack() as stack:
            felt.met = await asyncio.to_thread(stack.enter_context, attacked(name, place, least=least))
            watching = [asyncio.create_task(one) for one in (self._look_on(place, felt), self._weigh(felt))]
            before, worked = len(self.tally.acknowledged), work_of(self.server)
            run = await open_loop(self.tables, self.rate, seconds)
            felt.seconds, felt.late = self.tally.acknowledged[before:], run.late
            felt.work = (work_of(self.server) - worked) / run.seconds
            await asyncio.to_thread(stack.close)
        await self._look(place, felt)
        for one in watching:
            one.cancel()
            with suppress(asyncio.CancelledError):
                await one
        deadline = time.monotonic() + back
        while True:
            felt.memory.append(memory_of(self.server))
            if felt.kept <= MOST_MIB / 4 or time.monotonic() > deadline:
                return felt
            await asyncio.sleep(0.5)

    async def _look_on(self, place: Place, felt: Felt) -> None:
        while True:
            await asyncio.gather(asyncio.sleep(1), self._look(place, felt))

    async def _look(self, place: Place, felt: Felt) -> None:
        """Ask for the desk, and for every pupil's place, from where they are."""
        desk = self._ask(place, felt, Kind("/room/{room}/desk", who="desk"), "127.0.0.5")
        kind = Kind("/api/v1/rooms/{room}/place")
        pupils = [replace(kind, who=who) for who in place.keys if who.startswith("place ")]
        await asyncio.gather(desk, *(self._ask(place, felt, one, CLASS_ADDRESS) for one in pupils))

    async def _ask(self, place: Place, felt: Felt, kind: Kind, address: str) -> None:
        began, one = time.perf_counter(), Attacker(place, lambda: address, Counter())
        what = kind.who.partition(" ")[0]
        try:
            async with asyncio.timeout(self.patience), one.connected() as (reader, writer):
                writer.write(kind.request(place))
                status, _ = await one.heard(reader)
        except (OSError, asyncio.IncompleteReadError) as error:
            felt.wrong[f"no answer to a {what}: {type(error).__name__}"] += 1
        else:
            felt.looks.append(time.perf_counter() - began)
            if status != "200":
                felt.wrong[f"a {what} was answered {status}"] += 1

    async def _weigh(self, felt: Felt) -> None:
        while True:
            felt.memory.append(memory_of(self.server))
            await asyncio.sleep(0.5)


def memory_of(server: Server) -> float:
    """Return the MiB that the processes of a server hold."""
    return _sum(server, lambda process: process.memory_info().rss) / 2**20


def work_of(server: Server) -> float:
    """Return the seconds of processor time that the threads of a server have taken, finer than `psutil` tells it."""
    return _sum(server, lambda process: sum(map(_scheduled, Path(f"/proc/{process.pid}/task").iterdir()))) / 1e9


def _scheduled(task: Path) -> int:
    return int((task / "schedstat").read_text().split()[0])


def _sum(server: Server, figure: Callable[[psutil.Process], int]) -> int:
    total = 0
    for process in server.processes():
        with suppress(psutil.NoSuchProcess, OSError):
            total += figure(process)
    return total


async def _measure(server: Server, names: Sequence[str], seconds: float, tables: int, rate: float) -> dict[str, Felt]:
    place, tally = await asyncio.to_thread(prepare, server), Tally()
    honest = Honest(server, place, await seat_all(server.port, tables, tally), tally, rate)
    await honest.felt("measure", CALM_SECONDS)  # starts all workers
    calm = await honest.felt(CALM, CALM_SECONDS)
    again = 0 if calm.slow() else AGAIN
    _say(f"{CALM:25} {calm}{'  This machine is too busy to say how long people wait.' if calm.slow() else ''}")
    found = {}
    for name in names:
        tries: list[Felt] = []
        while not tries or (tries[0].slow() and len(tries) <= again):
            tries.append(await honest.felt(name, seconds))
            _say(f"{name:25} {tries[-1]}  {'; '.join(tries[-1].slow() + tries[-1].broken())}")
        found[name] = replace(sorted(tries, key=lambda one: one.ms(0.99))[len(tries) // 2], of=len(tries))
    await leave_all(honest.tables)
    if tally.errors:
        raise AssertionError("\n".join(tally.errors[:10]))
    return found


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def measure(names: Sequence[str], seconds: float, tables: int = 200, rate: float = 200.0) -> dict[str, Felt]:
    """Attack a server in some ways, one after the other, while honest people play."""
    # A server that tests start warm refuses nobody for processor time; this one is as users start it.
    with served(env={"PYTHONHASHSEED": "0"}) as server:
        return asyncio.run(_measure(server, names, seconds, tables, rate))


def prices(names: Sequence[str]) -> dict[str, dict[str, float]]:
    """Return what each costs: milliseconds of processor time of all processes, and what its address is charged.

    It is for a request, a message or a connection. Every connection comes from an address of its own, so that no rate
    keeps it out.
    """
    found = {}
    with served(env={"PYTHONHASHSEED": "0"}) as server:
        place = open_class(server, prepare(server))
        for name in names:
            asyncio.run(_price(server, name, place, 10))  # what is made once and kept
            earlier, before = charges(server), charges(server)
            count, seconds = asyncio.run(_price(server, name, place))
            # Each look at the figures is a request of its own.
            more = charges(server) - before - (before - earlier)
            charged = {budget: round(sum_ / count, 2) for budget, sum_ in more.items()}
            found[name] = {"ms": round(1000 * seconds / count, 3)} | charged
            _say(f"{name:25} {found[name]}")
    return found


def charges(server: Server) -> Counter[str]:
    """Return what all addresses together were charged, by the budget."""
    text = Caller(server, "who counts").call("GET", "/metrics").text
    found = re.findall(r'zerosum_charged_total{budget="(.+)"} (\S+)', text)
    return Counter({budget: round(float(count)) for budget, count in found})


async def _price(server: Server, name: str, place: Place, most: int = PRICE_REQUESTS) -> tuple[int, float]:
    """Return how much was asked, and the seconds of processor time that the server took meanwhile."""
    attacker, attack = Attacker(place, fresh_address, Counter(), requests=5), ATTACKS[name]

    def asked() -> int:
        met = attacker.met
        return max(met["opened"], met.total() - met["opened"] - met["429"] - met["cut"])

    began, worked = time.monotonic(), work_of(server)
    tasks = [asyncio.create_task(attacker.forever(attack)) for _ in range(getattr(attack, "abreast", 1))]
    while asked() < most and time.monotonic() < began + PRICE_SECONDS:
        await asyncio.sleep(0.01)
    for task in tasks:
        task.cancel()
    await asyncio.sleep(0.1)  # what is under way
    return max(1, asked()), work_of(server) - worked


def main() -> None:
    """Print what people feel of each attack."""
    parser = argparse.ArgumentParser(prog="python -m tests.security.permitted")
    parser.add_argument("attacks", nargs="*", metavar="ATTACK", help=f"of: {', '.join(ATTACKS)}")
    parser.add_argument("--seconds", type=float, default=30, help="how long each attack lasts")
    parser.add_argument("--tables", type=int, default=200, help="honest matches")
    parser.add_argument("--rate", type=float, default=200, help="honest moves a second")
    parser.add_argument("--prices", action="store_true", help=f"keep in {PRICES.name} what each permitted one costs")
    given = parser.parse_args()
    if given.prices:
        found = prices(given.attacks or list(PERMITTED))
        kept = json.loads(PRICES.read_text(encoding="utf-8")) if PRICES.exists() else {}
        lines = [f"{json.dumps(name)}: {json.dumps(one)}" for name, one in (kept | found).items() if name in PERMITTED]
        PRICES.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
        return
    names = given.attacks or list(ATTACKS)
    felt = measure(names, given.seconds, given.tables, given.rate)
    bad = [name for name, one in felt.items() if one.slow() or one.broken()]
    sys.stdout.write(f"{len(felt)} attacks, {len(bad)} felt" + (f": {', '.join(bad)}\n" if bad else "\n"))
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
