"""`zerosum repair`.

- repair (Design 4): The cheapest changes that make a game a good one.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Final

import click

from zerosum.base.documents import SCHEMA
from zerosum.base.files import check_folder, write_folder
from zerosum.cli.lab_access import engine_from_options, engine_options, first_bars, patience_option
from zerosum.cli.parameters import game_argument, json_option, print_json
from zerosum.cli.progress_line import progress_line
from zerosum.cli.terminal_text import echo
from zerosum.cli.user_data import home
from zerosum.lab.executors import crew
from zerosum.lab.goals import load_goal, miss_words
from zerosum.lab.repair import Repaired, Repairs, repair, repair_json, repair_words
from zerosum.lab.store import open_store
from zerosum.rules.game_files import write_rules
from zerosum.rules.model import Rules, kept_unwritten

_MAIN: Final = "repair.json"
_MOST_COST: Final = 5


@click.command
@game_argument
@click.option("--goal", metavar="NAME|FILE", default="open", show_default=True, help="What a good game is.")
@click.option(
    "--cost",
    metavar="N",
    type=click.IntRange(1, _MOST_COST),
    default=3,
    show_default=True,
    help="The most that changes may cost together: a key 1, a pool number added or removed 2.",
)
@click.option(
    "--count", metavar="N", type=click.IntRange(1, 100), default=3, show_default=True, help="Repairs to find."
)
@patience_option
@engine_options
@click.option("--output", metavar="DIR", help="A new folder for the repaired games.")
@json_option
def repair_command(
    *,
    game: Rules,
    goal: str,
    cost: int,
    count: int,
    patience: float,
    jobs: int | None,
    scheduler: str | None,
    output: str | None,
    as_json: bool,
) -> int:
    r"""Find the cheapest changes to GAME that make it meet a goal.

    All changes of cost 1 are tried, then all of cost 2, and so on, until enough are found. If there are none, the
    three nearest games are named with the lines of the goal that they miss.

    \b
    Examples:
      zerosum repair sum31
      zerosum repair sum31 --goal standard --cost 2
      zerosum repair ./my-variant.toml --output repaired
    """
    engine = engine_from_options(jobs, scheduler)
    wanted = load_goal(goal)
    key = json.dumps([game.id, wanted.name, cost, count])
    if output is not None:
        check_folder(output, _MAIN, key)
    with open_store(Path(home())) as store, crew(engine) as work, progress_line(f"Repairing {game.name}") as say:
        repairs = repair(game, wanted, cost, count, store=store, evaluate=work, patience=patience, say=say)
    if output is not None:
        _write(output, repairs, key)
    if as_json:
        print_json(repair_json(repairs))
    else:
        echo("\n".join(_text(repairs, output)))
    return 0


def rules_files(repairs: Repairs) -> dict[str, str]:
    """Return a rules file for each repair, by name."""
    return {
        f"{place}-{_with_new_name(repairs, one, place).id}.toml": _rules_file(repairs, one, place)
        for place, one in enumerate(repairs.found, 1)
    }


def _write(output: str, repairs: Repairs, key: str) -> None:
    games = rules_files(repairs)
    document = {"schema": SCHEMA, **repair_json(repairs), "run": key, "files": sorted([*games, _MAIN])}
    write_folder(output, {**games, _MAIN: json.dumps(document, indent=1) + "\n"}, _MAIN, key)


def _with_new_name(repairs: Repairs, one: Repaired, place: int) -> Rules:
    base = repairs.rules
    game = one.edited.rules
    named = replace(game, id=f"{base.id[:50]}-repaired-{place}", name=f"{base.name[:60]}, repaired {place}")
    return kept_unwritten(game, named)


def _rules_file(repairs: Repairs, one: Repaired, place: int) -> str:
    words = repair_words(repairs.rules, one.edited, one.document)
    return f"# {words}\n{write_rules(_with_new_name(repairs, one, place), defaults=False)}"


def _text(repairs: Repairs, output: str | None) -> list[str]:
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
        why = str(repairs.skipped[0].skipped).rstrip(".")
        lines += ["", f"Skipped: {len(repairs.skipped):,}, the first of them because: {why}."]
    if output is not None:
        lines += ["", f"Kept in {output}: a rules file for each repair, and repair.json."]
    return lines


def _repair(repairs: Repairs, one: Repaired) -> list[str]:
    """Return what a change does, with who wins between equals as far as that was measured."""
    first = one.document.get("first")
    words = f"Cost {one.edited.cost}. {repair_words(repairs.rules, one.edited, one.document)}"
    return [words, *(() if first is None else first_bars(first))]
