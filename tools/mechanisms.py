"""What each mechanism does to a game, from the tables that `tools/measure_mechanisms.py` makes."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from pathlib import Path
from statistics import mean
from typing import Any, Final, NamedTuple

from tools.tables import table

ROOT: Final = Path(__file__).resolve().parent.parent
TABLES: Final = ROOT / "docs" / "spaces" / "mechanisms"
KEYS: Final = ("numbers", "negative", "target", "reaching", "swap")
FIGURES: Final = {"even_to": "even up to level", "choices": "real choices", "behind": "won from behind"}
_SAME: Final = 1e-6
"""Figures that differ by less are the same."""
Row = dict[str, Any]
Pair = tuple[Row, Row]
"""Two games that differ in one thing alone, without it and with it."""


class Comparison(NamedTuple):
    """What a mechanism does in all games that have a partner without it."""

    name: str
    pairs: list[Pair]

    def changes(self, figure: str) -> tuple[int, int, int]:
        """Return in how many pairs a figure rises, stays and falls."""
        ups = sum(after[figure] > before[figure] + _SAME for before, after in self.pairs)
        downs = sum(after[figure] < before[figure] - _SAME for before, after in self.pairs)
        return ups, len(self.pairs) - ups - downs, downs


@cache
def rows(name: str) -> list[Row]:
    """Return a table; a game that is not even at random has `even_to` -1."""
    with open(TABLES / f"{name}.csv", encoding="utf-8", newline="") as file:
        return [{key: _value(key, text) for key, text in line.items()} for line in csv.DictReader(file)]


def _value(key: str, text: str) -> Any:
    if key in {"reaching", "swap"}:
        return text
    return -1 if not text else float(text) if "." in text else int(text)


def paired(games: Sequence[Row], key: str, before: object, after: object) -> list[Pair]:
    """Return the games that differ in a key alone."""
    known = {tuple(game[one] for one in KEYS): game for game in games}
    partners = [(game, known.get(tuple(after if one == key else game[one] for one in KEYS))) for game in games]
    return [(game, partner) for game, partner in partners if game[key] == before and partner is not None]


def comparisons() -> list[Comparison]:
    """Return what is compared, mechanism by mechanism."""
    one, own = rows("one-total"), rows("own-totals")
    plain = [(words, [game for game in games if game["swap"] == "no"]) for words, games in _both()]
    shared = {tuple(game[key] for key in KEYS): game for game in one}
    met = [(shared[tuple(game[key] for key in KEYS)], game) for game in own if game["swap"] == "no"]
    return [
        *(Comparison(f"swap, {words}", paired(games, "swap", "no", "yes")) for words, games in _both()),
        *(
            Comparison(f"{n} negative for {n - 1}, {words}", paired(games, "negative", n - 1, n))
            for words, games in plain
            for n in (1, 2, 3)
        ),
        *(
            Comparison(f"a losing target, {words}", paired(games, "reaching", "wins", "loses"))
            for words, games in plain
        ),
        *(
            Comparison(f"own totals, the target {way}", [pair for pair in met if pair[0]["reaching"] == way])
            for way in ("wins", "loses")
        ),
        *(
            Comparison(f"{n} numbers for {n - 1}, {words}", paired(games, "numbers", n - 1, n))
            for words, games in plain
            for n in (10, 11, 12)
        ),
    ]


def _both() -> list[tuple[str, list[Row]]]:
    return [("one total", rows("one-total")), ("own totals", rows("own-totals"))]


def figures() -> str:
    """Return the table of all comparisons: how often each figure rises and falls, and its mean before and after."""
    lines = []
    for one in comparisons():
        cells = [one.name, f"{len(one.pairs):,}"]
        for figure in FIGURES:
            ups, _, downs = one.changes(figure)
            before, after = (mean(pair[n][figure] for pair in one.pairs) for n in (0, 1))
            shown = f"{before:.1f} → {after:.1f}" if figure == "even_to" else f"{before:.0%} → {after:.0%}"
            cells.append(f"{shown}, +{ups / len(one.pairs):.0%} \N{MINUS SIGN}{downs / len(one.pairs):.0%}")
        lines.append(tuple(cells))
    return table(("with", "pairs", *FIGURES.values()), lines)


class Claim(NamedTuple):
    """No game whose figure is from `least` to less than `below` is even beyond a level."""

    when: str
    figure: str
    least: float
    below: float
    level: int


CLAIMS: Final = (
    Claim("Without a negative number", "negative", 0, 1, 7),
    Claim("With 9 numbers", "numbers", 9, 10, 7),
    Claim("Where matches of level 5 last fewer than 4 plies on average", "length", 0, 4, 6),
    Claim("Where matches of level 5 last fewer than 7 plies on average", "length", 0, 7, 7),
    Claim("Where fewer than a third of the plies are real choices at level 5", "choices", 0, 1 / 3, 7),
)


def claims() -> str:
    """Return what holds in both tables, each sentence with how many games it was tested in."""
    games = [game for _, some in _both() for game in some]
    lines = []
    for claim in CLAIMS:
        tested = [game for game in games if claim.least <= game[claim.figure] < claim.below]
        words = f"{claim.when}, no game is even beyond level {claim.level}."
        if broken := [game for game in tested if game["even_to"] > claim.level]:
            raise SystemExit(f"{words} Not so: {broken[0]}")
        lines.append(f"- {words} Tested in {len(tested):,} of {len(games):,} games.\n")
    return "".join(lines)


# The picture

_LEFT, _TOP, _LINE, _BAR, _GAP = 268, 92, 26, 150, 22
_STYLE: Final = """
svg { font-family: ui-sans-serif, system-ui, 'Segoe UI', Helvetica, Arial, 'DejaVu Sans', sans-serif }
.card { fill: #ffffff; stroke: #d5dae1 } .text { fill: #1d2430 } .quiet { fill: #5a6472 }
.up { fill: #1f5fa8 } .same { fill: #dfe3e8 } .down { fill: #fbdcb2 }
.up-text { fill: #ffffff } .down-text { fill: #5b3200 }
@media (prefers-color-scheme: dark) {
.card { fill: #14181f; stroke: #343c48 } .text { fill: #e6eaf0 } .quiet { fill: #a0aab8 }
.up { fill: #8cc4ff } .same { fill: #3a424e } .down { fill: #57350d }
.up-text { fill: #06203c } .down-text { fill: #ffdcae }
}
"""
_LEGEND: Final = "Left, dark: the figure rises in so many of a hundred games. Right, pale: it falls. Between: it stays."
_LEAST_SHOWN: Final = 17
"""Per cent below which a bar has no room for its number."""


def svg() -> str:
    """Return all comparisons as a picture: for each figure a bar of the games in which it rises, stays and falls."""
    lines, title = comparisons(), "What each mechanism does"
    width, height = _LEFT + len(FIGURES) * (_BAR + _GAP) + 10, _TOP + len(lines) * _LINE + 40
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-labelledby="title description">',
        f'<title id="title">{title}</title>',
        f'<desc id="description">{escape(_in_words(lines))}</desc>',
        f"<style>{_STYLE}</style>",
        f'<rect class="card" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="10"/>',
        f'<text class="text" x="20" y="34" font-size="17" font-weight="600">{title}</text>',
    ]
    for n, words in enumerate(FIGURES.values()):
        parts.append(f'<text class="quiet" x="{_x(n)}" y="{_TOP - 14}" font-size="12">{words}</text>')
    for at, one in enumerate(lines):
        y = _TOP + at * _LINE
        parts.append(f'<text class="text" x="20" y="{y + 13}" font-size="12">{escape(one.name)}</text>')
        for n, figure in enumerate(FIGURES):
            parts += _bar(one, figure, _x(n), y)
    parts += [f'<text class="quiet" x="20" y="{height - 14}" font-size="12">{_LEGEND}</text>', "</svg>"]
    return "".join(f"{part}\n" for part in parts)


def _x(column: int) -> int:
    return _LEFT + column * (_BAR + _GAP)


def _bar(one: Comparison, figure: str, x: float, y: int) -> Iterator[str]:
    for look, count in zip(("up", "same", "down"), one.changes(figure), strict=True):
        share = count / len(one.pairs)
        if count:
            yield f'<rect class="{look}" x="{x:.1f}" y="{y}" width="{share * _BAR:.1f}" height="18"/>'
        if look != "same" and round(100 * share) >= _LEAST_SHOWN:
            middle = x + share * _BAR / 2
            style = f'class="{look}-text" x="{middle:.1f}" y="{y + 13}" font-size="11" text-anchor="middle"'
            yield f"<text {style}>{share:.0%}</text>"
        x += share * _BAR


def _in_words(lines: Sequence[Comparison]) -> str:
    said = []
    for one in lines:
        parts = []
        for figure, words in FIGURES.items():
            ups, _, downs = one.changes(figure)
            parts.append(f"{words} rises in {ups} and falls in {downs}")
        said.append(f"{one.name}, {len(one.pairs)} games: {'; '.join(parts)}.")
    return "\n".join(said)
