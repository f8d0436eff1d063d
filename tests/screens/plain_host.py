"""A host without a server: all that screens need, and so the least that another host has to be."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ParamSpec, TypeVar

from zerosum.base.documents import to_json
from zerosum.base.errors import ZerosumError
from zerosum.jobs import game_jobs
from zerosum.jobs.job_table import Job, JobError, job_error_of
from zerosum.match.setup import Person
from zerosum.screens.screen import SeatedTable, TableSight
from zerosum.tables.commands import COMMANDS, Command, EventDraft, Moment, UnconfirmedForfeit, computer_draft, sender_of
from zerosum.tables.events import EventKind, automatic_event
from zerosum.tables.new_table import TableRequest, open_request
from zerosum.tables.problems import Problem
from zerosum.tables.table import open_table
from zerosum.tables.view import event_words

P = ParamSpec("P")
T = TypeVar("T")
NOW = 1_790_000_000_000
SEED = "00c0ffee" * 2


@dataclass(slots=True)
class PlainHost:
    """One person, who shares the screen with whoever else plays; time stands, and chance is none."""

    sights: dict[str, TableSight] = field(default_factory=dict)
    kept: dict[str, list[str]] = field(default_factory=dict)
    meeting: None = None

    async def ask(self, job: Job[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        try:
            answer: Any = to_json(job(*args, **kwargs))
        except (JobError, ZerosumError) as error:
            told = job_error_of(error) if isinstance(error, ZerosumError) else error
            raise Problem(told.code, str(told)) from None
        return answer  # type: ignore[no-any-return]  # JSON of what the job returns

    def knows(self, job: Job[P, T], *args: P.args, **kwargs: P.kwargs) -> bool:
        return False

    def now_ms(self) -> int:
        return NOW

    def token(self) -> str:
        return SEED

    async def table(self, table_id: str, *, settled: bool = False) -> TableSight:
        if table_id not in self.sights:
            raise Problem("no-such-table")
        return self.sights[table_id]

    async def command(self, table_id: str, name: str, command: Command, *, may_forfeit: bool) -> TableSight:
        sight = await self.table(table_id)
        person = sender_of(sight.table, sight.held, command)
        if command.version != sight.table.version:
            raise Problem("stale")
        draft = COMMANDS[name].decide(sight.table, person, command, Moment(NOW, seed=SEED))
        if draft.forfeits and not may_forfeit:
            raise UnconfirmedForfeit
        return await self._replied(_after(sight, draft, person))

    async def _replied(self, sight: TableSight) -> TableSight:
        while (table := sight.table).computer_to_move:
            (rules, at), mover = game_jobs.about(table.match.position), table.match.to_move
            move = await self.ask(game_jobs.choose, rules, table.setup.who[mover - 1], at, table.match.seed)
            sight = _after(sight, computer_draft(table, move, Moment(NOW)), mover)
        self.sights[table.id] = sight
        return sight

    async def record(self, sight: TableSight, match: int) -> str:
        return sight.table.match.record()

    async def own_tables(self) -> list[SeatedTable]:
        return [SeatedTable(sight.table, sight.held, {}) for sight in self.sights.values()]

    async def open_table(self, order: TableRequest) -> str:
        made = open_request(order, seed=SEED)
        opened = automatic_event(1, NOW, EventKind.OPENED, Person.ONE, made.data)
        table = open_table(f"table{len(self.sights)}", opened)
        return (await self._replied(TableSight(table, event_words(opened, None, table), {}, made.held))).table.id

    async def recall(self) -> dict[str, str]:
        return {name: texts[-1] for name, texts in self.kept.items()}

    async def remember(self, name: str, version: int, text: str) -> bool:
        texts = self.kept.setdefault(name, [])
        texts += [text] if version > len(texts) else []
        return texts[version - 1] is text


def _after(sight: TableSight, draft: EventDraft, person: Person) -> TableSight:
    before = sight.table
    event = automatic_event(before.version + 1, NOW, draft.kind, person, draft.data)
    table = before.after(event, draft.played)
    said = event_words(event, before, table, draft.played.entry if draft.played else None)
    return TableSight(table, said, {}, sight.held)
