"""What a server asks about games. Nothing is thought here: see `server/thinker.py`.

The five games have a process of their own, and all other rules share another, so that no variant that somebody
sends, however hard, keeps the games waiting. Rules go in as `table_of` writes them, positions, moves and records as
text. What goes wrong is a `Problem`.
"""

from __future__ import annotations

import json
import logging
from collections import OrderedDict
from functools import cache
from typing import Any, Final

from zerosum.rules.errors import ZerosumError
from zerosum.rules.files import GAME_IDS, built_in
from zerosum.rules.schema import Table, table_of
from zerosum.rules.tags import parse_tags, rules_from_tags
from zerosum.server import limits
from zerosum.server.lane import Lane
from zerosum.server.problems import Problem

_GAMES: Final = "games"
_VARIANTS: Final = "variants"
_IN_A_BURST: Final = 16
"""A question about one of the games takes a thousandth of a second, and so many times more of them may wait."""
_NICENESS: Final = 10
"""Variants are thought about with what time is left over."""
_REMEMBERED: Final = 1_000
"""Answers that are remembered."""

_log = logging.getLogger(__name__)


class Thinking:
    """All thinking of a server."""

    def __init__(self, *, seconds: float = limits.THINKING_SECONDS, waiting: int = limits.THINKING_QUEUE) -> None:
        self.lanes: Final = {
            _GAMES: Lane(seconds=seconds, waiting=_IN_A_BURST * waiting),
            _VARIANTS: Lane(seconds=seconds, waiting=waiting, niceness=_NICENESS),
        }
        self._answers: OrderedDict[str, bytes] = OrderedDict()

    async def check(self, rules: Table) -> None:
        """Solve a game, or raise the problem that it is too large."""
        await self._recall(rules, "check")

    async def choose(self, rules: Table, who: str, position: str, seed: str) -> str:
        """Return the move of a computer player; the same seed gives the same move."""
        move: str = await self._ask(_lane(rules), "choose", rules=rules, who=who, position=position, seed=seed)
        return move

    async def values(self, rules: Table, position: str) -> list[dict[str, Any]]:
        """Return `move`, `verdict` and `plies` of every legal move of an unfinished position, the best first."""
        values: list[dict[str, Any]] = await self._recall(rules, "values", position=position)
        return values

    async def analyze(self, rules: Table, position: str, moves: list[str]) -> dict[str, Any]:
        """Return what `zerosum analyze --json` says, without its schema; an empty position is the start."""
        document: dict[str, Any] = await self._recall(rules, "analyze", position=position, moves=moves)
        return document

    async def hint(self, rules: Table, position: str, step: int) -> list[str]:
        """Return a step of a hint as sentences: 1 whether there is a good move, 2 which it is, 3 why."""
        told: list[str] = await self._recall(rules, "hint", position=position, step=step)
        return told

    async def reason(self, rules: Table, position: str, move: str) -> list[str]:
        """Return why a legal move is good or bad, as sentences to who makes it."""
        told: list[str] = await self._recall(rules, "reason", position=position, move=move)
        return told

    async def review(self, record: str) -> dict[str, Any]:
        """Return `json`, what `zerosum review --json` says without its schema, and `pieces`, as in `web.review`."""
        document: dict[str, Any] = await self._ask(_lane_of(record), "review", record=record)
        return document

    async def puzzles(self, rules: Table, seed: str, count: int) -> list[dict[str, Any]]:
        """Return so many puzzles, from easy to hard; the same seed gives the same ones."""
        found: list[dict[str, Any]] = await self._ask(_lane(rules), "puzzles", rules=rules, seed=seed, count=count)
        return found

    async def knowledge(self, rules: Table) -> dict[str, Any]:
        """Return what `zerosum solve --json` says, without its schema, with `best_play` (moves) and `words`."""
        document: dict[str, Any] = await self._recall(rules, "knowledge")
        return document

    async def close(self) -> None:
        """End all processes; whoever still waits is told."""
        for lane in self.lanes.values():
            await lane.close()

    async def _recall(self, rules: Table, job: str, **arguments: object) -> Any:  # noqa: ANN401 - what the job answers
        """Ask what always has the same answer, and remember it."""
        key = json.dumps([job, rules, arguments], sort_keys=True)
        if key in self._answers:
            self._answers.move_to_end(key)
            return json.loads(self._answers[key])["answer"]
        line = await self._asked(_lane(rules), job, rules=rules, **arguments)
        answer = _answer(line)
        self._answers[key] = line
        if len(self._answers) > _REMEMBERED:
            self._answers.popitem(last=False)
        return answer

    async def _ask(self, lane: str, job: str, **arguments: object) -> Any:  # noqa: ANN401 - likewise
        return _answer(await self._asked(lane, job, **arguments))

    async def _asked(self, lane: str, job: str, **arguments: object) -> bytes:
        return await self.lanes[lane].ask({"job": job, **arguments})


def _answer(line: bytes) -> Any:  # noqa: ANN401 - likewise
    """Return what a line answers, or raise the problem that it is."""
    found = json.loads(line)
    if "trace" in found:
        _log.error("thinking failed: %s", found["trace"])
    if "problem" in found:
        raise Problem(found["problem"]["code"], found["problem"]["detail"])
    return found["answer"]


@cache
def _games() -> dict[str, Table]:
    return {game: table_of(built_in(game)) for game in GAME_IDS}


def _lane(rules: Table) -> str:
    return _GAMES if rules == _games().get(str(rules.get("id"))) else _VARIANTS


def _lane_of(record: str) -> str:
    try:
        return _lane(table_of(rules_from_tags(parse_tags(record)[0])))
    except ZerosumError:
        return _VARIANTS
