"""Promise 5: over the network only a readable pick, by the right seat, at the current version, can forfeit a Duel."""

from __future__ import annotations

from collections.abc import Iterator

from tests.reliability.clients import Document, Live
from tests.reliability.report import Report
from tests.reliability.tables import Table, done, move, new_id, open_table

GAME = "zero-sum-duel"
UNREADABLE = (
    "x",
    "",
    "five",
    "+",
    "-",
    "5+",
    "+5 ",
    "0x5",
    "1_0",
    "٣",
    "５",
    "+5.0",
    "1e1",
    "NaN",
    "true",
    "+" + "9" * 30,
)
"""What is no move at all; a pick that no rule could judge."""
WITHOUT_OPERATION = ("5", "1", "9", "99", "0")
NEVER_ALLOWED = ("swap", "++5", "+-5")
"""What is written like a move, and is none that this game could have."""


def forfeit_only_when_due(url: str) -> Report:
    """Send everything that must not forfeit, then the one thing that does."""
    report = Report("5", "Duel: what does not forfeit")
    table = open_table(url, GAME)
    one, two = table.caller(url, 1), table.caller(url, 2)
    done(one.call("POST", table.path("move"), first := move(table.state(one), "+5")))
    harmless = list(_harmless(table.state(one), first))
    for person, sent, code in harmless:
        # Each from an address of its own: one would be told to ask more slowly.
        reply = table.caller(url, person).call("POST", table.path("move"), sent)
        report.check(reply.code == code, f"{sent} by person {person} was answered {reply.status} {reply.body[:160]!r}")
        told = _live_code(url, table, person, sent)
        report.check(told == code, f"{sent} by person {person}, live, was answered {told!r}, not {code!r}")
        match = table.state(table.caller(url, 1))["match"]
        if match["outcome"] is not None or match["moves"] != ["+5"]:
            report.broken.append(f"{sent} by person {person} left {match['moves']}, {match['outcome']}")
            return report
    forbidden = two.call("POST", table.path("move"), move(table.state(two), "+5"))
    outcome = done(forbidden)["state"]["match"]["outcome"]
    due = outcome is not None and (outcome["winner"], outcome["reason"]) == (1, "forfeit")
    report.check(due, f"a readable pick of a number that is gone, in turn, did not forfeit: {outcome}")
    report.figures = {"harmless submissions, each by both doors": len(harmless), "forfeits by them": len(report.broken)}
    return report


def _harmless(state: Document, first: Document) -> Iterator[tuple[int, Document, str]]:
    """Return who sends what, and the code of the answer; person 2 is to move, and 5 is gone."""
    now, gone = state["version"], "+5"
    for text in UNREADABLE:
        yield 2, move(state, text), "unreadable-move" if 0 < len(text) <= 40 else "bad-field"
    for text in WITHOUT_OPERATION:
        yield 2, move(state, text), "operation-missing"
    for text in NEVER_ALLOWED:
        yield 2, move(state, text), "illegal-move"
    for version in (1, now - 1, now + 1, 2**31 - 1):
        yield 2, {"version": version, "move_id": new_id(), "move": gone}, "stale"
    for bad in (0, -1, 2**63, "3", 3.0, None, True):
        yield 2, {"version": bad, "move_id": new_id(), "move": gone}, "bad-field"
    yield 1, move(state, gone), "not-your-turn"
    yield 1, move(state, "+6"), "not-your-turn"
    yield 1, {**move(state, gone), "person": 2}, "not-your-seat"
    yield 1, first, ""
    yield 1, {**first, "version": now}, ""
    yield 1, {**first, "move": "-5"}, "move-id-reused"


def _live_code(url: str, table: Table, person: int, sent: Document) -> str:
    """Return the code that a move gets on a live connection."""
    live = Live(url, table.id, table.tokens[person - 1], since=1)
    live.send({"type": "move", **sent})
    found = live.next("answer", "problem")
    live.drop()
    return str(found.get("problem", {}).get("code", ""))
