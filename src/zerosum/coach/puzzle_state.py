"""An attempt at a puzzle: a few tries, hints on the way, and what it scores. The page and the terminal share it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from zerosum.base.english import count, third
from zerosum.coach.cause_words import words
from zerosum.coach.causes import why
from zerosum.coach.lines import LINE, lines_of, lines_words, verdict_words
from zerosum.coach.phrases import YOU_AND_THEY, deed
from zerosum.rules.moves import Move
from zerosum.rules.position import Position
from zerosum.solver import Option, Solution, Verdict

TRIES: Final = 3
"""Answers that may be given; a puzzle scores as many points if the first is right and no hint was asked for."""
HINTS: Final = 2
"""As many as `puzzle_hints` has."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """What somebody has done about a puzzle so far."""

    wrong: tuple[Move, ...] = ()
    """The wrong answers, each once."""
    hints: int = 0
    """How many hints were asked for."""
    solved: bool = False
    shown: bool = False
    """Whether the answer was asked for."""

    @property
    def left(self) -> int:
        """How many tries are left."""
        return 0 if self.solved or self.shown else TRIES - len(self.wrong)

    @property
    def over(self) -> bool:
        """Whether the answer is known now."""
        return self.left <= 0

    @property
    def hints_seen(self) -> int:
        """How many hints are shown: those asked for, and all of them before the last try."""
        return HINTS if len(self.wrong) >= TRIES - 1 else min(self.hints, HINTS)

    @property
    def points(self) -> int:
        """What it scores: one less for each wrong answer and each hint asked for, but something for a solution."""
        return max(1, TRIES - len(self.wrong) - self.hints) if self.solved else 0

    def answer(self, move: Move, solutions: Iterable[Move]) -> Attempt:
        """Return the attempt after an answer; a wrong one that was given before changes nothing."""
        if move in solutions:
            return replace(self, solved=True)
        return self if move in self.wrong else replace(self, wrong=(*self.wrong, move))


def puzzle_hints(position: Position, solution: Solution) -> list[str]:
    """Return the hints for a puzzle, neither of which names a winning move: how many win, then what to look for."""
    options = solution.options(position)
    best = options[0]
    wins = sum(option.value.verdict is Verdict.WIN for option in options)
    soon = "at once" if best.value.plies == 1 else f"within {best.value.plies} moves, counting both sides"
    share = f"{wins} of your {count(len(options), 'move')} {'wins' if wins == 1 else 'win'}"
    return [f"{share}, {soon}." if wins == 1 else f"{share}, the quickest {soon}.", _idea(position, best, solution)]


def _idea(position: Position, best: Option, solution: Solution) -> str:
    """Return what is true after the best move, as something to look for."""
    if best.value.plies == 1:
        return f"Look for a move that {deed(position, best.move, third)}."
    _, first, *_ = lines_words(lines_of(position, best.move, solution))
    return f"Look for a move after which this is true: {first[0].lower()}{first[1:]}"


def played_out(position: Position, move: Move, solution: Solution) -> tuple[list[str], list[Move]]:
    """Return what a move leads to: the reason without the moves that win, and the move with best play after it."""
    verdict = verdict_words(lines_of(position, move, solution))
    line = [move, *solution.line(position.play_unchecked(move), LINE)]
    return [*verdict, *words(why(position, move, solution), YOU_AND_THEY)], line
