"""`zerosum puzzle`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date
from random import Random

import click

from zerosum.base.documents import Document, to_json
from zerosum.base.errors import InvalidTextError
from zerosum.base.text import printable
from zerosum.cli.console import Console, EndOfInput, Quit, TextStyle
from zerosum.cli.json_output import print_json
from zerosum.cli.parameters import json_option, memory_option, optional_game_argument, plain_option
from zerosum.cli.progress_line import course_with_progress, solve_with_progress
from zerosum.cli.quiz import PuzzleSession, say_puzzles_solved
from zerosum.cli.user_data import PuzzleLog, home, saved_matches
from zerosum.coach.ideas import Idea, ideas_at, ideas_named, puzzles_on
from zerosum.coach.puzzles import (
    Puzzle,
    PuzzleDocument,
    choose_from,
    daily_game,
    daily_puzzle,
    graded,
    parse_day,
    puzzles_from,
    some_puzzles,
    today,
)
from zerosum.rules.game_files import built_in
from zerosum.rules.model import Rules
from zerosum.solver import Solution
from zerosum.strategy.card_files import bundled_card

_MOST = 100
_TODAY = "today"
Ideas = Mapping[str, Idea | None]
"""The idea that decides each puzzle, by its position; None if none does."""


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
@click.option("--idea", metavar="NAME", help="Decided by one idea of the course, such as guard.")
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
    idea: str | None,
    daily: date | None,
    seed: str | None,
    memory: int,
    as_json: bool,
    plain: bool,
) -> int:
    r"""Positions of GAME with something to find: some move wins, some move loses.

    Every winning move is right. You have three tries, and can ask for hints. Puzzles that you have solved do not come
    again. The difficulty is the first level that rather finds a winning move than misses it; a win at once is easy.

    An idea is a step of `zerosum learn GAME`. A puzzle is decided by the first idea that leaves only winning moves.

    The puzzle of the day is the same for everybody, here and on the page, and changes at midnight UTC.

    \b
    Examples:
      zerosum puzzle sum31
      zerosum puzzle zero-sum-duel --count 5
      zerosum puzzle sequence-zero --mine
      zerosum puzzle sum31 --idea guard
      zerosum puzzle --daily
      zerosum puzzle sum31 --count 3 --json
    """
    if daily is not None:
        if (game, count, mine, idea, seed) != (None, None, False, None, None):
            raise click.UsageError("--daily goes with no GAME, --count, --mine, --idea or --seed: the date chooses.")
        game = built_in(daily_game(daily))
    if game is None:
        raise click.UsageError("Missing argument 'GAME'.")
    solution, log = solve_with_progress(game, memory), PuzzleLog(home())
    ideas: Ideas = {}
    if daily is not None:
        puzzles = [daily_puzzle(daily, solution)]
    else:
        puzzles, ideas = _find(solution, count or 1, seed, log.solved(game.id), idea, mine=mine)
    if as_json:
        about = {} if daily is None else {"date": str(daily)}
        print_json({**about, "puzzles": [_json(puzzle, ideas) for puzzle in puzzles]})
        return 0
    console = Console(plain=plain)
    if not puzzles:
        which = "" if idea is None else f" that the idea {printable(idea)} decides"
        console.say(f"There is no puzzle {'in your matches' if mine else 'left'} of {printable(game.name)}{which}.\n")
        return 0
    if daily is not None:
        console.say(f"The puzzle of {daily}\n", TextStyle.TITLE)
    if mine and idea is None and ideas:
        console.say(f"Wins that you let go, by idea: {_counted(ideas.values())}.\n")
    return _ask(solution, console, log, puzzles, ideas)


def _ask(solution: Solution, console: Console, log: PuzzleLog, puzzles: list[Puzzle], ideas: Ideas) -> int:
    """Ask the puzzles at the terminal; return the exit status."""
    words = {where: f"The idea: {one.name}. {one.words}" for where, one in ideas.items() if one is not None}
    try:
        PuzzleSession(solution, console, log, words).ask_all(puzzles)
    except Quit:
        pass
    except EndOfInput:
        return 0 if console.interactive else 1
    say_puzzles_solved(solution.rules, console, log)
    return 0


def _find(
    solution: Solution, count: int, seed: str | None, solved: set[str], idea: str | None, *, mine: bool
) -> tuple[list[Puzzle], Ideas]:
    """Return puzzles, and the ideas of all candidates if those are known."""
    if not mine and idea is None:
        return some_puzzles(solution, count, seed, solved), {}
    # The card of a variant takes long to find, so its mistakes are sorted by idea only if somebody asks for one.
    if idea is None and bundled_card(solution.rules) is None:
        return graded(_missed(solution, solved), count), {}
    course = course_with_progress(solution.rules, lambda _: solution)
    wanted = () if idea is None else ideas_named(course, idea)
    if not mine:
        puzzles = choose_from(puzzles_on(course, wanted, solution, Random(seed)), count, solved)
        return puzzles, ideas_at(course, puzzles, solution)
    missed = _missed(solution, solved)
    ideas = ideas_at(course, missed, solution)
    return graded((one for one in missed if idea is None or ideas[str(one.position)] in wanted), count), ideas


def _missed(solution: Solution, solved: set[str]) -> list[Puzzle]:
    matches = (match for match in saved_matches().all() if match.setup.rules == solution.rules)
    return [one for one in puzzles_from(matches, solution) if str(one.position) not in solved]


def _json(puzzle: Puzzle, ideas: Ideas) -> Document:
    document: Document = to_json(PuzzleDocument.of(puzzle))
    return {**document, "idea": ideas[str(puzzle.position)]} if ideas else document


def _counted(ideas: Iterable[Idea | None]) -> str:
    counts = Counter("no short idea" if idea is None else idea.name for idea in ideas)
    return ", ".join(f"{name} {count}" for name, count in counts.most_common())
