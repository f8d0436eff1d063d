"""`zerosum arena`: run or resume a plan, and print its report.

- arena (Measure 4): Who is stronger: players in pairs of matches, rated.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

import click

from zerosum.arena.arena_page import page
from zerosum.arena.arena_report import (
    ArenaReport,
    EntrantLine,
    PairingResult,
    RecordedPlayer,
    RecordsReport,
    report_csv,
    report_of,
    report_on_records,
)
from zerosum.arena.arena_run import CountedPairs, UnplayedError, has_run, open_run, play_run, start_run, state_of
from zerosum.arena.plan import ArenaPlan, PlanError, book_of, plan_from_table, question_words, read_plan, total_pairs
from zerosum.arena.strength.decisions import kept_words
from zerosum.arena.strength.level_fit import fit_words
from zerosum.arena.strength.ratings import mean_of
from zerosum.arena.tally import keep_records
from zerosum.base.documents import to_json
from zerosum.base.english import count, percent, whole
from zerosum.base.errors import RecordError
from zerosum.base.files import check_new, write_new
from zerosum.base.runs import INCOMPLETE
from zerosum.base.text import printable
from zerosum.cli.console import Console
from zerosum.cli.lab_access import cached_odds, engine_options, solution_or_notice
from zerosum.cli.own_record import read_record
from zerosum.cli.parameters import game_argument, json_option, options, print_answer, print_json
from zerosum.cli.progress_line import progress_line
from zerosum.cli.root_command import Group
from zerosum.cli.terminal_text import echo, named_table, notice
from zerosum.lab.executors import Engine
from zerosum.rules.model import Rules

_COLUMNS = {"Elo": 6, "from": 7, "to": 7, "score": 8, "kept": 8, "matches": 9}


def report_lines(report: ArenaReport, *, lasting: bool = True) -> list[str]:
    """Return a report as lines; `lasting` is whether its run is in a folder that stays."""
    lines = [_head(report, lasting=lasting), ""]
    if report.pairs:
        lines += named_table(_COLUMNS, map(_row, report.entrants))
        lines += ["", *(f"{printable(line.name)} {kept_words(line.keeps)}." for line in report.entrants)]
        fits = [(line.name, line.fit) for line in report.entrants if line.fit is not None]
        lines += [*(f"By likelihood {printable(name)} plays {fit_words(fit)}." for name, fit in fits), ""]
    lines += [pairing_line(pairing) for pairing in report.pairings]
    lines += _faults(report.entrants)
    return [*lines, *_test(report)]


def _head(report: ArenaReport, *, lasting: bool) -> str:
    games = ", ".join(rules.name for rules in report.run.plan.games)
    pairs = count(report.pairs, "pair")
    how = "--resume goes on" if lasting else "only a run with --output can go on"
    state = "" if report.complete else f"; incomplete, {how}"
    void = f", {report.void:,} void" if report.void else ""
    return f"{games}: {pairs}{void}, book {report.run.plan.book}, seed {printable(report.run.plan.seed)}{state}."


def _row(line: EntrantLine) -> tuple[object, ...]:
    elo = ("-" if number is None else whole(number) for number in (line.elo, line.elo_low, line.elo_high))
    return line.name, *elo, percent(line.score), percent(line.tally.share), line.account.matches


def pairing_line(one: PairingResult) -> str:
    """Return what A scored against B in a game."""
    a, b = printable(one.a), printable(one.b)
    if one.score is None and one.exact is None:
        return f"{one.game}: {a} against {b}: nothing played."
    parts = [] if one.score is None else [f"{percent(one.score)} % of the points"]
    parts += [] if one.exact is None else [f"{percent(one.exact)} % exactly"]
    return f"{one.game}, {counted_from(one)}: {a} against {b}: {', '.join(parts)}."


def counted_from(one: PairingResult) -> str:
    """Return from which positions a score is counted: one from a book differs from one from the start."""
    if one.book == "start":
        return "from the start position"
    return f"from {count(one.positions, 'position')} of the book {one.book}"


def _faults(lines: Sequence[EntrantLine]) -> list[str]:
    found = []
    for line in lines:
        account = line.account
        counts = {"illegal moves": account.illegal, "lost on time": account.time, "lost by a crash": account.crash}
        faults = ", ".join(f"{number} {fault}" for fault, number in counts.items() if number)
        if faults or line.withdrawn:
            found.append(f"{printable(line.name)}: {faults}{'; withdrawn' if line.withdrawn else ''}.")
        if account.crashed:
            found.append(f"The first crash of {printable(line.name)}: {printable(account.crashed)}.")
    return found


def _test(report: ArenaReport) -> list[str]:
    test = report.sprt
    if test is None:
        return []
    said = {None: "not decided", "H0": f"H0 accepted, {test.elo0:g} Elo", "H1": f"H1 accepted, {test.elo1:g} Elo"}[
        test.decision
    ]
    return [
        f"Sequential test: LLR {test.llr:.2f} ({test.lower:.2f} to {test.upper:.2f}) after {test.pairs} pairs; {said}."
    ]


def progress_words(state: CountedPairs, done: int, total: int, first: str) -> str:
    """Return how a run stands, in one line."""
    words = f"{done:,} of {total:,} pairs"
    if sum(state.cells):
        words += f", {printable(first)} {percent(mean_of(state.cells))} %"
    if state.test is not None:
        words += f", LLR {state.test.llr:.2f} ({state.test.lower:.2f} to {state.test.upper:.2f})"
    return words


def exact_lines(report: ArenaReport) -> list[str]:
    """Return the exact score of two players whose chances are known."""
    lines = []
    for pairing in report.pairings:
        a, b = printable(pairing.a), printable(pairing.b)
        if pairing.exact is None:
            lines.append(
                f"{a} against {b}: no exact score is found from this many positions; take --book start, or --play."
            )
            continue
        lines.append(f"{a} against {b} in {pairing.game}, {counted_from(pairing)}:")
        lines.append(f"{100 * pairing.exact:.2f} % of the points, exactly.")
        if pairing.needed is None:
            lines.append("They are equally strong, so no number of pairs would show who is stronger.")
        else:
            pairs = count(pairing.needed, "pair")
            lines.append(f"To see who is stronger by playing takes about {pairs}: --play --pairs {pairing.needed}.")
    return lines


def run_plan(
    plan: ArenaPlan, engine: Engine, output: str | None, *, resume: bool, as_json: bool, exact: bool = False
) -> int:
    """Play a plan, or what is missing of it, and print the report."""
    if resume and output is None:
        raise click.UsageError("--resume goes on with the run that --output names.")
    with _folder(output) as path:
        with progress_line("Getting ready") as say:
            run = start_run(plan, path, say, resume=resume)
        if exact:
            return print_report(report_of(run), as_json=as_json, exact=True)
        notice(question_words(run.plan, list(run.expectations)))
        try:
            with progress_line("Playing") as say:
                pairs, first = total_pairs(run.plan), run.names[0]
                play_run(run, engine, lambda state, done: say(progress_words(state, done, pairs, first)))
        except UnplayedError as error:
            notice(str(error))
        except KeyboardInterrupt:
            if output is not None:
                notice("What was played is kept; the same command with --resume goes on.")
            raise
        with progress_line("Adding up"):
            log = run.folder.log()
            state = state_of(run, log)
            report = report_of(run, log, state)
            if output is not None:
                keep_records(run, log, state)
        return print_report(report, as_json=as_json, kept=output, lasting=output is not None)


@contextmanager
def _folder(output: str | None) -> Iterator[str]:
    """Give the folder of a run: the one named, or one that is gone afterwards."""
    if output is not None:
        yield output
        return
    with tempfile.TemporaryDirectory() as folder:
        yield os.path.join(folder, "run")


def print_report(
    report: ArenaReport, *, as_json: bool, exact: bool = False, kept: str | None = None, lasting: bool = True
) -> int:
    """Print a report; return 3 if something is still to be played."""
    if as_json:
        print_json({**to_json(report), **({"complete": True} if exact else {})})
    else:
        lines = exact_lines(report) if exact else report_lines(report, lasting=lasting)
        if kept is not None:
            lines += [
                "",
                f"Kept in {printable(kept)}; a page of it: zerosum arena report {printable(kept)} --html FILE",
            ]
        echo("\n".join(lines))
    return 0 if exact or report.complete else INCOMPLETE


_KINDS: Final = ("start", "even", "hard", "between")
_PAIRS: Final = 100
_PAIRS_OF_A_TEST: Final = 5_000


@click.group("arena", cls=Group)
def arena_command() -> None:
    r"""Let players meet in pairs of matches, and find out who is stronger.

    A pair is one position, played twice with the seats changed. docs/arena.md shows how it is used.

    \b
    Examples:
      zerosum arena match --help
      zerosum arena run docs/plans/levels.toml
      zerosum arena report run
    """


_run_options: Final = options(
    engine_options("Pairs played at the same time on this machine.  [default: 1]", 1),
    click.option("--output", metavar="RUN", help="A new folder that keeps the run."),
    click.option("--resume", is_flag=True, help="Play what is missing of the run in --output."),
    json_option,
)
_book_option: Final = click.option(
    "--book", type=click.Choice(_KINDS), default="even", help="The positions to start from."
)
_seed_option: Final = click.option("--seed", metavar="S", default="1", help="Makes it repeatable.")


@arena_command.command("match", short_help="Two players against each other.")
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@click.option("--game", metavar="GAME", required=True, help="A built-in game or a rules file.")
@click.option(
    "--pairs",
    metavar="N",
    type=int,
    help=f"Pairs to play.  [default: {_PAIRS}; with --sprt at most {_PAIRS_OF_A_TEST:,}]",
)
@click.option("--sprt", metavar="ELO0,ELO1", help="Stop when it is plain which of two differences is true.")
@_book_option
@click.option("--positions", metavar="N", type=int, help="Positions of the book.  [default: at most 100]")
@_seed_option
@click.option("--seconds", metavar="S", type=float, default=5.0, help="Time for a move of a program.")
@click.option(
    "--illegal",
    type=click.Choice(("rules", "forfeit", "random")),
    default="rules",
    help="An illegal move costs what the rules say, or the match, or a random move is made instead.",
)
@click.option("--play", is_flag=True, help="Play even if the exact score is known.")
@_run_options
def match_command(
    *,
    a: str,
    b: str,
    game: str,
    sprt: str | None,
    play: bool,
    engine: Engine,
    output: str | None,
    resume: bool,
    as_json: bool,
    **more: object,
) -> int:
    r"""Let A and B meet. If the chances of both are known, the exact score is printed at once and nothing is played.

    A and B are random, level:1 to level:9, perfect, card, policy:FILE, bot:COMMAND, model:NAME@URL or command:COMMAND.
    Matches are played if one of them is from outside, or with --play or --sprt.

    \b
    Examples:
      zerosum arena match level:6 level:5 --game sum31
      zerosum arena match level:6 level:5 --game sum31 --play --pairs 1000 --json
      zerosum arena match "bot:./my-bot" level:5 --game sum31 --sprt 0,50 --output run
      zerosum arena match "bot:./my-bot" level:5 --game sum31 --sprt 0,50 --output run --resume
    """
    table = {"format": 1, "games": [game], "entrants": [a, b], "sprt": _elos(sprt), **more}
    if more["pairs"] is None:
        table["pairs"] = _PAIRS_OF_A_TEST if sprt else _PAIRS
    try:
        plan = plan_from_table({key: value for key, value in table.items() if value is not None})
    except PlanError as error:
        raise click.UsageError(str(error)) from None
    exact = all(entrant.is_policy for entrant in plan.entrants) and not (play or sprt)
    if exact and output is not None:
        raise click.UsageError("The exact score is known, so nothing is played and kept; add --play to play.")
    return run_plan(plan, engine, output, resume=resume, as_json=as_json, exact=exact)


def _elos(text: str | None) -> list[float] | None:
    if text is None:
        return None
    try:
        low, high = (float(one) for one in text.split(","))
    except ValueError:
        raise click.UsageError("--sprt takes two numbers of Elo points, such as --sprt 0,20.") from None
    return [low, high]


@arena_command.command("run", short_help="A whole plan: many players, many games.")
@click.argument("plan_file", metavar="PLAN")
@_run_options
def run_command(*, plan_file: str, engine: Engine, output: str | None, resume: bool, as_json: bool) -> int:
    r"""Play what PLAN says, a TOML file that names games and entrants.

    \b
    Examples:
      zerosum arena run docs/plans/levels.toml
      zerosum arena run plan.toml --output run --jobs 4
      zerosum arena run plan.toml --output run --resume
    """
    return run_plan(read_plan(plan_file), engine, output, resume=resume, as_json=as_json)


@arena_command.command("report", short_help="What a run says, also as a page or a table.")
@click.argument("sources", metavar="RUN", nargs=-1, required=True)
@click.option("--html", metavar="FILE", help="Write a page to a new file.")
@click.option("--csv", "table", metavar="FILE", help="Write the entrants to a new file, as a table.")
@click.option(
    "--likelihood", is_flag=True, help="Also the level whose moves are likeliest, and whether any level fits."
)
@json_option
def report_command(
    *, sources: tuple[str, ...], html: str | None, table: str | None, likelihood: bool, as_json: bool
) -> int:
    r"""Show what the run in the folder RUN says. The exit status is 3 if it is incomplete.

    In place of a run it takes records of matches that were played anywhere: files, or folders of .txt files. Players
    are told apart by their names, and each match is one observation.

    \b
    Examples:
      zerosum arena report run
      zerosum arena report run --html report.html --csv report.csv
      zerosum arena report run --json
      zerosum arena report docs/matches
      zerosum arena report monday.txt tuesday.txt --json
    """
    if len(sources) > 1 or not has_run(sources[0]) or os.path.isfile(sources[0]):
        if html is not None or table is not None or likelihood:
            raise click.UsageError("--html, --csv and --likelihood are for runs of the arena, not for records.")
        return _report_records(sources, as_json=as_json)
    (folder,) = sources
    for path in filter(None, (html, table)):
        check_new(path)
    with progress_line("Adding up"):
        report = report_of(open_run(folder), likelihood=likelihood)
        if html is not None:
            write_new(html, page(report).encode())
        if table is not None:
            write_new(table, report_csv(report).encode())
    return print_report(report, as_json=as_json)


def _report_records(sources: Sequence[str], *, as_json: bool) -> int:
    """Print what records say."""
    console = Console(plain=True)
    paths = [path for source in sources for path in _records_in(source)]
    matches = [read_record(path, console) for path in paths]
    with progress_line("Adding up"):
        report = report_on_records(matches, lambda match: solution_or_notice(match.setup.rules, console), cached_odds)
    print_answer(as_json, lambda: to_json(report), lambda: records_lines(report))
    return 0


def _records_in(source: str) -> list[str]:
    """Return the records that a path names: itself, or the .txt files of a folder."""
    if not os.path.isdir(source):
        return [source]
    names = sorted(name for name in os.listdir(source) if name.endswith(".txt"))
    if not names:
        raise RecordError(f"{printable(source)}: is not a run of the arena, and has no records (.txt files) in it.")
    return [os.path.join(source, name) for name in names]


def records_lines(report: RecordsReport) -> list[str]:
    """Return a report on records as lines."""
    without = f", {report.unfinished:,} without a result" if report.unfinished else ""
    lines = [f"{', '.join(map(printable, report.games))}: {count(report.records, 'record')}{without}.", ""]
    lines += named_table(_COLUMNS, map(_records_row, report.entrants))
    strong = [(entrant.name, entrant.strength) for entrant in report.entrants if entrant.strength is not None]
    lines += ["", *(f"{printable(name)} {kept_words(one.keeps)}." for name, one in strong), ""]
    return lines + [
        f"{printable(pairing.game)}: {printable(pairing.a)} won {pairing.won:,} of "
        f"{count(pairing.matches, 'match', 'matches')} against {printable(pairing.b)}."
        for pairing in report.pairings
    ]


def _records_row(one: RecordedPlayer) -> tuple[object, ...]:
    kept = None if one.strength is None else one.strength.tally.share
    elo = map(whole, (one.elo, one.elo_low, one.elo_high))
    return one.name, *elo, percent(one.score), percent(kept), one.finished


@arena_command.command("book", short_help="The positions that a book has.")
@game_argument
@click.option("--kind", type=click.Choice(_KINDS), default="even", help="Which positions.")
@click.option("--count", metavar="N", type=click.IntRange(1, 1_000), default=20, help="How many.")
@_seed_option
@click.option("--between", "players", nargs=2, metavar="A B", help="The players that the kind 'between' is about.")
@json_option
def book_command(
    *, game: Rules, kind: str, count: int, seed: str, players: tuple[str, str] | None, as_json: bool
) -> None:
    r"""List the positions of a book: good places to start matches of GAME from.

    \b
    Examples:
      zerosum arena book sum31
      zerosum arena book sum31 --kind hard --count 5 --seed 7
      zerosum arena book sum31 --kind between --between level:3 level:2 --json
    """
    if (kind == "between") != (players is not None):
        raise click.UsageError("--between A B and --kind between go together.")
    with progress_line(f"Looking for positions of {game.name}") as say:
        positions = [str(one) for one in book_of(kind, game, count, seed, players=players, progress=say)]
    print_answer(
        as_json, lambda: {"game": game.id, "kind": kind, "seed": seed, "positions": positions}, lambda: positions
    )
