"""The tools of an assistant: each turns text that a model wrote into a document of `--json`.

Nothing is kept from one question to the next. Text is read here; a job of the worker does what needs the solver. In an
examination the functions called `exam_` replace those that would give answers away.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Final

from zerosum.assistant import assistant_jobs, limits
from zerosum.assistant.assistant_jobs import read_game, read_position, read_rules, split_moves, unfinished_position
from zerosum.base import limits as rule_limits
from zerosum.base.documents import Document, to_json
from zerosum.base.errors import BadValueError, RecordError
from zerosum.base.text import shorten
from zerosum.coach.analysis import refereed
from zerosum.coach.hints import MORE
from zerosum.jobs import game_jobs
from zerosum.lab.goals import GOALS
from zerosum.rules.describe import describe, idea
from zerosum.rules.game_files import games_json
from zerosum.rules.model import Rules, rules_to_dict, written_dict
from zerosum.server.worker.client import MODULES, WorkerClient
from zerosum.strategy.card_player import PLAYERS

RANDOM: Final = "random"
"""The one player that may answer in an examination: every other knows something about good moves."""
_HIDDEN: Final = frozenset({"solutions", "plies", "chances"})
"""What a puzzle in an examination does not say."""


def assistant_worker() -> WorkerClient:
    """Return a worker client that knows the jobs of this room too."""
    return WorkerClient(seconds=limits.SECONDS, modules=(*MODULES, assistant_jobs.__name__))


def _described(rules: Rules, words: list[str]) -> Document:
    named = {"game": rules.id, "name": rules.name, "idea": f"{idea(rules)}."}
    return {**named, "words": words, "rules": rules_to_dict(rules)}


def read_player(who: str | int) -> str:
    """Return the name of a built-in player; "4", 4 and "level 4" are level:4.

    >>> read_player("Level 4"), read_player(4), read_player("perfect")
    ('level:4', 'level:4', 'perfect')
    """
    words = str(who).strip().lower()
    level = re.fullmatch(r"(?:level|lvl)?[\s:_-]*([1-9])", words)
    found = f"level:{level[1]}" if level else words
    if found not in PLAYERS:
        raise BadValueError(f"who: there is no player '{shorten(str(who))}'; there are {', '.join(PLAYERS.names)}.")
    return found


async def games() -> Document:
    """List the games with all keys of their rules."""
    return dict(games_json())


async def rules(worker: WorkerClient, game: str) -> Document:
    """Give the rules of a game in words, with what can never happen in it, and as keys."""
    found = read_game(game)
    return _described(found, await worker.ask(assistant_jobs.rules_words, rules_to_dict(found)))


async def analyze(
    worker: WorkerClient, game: str, moves: str | list[str] = "", position: str = "", *, why: bool = False
) -> Document:
    """Say who wins a position with perfect play, in how many plies, and the same of each legal move."""
    found = read_game(game)
    at = str(read_position(found, position)) if position.strip() else ""
    return dict(await worker.ask(game_jobs.analyze, rules_to_dict(found), at, split_moves(moves), why=why))


async def hint(
    worker: WorkerClient, game: str, moves: str | list[str] = "", position: str = "", step: int = 1
) -> Document:
    """Give one step of a hint for the player to move; give a learner step 1 first."""
    if not 1 <= step <= MORE:
        raise BadValueError(f"step: 1 whether there is a good move, 2 which, 3 why, {MORE} the lines.")
    found = read_game(game)
    at = str(unfinished_position(found, position, moves))
    sentences = await worker.ask(game_jobs.hint, rules_to_dict(found), at, step)
    return {"game": found.id, "position": at, "step": step, "sentences": sentences}


async def review(worker: WorkerClient, record: str) -> Document:
    """Compare each move of a match with the truth: where it turned, why, and how well each side chose."""
    if len(record.encode(errors="replace")) > rule_limits.RECORD_BYTES:
        raise RecordError(f"record: larger than {rule_limits.RECORD_BYTES // 1024} KiB.")
    reviewed: Document = (await worker.ask(game_jobs.review, record))["json"]
    return reviewed


async def reply(
    worker: WorkerClient,
    game: str,
    moves: str | list[str] = "",
    position: str = "",
    *,
    who: str | int = "level:3",
    seed: str | int = "",
) -> Document:
    """Choose a move as an opponent of a given strength; go on from the position called after."""
    who = read_player(who)
    found = read_game(game)
    at = unfinished_position(found, position, moves)
    # One seed serves a whole match: each position draws its own chances.
    move = await worker.ask(game_jobs.choose, rules_to_dict(found), who, str(at), f"{seed}/{at}")
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


async def puzzle(worker: WorkerClient, game: str, count: int = 1, seed: str | int = "") -> Document:
    """Give positions with something to find, from easy to hard, with their solutions."""
    if not 1 <= count <= limits.PUZZLES:
        raise BadValueError(f"count: from 1 to {limits.PUZZLES}.")
    return {"puzzles": await worker.ask(game_jobs.puzzles, rules_to_dict(read_game(game)), str(seed), count)}


async def check_rules(rules: str) -> Document:
    """Check the text of a rules file: its rules in words and all its keys, or what is wrong with it."""
    found = read_rules(rules)
    return _described(found, describe(found))


async def solve(worker: WorkerClient, game: str) -> Document:
    """Say who wins a game when both play perfectly, in how many plies, and by which openings."""
    return await worker.ask(assistant_jobs.solution, rules_to_dict(read_game(game)))


async def audit(worker: WorkerClient, game: str) -> Document:
    """Say what is wrong with a game, with proofs: rules that never apply, choices that do not matter."""
    return await worker.ask(assistant_jobs.audit, rules_to_dict(read_game(game)), game)


async def metrics(worker: WorkerClient, game: str) -> Document:
    """Say how even, long, rich in choices and dramatic a game is, exactly, for players of every strength."""
    return await worker.ask(assistant_jobs.game_metrics, rules_to_dict(read_game(game)))


async def repair(worker: WorkerClient, game: str, goal: str = "open", cost: int = 1) -> Document:
    """Find the smallest changes to the rules of a game that make it a better one, with what each does."""
    if goal not in GOALS:
        raise BadValueError(f"goal: there is no goal '{shorten(goal)}'; there are {', '.join(GOALS)}.")
    if not 1 <= cost <= limits.REPAIR_COST:
        raise BadValueError(f"cost: from 1 to {limits.REPAIR_COST}.")
    return await worker.ask(assistant_jobs.repairs, written_dict(read_game(game)), goal, cost)


async def measure(worker: WorkerClient, game: str, who: str | int = "level:3") -> Document:
    """Say how strong a built-in player is in a game: exact scores against every level, and its exploitability."""
    return await worker.ask(assistant_jobs.policy_strength, rules_to_dict(read_game(game)), read_player(who))


async def card(worker: WorkerClient, game: str) -> Document:
    """Give the strategy card of a game: a short list of rules that is proved to win, or the best that was found."""
    return await worker.ask(assistant_jobs.strategy_card, rules_to_dict(read_game(game)))


async def lesson(worker: WorkerClient, game: str) -> Document:
    """Give the course of a game: its ideas one after the other, each with exercises and their solutions."""
    return await worker.ask(assistant_jobs.course, rules_to_dict(read_game(game)))


async def exam_rules(game: str) -> Document:
    """Give the rules of a game in words and as keys."""
    found = read_game(game)
    return _described(found, describe(found))


async def exam_analyze(game: str, moves: str | list[str] = "", position: str = "") -> Document:
    """Say where moves lead: the position, who is to move, the legal moves, and who has won once it is over."""
    return refereed(read_position(read_game(game), position), split_moves(moves))


async def exam_reply(
    worker: WorkerClient, game: str, moves: str | list[str] = "", position: str = "", seed: str | int = ""
) -> Document:
    """Choose a legal move at random, as an opponent; go on from the position called after."""
    return await reply(worker, game, moves, position, who=RANDOM, seed=seed)


async def exam_puzzle(worker: WorkerClient, game: str, count: int = 1, seed: str | int = "") -> Document:
    """Give positions in which some move wins and some move loses, from easy to hard, without their solutions."""
    puzzles = (await puzzle(worker, game, count, seed))["puzzles"]
    return {"puzzles": [{key: value for key, value in one.items() if key not in _HIDDEN} for one in puzzles]}


Tool = Callable[..., Awaitable[Document]]
_PLAYING: Final = (games, rules, analyze, hint, review, reply, puzzle)
_DESIGNING: Final = (check_rules, solve, audit, metrics, repair, measure, card, lesson)
TOOLS: Final[dict[str, Tool]] = {tool.__name__: tool for tool in (*_PLAYING, *_DESIGNING)}
"""Every tool; its docstring is what a model reads to choose it."""
_EXAM: Final = (games, exam_rules, exam_analyze, exam_reply, exam_puzzle, check_rules)
EXAM_TOOLS: Final[dict[str, Tool]] = {tool.__name__.removeprefix("exam_"): tool for tool in _EXAM}
"""What `--no-answers` leaves."""
