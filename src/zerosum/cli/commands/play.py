"""`zerosum play`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import click

from zerosum.cli import session
from zerosum.cli.console import Console
from zerosum.cli.folders import saved_matches
from zerosum.cli.parameters import game_argument, plain_option, whole_number
from zerosum.match.new_setup import new_setup
from zerosum.match.setup import Person, Setup, SetupError, check_best_of
from zerosum.players import HUMAN
from zerosum.rules.model import Rules
from zerosum.strategy.player import CARD, PLAYERS, card_of

if TYPE_CHECKING:
    from zerosum.players.graph import Guest


def _best_of(text: str) -> int:
    try:
        return check_best_of(whole_number(text))
    except SetupError as error:
        raise click.BadParameter(str(error)) from None


@click.command
@game_argument
@click.option("--p1", metavar="WHO", default=HUMAN, show_default=True, help="Who plays as Player 1.")
@click.option(
    "--p2", metavar="WHO", help=f"Who plays as Player 2: {', '.join((HUMAN, *PLAYERS.spoken()))}.  [default: {HUMAN}]"
)
@click.option("--vs", metavar="WHO", help="The same as --p2.")
@click.option("--first", type=click.Choice(["1", "2", "toss"]), default="1", show_default=True, help="Who moves first.")
@click.option("--best-of", metavar="N", type=_best_of, help="A series of at most N matches (odd), seats swapped.")
@click.option("--names", nargs=2, metavar="A B", help="The names of the two players.")
@click.option("--seed", metavar="S", help="Makes toss and computer players repeatable.")
@click.option("--record", metavar="FILE", help="Write the record of the match to a new file.")
@click.option("--who-wins", is_flag=True, help="Say first who is favoured, then play.")
@click.option("--coach", is_flag=True, help="Say after a move that mattered which idea it followed or missed.")
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
    who_wins: bool,
    coach: bool,
    lenient: bool,
    plain: bool,
) -> int:
    r"""Play one match of GAME at the terminal.

    At any prompt, numbers are moves and these words are commands: hint, undo, moves, rules, resign, quit, help.

    \b
    Examples:
      zerosum play sum31
      zerosum play zero-sum-duel --vs level:3 --lenient --who-wins
      zerosum play sum31 --vs level:2 --coach
      zerosum play ./my-variant.toml --names Ann Bob --best-of 3
    """
    if p2 is not None and vs is not None:
        raise click.UsageError("--vs is the same as --p2; give one of them.")
    saved = saved_matches()
    setup = new_setup(
        game,
        who=(p1, p2 or vs or HUMAN),
        first=first,
        best_of=best_of,
        names=names or ("Player 1", "Player 2"),
        seed=seed,
        lenient=lenient,
        series_id=saved.new_id,
    )
    session.check_records(record, setup)
    console = Console(plain=plain)
    if who_wins:
        for line in _who_wins(setup):
            console.notice(line)
    return session.begin(saved, setup, console, record, coached=coach)


def _who_wins(setup: Setup) -> list[str]:
    """Return who is favoured, in a line or two; a game too large to solve can still be played."""
    from zerosum.cli.solving import aloud  # noqa: PLC0415 - most matches are played without the solver
    from zerosum.solver import SolverError, Verdict, solution_of  # noqa: PLC0415 - likewise

    order = (setup.first, setup.first.other)
    try:
        solution = solution_of(setup.rules)
        favoured = {
            Verdict.WIN: f"{setup.name(order[0])}, who moves first, wins.",
            Verdict.LOSS: f"{setup.name(order[1])}, who moves second, wins.",
            Verdict.DRAW: "nobody can force a win.",
        }
        lines = [f"With perfect play {favoured[solution.value(solution.start).verdict]}"]
        with aloud("The chances of both") as say:
            return [*lines, *_chances(setup, order, say)]
    except SolverError as error:
        return [f"Who wins is not known. {error}"]


def _guests(setup: Setup) -> dict[str, Guest]:
    """Return the card as a player whose chances are known, where it plays."""
    if CARD not in setup.who:
        return {}
    from zerosum.solver import solution_of  # noqa: PLC0415 - likewise
    from zerosum.strategy.figures import guest_of  # noqa: PLC0415 - likewise

    return {CARD: guest_of(*card_of(setup.rules, solution_of))}


def _chances(setup: Setup, order: tuple[Person, Person], say: Callable[[str], None]) -> Iterator[str]:
    """Yield the chances of both sides, where a computer plays; for a person, those of perfect and of random play."""
    from zerosum.players.odds import odds_from  # noqa: PLC0415 - likewise
    from zerosum.rules.position import start_position  # noqa: PLC0415 - likewise

    people = [setup.is_human(person) for person in order]
    if all(people):
        return
    hopes = ("perfect", "random") if any(people) else ("",)
    pairings = [
        (setup.who[order[0] - 1] if not people[0] else hope, setup.who[order[1] - 1] if not people[1] else hope)
        for hope in hopes
    ]
    first_wins = odds_from(start_position(setup.rules), pairings, say, _guests(setup)).first_wins
    if not any(people):
        chances = (first_wins[pairings[0]], 1 - first_wins[pairings[0]])
        pairs = zip(order, chances, strict=True)
        sides = (f"{setup.name(one)} ({setup.who[one - 1]}) {chance:.1%}" for one, chance in pairs)
        yield f"The chance to win: {', '.join(sides)}."
        return
    person = order[people.index(True)]
    best, blind = (first_wins[one] if people[0] else 1 - first_wins[one] for one in pairings)
    yield (
        f"Against {setup.who[person.other - 1]}, {setup.name(person)} would win {best:.1%} of such matches with "
        f"perfect play, and {blind:.1%} with moves at random."
    )
