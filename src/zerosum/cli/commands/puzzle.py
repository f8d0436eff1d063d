"""`zerosum puzzle`."""

from __future__ import annotations

import click

from zerosum.cli.console import Console, EndOfInput
from zerosum.cli.dialogue import Quit
from zerosum.cli.folders import home, saved_matches
from zerosum.cli.parameters import game_argument, json_option, memory_option, plain_option
from zerosum.cli.puzzle_log import PuzzleLog
from zerosum.cli.quiz import ask_puzzle, say_progress
from zerosum.cli.report import print_json
from zerosum.cli.solving import solve_aloud
from zerosum.coach.documents import puzzle_json
from zerosum.coach.puzzles import Puzzle, graded, puzzles_from, some_puzzles
from zerosum.rules.model import Rules
from zerosum.solver import Solution

_MOST = 100


@click.command
@game_argument
@click.option("--count", type=click.IntRange(1, _MOST), default=1, show_default=True, metavar="N", help="How many.")
@click.option("--mine", is_flag=True, help="From your own mistakes, in the matches kept here.")
@click.option("--seed", metavar="S", help="Makes the choice repeatable.")
@memory_option
@json_option
@plain_option
def command(*, game: Rules, count: int, mine: bool, seed: str | None, memory: int, as_json: bool, plain: bool) -> int:
    r"""Positions of GAME with something to find: some move wins, some move loses.

    Every winning move is right. Puzzles that you have solved do not come again. The difficulty is the first level that
    rather finds a winning move than misses it.

    \b
    Examples:
      zerosum puzzle sum31
      zerosum puzzle zero-sum-duel --count 5
      zerosum puzzle sequence-zero --mine
      zerosum puzzle sum31 --count 3 --json
    """
    solution = solve_aloud(game, memory)
    progress = PuzzleLog(home())
    puzzles = _choose(solution, count, seed, progress.solved(game.id), mine=mine)
    if as_json:
        print_json({"puzzles": [puzzle_json(puzzle) for puzzle in puzzles]})
        return 0
    console = Console(plain=plain)
    if not puzzles:
        console.say(f"There is no puzzle {'in your matches' if mine else 'left'} of {game.name}.\n")
        return 0
    try:
        for n, puzzle in enumerate(puzzles, 1):
            ask_puzzle(puzzle, f"Puzzle {n} of {len(puzzles)}", solution, console, progress)
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
