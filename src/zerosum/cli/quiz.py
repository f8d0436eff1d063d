"""Questions at the terminal: puzzles with a few tries and hints, and courses.

A course goes from idea to idea, each with exercises until it is learnt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from zerosum.base.english import count
from zerosum.base.text import did_you_mean, printable
from zerosum.cli.console import Console, EndOfInput, TextStyle
from zerosum.cli.dialogue import Quit
from zerosum.cli.progress_line import progress_line
from zerosum.cli.user_data import LessonLog, PuzzleLog, log_hint
from zerosum.coach.exercises import Exercise
from zerosum.coach.learner import ENOUGH, Learner, follow, next_exercise, praised, shown, told
from zerosum.coach.lessons import Course, Step, course_of
from zerosum.coach.phrases import listed
from zerosum.coach.puzzle_state import HINTS, TRIES, Attempt, played_out, puzzle_hints
from zerosum.coach.puzzles import Puzzle
from zerosum.coach.rule_words import safe_words
from zerosum.match.typed_moves import Unreadable, read_whole_move
from zerosum.players.levels import LEVELS
from zerosum.rules.model import Rules, Totals
from zerosum.rules.moves import ADD_ONLY, Move
from zerosum.rules.position import Position
from zerosum.solver import Solution
from zerosum.strategy.lookahead import Sight

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


def read_answer(console: Console, position: Position, text: str, commands: Iterable[str], words: str) -> Move | None:
    """Return the legal move that was typed, None after saying what is wrong."""
    if not text:
        console.say(f"Type a move. {words}\n", TextStyle.REFUSAL)
        return None
    answer = read_whole_move(position, text)
    if isinstance(answer, Move):
        return answer
    if isinstance(answer, Unreadable):
        console.say(f"{answer.message} {did_you_mean(text, commands, words)}\n", TextStyle.REFUSAL)
    else:
        console.say(
            f"{position.text_of(answer.move)} is not allowed: {answer.clause.value}. {words}\n", TextStyle.REFUSAL
        )
    return None


def scene_words(position: Position) -> str:
    """Return the position in words, as the player to move sees it."""
    if position.rules.totals is Totals.SHARED:
        totals = f"Total: {position.totals[0]}"
    else:
        totals = f"Your total: {position.total(position.seat)}\nTheir total: {position.total(position.seat.other)}"
    how = "" if position.rules.operations == ADD_ONLY else "\nWrite +5 to add 5, -5 to subtract it."
    numbers = ", ".join(map(str, position.pool))
    return f"Numbers: {numbers}\n{totals}\nTarget: {position.rules.target}{how}\n"


def say_puzzles_solved(rules: Rules, console: Console, progress: PuzzleLog) -> None:
    """Say how many puzzles of a game were solved so far."""
    tried = [one for one in progress.all() if one.game == rules.id]
    solved = len({one.position for one in tried if one.solved})
    console.say(f"{printable(rules.name)}: {solved} solved so far; answers given: {len(tried)}.\n")


_LESSON_WORDS: Final = "You may also type idea, moves, show, quit or help."
_LESSON_HELP: Final = f"""\
Type a move that wins. Only your first answer counts: {ENOUGH} right ones open the
next step, and two wrong ones in a row go back a step.
These words are commands:
  idea   the idea of this step
  moves  the moves you can make
  show   the answer; that counts as a wrong one
  quit   leave; your progress is kept
  help   this list
"""
_LESSON_SHORT: Final = {
    "q": "quit",
    "exit": "quit",
    "bye": "quit",
    "?": "help",
    "h": "help",
    "hint": "idea",
    "answer": "show",
}
"""Words people try first, and the commands they mean."""
_SHOWN: Final = "show"


def course_with_progress(solution: Solution) -> Course:
    """Make the course of a game and show progress: for a variant a card is searched."""
    with progress_line(f"The course of {solution.rules.name}") as say:
        return course_of(solution, say)


class CourseSession:
    """Somebody who takes a course at one terminal."""

    def __init__(self, course: Course, solution: Solution, console: Console, log: LessonLog) -> None:
        self._course, self._solution, self._console, self._log = course, solution, console, log
        self._sight = Sight(course.rules)
        self._commands: dict[str, Callable[[Step, Exercise], None]] = {
            "idea": self._idea,
            "moves": self._moves,
            "show": self._show,
            "quit": self._quit,
            "help": self._help,
        }

    def take(self) -> None:
        """Ask exercises until every step is learnt."""
        course = self._course
        learner = follow(course, self._log.answers(course.rules.id))
        if learner != Learner() and not learner.done(course):
            self._console.say("You go on where you left.\n\n")
        step: int | None = None
        while not learner.done(course):
            if learner.step != step:
                self._say_step(learner.step, back=step is not None and learner.step < step)
                step = learner.step
            learner = self._ask(learner)
            self._console.say("\n")

    def _say_step(self, number: int, *, back: bool) -> None:
        step, steps = self._course.steps[number], len(self._course.steps)
        self._console.say(
            f"{'Back to step' if back else 'Step'} {number + 1} of {steps}: {step.rule.name}\n", TextStyle.TITLE
        )
        self._idea(step)
        self._console.say("\n")

    def _ask(self, learner: Learner) -> Learner:
        """Ask one exercise until the answer is right or shown; the first answer counts."""
        step = self._course.steps[learner.step]
        exercise = next_exercise(self._course, learner, self._solution, self._sight)
        position = exercise.position
        self._console.say(f"Find a move that wins. Right at the first try so far: {learner.right} of {ENOUGH}.\n")
        self._console.say(scene_words(position))
        first: bool | None = None
        while True:
            text = self._console.ask("Your move: ").lower()
            word = _LESSON_SHORT.get(text, text)
            if word in self._commands:
                self._commands[word](step, exercise)
                if word != _SHOWN:
                    continue
                move, right = None, False
            else:
                move = read_answer(self._console, position, text, self._commands, _LESSON_WORDS)
                if move is None:
                    continue
                right = move in exercise.solutions
            if first is None:
                first = right
                answer = _SHOWN if move is None else position.text_of(move)
                self._log.add(self._course.rules.id, step.idea, str(position), answer, right=right)
            if move is None:
                break
            self._judge(step, exercise, move, right=right)
            if right:
                break
        return learner.after(self._course, right=first)

    def _judge(self, step: Step, exercise: Exercise, move: Move, *, right: bool) -> None:
        self._console.say("Right. " if right else "No. ", TextStyle.OUTCOME if right else TextStyle.REFUSAL)
        words = praised(exercise, move) if right else told(exercise, move, self._solution, step.words)
        self._console.say(f"{words}\n" if right else f"{words}\nTry again.\n")

    def _idea(self, step: Step, *_: object) -> None:
        self._console.say(f"{step.words}\n", TextStyle.ANSWER)
        if safe := safe_words(step.words):
            self._console.say(f"{safe}\n", TextStyle.ANSWER)

    def _moves(self, _: Step, exercise: Exercise) -> None:
        position = exercise.position
        self._console.say(" ".join(map(position.text_of, position.legal_moves())) + "\n", TextStyle.ANSWER)

    def _show(self, _: Step, exercise: Exercise) -> None:
        self._console.say(f"The answer: {shown(exercise)}\n", TextStyle.ANSWER)

    def _help(self, *_: object) -> None:
        self._console.say(_LESSON_HELP, TextStyle.ANSWER)

    def _quit(self, *_: object) -> None:
        raise Quit
