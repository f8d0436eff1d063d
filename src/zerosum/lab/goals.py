"""What a good game is, as data: bounds on metrics, each by its path, and weights whose sum is the score.

A path is one of the metrics document (`first.level:2`), a count of the audit by severity or by kind (`audit.dead`,
`audit.simple-strategy`), or one of the figures of `DERIVED`, which a formula makes of several metrics.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from typing import Final

from zerosum.base.errors import RulesError, ZerosumError
from zerosum.base.text import did_you_mean, printable, shorten
from zerosum.lab import limits
from zerosum.lab.audit import kinds
from zerosum.lab.findings import Severity
from zerosum.lab.metrics import METRICS
from zerosum.players.levels import STRENGTHS
from zerosum.rules.game_files import read_table

FORMAT: Final = 1
DEAD: Final = "audit.dead"
"""The path of the line that arithmetic alone can judge."""
GOALS: Final = ("open", "even", "standard")
_FOLDER: Final = os.path.join(os.path.dirname(__file__), "goal_files")
JUDGED: Final = tuple(kind.name for kind in kinds() if kind.judged)
"""The findings that a goal may speak of."""
_BOUND_KEYS: Final = ("min", "max", "in")
_FAR: Final = 10.0
"""How far from any bound a figure is that the game does not have."""

Document = Mapping[str, object]
"""A metrics document with the audit's counts by severity and by kind as `audit`; a part of it while it is found out."""


class GoalError(ZerosumError):
    """A goal that cannot be read; the message names the key."""


class UnknownGoalError(GoalError):
    """Neither a goal that is built in nor a file."""

    exit_code = 2


class Stage(IntEnum):
    """What has to be computed for a figure, cheapest first."""

    SOLVE = 1
    EVEN = 2
    METRICS = 3
    AUDIT = 4


_BALANCED: Final = tuple(f"balance.level:{n}" for n in range(1, 9))


def _worst_balance(document: Document) -> object:
    found = [figure(document, path) for path in _BALANCED]
    return None if None in found else min(float(str(one)) for one in found)


def _drama(document: Document) -> object:
    behind = figure(document, "behind.level:5")
    return None if behind is None else min(1.0, 2.5 * float(str(behind)))


def _right_openings(document: Document) -> object:
    """Return the share of openings that win; with a pie rule, of those after which swapping is right."""
    openings = document.get("openings")
    if not isinstance(openings, Mapping):
        return None
    return openings["share"] if openings["swap_right"] is None else openings["swap_right"]


def _useless_numbers(document: Document) -> object:
    numbers = document.get("numbers")
    return sum(one["needed"] == 0 for one in numbers) if isinstance(numbers, list) else None


DERIVED: Final[dict[str, tuple[Stage, Callable[[Document], object]]]] = {
    "openings.share": (Stage.SOLVE, _right_openings),
    "balance.worst": (Stage.EVEN, _worst_balance),
    "drama": (Stage.METRICS, _drama),
    "numbers.useless": (Stage.METRICS, _useless_numbers),
}
_PLAYER: Final = "|".join(map(re.escape, STRENGTHS))
FIGURES: Final = {Stage.SOLVE: ("value", "openings"), Stage.EVEN: ("first", "balance", "fairness", "even_to")}
"""The metrics that are known before all are measured."""
_PATHS: Final = (
    *(
        (next((stage for stage, keys in FIGURES.items() if one.key in keys), Stage.METRICS), one.path(_PLAYER))
        for one in METRICS.values()
        if one.parts is not None
    ),
    (Stage.AUDIT, rf"audit\.(?:{'|'.join((*Severity, *JUDGED))})"),
)
EXAMPLES: Final = (
    *("value.plies", "value.winner", "openings.count", "openings.winning", "openings.swap_right", "first.level:2"),
    *("balance.level:5", "early.level:2", "density.level:5", "only.level:5", "changes.level:5", "behind.level:5"),
    *("length.level:5.mean", "graph.positions", "even_to", "skill.depth", "skill.reach"),
    *("audit.dead", "audit.error", "audit.simple-strategy", *DERIVED),
)
"""Paths from which a misspelt one is guessed."""


def stage_of(path: str) -> Stage:
    """Return what has to be computed for the figure at a path.

    >>> stage_of("openings.share"), stage_of("first.level:5"), stage_of("density.level:5")
    (<Stage.SOLVE: 1>, <Stage.EVEN: 2>, <Stage.METRICS: 3>)
    """
    if path in DERIVED:
        return DERIVED[path][0]
    for stage, pattern in _PATHS:
        if re.fullmatch(pattern, path):
            return stage
    hint = did_you_mean(path, EXAMPLES, f"Such are {', '.join(EXAMPLES[:8])}; docs/search.md has them all.")
    raise GoalError(f"'{shorten(path)}' is not the path of a metric. {hint}")


def figure(document: Document, path: str) -> object:
    """Return the figure at a path, None if the game or the document has none.

    >>> figure({"first": {"level:2": 0.5}}, "first.level:2")
    0.5
    """
    if path in DERIVED:
        return DERIVED[path][1](document)
    found: object = document
    head, _, rest = path.partition(".")
    if head == "audit" and isinstance(counts := document.get(head), Mapping):
        return counts.get(rest, 0)
    for key in path.split("."):
        found = found.get(key) if isinstance(found, Mapping) else None
    return found


@dataclass(frozen=True, slots=True)
class Bound:
    """A line of a goal."""

    path: str
    least: float = -math.inf
    most: float = math.inf
    among: tuple[object, ...] | None = None

    def distance(self, document: Document) -> float:
        """Return how far the figure is from what is wanted, 0 if it is met; shares count more than plies."""
        value = figure(document, self.path)
        if self.among is not None:
            return 0.0 if value in self.among else 1.0
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return _FAR
        away = max(self.least - value, value - self.most, 0.0)
        return away / max(1.0, abs(self.least if value < self.least else self.most)) if away else 0.0


@dataclass(frozen=True, slots=True)
class Goal:
    """Lines that must all hold, and weights for the score."""

    name: str
    bounds: tuple[Bound, ...]
    weights: tuple[tuple[str, float], ...]

    def at(self, stage: Stage) -> tuple[Bound, ...]:
        """Return the lines that can be judged at a stage, and at none before it."""
        return tuple(bound for bound in self.bounds if stage_of(bound.path) is stage)

    @property
    def stages(self) -> tuple[Stage, ...]:
        """What must be computed to judge and to score a game, in this order.

        The audit speaks of the metrics, and these have all that is asked about evenness, if no line is about it.
        """
        lines = {stage_of(bound.path) for bound in self.bounds}
        found = lines | {stage_of(path) for path, _ in self.weights}
        found |= {Stage.METRICS} if Stage.AUDIT in found else set()
        spared = {Stage.EVEN} - lines if Stage.METRICS in found else set()
        return tuple(sorted(found - spared))

    @property
    def wants_no_dead_clause(self) -> bool:
        """Whether arithmetic alone can refuse a game."""
        return any(bound.path == DEAD and bound.most < 1 for bound in self.bounds)


def score(goal: Goal, document: Document) -> float:
    """Return the score of a game, which can be less than 0; a figure that a game does not have counts nothing."""
    parts = ((weight, figure(document, path)) for path, weight in goal.weights)
    return round(sum(weight * value for weight, value in parts if isinstance(value, (int, float))), 12)


def bound_words(bound: Bound) -> str:
    """Return what a line of a goal wants, in a few words."""
    if bound.among is not None:
        return f"one of {', '.join(map(str, bound.among))}"
    low, high = f"{bound.least:g}", f"{bound.most:g}"
    if bound.least == -float("inf"):
        return f"at most {high}"
    return f"at least {low}" if bound.most == float("inf") else f"{low} to {high}"


def miss_words(goal: Goal, document: Document, fails: Iterable[str]) -> str:
    """Return the lines that a game misses, each with what is wanted and what the game has."""
    wanted = {bound.path: bound_words(bound) for bound in goal.bounds}
    return ", ".join(f"{path} ({wanted[path]}, here {_shown(figure(document, path))})" for path in fails)


def _shown(value: object) -> str:
    return "none" if value is None else f"{value:.2f}" if isinstance(value, float) else str(value)


def load_goal(name: str) -> Goal:
    """Return the goal of a built-in name, or of the file at a path."""
    if name in GOALS:
        return goal_named(name)
    if os.sep in name or name.endswith(".toml") or ("\0" not in name and os.path.isfile(name)):
        return read_goal(name)
    hint = did_you_mean(name.lower(), GOALS, f"The goals are {', '.join(GOALS)}; a goal file will do too.")
    raise UnknownGoalError(f"There is no goal '{shorten(name)}'. {hint}")


@cache
def goal_named(name: str) -> Goal:
    """Return one of `GOALS`."""
    return read_goal(os.path.join(_FOLDER, f"{name}.toml"))


def read_goal(path: str) -> Goal:
    """Return the goal in the file at `path`; any error names the file."""
    try:
        return _goal(os.path.splitext(os.path.basename(path))[0], read_table(path))
    except (GoalError, RulesError) as error:
        raise GoalError(f"{printable(path)}: {error}") from None


def _goal(name: str, table: Mapping[str, object]) -> Goal:
    for key in table:
        if key not in {"format", "goal", "score"}:
            raise GoalError(f"{shorten(key)}: unknown key. The keys are format, [goal] and [score].")
    if type(table.get("format")) is not int or table["format"] != FORMAT:
        raise GoalError(f"format: write `format = {FORMAT}` at the top.")
    bounds = tuple(_bound(path, one) for path, one in _table(table, "goal").items())
    if not bounds:
        raise GoalError('goal: missing; write at least one line, such as "value.plies" = { min = 7 }.')
    weights = tuple((path, _weight(path, one)) for path, one in _table(table, "score").items())
    return Goal(name, bounds, weights)


def _table(table: Mapping[str, object], key: str) -> dict[str, object]:
    lines = table.get(key, {})
    if not isinstance(lines, dict) or len(lines) > limits.GOAL_LINES:
        raise GoalError(f"{key}: must be a table of at most {limits.GOAL_LINES} lines.")
    return lines


def _bound(path: str, value: object) -> Bound:
    where = f"goal: {shorten(path)}"
    stage_of(path)
    if not isinstance(value, dict) or not value or not set(value) <= set(_BOUND_KEYS):
        raise GoalError(f"{where}: must be a table such as {{ min = 7, max = 11 }} or {{ in = [1, 2] }}.")
    among = value.get("in")
    if among is not None and (
        not isinstance(among, list) or len(value) > 1 or not all(isinstance(one, int | float | str) for one in among)
    ):
        raise GoalError(f"{where}: `in` must be a list of numbers or words, and stands alone.")
    least, most = (
        _number(value.get(key, edge), f"{where}: {key}") for key, edge in (("min", -math.inf), ("max", math.inf))
    )
    if least > most:
        raise GoalError(f"{where}: min is greater than max.")
    return Bound(path, least, most, None if among is None else tuple(among))


def _number(value: object, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise GoalError(f"{where}: must be a number.")
    # Not a number is not at most anything; an infinite edge is none.
    if not (abs(value) <= limits.EXPRESSION_VALUE or abs(value) == math.inf):
        raise GoalError(f"{where}: must be a number of at most {limits.EXPRESSION_VALUE:,} either way.")
    return value


def _weight(path: str, value: object) -> float:
    stage_of(path)
    weight = _number(value, f"score: {shorten(path)}")
    if not abs(weight) <= limits.WEIGHT:
        raise GoalError(f"score: {shorten(path)}: must be from {-limits.WEIGHT} to {limits.WEIGHT}.")
    return weight
