"""What `zerosum measure` says at the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from zerosum.measure.people import Measured
from zerosum.measure.report import PolicyReport
from zerosum.measure.words import fit_words
from zerosum.rules.text import printable

_UNKNOWN = "A match may go on for ever here, so the exact best response to it is not known."


def policy_lines(report: PolicyReport) -> list[str]:
    """Return how strong a policy is, as lines."""
    lines = [
        f"{report.rules.name}: how often {printable(report.policy)} wins, in per cent",
        "",
        f"{'against':10}{'first':>8}{'second':>8}{'both':>8}",
    ]
    for score in report.scores.against:
        first, second, both = (f"{100 * chance:.2f}" for chance in (score.as_first, score.as_second, score.average))
        lines.append(f"{score.who:10}{first:>8}{second:>8}{both:>8}")
    return [*lines, "", *_exploited(report), *_own_play(report), *_exact(report)]


def _exploited(report: PolicyReport) -> list[str]:
    best = report.best_response
    if best is None:
        return [_UNKNOWN, f"Its exploitability, from 0 to 1, is at least {report.at_least:.4f}."]
    if not best.value:
        return ["Nobody can exploit it: its exploitability is 0."]
    return [
        f"Exploitability, from 0 to 1: {best.value:.4f}. The best response to it, which knows all its habits,",
        f"wins {best.as_first:.2%} as first and {best.as_second:.2%} as second player.",
    ]


def _own_play(report: PolicyReport) -> list[str]:
    own = report.own_play
    if own is None:
        return []
    if own.share is None:
        return ["Against itself it never has a real choice."]
    return [f"Against itself it has {own.choices:.2f} real choices a match, and keeps {own.share:.2%} of them."]


def _exact(report: PolicyReport) -> list[str]:
    error = report.scores.error
    return [f"Each chance is off by at most {error:g}." if error else "Every figure is exact."]


def people_lines(people: Sequence[Measured]) -> list[str]:
    """Return what everybody kept, and which level they play like, as lines."""
    lines: list[str] = []
    for one in people:
        name = printable(one.name)
        kind = "" if one.who in {"human", name} else f" ({one.who})"
        lines += [
            "",
            f"{name}{kind}: {_count(one.matches, 'match', 'matches')}, {_count(one.tally.decisions, 'decision')}",
        ]
        lines += [f"  plays {fit_words(one.fit)}", *_kept(one)]
    return lines[1:]


def _kept(one: Measured) -> list[str]:
    tally = one.tally
    if tally.share is None or tally.chance is None or tally.skill is None:
        return ["  never had a real choice"]
    low, high = tally.interval()
    of_all = f"{tally.kept} of {_count(tally.choices, 'real choice')}"
    return [
        f"  kept {of_all}: {tally.share:.0%} (95% interval: {low:.0%} to {high:.0%})",
        f"  random moves would keep {tally.chance:.0%}; skill {tally.skill:.0%} (random 0%, perfect 100%)",
    ]


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or f'{one}s'}"
