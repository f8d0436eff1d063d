"""What a reply is worth: one item's grade, by the solver.

A reply is read tolerantly, but a clear answer counts as it is. A reply without a legal move keeps nothing: it is
counted by its kind and never replaced. Replies come from a run, or from a file of JSON lines.

What a run took (tokens, seconds, cost) and whether tokens helped is said here too, as far as the endpoint says it.

*Practical regret* is what a move gives away against one opponent who errs, if best play follows it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from math import ceil
from statistics import median
from typing import Any, Final

from zerosum.arena.entrants.model_endpoint import ModelReply, Usage
from zerosum.arena.entrants.prompt import ReplyKind, read_reply
from zerosum.arena.strength.best_response import Respond, responder
from zerosum.arena.strength.decisions import POINTS, Decision, Judge, judge_of, practical_regret
from zerosum.arena.strength.named_policies import policy_of
from zerosum.base.documents import OMITTED, inline, member
from zerosum.base.files import decode
from zerosum.base.statistics import Interval, grouped, share_interval
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
    """What is true of an item, whatever is replied; `best` to `kept_by` are those of a `Decision`."""

    best: Value
    real: bool
    keeping: float
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


BANDS_OF_TOKENS: Final = 4
_MILLION: Final = 1_000_000
_NINE_TENTHS: Final = 0.9


@dataclass(frozen=True, slots=True)
class Price:
    """What a million tokens cost, asked and answered, in whatever money."""

    prompt: float
    completion: float


@dataclass(frozen=True, slots=True)
class TokenBand:
    """Real choices by the tokens of their replies: from the fewest to the most."""

    least: int
    most: int
    choices: int
    kept: int
    interval: Interval = field(metadata=OMITTED)

    @property
    @member
    def rate(self) -> float:
        """The share kept."""
        return self.kept / self.choices

    @member
    def low(self) -> float:
        """Return the lower end of its 95 % interval."""
        return self.interval.low

    @member
    def high(self) -> float:
        """Return the upper end of its 95 % interval."""
        return self.interval.high


@dataclass(frozen=True, slots=True)
class RunCost:
    """What all replies cost at a price."""

    price: Price = field(metadata=inline())
    total: float
    per_item: float
    per_kept: float | None


@dataclass(frozen=True, slots=True)
class RunUsage:
    """What the replies of a run took, added up over all tries; None where the endpoint never said it."""

    replies: int
    prompt_tokens: int | None
    completion_tokens: int | None
    reasoning_tokens: int | None
    tokens_per_item: float | None
    """Completion tokens of an item, on average."""
    seconds_median: float | None
    seconds_90: float | None
    """Nine replies of ten took no longer."""
    seconds_total: float | None
    tool_calls: int
    finish: Mapping[str, int]
    """How many replies ended for each reason."""
    models: Mapping[str, int]
    """How many replies came from each model, by the endpoint's own names."""
    by_tokens: tuple[TokenBand, ...]
    """What was kept, by quarters of the real choices in the order of their completion tokens."""
    cost: RunCost | None


def usage_of(rows: Sequence[AnsweredItem], price: Price | None = None) -> RunUsage | None:
    """Return what replies took; None if nothing is known of any, as with commands."""
    every = [reply.usage for row in rows for reply in row.replies]
    if not any(one.model or one.finish or one.seconds is not None for one in every):
        return None
    middle, ninth, whole = _times(every)
    prompt, completion = _total(one.prompt_tokens for one in every), _total(one.completion_tokens for one in every)
    return RunUsage(
        replies=len(every),
        prompt_tokens=prompt,
        completion_tokens=completion,
        reasoning_tokens=_total(one.reasoning_tokens for one in every),
        tokens_per_item=None if completion is None else completion / len(rows),
        seconds_median=middle,
        seconds_90=ninth,
        seconds_total=whole,
        tool_calls=sum(one.calls for one in every),
        finish=_counted([one.finish for one in every]),
        models=_counted([one.model for one in every]),
        by_tokens=_bands(rows),
        cost=_cost(prompt, completion, price, rows),
    )


def _times(every: Sequence[Usage]) -> tuple[float | None, float | None, float | None]:
    """Return the median, the ninth decile and the sum of the seconds that are known."""
    seconds = sorted(one.seconds for one in every if one.seconds is not None)
    if not seconds:
        return None, None, None
    return median(seconds), seconds[ceil(_NINE_TENTHS * len(seconds)) - 1], sum(seconds)


def _total(numbers: Iterable[int | None]) -> int | None:
    known = [number for number in numbers if number is not None]
    return sum(known) if known else None


def _counted(names: Sequence[str]) -> dict[str, int]:
    """Return how often each name was said, the commonest first."""
    return dict(sorted(Counter(filter(None, names)).items(), key=lambda one: (-one[1], one[0])))


def _cost(
    prompt: int | None, completion: int | None, price: Price | None, rows: Sequence[AnsweredItem]
) -> RunCost | None:
    if price is None or prompt is None or completion is None:
        return None
    total = (prompt * price.prompt + completion * price.completion) / _MILLION
    kept = sum(row.last.facts.real and row.last.kept for row in rows)
    return RunCost(price, total, total / len(rows), total / kept if kept else None)


def _bands(rows: Sequence[AnsweredItem]) -> tuple[TokenBand, ...]:
    """Return real choices in quarters, from those that took the fewest tokens to those that took the most."""
    known = []
    for row in rows:
        tokens = _total(reply.usage.completion_tokens for reply in row.replies)
        if row.last.facts.real and tokens is not None:
            known.append((tokens, row.item.id, row.position, row.last.kept))
    known.sort()
    count = min(BANDS_OF_TOKENS, len(known))
    bands = []
    for place in range(count):
        part = known[place * len(known) // count : (place + 1) * len(known) // count]
        interval = share_interval(grouped((position, 1, kept) for _, _, position, kept in part), "tokens")
        bands.append(TokenBand(part[0][0], part[-1][0], len(part), sum(one[3] for one in part), interval))
    return tuple(bands)
