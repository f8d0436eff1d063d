"""The result of a search as files: a rules file for each find, the front as a table, and a page with pictures.

The page needs nothing else (`base/reports.py`).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import Any, Final

from zerosum.base.english import count
from zerosum.base.reports import Point, bars, render, scatter
from zerosum.coach.evenness import EVEN
from zerosum.lab.filters import NearMiss
from zerosum.lab.goals import bound_words, figure, miss_words
from zerosum.lab.repair import outcome_words
from zerosum.lab.search import FRONT, Find, SearchResult
from zerosum.players.levels import STRENGTHS
from zerosum.rules.describe import describe
from zerosum.rules.game_files import write_rules

_COLUMNS: Final = ("value.plies", "openings.share", "even_to", *(path for path, _ in FRONT))
_FIRST: Final = "First player wins"
_LISTED: Final = 100
"""Rows of the table of the page; all finds are in `search.json`."""


def file_name(place: int, find: Find) -> str:
    """Return the name of the rules file of a find."""
    return f"{place:04}-{find.rules.id}.toml"


def files(result: SearchResult) -> dict[str, str]:
    """Return the files of a result but `search.json`, by name."""
    found = {file_name(place, find): _rules_file(find) for place, find in enumerate(result.finds, 1)}
    return found | {"front.csv": _front(result), "report.html": page(result)}


def _rules_file(find: Find) -> str:
    words = outcome_words(find.document)
    facts = f"# Score {find.score:.4f}. Fingerprint {find.fingerprint}."
    return f"# {words[0].upper()}{words[1:]}.\n{facts}\n{write_rules(find.rules, defaults=False)}"


def _front(result: SearchResult) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["file", "fingerprint", "score", *_COLUMNS])
    for place, find in enumerate(result.finds, 1):
        if find.front:
            figures = [figure(find.document, path) for path in _COLUMNS]
            writer.writerow([file_name(place, find), find.fingerprint, find.score, *figures])
    return text.getvalue()


def page(result: SearchResult) -> str:
    """Return the report as one HTML page."""
    name, goal = result.request.space.name, result.request.goal
    return render(
        __file__,
        "search_report.html",
        title=f"{name}: {count(result.good, 'game')} that meet the goal {goal.name}",
        summary=_summary(result),
        goal=goal,
        bound_words=bound_words,
        picture=_picture(result),
        picks=[_pick(find, place) for place, find in enumerate(result.finds, 1) if find.pick is not None],
        turned_away=turned_away(result),
        nearest=[_near(result, miss) for miss in result.nearest],
        heads=("game", "score", *_COLUMNS, "front"),
        rows=[_row(find) for find in result.finds[:_LISTED]],
        more=len(result.finds) - _LISTED,
        skipped=[(repr(look.candidate.rules), look.skipped) for look in result.skipped],
        listed=_LISTED,
    )


def _summary(result: SearchResult) -> str:
    how = (
        f"{result.games:,} games were sampled of a space of {result.size:,} combinations"
        if result.sampled
        else f"All {result.games:,} games of the space were looked at; {result.size:,} combinations, twins folded"
    )
    return f"{how}. {left_out(result)}"


_STAGES: Final = {
    "arithmetic": "by arithmetic",
    "solve": "once solved",
    "even": "by who wins between equals",
    "metrics": "by full metrics",
    "audit": "by the audit",
    "skipped": "skipped",
}


def left_out(result: SearchResult) -> str:
    """Return how many games are not among those that meet the goal, and why: with these all of them are counted."""
    parts = [f"{result.funnel[stage]:,} {words}" for stage, words in _STAGES.items() if result.funnel[stage]]
    twins = result.funnel["good"] - result.good
    if twins:
        parts.append(f"{twins:,} as misère {'twin' if twins == 1 else 'twins'}")
    return f"Left out: {', '.join(parts) or 'none'}."


def turned_away(result: SearchResult) -> list[str]:
    """Return how many games each line of the goal turned away, and each finding; a game may miss several."""
    heads = {"by_line": "Turned away by a line of the goal", "by_finding": "Turned away for a finding"}
    counts = {head: result.funnel[key] for key, head in heads.items()}
    return [
        f"{head}: {', '.join(f'{name} {number:,}' for name, number in found.items())}."
        for head, found in counts.items()
        if found
    ]


def near_words(result: SearchResult, miss: NearMiss) -> str:
    """Return what a game lacks that almost meets the goal."""
    return f"it misses {miss_words(result.request.goal, miss.document, miss.fails)}"


def _picture(result: SearchResult) -> str:
    points = []
    for find in result.finds:
        x, y = figure(find.document, "balance.worst"), figure(find.document, "density.level:5")
        if isinstance(x, (int, float)) and isinstance(y, (int, float)):
            points.append(Point(x, y, find.front, f"{find.rules.name}: {x:.2f}, {y:.2f}"))
    return scatter(points, "worst balance", "real choices of level 5") if points else ""


def _near(result: SearchResult, miss: NearMiss) -> dict[str, object]:
    """Return a near miss as the page shows it."""
    rules, words = miss.candidate.rules, f"I{near_words(result, miss)[1:]}."
    shown = describe(rules, typed=False)[:-1]
    return {"name": rules.name, "rules": shown, "words": words, "first": _first_picture(miss.document)}


def _first_picture(document: Mapping[str, Any]) -> str:
    """Return how often the first of two equal players wins, by level, as a picture."""
    first = document.get("first", {})
    names = {who: who.removeprefix("level:").replace("random", "rnd") for who in STRENGTHS if who != "perfect"}
    return bars({name: float(first[who]) for who, name in names.items() if who in first}, _FIRST, band=EVEN)


def _pick(find: Find, place: int) -> dict[str, object]:
    """Return a find that the page shows in full: its words, its rules, two pictures and its file."""
    chances = find.document.get("length", {}).get("level:5", {}).get("chances", {})
    lengths = {plies: float(chance) for plies, chance in sorted(chances.items(), key=lambda one: int(one[0]))}
    return {
        "find": find,
        "words": outcome_words(find.document),
        "rules": describe(find.rules, typed=False)[:-1],
        "first": _first_picture(find.document),
        "lengths": bars(lengths, "Length of a match"),
        "file": file_name(place, find),
    }


def _row(find: Find) -> list[str]:
    cells = [find.rules.id, f"{find.score:.3f}"]
    for path in _COLUMNS:
        value = figure(find.document, path)
        cells.append("-" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value))
    return [*cells, "yes" if find.front else ""]
