"""Puzzles: positions with something to find. Some move wins and some move loses, and every winning move counts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from random import Random

from zerosum.match.match import Match
from zerosum.players.levels import LEVELS
from zerosum.players.policies import chances
from zerosum.rules.moves import Move
from zerosum.rules.position import Position, PositionKey
from zerosum.solver import Solution, Verdict

_FRUITLESS = 200
"""After this many random matches without a new puzzle, there are probably no more."""
_AS_GOOD_AS_NOT = 0.5
_CHOICE = 6
"""This many times the puzzles asked for are found, and the ones to show chosen among them."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position, the moves that win, and how hard they are to find."""

    position: Position
    solutions: tuple[Move, ...]
    plies: int
    chances: tuple[float, ...]
    """The exact chance that each level, from the first on, plays a winning move."""

    @property
    def difficulty(self) -> int:
        """The level from which on a winning move is found at least half the time; one more than the last if none is."""
        misses = (chance < _AS_GOOD_AS_NOT for chance in self.chances)
        return 1 + max((level for level, miss in enumerate(misses, 1) if miss), default=0)


def puzzle_of(position: Position, solution: Solution) -> Puzzle | None:
    """Return the puzzle that a position is, None where there is nothing to find."""
    if position.outcome is not None:
        return None
    options = solution.options(position)
    verdicts = {option.value.verdict for option in options}
    if not {Verdict.WIN, Verdict.LOSS} <= verdicts:
        return None
    wins = tuple(option.move for option in options if option.value.verdict is Verdict.WIN)
    by_level = (chances(f"level:{level}", position, solution) for level in LEVELS)
    found = tuple(sum(chance.get(move, 0.0) for move in wins) for chance in by_level)
    return Puzzle(position, wins, options[0].value.plies or 0, found)


def puzzles_at_random(solution: Solution, chance: Random) -> Iterator[Puzzle]:
    """Yield different puzzles from matches played at random, as long as there seem to be more."""
    seen: set[PositionKey] = set()
    fruitless = 0
    while fruitless < _FRUITLESS:
        fruitless += 1
        position = solution.start
        while position.outcome is None:
            puzzle = puzzle_of(position, solution) if position.key not in seen else None
            seen.add(position.key)
            if puzzle is not None:
                fruitless = 0
                yield puzzle
            position = position.play_unchecked(chance.choice(position.legal_moves()))


def some_puzzles(solution: Solution, count: int, seed: str | None, solved: Collection[str] = ()) -> list[Puzzle]:
    """Return `count` random puzzles, from easy to hard, none at a position in `solved`; a seed repeats them."""
    new = (one for one in puzzles_at_random(solution, Random(seed)) if str(one.position) not in solved)
    return graded(islice(new, count * _CHOICE), count)


def puzzles_from(matches: Iterable[Match], solution: Solution) -> Iterator[Puzzle]:
    """Yield the puzzles that people met in their own matches of this game and did not solve."""
    seen: set[PositionKey] = set()
    for match in matches:
        for ply, move in enumerate(match.moves):
            position = match.positions[ply]
            if position.key in seen or not match.setup.is_human(match.mover(ply)):
                continue
            puzzle = puzzle_of(position, solution)
            if puzzle is not None and move not in puzzle.solutions:
                seen.add(position.key)
                yield puzzle


def graded(puzzles: Iterable[Puzzle], count: int) -> list[Puzzle]:
    """Return `count` of the puzzles, from easy to hard and spread over all difficulties."""
    ordered = sorted(puzzles, key=lambda puzzle: (puzzle.difficulty, -sum(puzzle.chances)))
    if len(ordered) <= count:
        return ordered
    step = len(ordered) / count
    return [ordered[int((n + 0.5) * step)] for n in range(count)]
