"""The result of a search as files: a rules file for each find, the front as a table, and a page with pictures.

The page needs nothing else (`base/reports.py`).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from html import escape
from typing import Any, Final

from zerosum.base.reports import bars, document, scatter
from zerosum.lab.goals import Bound, Goal, figure
from zerosum.lab.repair import outcome_words
from zerosum.lab.search import FRONT, Find, SearchResult
from zerosum.players.levels import STRENGTHS
from zerosum.rules.describe import describe
from zerosum.rules.files import write_rules

_COLUMNS: Final = ("value.plies", "openings.share", *(path for path, _ in FRONT))
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
    return f"# {words[0].upper()}{words[1:]}.\n{facts}\n{write_rules(find.rules)}"


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
    title = f"{name}: {result.good:,} {'game' if result.good == 1 else 'games'} that meet the goal {goal.name}"
    picks = [find for find in result.finds if find.pick is not None]
    body = f"""<p>{escape(_summary(result))}</p>
{_goal(goal)}
{_picture(result)}
<h2>{len(picks)} that differ most</h2>
<div class="games">
{"".join(_game(find, place) for place, find in enumerate(result.finds, 1) if find.pick is not None)}</div>
{_table(result)}
{_skipped(result)}"""
    return document(title, body)


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
    "screen": "by three levels of play",
    "audit": "by the audit",
    "metrics": "by full metrics",
    "skipped": "skipped",
}


def left_out(result: SearchResult) -> str:
    """Return how many games are not among those that meet the goal, and why: with these all of them are counted."""
    parts = [f"{result.funnel[stage]:,} {words}" for stage, words in _STAGES.items() if result.funnel[stage]]
    twins = result.funnel["good"] - result.good
    if twins:
        parts.append(f"{twins:,} as misère {'twin' if twins == 1 else 'twins'}")
    return f"Left out: {', '.join(parts) or 'none'}."


def _goal(goal: Goal) -> str:
    rows = "".join(f"<tr><td>{escape(one.path)}</td><td>{escape(bound_words(one))}</td></tr>" for one in goal.bounds)
    return (
        f'<h2>The goal</h2>\n<table><thead><tr><th scope="col">metric</th><th scope="col">wanted</th></tr></thead>'
        f"<tbody>{rows}</tbody></table>"
    )


def bound_words(bound: Bound) -> str:
    """Return what a line of a goal wants, in a few words."""
    if bound.among is not None:
        return f"one of {', '.join(map(str, bound.among))}"
    low, high = f"{bound.least:g}", f"{bound.most:g}"
    if bound.least == -float("inf"):
        return f"at most {high}"
    return f"at least {low}" if bound.most == float("inf") else f"{low} to {high}"


def _picture(result: SearchResult) -> str:
    points = []
    for find in result.finds:
        x, y = figure(find.document, "balance.worst"), figure(find.document, "density.level:5")
        if isinstance(x, (int, float)) and isinstance(y, (int, float)):
            points.append((x, y, find.front, f"{find.rules.name}: {x:.2f}, {y:.2f}"))
    if not points:
        return "<p>No game was found.</p>"
    return (
        '<h2>All finds</h2>\n<p class="soft">A full square is on the front: no other find is as good in balance, '
        "density, drama and early ends and better in one of them.</p>\n"
        '<div class="wide" tabindex="0" role="group" aria-label="All finds">'
        f"{scatter(points, 'worst balance', 'real choices of level 5')}</div>"
    )


def _game(find: Find, place: int) -> str:
    rules = "".join(f"<li>{escape(line)}</li>" for line in describe(find.rules, typed=False)[:-1])
    words = escape(outcome_words(find.document))
    head = f"<h3>{escape(find.rules.name)}</h3>\n<p>Score {find.score:.3f}. {words[0].upper()}{words[1:]}.</p>"
    foot = f'<p class="soft">{escape(file_name(place, find))}</p>'
    return f"<article>\n{head}\n<ul>{rules}</ul>\n{_charts(find.document)}\n{foot}\n</article>\n"


def _charts(document: Mapping[str, Any]) -> str:
    first = document.get("first", {})
    names = {who: who.removeprefix("level:").replace("random", "rnd").replace("perfect", "perf") for who in STRENGTHS}
    seats = {names[who]: float(first[who]) for who in STRENGTHS if who in first and who != "perfect"}
    chances = document.get("length", {}).get("level:5", {}).get("chances", {})
    lengths = {plies: float(chance) for plies, chance in sorted(chances.items(), key=lambda one: int(one[0]))}
    return (
        "<p>How often the first player wins, in per cent: random players, then levels</p>"
        f"{bars(seats, 'First player wins', half=True)}"
        f"<p>Moves in a match of level 5, in per cent</p>{bars(lengths, 'Length of a match')}"
    )


def _table(result: SearchResult) -> str:
    heads = "".join(f'<th scope="col">{escape(one)}</th>' for one in ("game", "score", *_COLUMNS, "front"))
    rows = "".join(_row(find) for find in result.finds[:_LISTED])
    more = len(result.finds) - _LISTED
    rest = f'<p class="soft">{more:,} more are in search.json.</p>' if more > 0 else ""
    table = f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    return f'<h2>Finds</h2>\n<div class="wide" tabindex="0" role="group" aria-label="Finds">{table}</div>{rest}'


def _row(find: Find) -> str:
    cells = [find.rules.id, f"{find.score:.3f}"]
    for path in _COLUMNS:
        value = figure(find.document, path)
        cells.append("-" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value))
    cells.append("yes" if find.front else "")
    return f"<tr>{''.join(f'<td>{escape(one)}</td>' for one in cells)}</tr>\n"


def _skipped(result: SearchResult) -> str:
    if not result.skipped:
        return ""
    items = "".join(
        f"<li><code>{escape(repr(look.candidate.rules))}</code>: {escape(str(look.skipped))}</li>"
        for look in result.skipped[:_LISTED]
    )
    return f"<h2>Skipped: {len(result.skipped):,}</h2>\n<ul>{items}</ul>"
