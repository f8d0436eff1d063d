"""`zerosum learn`."""

from __future__ import annotations

import shlex
from functools import cache

import click

from zerosum.base.english import count
from zerosum.base.text import printable
from zerosum.cli.console import Console, EndOfInput, Quit, TextStyle
from zerosum.cli.json_output import print_json
from zerosum.cli.lesson import CourseSession
from zerosum.cli.parameters import json_option, plain_option
from zerosum.cli.progress_line import course_with_progress, solve_with_progress
from zerosum.cli.user_data import LessonLog, home
from zerosum.coach.lessons import Course, CourseDocument
from zerosum.rules.game_files import load_game
from zerosum.rules.model import Seat

_SEATS = {Seat.FIRST: "the first player", Seat.SECOND: "the second player", None: "either player"}


@click.command
@click.argument("game")
@click.option("--again", is_flag=True, help="Start the course again from its first step.")
@json_option
@plain_option
def command(*, game: str, again: bool, as_json: bool, plain: bool) -> int:
    r"""Learn to win GAME: a course of up to five ideas, each with exercises in which that idea decides.

    Three exercises right at the first try open the next step, and two wrong in a row go back one. Your progress is
    kept. At the end there is a match against a level that suits what you have learnt.

    The ideas are the rules of the game's card; for a variant a card is searched first, which can take a minute.

    \b
    Examples:
      zerosum learn sum31
      zerosum learn zero-sum-duel --again
      zerosum learn ./my-variant.toml
    """
    solved = cache(solve_with_progress)
    course = course_with_progress(load_game(game), solved)
    if as_json:
        print_json(CourseDocument.of(course))
        return 0
    console = Console(plain=plain)
    name = printable(course.rules.name)
    if not course.steps:
        console.say(f"There is no course of {name}. {course.why_not}\n")
        return 0
    log = LessonLog(home())
    if again:
        log.begin_again(course.rules.id)
    seat = _SEATS[course.card.seat]
    console.say(f"{name}: how to win as {seat}, in {count(len(course.steps), 'step')}\n\n", TextStyle.TITLE)
    try:
        CourseSession(course, solved, console, log).take()
        _say_end(course, console, game)
        return _match(course, console)
    except Quit:
        console.notice(f"Your progress is kept. To go on: zerosum learn {shlex.quote(game)}")
        return 0
    except EndOfInput:
        console.notice(f"Your progress is kept. To go on: zerosum learn {shlex.quote(game)}")
        return 0 if console.interactive else 1


def _say_end(course: Course, console: Console, game: str) -> None:
    """Say what was learnt, what the card has beyond it, and which match suits."""
    console.say("You have learnt every step.\n", TextStyle.OUTCOME)
    if course.untaught:
        words = " ".join(rule.words(course.rules) for rule in course.untaught)
        rules = "one more rule" if len(course.untaught) == 1 else f"{len(course.untaught)} more rules"
        console.say(f"The card has {rules}, for which there is no lesson: {words}\n")
    first = " --first 2" if course.card.seat is Seat.SECOND else ""
    console.say(
        f"Now play a match as {_SEATS[course.card.seat]}, against {course.opponent}:\n"
        f"  zerosum play {shlex.quote(game)} --vs {course.opponent}{first}\n"
        f"To start the course again: zerosum learn {shlex.quote(game)} --again\n"
    )


def _match(course: Course, console: Console) -> int:
    """Offer the match at a terminal; return the exit status."""
    if not console.at_terminal:
        return 0
    if console.ask("Play it now? (Enter, n) ").lower() not in ("", "y", "yes"):
        return 0
    from zerosum.cli import play_session  # noqa: PLC0415 - the first question does not wait for what a match needs
    from zerosum.cli.user_data import saved_matches  # noqa: PLC0415 - as above
    from zerosum.match.new_setup import new_setup  # noqa: PLC0415 - as above
    from zerosum.players import HUMAN  # noqa: PLC0415 - as above

    console.say("\n")
    saved = saved_matches()
    setup = new_setup(
        course.rules,
        who=(HUMAN, course.opponent),
        first="2" if course.card.seat is Seat.SECOND else "1",
        names=("Player 1", "Player 2"),
        series_id=saved.new_id,
        at_terminal=True,
    )
    return play_session.start_match(saved, setup, console)
