"""The questions about games, as awaitable methods. Nothing is computed here: see `server/worker/worker_process.py`.

The built-in games have a process of their own, and all other rules share another, so that no uploaded variant, however
hard, keeps the games waiting. Rules go in as `rules_to_dict` writes them; positions, moves and records as text. What
goes wrong is a `WorkerError`.
"""

from __future__ import annotations

import json
import logging
from collections import OrderedDict
from collections.abc import Sequence
from copy import copy
from functools import cache
from typing import Any, Final, Self

from zerosum.base.documents import Document
from zerosum.base.errors import ZerosumError
from zerosum.rules.files import GAME_IDS, built_in
from zerosum.rules.rules_dict import RulesDict, rules_to_dict
from zerosum.rules.tags import parse_tags, rules_from_tags
from zerosum.server.worker import limits
from zerosum.server.worker.messages import (
    CommentDocument,
    JudgedDocument,
    LessonsDocument,
    PlayedOutDocument,
    ReasonDocument,
)
from zerosum.server.worker.queue import WorkQueue
from zerosum.server.worker.worker_errors import WorkerError

MODULES: Final = ("zerosum.server.worker.jobs", "zerosum.server.worker.teaching_jobs")
"""The modules that register the jobs below; rooms above name theirs beside it."""
_GAMES: Final = "games"
_VARIANTS: Final = "variants"
_IN_A_BURST: Final = 16
"""A question about one of the games takes a thousandth of a second, so this many times more of them may wait."""
_NICENESS: Final = 10
"""Variants are solved with the processor time that is left over."""
_REMEMBERED: Final = 1_000
"""Answers that are remembered."""

_log = logging.getLogger(__name__)


class WorkerClient:
    """The worker processes of one server, or of one program."""

    def __init__(
        self,
        *,
        seconds: float = limits.SECONDS,
        waiting: int = limits.WAITING,
        modules: Sequence[str] = MODULES,
    ) -> None:
        self.queues: Final = {
            _GAMES: WorkQueue(seconds=seconds, waiting=_IN_A_BURST * waiting, modules=modules),
            _VARIANTS: WorkQueue(seconds=seconds, waiting=waiting, niceness=_NICENESS, modules=modules),
        }
        self._answers: OrderedDict[str, bytes] = OrderedDict()
        self.caller = ""

    def on_behalf_of(self, caller: str) -> Self:
        """Return this client with its questions counted to a caller: callers take turns in the queues."""
        client = copy(self)
        client.caller = caller
        return client

    async def check(self, rules: RulesDict) -> None:
        """Solve a game, or raise the error that it is too large."""
        await self._recall(rules, "check")

    async def choose(self, rules: RulesDict, who: str, position: str, seed: str) -> str:
        """Return the move of a computer player; the same seed gives the same move."""
        move: str = await self._ask(_queue(rules), "choose", rules=rules, who=who, position=position, seed=seed)
        return move

    async def values(self, rules: RulesDict, position: str) -> list[Document]:
        """Return `move`, `verdict` and `plies` of every legal move of an unfinished position, the best first."""
        values: list[Document] = await self._recall(rules, "values", position=position)
        return values

    async def analyze(self, rules: RulesDict, position: str, moves: list[str], *, why: bool = False) -> dict[str, Any]:
        """Return what `zerosum analyze --json` prints, without its schema; an empty position is the start."""
        document: dict[str, Any] = await self._recall(rules, "analyze", position=position, moves=moves, why=why)
        return document

    async def hint(self, rules: RulesDict, position: str, step: int) -> list[str]:
        """Return a step of a hint as sentences: 1 whether there is a good move, 2 which, 3 why, 4 the lines."""
        sentences: list[str] = await self._recall(rules, "hint", position=position, step=step)
        return sentences

    async def hinted(self, rules: RulesDict, position: str) -> str:
        """Return the move that a hint speaks of."""
        move: str = await self._recall(rules, "hinted", position=position)
        return move

    async def reason(self, rules: RulesDict, position: str, move: str) -> ReasonDocument:
        """Return why a legal move is good or bad and the lines behind it, told to the player who makes it."""
        document: ReasonDocument = await self._recall(rules, "reason", position=position, move=move)
        return document

    async def comment(self, record: str) -> CommentDocument:
        """Return what the coach says, while a match is played, of its last moves."""
        document: CommentDocument = await self._ask(_queue_of(record), "comment", record=record)
        return document

    async def review(self, record: str) -> dict[str, Any]:
        """Return `json`, what `zerosum review --json` prints without its schema, and `pieces`, as in `web.review`."""
        document: dict[str, Any] = await self._ask(_queue_of(record), "review", record=record)
        return document

    async def puzzles(self, rules: RulesDict, seed: str, count: int) -> list[dict[str, Any]]:
        """Return `count` puzzles, from easy to hard; the same seed gives the same ones."""
        found: list[dict[str, Any]] = await self._ask(_queue(rules), "puzzles", rules=rules, seed=seed, count=count)
        return found

    async def daily(self, rules: RulesDict, day: str) -> Document:
        """Return the puzzle of a day, whose game these rules are."""
        found: Document = await self._recall(rules, "daily", day=day)
        return found

    async def puzzle_hints(self, rules: RulesDict, position: str) -> list[str]:
        """Return the hints for a puzzle, none of which names a winning move."""
        sentences: list[str] = await self._recall(rules, "puzzle hints", position=position)
        return sentences

    async def played_out(self, rules: RulesDict, position: str, move: str) -> PlayedOutDocument:
        """Return what a legal move leads to, without saying which other moves would win."""
        found: PlayedOutDocument = await self._recall(rules, "played out", position=position, move=move)
        return found

    async def knowledge(self, rules: RulesDict) -> dict[str, Any]:
        """Return what `zerosum solve --json` prints, without its schema, with `best_play` (moves) and `words`."""
        document: dict[str, Any] = await self._recall(rules, "knowledge")
        return document

    async def overview(self, rules: RulesDict) -> dict[str, Any]:
        """Return `known`, as `knowledge` does, or why it is `unsolved`, and in `headline` and `remarks` what is odd."""
        document: dict[str, Any] = await self._recall(rules, "overview")
        return document

    async def card(self, rules: RulesDict) -> Document:
        """Return what `zerosum card --json` prints, without its schema."""
        document: Document = await self._recall(rules, "card")
        return document

    async def lessons(self, rules: RulesDict) -> LessonsDocument:
        """Return the course of a game; for a variant its card is searched first."""
        document: LessonsDocument = await self._recall(rules, "lessons")
        return document

    async def exercise(self, rules: RulesDict, learner: list[int]) -> str:
        """Return the position of the exercise that is due: `learner` is the step, then as `Learner` has it."""
        position: str = await self._recall(rules, "exercise", learner=learner)
        return position

    async def judge(self, rules: RulesDict, learner: list[int], step: int, position: str, move: str) -> JudgedDocument:
        """Return whether a move solves an exercise of a step, and where the learner stands after it."""
        document: JudgedDocument = await self._ask(
            _queue(rules), "judge", rules=rules, learner=learner, step=step, position=position, move=move
        )
        return document

    async def close(self) -> None:
        """End all processes; every waiting caller gets an error."""
        for queue in self.queues.values():
            await queue.close()

    def knows_lessons(self, rules: RulesDict) -> bool:
        """Whether the course of a game is remembered, and so costs nothing."""
        return _key("lessons", rules, {}) in self._answers

    async def _recall(self, rules: RulesDict, job: str, **arguments: object) -> Any:  # noqa: ANN401 - what the job answers
        """Ask a question that always has the same answer, and remember it."""
        key = _key(job, rules, arguments)
        if key in self._answers:
            self._answers.move_to_end(key)
            return json.loads(self._answers[key])["answer"]
        line, answer = await self._answered(_queue(rules), job, rules=rules, **arguments)
        self._answers[key] = line
        if len(self._answers) > _REMEMBERED:
            self._answers.popitem(last=False)
        return answer

    async def _ask(self, queue: str, job: str, **arguments: object) -> Any:  # noqa: ANN401 - likewise
        _, answer = await self._answered(queue, job, **arguments)
        return answer

    async def _answered(self, queue: str, job: str, **arguments: object) -> tuple[bytes, Any]:
        """Return the line that answers a question and what it says, or raise the error that it holds."""
        line = await self.queues[queue].ask({"job": job, **arguments}, self.caller)
        found = json.loads(line)
        if "trace" in found:
            _log.error("worker failed: %s", found["trace"])
        if "problem" in found:
            raise WorkerError(found["problem"]["code"], found["problem"]["detail"])
        return line, found["answer"]


def _key(job: str, rules: RulesDict, arguments: dict[str, object]) -> str:
    return json.dumps([job, rules, arguments], sort_keys=True)


@cache
def _games() -> dict[str, RulesDict]:
    return {game: rules_to_dict(built_in(game)) for game in GAME_IDS}


def _queue(rules: RulesDict) -> str:
    return _GAMES if rules == _games().get(str(rules.get("id"))) else _VARIANTS


def _queue_of(record: str) -> str:
    try:
        return _queue(rules_to_dict(rules_from_tags(parse_tags(record)[0])))
    except ZerosumError:
        return _VARIANTS
