"""Which puzzles were tried, an entry for each answer."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Final

from zerosum.cli.logs import read_log, write_log
from zerosum.coach.puzzles import Puzzle

_FIELDS: Final = 5


@dataclass(frozen=True, slots=True)
class Tried:
    """One answer to a puzzle."""

    date: str
    game: str
    position: str
    answer: str
    solved: bool


class PuzzleLog:
    """The answers in one file."""

    def __init__(self, folder: str) -> None:
        self._path = os.path.join(folder, "puzzles.txt")

    def all(self) -> list[Tried]:
        """Return every answer so far."""
        return [
            Tried(date, game, position, answer, result == "solved")
            for date, game, position, answer, result in read_log(self._path, _FIELDS)
        ]

    def solved(self, game: str) -> set[str]:
        """Return the positions of a game whose puzzle was solved."""
        return {one.position for one in self.all() if one.solved and one.game == game}

    def add(self, puzzle: Puzzle, answer: str, *, solved: bool) -> None:
        """Write an answer down; when this returns, it is on the disk."""
        result = "solved" if solved else "missed"
        write_log(self._path, (puzzle.position.rules.id, str(puzzle.position), answer, result))
