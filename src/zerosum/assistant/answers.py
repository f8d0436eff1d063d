"""What the tools answer: the documents of `--json`, made from text that an assistant wrote.

Nothing is kept from one question to the next. Reading text takes a moment and is done here; whatever needs the solver
is done by the worker. In an examination the functions called `exam_` take the place of those that would spoil it.
"""

from __future__ import annotations

from typing import Any, Final

from zerosum.assistant import limits
from zerosum.assistant.arguments import begun, game_of, listed, reached, read_rules
from zerosum.assistant.assistant_jobs import MODULE
from zerosum.base import limits as rule_limits
from zerosum.base.documents import Document, to_json
from zerosum.base.errors import BadValueError, RecordError
from zerosum.base.numbers import shorten
from zerosum.coach.analysis import play_on
from zerosum.coach.hints import MORE
from zerosum.rules.describe import describe, idea
from zerosum.rules.model import Rules
from zerosum.rules.rules_dict import RulesDict, rules_to_dict
from zerosum.server.worker.client import MODULES, WorkerClient
from zerosum.strategy.card_player import PLAYERS

RANDOM: Final = "random"
"""The one player that may answer in an examination: every other knows something about good moves."""
_HIDDEN: Final = frozenset({"solutions", "plies", "chances"})
"""What a puzzle in an examination does not say."""


class AssistantWorker(WorkerClient):
    """A worker client that knows the questions of this room too."""

    def __init__(self) -> None:
        super().__init__(seconds=limits.SECONDS, modules=(*MODULES, MODULE))

    async def told_rules(self, rules: RulesDict) -> list[str]:
        """Return the rules in words, with what can never happen."""
        words: list[str] = await self._recall(rules, "told rules")
        return words

    async def solution(self, rules: RulesDict) -> Document:
        """Return what `zerosum solve --json` prints, without its schema."""
        document: Document = await self._recall(rules, "solution")
        return document

    async def audit(self, rules: RulesDict, text: str) -> Document:
        """Return what `zerosum audit --json` prints, without its schema, of a game that was given as this text."""
        document: Document = await self._recall(rules, "audit", text=text)
        return document


def _described(rules: Rules, words: list[str]) -> Document:
    return {
        "game": rules.id,
        "name": rules.name,
        "idea": f"{idea(rules)}.",
        "words": words,
        "rules": rules_to_dict(rules),
    }


async def rules(worker: AssistantWorker, game: str) -> Document:
    """Return the rules of a game in words, with what can never happen, and as keys."""
    found = game_of(game)
    return _described(found, await worker.told_rules(rules_to_dict(found)))


def check_rules(text: str) -> Document:
    """Return good rules in words and as keys; raise what is wrong with others."""
    found = read_rules(text)
    return _described(found, describe(found))


async def analyze(
    worker: AssistantWorker, game: str, moves: str | list[str], position: str, *, why: bool
) -> dict[str, Any]:
    """Return the verdict of a position and of each of its moves."""
    found = game_of(game)
    at = str(begun(found, position)) if position.strip() else ""
    return await worker.analyze(rules_to_dict(found), at, listed(moves), why=why)


async def hint(worker: AssistantWorker, game: str, moves: str | list[str], position: str, step: int) -> Document:
    """Return one step of a hint, in sentences."""
    if not 1 <= step <= MORE:
        raise BadValueError(f"step: 1 whether there is a good move, 2 which, 3 why, {MORE} the lines.")
    found = game_of(game)
    at = str(reached(found, position, moves))
    sentences = await worker.hint(rules_to_dict(found), at, step)
    return {"game": found.id, "position": at, "step": step, "sentences": sentences}


async def review(worker: AssistantWorker, record: str) -> Document:
    """Return each move of a recorded match against the truth."""
    if len(record.encode(errors="replace")) > rule_limits.RECORD_BYTES:
        raise RecordError(f"record: larger than {rule_limits.RECORD_BYTES // 1024} KiB.")
    found: Document = (await worker.review(record))["json"]
    return found


async def reply(
    worker: AssistantWorker, game: str, moves: str | list[str], position: str, *, who: str, seed: str | int
) -> Document:
    """Return the move of a computer player, and the position after it."""
    if who not in PLAYERS:
        raise BadValueError(f"who: there is no player '{shorten(who)}'; there are {', '.join(PLAYERS.names)}.")
    found = game_of(game)
    at = reached(found, position, moves)
    # One seed serves a whole match: each position has chances of its own.
    move = await worker.choose(rules_to_dict(found), who, str(at), f"{seed}/{at}")
    after = at.play(move)
    return {
        "game": found.id,
        "who": who,
        "seed": str(seed),
        "position": str(at),
        "move": move,
        "after": str(after),
        "to_move": None if after.outcome else after.seat.value,
        "outcome": to_json(after.outcome),
    }


async def puzzle(worker: AssistantWorker, game: str, count: int, seed: str | int) -> Document:
    """Return positions with something to find, from easy to hard."""
    if not 1 <= count <= limits.PUZZLES:
        raise BadValueError(f"count: from 1 to {limits.PUZZLES}.")
    return {"puzzles": await worker.puzzles(rules_to_dict(game_of(game)), str(seed), count)}


async def solve(worker: AssistantWorker, game: str) -> Document:
    """Return who wins a game, in how many plies and by which openings."""
    return await worker.solution(rules_to_dict(game_of(game)))


async def audit(worker: AssistantWorker, game: str) -> Document:
    """Return what is wrong with a game, with proofs."""
    return await worker.audit(rules_to_dict(game_of(game)), game)


def exam_rules(game: str) -> Document:
    """Return the rules of a game in words and as keys, as they are written: nothing that was found out about them."""
    found = game_of(game)
    return _described(found, describe(found))


def exam_analyze(game: str, moves: str | list[str], position: str) -> Document:
    """Return a position as a referee sees it: legal moves in the order of the pool, and no verdict."""
    found = game_of(game)
    at, played = play_on(begun(found, position), listed(moves))
    return {
        "game": found.id,
        "moves": played,
        "position": str(at),
        "to_move": None if at.outcome else at.seat.value,
        "options": [{"move": at.text_of(move)} for move in at.legal_moves()],
        "outcome": to_json(at.outcome),
    }


async def exam_puzzle(worker: AssistantWorker, game: str, count: int, seed: str | int) -> Document:
    """Return puzzles without what there is to find."""
    puzzles = (await puzzle(worker, game, count, seed))["puzzles"]
    return {"puzzles": [{key: value for key, value in one.items() if key not in _HIDDEN} for one in puzzles]}
