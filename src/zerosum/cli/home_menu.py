"""`zerosum` alone at a terminal: a first match for a newcomer; for everybody else one line for each way to go on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final, NamedTuple

from zerosum.base.english import count
from zerosum.base.text import printable, shorten
from zerosum.cli.console import Console, EndOfInput, Quit, TextStyle
from zerosum.cli.own_record import has_history, last_rules, own_results
from zerosum.cli.user_data import DailyLog, LessonLog, home, saved_matches
from zerosum.coach.next_step import FIRST_GAME, FIRST_OPPONENT, FIRST_SEAT, fitting_match
from zerosum.match.saved import SavedMatches
from zerosum.match.setup import Person, Setup
from zerosum.match.typed_moves import means, read_prompt_command
from zerosum.players import HUMAN
from zerosum.players.levels import sight_words, spoken_level
from zerosum.rules.describe import describe, in_one_sentence
from zerosum.rules.game_files import GAME_IDS, built_in, is_built_in
from zerosum.rules.model import Rules, Seat

_QUIT: Final = "q"


class Way(NamedTuple):
    """A line of the home: what it says, and what it does; that returns an exit status, or None to come back here."""

    label: str
    take: Callable[[], int | None]


def go_home() -> int:
    """Ask what to do until a match is played or somebody leaves; return the exit status."""
    console, saved = Console(), saved_matches()
    if not has_history(saved):
        status = _first_time(console, saved)
        if status is not None:
            return status
    while True:
        way = _choose(console, list(_ways(console, saved)))
        try:
            status = 0 if way is None else way.take()
        except EndOfInput:
            return 0
        if status is not None:
            return status
        console.say("\n")


def _first_time(console: Console, saved: SavedMatches) -> int | None:
    """Say the rules of the first game and play it; None if somebody wants to see everything else."""
    rules = built_in(FIRST_GAME)
    for sentence in first_words(rules):
        console.say(f"{sentence}\n")
    console.say("\n")
    while True:
        try:
            answer = console.ask("Enter to play, m for the menu, q to quit: ").lower()
        except EndOfInput:
            return 0
        if means(answer, "quit"):
            return 0
        if answer in ("m", "menu"):
            console.say("\n")
            return None
        if answer in ("", "y", "yes", "p", "play"):
            console.say("\n")
            return _play(saved, rules, FIRST_OPPONENT, console)
        if means(answer, "rules"):
            console.say_prose("\n".join(["", *describe(rules), "", ""]), TextStyle.ANSWER)
        elif means(answer, "help"):
            console.say("The menu has other games, lessons, puzzles, and matches with a friend.\n", TextStyle.ANSWER)
        else:
            console.say(f"'{shorten(answer)}' is not a choice.\n", TextStyle.REFUSAL)


def first_words(rules: Rules) -> list[str]:
    """Return the three sentences that a newcomer reads: the numbers, the rules, and who plays."""
    begins = "it begins" if FIRST_SEAT is Seat.SECOND else "you begin"
    computer = f"an easy computer ({spoken_level(FIRST_OPPONENT)})"
    return [
        f"The numbers are {', '.join(map(str, rules.pool[:-1]))} and {rules.pool[-1]}, and each can be taken once.",
        in_one_sentence(rules),
        f"You play {printable(rules.name)} against {computer}; {begins}, and a coach helps.",
    ]


def _choose(console: Console, ways: list[Way]) -> Way | None:
    """Ask which way to go; Enter takes the first. None to leave."""
    for n, way in enumerate(ways, 1):
        console.say(f"{n}  {way.label}\n")
    console.say(f"{_QUIT}  Quit\n\n")
    while True:
        try:
            answer = console.ask("What next? [1] ").lower()
        except EndOfInput:
            return None
        if answer.isdecimal() and 1 <= int(answer) <= len(ways):
            return ways[int(answer) - 1]
        if not answer:
            return ways[0]
        if means(answer, "quit"):
            return None
        how = f"Type a number from 1 to {len(ways)}, or q to quit; Enter takes the first."
        wrong = "" if read_prompt_command(answer) else f"'{shorten(answer)}' is not a choice. "
        console.say(f"{wrong}{how}\n", TextStyle.REFUSAL)


def _ways(console: Console, saved: SavedMatches) -> Iterator[Way]:
    """Yield the ways to go on, the nearest first."""
    unfinished = [one for one in saved.unfinished() if one.match is not None]
    if unfinished and (latest := unfinished[0].match) is not None:
        more = f" (and {len(unfinished) - 1} more)" if len(unfinished) > 1 else ""
        yield Way(
            f"Go on: {_played_words(latest.setup)}, {count(len(latest.moves), 'move')}{more}",
            lambda: _go_on(saved, console),
        )
    game, opponent = fitting_match(own_results(saved))
    rules = built_in(game)
    yield Way(
        f"Play {rules.name} against {spoken_level(opponent)}", lambda: _say_and_play(saved, rules, opponent, console)
    )
    yield Way(f"The daily duel{_days_in_a_row()}", partial(_command, "puzzle", "--daily"))
    yield from _lesson(saved, game)
    yield Way("With a friend, here", lambda: _chosen_match(console, saved, HUMAN))
    yield Way("All games", lambda: _chosen_match(console, saved, None))
    yield Way("Your own rules", lambda: _own_rules(console, saved))


def _days_in_a_row() -> str:
    """Return how many days in a row the daily was won; nothing if it was not won yesterday or today."""
    days = DailyLog(home()).won_days()
    if not days:
        return ""
    from zerosum.coach.daily import streak_of, today  # noqa: PLC0415 - only for those who have won one

    now = streak_of(days, today()).now
    return f" (days in a row: {now})" if now else ""


def _played_words(setup: Setup) -> str:
    """Return a match in a few words: the game, and against whom."""
    computers = [who for who in setup.who if who != HUMAN]
    against = f"against {spoken_level(computers[0])}" if computers else f"{setup.name(Person.ONE)} and {setup.names[1]}"
    return printable(f"{setup.rules.name} {against}" if computers else f"{setup.rules.name}, {against}")


def _lesson(saved: SavedMatches, fitting: str) -> Iterator[Way]:
    """Yield the next step of the course of the game played last; of another game if that one is learnt."""
    from zerosum.coach.learner import follow, learnt_before  # noqa: PLC0415 - a newcomer is not asked for lessons
    from zerosum.coach.lessons import bundled_course, step_title  # noqa: PLC0415 - as above

    last = last_rules(saved)
    first = last.id if last is not None and is_built_in(last) and last.id in GAME_IDS else fitting
    log = LessonLog(home())
    for game in dict.fromkeys((first, *GAME_IDS)):
        course = bundled_course(built_in(game))
        if course is None or not course.steps:
            continue
        answers, before = log.answers(game)
        learner = follow(course, answers, learnt_before(before))
        if not learner.done:
            title = step_title(course.steps[learner.step].rule, course.rules)
            label = f"Lesson: {course.rules.name}, step {learner.step + 1} of {len(course.steps)}, {title}"
            yield Way(label, partial(_command, "learn", game))
            return


def _go_on(saved: SavedMatches, console: Console) -> int | None:
    """Go on with the unfinished match; of several, with the one that is chosen."""
    from zerosum.cli.play_session import choose_unfinished, continue_match  # noqa: PLC0415 - only if it is chosen

    try:
        match_id = choose_unfinished(saved.unfinished(), console)
        return continue_match(saved, match_id, console, coached=FIRST_OPPONENT in saved.match(match_id).setup.who)
    except Quit:
        return None


def _chosen_match(console: Console, saved: SavedMatches, who: str | None) -> int | None:
    from zerosum.cli.menu import choose_match  # noqa: PLC0415 - only if it is chosen

    return choose_match(console, saved, who=who)


def _own_rules(console: Console, saved: SavedMatches) -> int | None:
    """Ask for a game, change one rule of it, and play that."""
    from zerosum.cli.after_match import choose_change  # noqa: PLC0415 - as above
    from zerosum.cli.menu import ask_rules  # noqa: PLC0415 - only if it is chosen

    console.say("\nBegin with a game, and change one rule. Any change is possible in a file of your own:\n")
    console.say("zerosum play my-rules.toml; docs/variants.md shows how to write it.\n\n")
    rules = ask_rules(console, leave="Back")
    changed = None if rules is None else choose_change(rules, console)
    if changed is None:
        return None
    console.say("\n")
    return _play(saved, changed, fitting_match(own_results(saved))[1], console)


def _say_and_play(saved: SavedMatches, rules: Rules, opponent: str, console: Console) -> int:
    level = spoken_level(opponent)
    console.say(f"\n{in_one_sentence(rules)}\n{level[0].upper()}{level[1:]} {sight_words(opponent)}.\n")
    return _play(saved, rules, opponent, console)


def _play(saved: SavedMatches, rules: Rules, opponent: str, console: Console) -> int:
    """Play a match in the seat that perfect play wins; the coach comments against the first opponent."""
    from zerosum.cli.after_match import against_computer  # noqa: PLC0415 - the first prompt needs no match
    from zerosum.cli.play_session import start_match  # noqa: PLC0415 - as above

    setup = against_computer(saved, rules, opponent)
    return start_match(saved, setup, console, coached=opponent == FIRST_OPPONENT)


def _command(*args: str) -> None:
    """Run another command, then come back."""
    from zerosum.cli.root_command import run_command  # noqa: PLC0415 - it loads this module

    run_command(*args)
