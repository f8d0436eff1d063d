"""`zerosum puzzle`."""

from __future__ import annotations

from datetime import date

import click

from zerosum.cli.console import Console, EndOfInput, Style
from zerosum.cli.dialogue import Quit
from zerosum.cli.folders import home, saved_matches
from zerosum.cli.parameters import json_option, memory_option, optional_game_argument, plain_option
from zerosum.cli.puzzle_log import PuzzleLog
from zerosum.cli.quiz import Quiz, say_progress
from zerosum.cli.report import print_json
from zerosum.cli.solving import solve_aloud
from zerosum.coach.daily import daily_game, daily_puzzle, parse_day, today
from zerosum.coach.documents import puzzle_json
from zerosum.coach.puzzles import Puzzle, graded, puzzles_from, some_puzzles
from zerosum.rules.errors import InvalidTextError
from zerosum.rules.files import built_in
from zerosum.rules.model import Rules
from zerosum.solver import Solution

_MOST = 100
_TODAY = "today"


def _read_day(ctx: click.Context, param: click.Parameter, value: str | None) -> date | None:
    if value is None:
        return None
    try:
        return today() if value == _TODAY else parse_day(value)
    except InvalidTextError as error:
        raise click.BadParameter(str(error), ctx, param) from None


@click.command
@optional_game_argument
@click.option("--count", type=click.IntRange(1, _MOST), metavar="N", help="How many; 1 without it.")
@click.option("--mine", is_flag=True, help="From your own mistakes, in the matches kept here.")
@click.option(
    "--daily",
    is_flag=False,
    flag_value=_TODAY,
    metavar="[DATE]",
    callback=_read_day,
    help="The puzzle of today, or of a date such as 2026-11-15; without GAME.",
)
@click.option("--seed", metavar="S", help="Makes the choice repeatable.")
@memory_option
@json_option
@plain_option
def command(
    *,
    game: Rules | None,
    count: int | None,
    mine: bool,
    daily: date | None,
    seed: str | None,
    memory: int,
    as_json: bool,
    plain: bool,
) -> int:
    r"""Positions of GAME with something to find: some move wins, some move loses.

    Every winning move is right. You have three tries, and can ask for hints. Puzzles that you have solved do not come
    again. The difficulty is the first level that rather finds a winning move than misses it; a win at once is easy.

    The puzzle of the day is the same for everybody, here and on the page, and changes at midnight UTC.

    \b
    Examples:
      zerosum puzzle sum31
      zerosum puzzle zero-sum-duel --count 5
      zerosum puzzle sequence-zero --mine
      zerosum puzzle --daily
      zerosum puzzle sum31 --count 3 --json
    """
    if daily is not None and (game, count, mine, seed) != (None, None, False, None):
        raise click.UsageError("--daily goes with no GAME, --count, --mine or --seed: the date chooses the puzzle.")
    if daily is not None:
        game = built_in(daily_game(daily))
    if game is None:
        raise click.UsageError("Missing argument 'GAME'.")
    solution = solve_aloud(game, memory)
    progress = PuzzleLog(home())
    if daily is None:
        puzzles = _choose(solution, count or 1, seed, progress.solved(game.id), mine=mine)
    else:
        puzzles = [daily_puzzle(daily, solution)]
    if as_json:
        about = {} if daily is None else {"date": str(daily)}
        print_json({**about, "puzzles": [puzzle_json(puzzle) for puzzle in puzzles]})
        return 0
    console = Console(plain=plain)
    if not puzzles:
        console.say(f"There is no puzzle {'in your matches' if mine else 'left'} of {game.name}.\n")
        return 0
    if daily is not None:
        console.say(f"The puzzle of {daily}\n", Style.TITLE)
    try:
        Quiz(solution, console, progress).ask_all(puzzles)
    except Quit:
        pass
    except EndOfInput:
        return 0 if console.interactive else 1
    say_progress(game, console, progress)
    return 0


def _choose(solution: Solution, count: int, seed: str | None, solved: set[str], *, mine: bool) -> list[Puzzle]:
    if mine:
        matches = (match for match in saved_matches().all() if match.setup.rules == solution.rules)
        return graded((one for one in puzzles_from(matches, solution) if str(one.position) not in solved), count)
    return some_puzzles(solution, count, seed, solved)
