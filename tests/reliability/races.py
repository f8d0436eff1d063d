"""Promise 4: two tabs or two replicas play the same turn at once; exactly one move is made."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from random import Random

from tests.reliability.clients import Document, Live
from tests.reliability.report import Report, Say, quietly
from tests.reliability.tables import Table, command, done, move, new_id, open_table, said

Answer = tuple[str, str]
"""The code of the problem or an empty text, and the answer itself."""
Race = Callable[[Table, int, Sequence[str], tuple[Document, Document]], list[Answer]]


def _by_http(table: Table, person: int, urls: Sequence[str], moves: tuple[Document, Document]) -> list[Answer]:
    """Send two requests but for their last byte, then these at once."""
    tabs = [table.caller(url, person) for url in urls]
    requests = [tab.request("POST", table.path("move"), one) for tab, one in zip(tabs, moves, strict=True)]
    for tab, request in zip(tabs, requests, strict=True):
        tab.send(request[:-1])
    for tab, request in zip(tabs, requests, strict=True):
        tab.send(request[-1:])
    replies = [tab.reply() for tab in tabs]
    for tab in tabs:
        tab.close()
    return [(reply.code, reply.body.decode()) for reply in replies]


def _by_live(table: Table, person: int, urls: Sequence[str], moves: tuple[Document, Document]) -> list[Answer]:
    """Send two messages at once, each on a live connection of its own."""
    token = table.tokens[person - 1]
    tabs = [Live(url, table.id, token, since=moves[0]["version"]) for url in urls]
    for tab, one in zip(tabs, moves, strict=True):
        tab.send({"type": "move", **one})
    found = [tab.next("answer", "problem") for tab in tabs]
    for tab in tabs:
        tab.drop()
    return [_live_answer(one) for one in found]


def _live_answer(found: Document) -> Answer:
    problem = found.get("problem")
    return ("", json.dumps(found)) if problem is None else (problem["code"], json.dumps(problem))


RACES: dict[str, Race] = {"http": _by_http, "live": _by_live}


class Course:
    """A table where every turn is a race."""

    def __init__(self, urls: Sequence[str], seed: int) -> None:
        self._urls = [urls[0], urls[-1]]
        self._table = open_table(urls[0])
        self._chance = Random(seed)
        self.wrong: list[str] = []

    def _state(self) -> Document:
        """Return the table with a match going on; asked from new addresses, which are not told to ask more slowly."""
        persons = [self._table.caller(self._urls[0], person) for person in (1, 2)]
        state = self._table.state(persons[0])
        if state["match"]["outcome"] is not None:
            for person in persons:
                done(person.call("POST", self._table.path("rematch"), command(state)))
                state = self._table.state(person)
        return state

    def run(self, way: str) -> None:
        """Let two different moves race, or every fourth time twice the same."""
        state = self._state()
        legal = state["match"]["legal_moves"]
        same = len(legal) < 2 or self._chance.random() < 0.25
        texts = [self._chance.choice(legal)] * 2 if same else self._chance.sample(legal, 2)
        ids = [new_id()] * 2 if same else [new_id(), new_id()]
        moves = (move(state, texts[0], ids[0]), move(state, texts[1], ids[1]))
        urls = self._urls if self._chance.random() < 0.5 else self._urls[::-1]
        answers = RACES[way](self._table, state["match"]["to_move"], urls, moves)
        wrong = self._same(answers) if same else self._different(answers, texts)
        self._check_events(state, texts, wrong)
        self.wrong += [f"{way}, {self._table.id} version {state['version'] + 1}: {one}" for one in wrong]

    def _same(self, answers: list[Answer]) -> list[str]:
        codes = [code for code, _ in answers]
        if codes != ["", ""]:
            return [f"one move_id sent twice was answered {codes}"]
        first, second = (said(text) for _, text in answers)
        return [] if first == second else [f"one move_id, two answers: {_difference(first, second)}"]

    def _different(self, answers: list[Answer], texts: list[str]) -> list[str]:
        codes = [code for code, _ in answers]
        if sorted(codes) != ["", "stale"]:
            return [f"two moves at once were answered {codes}"]
        winner = codes.index("")
        now = json.loads(answers[1 - winner][1])["state"]
        played = json.loads(answers[winner][1])["state"]
        fine = now["version"] == played["version"] and now["match"]["moves"] == played["match"]["moves"]
        wrong = [] if fine else ["who was too late was not shown the table as it is now"]
        return wrong if played["match"]["moves"][-1] == texts[winner] else [*wrong, "another move was acknowledged"]

    def _check_events(self, before: Document, texts: list[str], wrong: list[str]) -> None:
        events = self._table.events(self._table.caller(self._urls[0], 2))[before["version"] :]
        if len(events) != 1 or events[0].get("entry") not in texts:
            wrong.append(f"the turn left {len(events)} events: {events}")


def _difference(first: str, second: str) -> str:
    at = next((n for n, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), 0)
    return f"...{first[max(0, at - 40) : at + 30]} and ...{second[max(0, at - 40) : at + 30]}"


def race(urls: Sequence[str], races: int, *, say: Say = quietly, seed: int = 1) -> Report:
    """Run races on one server, or between two replicas, over HTTP and live."""
    report = Report("4", "the same turn at once, " + ("two replicas" if len(urls) > 1 else "one server"))
    courses = [Course(urls, seed + number) for number in range(4)]
    for number in range(races):
        if number % 25 == 0:
            say(f"{number} of {races} races")
        courses[number % len(courses)].run("live" if number % 2 else "http")
    report.broken = [one for course in courses for one in course.wrong]
    report.figures = {"races": races, "not exactly one move": len(report.broken)}
    return report
