"""What the search of the shelf found (`docs/spaces/shelf/results.json`), as the documentation shows it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, Final

from tools.tables import table
from zerosum.rules.game_files import LAB_IDS, built_in
from zerosum.rules.model import written_dict

ROOT: Final = Path(__file__).resolve().parent.parent
RESULTS: Final = ROOT / "docs" / "spaces" / "shelf" / "results.json"
BALANCE, CHOICES, BEHIND, EARLY = "balance.worst", "density.level:5", "behind.level:5", "early.level:2"
Game = dict[str, Any]
Kind = tuple[str, str, str]
"""Totals, reaching and operations."""


@cache
def results() -> dict[str, Game]:
    """Return the results of each space."""
    found: dict[str, Game] = json.loads(RESULTS.read_text(encoding="utf-8"))
    return found


def kind_of(rules: Game) -> Kind:
    """Return what no two games of the shelf have in common."""
    operations = " or ".join(rules.get("operations", ["add"]))
    return rules.get("totals", "shared"), rules.get("reaching", "wins"), operations


def good_games() -> list[Game]:
    """Return every game that meets the goal, once."""
    found = (game for space in results().values() for game in space["finds"])
    return list({json.dumps(game["rules"], sort_keys=True): game for game in found}.values())


def on_front(games: list[Game]) -> list[Game]:
    """Return the games that no other beats: as good in everything, and better in something."""
    return [one for one in games if not any(_beats(other, one) for other in games)]


def _beats(one: Game, other: Game) -> bool:
    mine, yours = _weighed(one), _weighed(other)
    return mine != yours and all(a >= b for a, b in zip(mine, yours, strict=True))


def _weighed(game: Game) -> tuple[float, ...]:
    figures = game["figures"]
    return figures[BALANCE], figures[CHOICES], figures[BEHIND], -figures[EARLY]


def looked_at() -> str:
    """Return a table of the spaces: how many games, what turned them away, how many are good."""
    stages = ("arithmetic", "solve", "even", "metrics", "audit")
    counts = {name: (one["games"], *map(one["funnel"].get, stages), one["good"]) for name, one in results().items()}
    rows = [(f"`{name}`", *(f"{count:,}" for count in some)) for name, some in counts.items()]
    games = sum(one["games"] for one in results().values())
    head = ("space", "games", "by arithmetic", "once solved", "not even", "by metrics", "by the audit", "good")
    return f"{games:,} games were looked at; {len(good_games()):,} meet the goal.\n\n{table(head, rows)}"


def kinds() -> str:
    """Return a table of the kinds of games: how many are good, how many on the front, and what the best one misses."""
    good: dict[Kind, list[Game]] = {}
    for game in good_games():
        good.setdefault(kind_of(game["rules"]), []).append(game)
    front = on_front(good_games())
    near: dict[Kind, Game] = {}
    for game in (game for space in results().values() for game in space["nearest"]):
        kind = kind_of(game["rules"])
        near[kind] = min(near.get(kind, game), game, key=lambda one: (len(one["fails"]), str(one["rules"])))
    rows = []
    for kind in sorted({*good, *near}, key=lambda kind: (-len(good.get(kind, ())), kind)):
        some = good.get(kind, [])
        best = max(some, key=lambda one: float(one["score"])) if some else near[kind]
        gives_up = "nothing" if some else ", ".join(f"`{path}`" for path in best["fails"])
        rows.append((*kind, str(len(some)), str(sum(one in front for one in some)), _said(best["rules"]), gives_up))
    return table(("totals", "target", "operations", "good", "on the front", "the best", "gives up"), rows)


def _said(rules: Game) -> str:
    pool = rules["pool"]
    row = [number for number in range(min(pool), max(pool) + 1) if number]
    numbers = f"{row[0]} to {row[-1]}" if pool == row else " ".join(map(str, pool))
    extra = [words for key, words in (("swap", "swap"), ("ban", "no undoing")) if rules.get(key) in {True, "mirror"}]
    extra += ["closer at the end"] if rules.get("exhausted") == "closest" else []
    return ", ".join([f"{numbers} → {rules['target']}", *extra]).replace("-", "\N{MINUS SIGN}")


# The picture

_WIDTH, _HEIGHT, _LEFT, _TOP, _RIGHT, _BELOW = 640, 420, 60, 60, 24, 78
_SHAPES: Final = {("shared", "wins"): "circle", ("shared", "loses"): "square", ("own", "wins"): "triangle"}
_STYLE: Final = """
svg { font-family: ui-sans-serif, system-ui, 'Segoe UI', Helvetica, Arial, 'DejaVu Sans', sans-serif }
.card { fill: #ffffff; stroke: #d5dae1 } .text { fill: #1d2430 } .quiet { fill: #5a6472 } .grid { stroke: #e4e8ee }
.game { fill: none; stroke: #7d8896 } .front { fill: #1f5fa8; stroke: #1f5fa8 }
.chosen { stroke: #b3261e; fill: #b3261e }
@media (prefers-color-scheme: dark) {
.card { fill: #14181f; stroke: #343c48 } .text { fill: #e6eaf0 } .quiet { fill: #a0aab8 } .grid { stroke: #262d37 }
.game { stroke: #8b95a3 } .front { fill: #8cc4ff; stroke: #8cc4ff } .chosen { stroke: #ff9d94; fill: #ff9d94 }
}
"""


def svg() -> str:
    """Return the good games as a picture: worst balance across, real choices up."""
    games, title = good_games(), "The games that meet the goal of the shelf"
    front = on_front(games)
    chosen = {json.dumps(_plain(game), sort_keys=True): built_in(game).name for game in LAB_IDS}
    size = f'viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-labelledby="title description">',
        f'<title id="title">{title}</title>',
        f'<desc id="description">{escape(_in_words(games, front))}</desc>',
        f"<style>{_STYLE}</style>",
        f'<rect class="card" x="0.5" y="0.5" width="{_WIDTH - 1}" height="{_HEIGHT - 1}" rx="10"/>',
        f'<text class="text" x="20" y="34" font-size="17" font-weight="600">{title}</text>',
        *_grid(),
    ]
    for game in sorted(games, key=lambda game: (game in front, _weighed(game))):
        name = chosen.get(json.dumps(game["rules"], sort_keys=True), "")
        parts += _mark(game, "chosen" if name else "front" if game in front else "game", name)
    legend = (
        "Circle: one total, the target wins · square: it loses · triangle: own totals · full: the front · named: chosen"
    )
    parts += [f'<text class="quiet" x="20" y="{_HEIGHT - 16}" font-size="12">{legend}</text>', "</svg>"]
    return "".join(f"{part}\n" for part in parts)


def _plain(game: str) -> Game:
    rules = dict(written_dict(built_in(game)))
    return {key: value for key, value in rules.items() if key not in {"format", "id", "name", "examples"}}


def _in_words(games: list[Game], front: list[Game]) -> str:
    return f"{len(games)} games by worst balance and real choices of level 5; {len(front)} of them are on the front."


def _x(balance: float) -> float:
    return _LEFT + (_WIDTH - _LEFT - _RIGHT) * (balance - 0.8) / 0.2


def _y(choices: float) -> float:
    return _TOP + (_HEIGHT - _TOP - _BELOW) * (0.75 - choices) / 0.15


def _text(look: str, at: tuple[float, float], words: str, anchor: str = "start", size: int = 12) -> str:
    place = f'x="{at[0]:.1f}" y="{at[1]:.1f}" font-size="{size}" text-anchor="{anchor}"'
    return f'<text class="{look}" {place}>{escape(words)}</text>'


def _grid() -> Iterator[str]:
    bottom, right = _HEIGHT - _BELOW, _WIDTH - _RIGHT
    for balance in (0.8, 0.85, 0.9, 0.95, 1.0):
        yield f'<line class="grid" x1="{_x(balance):.1f}" y1="{_TOP}" x2="{_x(balance):.1f}" y2="{bottom}"/>'
        yield _text("quiet", (_x(balance), bottom + 16), f"{balance:.2f}", "middle", 11)
    for choices in (0.6, 0.65, 0.7, 0.75):
        yield f'<line class="grid" x1="{_LEFT}" y1="{_y(choices):.1f}" x2="{right}" y2="{_y(choices):.1f}"/>'
        yield _text("quiet", (_LEFT - 8, _y(choices) + 4), f"{choices:.0%}", "end", 11)
    yield _text("text", ((_LEFT + right) / 2, bottom + 34), "worst balance of levels 1 to 8", "middle")
    yield _text("text", (20, _TOP - 8), "real choices at level 5")


def _mark(game: Game, look: str, name: str) -> Iterator[str]:
    x, y = _x(game["figures"][BALANCE]), _y(game["figures"][CHOICES])
    shape = _SHAPES[kind_of(game["rules"])[:2]]
    if shape == "circle":
        yield f'<circle class="{look}" cx="{x:.1f}" cy="{y:.1f}" r="4"/>'
    elif shape == "square":
        yield f'<rect class="{look}" x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8"/>'
    else:
        yield f'<path class="{look}" d="M {x:.1f} {y - 5:.1f} l 5 9 l -10 0 z"/>'
    if name:
        yield _text("text", (x + 8, y + 4), name)
