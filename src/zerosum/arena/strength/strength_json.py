"""Answers about strength as JSON: their shapes, and how they are filled; `docs/json.md` says what each key means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict

from zerosum.arena.strength.level_fit import LevelFit
from zerosum.arena.strength.measurement import PolicyReport
from zerosum.arena.strength.people import Measured
from zerosum.arena.strength.scores import OwnPlay
from zerosum.base.documents import Document


class LevelDocument(TypedDict):
    """Which level decisions were made like."""

    decisions: int
    level: float | None
    level_low: float | None
    level_high: float | None
    level_fits: bool | None
    level_p: float | None


class PersonDocument(LevelDocument):
    """Somebody's decisions: what they kept, and which level they are like."""

    name: str
    who: str
    matches: int
    choices: int
    kept: float | None
    kept_low: float
    kept_high: float
    chance: float | None
    skill: float | None
    regret: float
    plies_lost: int


class GameLevelDocument(LevelDocument):
    """Which level decisions in one game were made like."""

    game: str


class ResponseDocument(TypedDict):
    """How often the best response to a policy wins, from either seat."""

    as_first: float
    as_second: float


class OwnPlayDocument(TypedDict):
    """What a match of a policy against itself holds on average."""

    decisions: float
    choices: float
    kept: float | None
    regret: float


class PolicyDocument(TypedDict):
    """How strong a policy is, exactly."""

    policy: str
    game: str
    against: list[Document]
    exploitability: float | None
    best_response: ResponseDocument | None
    error: float
    at_least: float
    own_play: OwnPlayDocument | None


def policy_json(report: PolicyReport) -> PolicyDocument:
    """Return how strong a policy is."""
    best = report.best_response
    return {
        "policy": report.policy,
        "game": report.rules.id,
        "against": [
            {"who": one.who, "as_first": one.as_first, "as_second": one.as_second} for one in report.scores.against
        ],
        "exploitability": None if best is None else best.value,
        "best_response": None if best is None else {"as_first": best.as_first, "as_second": best.as_second},
        "error": report.scores.error,
        "at_least": report.at_least,
        "own_play": None if report.own_play is None else _own_play(report.own_play),
    }


def _own_play(own: OwnPlay) -> OwnPlayDocument:
    return {"decisions": own.decisions, "choices": own.choices, "kept": own.share, "regret": own.regret}


def level_json(fit: LevelFit) -> LevelDocument:
    """Return a level fit."""
    return {
        "decisions": fit.decisions,
        "level": fit.level,
        "level_low": fit.low,
        "level_high": fit.high,
        "level_fits": fit.fits,
        "level_p": fit.p_value,
    }


def person_json(one: Measured) -> PersonDocument:
    """Return what somebody kept, and which level they play like."""
    low, high = one.tally.interval()
    return {
        "name": one.name,
        "who": one.who,
        "matches": one.matches,
        "choices": one.tally.choices,
        "kept": one.tally.share,
        "kept_low": low,
        "kept_high": high,
        "chance": one.tally.chance,
        "skill": one.tally.skill,
        "regret": one.tally.regret,
        "plies_lost": one.tally.plies_lost,
        **level_json(one.fit),
    }


def people_json(people: Sequence[Measured]) -> Mapping[str, object]:
    """Return everybody's decisions."""
    return {"people": [person_json(one) for one in people]}
