"""What a request can ask about games: whether the coach may answer, what it costs, and the answer of the worker."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from zerosum.base.documents import Document
from zerosum.rules.model import Rules
from zerosum.rules.position import Position
from zerosum.rules.rules_dict import rules_to_dict
from zerosum.server.domain.problems import Problem
from zerosum.server.domain.table import Table
from zerosum.server.http.costs import Budgets, review_cost
from zerosum.server.runtime.worker import ServerWorker
from zerosum.server.worker.lab_jobs import QualityDocument, RepairsDocument
from zerosum.server.worker.messages import (
    CommentDocument,
    JudgedDocument,
    LessonsDocument,
    PlayedOutDocument,
    ReasonDocument,
)


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

    async def values(self, position: Position) -> list[Document]:
        """Return what each move of a position is worth."""
        self._charge("values")
        return await self.worker.values(rules_to_dict(position.rules), str(position))

    async def reason(self, position: Position, move: str) -> ReasonDocument:
        """Return why a legal move of a position is good or bad."""
        self._charge("reason")
        return await self.worker.reason(rules_to_dict(position.rules), str(position), move)

    async def table_values(self, table: Table) -> list[Document]:
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

    async def daily(self, rules: Rules, day: str) -> Document:
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

    async def card(self, rules: Rules) -> Document:
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
