"""After a match at the terminal: again, the next step, a lesson, the same game with one rule changed, the review."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Final

from zerosum.cli.console import Console, EndOfInput, TextStyle
from zerosum.cli.own_record import own_results
from zerosum.cli.progress_line import progress_line
from zerosum.cli.review_text import print_review
from zerosum.cli.terminal_text import terminal_columns
from zerosum.coach.next_step import LessonIdea, NextStep, StepKind, next_steps
from zerosum.coach.review import review
from zerosum.coach.review_words import swap_seats
from zerosum.match.match import Match
from zerosum.match.new_setup import again, new_setup
from zerosum.match.saved import SavedMatches
from zerosum.match.setup import Person, Setup
from zerosum.match.typed_moves import means
from zerosum.players import HUMAN
from zerosum.rules.game_files import built_in, is_built_in
from zerosum.rules.model import Rules, Seat
from zerosum.solver import SolverError, solution_of

_WIDE: Final = 80
_HOW: Final = "Type one of the marks on the left, or n to stop."


class AfterMatch:
    """What can be done after one match; `ask` returns the id of the next one."""

    def __init__(self, saved: SavedMatches, match: Match, console: Console, match_id: str) -> None:
        self._saved, self._match, self._console, self._id = saved, match, console, match_id
        self._alone = sum(map(match.setup.is_human, Person)) == 1
        self._steps = self._next_steps() if self._alone else ()

    def ask(self) -> str | None:
        """Ask for one more match; return its id, None without one."""
        self._say_choices()
        while True:
            try:
                answer = self._console.ask(self._prompt).lower()
            except EndOfInput:
                return None
            if answer in ("n", "no") or means(answer, "quit"):
                return None
            following = self._follow(answer or ("1" if self._climbs else "a"))
            if following is not None:
                return following

    @property
    def _climbs(self) -> bool:
        """Whether Enter takes the first step instead of the same match again: a lesson waits to be chosen."""
        return bool(self._steps) and self._steps[0].kind is not StepKind.LESSON

    @property
    def _prompt(self) -> str:
        enter = "Enter for 1, a for the same" if self._climbs else "Enter"
        return f"Again? ({enter}, s to swap seats, n) "

    def _next_steps(self) -> tuple[NextStep, ...]:
        setup = self._match.setup
        lesson = self._lesson() if is_built_in(setup.rules) else None
        return next_steps(own_results(self._saved), lesson)

    def _lesson(self) -> LessonIdea | None:
        """Return what a lost match teaches: the step of the course that would have kept most of the wins let go."""
        from zerosum.coach.ideas import costly_idea  # noqa: PLC0415 - a match between people needs no course
        from zerosum.coach.lessons import bundled_course  # noqa: PLC0415 - as above
        from zerosum.coach.puzzles import missed  # noqa: PLC0415 - as above

        rules = self._match.setup.rules
        course = bundled_course(rules)
        if course is None or not course.steps:
            return None
        try:
            with progress_line("What the match teaches"):
                solution = solution_of(rules)
                return costly_idea(course, [one.position for one in missed([self._match], solution)], solution)
        except SolverError:
            return LessonIdea()

    def _say_choices(self) -> None:
        say = self._console.say
        say("\n")
        room = (terminal_columns(sys.stdout) or _WIDE) >= _WIDE
        for n, step in enumerate(self._steps, 1):
            say(f"{n}  {step.label}\n", TextStyle.TITLE)
            if room or n == 1:
                say(f"   {step.reason}\n")
        if self._match.moves:
            say("r  Review: who stood to win after each move\n")
        say("c  Change one rule, and play that\n")

    def _follow(self, answer: str) -> str | None:
        """Do what was chosen; return the id of the next match, None to ask again."""
        steps = {str(n): step for n, step in enumerate(self._steps, 1)}
        if answer in steps:
            return self._take(steps[answer])
        if answer in ("a", "y", "yes", "again", "s", "swap"):
            return self._begin(again(self._match.setup, self._saved.new_id, swap=answer in ("s", "swap")))
        if answer in ("r", "review") and self._match.moves:
            _show_review(self._match, self._id, self._console)
        elif answer in ("c", "change"):
            rules = choose_change(self._match.setup.rules, self._console)
            if rules is not None:
                return self._begin(replace(again(self._match.setup, self._saved.new_id, swap=False), rules=rules))
        else:
            self._console.say(f"Press Enter to play again, s to swap seats, n to stop. {_HOW}\n", TextStyle.REFUSAL)
        return None

    def _take(self, step: NextStep) -> str | None:
        if step.kind is StepKind.LESSON:
            from zerosum.cli.root_command import run_command  # noqa: PLC0415 - a match needs no other command

            self._console.say("\n")
            run_command("learn", self._match.setup.rules.id, *(("--idea", step.idea) if step.idea else ()))
            self._console.say("\n")
            return None
        if step.kind is StepKind.GAME:
            return self._begin(against_computer(self._saved, built_in(step.game), step.opponent))
        setup = again(self._match.setup, self._saved.new_id, swap=False)
        one, two = (HUMAN if who == HUMAN else step.opponent for who in setup.who)
        return self._begin(replace(setup, who=(one, two)))

    def _begin(self, setup: Setup) -> str:
        self._console.say("\n")
        return self._saved.create(setup)


def against_computer(saved: SavedMatches, rules: Rules, opponent: str) -> Setup:
    """Return the set-up of a match of a person, in the seat that perfect play wins, against a computer."""
    from zerosum.coach.bundled_odds import winning_seat  # noqa: PLC0415 - the next match of the same game needs no lab

    first = "2" if winning_seat(rules) is Seat.SECOND else "1"
    return new_setup(rules, who=(HUMAN, opponent), first=first, series_id=saved.new_id, at_terminal=True)


def _show_review(match: Match, match_id: str, console: Console) -> None:
    """Show the review of a match that has just ended."""
    try:
        found = review(match, solution_of(match.setup.rules))
    except SolverError as error:
        console.notice(f"There is no review of this game. {error}")
        return
    console.say("\n")
    print_review(found, console)
    console.say(f"\nTo see it again: zerosum review {match_id}\n\n")
    if swap_seats(found):
        console.say("Swap seats? Type s.\n")


def choose_change(rules: Rules, console: Console) -> Rules | None:
    """Offer up to three changes of one rule; return the game that is chosen, None if none is."""
    from zerosum.lab.repair import one_changes  # noqa: PLC0415 - loads the lab, only when somebody asks for it

    try:
        with progress_line(f"{rules.name} with one rule changed") as say:
            found = one_changes(rules, progress=say)
    except SolverError as error:
        console.say(f"There are no figures for changes of this game. {error}\n", TextStyle.REFUSAL)
        return None
    if not found:
        console.say("No single change makes another game that can be measured.\n", TextStyle.REFUSAL)
        return None
    console.say("\n")
    for n, one in enumerate(found, 1):
        console.say(f"{n}  {one.question}\n", TextStyle.TITLE)
        console.say(f"   {one.words[0].upper()}{one.words[1:]}.\n")
    while True:
        try:
            answer = console.ask("Play which? (a number, or n for none) ").lower()
        except EndOfInput:
            return None
        if answer in map(str, range(1, len(found) + 1)):
            return found[int(answer) - 1].rules
        if answer in ("", "n", "no") or means(answer, "quit"):
            return None
        console.say(f"Type a number from 1 to {len(found)}, or n.\n", TextStyle.REFUSAL)
