"""`zerosum learn`: an idea, exercises until it is learnt, then the next.

- learn (Learn 1): A course of lessons: one idea after the other, with exercises.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from typing import Final

import click

from zerosum.base.english import count
from zerosum.base.text import did_you_mean, printable, shorten
from zerosum.cli.console import Console, EndOfInput, Quit, TextStyle, leave
from zerosum.cli.exercise_text import (
    SHORT,
    course_with_progress,
    read_answer,
    say_moves,
    say_rules,
    scene_words,
    until_left,
)
from zerosum.cli.parameters import game_or_last, json_option, named_game, plain_option, print_json
from zerosum.cli.progress_line import solve_with_progress
from zerosum.cli.terminal_text import table
from zerosum.cli.user_data import LessonLog, home, saved_matches
from zerosum.coach.learner import (
    CHECKS,
    TOO_MANY,
    AskedExercise,
    Learner,
    answer_words,
    follow,
    learnt_before,
    next_exercise,
    reason,
)
from zerosum.coach.lessons import ENOUGH, Course, LessonStep, WorkedExample, for_seat, step_title
from zerosum.players.registry import Solved
from zerosum.rules.model import Seat
from zerosum.rules.moves import Move
from zerosum.strategy.card import safe_words

_SEATS = {Seat.FIRST: "the first player", Seat.SECOND: "the second player", None: "either player"}
_WORDS: Final = "You may also type idea, example, moves, rules, show, quit or help."
_HELP: Final = f"""\
Type a move that wins. Only your first answer counts: {ENOUGH} right ones, and the idea comes in new numbers; {CHECKS} \
right ones in a row there, and the step is learnt. {TOO_MANY} wrong ones in a row go back.
These words are commands:
  idea     the idea of this step, and why it holds
  example  the example of this step
  moves    the moves you can make
  rules    the rules of the game
  show     the answer; that counts as a wrong one
  quit     leave; your progress is kept
  help     this list
"""
_SHOWN: Final = "show"
_READ: Final = "read"


class CourseSession:
    """Somebody who takes a course at one terminal."""

    def __init__(self, course: Course, solved: Solved, console: Console, log: LessonLog) -> None:
        self._course, self._solved, self._console, self._log = course, solved, console, log
        self._commands: dict[str, Callable[[LessonStep, AskedExercise], None]] = {
            "idea": self._idea,
            "example": self._example,
            "moves": lambda _, asked: say_moves(console, asked.shown.position),
            "rules": lambda _, asked: say_rules(console, asked.shown.position.rules),
            "show": lambda _, asked: console.say(f"The answer: {answer_words(asked.shown)}\n", TextStyle.ANSWER),
            "quit": leave,
            "help": lambda *_: console.say_prose(_HELP, TextStyle.ANSWER),
        }

    def take(self) -> None:
        """Ask exercises until every step is learnt."""
        course, say = self._course, self._console.say
        answers, before = self._log.answers(course.rules.id)
        learner = follow(course, answers, learnt_before(before))
        if learner != Learner.begin(course.ideas) and not learner.done:
            say("You go on where you left.\n\n")
        at: Learner | None = None
        while not learner.done:
            if at is None or learner.step != at.step:
                self._say_step(learner.step, back=at is not None and learner.step < at.step)
            elif learner.checking and not at.checking:
                say(f"Now the same idea in new numbers: {CHECKS} right in a row.\n\n", TextStyle.OUTCOME)
            elif at.checking and not learner.checking:
                say("Two wrong in a row: back to the numbers you know.\n\n", TextStyle.REFUSAL)
            at = learner
            learner = self._ask(at) if course.steps[at.step].exercises else self._read(at)
            if at.step in learner.learnt - at.learnt:
                say(f"Step {at.step + 1} is learnt.\n", TextStyle.OUTCOME)
            say("\n")

    def practise(self, idea: str) -> None:
        """Ask the exercises of one step until it is learnt, or read it; answers count only if the step is due.

        A step that was learnt stays learnt, and one that is not due is learnt when its turn comes.
        """
        steps = self._course.ideas
        at = steps.index(idea)
        known = frozenset(range(len(steps))) - {at}
        learner = Learner(step=at, learnt=known, asked=(0,) * len(steps))
        self._say_step(at, back=False)
        while not learner.done:
            learner = self._ask(learner) if self._course.steps[at].exercises else self._read(learner)
            if learner.step < at:
                # Nothing before this step is asked here: two wrong in a row begin it again.
                learner = replace(learner, step=at)
            self._console.say("\n")
        self._console.say("You have it.\n", TextStyle.OUTCOME)

    def _say_step(self, number: int, *, back: bool) -> None:
        step, steps = self._course.steps[number], len(self._course.steps)
        title = step_title(step.rule, self._course.rules)
        self._console.say(f"{'Back to step' if back else 'Step'} {number + 1} of {steps}: {title}\n", TextStyle.TITLE)
        self._idea(step)
        self._example(step)
        self._console.say("\n")

    def _read(self, learner: Learner) -> Learner:
        """Wait until a step without exercises was read."""
        step = self._course.steps[learner.step]
        while (answer := self._console.ask("Press Enter when you can follow it: ").lower()) == "rules":
            say_rules(self._console, self._course.rules)
        if answer in ("q", "quit", "exit"):
            raise Quit
        self._log.add(self._course.rules.id, step.idea, "-", _READ, right=True)
        return learner.after(self._course, right=True)

    def _ask(self, learner: Learner) -> Learner:
        """Ask one exercise until the answer is right or shown; the first answer counts."""
        step = self._course.steps[learner.step]
        asked = next_exercise(self._course, learner)
        exercise, position = asked.shown, asked.shown.position
        row = "in a row" if learner.checking or step.enough > ENOUGH else "at the first try"
        if asked.numbers:
            self._console.say(f"{asked.reskin.told}\n", TextStyle.ANSWER)
        needs = learner.needs(self._course)
        self._console.say(f"Find a move that wins. Right {row} so far: {learner.right} of {needs}.\n")
        self._console.say(scene_words(position))
        first: bool | None = None
        while True:
            text = self._console.ask("Your move: ").lower()
            word = "idea" if text == "hint" else SHORT.get(text, text)
            if word in self._commands:
                self._commands[word](step, asked)
                if word != _SHOWN:
                    continue
                move, right = None, False
            else:
                move = read_answer(self._console, position, text, self._commands, _WORDS)
                if move is None:
                    continue
                right = move in exercise.solutions
            if first is None:
                first = right
                answer = _SHOWN if move is None else position.text_of(move)
                self._log.add(self._course.rules.id, step.idea, str(position), answer, right=right)
            if move is None:
                break
            self._judge(asked, move, right=right)
            if right:
                break
        return learner.after(self._course, right=first)

    def _judge(self, asked: AskedExercise, move: Move, *, right: bool) -> None:
        # The game is solved first: a line of progress clears the line that it is on.
        because = reason(asked, move, self._solved(self._course.rules))
        self._console.say("Right. " if right else "No. ", TextStyle.OUTCOME if right else TextStyle.REFUSAL)
        self._console.say(f"{because}\n" if right else f"{because}\nTry again.\n")

    def _idea(self, step: LessonStep, asked: AskedExercise | None = None) -> None:
        words = step.words if step.rule is None or asked is None else asked.reskin.words(step.rule)
        safe = safe_words(words)
        self._console.say("".join(f"{one}\n" for one in (words, safe, f"Why: {step.why}") if one), TextStyle.ANSWER)

    def _example(self, step: LessonStep, _: object = None) -> None:
        if step.example is not None:
            self._console.say(f"\n{example_words(step.example)}", TextStyle.ANSWER)


def example_words(example: WorkedExample) -> str:
    """Return a worked example: the position, a line of moves to its end, why it wins, and why another move does not."""
    position = example.position
    first, mistake = position.text_of(example.line[0]), position.text_of(example.mistake)
    line = "".join(f"  {one}\n" for one in example.told)
    return (
        f"An example.\n{scene_words(position, how=False)}{line}"
        f"Why {first}? {example.words}\nWhy not {mistake}? {example.refutation}\n"
    )


@click.command
@click.argument("game", required=False)
@click.option("--again", is_flag=True, help="Start the course again from its first step.")
@click.option("--idea", metavar="NAME", help="One step alone, such as guard; see zerosum card GAME.")
@json_option
@plain_option
def learn_command(*, game: str | None, again: bool, idea: str | None, as_json: bool, plain: bool) -> int:
    r"""Learn to win GAME: a course of up to five ideas, each with exercises in which that idea decides.

    Each step has an example, and says why it holds. Three exercises right at the first try, then two in a row in
    numbers that you have not seen, and the step is learnt; two wrong in a row go back. Your progress is kept. At the
    end there is a match against a level that suits what you have learnt.

    The ideas are the rules of the game's card; for a variant a card is searched first, which can take a minute. At a
    terminal, without GAME, it is the game that you played last.

    \b
    Examples:
      zerosum learn sum31
      zerosum learn zero-sum-duel --again
      zerosum learn sum31 --idea guard
      zerosum learn ./my-variant.toml
    """
    solved = cache(solve_with_progress)
    rules = game_or_last(click.get_current_context()) if game is None else named_game(game)
    named = rules.id if game is None else game
    course = course_with_progress(rules, solved)
    if as_json:
        from zerosum.coach.lessons import CourseDocument  # noqa: PLC0415 - lessons need no document

        print_json(CourseDocument.of(course))
        return 0
    console = Console(plain=plain)
    name = printable(course.rules.name)
    if not course.steps:
        console.say(f"There is no course of {name}. {course.why_not}\n")
        return 0
    if idea is not None:
        session = CourseSession(course, solved, console, LessonLog(home()))
        return until_left(console, partial(session.practise, _step_named(course, idea)))
    log = LessonLog(home())
    if again:
        log.begin_again(course.rules.id)
    seat = _SEATS[course.card.seat]
    console.say(f"{name}: how to win as {seat}, in {count(len(course.steps), 'step')}\n\n", TextStyle.TITLE)
    try:
        CourseSession(course, solved, console, log).take()
        _say_end(course, console, named)
        return _match(course, console)
    except (Quit, EndOfInput) as left:
        console.notice(f"Your progress is kept. To go on: zerosum learn {shlex.quote(named)}")
        return 0 if console.interactive or isinstance(left, Quit) else 1


def _step_named(course: Course, idea: str) -> str:
    """Return the step that a name means."""
    wanted = idea.strip().lower()
    found = next((one for one in course.ideas if wanted in (one, one.partition("@")[0])), None)
    if found is None:
        hint = did_you_mean(wanted, course.ideas, f"Its steps are {', '.join(course.ideas)}.")
        raise click.BadParameter(f"{printable(course.rules.name)} has no step '{shorten(idea)}'. {hint}")
    return found


def _say_end(course: Course, console: Console, game: str) -> None:
    """Say what was learnt, what to know by heart, what each step is worth, and which match suits."""
    console.say("You have learnt every step.\n", TextStyle.OUTCOME)
    for sentence in course.book:
        console.say(f"By heart, as there are no exercises for it: {sentence}\n")
    for one in course.left_out:
        console.say(f"{one[0].upper()}{one[1:]}.\n")
    if course.scores:
        console.say(f"\n{worth_table(course)}\n")
    first = " --first 2" if course.card.seat is Seat.SECOND else ""
    console.say(
        f"Now play a match as {_SEATS[course.card.seat]}, against {course.opponent}:\n"
        f"  zerosum play {shlex.quote(game)} --vs {course.opponent}{first}\n"
    )
    if course.expects:
        console.say(f"{course.expects}\n")
    console.say(f"To start the course again: zerosum learn {shlex.quote(game)} --again\n")


def worth_table(course: Course) -> str:
    """Return how often a learner wins, from either seat, who knows the first so many steps."""
    rows = [*course.scores, *([course.by_heart] if course.by_heart else [])]
    heads = ["none", *map(str, range(1, len(course.scores))), *(["book"] if course.by_heart else [])]
    lines = ["How often you win, in per cent, if you know so many steps and then move at random:"]
    for seat in Seat:
        shares = ((one.who, *(f"{100 * for_seat(row[n], seat):.0f}" for row in rows)) for n, one in enumerate(rows[0]))
        lines += ["", *table((-22, *[6] * len(rows)), (f"as {_SEATS[seat]}", *heads), *shares)]
    return "\n".join(lines) + "\n"


def _match(course: Course, console: Console) -> int:
    """Offer the match at a terminal; return the exit status."""
    if not console.at_terminal:
        return 0
    if console.ask("Play it now? (Enter, n) ").lower() not in ("", "y", "yes"):
        return 0
    from zerosum.cli.play_session import play_against  # noqa: PLC0415 - the first question does not wait for what a match needs

    console.say("\n")
    first = "2" if course.card.seat is Seat.SECOND else "1"
    return play_against(saved_matches(), course.rules, course.opponent, console, first=first)
