"""A report as one HTML page without a script: what was kept, by game, skin and difficulty; questions and replies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from zerosum.arena.entrants.prompt import PromptStyle
from zerosum.arena.strength.decisions import level_words
from zerosum.base.english import percent
from zerosum.base.reports import IntervalRow, intervals, render
from zerosum.base.text import printable
from zerosum.exam import limits
from zerosum.exam.score_words import p_words, prompt_words, set_words, summary_words, usage_words
from zerosum.exam.scoring import AnsweredItem, GradeKind, TokenBand, keeping_moves
from zerosum.exam.summary import ExamReport, ExamScore, GameScore

_NAMED: Final = {"original": "as it is", "reskin": "reskinned", "game": "the games", "fresh": "fresh variants"}
_TICKS: Final = {share: f"{100 * share:.0f} %" for share in (0.0, 0.5, 1.0)}


def page(report: ExamReport) -> str:
    """Return the page."""
    plan, summary = report.run.plan, report.summary
    where = f" at {plan.url}" if plan.url else ""
    parts = {**summary.by_skin, **summary.by_source}
    shares = {**summary.score.by_difficulty}
    shares |= {f"only move, level {name}": share for name, share in summary.score.only.items()}
    shares |= {f"search of {name} plies": share for name, share in summary.score.by_depth.items()}
    shares |= {f"ends in {name} plies": share for name, share in summary.score.by_plies.items()}
    shares |= {f"{name} numbers left": share for name, share in summary.score.by_numbers_left.items()}
    usage = report.usage
    shown = sorted(report.rows, key=lambda row: row.last.kept)[: limits.SHOWN]
    return render(
        __file__,
        "exam_page.html",
        title=f"Exam of {printable(plan.name)}",
        summary=summary_words(summary),
        asked=f"The {plan.kind} {printable(plan.name)}{where}. {set_words(report.run.set)}",
        plan=plan,
        switches=prompt_words(plan),
        picture=_picture(summary.games),
        game_rows=[[one.game, *_cells(one.score)] for one in summary.games],
        against=summary.against,
        part_rows=[[_NAMED[name], *_cells(score)] for name, score in parts.items()],
        test_rows=[_test_row(game) for game in summary.games],
        difficulty_rows=[[name, str(one.choices), str(one.kept), percent(one.rate)] for name, one in shares.items()],
        usage=[] if usage is None else usage_words(usage),
        token_picture="" if usage is None else _token_picture(usage.by_tokens),
        token_rows=[] if usage is None else list(map(_token_row, usage.by_tokens)),
        replies=[_shown(row, plan.style) for row in shown],
        left=len(report.rows) - len(shown),
    )


def _picture(games: Sequence[GameScore]) -> str:
    """Return what was kept of each game, with its interval, and what random play keeps."""
    rows = []
    for one in games:
        kept, (low, high) = one.score.kept.rate, one.score.interval
        title = f"{one.game}: {percent(kept)} ({percent(low)} to {percent(high)})"
        rows.append(IntervalRow(one.game, kept, low, high, title, one.score.chance))
    return intervals(rows, _TICKS, "Kept by game, with 95 % intervals; the dashed line is random play")


def _token_picture(bands: Sequence[TokenBand]) -> str:
    """Return what was kept, by the tokens of the replies."""
    rows = []
    for band in bands:
        low, high = band.interval
        title = f"{_tokens(band)}: {percent(band.rate)} ({percent(low)} to {percent(high)})"
        rows.append(IntervalRow(_tokens(band), band.rate, low, high, title, None))
    return intervals(rows, _TICKS, "Kept by the tokens of the reply, with 95 % intervals") if rows else ""


def _tokens(band: TokenBand) -> str:
    return f"{band.least:,} to {band.most:,}"


def _token_row(band: TokenBand) -> list[str]:
    interval = f"{percent(band.interval.low)} to {percent(band.interval.high)}"
    return [_tokens(band), str(band.choices), str(band.kept), percent(band.rate), interval]


def _cells(score: ExamScore) -> list[str]:
    """Return the cells that every table of scores has."""
    level = "-" if score.keeps.level is None else level_words(score.keeps.level).removeprefix("level ")
    faults = " / ".join(str(score.kinds[kind]) for kind in GradeKind if kind is not GradeKind.MOVE)
    interval = f"{percent(score.interval.low)} to {percent(score.interval.high)}"
    kept = [percent(score.kept.rate), interval, percent(score.chance), percent(score.skill)]
    lost = [percent(score.won_to_lost.rate), percent(score.practical_regret)]
    return [str(score.kept.choices), *kept, *lost, level, faults]


def _test_row(one: GameScore) -> list[str]:
    better, gap = p_words(one.better_than_random), one.gap
    if gap is None or one.gap_p_value is None:
        return [one.game, better, "0", "-", "-", "-"]
    interval = f"{100 * gap.low:+.1f} to {100 * gap.high:+.1f}"
    return [one.game, better, str(gap.pairs), f"{100 * gap.difference:+.1f}", interval, p_words(one.gap_p_value)]


@dataclass(frozen=True, slots=True)
class ShownReply:
    """An item and its replies, as the page shows them."""

    title: str
    question: str
    best: str
    replies: list[str]


def _shown(row: AnsweredItem, style: PromptStyle) -> ShownReply:
    item, grade = row.item, row.last
    results = {
        GradeKind.MOVE: f"{grade.move}, {'kept' if grade.kept else 'not kept'}",
        GradeKind.ILLEGAL: f"{grade.move}, illegal",
    }
    return ShownReply(
        title=f"{item.game} {item.number}, {item.shown_rules.name}: {results.get(grade.kind, grade.kind.value)}",
        question=item.prompt(style),
        best=", ".join(keeping_moves(item)) if grade.facts.real else "all alike",
        replies=["\n".join(map(printable, reply.text.splitlines())) or "(nothing)" for reply in row.replies],
    )
