"""Questions about how good a game is. They are asked here; the lab, a room above, is loaded by its name to answer."""

from __future__ import annotations

from importlib import import_module
from typing import Any, TypedDict, cast

from zerosum.coach.bundled import OfferedDocument
from zerosum.coach.evenness import ChangeDocument
from zerosum.jobs.job_table import job
from zerosum.rules.model import RulesDict


class QualityDocument(TypedDict):
    """How good a game is; `unmeasured` says why there are no figures and findings."""

    metrics: dict[str, Any] | None
    unmeasured: str
    findings: list[dict[str, Any]] | None


class SeatsDocument(TypedDict):
    """How often the first of two equal players wins; `unmeasured` says why that is not known."""

    first: dict[str, float]
    unmeasured: str


class ChangesDocument(TypedDict):
    """What some of the games near a game are like: those that are even, and the one that is most even."""

    games: int
    """The games up to the cost of these."""
    following: int | None
    """The place of the first game that was not looked at, None if there is none."""
    finished: bool
    """Whether these are the last games of their cost."""
    found: list[ChangeDocument]
    nearest: list[ChangeDocument]


def _lab() -> Any:
    return import_module("zerosum.lab.lab_jobs")


@job(cost=3, measures=True)
def quality(rules: RulesDict) -> QualityDocument:
    """Return the findings and figures of a game."""
    return cast("QualityDocument", _lab().quality(rules))


@job(measures=True)
def seats(rules: RulesDict) -> SeatsDocument:
    """Return how often the first of two equal players wins."""
    return cast("SeatsDocument", _lab().seats(rules))


@job(free_again=True, measures=True)
def changes(rules: RulesDict, begin: int) -> ChangesDocument:
    """Look at some games near a game, in order of what it costs to make them; `begin` is the place of the first."""
    return cast("ChangesDocument", _lab().changes(rules, begin))


@job(cost=3, free_again=True, measures=True)
def one_change(rules: RulesDict) -> list[OfferedDocument]:
    """Return three changes of one rule that make other games of a game, the most even first."""
    return cast("list[OfferedDocument]", _lab().one_change(rules))
