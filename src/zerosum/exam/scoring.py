"""What a reply is worth: one item's grade, by the solver.

A reply is read tolerantly, but a clear answer counts as it is. A reply without a legal move keeps nothing: it is
counted by its kind and never replaced. Replies come from a run, or from a file of JSON lines.

*Practical regret* is what a move gives away against one opponent who errs, if best play follows it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Any, Final

from zerosum.arena.entrants.model_endpoint import ModelReply
from zerosum.arena.entrants.prompt import ReplyKind, read_reply
from zerosum.arena.strength.best_response import Respond, responder
from zerosum.arena.strength.decisions import POINTS, Decision, Judge, judge_of, practical_regret
from zerosum.arena.strength.named_policies import policy_of
from zerosum.base.files import decode
from zerosum.base.text import printable, shorten
from zerosum.exam import limits
from zerosum.exam.items import DEPTHS, Item, ItemsError, ItemSet, depth_needed, kept_by_search
from zerosum.rules.model import Rules, Tie
from zerosum.rules.moves import Move, parse_move
from zerosum.rules.position import Position
from zerosum.solver import Value, solution_of

_GAMES: Final = 256
_POSITIONS: Final = 1 << 14
_HALF: Final = 0.5


class GradeKind(Enum):
    """What a reply came to."""

    MOVE = "move"
    ILLEGAL = "illegal"
    """A clear move that is not legal."""
    UNREADABLE = "unreadable"
    """No move, or several."""
    TRUNCATED = "truncated"
    """It was cut off before it named a move."""
    REFUSED = "refused"
    """The model, or a filter before it, refused to answer."""


_KINDS: Final = {ReplyKind.UNREADABLE: GradeKind.UNREADABLE, ReplyKind.TRUNCATED: GradeKind.TRUNCATED}


@dataclass(frozen=True, slots=True)
class Facts:
    """What is true of an item, whatever is replied."""

    best: Value
    real: bool
    """Whether the moves differ in verdict."""
    keeping: float
    """The share of the legal moves that keep the best verdict."""
    kept_by: tuple[float, ...]
    """The chance that each strength keeps it, in the order of `STRENGTHS`."""
    only: bool
    """Whether it is a real choice in which a single move keeps it."""
    level: int
    """The level from which on it is kept at least half the time; one more than the last level if none does."""
    depth: int | None
    """The least depth of a search that keeps it for certain; None if none does, 0 if every move keeps it."""
    by_search: tuple[float, ...]
    """The chance that a search of each depth keeps it, in the order of `DEPTHS`."""
    left: int


@dataclass(frozen=True, slots=True)
class Grade:
    """A reply to an item, graded."""

    id: str
    kind: GradeKind
    facts: Facts
    move: str = ""
    """The move as it was shown and is written; empty if no single move was named."""
    made: Move | None = None
    """The legal move, in the item's `origin`."""
    decision: Decision | None = None
    double: bool = False
    """Whether it is unreadable because its answer names different moves."""

    @property
    def kept(self) -> bool:
        """Whether the best verdict was kept."""
        return self.decision is not None and self.decision.kept

    @property
    def regret(self) -> float:
        """What was given away, from 0 to 1; a reply without a legal move gives away all there was."""
        return POINTS[self.facts.best.verdict] if self.decision is None else self.decision.regret


@dataclass(frozen=True, slots=True)
class AnsweredItem:
    """An item, the grade of each try, and the replies if they are known."""

    item: Item
    grades: tuple[Grade, ...]
    replies: tuple[ModelReply, ...] = ()

    @property
    def last(self) -> Grade:
        """The grade that counts."""
        return self.grades[-1]

    @property
    def position(self) -> tuple[str, int]:
        """Which position of which game it is: its reskins depend on each other."""
        return self.item.game, self.item.number


@dataclass(frozen=True, slots=True)
class ReadAnswer:
    """What a reply says, before it is judged; the fields are those of a `Grade`."""

    kind: GradeKind
    move: str = ""
    made: Move | None = None
    double: bool = False


def read_answer(item: Item, reply: ModelReply, *, lenient: bool = False) -> ReadAnswer:
    """Return which move a reply to an item names."""
    if reply.refused:
        return ReadAnswer(GradeKind.REFUSED)
    operations = item.origin.operations
    parsed = read_reply(reply.text, operations, lenient=lenient, truncated=reply.cut)
    if parsed.kind is not ReplyKind.MOVE:
        return ReadAnswer(_KINDS[parsed.kind], double=parsed.double)
    shown = parse_move(parsed.move, operations)
    made = next((move for move in item.position.legal_moves() if item.skin.move(move) == shown), None)
    return ReadAnswer(GradeKind.ILLEGAL if made is None else GradeKind.MOVE, parsed.move, made)


def grade(item: Item, reply: str | ModelReply, *, lenient: bool = False) -> Grade:
    """Return what a reply to an item is worth."""
    read = read_answer(item, ModelReply(reply, cut=False) if isinstance(reply, str) else reply, lenient=lenient)
    decision = None if read.made is None else _judge(item.origin)(item.position, read.made)
    return Grade(item.id, read.kind, facts_of(item), read.move, read.made, decision, read.double)


def facts_of(item: Item) -> Facts:
    """Return what is true of an item."""
    return _facts(item.position)


_solution = lru_cache(maxsize=_GAMES)(solution_of)
"""The solution of a game; a set has more games than the solver remembers."""


@lru_cache(maxsize=_GAMES)
def _judge(rules: Rules) -> Judge:
    return judge_of(_solution(rules))


@lru_cache(maxsize=_POSITIONS)
def _facts(position: Position) -> Facts:
    found = _judge(position.rules)(position, position.legal_moves()[0])
    values = [option.value for option in _solution(position.rules).options(position)]
    misses = (chance < _HALF for chance in found.kept_by[1:-1])
    return Facts(
        best=found.best,
        real=found.real,
        keeping=found.keeping,
        kept_by=found.kept_by,
        only=found.real and found.keeping == 1 / len(values),
        level=1 + max((level for level, miss in enumerate(misses, 1) if miss), default=0),
        depth=depth_needed(values),
        by_search=tuple(kept_by_search(values, depth) for depth in DEPTHS),
        left=len(position.pool),
    )


def keeping_moves(item: Item) -> tuple[str, ...]:
    """Return the moves that keep the best verdict, as they are shown."""
    options = _solution(item.origin).options(item.position)
    return tuple(item.text_of(option.move) for option in options if option.value.verdict is options[0].value.verdict)


OPPONENT: Final = "level:5"
"""Against whom, unless somebody says otherwise."""
_RESPONSES: Final = 64


def regret_against(position: Position, move: Move, against: str = OPPONENT) -> float | None:
    """Return the chance to win that a move gives away against a level; None if no exact answer is found soon."""
    if not is_near_enough(position):
        return None
    return practical_regret(position, move, _respond(position.rules, against))


def is_near_enough(position: Position) -> bool:
    """Whether what follows can be searched to its end."""
    return position.rules.tie is not Tie.SUDDEN_DEATH and len(position.pool) <= limits.PRACTICAL_NUMBERS


@lru_cache(maxsize=_RESPONSES)
def _respond(rules: Rules, against: str) -> Respond:
    return responder(policy_of(against, rules).guest, rules)


def grade_lines(found: ItemSet, data: bytes, source: str, *, lenient: bool = False) -> list[Grade]:
    """Return the grades of replies, each a line `{"id": ..., "reply": ..., "truncated": false, "refused": false}`.

    Whether a reply was cut off or refused need not be said. Lines of one item, in their order, are its tries.
    """
    grades = []
    for row, line in enumerate(decode(data, source).split("\n"), 1):
        if not line.strip():
            continue
        read = _read_line(line, f"{source}: line {row}")
        item = found.by_id.get(read["id"])
        if item is None:
            raise ItemsError(
                f"{source}: line {row}: no item of this set has the id '{shorten(printable(read['id']))}'."
            )
        text, cut, refused = read["reply"], read.get("truncated", False), read.get("refused", False)
        reply = ModelReply(text[-limits.REPLY_CHARACTERS :], cut, refused)
        grades.append(grade(item, reply, lenient=lenient))
    return grades


def _read_line(line: str, source: str) -> dict[str, Any]:
    try:
        read = json.loads(line)
    except (ValueError, RecursionError):
        read = None
    if not isinstance(read, dict) or not isinstance(read.get("id"), str):
        raise ItemsError(f'{source} is not a JSON object with an "id" and a "reply".')
    if read.get("reply") is None:
        read["reply"] = ""  # some harnesses write null if a model said nothing
    flags = (read.get(name, False) for name in ("truncated", "refused"))
    if not isinstance(read["reply"], str) or not all(isinstance(flag, bool) for flag in flags):
        raise ItemsError(f'{source}: "reply" is a text; "truncated" and "refused" are true or false.')
    return read
