"""What the coach says at the terminal: reasons, hints and remarks during a match."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable
from itertools import islice
from textwrap import wrap
from typing import Final

from zerosum.cli.terminal_text import reading_columns
from zerosum.cli.user_data import log_hint
from zerosum.coach.analysis import value_text
from zerosum.coach.causes import Why, why, words
from zerosum.coach.commentary import CommentHistory, on_last_move
from zerosum.coach.hints import and_then, hint, hint_sentences, hinted, trap_words
from zerosum.match.match import Match
from zerosum.rules.model import Rules
from zerosum.rules.position import Position
from zerosum.solver import Solution, SolverError, solution_of

_NEXT: Final = {
    1: ["Type hint again to see a move."],
    2: ["Type hint again to see why."],
    3: ["Type hint then to go one answer deeper, hint more to see the lines."],
}


def hint_lines(position: Position, step: int, explained: dict[str, Position]) -> list[str]:
    """Return a step of the hint for a position, one sentence a line, and what the next step would show.

    The steps are: whether there is a good move, which move, why; a step beyond them shows the lines of play.
    `explained` maps each cause to the position where this match explained it in full; elsewhere it stays short. This
    call adds its own cause. Every hint is logged.
    """
    try:
        solution = solution_of(position.rules)
    except SolverError as error:
        return [f"There is no hint for this game. {error}"]
    log_hint(position, "match")
    given = hint(position, solution, step)
    known = [name for name, where in explained.items() if where != position]
    if isinstance(given, Why):
        explained.setdefault(given.name, position)
    return [*hint_sentences(given, position, known), *_NEXT.get(step, [])]


def then_lines(position: Position, depth: int) -> list[str]:
    """Return what follows the reason of a hint, some answers deep, or that nothing does. It is logged as a hint."""
    try:
        solution = solution_of(position.rules)
    except SolverError as error:
        return [f"There is no hint for this game. {error}"]
    log_hint(position, "match")
    following = islice(and_then(position, hinted(position, solution), solution), depth)
    return deque(following, maxlen=1)[0]


def coach_of(rules: Rules) -> Callable[[Match], list[str]]:
    """Return a coach for the people in one match."""
    solution = solution_of(rules)
    said = CommentHistory()

    def coach(match: Match) -> list[str]:
        nonlocal said
        sentences, said = on_last_move(match, solution, said)
        return sentences

    return coach


def table_of_reasons(solution: Solution, position: Position) -> list[str]:
    """Return the moves of a position as lines, the best first, each with its reason below it."""
    lines, columns = [], reading_columns(sys.stdout)
    for option in solution.options(position):
        reason = " ".join(words(why(position, option.move, solution)))
        lines.append(f"  {position.text_of(option.move)} {value_text(option.value)}")
        lines += wrap(reason, columns, initial_indent="    ", subsequent_indent="    ")
    trap = trap_words(position, solution)
    return [*lines, "", *wrap(" ".join(trap), columns)] if trap else lines
