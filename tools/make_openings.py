"""Draws who wins after each opening of a game and each reply to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import escape

from zerosum.rules.game_files import load_game
from zerosum.rules.model import Seat
from zerosum.rules.position import Position
from zerosum.solver import Solution, Verdict, solve

WIDTH, HEIGHT, GAP, MARGIN = 40, 30, 3, 24
LEFT, TOP, BELOW = MARGIN + 80, MARGIN + 84, 64
LETTERS: Final = {Verdict.WIN: "W", Verdict.LOSS: "L", Verdict.DRAW: "D"}
# Wins are dark and losses pale (the other way round on a dark page), so that they differ without colour too.
STYLE: Final = """
svg { font-family: ui-sans-serif, system-ui, 'Segoe UI', Helvetica, Arial, 'DejaVu Sans', sans-serif }
.card { fill: #ffffff; stroke: #d5dae1 }
.text { fill: #1d2430 } .quiet { fill: #5a6472 }
.W { fill: #1f5fa8 } .W-text { fill: #ffffff }
.L { fill: #fbdcb2 } .L-text { fill: #5b3200 }
.D { fill: #dfe3e8 } .D-text { fill: #2b323c }
rect.best { fill: none; stroke-width: 1.5 }
.W-best { stroke: #ffffff } .L-best { stroke: #5b3200 } .D-best { stroke: #2b323c }
@media (prefers-color-scheme: dark) {
.card { fill: #14181f; stroke: #343c48 }
.text { fill: #e6eaf0 } .quiet { fill: #a0aab8 }
.W { fill: #8cc4ff } .W-text { fill: #06203c }
.L { fill: #57350d } .L-text { fill: #ffdcae }
.D { fill: #3a424e } .D-text { fill: #e6eaf0 }
.W-best { stroke: #06203c } .L-best { stroke: #ffdcae } .D-best { stroke: #e6eaf0 }
}
"""


@dataclass(frozen=True, slots=True)
class Cell:
    """What is true after a reply, for the first player; no plies where the reply ends the match."""

    verdict: Verdict
    plies: int | None
    over: bool
    best: bool
    """Whether the second player has no better reply."""

    @property
    def text(self) -> str:
        """The letter of the verdict, and the plies until the end."""
        return LETTERS[self.verdict] if self.plies is None else f"{LETTERS[self.verdict]} {self.plies}"


Row = dict[str, Cell]
"""The cells of an opening, by the reply."""


def rows_of(solution: Solution) -> dict[str, Row]:
    """Return the opening table of a game: for each opening the replies to it."""
    start = solution.start
    rows: dict[str, Row] = {}
    for move in start.legal_moves():
        after = start.play_unchecked(move)
        rows[start.text_of(move)] = {} if after.outcome is not None else _row(solution, after)
    return rows


def _row(solution: Solution, position: Position) -> Row:
    options = {position.text_of(option.move): option for option in solution.options(position)}
    best = max(option.value.rank for option in options.values())
    row: Row = {}
    for text, option in options.items():
        after = position.play_unchecked(option.move)
        verdict = option.value.verdict.opposite
        if after.outcome is not None:
            verdict = Verdict.WIN if after.outcome.winner is Seat.FIRST else Verdict.LOSS
        plies = None if option.value.plies is None or after.outcome is not None else option.value.plies - 1
        row[text] = Cell(verdict, plies, after.outcome is not None, option.value.rank == best)
    return row


def picture(game: str) -> str:
    """Return the opening table of a built-in game as a picture."""
    return svg(solve(load_game(game)))


def svg(solution: Solution) -> str:
    """Return the opening table of a game as a picture that brings its own background, for light and dark pages."""
    rows = rows_of(solution)
    columns = list(dict.fromkeys([*rows, *(reply for row in rows.values() for reply in row)]))
    width = max(LEFT + len(columns) * (WIDTH + GAP) + MARGIN, 480)
    height = TOP + len(rows) * (HEIGHT + GAP) + BELOW
    name = solution.rules.name
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    heading = f'class="text" x="{MARGIN}" y="{MARGIN + 14}" font-size="17" font-weight="600"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-labelledby="title description">',
        f'<title id="title">{escape(title(name))}</title>',
        f'<desc id="description">{escape(description(rows))}</desc>',
        f"<style>{STYLE}</style>",
        f'<rect class="card" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="10"/>',
        f"<text {heading}>{escape(name)}: openings and replies</text>",
        *_headers(list(rows), columns),
        *(part for at, row in enumerate(rows.values()) for part in _cells(row, columns, _y(at))),
        *_legend(rows, _y(len(rows)) + 26),
        "</svg>",
    ]
    return "".join(f"{line}\n" for line in lines)


def title(name: str) -> str:
    """Return the title of a picture."""
    return f"Who wins {name} after each opening and each reply"


def description(rows: dict[str, Row]) -> str:
    """Return the table in words, an opening a line."""
    lines = ["For each opening of the first player, the replies after which the first player wins and loses."]
    for opening, row in rows.items():
        said = []
        for verdict, does in ((Verdict.WIN, "wins"), (Verdict.DRAW, "draws"), (Verdict.LOSS, "loses")):
            replies = [_reply(reply, cell) for reply, cell in row.items() if cell.verdict is verdict]
            if replies:
                said.append(f"{does} after {', '.join(replies)}")
        lines.append(f"{opening}: {'; '.join(said) or 'the match is over'}.")
    return "\n".join(lines)


def _reply(reply: str, cell: Cell) -> str:
    if cell.over:
        return f"{reply} (at once)"
    return reply if cell.plies is None else f"{reply} ({cell.plies} plies)"


def _x(column: int) -> int:
    return LEFT + column * (WIDTH + GAP)


def _y(row: int) -> int:
    return TOP + row * (HEIGHT + GAP)


def _headers(openings: list[str], columns: list[str]) -> Iterator[str]:
    yield f'<g class="quiet" font-size="12"><text x="{LEFT + 6}" y="{TOP - 32}">the second player replies →</text>'
    yield f'<text x="{LEFT - 12}" y="{TOP - 11}" text-anchor="end">opening ↓</text></g>'
    yield '<g class="text" font-size="14" font-weight="600" text-anchor="middle">'
    for at, reply in enumerate(columns):
        yield f'<text x="{_x(at) + WIDTH // 2}" y="{TOP - 11}">{_minus(reply)}</text>'
    yield '</g><g class="text" font-size="14" font-weight="600" text-anchor="end">'
    for at, opening in enumerate(openings):
        yield f'<text x="{LEFT - 12}" y="{_y(at) + HEIGHT // 2 + 5}">{_minus(opening)}</text>'
    yield "</g>"


def _minus(move: str) -> str:
    return escape(move.replace("-", "\N{MINUS SIGN}"))


def _cells(row: Row, columns: list[str], y: int) -> Iterator[str]:
    for at, reply in enumerate(columns):
        if reply in row:
            yield from _cell(row[reply], _x(at), y)


def _cell(cell: Cell, x: int, y: int) -> Iterator[str]:
    letter = LETTERS[cell.verdict]
    yield f'<rect class="{letter}" x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="5"/>'
    if cell.best:
        frame = f'x="{x + 3}" y="{y + 3}" width="{WIDTH - 6}" height="{HEIGHT - 6}" rx="3"'
        yield f'<rect class="best {letter}-best" {frame}/>'
    middle = x + WIDTH // 2 - (7 if cell.over else 0)
    yield (
        f'<text class="{letter}-text" x="{middle}" y="{y + HEIGHT // 2 + 5}" font-size="13" text-anchor="middle">'
        f"{cell.text}</text>"
    )
    if cell.over:
        yield f'<rect class="{letter}-text" x="{middle + 9}" y="{y + HEIGHT // 2 - 4}" width="9" height="9"/>'


def _legend(rows: dict[str, Row], y: int) -> Iterator[str]:
    """Explain what stands in the cells, and only that."""
    cells = [cell for row in rows.values() for cell in row.values()]
    wins = [cell for cell in cells if cell.verdict is Verdict.WIN]
    losses = [cell for cell in cells if cell.verdict is Verdict.LOSS]
    parts = [
        *([f"{wins[0].text}: the first player wins"] if wins else []),
        *([f"{_sample(losses).text}: the first player loses"] if losses else []),
        *(["D: a draw"] if any(cell.verdict is Verdict.DRAW for cell in cells) else []),
    ]
    more = [
        "the number: plies still to come",
        *(["■: that reply ends the match"] if any(cell.over for cell in cells) else []),
        "framed: a best reply",
    ]
    yield f'<g class="quiet" font-size="12"><text x="{MARGIN}" y="{y}">{escape("  ·  ".join(parts))}</text>'
    yield f'<text x="{MARGIN}" y="{y + 19}">{escape("  ·  ".join(more))}</text></g>'


def _sample(cells: list[Cell]) -> Cell:
    return next((cell for cell in cells if not cell.over), cells[0])
