"""What `zerosum exam` says at the terminal."""

from __future__ import annotations

from zerosum.exam.report import Report
from zerosum.exam.summary import GameScore, Summary
from zerosum.exam.words import prompt_words, set_words, summary_words
from zerosum.measure.words import level_words, percent
from zerosum.rules.text import printable

_WIDEST = 24


def report_lines(report: Report) -> list[str]:
    """Return the report of a run as lines."""
    plan = report.run.plan
    where = f" at {printable(plan.url)}" if plan.url else ""
    switches = ", ".join(f"{name} {value}" for name, value in prompt_words(plan))
    return [
        f"The {plan.kind} {printable(plan.name)}{where}.",
        printable(set_words(report.run.set)),
        f"Asked with {switches}.",
        "",
        *summary_lines(report.summary),
    ]


def summary_lines(summary: Summary) -> list[str]:
    """Return what replies say as lines: sentences, then a table of the games."""
    lines = summary_words(summary)
    if not summary.score.items:
        return lines
    wide = min(max(len(one.game) for one in summary.games), _WIDEST) + 2
    head = f"{'':{wide}}{'choices':>8}{'kept':>7}{'from':>7}{'to':>7}{'random':>8}{'skill':>7}{'gap':>7}{'level':>9}"
    return [*lines, "", head, *(_row(one, wide) for one in summary.games)]


def _row(one: GameScore, wide: int) -> str:
    score = one.score
    name = printable(one.game)
    name = name if len(name) <= _WIDEST else f"{name[: _WIDEST - 1]}~"
    low, high = score.interval
    level = (
        "-" if score.fit.level is None else level_words(score.fit.level).removeprefix("level ").removesuffix(" play")
    )
    gap = "-" if one.gap is None else f"{100 * one.gap.difference:+.1f}"
    return (
        f"{name:{wide}}{score.kept.choices:8}{percent(score.kept.rate):>7}{percent(low):>7}{percent(high):>7}"
        f"{percent(score.chance):>8}{percent(score.skill):>7}{gap:>7}{level:>9}"
    )
