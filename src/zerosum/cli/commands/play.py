"""`zerosum play`."""

from __future__ import annotations

import click

from zerosum.cli import session
from zerosum.cli.console import Console
from zerosum.cli.folders import store
from zerosum.cli.parameters import game_argument, plain_option, whole_number
from zerosum.cli.sitting import new_setup
from zerosum.rules.model import Rules


@click.command
@game_argument
@click.option("--p1", metavar="WHO", default="human", show_default=True, help="Who plays as Player 1.")
@click.option(
    "--p2", metavar="WHO", help="Who plays as Player 2: human, random, level:1 to level:9, perfect.  [default: human]"
)
@click.option("--vs", metavar="WHO", help="The same as --p2.")
@click.option("--first", type=click.Choice(["1", "2", "toss"]), default="1", show_default=True, help="Who moves first.")
@click.option("--best-of", metavar="N", type=whole_number, help="A series of at most N matches (odd), seats swapped.")
@click.option("--names", nargs=2, metavar="A B", help="The names of the two players.")
@click.option("--seed", metavar="S", help="Makes toss and computer players repeatable.")
@click.option("--record", metavar="FILE", help="Write the record of the match to a new file.")
@click.option("--lenient", is_flag=True, help="Ask again where the rules would forfeit.")
@plain_option
def command(
    *,
    game: Rules,
    p1: str,
    p2: str | None,
    vs: str | None,
    first: str,
    best_of: int | None,
    names: tuple[str, str] | None,
    seed: str | None,
    record: str | None,
    lenient: bool,
    plain: bool,
) -> int:
    r"""Play one match of GAME at the terminal.

    At any prompt, numbers are moves and these words are commands: hint, undo, moves, rules, resign, quit, help.

    \b
    Examples:
      zerosum play sum31
      zerosum play zero-sum-duel --vs random --lenient
      zerosum play ./my-variant.toml --names Ann Bob --best-of 3
    """
    if p2 is not None and vs is not None:
        raise click.UsageError("--vs is the same as --p2; give one of them.")
    kept = store()
    setup = new_setup(
        kept,
        game,
        who=(p1, p2 or vs or "human"),
        first=first,
        best_of=best_of,
        names=names,
        seed=seed,
        lenient=lenient,
    )
    session.check_records(record, setup)
    return session.begin(kept, setup, Console(plain=plain), record)
