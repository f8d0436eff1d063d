"""`zerosum atlas`.

- atlas (Design 6): Solve a whole family of games; show what holds in it.
"""

from __future__ import annotations

import json
import sys

import click

from zerosum.base.documents import SCHEMA
from zerosum.base.english import count
from zerosum.base.files import check_folder, write_folder
from zerosum.cli.lab_access import on_engine, user_store
from zerosum.cli.parameters import json_option, print_answer
from zerosum.cli.progress_line import progress_line
from zerosum.cli.terminal_text import clip, terminal_columns
from zerosum.lab.atlas import Atlas, chart, finish, plan
from zerosum.lab.atlas_pages import LETTERS, MAIN, files, sequence_words, summary_text
from zerosum.lab.executors import Engine
from zerosum.lab.expressions import ExpressionError
from zerosum.lab.families import Family, FamilyError, load_family


@click.command
@click.argument("family")
@click.option(
    "--n", "n_range", metavar="RANGE", help="Values of the parameter n, such as 1..8, in place of the family's."
)
@on_engine
@click.option("--output", metavar="DIR", help="A new folder for the table, pictures, sequences and a page.")
@json_option
def atlas_command(*, family: str, n_range: str | None, engine: Engine, output: str | None, as_json: bool) -> None:
    r"""Solve every game of FAMILY and show what holds in the whole table.

    FAMILY is sum, sum-misere, duel, sum-to-zero, sequence, zero-sum-game, or a family file. Whatever is solved
    is kept: the same command goes on where it was stopped.

    \b
    Examples:
      zerosum atlas duel
      zerosum atlas sum --n 1..12 --output sum-atlas
      zerosum atlas ./my-family.toml --json
    """
    asked = plan(_family(family, n_range))
    if output is not None:
        check_folder(output, MAIN, asked.key)
    with user_store() as store:
        with progress_line(f"Solving {asked.family.name}") as say:
            atlas = chart(asked, store, engine, say)
        if output is not None:
            _write(output, atlas)
        print_answer(as_json, atlas.document, lambda: _text(atlas, output))
        sys.stdout.flush()
        finish(atlas, store)


def _family(name: str, n_range: str | None) -> Family:
    family = load_family(name)
    if n_range is None:
        return family
    try:
        return family.with_range("n", n_range)
    except (ExpressionError, FamilyError) as error:
        raise click.BadParameter(str(error), param_hint="--n") from None


def _write(output: str, atlas: Atlas) -> None:
    made = files(atlas)
    document = {"schema": SCHEMA, **atlas.document(), "run": atlas.plan.key, "files": sorted([*made, MAIN])}
    write_folder(output, {**made, MAIN: json.dumps(document) + "\n"}, MAIN, atlas.plan.key)


def _text(atlas: Atlas, output: str | None) -> list[str]:
    games = count(len(atlas.plan.games), "game", "games")
    lines = [f"{atlas.family.name}: {games}.", "", *_map(atlas), "", summary_text(atlas)]
    for hold in atlas.holds:
        lines += [f"- {hold['words']}", f"  {hold['range']}"]
    if atlas.sequences:
        lines += ["", "Sequences:", *(f"- {line}" for line in sequence_words(atlas))]
    lines += ["", f"{atlas.solved:,} solved now, {atlas.from_store:,} known before."]
    if atlas.skipped:
        lines.append(f"Not solved: {len(atlas.skipped):,}, the first because {atlas.skipped[0]['why']}")
    if output is None:
        lines.append("With --output DIR the table, pictures and sequences are written to a folder.")
    else:
        lines.append(f"Written to {output}: README.md, table.csv, atlas.json, pictures and sequences.")
    return lines


def _map(atlas: Atlas) -> list[str]:
    """Return who wins each game, a letter a game: the first parameter down, the second across."""
    *down, across = atlas.family.parameters
    lines: dict[str, str] = {}
    for row in atlas.rows:
        head = str(row[down[0]]) if down else ""
        lines[head] = lines.get(head, "") + LETTERS[row["winner"]]
    first = min((row[across] for row in atlas.rows), default=0)
    width = max(map(len, [*down, *lines]), default=0)
    columns = terminal_columns(sys.stdout)
    drawn = [f"{head:>{width}}  {letters}" for head, letters in lines.items()]
    return [
        "F: the first player wins. S: the second player wins. D: a draw.",
        f"{''.join(down):>{width}}  {across} = {first}, {first + 1}, ...",
        *(line if columns is None else clip(line, columns) for line in drawn),
    ]
