"""An atlas as files: a table, JSON, pictures, sequences for the OEIS, and a page that says what is in them."""

from __future__ import annotations

import csv
import io
from typing import Final

from zerosum.lab.atlas import Atlas, Found
from zerosum.lab.heatmap import PICTURES, heatmap

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
        told(atlas),
        "",
        *(f"- {one['words']} ({one['range']})" for one in atlas.holds),
    ]
    if atlas.skipped:
        lines += ["", "## Not solved", "", *(f"- {_skipped(one)}" for one in atlas.skipped)]
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


def told(atlas: Atlas) -> str:
    """Return what a list of statements is worth."""
    if not atlas.holds:
        return "None of the hypotheses that are tested holds."
    return "Each statement was tested in every game of its range and holds there. None of them is proved."


def _skipped(one: dict[str, object]) -> str:
    place = ", ".join(f"{name} = {number}" for name, number in one.items() if name != "why")
    return f"{place}: {one['why']}"


def sequence_words(atlas: Atlas) -> list[str]:
    """Return each sequence in a line."""
    return [
        f"{one.name}, from {asked.by} = {one.offset}: {', '.join(map(str, one.data)) or 'no terms'}"
        for one, asked in zip(atlas.sequences, atlas.family.sequences, strict=True)
    ]
