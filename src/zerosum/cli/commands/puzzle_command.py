"""`zerosum puzzle`: a position, a few tries with hints between them, and why.

- puzzle (Learn 2): Positions with something to find.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from random import Random
from types import MappingProxyType
from typing import Final

import click

from zerosum.base.documents import Document, to_json
from zerosum.base.english import agree, count
from zerosum.base.errors import InvalidTextError
from zerosum.base.text import printable
from zerosum.cli.console import Console, EndOfInput, Quit, TextStyle, leave
from zerosum.cli.daily_session import DailySession
from zerosum.cli.exercise_text import (
    SHORT,
    course_with_progress,
    read_answer,
    say_moves,
    say_rules,
    scene_words,
    until_left,
)
from zerosum.cli.parameters import (
    game_or_last,
    json_option,
    memory_option,
    optional_game_argument,
    plain_option,
    print_json,
)
from zerosum.cli.progress_line import solve_with_progress
from zerosum.cli.user_data import PuzzleLog, home, log_hint, saved_matches
from zerosum.coach.daily import daily_game, daily_position, parse_day, today
from zerosum.coach.hints import hinted
from zerosum.coach.ideas import Idea, ideas_at, ideas_named, puzzles_on
from zerosum.coach.puzzle_state import HINTS, TRIES, Attempt, played_out, puzzle_hints
from zerosum.coach.puzzles import Puzzle, PuzzleDocument, choose_from, graded, puzzle_of, puzzles_from, some_puzzles
from zerosum.players.levels import LEVELS
from zerosum.rules.describe import in_one_sentence
from zerosum.rules.game_files import built_in
from zerosum.rules.model import Rules
from zerosum.rules.position import Position
from zerosum.solver import Solution
from zerosum.strategy.card import bundled_card
from zerosum.strategy.phrases import listed

_MOST = 100
NEW: Final = Attempt()
_TODAY = "today"
Ideas = Mapping[str, Idea | None]
"""The idea that decides each puzzle, by its position; None if none does."""
_STYLES: Final = {True: TextStyle.OUTCOME, False: TextStyle.REFUSAL}
_COMMANDS: Final = ("hint", "moves", "rules", "show", "skip", "quit", "help")
_WORDS: Final = "You may also type hint, moves, rules, show, skip, quit or help."
_HELP: Final = f"""\
Type a move. You have {TRIES} tries, and every winning move is right.
These words are commands:
  hint   a hint; again: another one
  moves  the moves you can make
  rules  the rules of the game
  show   the answer, and why
  skip   the next puzzle
  quit   leave
  help   this list
A puzzle scores {TRIES}. Each wrong answer and each hint costs 1, but what you solve scores at least 1.
"""


class PuzzleSession:
    """A row of puzzles at one terminal, and how each went."""

    def __init__(
        self, solution: Solution, console: Console, log: PuzzleLog, ideas: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        """`ideas` has the words that are said at the end of a puzzle, by its position."""
        self._solution = solution
        self._console = console
        self._log = log
        self._ideas = ideas
        self._commands: dict[str, Callable[[Puzzle, Attempt], Attempt | None]] = {
            "hint": self._hint,
            "show": self._show,
            "skip": lambda *_: None,
            "quit": leave,
        }
        self._words: dict[str, Callable[[Position], None]] = {
            "moves": lambda position: say_moves(console, position),
            "rules": lambda position: say_rules(console, position.rules),
            "help": lambda _: console.say_prose(_HELP, TextStyle.ANSWER),
        }

    def ask_all(self, puzzles: Sequence[Puzzle]) -> None:
        """Ask the puzzles one after another, and say the score; also if somebody leaves before the last."""
        ended: list[Attempt] = []
        try:
            for n, puzzle in enumerate(puzzles, 1):
                self._console.say(f"Puzzle {n} of {len(puzzles)}: {_difficulty(puzzle)}\n", TextStyle.TITLE)
                ended.append(self._ask(puzzle))
                self._console.say("\n")
        except (Quit, EndOfInput, KeyboardInterrupt):
            self._say_score(ended)
            raise
        self._say_score(ended)

    def _ask(self, puzzle: Puzzle) -> Attempt:
        """Ask one puzzle until it is solved, shown or skipped, or no try is left."""
        position, attempt = puzzle.position, NEW
        self._console.say(f"{printable(position.rules.name)}, you are to move and can win.\n")
        self._console.say_prose(f"{in_one_sentence(position.rules)}\n")
        self._console.say(scene_words(position))
        while not attempt.over:
            text = self._console.ask("Your move: ").lower()
            word = "skip" if text == "next" else SHORT.get(text, text)
            if word in self._words:
                self._words[word](position)
                continue
            command = self._commands.get(word)
            following = command(puzzle, attempt) if command else self._answer(puzzle, attempt, text)
            if following is None:
                return attempt
            attempt = following
        idea = self._ideas.get(str(position))
        if idea is not None:
            self._console.say(f"{idea}\n", TextStyle.ANSWER)
        return attempt

    def _answer(self, puzzle: Puzzle, attempt: Attempt, text: str) -> Attempt:
        """Judge a move that was typed, and keep and explain it."""
        position = puzzle.position
        move = read_answer(self._console, position, text, _COMMANDS, _WORDS)
        if move is None:
            return attempt
        if move in attempt.wrong:
            self._console.say(f"You have tried {position.text_of(move)}.\n", TextStyle.REFUSAL)
            return attempt
        seen = attempt.hints_seen
        attempt = attempt.answer(move, puzzle.solutions)
        self._log.add(puzzle, position.text_of(move), solved=attempt.solved)
        why, _ = played_out(position, move, self._solution)
        self._console.say(f"{'Right.' if attempt.solved else 'No.'} ", _STYLES[attempt.solved])
        self._console.say(f"{' '.join(why)}\n")
        if not attempt.over:
            self._say_hints(puzzle, attempt, since=seen)
            self._console.say(f"Try again: {count(attempt.left, 'try', 'tries')} left.\n")
        elif not attempt.solved:
            self._say_solution(puzzle)
        return attempt

    def _hint(self, puzzle: Puzzle, attempt: Attempt) -> Attempt:
        if attempt.hints_seen >= HINTS:
            self._console.say("There is no other hint. Type show to see the answer.\n", TextStyle.REFUSAL)
            return attempt
        following = replace(attempt, hints=attempt.hints + 1)
        self._say_hints(puzzle, following, since=attempt.hints_seen)
        log_hint(puzzle.position, "puzzle")
        return following

    def _say_hints(self, puzzle: Puzzle, attempt: Attempt, since: int) -> None:
        for hint in puzzle_hints(puzzle.position, self._solution)[since : attempt.hints_seen]:
            self._console.say(f"Hint: {hint}\n", TextStyle.ANSWER)

    def _show(self, puzzle: Puzzle, attempt: Attempt) -> Attempt:
        self._say_solution(puzzle)
        self._log.add(puzzle, "", solved=False)
        return replace(attempt, shown=True)

    def _say_solution(self, puzzle: Puzzle) -> None:
        best = hinted(puzzle.position, self._solution)
        others = [move for move in puzzle.solutions if move != best]
        why, _ = played_out(puzzle.position, best, self._solution)
        too = f" {listed(puzzle.position, others, word='and')} {agree(len(others), 'win')} too." if others else ""
        self._console.say(f"The answer: {' '.join(why)}{too}\n", TextStyle.ANSWER)

    def _say_score(self, ended: Sequence[Attempt]) -> None:
        """Say how the puzzles went that were brought to an end."""
        if not ended:
            return
        solved = sum(one.solved for one in ended)
        perfect = sum(one.points == TRIES for one in ended)
        points, most = sum(one.points for one in ended), TRIES * len(ended)
        self._console.say(f"Score: {points} of {most}.", TextStyle.OUTCOME)
        self._console.say(f" Solved: {solved} of {len(ended)}; at the first try without a hint: {perfect}.\n")


def _difficulty(puzzle: Puzzle) -> str:
    if puzzle.difficulty > len(LEVELS):
        return "harder than any level"
    return f"difficulty {puzzle.difficulty} of {len(LEVELS)}"


def say_puzzles_solved(rules: Rules, console: Console, progress: PuzzleLog) -> None:
    """Say how many puzzles of a game were solved so far."""
    tried = [one for one in progress.all() if one.game == rules.id]
    solved = len({one.position for one in tried if one.solved})
    console.say(f"{printable(rules.name)}: {solved} solved so far; answers given: {len(tried)}.\n")


def _read_day(ctx: click.Context, param: click.Parameter, value: str | None) -> date | None:
    if value is None:
        return None
    try:
        day = today() if value == _TODAY else parse_day(value)
    except InvalidTextError as error:
        raise click.BadParameter(str(error), ctx, param) from None
    if day > today():
        raise click.BadParameter(f"The daily of {day} opens at midnight UTC on that date.", ctx, param)
    return day


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
    help="The duel of today, or of a date such as 2026-11-15; without GAME.",
)
@click.option("--seed", metavar="S", help="Makes the choice repeatable.")
@memory_option
@json_option
@plain_option
def puzzle_command(
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

    The daily is a small duel, the same for everybody, here and on the page, and changes at midnight UTC: you can win
    against perfect play, and have three tries. A move stays made; opened again, it goes on where you left it.

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
        game = game_or_last(click.get_current_context())
    solution, log = solve_with_progress(game, memory), PuzzleLog(home())
    console = Console(plain=plain)
    if daily is not None:
        if as_json:
            return _print_daily(daily, solution)
        return until_left(console, DailySession(daily, solution, console).play)
    puzzles, ideas = _find(solution, count or 1, seed, log.solved(game.id), idea, mine=mine)
    if as_json:
        print_json({"puzzles": [_json(puzzle, ideas) for puzzle in puzzles]})
        return 0
    if not puzzles:
        which = "" if idea is None else f" that the idea {printable(idea)} decides"
        console.say(f"There is no puzzle {'in your matches' if mine else 'left'} of {printable(game.name)}{which}.\n")
        return 0
    if mine and idea is None and ideas:
        console.say(f"Wins that you let go, by idea: {_counted(ideas.values())}.\n")
    return _ask(solution, console, log, puzzles, ideas)


def _print_daily(day: date, solution: Solution) -> int:
    puzzle = puzzle_of(daily_position(day, solution), solution)
    print_json({"date": str(day), "puzzles": [] if puzzle is None else [_json(puzzle, {})]})
    return 0


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
