"""An exam in words, for the terminal and the page."""

from __future__ import annotations

import json
from typing import Final

from zerosum.arena.strength.decisions import kept_words as level_kept_words
from zerosum.base.english import count, listing, percent
from zerosum.base.statistics import PairedGap
from zerosum.base.text import printable
from zerosum.exam.exam_run import ExamPlan
from zerosum.exam.items import ItemSet
from zerosum.exam.scoring import GradeKind, RunUsage
from zerosum.exam.summary import ExamScore, Summary

_SURE: Final = 0.05
_SMALLEST: Final = 1e-4


def p_words(p_value: float) -> str:
    """Return a p-value as people write it.

    >>> p_words(0.0312), p_words(1e-9)
    ('p = 0.031', 'p < 0.0001')
    """
    return "p < 0.0001" if p_value < _SMALLEST else f"p = {p_value:.2g}"


def set_words(found: ItemSet) -> str:
    """Return what a set of items is."""
    options = found.options
    games = ", ".join(rules.id for rules in options.games)
    drawn = "a secret salt" if options.seed is None else f"seed {options.seed}"
    hard = "" if options.difficulty is None else f" of difficulty {options.difficulty}"
    return (
        f"{count(len(found.items), 'item')} from {drawn}: {count(options.count, 'position')}{hard} each of {games}, "
        f"{count(options.fresh, 'fresh variant')} of each game, {count(options.reskin, 'reskin')} of each position."
    )


def prompt_words(plan: ExamPlan) -> list[tuple[str, str]]:
    """Return how a set was asked: the switches of the prompt, and everything else that changes what is measured."""
    style = plan.style
    switches = {"legal moves": style.legal_moves, "history": style.history, "thinking": style.thinking}
    return [
        *((name, "on" if on else "off") for name, on in switches.items()),
        ("format", style.format.value),
        ("tools", plan.tools),
        ("tries", str(plan.tries)),
        ("parser", "lenient" if plan.lenient else "strict"),
        *((printable(name.replace("_", " ")), _setting(value)) for name, value in plan.settings),
    ]


def _setting(value: object) -> str:
    """Return a value as it was given; whole numbers without a fraction."""
    whole = isinstance(value, float) and value.is_integer()
    return f"{value:.0f}" if whole else f"{value:g}" if isinstance(value, float) else printable(json.dumps(value))


def usage_words(usage: RunUsage) -> list[str]:
    """Return what the replies of a run took, in sentences."""
    words = []
    if usage.completion_tokens is not None and usage.tokens_per_item is not None:
        thoughts = "" if usage.reasoning_tokens is None else f" ({usage.reasoning_tokens:,} of thoughts)"
        words.append(
            f"Tokens: {usage.prompt_tokens or 0:,} asked, {usage.completion_tokens:,} answered{thoughts}, "
            f"{usage.tokens_per_item:,.0f} an item."
        )
    if usage.cost is not None:
        price = usage.cost.price
        words.append(
            f"Cost at {price.prompt:g} and {price.completion:g} a million tokens: {usage.cost.total:.4g}, "
            f"{usage.cost.per_item:.2g} an item."
        )
    if usage.seconds_median is not None:
        words.append(
            f"A reply took {usage.seconds_median:.1f} seconds (median); "
            f"nine of ten took at most {usage.seconds_90:.1f}."
        )
    if len(usage.by_tokens) > 1:
        least, most = usage.by_tokens[0], usage.by_tokens[-1]
        words.append(
            f"Of the quarter with the fewest tokens (up to {least.most:,}) {percent(least.rate)} % were kept, "
            f"of the one with the most (from {most.least:,}) {percent(most.rate)} %."
        )
    if usage.tool_calls:
        words.append(f"Calls of tools: {usage.tool_calls:,}.")
    for noun, counted in (("Finish reasons", usage.finish), ("The endpoint names the model", usage.models)):
        if counted:
            words.append(f"{noun}: {', '.join(f'{printable(name)} ({n:,})' for name, n in counted.items())}.")
    return words


def kept_words(score: ExamScore) -> str:
    """Return what was kept, with its interval, and what random play keeps."""
    low, high = score.interval
    return (
        f"{percent(score.kept.rate)} % of {score.kept.choices:,} real choices kept "
        f"(95% interval {percent(low)} to {percent(high)}); random play keeps {percent(score.chance)} %."
    )


def summary_words(summary: Summary) -> list[str]:
    """Return what replies say, in sentences, the most important first."""
    score = summary.score
    if not score.items:
        return [f"Incomplete: none of {count(summary.total, 'item')} has a reply."]
    headline = summary.headline
    interval = f"95% interval {percent(headline.low)} to {percent(headline.high)}"
    words = [
        f"Skill {percent(headline.value)} ({interval}): the headline, from 0 for random play to 100 for perfect play.",
        kept_words(score),
    ]
    if not summary.complete:
        missing = summary.total - score.items
        words.insert(0, f"Incomplete: {missing:,} of {count(summary.total, 'item')} have no reply.")
    faults = [
        f"{score.kinds[kind]:,} {kind.value}" for kind in GradeKind if kind is not GradeKind.MOVE and score.kinds[kind]
    ]
    double = f" ({score.double:,} of the unreadable ones name different moves)" if score.double else ""
    words.append(f"Replies without a legal move: {', '.join(faults) or 'none'}{double}.")
    if score.first_try != score.kept:
        words.append(f"At the first try {percent(score.first_try.rate)} % were kept.")
    words.append(f"That {level_kept_words(score.keeps)}.")
    searches = listing([f"{percent(share)} % {depth} deep" for depth, share in score.search.items()])
    words.append(f"Of the same choices a search keeps {searches.replace(' deep', ' ply deep', 1)}.")
    if summary.gap is not None:
        words.append(gap_words(summary.gap))
    if score.practical_items:
        given = percent(score.practical_regret)
        words.append(f"Against {summary.against} a move gives away {given} % of the chance to win, on average.")
    return words


def gap_words(gap: PairedGap) -> str:
    """Return how a reskin changes what is kept."""
    sure = "a difference" if gap.p_value < _SURE else "no clear difference"
    return (
        f"Skin gap, kept as it is less kept reskinned: {100 * gap.difference:+.1f} points "
        f"(95% interval {100 * gap.low:+.1f} to {100 * gap.high:+.1f}, {p_words(gap.p_value)}: {sure})."
    )
