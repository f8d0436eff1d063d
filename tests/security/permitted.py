"""Everything that one address may ask for, each asked for alone and as fast as the server lets it (promise 21).

Honest players move meanwhile at tables of their own. Calm and attack take turns in one run, so that figures of the same
minute are compared. `python -m tests.security.permitted [SECONDS [KIND...]]` prints them.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context
from typing import Any, Final

from benchmarks.load.loops import open_loop
from benchmarks.load.seats import Playing, Tally, leave_all, seat_all
from tests.security.slowing import opened
from tests.server.running import Server, served

ADDRESS: Final = "127.0.0.3"
TABLES, RATE = 40, 100.0
ABREAST: Final = 20
_VARIANT: Final = 'like = "sum31"\nid = "own"\nname = "Own"\ntarget = {}\n'


@dataclass(frozen=True)
class Kind:
    """A request that an address may make; `{}` in its path is a table, in its body a number that is always new."""

    path: str
    body: Mapping[str, Any] | None = None
    form: bool = False
    keyed: bool = False


PERMITTED: Final = {
    "reference": Kind("/api/v1/docs"),
    "description": Kind("/api/v1/openapi.json"),
    "games": Kind("/api/v1/games"),
    "home": Kind("/"),
    "rules": Kind("/games/sum31"),
    "lessons": Kind("/learn/sum31"),
    "puzzles": Kind("/puzzles"),
    "own game": Kind("/own"),
    "measure": Kind("/own/check", {"text": _VARIANT}, form=True),
    "analyses": Kind("/api/v1/analyze", {"game": "sum31", "moves": ["+5", "+6"]}),
    "variants": Kind("/api/v1/analyze", {"variant": _VARIANT}),
    "refused analyses": Kind("/api/v1/analyze", {"variant": "x = [" + "1," * 900 + "]"}),
    "table": Kind("/api/v1/tables/{}"),
    "page of a table": Kind("/tables/{}"),
    "board": Kind("/tables/{}/board"),
    "events": Kind("/api/v1/tables/{}/events?since=0"),
    "record": Kind("/tables/{}/record"),
    "review": Kind("/tables/{}/review"),
    "list": Kind("/api/v1/tables", keyed=True),
    "new tables": Kind("/api/v1/tables", {"game": "sum31", "opponent": "here"}, keyed=True),
    "keys": Kind("/api/v1/keys", {}),
    "invitations": Kind("/join/" + "0" * 28),
    "codes": Kind("/return", {"code": "0" * 28}, form=True),
    "style": Kind("/static/style.css"),
    "ready": Kind("/readyz"),
    "metrics": Kind("/metrics"),
}


def _request(kind: Kind, table: str, token: str, number: int) -> bytes:
    lines = [f"{'GET' if kind.body is None else 'POST'} {kind.path.format(table)} HTTP/1.1", "Host: 127.0.0.1"]
    body = b""
    if kind.body is not None:
        filled = {key: one.format(number) if isinstance(one, str) else one for key, one in kind.body.items()}
        text = "&".join(f"{key}={one}" for key, one in filled.items()) if kind.form else json.dumps(filled)
        body = text.encode()
        lines.append(f"Content-Type: application/{'x-www-form-urlencoded' if kind.form else 'json'}")
        lines.append(f"Content-Length: {len(body)}")
    if kind.keyed:
        lines.append(f"Authorization: Bearer {token}")
    return "\r\n".join([*lines, "", ""]).encode() + body


async def _ask(kind: Kind, port: int, table: str, token: str, met: Counter[str]) -> None:
    while True:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(ADDRESS, 0), limit=2**24)
            while True:
                writer.write(_request(kind, table, token, 20 + met.total() % 10_000))
                head = await reader.readuntil(b"\r\n\r\n")
                met[head[9:12].decode()] += 1
                length = next((one for one in head.lower().split(b"\r\n") if one.startswith(b"content-length:")), b":0")
                await reader.readexactly(int(length.partition(b":")[2]))
        except (OSError, asyncio.IncompleteReadError):
            await asyncio.sleep(0.05)


def _attack(name: str, port: int, table: str, token: str, told: Any) -> None:
    os.nice(10)
    met: Counter[str] = Counter()

    async def run() -> None:
        for _ in range(ABREAST):
            asyncio.get_running_loop().create_task(_ask(PERMITTED[name], port, table, token, met))
        await asyncio.to_thread(told.recv)

    asyncio.run(run())
    told.send(met)


@contextmanager
def attacked(name: str, port: int, table: str, token: str) -> Iterator[Counter[str]]:
    """Attack a server in one way until the end of the block; then the statuses that the attack met are known."""
    met: Counter[str] = Counter()
    ours, theirs = get_context("spawn").Pipe()
    process = get_context("spawn").Process(target=_attack, args=(name, port, table, token, theirs), daemon=True)
    process.start()
    try:
        yield met
        ours.send("stop")
        met.update(ours.recv())
    finally:
        process.kill()
        process.join()


@dataclass
class Slowing:
    """Seconds until honest moves were acknowledged, in calm and under attack, and what the attack met."""

    calm: list[float] = field(default_factory=list)
    attacked: list[float] = field(default_factory=list)
    met: Counter[str] = field(default_factory=Counter)

    @staticmethod
    def at(seconds: list[float], share: float) -> float:
        """Return the time within which a share of all answers came."""
        return sorted(seconds)[int(share * (len(seconds) - 1))]

    def factor(self, share: float) -> float:
        """By what factor honest answers took longer."""
        return self.at(self.attacked, share) / self.at(self.calm, share)


async def _moves(tables: list[Playing], tally: Tally, seconds: float) -> list[float]:
    before = len(tally.acknowledged)
    await open_loop(tables, RATE, seconds)
    return tally.acknowledged[before:]


async def slowed_by(name: str, server: Server, tables: list[Playing], tally: Tally, seconds: float) -> Slowing:
    """Measure calm, attack, calm, attack, in turn."""
    ann, table = opened(server)
    for move in ("+5", "+6", "+9"):
        state = ann.call("GET", f"/api/v1/tables/{table}").json
        command = {"version": state["version"], "move_id": move[1:], "move": move}
        ann.call("POST", f"/api/v1/tables/{table}/move", command)
    found = Slowing()
    for _ in range(2):
        found.calm += await _moves(tables, tally, seconds / 2)
        with attacked(name, server.port, table, ann.token) as met:
            await asyncio.sleep(1.5)  # until the process asks, and has used up what it may at once
            found.attacked += await _moves(tables, tally, seconds / 2)
        found.met += met
    return found


async def _measure(server: Server, names: list[str], seconds: float) -> dict[str, Slowing]:
    tally = Tally()
    tables = await seat_all(server.port, TABLES, tally)
    await open_loop(tables, RATE, 2)
    found = {}
    for name in names:
        found[name] = one = await slowed_by(name, server, tables, tally, seconds)
        p50, p99 = (one.at(one.calm, share) * 1000 for share in (0.5, 0.99))
        sys.stderr.write(
            f"{name:18} calm {p50:6.1f} {p99:6.1f} ms  p50 x{one.factor(0.5):.2f}  p99 x{one.factor(0.99):.2f}"
            f"  {dict(one.met)}\n"
        )
    await leave_all(tables)
    if tally.errors:
        raise AssertionError("\n".join(tally.errors[:10]))
    return found


def measure(names: list[str], seconds: float) -> dict[str, Slowing]:
    """Attack a server in some ways, one after the other, while honest people play."""
    with served() as server:
        return asyncio.run(_measure(server, names, seconds))


if __name__ == "__main__":
    given = sys.argv[1:]
    measure(given[1:] or list(PERMITTED), float(given[0]) if given else 10)
