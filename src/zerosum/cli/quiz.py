"""Puzzles at the terminal: a position, a few tries with hints between them, and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from zerosum.base.english import count
from zerosum.base.text import printable
from zerosum.cli.console import Console, EndOfInput, Quit, TextStyle
from zerosum.cli.exercise_text import read_answer, scene_words
from zerosum.cli.user_data import PuzzleLog, log_hint
from zerosum.coach.phrases import listed
from zerosum.coach.puzzle_state import HINTS, TRIES, Attempt, played_out, puzzle_hints
from zerosum.coach.puzzles import Puzzle
from zerosum.players.levels import LEVELS
from zerosum.rules.model import Rules
from zerosum.solver import Solution

_WORDS: Final = "You may also type hint, moves, show, skip, quit or help."
_HELP: Final = f"""\
Type a move. You have {TRIES} tries, and every winning move is right.
These words are commands:
  hint   a hint; again: another one
  moves  the moves you can make
  show   the answer, and why
  skip   the next puzzle
  quit   leave
  help   this list
A puzzle scores {TRIES}. Each wrong answer and each hint costs 1, but what you solve
scores at least 1.
"""
_SHORT: Final = {"q": "quit", "exit": "quit", "bye": "quit", "?": "help", "h": "help", "answer": "show", "next": "skip"}
"""Words people try first, and the commands they mean."""


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
            "moves": self._moves,
            "show": self._show,
            "skip": lambda *_: None,
            "quit": self._quit,
            "help": self._help,
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
        position = puzzle.position
        self._console.say(f"{printable(position.rules.name)}, you are to move and can win.\n{scene_words(position)}")
        attempt = Attempt()
        while not attempt.over:
            text = self._console.ask("Your move: ").lower()
            command = self._commands.get(_SHORT.get(text, text))
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
        move = read_answer(self._console, position, text, self._commands, _WORDS)
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
        return replace(attempt, shown=True)

    def _say_solution(self, puzzle: Puzzle) -> None:
        best, *others = puzzle.solutions
        why, _ = played_out(puzzle.position, best, self._solution)
        too = (
            f" {listed(puzzle.position, others, word='and')} {'win' if len(others) > 1 else 'wins'} too."
            if others
            else ""
        )
        self._console.say(f"The answer: {' '.join(why)}{too}\n", TextStyle.ANSWER)

    def _moves(self, puzzle: Puzzle, attempt: Attempt) -> Attempt:
        position = puzzle.position
        self._console.say(" ".join(map(position.text_of, position.legal_moves())) + "\n", TextStyle.ANSWER)
        return attempt

    def _help(self, _: Puzzle, attempt: Attempt) -> Attempt:
        self._console.say(_HELP, TextStyle.ANSWER)
        return attempt

    def _quit(self, *_: object) -> Attempt:
        raise Quit

    def _say_score(self, ended: Sequence[Attempt]) -> None:
        """Say how the puzzles went that were brought to an end."""
        if not ended:
            return
        solved = sum(one.solved for one in ended)
        perfect = sum(one.points == TRIES for one in ended)
        points, most = sum(one.points for one in ended), TRIES * len(ended)
        self._console.say(f"Score: {points} of {most}.", TextStyle.OUTCOME)
        self._console.say(f" Solved: {solved} of {len(ended)}; at the first try without a hint: {perfect}.\n")


_STYLES: Final = {True: TextStyle.OUTCOME, False: TextStyle.REFUSAL}


def _difficulty(puzzle: Puzzle) -> str:
    if puzzle.difficulty > len(LEVELS):
        return "harder than any level"
    return f"difficulty {puzzle.difficulty} of {len(LEVELS)}"


def say_puzzles_solved(rules: Rules, console: Console, progress: PuzzleLog) -> None:
    """Say how many puzzles of a game were solved so far."""
    tried = [one for one in progress.all() if one.game == rules.id]
    solved = len({one.position for one in tried if one.solved})
    console.say(f"{printable(rules.name)}: {solved} solved so far; answers given: {len(tried)}.\n")
