"""One account for each address: who pays for what, and whose share nobody else can spend (promise 21)."""

from __future__ import annotations

import ast
import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.datastructures import Headers

import zerosum.server
from tests.security.permitted import PERMITTED, PRICES
from tests.server.inside import Inside, inside
from tests.server.test_room_api import Lesson
from zerosum.server import limits
from zerosum.server.http.middleware import address
from zerosum.server.http.rate_limits import BUDGETS, Budgets, Payer, request_cost
from zerosum.tables.keys import Key, new_key
from zerosum.tables.problems import Problem

HOME = "203.0.113.5"
RATE = limits.WORK[1]
HALF = 500
"""Milliseconds of processor time a second."""
BOARD, MOVE, DESK = limits.TABLE_COST, limits.API_COST, limits.PAGE_COST


@dataclass
class Town:
    """Some who pay from one address, and a clock."""

    now: float = 0.0
    dice: Random = field(default_factory=lambda: Random(7))
    budgets: Budgets = field(init=False)

    def __post_init__(self) -> None:
        self.budgets = Budgets(lambda: self.now)

    def somebody(self, kind: str = "", home: str = HOME) -> Payer:
        payer = Payer(self.budgets, home, new_key(self.dice))
        if kind:
            payer.give_share(kind)
        return payer

    def spend(self, *greedy: Payer, seconds: float = 1.0) -> float:
        """Let some ask for all they can get for a while; return how much they got."""
        got, ends = 0.0, self.now + seconds
        while self.now < ends:
            for one in greedy:
                while paid(one, 1):
                    got += 1
            self.now += 0.01
        return got


def paid(payer: Payer, cost: float) -> bool:
    try:
        payer.take(cost)
    except Problem:
        return False
    return True


def test_invented_keys_share_one_share() -> None:
    town = Town()
    invented = [town.somebody() for _ in range(50)]
    town.spend(*invented)
    assert town.spend(*invented, seconds=10) <= limits.NEWCOMERS_LARGEST * RATE * 10 * 1.02


def test_no_crowd_takes_more_than_half_a_processor_from_an_address() -> None:
    """Though each of them has played, and there are more of them than shares that are remembered."""
    town = Town()
    crowd = [town.somebody("player") for _ in range(200)] + [town.somebody("desk") for _ in range(20)]
    crowd += [town.somebody() for _ in range(20)]
    town.spend(*crowd)
    assert town.spend(*crowd, seconds=10) <= RATE * 10 * 1.02
    assert RATE <= HALF


def test_pupils_play_on_whatever_newcomers_ask_for() -> None:
    """200 pupils make 40 moves a second together; after each, two draw their board again."""
    town = Town()
    pupils, crowd = [town.somebody("player") for _ in range(200)], [town.somebody() for _ in range(50)]
    refused = 0
    for step in range(40 * 60):
        town.now += 1 / 40
        mover, other = pupils[step % 200], pupils[(step + 100) % 200]
        refused += sum(not paid(*one) for one in ((mover, MOVE), (mover, BOARD), (other, BOARD)))
        for one in crowd:
            paid(one, 5)
    assert refused == 0


def test_a_desk_has_a_share_that_pupils_cannot_spend() -> None:
    town = Town()
    desk, pupils = town.somebody("desk"), [town.somebody("player") for _ in range(200)]
    for _ in range(60):
        town.spend(*pupils, *(town.somebody() for _ in range(5)))
        assert paid(desk, DESK)


def test_a_share_that_nobody_uses_costs_the_others_nothing() -> None:
    town = Town()
    for _ in range(200):
        assert paid(town.somebody("player"), 1)
    one = town.somebody("player")
    account, name = town.budgets.account(HOME), str(one.key and one.key.hash)
    _, crowded, _ = account._share(name)
    town.now += 2 * limits.SHARE_SECONDS
    _, alone, _ = account._share(name)
    assert alone > 5 * crowded


def test_who_is_refused_owes_for_it_and_waits_longer_and_longer() -> None:
    town = Town()
    one = town.somebody()
    town.spend(one)
    waits = []
    for _ in range(50):
        for _ in range(100):
            assert not paid(one, 5)
        waits.append(one.budgets.account(HOME).wait(one.key.hash if one.key else None))
    assert waits == sorted(waits)
    assert waits[0] < waits[-1] == pytest.approx(limits.SHARE_SECONDS, rel=0.1)


def test_a_full_share_pays_for_anything_and_owes_the_rest() -> None:
    town = Town()
    pupils = [town.somebody("player") for _ in range(200)]
    for one in pupils:
        paid(one, 1)
    town.now += 5
    assert paid(pupils[0], 128), "the largest body"
    assert not paid(pupils[0], 1)


def test_no_address_pays_for_another() -> None:
    town = Town()
    town.spend(town.somebody())
    assert not paid(town.somebody(), 50)
    assert paid(town.somebody(home="203.0.113.6"), 50)


@pytest.mark.parametrize(
    ("host", "same", "other"),
    [
        ("203.0.113.5", "203.0.113.5", "203.0.113.6"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2:ffff::1", "2001:db8:1:3::1"),
        ("::ffff:203.0.113.5", "203.0.113.5", "::ffff:203.0.113.6"),
    ],
)
def test_a_network_of_ipv6_is_one_address(host: str, same: str, other: str) -> None:
    assert address({"client": (host, 1)}) == address({"client": (same, 2)}) != address({"client": (other, 1)})


def test_budgets_are_few() -> None:
    work_and_guesses = 2
    assert len(BUDGETS) + work_and_guesses <= 6


def test_stale_repeated_and_illegal_moves_are_charged_and_give_no_share(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "TOO_MANY_SECONDS", 0)
    monkeypatch.setattr(limits, "WORK", (200, 0.1))

    async def talk(app: FastAPI) -> None:
        one = Inside(app, HOME)
        token = (await one.call("POST", "/api/v1/keys")).json["token"]
        opened = await one.call("POST", "/api/v1/tables", {"game": "sum31", "opponent": "here"}, token=token)
        path = f"/api/v1/tables/{opened.json['state']['table']}/move"
        account, seen = app.state.budgets.account(HOME), set()
        moves: tuple[dict[str, Any], ...] = (
            {"version": 9, "move_id": "stale", "move": "+1"},
            {"version": 1, "move_id": "illegal", "move": "+77777"},
        )
        for _ in range(200):
            for move in moves:
                seen.add((await one.call("POST", path, move, token=token)).status)
            assert not account._known, "nothing was accepted"
            if 429 in seen:
                break
        assert 429 in seen

    inside(tmp_path, talk)


def test_an_accepted_move_gives_a_share_and_a_repeated_one_costs_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "TOO_MANY_SECONDS", 0)

    async def talk(app: FastAPI) -> None:
        one, costs = Inside(app, HOME), list[str]()
        token = (await one.call("POST", "/api/v1/keys")).json["token"]
        opened = await one.call("POST", "/api/v1/tables", {"game": "sum31", "opponent": "here"}, token=token)
        path = f"/api/v1/tables/{opened.json['state']['table']}/move"
        monkeypatch.setattr(Payer, "owe", lambda _, work: costs.append(work))
        move = {"version": 1, "move_id": "m", "move": "+1"}
        for _ in range(3):
            assert (await one.call("POST", path, move, token=token)).status == 200
        assert [*app.state.budgets.account(HOME)._known.values()] == ["player"]
        assert costs == ["repeated command"] * 2

    inside(tmp_path, talk)


def test_outsiders_at_a_room_pay_themselves_and_pupils_and_desk_are_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "TOO_MANY_SECONDS", 0)

    async def talk(app: FastAPI) -> None:
        one = Lesson(app)
        await one.open(2)
        await one.teacher.post(one.at("start"))
        table = await one.table(one.pupils[0])
        await one.play(table)
        outsider, flood = Inside(app, "203.0.113.12"), Inside(app, one.pupils[0].client.address)
        for visitor in (outsider, flood):
            for _ in range(1_000):
                if (await visitor.call("GET", f"/room/{one.code}")).status == 429:
                    break
            else:
                raise AssertionError("nobody was refused")
        monkeypatch.setattr(limits, "WORK", (limits.WORK[0], 1.0))  # nothing comes back during the test
        for pupil in one.pupils:
            assert (await pupil.call("GET", one.at("place"))).status == 200
        assert (await one.teacher.call("GET", one.at())).status == 200
        assert (await flood.call("GET", f"/room/{one.code}")).status == 429

    inside(tmp_path, talk)


def test_a_live_connection_pays_for_each_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "WORK", (250, 0.1))
    monkeypatch.setattr(limits, "DRAIN_SECONDS", 0.1)

    async def talk(app: FastAPI) -> None:
        one = Inside(app, HOME)
        token = (await one.call("POST", "/api/v1/keys")).json["token"]
        opened = await one.call("POST", "/api/v1/tables", {"game": "sum31", "opponent": "here"}, token=token)
        path = f"/api/v1/tables/{opened.json['state']['table']}/live"
        scope = {
            "type": "websocket", "path": path, "raw_path": path.encode(), "query_string": b"", "root_path": "",
            "scheme": "ws", "headers": [(b"host", b"127.0.0.1:8031")], "client": (HOME, 1), "subprotocols": [],
        }  # fmt: skip
        asked, sent = 0, []

        async def receive() -> dict[str, Any]:
            nonlocal asked
            asked += 1
            await asyncio.sleep(0)
            return {"type": "websocket.connect"} if asked == 1 else {"type": "websocket.receive", "text": PING}

        async def send(message: Any) -> None:
            sent.append(dict(message))

        await asyncio.wait_for(app(scope, receive, send), 60)
        assert sent[-1]["type"] == "websocket.close"
        assert sent[-1]["code"] == 1008
        assert asked <= limits.WORK[0]

    inside(tmp_path, talk)


PING = json.dumps({"type": "ping"})


def test_a_key_is_no_name_of_a_share_of_others() -> None:
    town = Town()
    stranger = Payer(town.budgets, HOME, Key("zs_" + "a" * 43))
    town.somebody("desk")
    town.spend(town.somebody())
    assert not paid(stranger, 50)


def most_work(prices: Mapping[str, float]) -> float:
    """Return how many milliseconds a second a kind can take of the server at the rate that one address is permitted."""
    rates = {"work": limits.WORK} | BUDGETS
    return prices["ms"] * min(rates[budget][1] / price for budget, price in prices.items() if budget != "ms")


def test_no_permitted_kind_takes_more_than_half_a_processor() -> None:
    """By what each was measured to cost (`python -m tests.security.permitted --prices`) and is charged."""
    measured = json.loads(PRICES.read_text(encoding="utf-8"))
    assert measured.keys() == PERMITTED.keys()
    assert {name: most_work(prices) for name, prices in measured.items() if most_work(prices) > HALF} == {}
    assert most_work({"ms": 4, "work": 3}) > HALF, "a kind that is too cheap is found"


def test_what_was_measured_is_charged_still() -> None:
    measured = json.loads(PRICES.read_text(encoding="utf-8"))
    for name, kind in PERMITTED.items():
        scope = {"type": "websocket" if kind.live else "http", "path": kind.path}
        length = len(json.dumps(kind.body)) if kind.body else 0
        assert request_cost(scope, Headers({"content-length": str(length)})) <= measured[name]["work"], name


UNITS = ("SECONDS", "BYTES", "COST", "WEIGHT", "MOST", "RATE")
"""What a name of a limit ends with, or begins with."""


ELSEWHERE = {
    "limits.py": "the table",
    "table_cache.py": "what tables take in memory, measured",
    "classrooms.py": "the same of rooms",
}


def numbers_outside_the_table() -> set[str]:
    """Return names of numbers that sound like limits, in modules of the server that are not the table."""
    found = set()
    for path in Path(zerosum.server.__file__).parent.rglob("*.py"):
        if path.name in ELSEWHERE:
            continue
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and _is_number(node.value):
                name = node.target.id.strip("_")
                if any(part in UNITS for part in name.split("_")):
                    found.add(f"{path.stem}.{name}")
    return found


def _is_number(node: ast.expr | None) -> bool:
    if isinstance(node, ast.BinOp):
        return _is_number(node.left) and _is_number(node.right)
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool)


def test_limits_stand_in_the_one_table() -> None:
    assert numbers_outside_the_table() == set()
