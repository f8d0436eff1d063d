"""What a request can ask about games: whether the coach may answer, what it costs, and the answer of the worker.

The server as one request sees it: what it asks for is allowed, charged to its address, and done.

The API, the live connections and the pages all come this way; they differ only in how they read and answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends
from starlette.requests import HTTPConnection

from zerosum.coach.answer_types import (
    CardDocument,
    CommentDocument,
    JudgedDocument,
    LessonsDocument,
    OptionDocument,
    PlayedOutDocument,
    PuzzleDocument,
    ReasonDocument,
)
from zerosum.match.setup import Person
from zerosum.rules.model import Rules
from zerosum.rules.position import Position
from zerosum.rules.rules_dict import rules_to_dict
from zerosum.server import limits
from zerosum.server.db.queries import TableNews
from zerosum.server.domain.commands import Command
from zerosum.server.domain.keys import Key
from zerosum.server.domain.new_table import TableRequest
from zerosum.server.domain.problems import Problem
from zerosum.server.domain.table import Table
from zerosum.server.domain.view import EventState, event_state
from zerosum.server.http.middleware import address
from zerosum.server.http.rate_limits import Budgets, events_cost, review_cost
from zerosum.server.runtime.command_runner import CommandResult
from zerosum.server.runtime.loaded_table import LoadedTable
from zerosum.server.runtime.runtime import Runtime
from zerosum.server.runtime.worker import ServerWorker
from zerosum.server.worker.lab_jobs import QualityDocument, RepairsDocument


@dataclass(frozen=True, slots=True)
class Questions:
    """The questions of one address; callers take turns at the worker."""

    worker: ServerWorker
    budgets: Budgets
    address: str

    async def knowledge(self, rules: Rules) -> dict[str, Any]:
        """Return who wins a built-in game and how; it is worked out once and remembered, so it costs nothing."""
        return await self.worker.knowledge(rules_to_dict(rules))

    async def overview(self, rules: Rules) -> dict[str, Any]:
        """Return who wins a game that somebody made up, and whether it is one."""
        self._charge("overview")
        return await self.worker.overview(rules_to_dict(rules))

    async def analyze(self, rules: Rules, position: str, moves: list[str]) -> dict[str, Any]:
        """Return the verdict of a position and of each of its moves; an empty position is the start."""
        self._charge("analysis")
        return await self.worker.analyze(rules_to_dict(rules), position, moves)

    async def values(self, position: Position) -> list[OptionDocument]:
        """Return what each move of a position is worth."""
        self._charge("values")
        return await self.worker.values(rules_to_dict(position.rules), str(position))

    async def reason(self, position: Position, move: str) -> ReasonDocument:
        """Return why a legal move of a position is good or bad."""
        self._charge("reason")
        return await self.worker.reason(rules_to_dict(position.rules), str(position), move)

    async def table_values(self, table: Table) -> list[OptionDocument]:
        """Return what each move is worth at a table where the coach may help."""
        return await self.values(_coached(table))

    async def table_reason(self, table: Table, move: str) -> ReasonDocument:
        """Return why a move is good or bad at a table where the coach may help."""
        return await self.reason(_coached(table), move)

    async def hint(self, table: Table, step: int) -> list[str]:
        """Return one step of a hint at a table where the coach may help."""
        position = _coached(table)
        self._charge("hint")
        return await self.worker.hint(rules_to_dict(position.rules), str(position), step)

    async def hinted(self, table: Table) -> str:
        """Return the move that a hint speaks of; it comes with the hint and costs nothing."""
        position = _coached(table)
        return await self.worker.hinted(rules_to_dict(position.rules), str(position))

    async def comment(self, table: Table) -> CommentDocument:
        """Return what the coach says of the last moves at a table where one person plays a computer."""
        if not table.solo:
            raise Problem("no-coaching", "The coach speaks up only while one person plays a computer.")
        self._charge("reason")
        return await self.worker.comment(table.match.record())

    async def review(self, record: str) -> dict[str, Any]:
        """Return the review of a record; a long match counts as more than one question."""
        self._charge("review", review_cost(record))
        return await self.worker.review(record)

    async def table_review(self, table: Table, number: int, record: str) -> dict[str, Any]:
        """Return the review of a match at a table; of one that two people play online, once it is over."""
        if number == table.number:
            check_coaching(table)
        return await self.review(record)

    async def puzzles(self, rules: Rules, seed: str, count: int) -> list[dict[str, Any]]:
        """Return a set of puzzles; the same seed gives the same ones."""
        self._charge("puzzles")
        return await self.worker.puzzles(rules_to_dict(rules), seed, count)

    async def daily(self, rules: Rules, day: str) -> PuzzleDocument:
        """Return the puzzle of a day, whose game this is."""
        self._charge("puzzles")
        return await self.worker.daily(rules_to_dict(rules), day)

    async def puzzle_hints(self, position: Position) -> list[str]:
        """Return the hints for a puzzle."""
        self._charge("hint")
        return await self.worker.puzzle_hints(rules_to_dict(position.rules), str(position))

    async def played_out(self, position: Position, move: str) -> PlayedOutDocument:
        """Return what a legal move of a position leads to."""
        self._charge("reason")
        return await self.worker.played_out(rules_to_dict(position.rules), str(position), move)

    async def card(self, rules: Rules) -> CardDocument:
        """Return the card of a built-in game; it is proved once and remembered, so it costs nothing."""
        return await self.worker.card(rules_to_dict(rules))

    async def lessons(self, rules: Rules) -> LessonsDocument:
        """Return the course of a game; one that is remembered costs nothing."""
        if not self.worker.knows_lessons(rules_to_dict(rules)):
            self._charge("lesson")
        return await self.worker.lessons(rules_to_dict(rules))

    async def exercise(self, rules: Rules, learner: list[int]) -> str:
        """Return the position of the exercise that is due; it comes with its course and costs nothing."""
        return await self.worker.exercise(rules_to_dict(rules), learner)

    async def judge(self, rules: Rules, learner: list[int], step: int, position: str, move: str) -> JudgedDocument:
        """Return whether a move solves an exercise."""
        self._charge("lesson")
        return await self.worker.judge(rules_to_dict(rules), learner, step, position, move)

    async def quality(self, rules: Rules) -> QualityDocument:
        """Return the findings and figures of a game that somebody made up."""
        self._charge("quality")
        return await self.worker.quality(rules_to_dict(rules))

    async def repairs(self, rules: Rules) -> RepairsDocument:
        """Return small changes that make it a better game."""
        self._charge("repairs")
        return await self.worker.repairs(rules_to_dict(rules))

    def _charge(self, work: str, pieces: int = 1) -> None:
        self.budgets.charge(self.address, work, pieces)


def check_coaching(table: Table) -> None:
    """Refuse to help one of two people who play each other online."""
    if not table.coaching:
        raise Problem("no-coaching", "Two people are playing; the coach is there again when the match is over.")


def _coached(table: Table) -> Position:
    """Return the position of a table, if the coach may speak about it."""
    check_coaching(table)
    if table.match.outcome is not None:
        raise Problem("not-now", "The match is over; look at its review.")
    return table.match.position


@dataclass(frozen=True, slots=True)
class RequestContext:
    """One request: who sends it, and the parts of the server it can use."""

    runtime: Runtime
    budgets: Budgets
    address: str

    @property
    def questions(self) -> Questions:
        """What can be asked about games."""
        return Questions(self.runtime.worker.on_behalf_of(self.address), self.budgets, self.address)

    async def table(self, table_id: str) -> LoadedTable:
        """Return a table as the database has it now."""
        return await self.runtime.cache.fresh(table_id)

    async def seats(self, table_id: str, key: Key | None) -> frozenset[Person]:
        """Return the seats that a key holds at a table."""
        return await self.runtime.seats.held(table_id, key)

    async def table_and_news(self, table_id: str, key: Key | None) -> tuple[LoadedTable, TableNews]:
        """Return a table as the database has it now, the seats that a key holds there, and who was seen."""
        return await self.runtime.cache.fresh_with_news(table_id, key)

    async def own_table(self, table_id: str, key: Key) -> LoadedTable:
        """Return a table at which the caller has a seat."""
        loaded, news = await self.table_and_news(table_id, key)
        if not news.held:
            raise Problem("not-your-seat", "You are a spectator at this table.")
        return loaded

    async def command(
        self, table_id: str, held: frozenset[Person], name: str, command: Command, *, may_forfeit: bool = True
    ) -> CommandResult:
        """Carry a command out for the holder of some seats."""
        if not held:
            await self.table(table_id)  # a table that does not exist is reported as such
        result = await self.runtime.commands.run(table_id, held, name, command, may_forfeit=may_forfeit)
        if result.repeated:
            self.budgets.owe(self.address, "repeated command")
        return result

    async def open_table(self, key: Key, request: TableRequest) -> LoadedTable:
        """Open a table; the caller is person 1."""
        self.budgets.charge(self.address, "table")
        return await self.runtime.seats.create(key, request, self.address)

    async def join(self, key: Key, invitation: str, name: str) -> LoadedTable:
        """Take the seat that an invitation is for."""
        self.budgets.charge(self.address, "secret")
        return await self.runtime.seats.join(key, invitation, name)

    async def invited_to(self, invitation: str) -> tuple[LoadedTable, Person, bool]:
        """Return the table an invitation is for, the person who is to come, and whether it has been used."""
        self.budgets.charge(self.address, "secret")
        return await self.runtime.seats.invited_to(invitation)

    async def come_back(self, key: Key, code: str) -> LoadedTable:
        """Take one's own seat on another device."""
        self.budgets.charge(self.address, "secret")
        return await self.runtime.seats.come_back(key, code)

    def events(self, loaded: LoadedTable, since: int) -> list[EventState]:
        """Return what happened after a version, at most one page of it."""
        first = min(since, len(loaded.events))
        events = loaded.events[first : first + limits.PAGE_EVENTS]
        self.budgets.charge(self.address, "events", events_cost(len(events)))
        said = loaded.said[first : first + limits.PAGE_EVENTS]
        return [event_state(event, words) for event, words in zip(events, said, strict=True)]


def request_context(connection: HTTPConnection) -> RequestContext:
    """Return the server as a request sees it."""
    state = connection.app.state
    return RequestContext(state.runtime, state.budgets, address(connection.scope))


async def _dependency(connection: HTTPConnection) -> RequestContext:
    return request_context(connection)


Context = Annotated[RequestContext, Depends(_dependency)]
"""The context as a route takes it."""


def record_of(loaded: LoadedTable, number: int) -> str:
    """Return the record of one of the matches at a table."""
    if not 1 <= number <= loaded.table.number:
        raise Problem("no-such-match", f"There are {loaded.table.number} matches at this table.")
    return loaded.table.all_matches()[number - 1]
