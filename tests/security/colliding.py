"""An attack by ids: commands under the `move_id` that a computer's next event would have."""

from __future__ import annotations

import time
from typing import Any

from tests.patience import PATIENCE
from tests.reliability.report import Report
from tests.security.calling import Caller, somebody
from tests.security.seating import move_id
from tests.security.work import counted
from tests.server.running import Server

IDS = ("auto-{}", "auto:{}", "auto{}", "AUTO-{}", "auto_{}")
IDLE_SECONDS = 3.0
MORE = 20
"""Transactions that may happen beside the usual ones while nobody does anything; a table in a loop makes hundreds."""


def collide(server: Server, rounds: int = 3, *, within: float = PATIENCE) -> Report:
    """Take the ids of a computer's events at some tables: all go on, and the server has nothing to do afterwards."""
    report = Report("3", "ids of a computer's events")
    before = _transactions(server)
    refused = 0
    for _ in range(rounds):
        for form in IDS:
            if not report.broken:
                refused += _attack(server, form, report, within)
    after = _transactions(server)
    report.check(after <= before + MORE, f"{after} transactions while nobody does anything; {before} before")
    report.figures = {
        "tables": rounds * len(IDS),
        "ids refused": refused,
        f"transactions in {IDLE_SECONDS:.0f} s before": before,
        "after": after,
    }
    return report


def _transactions(server: Server) -> int:
    """Return how many transactions there are while nobody does anything, for a while."""
    began = counted(server, "zerosum_store_batches")
    time.sleep(IDLE_SECONDS)
    return counted(server, "zerosum_store_batches") - began


def _attack(server: Server, form: str, report: Report, within: float) -> int:
    """Play against a computer under its ids; return how many were refused."""
    ann, refused = somebody(server, "Ann"), 0
    order = {"game": "sum-to-zero", "opponent": "random", "first": "me"}
    table = f"/api/v1/tables/{ann.call('POST', '/api/v1/tables', order).json['state']['table']}"
    for _ in range(3):
        state = _my_turn(ann, table, within)
        if state["match"]["outcome"] is not None:
            break
        version = state["version"]
        sent = {"version": version, "move": state["match"]["legal_moves"][0]}
        for ahead in (3, 2, 1, 0):
            reply = ann.call("POST", f"{table}/move", {**sent, "move_id": form.format(version + ahead)})
            refused += reply.status == 422
        if reply.status == 422:
            ann.call("POST", f"{table}/move", {**sent, "move_id": move_id()})
        after = _my_turn(ann, table, within)
        moved_on = after["match"]["outcome"] is not None or after["match"]["to_move"] == 1
        report.check(after["version"] > version and moved_on, f"a table stands still under {form}")
    return refused


def _my_turn(ann: Caller, table: str, within: float) -> dict[str, Any]:
    """Return the state once the computer has moved."""
    deadline = time.monotonic() + within
    while (state := ann.call("GET", table).json)["match"]["outcome"] is None and state["match"]["to_move"] != 1:
        if time.monotonic() > deadline:
            break
        time.sleep(0.02)
    found: dict[str, Any] = state
    return found
