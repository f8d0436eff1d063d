"""`zerosum search`, and its table of finds.

- search (Design 5): Find games that meet a goal, in a space of variants.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from zerosum.base.documents import SCHEMA
from zerosum.base.english import agree
from zerosum.base.errors import ZerosumError
from zerosum.base.files import check_folder, write_folder
from zerosum.cli.lab_access import engine_from_options, engine_options, first_digits, patience_option
from zerosum.cli.parameters import json_option, print_json, whole_number
from zerosum.cli.progress_line import progress_line
from zerosum.cli.terminal_text import echo, table
from zerosum.cli.user_data import home
from zerosum.lab import limits
from zerosum.lab.executors import crew
from zerosum.lab.goals import Document, figure, load_goal
from zerosum.lab.search import SAMPLES, Find, Request, SearchResult, finish, search, search_json
from zerosum.lab.search_report import files, left_out, near_words, turned_away
from zerosum.lab.spaces import read_space
from zerosum.lab.store import open_store
from zerosum.rules.model import READERS, Rules
from zerosum.rules.rules_dict import rules_to_dict


def find_lines(finds: Sequence[Find], base: Rules) -> list[str]:
    """Return a table of finds."""
    heads = ("score", "plies", "winning openings", "even up to level", _LEVELS, "real choices", "  game")
    return table((6, 7, 18, 18, 12, 14, 0), heads, *(_find(find, base) for find in finds))


def _find(find: Find, base: Rules) -> tuple[str, ...]:
    document = find.document
    openings = document["openings"]
    winning = f"{openings['winning']} of {openings['count']}"
    even, plies = (figure(document, path) for path in ("even_to", "value.plies"))
    first = first_digits(document.get("first", {})) or "-"
    choices, game = _percent(document, "density.level:5"), f"  {difference(find.rules, base)}"
    return f"{find.score:.3f}", _or_dash(plies), winning, _or_dash(even), first, choices, game


def _or_dash(value: object) -> str:
    return "-" if value is None else str(value)


def _percent(document: Document, path: str) -> str:
    value = figure(document, path)
    return f"{100 * value:.0f} %" if isinstance(value, (int, float)) else "-"


def difference(rules: Rules, base: Rules) -> str:
    """Return in which keys a game differs from another, as a rules file writes them."""
    now, was = rules_to_dict(rules), rules_to_dict(base)
    keys = [name.replace("_", "-") for name in READERS if name not in {"id", "name"}]
    parts = [f"{key} {_toml_words(now[key])}" for key in keys if key in now and now[key] != was.get(key)]
    return ", ".join(parts) or f"as {base.name}"


def _toml_words(value: object) -> str:
    if isinstance(value, list):
        return " ".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


_LEVELS: Final = "R123456789"
"""The head of `first_digits`."""
_MAIN: Final = "search.json"
_MOST: Final = 100


@click.command
@click.argument("space")
@click.option("--goal", metavar="NAME|FILE", default="standard", show_default=True, help="What a good game is.")
@click.option(
    "--count",
    metavar="N",
    type=click.IntRange(1, _MOST),
    default=10,
    show_default=True,
    help="Finds to show, far apart.",
)
@click.option(
    "--samples",
    metavar="N",
    type=click.IntRange(1, limits.SAMPLES),
    help=f"Games to look at, of a space that has more.  [default: {SAMPLES:,} beyond {limits.ENUMERATED:,}]",
)
@click.option("--seed", metavar="S", type=whole_number, default="1", show_default=True, help="Fixes what is sampled.")
@patience_option
@engine_options
@click.option("--output", metavar="DIR", help="A new folder for the finds, the front and a report.")
@click.option("--fresh", is_flag=True, help="Compute everything again, even what the store has.")
@json_option
def search_command(
    *,
    space: str,
    goal: str,
    count: int,
    samples: int | None,
    seed: int,
    patience: float,
    jobs: int | None,
    scheduler: str | None,
    output: str | None,
    fresh: bool,
    as_json: bool,
) -> int:
    r"""Search SPACE, a file that says what varies, for games that meet a goal.

    A small space is searched whole; of a large one samples are bred from the best found so far. Whatever is computed
    is kept: the same command goes on where it was stopped.

    \b
    Examples:
      zerosum search docs/spaces/targets.toml
      zerosum search docs/spaces/pools.toml --samples 500 --output finds
      zerosum search ./my-space.toml --goal open --json
    """
    engine = engine_from_options(jobs, scheduler)
    request = Request(read_space(space), load_goal(goal), count, samples, seed, patience, fresh)
    if output is not None:
        check_folder(output, _MAIN, request.key)
    with open_store(Path(home())) as store:
        with crew(engine) as work, progress_line(f"Searching {request.space.name}") as say:
            result = search(request, store, work, say)
        if output is not None:
            _write(output, result)
        if as_json:
            print_json(search_json(result))
        else:
            echo("\n".join(_text(result, output)))
        sys.stdout.flush()
    # At the very end, so that a run killed before it counts like one that was never stopped.
    atexit.register(_finish, request, Path(home()))
    return 0


def _finish(request: Request, folder: Path) -> None:
    with contextlib.suppress(ZerosumError), open_store(folder) as store:
        finish(request, store)


def _write(output: str, result: SearchResult) -> None:
    made = files(result)
    key = result.request.key
    document = {"schema": SCHEMA, **search_json(result), "run": key, "files": sorted([*made, _MAIN])}
    write_folder(output, {**made, _MAIN: json.dumps(document, indent=1) + "\n"}, _MAIN, key)


def _text(result: SearchResult, output: str | None) -> list[str]:
    space, goal = result.request.space.name, result.request.goal.name
    looked = (
        f"{result.games:,} games sampled out of {result.size:,} combinations"
        if result.sampled
        else f"all {result.games:,} games looked at"
    )
    good = (
        f"{result.good:,} {agree(result.good, 'meet')} the goal {goal}"
        if result.good
        else f"none meets the goal {goal}"
    )
    lines = [f"{space}: {looked}; {good}.", left_out(result), *turned_away(result)]
    lines.append(f"{result.solved:,} solved now, {result.from_store:,} known before.")
    if result.skipped:
        why = str(result.skipped[0].skipped).rstrip(".")
        lines.append(f"Skipped: {len(result.skipped):,}, the first of them because: {why}.")
    picks = [find for find in result.finds if find.pick is not None]
    if picks:
        lines += ["", *find_lines(picks, result.request.space.base)]
    if result.nearest:
        base = result.request.space.base
        lines += ["", "The nearest to the goal of the others:"]
        for one in result.nearest:
            first = first_digits(one.document.get("first", {})) or "-"
            lines.append(f"- {first}  {difference(one.candidate.rules, base)}: {near_words(result, one)}.")
    if picks or result.nearest:
        lines += ["", f"{_LEVELS}: the tenths of all matches that the first player wins, at random and by level."]
    if output is not None:
        lines += ["", f"Kept in {output}: a rules file for each find, front.csv, search.json and report.html."]
    elif picks:
        lines += ["", "With --output DIR each is kept as a rules file, with a report."]
    return lines
