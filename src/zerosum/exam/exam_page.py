"""A report as one HTML page without a script: what was kept, by game, skin and difficulty; questions and replies."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from zerosum.arena.entrants.prompt import PromptStyle
from zerosum.arena.strength.level_fit import level_words
from zerosum.base.english import percent
from zerosum.base.reports import box, document, label, line, table
from zerosum.base.text import printable
from zerosum.exam import limits
from zerosum.exam.score_words import p_words, prompt_words, set_words, summary_words
from zerosum.exam.scoring import GradeKind, keeping_moves
from zerosum.exam.summary import AnsweredItem, ExamReport, ExamScore, GameScore, Share, Summary

_WIDTH: Final = 480
_NAMES: Final = 130
_ROW: Final = 26
_NAMED: Final = {"original": "as it is", "reskin": "reskinned", "game": "the games", "fresh": "fresh variants"}


def page(report: ExamReport) -> str:
    """Return the page."""
    plan, summary = report.run.plan, report.summary
    parts = (
        f"<ul>{''.join(f'<li>{escape(one)}</li>' for one in summary_words(summary))}</ul>",
        _how(report),
        _games(summary),
        _parts(summary),
        _difficulty(summary),
        _replies(report.rows, plan.style),
    )
    return document(f"Exam of {printable(plan.name)}", "\n".join(parts))


def _how(report: ExamReport) -> str:
    plan, found = report.run.plan, report.run.set
    where = f" at {plan.url}" if plan.url else ""
    rows = prompt_words(plan)
    words = f"The {plan.kind} {printable(plan.name)}{where}. {set_words(found)}"
    return (
        f"<h2>How it was asked</h2>\n<p>{escape(words)}</p>\n"
        f"{table(('switch', 'value'), rows, 'Switches of the prompt')}\n"
        f'<p class="soft hash">Run {plan.key}; items SHA-256 {found.sha256}</p>'
    )


def _picture(games: Sequence[GameScore]) -> str:
    """Return what was kept of each game, with its interval, and what random play keeps."""
    height = _ROW * len(games) + 40

    def x(share: float) -> float:
        return _NAMES + (_WIDTH - _NAMES - 30) * share

    drawn = []
    for place, one in enumerate(games):
        y = _ROW * (place + 0.5) + 4
        score = one.score
        low, high = score.interval
        said = f"{one.game}: {percent(score.kept.rate)} ({percent(low)} to {percent(high)})"
        drawn += [label(0, y + 4, one.game[:18], "start"), line("span", (x(low), y), (x(high), y))]
        if score.chance is not None and score.kept.rate is not None:
            spot = f'<circle class="spot" cx="{x(score.kept.rate):.1f}" cy="{y:.1f}" r="5">'
            drawn += [
                line("half", (x(score.chance), y - 8), (x(score.chance), y + 8)),
                f"{spot}<title>{escape(said)}</title></circle>",
            ]
    base = height - 28
    drawn.append(line("axis", (_NAMES, base), (_WIDTH - 30, base)))
    drawn += [label(x(share), base + 18, f"{100 * share:.0f} %") for share in (0.0, 0.5, 1.0)]
    return box(_WIDTH, height, "Kept by game, with 95 % intervals; the dashed line is random play", drawn)


def _interval(score: ExamScore) -> str:
    return f"{percent(score.interval.low)} to {percent(score.interval.high)}"


def _cells(score: ExamScore) -> list[str]:
    """Return the cells that every table of scores has."""
    level = "-" if score.fit.level is None else level_words(score.fit.level).removeprefix("level ")
    faults = " / ".join(str(score.kinds[kind]) for kind in GradeKind if kind is not GradeKind.MOVE)
    kept = [percent(score.kept.rate), _interval(score), percent(score.chance), percent(score.skill)]
    practical = percent(score.practical / score.practical_items if score.practical_items else None)
    return [str(score.kept.choices), *kept, percent(score.turned.rate), practical, level, faults]


_HEADS: Final = (
    *("choices", "kept", "interval", "random", "skill", "won to lost", "practical", "level"),
    "faulty",
)


def _games(summary: Summary) -> str:
    rows = [[one.game, *_cells(one.score)] for one in summary.games]
    note = (
        "In per cent; in the picture, a dot is what was kept, a bar its interval, and dashes what random play keeps. "
        "Kept is the share of real choices that gave nothing away; a reply without a legal move keeps "
        "nothing. Skill is the same from random play (0) to perfect play (100). Won to lost: moves that turned a win "
        f"into a loss. Practical: the chance to win given away against {summary.against}, on average. "
        "Faulty: illegal, unreadable and truncated replies."
    )
    return (
        f"<h2>By game</h2>\n{_picture(summary.games)}\n"
        f'{table(("game", *_HEADS), rows, "By game")}\n<p class="soft">{escape(note)}</p>'
    )


def _parts(summary: Summary) -> str:
    both = {**summary.by_skin, **summary.by_source}
    rows = [[_NAMED[name], *_cells(score)] for name, score in both.items()]
    note = (
        "A reskin is the same game in other numbers and words, so every difference comes from the form. Each position "
        "is one pair; interval and test are McNemar's. The other test asks how often random play keeps as many. All "
        "p-values are exact, and adjusted by Holm for the number of games."
    )
    heads = ("game", "better than random", "pairs", "skin gap", "interval", "skin gap")
    return (
        f"<h2>As it is, reskinned, fresh</h2>\n{table(('items', *_HEADS), rows, 'By skin and source')}\n"
        f'<h2>Tests</h2>\n{table(heads, map(_test_row, summary.games), "Tests by game")}\n<p class="soft">{note}</p>'
    )


def _test_row(one: GameScore) -> list[str]:
    better, gap = p_words(one.better_than_random), one.gap
    if gap is None or one.gap_p_value is None:
        return [one.game, better, "0", "-", "-", "-"]
    interval = f"{100 * gap.low:+.1f} to {100 * gap.high:+.1f}"
    return [one.game, better, str(gap.pairs), f"{100 * gap.difference:+.1f}", interval, p_words(one.gap_p_value)]


def _difficulty(summary: Summary) -> str:
    score = summary.score
    rows = [_share_row(name, share) for name, share in score.by_difficulty.items()]
    rows += [_share_row(f"only move, level {name}", share) for name, share in score.only.items()]
    note = (
        "Real choices by the share of the legal moves that keep the best verdict: half or more (easy), a quarter or "
        "more (middling), fewer (hard). Where a single move keeps it: by the level from which on it is found half the "
        "time; 10 is beyond all levels."
    )
    heads = ("difficulty", "choices", "kept", "kept %")
    return f'<h2>By difficulty</h2>\n{table(heads, rows, "By difficulty")}\n<p class="soft">{note}</p>'


def _share_row(name: str, share: Share) -> list[str]:
    return [name, str(share.choices), str(share.kept), percent(share.rate)]


def _replies(rows: Sequence[AnsweredItem], style: PromptStyle) -> str:
    """Return questions and replies, those that were not kept first."""
    ordered = sorted(rows, key=lambda row: row.grades[-1].kept)[: limits.SHOWN]
    left = len(rows) - len(ordered)
    more = f"<p>{left:,} more are in the folder of the run.</p>" if left else ""
    shown = "".join(_reply(row, style) for row in ordered)
    return f"<h2>Questions and replies</h2>\n{shown}{more}"


def _reply(row: AnsweredItem, style: PromptStyle) -> str:
    item, grade = row.item, row.grades[-1]
    made = {
        GradeKind.MOVE: f"{grade.move}, {'kept' if grade.kept else 'not kept'}",
        GradeKind.ILLEGAL: f"{grade.move}, illegal",
    }
    result = made.get(grade.kind, grade.kind.value)
    right = ", ".join(keeping_moves(item)) if grade.facts.real else "all alike"
    replies = "".join(f'<pre class="said" tabindex="0">{escape(_clean(one["reply"]))}</pre>' for one in row.replies)
    return (
        f"<details><summary>{escape(f'{item.game} {item.number}, {item.shown_rules.name}: {result}')}</summary>\n"
        f'<pre class="said" tabindex="0">{escape(item.prompt(style))}</pre>\n'
        f"<p>Best moves: {escape(right)}. Reply:</p>\n{replies}</details>\n"
    )


def _clean(text: str) -> str:
    return "\n".join(printable(line) for line in text.splitlines()) or "(nothing)"
