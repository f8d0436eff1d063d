"""Everything that one address may ask for, each asked for alone and as fast as the server lets it (promise 21).

Honest players move meanwhile at tables of their own. Calm and attack take turns in one run, so that figures of the same
minute are compared.

    python -m tests.security.permitted                      every kind for 15 seconds, with 200 matches
    python -m tests.security.permitted --seconds 60 home    one kind, for a minute

    python -m tests.security.permitted --prices             what each kind costs the server, for `prices.json`

A kind that makes honest players more than twice as slow is attacked with twice again, because the disk of a machine
stalls now and then, and the middle one of the three counts. The command ends with status 1 if that is too slow.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import socket
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from http import HTTPStatus
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

from benchmarks.load.loops import open_loop
from benchmarks.load.seats import Playing, Tally, leave_all, seat_all
from tests.patience import PATIENCE
from tests.security.calling import UPGRADE, Caller, Reply, somebody
from tests.security.planted import NO_RATES, changed
from tests.security.slowing import SLOWER, opened
from tests.server.running import Server, served
from zerosum.server import limits
from zerosum.tables import limits as table_limits

ADDRESS: Final = "127.0.0.3"
ABREAST: Final = 20
CALM_SECONDS: Final = 5.0
SHARES: Final = (0.5, 0.99)
AGAIN: Final = 2
"""How often an attack is repeated that seems to make honest players too slow."""
PRICES: Final = Path(__file__).with_name("prices.json")
"""What each kind costs: milliseconds of processor time of all processes, and what its address is charged."""
_ASKED: Final = 60
PUPILS: Final = 12
_VARIANT: Final = 'like = "sum31"\nid = "own"\nname = "Own"\ntarget = {number}\n'


@dataclass(frozen=True)
class Kind:
    """A request that an address may make: as a program if its path is the API's, else as a browser.

    `{table}`, `{over}`, `{room}`, `{day}` and a `{number}` that is always new are filled in. `who` sends it: somebody
    who holds seats, the teacher or a pupil of a room, or nobody.
    """

    path: str
    body: Mapping[str, Any] | None = None
    who: str = "ann"
    live: bool = False
    """Whether it opens a live connection, which is closed at once."""


def _move(number: str, version: str = "1") -> dict[str, Any]:
    return {"version": int(version), "move_id": f"m{number}", "move": "+1"}


GAMES: Final = {
    "reference": Kind("/api/v1/docs"),
    "description": Kind("/api/v1/openapi.json"),
    "games": Kind("/api/v1/games"),
    "solution": Kind("/api/v1/games/sequence-zero/solution"),
    "home": Kind("/"),
    "home of a newcomer": Kind("/", who=""),
    "new": Kind("/new"),
    "shelves": Kind("/games"),
    "rules": Kind("/games/sum31"),
    "solved": Kind("/games/sequence-zero/solved"),
    "lessons": Kind("/learn/sum31"),
    "puzzles": Kind("/games/sum31/puzzles"),
    "daily": Kind("/puzzles/daily/{day}"),
    "try at the daily": Kind("/puzzles/daily/{day}", {"move": "+1"}),
    "own game": Kind("/own"),
    "own game by its text": Kind("/own/check", {"text": _VARIANT}),
    "make even": Kind("/own/check", {"text": _VARIANT, "do": "even"}),
    "measure": Kind("/own", {"text": _VARIANT, "do": "measure"}),
    "analyses": Kind("/api/v1/analyze", {"game": "sum31", "moves": ["+5", "+6"]}),
    "variants": Kind("/api/v1/analyze", {"variant": _VARIANT}),
    "refused analyses": Kind("/api/v1/analyze", {"variant": "x = [" + "1," * (table_limits.VARIANT_MARKS - 2) + "]"}),
}
TABLES: Final = {
    "table": Kind("/api/v1/tables/{table}"),
    "page of a table": Kind("/tables/{table}"),
    "board": Kind("/tables/{table}/board"),
    "projector": Kind("/tables/{table}/projector"),
    "events": Kind("/api/v1/tables/{table}/events?since=0"),
    "record": Kind("/tables/{table}/record"),
    "values": Kind("/api/v1/tables/{table}/values"),
    "hint": Kind("/api/v1/tables/{table}/hint?step=4"),
    "late moves": Kind("/api/v1/tables/{table}/move", _move("{number}")),
    "moves sent again": Kind("/api/v1/tables/{table}/move", _move("0")),
    "moves of nobody": Kind("/api/v1/tables/{table}/move", _move("{number}"), who="teacher"),
    "live connections": Kind("/api/v1/tables/{table}/live", live=True),
    "review": Kind("/tables/{over}/review"),
    "review as JSON": Kind("/api/v1/tables/{over}/matches/1/review"),
    "offers of changes": Kind("/tables/{over}/changes"),
    "list": Kind("/api/v1/tables"),
    "new tables": Kind("/api/v1/tables", {"game": "sum31", "opponent": "here"}),
    "tables against computers": Kind("/api/v1/tables", {"game": "sum31", "opponent": "level:5", "first": "them"}),
    "keys": Kind("/api/v1/keys", {}),
    "invitations": Kind("/join/" + "0" * 28),
    "codes": Kind("/return", {"code": "0" * 28}),
}
ROOMS: Final = {
    "new rooms": Kind("/api/v1/rooms", {"game": "sum31"}),
    "room": Kind("/room/{room}", who="pupil"),
    "room as JSON": Kind("/api/v1/rooms/{room}"),
    "place in a room": Kind("/api/v1/rooms/{room}/place", who="pupil"),
    "joining a room": Kind("/api/v1/rooms/{room}/join", {"name": "Zed {number}"}),
    "wrong rooms": Kind("/room/zz{number}"),
    "wall": Kind("/room/{room}/wall"),
    "live wall": Kind("/room/{room}/wall/live", live=True),
    "desk": Kind("/room/{room}/desk", who="teacher"),
    "report": Kind("/room/{room}/report", who="teacher"),
    "report as CSV": Kind("/room/{room}/report.csv", who="teacher"),
    "report as JSON": Kind("/api/v1/rooms/{room}/report", who="teacher"),
}
OTHERS: Final = {
    "style": Kind("/static/style.css"),
    "picture of a link": Kind("/static/link-sum31.png"),
    "nothing": Kind("/nothing"),
    "ready": Kind("/readyz"),
    "metrics": Kind("/metrics"),
}
PERMITTED: Final = GAMES | TABLES | ROOMS | OTHERS


@dataclass(frozen=True)
class Place:
    """What an attack can ask about, and the keys it has."""

    filled: Mapping[str, str]
    keys: Mapping[str, str]

    def request(self, kind: Kind, number: int) -> bytes:
        """Return a request; a browser takes compressed pages and has its key in a cookie."""
        filled = {**self.filled, "number": str(number)}
        method = "GET" if kind.body is None else "POST"
        lines = [f"{method} {_fill(kind.path, filled)} HTTP/1.1", "Host: 127.0.0.1", *(UPGRADE if kind.live else ())]
        body, key, program = b"", self.keys.get(kind.who, ""), kind.path.startswith("/api/")
        if kind.body is not None:
            fields = {name: _fill(one, filled) for name, one in kind.body.items()}
            text = json.dumps(fields) if program else "&".join(f"{name}={one}" for name, one in fields.items())
            body = text.encode()
            media = "json" if program else "x-www-form-urlencoded"
            lines += [f"Content-Type: application/{media}", f"Content-Length: {len(body)}"]
        if key and program:
            lines.append(f"Authorization: Bearer {key}")
        elif not program:
            lines += ["Accept: text/html", "Accept-Encoding: gzip", "Origin: http://127.0.0.1"]
            lines += [f"Cookie: zerosum_key={key}"] if key else []
        return "\r\n".join([*lines, "", ""]).encode() + body


def _fill(one: Any, filled: Mapping[str, str]) -> Any:
    if isinstance(one, str):
        for name, value in filled.items():
            one = one.replace(f"{{{name}}}", value)
    return one


def prepare(server: Server) -> Place:
    """Open what is attacked: a table, one whose match is over, some for a list, and a room with pupils."""
    ann, table = opened(server)
    over = [_play(ann, opened_by(ann), 40) for _ in range(15)][-1]
    _play(ann, table, 3)
    teacher = somebody(server, "teacher")
    room = patiently(teacher, "POST", "/api/v1/rooms", {"game": "sum31"}).json["code"]
    pupils = [somebody(server, "pupil") for _ in range(PUPILS)]
    for number, pupil in enumerate(pupils):
        patiently(pupil, "POST", f"/api/v1/rooms/{room}/join", {"name": f"Pupil {number}"})
    patiently(teacher, "POST", f"/api/v1/rooms/{room}/start")
    deadline = time.monotonic() + PATIENCE
    while not (found := patiently(pupils[0], "GET", f"/api/v1/rooms/{room}/place").json["table"]):
        assert time.monotonic() < deadline, "nobody was paired"
        time.sleep(0.1)
    filled = {"table": table, "over": over, "room": room, "day": str(datetime.now(UTC).date())}
    assert found
    return Place(filled, {"ann": ann.token, "teacher": teacher.token, "pupil": pupils[0].token})


def opened_by(ann: Caller) -> str:
    """Return another table of somebody's."""
    return str(patiently(ann, "POST", "/api/v1/tables", {"game": "sum31", "opponent": "here"}).json["state"]["table"])


def _play(ann: Caller, table: str, plies: int) -> str:
    """Make some moves at a table, or as many as there are."""
    for _ in range(plies):
        state = patiently(ann, "GET", f"/api/v1/tables/{table}").json
        if state["match"]["outcome"] is not None:
            break
        body = {"version": state["version"], "move_id": f"m{state['version'] - 1}", "move": "+1"}
        body["move"] = "+1" if "+1" in state["match"]["legal_moves"] else state["match"]["legal_moves"][-1]
        patiently(ann, "POST", f"/api/v1/tables/{table}/move", body)
    return table


def patiently(caller: Caller, method: str, path: str, body: Mapping[str, Any] | None = None) -> Reply:
    """Send a request again for as long as its address has asked for too much."""
    while (reply := caller.call(method, path, body)).status == HTTPStatus.TOO_MANY_REQUESTS:
        time.sleep(0.5)
    return reply


async def _ask(kind: Kind, port: int, place: Place, met: Counter[str]) -> None:
    while True:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(ADDRESS, 0), limit=2**24)
            try:
                while True:
                    writer.write(place.request(kind, 20 + met.total() % 10_000))
                    head = await reader.readuntil(b"\r\n\r\n")
                    met[head[9:12].decode()] += 1
                    if kind.live:
                        break
                    length = re.search(rb"content-length: *([0-9]+)", head.lower())
                    await reader.readexactly(int(length[1]) if length else 0)
            finally:
                writer.close()
        except (OSError, asyncio.IncompleteReadError):
            await asyncio.sleep(0.05)


def _attack(kind: Kind, port: int, place: Place, told: Any) -> None:
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))  # it stands for callers elsewhere
    met: Counter[str] = Counter()

    async def run() -> None:
        tasks = [asyncio.create_task(_ask(kind, port, place, met)) for _ in range(ABREAST)]
        told.send("begun")
        await asyncio.to_thread(told.recv)
        for task in tasks:
            task.cancel()

    asyncio.run(run())
    told.send(met)


@contextmanager
def attacked(kind: Kind, port: int, place: Place) -> Iterator[Counter[str]]:
    """Attack a server in one way until the end of the block; then the statuses that the attack met are known."""
    met: Counter[str] = Counter()
    ours, theirs = get_context("spawn").Pipe()
    process = get_context("spawn").Process(target=_attack, args=(kind, port, place, theirs), daemon=True)
    process.start()
    try:
        ours.recv()
        yield met
        ours.send("stop")
        met.update(ours.recv())
    finally:
        process.kill()
        process.join()


@dataclass
class Spell:
    """A stretch of time: seconds until each honest move was acknowledged, and the server's processor time a second."""

    seconds: list[float] = field(default_factory=list)
    work: float = 0.0

    def at(self, share: float) -> float:
        """Return the time within which a share of all answers came."""
        return sorted(self.seconds)[int(share * (len(self.seconds) - 1))]


@dataclass(frozen=True)
class Slowing:
    """An attack and the calm before and after it, and what the attack met."""

    calm: Spell
    attack: Spell
    met: Counter[str]
    of: int = 1
    """Of how many attacks it is the middle one."""

    def worst(self) -> float:
        """By what factor honest answers took longer, at the share at which it is largest."""
        return max(map(self.factor, SHARES))

    def factor(self, share: float) -> float:
        """By what factor honest answers took longer."""
        return self.attack.at(share) / self.calm.at(share)

    def __str__(self) -> str:
        """Return the figures as a line."""
        calm = " ".join(f"{self.calm.at(share) * 1000:5.1f}" for share in SHARES)
        slower = " ".join(f"x{self.factor(share):4.2f}" for share in SHARES)
        more = self.attack.work - self.calm.work
        met = " ".join(f"{status}:{count}" for status, count in sorted(self.met.items()))
        return f"calm {calm} ms  {slower}  work {more:+5.2f}  {met}"


@dataclass
class Honest:
    """A server and the honest players at it."""

    server: Server
    tables: list[Playing]
    tally: Tally
    rate: float

    async def spell(self, seconds: float) -> Spell:
        """Let them play for a while."""
        before, worked = len(self.tally.acknowledged), self._work()
        run = await open_loop(self.tables, self.rate, seconds)
        return Spell(self.tally.acknowledged[before:], (self._work() - worked) / run.seconds)

    def _work(self) -> float:
        times = [process.cpu_times() for process in self.server.processes()]
        return float(sum(one.user + one.system for one in times))


async def slowed_by(name: str, honest: Honest, place: Place, seconds: float) -> Slowing:
    """Measure calm, attack, calm."""
    before = await honest.spell(CALM_SECONDS)
    with attacked(PERMITTED[name], honest.server.port, place) as met:
        attack = await honest.spell(seconds)
    await asyncio.sleep(1)
    after = await honest.spell(CALM_SECONDS)
    calm = Spell(before.seconds + after.seconds, (before.work + after.work) / 2)
    return Slowing(calm, attack, met)


async def _measure(
    server: Server, names: Sequence[str], seconds: float, tables: int, rate: float
) -> dict[str, Slowing]:
    place = prepare(server)
    tally = Tally()
    honest = Honest(server, await seat_all(server.port, tables, tally), tally, rate)
    await honest.spell(CALM_SECONDS)
    found = {}
    for name in names:
        tries: list[Slowing] = []
        while not tries or (tries[0].worst() > SLOWER and len(tries) <= AGAIN):
            tries.append(await slowed_by(name, honest, place, seconds))
            sys.stderr.write(f"{name:25} {tries[-1]}\n")
        found[name] = replace(sorted(tries, key=Slowing.worst)[len(tries) // 2], of=len(tries))
    await leave_all(honest.tables)
    if tally.errors:
        raise AssertionError("\n".join(tally.errors[:10]))
    return found


def measure(names: Sequence[str], seconds: float, tables: int = 200, rate: float = 200.0) -> dict[str, Slowing]:
    """Attack a server in some ways, one after the other, while honest people play."""
    with served(env={"PYTHONHASHSEED": "0"}) as server:
        return asyncio.run(_measure(server, names, seconds, tables, rate))


def prices(names: Sequence[str]) -> dict[str, dict[str, float]]:
    """Return what each kind costs the server, asked for one by one while nobody is refused."""
    found = {}
    with served(command=changed(NO_RATES)) as server:
        place, processes = prepare(server), Processes(server)
        for name in names:
            for number in range(5):
                _exchange(server.port, place.request(PERMITTED[name], 10 + number), live=PERMITTED[name].live)
            before, charged = processes.work(), charges(server)
            for number in range(_ASKED):
                _exchange(server.port, place.request(PERMITTED[name], 20 + number), live=PERMITTED[name].live)
            worked = 1000 * (processes.work() - before) / _ASKED
            # Each look at the figures is a request of its own.
            more = {
                one: count - charged.get(one, 0) - (one == "work") * COUNTING for one, count in charges(server).items()
            }
            found[name] = {"ms": round(worked, 2)} | {one: round(n / _ASKED, 2) for one, n in more.items() if n}
            sys.stderr.write(f"{name:25} {found[name]}\n")
    return found


COUNTING: Final = limits.PAGE_COST
"""What a look at the figures is charged itself."""


@dataclass(frozen=True)
class Processes:
    """The processes of a server."""

    server: Server

    def work(self) -> float:
        """Return the processor time that they have taken."""
        times = [process.cpu_times() for process in self.server.processes()]
        return float(sum(one.user + one.system for one in times))


def _exchange(port: int, request: bytes, *, live: bool) -> None:
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as plain:
        plain.sendall(request)
        head = b""
        while b"\r\n\r\n" not in head:
            head += plain.recv(65536)
        start, _, body = head.partition(b"\r\n\r\n")
        length = re.search(rb"content-length: *([0-9]+)", start.lower())
        left = 0 if live or length is None else int(length[1]) - len(body)
        while left > 0:
            left -= len(plain.recv(65536))


def charges(server: Server) -> dict[str, float]:
    """Return what all addresses together were charged, by the budget."""
    text = Caller(server, "who counts").call("GET", "/metrics").text
    return {name: float(count) for name, count in re.findall(r'zerosum_charged_total{budget="(\w+)"} (\S+)', text)}


def main() -> None:
    """Print how much slower honest players are, for each kind."""
    parser = argparse.ArgumentParser(prog="python -m tests.security.permitted")
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"of: {', '.join(PERMITTED)}")
    parser.add_argument("--seconds", type=float, default=15, help="how long each kind attacks")
    parser.add_argument("--tables", type=int, default=200, help="honest matches")
    parser.add_argument("--rate", type=float, default=200, help="honest moves a second")
    parser.add_argument("--prices", action="store_true", help="measure what each kind costs the server instead")
    given = parser.parse_args()
    if given.prices:
        PRICES.write_text(json.dumps(prices(given.kinds or list(PERMITTED)), indent=0) + "\n", encoding="utf-8")
        return
    found = measure(given.kinds or list(PERMITTED), given.seconds, given.tables, given.rate)
    slow = [name for name, one in found.items() if one.worst() > SLOWER]
    sys.stdout.write(f"{len(found)} kinds, {len(slow)} make honest players more than {SLOWER:g} times as slow")
    sys.stdout.write(f": {', '.join(slow)}\n" if slow else "\n")
    sys.exit(bool(slow))


if __name__ == "__main__":
    main()
