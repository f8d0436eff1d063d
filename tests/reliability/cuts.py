"""Promise 3: the connection is cut after a command was sent; sending it again gets the first answer, byte for byte."""

from __future__ import annotations

import contextlib
import time
from random import Random

from tests.reliability.clients import CutError, Document, Live
from tests.reliability.report import Report, Say, quietly
from tests.reliability.tables import Table, command, done, move, open_table, said

HEARD_SECONDS = 1.0
"""Within which the opponent must hear of a move, though who made it was cut off."""


class Line:
    """A table where whoever is to move loses the connection over it."""

    def __init__(self, url: str, seed: int) -> None:
        self._url = url
        self._table = open_table(url)
        self._chance = Random(seed)
        self.wrong: list[str] = []
        self.slowest = 0.0
        """Seconds until the opponent heard of a move."""
        self.answered = 0

    def run(self, way: str) -> None:
        """Make one move whose answer is lost, then send it again through both doors."""
        state = self._state()
        person = state["match"]["to_move"]
        sent = move(state, self._chance.choice(state["match"]["legal_moves"]))
        opponent = Live(self._url, self._table.id, self._table.tokens[2 - person], since=state["version"])
        before = time.monotonic()
        first = self._lose_http(person, sent) if way == "http" else self._lose_live(person, sent)
        committed = self._hears(opponent, state["version"] + 1)
        if committed:
            self.slowest = max(self.slowest, time.monotonic() - before)
        opponent.drop()
        again = [self._ask_http(person, sent), self._ask_live(person, sent), self._ask_http(person, sent)]
        if first:
            again.append(first)
            self.answered += 1
        where = f"{way}, {self._table.id} version {state['version'] + 1}"
        if len(set(again)) != 1:
            self.wrong.append(f"{where}: the same command got different answers: {[one[:80] for one in set(again)]}")
        events = self._table.events(self._table.caller(self._url, 1))[state["version"] :]
        if [one.get("entry") for one in events] != [sent["move"]]:
            self.wrong.append(f"{where}: one move left {events}")

    def _state(self) -> Document:
        caller = self._table.caller(self._url, 1)
        state = self._table.state(caller)
        if state["match"]["outcome"] is not None:
            for person in (1, 2):
                caller = self._table.caller(self._url, person)
                done(caller.call("POST", self._table.path("rematch"), command(state)))
                state = self._table.state(caller)
        return state

    def _lose_http(self, person: int, sent: Document) -> str:
        """Send a move; lose the connection at once, a little later, or with the answer unread in it."""
        caller = self._table.caller(self._url, person)
        caller.send(caller.request("POST", self._table.path("move"), sent))
        dice = self._chance.random()
        answer = ""
        if dice < 0.3:
            answer = said(caller.reply().body)
        elif dice < 0.8:
            time.sleep(self._chance.random() * 0.01)
        caller.close(rudely=self._chance.random() < 0.5)
        return answer

    def _lose_live(self, person: int, sent: Document) -> str:
        live = Live(self._url, self._table.id, self._table.tokens[person - 1], since=sent["version"])
        live.send({"type": "move", **sent})
        time.sleep(self._chance.choice((0.0, 0.0, self._chance.random() * 0.01)))
        live.drop()
        return ""

    def _hears(self, opponent: Live, version: int) -> bool:
        """Whether the opponent hears of the move; one whose sender was cut off early may not have happened."""
        with contextlib.suppress(CutError):
            return bool(opponent.next("event", seconds=HEARD_SECONDS)["version"] == version)
        caller = self._table.caller(self._url, 1)
        if self._table.state(caller)["version"] < version:
            return False
        try:
            return bool(opponent.next("event")["version"] == version)
        except CutError as error:
            self.wrong.append(f"{self._table.id}: the opponent did not hear of version {version}: {error}")
            return False

    def _ask_http(self, person: int, sent: Document) -> str:
        reply = self._table.caller(self._url, person).call("POST", self._table.path("move"), sent)
        return said(reply.body) if reply.status == 200 else reply.code

    def _ask_live(self, person: int, sent: Document) -> str:
        live = Live(self._url, self._table.id, self._table.tokens[person - 1], since=sent["version"])
        live.send({"type": "move", **sent})
        while (text := live.read()) is not None and f'"move_id":"{sent["move_id"]}"' not in text:
            pass
        live.drop()
        return said(text) if text and '"type":"answer"' in text else str(text)


def cut_after_sending(url: str, cuts: int, *, say: Say = quietly, seed: int = 1) -> Report:
    """Cut connections after commands were sent, over HTTP and live."""
    report = Report("3", "cut before the answer")
    lines = [Line(url, seed + number) for number in range(3)]
    for number in range(cuts):
        if number % 10 == 0:
            say(f"{number} of {cuts} cuts")
        lines[number % len(lines)].run("live" if number % 2 else "http")
    report.broken = [one for line in lines for one in line.wrong]
    slowest = max(line.slowest for line in lines)
    report.check_time(slowest, HEARD_SECONDS, "the opponent heard of a move after")
    report.figures = {
        "cuts": cuts,
        "answers given and lost": sum(line.answered for line in lines),
        "opponent heard after at most": f"{slowest:.2f} s",
        "second events or other answers": len(report.broken),
    }
    return report


def use_an_id_twice(url: str) -> Report:
    """Send something else under a `move_id` that was used, and the same words by the other person."""
    report = Report("3", "a move_id used for something else")
    table: Table = open_table(url)
    one, two = table.caller(url, 1), table.caller(url, 2)
    sent = move(table.state(one), "+1")
    first = one.call("POST", table.path("move"), sent)
    for name, other in (("move", {**sent, "move": "+2"}), ("resign", {"version": 3, "move_id": sent["move_id"]})):
        reply = one.call("POST", table.path(name), other)
        report.check(reply.code == "move-id-reused", f"{name} under a used id was answered {reply.body[:200]!r}")
    theirs = two.call("POST", table.path("move"), {**sent, "version": 3, "move": "+2"})
    report.check(theirs.status == 200, f"the other person's id was taken for mine: {theirs.body[:200]!r}")
    later = one.call("POST", table.path("move"), {**sent, "version": 4})
    report.check(later.body == first.body, "with another version, the same command got another answer")
    report.figures = {"broken": len(report.broken)}
    return report
