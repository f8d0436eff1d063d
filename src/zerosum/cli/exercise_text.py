"""What puzzles and lessons share at the terminal: a course, a position in words, and a typed answer to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

from zerosum.base.text import did_you_mean
from zerosum.cli.console import Console, EndOfInput, Quit, TextStyle
from zerosum.cli.progress_line import progress_line
from zerosum.coach.lessons import Course, bundled_course
from zerosum.match.typed_moves import Unreadable, read_whole_move
from zerosum.players.registry import Solved
from zerosum.rules.describe import describe
from zerosum.rules.model import InvalidMove, Reaching, Rules, Totals
from zerosum.rules.moves import ADD_ONLY, Move
from zerosum.rules.position import Position

SHORT: Final = {"q": "quit", "exit": "quit", "bye": "quit", "?": "help", "h": "help", "answer": "show"}
"""Words people try first, and the commands they mean."""


def until_left(console: Console, work: Callable[[], None]) -> int:
    """Do something until it is over or somebody leaves; return the exit status."""
    try:
        work()
    except Quit:
        return 0
    except EndOfInput:
        return 0 if console.interactive else 1
    return 0


def say_moves(console: Console, position: Position) -> None:
    """Say which moves can be made."""
    console.say(" ".join(position.legal_move_texts()) + "\n", TextStyle.ANSWER)


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
        move = position.text_of(answer.move)
        console.say(f"{move} is not allowed: {answer.clause.value}. {words}\n", TextStyle.REFUSAL)
    return None


def say_rules(console: Console, rules: Rules) -> None:
    """Say the rules of a game, a sentence a line; nobody forfeits an exercise."""
    practised = replace(rules, invalid_move=InvalidMove.ASK_AGAIN)
    console.say_prose("".join(f"{line}\n" for line in describe(practised)), TextStyle.ANSWER)


def scene_words(position: Position, *, how: bool = True) -> str:
    """Return the position in words, as the player to move sees it, and how moves are written."""
    if position.rules.totals is Totals.SHARED:
        totals = f"Total: {position.totals[0]}"
    else:
        totals = f"Your total: {position.total(position.seat)}\nTheir total: {position.total(position.seat.other)}"
    write = "\nWrite +5 to add 5, -5 to subtract it." if how and position.rules.operations != ADD_ONLY else ""
    numbers = ", ".join(map(str, position.pool))
    target = "Avoid" if position.rules.reaching is Reaching.LOSES else "Target"
    return f"Numbers: {numbers}\n{totals}\n{target}: {position.rules.target}{write}\n"


def course_with_progress(rules: Rules, solved: Solved) -> Course:
    """Return the course of a game; of a variant, which is solved and whose card is searched, show progress."""
    course = bundled_course(rules)
    if course is not None:
        return course
    from zerosum.coach.course_builder import build_course  # noqa: PLC0415 - lessons of built-in games need none of it

    solution = solved(rules)
    with progress_line(f"The course of {rules.name}") as say:
        return build_course(solution, say)
