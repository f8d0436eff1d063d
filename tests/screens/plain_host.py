"""A host without a server: it answers questions itself, keeps tables as lists of events, and its clock stands.

It is all that screens need, and so the least that another host has to be.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any, ParamSpec, TypeVar
from urllib.parse import parse_qsl, urlsplit

from zerosum.base.documents import to_json
from zerosum.base.errors import ZerosumError
from zerosum.jobs import game_jobs
from zerosum.jobs.job_table import Job, JobError, job_error_of
from zerosum.match.setup import Person
from zerosum.rules.rules_dict import rules_to_dict
from zerosum.screens.screen import Answer, Invited, SeatedTable, Surroundings, TableSight, Visit, screen_at
from zerosum.tables.commands import COMMANDS, Command, EventDraft, Moment, UnconfirmedForfeit, computer_draft, sender_of
from zerosum.tables.events import Event, EventKind, automatic_event
from zerosum.tables.new_table import TableRequest, open_request
from zerosum.tables.problems import Problem
from zerosum.tables.table import Table, fold
from zerosum.tables.view import event_words

P = ParamSpec("P")
T = TypeVar("T")
ORIGIN = "http://127.0.0.1"
SEED = "00c0ffee" * 2


class FormReader(HTMLParser):
    """The forms of a page: where each is sent, and its fields with what stands in them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.forms: list[tuple[str, dict[str, str]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Read an element; of several choices the one that is made."""
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append((given.get("action", ""), {}))
        elif (
            tag == "input"
            and "name" in given
            and (given.get("type") not in ("radio", "checkbox") or "checked" in given)
        ):
            self.forms[-1][1][given["name"]] = given.get("value", "1")


@dataclass(slots=True)
class PlainHost:
    """The tables and cookies of one person, who shares the screen with whoever else plays."""

    cookies: dict[str, str] = field(default_factory=dict)
    tables: dict[str, list[Event]] = field(default_factory=dict)
    held: dict[str, frozenset[Person]] = field(default_factory=dict)
    now: int = 1_790_000_000_000

    def visit(self, method: str, address: str, fields: dict[str, str] | None = None, *, alone: bool = False) -> Answer:
        """Return what a browser gets, and keep its cookies."""
        parts = urlsplit(address)
        screen, path = screen_at(method, parts.path)
        visit = Visit(path, dict(parse_qsl(parts.query)), fields or {}, dict(self.cookies), ORIGIN, alone, parts.query)
        try:
            screen.show(visit, self).send(None)
        except StopIteration as done:
            answer: Answer = done.value
        self.cookies |= answer.cookies
        return answer

    def send(self, address: str, action: str, **changed: str) -> str:
        """Send a form of a page with some of its fields changed; return where the browser is taken."""
        forms = FormReader(self.visit("GET", address).text).forms
        sent_to, fields = next(form for form in forms if form[0].endswith(action))
        return self.visit("POST", sent_to, {**fields, **changed}).location

    async def ask(self, job: Job[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Answer a question here and now, as it would come from another process."""
        try:
            answer: Any = to_json(job(*args, **kwargs))
        except JobError as error:
            raise Problem(error.code, str(error)) from None
        except ZerosumError as error:
            raise Problem(job_error_of(error).code, str(error)) from None
        return answer  # type: ignore[no-any-return]  # JSON of what the job returns

    def knows(self, job: Job[P, T], *args: P.args, **kwargs: P.kwargs) -> bool:
        """Remember no answers."""
        return False

    def now_ms(self) -> int:
        """Return a time that stands."""
        return self.now

    def token(self) -> str:
        """Return chance that is none."""
        return SEED

    def qr_code(self, address: str) -> str:
        """Draw nothing: nobody is invited."""
        return ""

    async def table(self, table_id: str, *, seated: bool = True, settled: bool = False) -> TableSight:
        """Return a table as its events make it."""
        table, events = self.at(table_id), self.tables[table_id]
        before = fold(table_id, events[:-1]) if events[1:] else None
        played = before.played(events[-1]) if before else None
        said = event_words(events[-1], before, table, played.entry if played else None)
        return TableSight(table, said, {}, self.held[table_id] if seated else frozenset())

    def at(self, table_id: str) -> Table:
        """Return a table."""
        if table_id not in self.tables:
            raise Problem("no-such-table")
        return fold(table_id, self.tables[table_id])

    async def around(self, sight: TableSight) -> Surroundings:
        """Return the time; nobody else is about."""
        return Surroundings(Moment(self.now))

    async def command(self, table_id: str, name: str, command: Command, *, may_forfeit: bool) -> TableSight:
        """Carry a command out, and let the computer reply."""
        table, moment = self.at(table_id), Moment(self.now, seed=SEED)
        if command.version != table.version:
            raise Problem("stale", "Look at the table again.")
        person = sender_of(table, self.held[table_id], command)
        draft = COMMANDS[name].decide(table, person, command, moment)
        if draft.forfeits and not may_forfeit:
            raise UnconfirmedForfeit
        self._add(table_id, draft, person)
        await self._reply(table_id)
        return await self.table(table_id)

    def _add(self, table_id: str, draft: EventDraft, person: Person | None) -> None:
        events = self.tables[table_id]
        events.append(automatic_event(len(events) + 1, self.now, draft.kind, person, draft.data))

    async def _reply(self, table_id: str) -> None:
        while (table := self.at(table_id)).computer_to_move:
            match, rules = table.match, rules_to_dict(table.setup.rules)
            who = table.setup.who[match.to_move - 1]
            move = await self.ask(game_jobs.choose, rules, who, str(match.position), match.seed)
            self._add(table_id, computer_draft(table, move, Moment(self.now)), match.to_move)

    async def record(self, sight: TableSight, match: int) -> str:
        """Return the record of the latest match."""
        return sight.table.match.record()

    async def own_tables(self) -> list[SeatedTable]:
        """Return all tables."""
        return [SeatedTable(self.at(name), self.held[name], {}) for name in self.tables]

    async def open_table(self, order: TableRequest) -> str:
        """Open a table."""
        made, table_id = open_request(order, seed=SEED), f"table{len(self.tables)}"
        self.tables[table_id] = [automatic_event(1, self.now, EventKind.OPENED, Person.ONE, made.data)]
        self.held[table_id] = made.held
        await self._reply(table_id)
        return table_id

    async def invited_to(self, invitation: str) -> Invited:
        """Know no invitation."""
        raise Problem("no-such-invitation", "Nobody is invited here.")

    async def join(self, invitation: str, name: str) -> str:
        """Let nobody in."""
        raise Problem("no-such-invitation", "Nobody is invited here.")

    async def come_back(self, code: str) -> tuple[str, str]:
        """Know no codes."""
        raise Problem("no-such-code", "There are no codes here.")
