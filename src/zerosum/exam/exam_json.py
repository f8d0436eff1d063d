"""Answers about an exam as JSON; `docs/reference/json.md` says what each key means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from zerosum.arena.strength.strength_json import LevelDocument, level_json
from zerosum.base.statistics import PairedGap
from zerosum.exam.exam_run import ExamPlan
from zerosum.exam.items import ItemSet
from zerosum.exam.scoring import GradeKind
from zerosum.exam.summary import ExamReport, ExamScore, GameScore, Share, Summary


class ShareDocument(TypedDict):
    """Some choices, and how many of them were kept."""

    choices: int
    kept: int
    rate: float | None


class TurnedDocument(TypedDict):
    """Moves in won positions, and how many of them lost."""

    won: int
    lost: int
    rate: float | None


class GapDocument(TypedDict):
    """What was kept of positions as they are, less what was kept of their reskins."""

    pairs: int
    only_original: float
    only_reskin: float
    gap: float
    gap_low: float
    gap_high: float
    p: float


class ScoreDocument(LevelDocument):
    """What some answers add up to."""

    answered: int
    choices: int
    kept: float | None
    kept_low: float
    kept_high: float
    chance: float | None
    skill: float | None
    first_try: float | None
    regret: float | None
    won_to_lost: TurnedDocument
    plies_lost: int
    practical_regret: float | None
    practical_choices: int
    illegal: int
    unreadable: int
    double: int
    truncated: int
    by_difficulty: dict[str, ShareDocument]
    only_move: dict[str, ShareDocument]
    random_p: float


class GameDocument(ScoreDocument):
    """One game of an exam; p-values are adjusted for the number of games."""

    game: str
    random_p_holm: float
    skin_gap: GapDocument | None
    skin_gap_p_holm: float | None


def score_json(score: ExamScore) -> ScoreDocument:
    """Return what some answers add up to."""
    return {
        "answered": score.items,
        "choices": score.kept.choices,
        "kept": score.kept.rate,
        "kept_low": score.interval.low,
        "kept_high": score.interval.high,
        "chance": score.chance,
        "skill": score.skill,
        "first_try": score.first_try.rate,
        "regret": score.regret / score.items if score.items else None,
        "won_to_lost": {"won": score.turned.choices, "lost": score.turned.kept, "rate": score.turned.rate},
        "plies_lost": score.plies_lost,
        "practical_regret": score.practical / score.practical_items if score.practical_items else None,
        "practical_choices": score.practical_items,
        "illegal": score.kinds[GradeKind.ILLEGAL],
        "unreadable": score.kinds[GradeKind.UNREADABLE],
        "double": score.double,
        "truncated": score.kinds[GradeKind.TRUNCATED],
        "by_difficulty": {name: _share(one) for name, one in score.by_difficulty.items()},
        "only_move": {name: _share(one) for name, one in score.only.items()},
        "random_p": score.p_value,
        **level_json(score.fit),
    }


def _share(share: Share) -> ShareDocument:
    return {"choices": share.choices, "kept": share.kept, "rate": share.rate}


def _gap(gap: PairedGap | None) -> GapDocument | None:
    if gap is None:
        return None
    return {
        "pairs": gap.pairs,
        "only_original": gap.only_first,
        "only_reskin": gap.only_second,
        "gap": gap.difference,
        "gap_low": gap.low,
        "gap_high": gap.high,
        "p": gap.p_value,
    }


def _game(one: GameScore) -> GameDocument:
    return {
        "game": one.game,
        "random_p_holm": one.better_than_random,
        "skin_gap": _gap(one.gap),
        "skin_gap_p_holm": one.gap_p_value,
        **score_json(one.score),
    }


def summary_json(summary: Summary, found: ItemSet) -> Mapping[str, object]:
    """Return what replies to a set of items say."""
    return {
        "set": set_json(found),
        "complete": summary.complete,
        "items": summary.total,
        **score_json(summary.score),
        "against": summary.against,
        "skin_gap": _gap(summary.gap),
        "by_source": {name: score_json(one) for name, one in summary.by_source.items()},
        "by_skin": {name: score_json(one) for name, one in summary.by_skin.items()},
        "games": [_game(one) for one in summary.games],
    }


def set_json(found: ItemSet) -> Mapping[str, object]:
    """Return what a set of items is."""
    options = found.options
    return {
        "sha256": found.sha256,
        "seed": options.seed,
        "games": [rules.id for rules in options.games],
        "count": options.count,
        "fresh": options.fresh,
        "reskin": options.reskin,
    }


def plan_json(plan: ExamPlan) -> Mapping[str, object]:
    """Return how a set was asked."""
    told = plan.document
    return {
        "who": {key: told[key] for key in ("kind", "name", "url")},
        "prompt": told["style"],
        **{key: told[key] for key in ("tries", "lenient", "seconds", "settings")},
    }


def report_json(report: ExamReport) -> Mapping[str, object]:
    """Return the report of a run."""
    plan = report.run.plan
    return {"run": plan.key, **plan_json(plan), **summary_json(report.summary, report.run.set)}
