"""Questions of a page about how good a game is, for a worker process."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, TypedDict

from zerosum.lab import limits
from zerosum.lab.audit import audit, audit_json
from zerosum.lab.batches import Row, run_batch
from zerosum.lab.executors import JOBS
from zerosum.lab.findings import FindingDocument
from zerosum.lab.goals import load_goal
from zerosum.lab.metrics import Screen, screen
from zerosum.lab.repair import Repaired, repair, repair_words
from zerosum.lab.search_report import bound_words
from zerosum.lab.store import open_store
from zerosum.players.levels import STRENGTHS
from zerosum.rules.game_files import write_rules
from zerosum.rules.model import Rules
from zerosum.rules.rules_dict import RulesDict, rules_from_dict
from zerosum.server.worker.jobs import job, solved

MODULE: Final = __name__
MEASURED_PLAYERS: Final = tuple(who for who in STRENGTHS if who != "perfect")
"""The players whose matches are shown: between two perfect ones the seat decides."""
_COSTS: Final = (1, 2)
"""What changes may cost together; dearer ones are tried only if no cheaper one is found."""
_COUNT: Final = 3
_GOAL: Final = "open"


class QualityDocument(TypedDict):
    """How good a game is; `unmeasured` says why there are no figures and findings."""

    metrics: Screen | None
    unmeasured: str
    findings: list[FindingDocument] | None


class RepairDocument(TypedDict):
    """A change that makes a better game, in words, and the rules file with it; `misses` are lines of the goal."""

    words: str
    text: str
    misses: list[str]


class RepairsDocument(TypedDict):
    """The cheapest changes that make a good game, or the nearest misses; `meets`: it is good as it is."""

    meets: bool
    tried: int
    found: list[RepairDocument]
    nearest: list[RepairDocument]


@job(cost=3)
def quality(rules: RulesDict) -> QualityDocument:
    """Return the findings and figures of a game."""
    game = rules_from_dict(rules)
    solution = solved(game)  # refuses a game that is too large, before anything else is asked of it
    if (solution.positions or 0) > limits.PAGE_POSITIONS:
        words = (
            f"This game has {solution.positions:,} positions, too many to measure here (at most "
            f"{limits.PAGE_POSITIONS:,}). At the terminal, zerosum audit and zerosum metrics take the time they need."
        )
        return {"metrics": None, "unmeasured": words, "findings": None}
    measured = screen(game, MEASURED_PLAYERS)
    return {
        "metrics": measured,
        "unmeasured": "",
        "findings": audit_json(audit(game, screened=measured))["findings"],
    }


@job(cost=3)
def repairs(rules: RulesDict) -> RepairsDocument:
    """Return the cheapest changes that make a game a good one."""
    game = rules_from_dict(rules)
    solved(game)
    goal = load_goal(_GOAL)
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder)) as store:
        for cost in _COSTS:
            repaired = repair(game, goal, cost, _COUNT, store=store, evaluate=_here)
            if repaired.found:
                break
    lines = {bound.path: f"{bound.path} {bound_words(bound)}" for bound in goal.bounds}

    def described(one: Repaired) -> RepairDocument:
        words = repair_words(game, one.edited, one.document)
        return {"words": words, "text": write_rules(_named(one, game)), "misses": [lines[path] for path in one.fails]}

    return {
        "meets": repaired.meets,
        "tried": repaired.tried,
        "found": list(map(described, repaired.found)),
        "nearest": list(map(described, repaired.nearest)),
    }


def _named(one: Repaired, game: Rules) -> Rules:
    return replace(one.edited.rules, id=game.id, name=game.name)


def _here(name: str, tasks: Sequence[str], patience: float | None) -> Iterator[Row]:
    """Evaluate tasks in this process, which already has limits."""
    yield from enumerate(run_batch(JOBS.get(name, name), tasks, patience)[0])
