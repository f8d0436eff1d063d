"""A report as JSON and as CSV; `docs/reference/json.md` says what each key means."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import Final, TypedDict

from zerosum.arena.arena_report import ArenaReport, EntrantLine, PairingResult
from zerosum.arena.strength.sprt import Sprt
from zerosum.arena.strength.strength_json import level_json


class DifficultyDocument(TypedDict):
    """The real choices of one difficulty."""

    choices: int
    kept: float | None
    regret: float


class PairingDocument(TypedDict):
    """Two entrants in one game."""

    a: str
    b: str
    game: str
    cells: list[int]
    score: float | None
    exact: float | None
    needed: int | None


class SprtDocument(TypedDict):
    """A sequential test."""

    elo0: float
    elo1: float
    llr: float
    lower: float
    upper: float
    decision: str | None
    pairs: int


_COLUMNS: Final = (
    *("name", "matches", "score", "elo", "elo_low", "elo_high", "level", "level_low", "level_high", "level_fits"),
    *("choices", "kept", "kept_low", "kept_high", "chance", "skill", "regret", "plies_lost"),
    *("illegal", "time", "crash", "withdrawn"),
)


def report_json(report: ArenaReport) -> Mapping[str, object]:
    """Return a report."""
    return {
        "run": report.run.plan.key,
        "complete": report.complete,
        "games": [rules.id for rules in report.run.plan.games],
        "pairs": report.pairs,
        "void": report.state.void,
        "entrants": [entrant_json(one) for one in report.entrants],
        "pairings": [_pairing(one) for one in report.pairings],
        "sprt": None if report.sprt is None else _sprt(report.sprt),
    }


def entrant_json(line: EntrantLine) -> dict[str, object]:
    """Return an entrant of a report."""
    rating, account, tally = line.rating, line.account, line.tally
    level = level_json(line.fit)
    return {
        "name": line.name,
        "matches": account.matches,
        "score": line.score,
        "elo": None if rating is None else rating.elo,
        "elo_low": None if rating is None else rating.low,
        "elo_high": None if rating is None else rating.high,
        "level": level["level"],
        "level_low": level["level_low"],
        "level_high": level["level_high"],
        "level_fits": level["level_fits"],
        "decisions": tally.decisions,
        "choices": tally.choices,
        "kept": tally.share,
        "kept_low": line.kept.low,
        "kept_high": line.kept.high,
        "chance": tally.chance,
        "skill": tally.skill,
        "regret": tally.regret,
        "plies_lost": tally.plies_lost,
        "illegal": account.illegal,
        "time": account.time,
        "crash": account.crash,
        "withdrawn": line.withdrawn,
        "by_difficulty": {
            name: DifficultyDocument(choices=choices, kept=kept / choices if choices else None, regret=regret)
            for name, (choices, kept, regret) in account.by_difficulty().items()
        },
    }


def _pairing(one: PairingResult) -> PairingDocument:
    return {
        "a": one.a,
        "b": one.b,
        "game": one.game,
        "cells": list(one.cells),
        "score": one.score,
        "exact": one.exact,
        "needed": one.needed,
    }


def _sprt(test: Sprt) -> SprtDocument:
    return {
        "elo0": test.elo0,
        "elo1": test.elo1,
        "llr": test.llr,
        "lower": test.lower,
        "upper": test.upper,
        "decision": test.decision,
        "pairs": test.pairs,
    }


def report_csv(report: ArenaReport) -> str:
    """Return the entrants of a report as a table."""
    text = io.StringIO()
    writer = csv.DictWriter(text, _COLUMNS, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(entrant_json(line) for line in report.entrants)
    return text.getvalue()
