"""`zerosum search` and `zerosum repair`: games that meet a goal, found in a space or near another game.

- repair (Design 4): The cheapest changes that make a game a good one.
- search (Design 5): Find games that meet a goal, in a space of variants.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import click

from zerosum.base.documents import SCHEMA
from zerosum.base.english import agree
from zerosum.base.errors import ZerosumError
from zerosum.base.files import check_folder, write_folder
from zerosum.cli.lab_access import first_bars, first_digits, on_engine, patience_option, user_store
from zerosum.cli.parameters import game_argument, json_option, print_answer, whole_number
from zerosum.cli.progress_line import progress_line
from zerosum.cli.terminal_text import table
from zerosum.cli.user_data import home
from zerosum.lab import limits
from zerosum.lab.executors import Engine, crew
from zerosum.lab.filters import Assessment
from zerosum.lab.goals import Document, figure, load_goal, miss_words
from zerosum.lab.repair import Repaired, Repairs, repair, repair_json, repair_words
from zerosum.lab.search import SAMPLES, Find, Request, SearchResult, finish, search, search_json
from zerosum.lab.search_report import files, left_out, near_words, turned_away
from zerosum.lab.spaces import read_space
from zerosum.lab.store import open_store
from zerosum.rules.game_files import write_rules
from zerosum.rules.model import READERS, Rules, kept_unwritten, rules_to_dict

_LEVELS: Final = "R123456789"
"""The head of `first_digits`."""
_FOUND: Final = "search.json"
_REPAIRED: Final = "repair.json"


def _skipped(looks: Sequence[Assessment]) -> list[str]:
    """Return how many games were skipped, and why the first was."""
    if not looks:
        return []
    return [f"Skipped: {len(looks):,}, the first of them because: {str(looks[0].skipped).rstrip('.')}."]


def _write(output: str, games: Mapping[str, str], document: Document, main: str, key: str) -> None:
    """Write games to a folder, with the document `main`, which says what was asked and names the files."""
    whole = {"schema": SCHEMA, **document, "run": key, "files": sorted([*games, main])}
    write_folder(output, {**games, main: json.dumps(whole, indent=1) + "\n"}, main, key)


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


@click.command
@click.argument("space")
@click.option("--goal", metavar="NAME|FILE", default="standard", help="What a good game is.")
@click.option("--count", metavar="N", type=click.IntRange(1, 100), default=10, help="Finds to show, far apart.")
@click.option(
    "--samples",
    metavar="N",
    type=click.IntRange(1, limits.SAMPLES),
    help=f"Games to look at, of a space that has more.  [default: {SAMPLES:,} beyond {limits.ENUMERATED:,}]",
)
@click.option("--seed", metavar="S", type=whole_number, default="1", help="Fixes what is sampled.")
@patience_option
@on_engine
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
    engine: Engine,
    output: str | None,
    fresh: bool,
    as_json: bool,
) -> None:
    r"""Search SPACE, a file that says what varies, for games that meet a goal.

    A small space is searched whole; of a large one samples are bred from the best found so far. Whatever is computed
    is kept: the same command goes on where it was stopped.

    \b
    Examples:
      zerosum search docs/spaces/targets.toml
      zerosum search docs/spaces/pools.toml --samples 500 --output finds
      zerosum search ./my-space.toml --goal open --json
    """
    request = Request(read_space(space), load_goal(goal), count, samples, seed, patience, fresh)
    if output is not None:
        check_folder(output, _FOUND, request.key)
    with user_store() as store:
        with crew(engine) as work, progress_line(f"Searching {request.space.name}") as say:
            result = search(request, store, work, say)
        if output is not None:
            _write(output, files(result), search_json(result), _FOUND, request.key)
        print_answer(as_json, lambda: search_json(result), lambda: _search_lines(result, output))
        sys.stdout.flush()
    # At the very end, so that a run killed before it counts like one that was never stopped.
    atexit.register(_finish, request, Path(home()))


def _finish(request: Request, folder: Path) -> None:
    with contextlib.suppress(ZerosumError), open_store(folder) as store:
        finish(request, store)


def _search_lines(result: SearchResult, output: str | None) -> list[str]:
    space, goal = result.request.space.name, result.request.goal.name
    looked = f"all {result.games:,} games looked at"
    if result.sampled:
        looked = f"{result.games:,} games sampled out of {result.size:,} combinations"
    good = f"{result.good:,} {agree(result.good, 'meet')}" if result.good else "none meets"
    lines = [f"{space}: {looked}; {good} the goal {goal}.", left_out(result), *turned_away(result)]
    lines.append(f"{result.solved:,} solved now, {result.from_store:,} known before.")
    lines += _skipped(result.skipped)
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


@click.command
@game_argument
@click.option("--goal", metavar="NAME|FILE", default="open", help="What a good game is.")
@click.option(
    "--cost",
    metavar="N",
    type=click.IntRange(1, 5),
    default=3,
    help="The most that changes may cost together: a key 1, a pool number added or removed 2.",
)
@click.option("--count", metavar="N", type=click.IntRange(1, 100), default=3, help="Repairs to find.")
@patience_option
@on_engine
@click.option("--output", metavar="DIR", help="A new folder for the repaired games.")
@json_option
def repair_command(
    *, game: Rules, goal: str, cost: int, count: int, patience: float, engine: Engine, output: str | None, as_json: bool
) -> None:
    r"""Find the cheapest changes to GAME that make it meet a goal.

    All changes of cost 1 are tried, then all of cost 2, and so on, until enough are found. If there are none, the
    three nearest games are named with the lines of the goal that they miss.

    \b
    Examples:
      zerosum repair sum31
      zerosum repair sum31 --goal standard --cost 2
      zerosum repair ./my-variant.toml --output repaired
    """
    wanted = load_goal(goal)
    key = json.dumps([game.id, wanted.name, cost, count])
    if output is not None:
        check_folder(output, _REPAIRED, key)
    with user_store() as store, crew(engine) as work, progress_line(f"Repairing {game.name}") as say:
        repairs = repair(game, wanted, cost, count, store=store, evaluate=work, patience=patience, say=say)
    if output is not None:
        _write(output, rules_files(repairs), repair_json(repairs), _REPAIRED, key)
    print_answer(as_json, lambda: repair_json(repairs), lambda: _repair_lines(repairs, output))


def rules_files(repairs: Repairs) -> dict[str, str]:
    """Return a rules file for each repair, by name."""
    return {
        f"{place}-{_with_new_name(repairs, one, place).id}.toml": _rules_file(repairs, one, place)
        for place, one in enumerate(repairs.found, 1)
    }


def _with_new_name(repairs: Repairs, one: Repaired, place: int) -> Rules:
    base = repairs.rules
    game = one.edited.rules
    named = replace(game, id=f"{base.id[:50]}-repaired-{place}", name=f"{base.name[:60]}, repaired {place}")
    return kept_unwritten(game, named)


def _rules_file(repairs: Repairs, one: Repaired, place: int) -> str:
    words = repair_words(repairs.rules, one.edited, one.document)
    return f"# {words}\n{write_rules(_with_new_name(repairs, one, place), defaults=False)}"


def _repair_lines(repairs: Repairs, output: str | None) -> list[str]:
    name, goal, tried = repairs.rules.name, repairs.goal, f"{repairs.tried:,} games up to cost {repairs.cost} tried"
    lines = [f"{name} meets the goal {goal.name} as it is.", ""] if repairs.meets else []
    if repairs.found:
        lines.append(f"{name}: {tried}. The cheapest that meet the goal {goal.name}:")
        for one in repairs.found:
            lines += ["", *_repair(repairs, one)]
    else:
        near = " The nearest:" if repairs.nearest else ""
        lines.append(f"{name}: {tried}, and none meets the goal {goal.name}.{near}")
        for one in repairs.nearest:
            lines += ["", *_repair(repairs, one), f"It misses {miss_words(goal, one.document, one.fails)}."]
    if repairs.skipped:
        lines += ["", *_skipped(repairs.skipped)]
    if output is not None:
        lines += ["", f"Kept in {output}: a rules file for each repair, and repair.json."]
    return lines


def _repair(repairs: Repairs, one: Repaired) -> list[str]:
    """Return what a change does, with who wins between equals as far as that was measured."""
    first = one.document.get("first")
    words = f"Cost {one.edited.cost}. {repair_words(repairs.rules, one.edited, one.document)}"
    return [words, *(() if first is None else first_bars(first))]
