"""`zerosum arena`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import click

from zerosum.cli.group import Group
from zerosum.cli.parameters import game_argument, json_option
from zerosum.cli.report import print_json
from zerosum.cli.solving import aloud
from zerosum.cli.width import echo, fit, terminal_columns
from zerosum.rules.model import Rules

if TYPE_CHECKING:
    from zerosum.arena.folder import Run
    from zerosum.arena.plan import Plan
    from zerosum.arena.report import Report
    from zerosum.lab.engine import Engine

_KINDS: Final = ("start", "even", "hard", "between")
_PAIRS: Final = 100
_PAIRS_OF_A_TEST: Final = 5_000
_INCOMPLETE: Final = 3
_MOST_JOBS: Final = 256


@click.group("arena", cls=Group)
def command() -> None:
    r"""Let players meet in pairs of matches, and find out who is stronger.

    A pair is one position, played twice with the seats changed. docs/arena.md shows how it is used.

    \b
    Examples:
      zerosum arena match --help
      zerosum arena run docs/plans/levels.toml
      zerosum arena report run
    """


def _run_options(one: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options of everything that plays."""
    options = (
        click.option(
            "--jobs",
            metavar="N",
            type=click.IntRange(1, _MOST_JOBS),
            help="Pairs played at the same time on this machine.  [default: 1]",
        ),
        click.option("--scheduler", metavar="ADDRESS", help="A Dask scheduler that runs already."),
        click.option("--output", metavar="RUN", help="A new folder that keeps the run."),
        click.option("--resume", is_flag=True, help="Play what is missing of the run in --output."),
        json_option,
    )
    for option in reversed(options):
        one = option(one)
    return one


_book_option: Final[Callable[[Any], Any]] = click.option(
    "--book", type=click.Choice(_KINDS), default="even", show_default=True, help="The positions to start from."
)
_seed_option: Final[Callable[[Any], Any]] = click.option(
    "--seed", metavar="S", default="1", show_default=True, help="Makes it repeatable."
)


@command.command("match", short_help="Two players against each other.")
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
@click.option(
    "--seconds", metavar="S", type=float, default=5.0, show_default=True, help="Time for a move of a program."
)
@click.option(
    "--illegal",
    type=click.Choice(("rules", "forfeit", "random")),
    default="rules",
    show_default=True,
    help="An illegal move costs what the rules say, or the match, or a random move is made instead.",
)
@click.option("--play", is_flag=True, help="Play also where the exact score is known.")
@_run_options
def match_command(
    *,
    a: str,
    b: str,
    game: str,
    sprt: str | None,
    play: bool,
    jobs: int | None,
    scheduler: str | None,
    output: str | None,
    resume: bool,
    as_json: bool,
    **options: object,
) -> int:
    r"""Let A and B meet. Where the chances of both are known, the exact score is told at once and nothing is played.

    A and B are random, level:1 to level:9, perfect, card, policy:FILE, bot:COMMAND, model:NAME@URL or command:COMMAND.
    Matches are played if one of them is from outside, or with --play or --sprt.

    \b
    Examples:
      zerosum arena match level:6 level:5 --game sum31
      zerosum arena match level:6 level:5 --game sum31 --play --pairs 1000 --json
      zerosum arena match "bot:./my-bot" level:5 --game sum31 --sprt 0,50 --output run
      zerosum arena match "bot:./my-bot" level:5 --game sum31 --sprt 0,50 --output run --resume
    """
    from zerosum.arena.plan import PlanError, plan_from_table  # noqa: PLC0415 - help needs none of it

    table = {"format": 1, "games": [game], "entrants": [a, b], "sprt": _elos(sprt), **options}
    table["pairs"] = options["pairs"] or (_PAIRS_OF_A_TEST if sprt else _PAIRS)
    try:
        plan = plan_from_table({key: value for key, value in table.items() if value is not None})
    except PlanError as error:
        raise click.UsageError(str(error)) from None
    exact = all(one.is_policy for one in plan.entrants) and not (play or sprt)
    if exact and output is not None:
        raise click.UsageError("The exact score is known, so nothing is played and kept; add --play to play.")
    return _run(plan, _engine(jobs, scheduler), output, resume=resume, as_json=as_json, exact=exact)


def _elos(text: str | None) -> list[float] | None:
    if text is None:
        return None
    try:
        return [float(one) for one in text.split(",")]
    except ValueError:
        raise click.UsageError("--sprt takes two numbers of Elo points, such as --sprt 0,20.") from None


@command.command("run", short_help="A whole plan: many players, many games.")
@click.argument("plan_file", metavar="PLAN")
@_run_options
def run_command(
    *, plan_file: str, jobs: int | None, scheduler: str | None, output: str | None, resume: bool, as_json: bool
) -> int:
    r"""Play what PLAN says, a TOML file that names games and entrants.

    \b
    Examples:
      zerosum arena run docs/plans/levels.toml
      zerosum arena run plan.toml --output run --jobs 4
      zerosum arena run plan.toml --output run --resume
    """
    from zerosum.arena.plan import read_plan  # noqa: PLC0415 - help needs none of it

    return _run(read_plan(plan_file), _engine(jobs, scheduler), output, resume=resume, as_json=as_json)


@command.command("report", short_help="What a run says, also as a page or a table.")
@click.argument("folder", metavar="RUN")
@click.option("--html", metavar="FILE", help="Write a page to a new file.")
@click.option("--csv", "table", metavar="FILE", help="Write the entrants to a new file, as a table.")
@json_option
def report_command(*, folder: str, html: str | None, table: str | None, as_json: bool) -> int:
    r"""Show what the run in the folder RUN says. The exit status is 3 if it is incomplete.

    \b
    Examples:
      zerosum arena report run
      zerosum arena report run --html report.html --csv report.csv
      zerosum arena report run --json
    """
    from zerosum.arena.documents import report_csv  # noqa: PLC0415 - help needs none of it
    from zerosum.arena.folder import open_run  # noqa: PLC0415 - likewise
    from zerosum.arena.page import page  # noqa: PLC0415 - likewise
    from zerosum.arena.report import report_of  # noqa: PLC0415 - likewise
    from zerosum.cli.output import check_new, write_new  # noqa: PLC0415 - likewise

    for path in filter(None, (html, table)):
        check_new(path)
    with aloud("Adding up"):
        report = report_of(open_run(folder))
        if html is not None:
            write_new(html, page(report).encode())
        if table is not None:
            write_new(table, report_csv(report).encode())
    return _tell(report, as_json=as_json)


@command.command("book", short_help="The positions that a book has.")
@game_argument
@click.option("--kind", type=click.Choice(_KINDS), default="even", show_default=True, help="Which positions.")
@click.option("--count", metavar="N", type=click.IntRange(1, 1_000), default=20, show_default=True, help="How many.")
@_seed_option
@click.option("--between", "players", nargs=2, metavar="A B", help="The players that the kind 'between' is about.")
@json_option
def book_command(
    *, game: Rules, kind: str, count: int, seed: str, players: tuple[str, str] | None, as_json: bool
) -> int:
    r"""List the positions of a book: good places to start matches of GAME from.

    \b
    Examples:
      zerosum arena book sum31
      zerosum arena book sum31 --kind hard --count 5 --seed 7
      zerosum arena book sum31 --kind between --between level:3 level:2 --json
    """
    from zerosum.arena.foresight import book_of  # noqa: PLC0415 - help needs none of it

    if (kind == "between") != (players is not None):
        raise click.UsageError("--between A B and --kind between go together.")
    with aloud(f"Looking for positions of {game.name}") as say:
        positions = [str(one) for one in book_of(kind, game, count, seed, players=players, progress=say)]
    if as_json:
        print_json({"game": game.id, "kind": kind, "seed": seed, "positions": positions})
    else:
        echo("\n".join(positions))
    return 0


def _engine(jobs: int | None, scheduler: str | None) -> Engine:
    from zerosum.cli.engines import engine_of  # noqa: PLC0415 - help needs none of it

    return engine_of(jobs or (None if scheduler else 1), scheduler)


def _run(plan: Plan, engine: Engine, output: str | None, *, resume: bool, as_json: bool, exact: bool = False) -> int:
    """Play a plan, or what is missing of it, and tell what it says."""
    from zerosum.arena.crews import UnplayedError  # noqa: PLC0415 - help needs none of it
    from zerosum.arena.foresight import question_words  # noqa: PLC0415 - likewise
    from zerosum.arena.records import keep_records  # noqa: PLC0415 - likewise
    from zerosum.arena.report import report_of  # noqa: PLC0415 - likewise
    from zerosum.arena.run import play, standing_of  # noqa: PLC0415 - likewise
    from zerosum.arena.schedule import total  # noqa: PLC0415 - likewise
    from zerosum.cli.arena_text import progress_words  # noqa: PLC0415 - likewise

    if resume and output is None:
        raise click.UsageError("--resume goes on with the run that --output names.")
    with _folder(output) as path:
        run = _settled(plan, path, resume=resume)
        if exact:
            return _tell(report_of(run), as_json=as_json, exact=True)
        _notice(question_words(run.plan, list(run.foreseen)))
        try:
            with aloud("Playing") as say:
                pairs, first = total(run.plan), run.names[0]
                play(run, engine, lambda standing, done: say(progress_words(standing, done, pairs, first)))
        except UnplayedError as error:
            _notice(str(error))
        except KeyboardInterrupt:
            if output is not None:
                _notice("What was played is kept; the same command with --resume goes on.")
            raise
        with aloud("Adding up"):
            log = run.log()
            standing = standing_of(run, log)
            report = report_of(run, log, standing)
            if output is not None:
                keep_records(run, log, standing)
        return _tell(report, as_json=as_json, kept=output)


@contextmanager
def _folder(output: str | None) -> Iterator[str]:
    """Give the folder of a run: the one named, or one that is gone afterwards."""
    import os  # noqa: PLC0415 - help needs none of it
    import tempfile  # noqa: PLC0415 - likewise

    if output is not None:
        yield output
        return
    with tempfile.TemporaryDirectory() as folder:
        yield os.path.join(folder, "run")


def _settled(plan: Plan, path: str, *, resume: bool) -> Run:
    from zerosum.arena.folder import RunError, begun, resumed, settle  # noqa: PLC0415 - help needs none of it
    from zerosum.rules.text import printable  # noqa: PLC0415 - likewise

    if begun(path):
        if not resume:
            raise RunError(f"{printable(path)}: has a run in it already; add --resume to go on, or name a new folder.")
        return resumed(path, plan)
    with aloud("Getting ready") as say:
        return settle(plan, path, say)


def _notice(text: str) -> None:
    sys.stdout.flush()
    sys.stderr.write(fit(text, terminal_columns(sys.stderr)) + "\n")


def _tell(report: Report, *, as_json: bool, exact: bool = False, kept: str | None = None) -> int:
    """Print a report; return 3 where something is still to be played."""
    from zerosum.arena.documents import report_json  # noqa: PLC0415 - help needs none of it
    from zerosum.cli.arena_text import exact_lines, report_lines  # noqa: PLC0415 - likewise
    from zerosum.rules.text import printable  # noqa: PLC0415 - likewise

    if as_json:
        print_json(report_json(report) if not exact else {**report_json(report), "complete": True})
    else:
        lines = exact_lines(report) if exact else report_lines(report)
        if kept is not None:
            lines += [
                "",
                f"Kept in {printable(kept)}; a page of it: zerosum arena report {printable(kept)} --html FILE",
            ]
        echo("\n".join(lines))
    return 0 if exact or report.complete else _INCOMPLETE
