"""Which puzzles were tried: a file in the user's folder that only grows, one synced line an answer."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import UTC, datetime

from zerosum.coach.puzzles import Puzzle
from zerosum.match.folders import make_folder
from zerosum.rules.errors import ZerosumError
from zerosum.rules.text import printable

_FIELDS = 5


class PuzzleLogError(ZerosumError):
    """The log of puzzles cannot be read or written."""


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
        """Return every answer so far; lines in another form are ignored."""
        try:
            with open(self._path, encoding="utf-8", errors="replace") as file:
                rows = [line.rstrip("\n").split("\t") for line in file]
        except FileNotFoundError:
            return []
        except OSError as error:
            raise PuzzleLogError(f"{printable(self._path)}: cannot be read ({error.strerror}).") from None
        return [
            Tried(date, game, position, answer, result == "solved")
            for date, game, position, answer, result in (row for row in rows if len(row) == _FIELDS)
        ]

    def solved(self, game: str) -> set[str]:
        """Return the positions of a game whose puzzle was solved."""
        return {one.position for one in self.all() if one.solved and one.game == game}

    def add(self, puzzle: Puzzle, answer: str, *, solved: bool) -> None:
        """Write an answer down; when this returns, it is on the disk."""
        date = f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S}"
        fields = (date, puzzle.position.rules.id, str(puzzle.position), answer, "solved" if solved else "missed")
        try:
            make_folder(os.path.dirname(self._path))
            with open(self._path, "a", encoding="utf-8", newline="\n") as file:
                file.write("\t".join(fields) + "\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise PuzzleLogError(f"{printable(self._path)}: cannot be written ({error.strerror}).") from None
