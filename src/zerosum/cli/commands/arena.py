"""`zerosum arena`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import click

from zerosum.cli.group import Group
from zerosum.cli.parameters import game_argument, json_option
from zerosum.cli.report import print_json
from zerosum.cli.solving import aloud
from zerosum.cli.width import echo
from zerosum.rules.model import Rules

_KINDS: Final = ("start", "even", "hard", "between")
_PAIRS: Final = 100
_PAIRS_OF_A_TEST: Final = 5_000
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
    from zerosum.cli.arena_runs import engine_for, run_plan  # noqa: PLC0415 - likewise

    table = {"format": 1, "games": [game], "entrants": [a, b], "sprt": _elos(sprt), **options}
    if options["pairs"] is None:
        table["pairs"] = _PAIRS_OF_A_TEST if sprt else _PAIRS
    try:
        plan = plan_from_table({key: value for key, value in table.items() if value is not None})
    except PlanError as error:
        raise click.UsageError(str(error)) from None
    exact = all(one.is_policy for one in plan.entrants) and not (play or sprt)
    if exact and output is not None:
        raise click.UsageError("The exact score is known, so nothing is played and kept; add --play to play.")
    return run_plan(plan, engine_for(jobs, scheduler), output, resume=resume, as_json=as_json, exact=exact)


def _elos(text: str | None) -> list[float] | None:
    if text is None:
        return None
    try:
        low, high = (float(one) for one in text.split(","))
    except ValueError:
        raise click.UsageError("--sprt takes two numbers of Elo points, such as --sprt 0,20.") from None
    return [low, high]


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
    from zerosum.cli.arena_runs import engine_for, run_plan  # noqa: PLC0415 - likewise

    return run_plan(read_plan(plan_file), engine_for(jobs, scheduler), output, resume=resume, as_json=as_json)


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
    from zerosum.cli.arena_runs import tell  # noqa: PLC0415 - likewise
    from zerosum.cli.output import check_new, write_new  # noqa: PLC0415 - likewise

    for path in filter(None, (html, table)):
        check_new(path)
    with aloud("Adding up"):
        report = report_of(open_run(folder))
        if html is not None:
            write_new(html, page(report).encode())
        if table is not None:
            write_new(table, report_csv(report).encode())
    return tell(report, as_json=as_json)


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
