"""An atlas as files: a table, JSON, pictures, sequences for the OEIS, and a page that says what is in them.

A picture has a cell for each game, with a colour, and with a letter or a number that says the same.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Final

from zerosum.base.svg import element
from zerosum.lab.atlas import Atlas, Found
from zerosum.lab.families import where

CELL: Final = 22
_GAP: Final = 1
_MARGIN: Final = 20
_LEFT: Final = 76
_TOP: Final = 92
_LEAST_WIDTH: Final = 460
_SHADES: Final = 6
LETTERS: Final = {1: "F", 2: "S", None: "D"}
"""What stands for each winner: first, second, a draw."""
_STYLE: Final = """
svg { font-family: ui-sans-serif, system-ui, 'Segoe UI', Helvetica, Arial, 'DejaVu Sans', sans-serif }
.card { fill: #ffffff; stroke: #d5dae1 } .text { fill: #1d2430 } .quiet { fill: #5a6472 }
.F { fill: #1f5fa8 } .F-text { fill: #ffffff } .S { fill: #fbdcb2 } .S-text { fill: #5b3200 }
.D { fill: #dfe3e8 } .D-text { fill: #2b323c }
.s0 { fill: #eef3f9 } .s1 { fill: #cfe0f3 } .s2 { fill: #a5c6e9 } .s0-text, .s1-text, .s2-text { fill: #14283f }
.s3 { fill: #356fa8 } .s4 { fill: #1f5fa8 } .s5 { fill: #123c6e } .s3-text, .s4-text, .s5-text { fill: #ffffff }
@media (prefers-color-scheme: dark) {
.card { fill: #14181f; stroke: #343c48 } .text { fill: #e6eaf0 } .quiet { fill: #a0aab8 }
.F { fill: #8cc4ff } .F-text { fill: #06203c } .S { fill: #57350d } .S-text { fill: #ffdcae }
.D { fill: #3a424e } .D-text { fill: #e6eaf0 }
}
"""

Row = Mapping[str, Any]
"""The parameters and figures of a game."""


@dataclass(frozen=True, slots=True)
class Picture:
    """What a heat map shows of each game."""

    title: str
    text: Callable[[Row], str]
    shade: Callable[[Row, int], str]
    """The class of a cell, given the largest number of its column."""
    legend: str


def _share(part: int | None, whole: int) -> str:
    return f"s{min(_SHADES - 1, _SHADES * (part or 0) // whole) if whole else 0}"


PICTURES: Final[dict[str, Picture]] = {
    "winner": Picture(
        "who wins",
        lambda row: LETTERS[row["winner"]],
        lambda row, _: LETTERS[row["winner"]],
        "F: the first player wins  ·  S: the second player wins  ·  D: a draw",
    ),
    "plies": Picture(
        "in how many plies",
        lambda row: "D" if row["plies"] is None else str(row["plies"]),
        lambda row, most: "D" if row["plies"] is None else _share(row["plies"], most + 1),
        "The number: plies until the end, when the winner hurries and the loser delays. Darker: longer.",
    ),
    "winning": Picture(
        "how many openings win",
        lambda row: str(row["winning"]),
        lambda row, _: _share(row["winning"], row["openings"]),
        "The number: openings that win for the first player. Darker: a larger share of all openings.",
    ),
}
"""The columns that are drawn."""


def heatmap(column: str, name: str, parameters: Sequence[str], rows: Sequence[Row]) -> str:
    """Return the picture of a column as SVG: the first parameter down, the second across; a single one across."""
    picture = PICTURES[column]
    down, across = (parameters[0], parameters[1]) if len(parameters) > 1 else ("", parameters[0])
    lines: dict[int, dict[int, Row]] = {}
    for row in rows:
        lines.setdefault(row[down] if down else 0, {})[row[across]] = row
    columns = sorted({row[across] for row in rows})
    width = max(_LEFT + len(columns) * CELL + _MARGIN, _LEAST_WIDTH)
    height = _TOP + len(lines) * CELL + 2 * _MARGIN + 12
    title = f"{name}: {picture.title}"
    most = max((row[column] or 0 for row in rows), default=0)
    about = {"role": "img", "aria_labelledby": "title description"}
    head = {"class_": "text", "x": _MARGIN, "y": _MARGIN + 14, "font_size": 17, "font_weight": 600}
    parts = [
        "",
        element("title", escape(title), id="title"),
        element("desc", escape(_in_words(picture, down, across, lines)), id="description"),
        f"<style>{_STYLE}</style>",
        element("rect", class_="card", x=0.5, y=0.5, width=width - 1, height=height - 1, rx=10),
        element("text", escape(title), **head),
        *_heads(down, across, list(lines), columns),
        *(part for y, line in enumerate(lines.values()) for part in _cells(picture, line, columns, y, most)),
        element("text", escape(picture.legend), class_="quiet", x=_MARGIN, y=height - _MARGIN, font_size=12),
        "",
    ]
    size = {"viewBox": f"0 0 {width} {height}", "width": width, "height": height}
    return element("svg", "\n".join(parts), xmlns="http://www.w3.org/2000/svg", **size, **about) + "\n"


def _in_words(picture: Picture, down: str, across: str, lines: Mapping[int, Mapping[int, Row]]) -> str:
    """Return the picture as text, a row a line."""
    said = [f"{picture.legend} {across} goes from left to right{f', {down} from top to bottom' if down else ''}."]
    for value, line in lines.items():
        head = f"{down} = {value}, " if down else ""
        said.append(f"{head}{across} from {min(line)}: {' '.join(picture.text(line[at]) for at in sorted(line))}")
    return "\n".join(said)


def _heads(down: str, across: str, rows: Sequence[int], columns: Sequence[int]) -> Iterator[str]:
    yield f'<g class="quiet" font-size="12">{element("text", escape(across), " →", x=_LEFT, y=_TOP - 28)}'
    if down:
        yield element("text", escape(down), " ↓", x=_LEFT - 10, y=_TOP - 8, text_anchor="end")
    yield '</g><g class="text" font-size="11" text-anchor="middle">'
    for at, value in enumerate(columns):
        yield element("text", str(value), x=_LEFT + at * CELL + CELL // 2, y=_TOP - 8)
    yield '</g><g class="text" font-size="11" text-anchor="end">'
    for at, value in enumerate(rows if down else ()):
        yield element("text", str(value), x=_LEFT - 10, y=_TOP + at * CELL + CELL // 2 + 4)
    yield "</g>"


def _cells(picture: Picture, line: Mapping[int, Row], columns: Sequence[int], y: int, most: int) -> Iterator[str]:
    top, size = _TOP + y * CELL, CELL - _GAP
    for at, value in enumerate(columns):
        if value in line:
            left, shade = _LEFT + at * CELL, picture.shade(line[value], most)
            yield element("rect", class_=shade, x=left, y=top, width=size, height=size, rx=3)
            middle = {"x": left + size // 2, "y": top + size // 2 + 5, "font_size": 11, "text_anchor": "middle"}
            yield element("text", picture.text(line[value]), class_=f"{shade}-text", **middle)


MAIN: Final = "atlas.json"
_WIDTH: Final = 80
_LINES: Final = "STU"
"""The OEIS takes three lines of terms."""


def files(atlas: Atlas) -> dict[str, str]:
    """Return the text of each file but atlas.json."""
    parameters = list(atlas.family.parameters)
    drawn = [column for column in PICTURES if column in atlas.family.columns and atlas.rows]
    return {
        "table.csv": table(atlas),
        **{f"{column}.svg": heatmap(column, atlas.family.name, parameters, atlas.rows) for column in drawn},
        **({"sequences.txt": "\n".join(map(oeis, atlas.sequences))} if atlas.sequences else {}),
        "README.md": page(atlas, drawn),
    }


def table(atlas: Atlas) -> str:
    """Return the rows as comma-separated values; the winner and plies of a draw are empty."""
    text = io.StringIO()
    head = [*atlas.family.parameters, *atlas.family.columns]
    writer = csv.DictWriter(text, head, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(atlas.rows)
    return text.getvalue()


def oeis(sequence: Found) -> str:
    """Return a sequence in the internal format of the On-Line Encyclopedia of Integer Sequences.

    A000000 stands for the number it would be given; terms beyond the three lines of the format are left out.

    >>> print(oeis(Found("squares", 0, (0, 1, 4, 9))), end="")
    %I A000000
    %S A000000 0,1,4,9
    %N A000000 squares
    %O A000000 0,3
    %K A000000 nonn
    """
    lines = [""]
    for term in sequence.data:
        word = f"{term},"
        if len(lines[-1]) + len(word) > _WIDTH:
            lines.append("")
        lines[-1] += word
    lines = lines[: len(_LINES)]
    lines[-1] = lines[-1].rstrip(",")
    large = next((at for at, term in enumerate(sequence.data, 1) if abs(term) > 1), 1)
    parts = [
        "%I A000000",
        *(f"%{letter} A000000 {line}" for letter, line in zip(_LINES, lines, strict=False)),
        f"%N A000000 {sequence.name}",
        f"%O A000000 {sequence.offset},{large}",
        f"%K A000000 {'nonn' if all(term >= 0 for term in sequence.data) else 'sign'}",
    ]
    return "".join(f"{part}\n" for part in parts)


def page(atlas: Atlas, drawn: list[str]) -> str:
    """Return the README: what was solved, what holds, the sequences, and which file holds what."""
    family = atlas.family
    ranges = ", ".join(f"`{name} = {one.text}`" for name, one in family.parameters.items())
    lines = [
        f"# {family.name}",
        "",
        f"{len(atlas.plan.games):,} games, one for each value of {ranges}. Each is solved exactly.",
        *(f"\n![{family.name}: {PICTURES[column].title}]({column}.svg)" for column in drawn),
        "",
        "## What holds in this table",
        "",
        summary_text(atlas),
        "",
        *(f"- {one['words']} ({one['range']})" for one in atlas.holds),
    ]
    if atlas.skipped:
        places = (where({name: at for name, at in one.items() if name != "why"}) for one in atlas.skipped)
        skipped = (f"- {place}: {one['why']}" for place, one in zip(places, atlas.skipped, strict=True))
        lines += ["", "## Not solved", "", *skipped]
    if atlas.sequences:
        lines += ["", "## Sequences", "", *(f"- {line}" for line in sequence_words(atlas))]
    lines += [
        "",
        "## Files",
        "",
        "- [table.csv](table.csv): a row for each game",
        "- [atlas.json](atlas.json): everything",
    ]
    if atlas.sequences:
        lines.append("- [sequences.txt](sequences.txt): the sequences in the internal format of the OEIS")
    return "\n".join(lines) + "\n"


def summary_text(atlas: Atlas) -> str:
    """Return what a list of statements is worth."""
    if not atlas.holds:
        return "None of the hypotheses that are tested holds."
    return "Each statement was tested in every game of its range and holds there. None of them is proved."


def sequence_words(atlas: Atlas) -> list[str]:
    """Return each sequence in a line."""
    return [
        f"{one.name}, from {asked.by} = {one.offset}: {', '.join(map(str, one.data)) or 'no terms'}"
        for one, asked in zip(atlas.sequences, atlas.family.sequences, strict=True)
    ]
