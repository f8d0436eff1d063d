"""An attempt at a puzzle: a few tries, hints on the way, and what it scores. The page and the terminal share it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from zerosum.base.english import agree, count, third
from zerosum.coach.causes import Why, deeper, why, words
from zerosum.coach.hints import hinted
from zerosum.coach.lines import LINE
from zerosum.rules.moves import Move
from zerosum.rules.position import Position
from zerosum.solver import Solution, Verdict
from zerosum.strategy.claims import EndsMatch
from zerosum.strategy.phrases import deed

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
        return max(1, TRIES - len(self.wrong) - self.hints) if self.solved and not self.shown else 0

    @property
    def worth(self) -> int:
        """What it scores now, or would score if the next answer were right."""
        return self.points if self.over else max(1, TRIES - len(self.wrong) - self.hints)

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
    share = f"{wins} of your {count(len(options), 'move')} {agree(wins, 'win')}"
    return [f"{share}, {soon}." if wins == 1 else f"{share}, the quickest {soon}.", _idea(position, solution)]


def _idea(position: Position, solution: Solution) -> str:
    """Return what is true after the move that is shown as the answer, as something to look for."""
    found = why(position, hinted(position, solution), solution)
    if isinstance(found.claim, EndsMatch):
        return f"Look for a move that {deed(position, found.move, third)}."
    first, *rest = words(found)
    return " ".join([f"Look for a move after which this is true: {first[0].lower()}{first[1:]}", *rest])


def played_out(position: Position, move: Move, solution: Solution) -> tuple[list[str], list[Move]]:
    """Return what a move leads to: whether it wins and why, without the moves that win, and a line of that reason."""
    found = why(position, move, solution)
    over = isinstance(found.claim, EndsMatch) or found.verdict is Verdict.DRAW
    verb = "wins" if found.verdict is Verdict.WIN else "loses"
    verdict = [] if over else [f"{position.text_of(move)} {verb}."]
    return [*verdict, *words(found)], _line(found, solution)


def _line(found: Why, solution: Solution) -> list[Move]:
    """Return a reason as moves: its answer, then the reply that holds out longest, the answer to it, and so on."""
    line = [found.move, *(() if found.answer is None else (found.answer,))]
    following = deeper(found, solution)
    while following is not None and len(line) < LINE:
        line += [move for move in (following.reply, following.why.move) if move is not None]
        found = following.why
        following = deeper(found, solution)
    if following is None and found.verdict is not Verdict.DRAW and found.lost.outcome is None:
        line.append(solution.options(found.lost)[0].move)
    return line
