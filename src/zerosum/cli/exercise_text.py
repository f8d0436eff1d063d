"""What puzzles and lessons share at the terminal: a position in words, and a typed answer to it."""

from __future__ import annotations

from collections.abc import Iterable

from zerosum.base.text import did_you_mean
from zerosum.cli.console import Console, TextStyle
from zerosum.match.typed_moves import Unreadable, read_whole_move
from zerosum.rules.model import Totals
from zerosum.rules.moves import ADD_ONLY, Move
from zerosum.rules.position import Position


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
