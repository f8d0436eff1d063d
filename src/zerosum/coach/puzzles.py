"""Puzzles: positions with something to find. Some move wins and some move loses, and every winning move counts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Final, TypeVar

from zerosum.match.match import Match
from zerosum.players.levels import LEVELS
from zerosum.rules.describe import in_one_sentence
from zerosum.rules.moves import Move
from zerosum.rules.position import Position, PositionKey
from zerosum.solver import Solution, Verdict
from zerosum.solver.graph_passes import chances_of
from zerosum.solver.value import worth_of

T = TypeVar("T")

_FRUITLESS: Final = 200
"""After this many random matches in which nothing new is found, there is probably no more."""
_POOLS: Final = 2
"""A random match is left after this many pools: in sudden death it could wander off for thousands of moves."""
_AS_GOOD_AS_NOT: Final = 0.5
_CHOICE: Final = 4
"""This many times the puzzles asked for are found, and the ones to show chosen among them."""
_PLAIN: Final = 4
"""One puzzle in this many may be plain, more only if there are too few others."""
_LOOKED_AT: Final = 10
"""This many times the puzzles that are to be found are looked at, at most."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position, the moves that win, and how hard they are to find."""

    position: Position
    solutions: tuple[Move, ...]
    plies: int
    chances: tuple[float, ...]
    """The exact chance that each level, from the first on, plays a winning move."""

    @property
    def at_once(self) -> bool:
        """Whether a single move wins the match."""
        return self.plies == 1

    @property
    def plain(self) -> bool:
        """Whether there is little to find: a move wins at once, or most moves win."""
        return self.at_once or 2 * len(self.solutions) > len(self.position.legal_moves())

    @property
    def difficulty(self) -> int:
        """The level from which on a winning move is found at least half the time; one more than the last if none is.

        A win at once is easy for people, however often the first levels miss it: its difficulty is 1.
        """
        if self.at_once:
            return 1
        misses = (chance < _AS_GOOD_AS_NOT for chance in self.chances)
        return 1 + max((level for level, miss in enumerate(misses, 1) if miss), default=0)


@dataclass(frozen=True, slots=True)
class PuzzleDocument:
    """A position with something to find, and what there is to find."""

    game: str
    position: str
    solutions: list[str]
    plies: int
    difficulty: int
    chances: list[float]
    rules: str
    """The rules in one sentence."""

    @classmethod
    def of(cls, puzzle: Puzzle) -> PuzzleDocument:
        """Return the document of a puzzle."""
        return cls(
            game=puzzle.position.rules.id,
            position=str(puzzle.position),
            solutions=[puzzle.position.text_of(move) for move in puzzle.solutions],
            plies=puzzle.plies,
            difficulty=puzzle.difficulty,
            chances=[round(chance, 6) for chance in puzzle.chances],
            rules=in_one_sentence(puzzle.position.rules),
        )


def puzzle_of(position: Position, solution: Solution) -> Puzzle | None:
    """Return the puzzle of a position, None if there is nothing to find."""
    if position.outcome is not None:
        return None
    options = solution.options(position)
    verdicts = {option.value.verdict for option in options}
    if not {Verdict.WIN, Verdict.LOSS} <= verdicts:
        return None
    wins = tuple(option.move for option in options if option.value.verdict is Verdict.WIN)
    # The best come first, so the winning moves do; and if one wins, nobody sets a trap.
    by_level = chances_of(LEVELS.values(), [worth_of(option.value) for option in options], traps=tuple)
    return Puzzle(position, wins, options[0].value.plies or 0, tuple(sum(chance[: len(wins)]) for chance in by_level))


def puzzles_at_random(solution: Solution, chance: Random) -> Iterator[Puzzle]:
    """Yield different puzzles from matches played at random, as long as there seem to be more."""
    return found_at_random(solution, chance, lambda position: puzzle_of(position, solution))


def found_at_random(solution: Solution, chance: Random, look: Callable[[Position], T | None]) -> Iterator[T]:
    """Yield what `look` finds in different positions of matches played at random, as long as there seems to be more."""
    seen: set[PositionKey] = set()
    fruitless = 0
    while fruitless < _FRUITLESS:
        fruitless += 1
        position = solution.start
        for _ in range(_POOLS * len(solution.rules.pool)):
            if position.outcome is not None:
                break
            found = look(position) if position.key not in seen else None
            seen.add(position.key)
            if found is not None:
                fruitless = 0
                yield found
            position = position.play_unchecked(chance.choice(position.legal_moves()))


def some_puzzles(solution: Solution, count: int, seed: str | None, solved: Collection[str] = ()) -> list[Puzzle]:
    """Return `count` random puzzles, from easy to hard, none at a position in `solved`; a seed repeats them."""
    return choose_from(puzzles_at_random(solution, Random(seed)), count, solved)


def choose_from(puzzles: Iterable[Puzzle], count: int, solved: Collection[str] = ()) -> list[Puzzle]:
    """Return `count` of the puzzles, from easy to hard, none at a position in `solved` and few of them plain."""
    return graded(_varied((puzzle for puzzle in puzzles if str(puzzle.position) not in solved), count), count)


def _varied(puzzles: Iterable[Puzzle], count: int) -> list[Puzzle]:
    """Return puzzles to choose `count` from, few of them plain."""
    wanted = count * _CHOICE
    plain: list[Puzzle] = []
    rich: list[Puzzle] = []
    for one in islice(puzzles, wanted * _LOOKED_AT):
        (plain if one.plain else rich).append(one)
        if len(rich) == wanted:
            break
    return [*rich, *plain[: max(wanted // _PLAIN, count - len(rich))]]


def missed(matches: Iterable[Match], solution: Solution) -> Iterator[Puzzle]:
    """Yield the puzzles that people met in their own matches of this game and did not solve, each time they did not."""
    for match in matches:
        for ply, move in enumerate(match.moves):
            if match.setup.is_human(match.mover(ply)):
                puzzle = puzzle_of(match.positions[ply], solution)
                if puzzle is not None and move not in puzzle.solutions:
                    yield puzzle


def puzzles_from(matches: Iterable[Match], solution: Solution) -> Iterator[Puzzle]:
    """Yield the puzzles that people did not solve in their own matches of this game, each once."""
    seen: set[PositionKey] = set()
    for puzzle in missed(matches, solution):
        if puzzle.position.key not in seen:
            seen.add(puzzle.position.key)
            yield puzzle


def graded(puzzles: Iterable[Puzzle], count: int) -> list[Puzzle]:
    """Return `count` of the puzzles, from easy to hard and spread over all difficulties."""
    ordered = sorted(puzzles, key=hardness)
    if len(ordered) <= count:
        return ordered
    step = len(ordered) / count
    return [ordered[int((n + 0.5) * step)] for n in range(count)]


def hardness(puzzle: Puzzle) -> tuple[int, float]:
    """Return what puzzles are sorted by, from easy to hard."""
    return puzzle.difficulty, -sum(puzzle.chances)
