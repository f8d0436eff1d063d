"""The user's folder: matches, and logs of hints, exercises and puzzles.

A log only grows: one synced line for each entry, with tabs between its fields.
"""

from __future__ import annotations

import contextlib
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, Literal

from platformdirs import user_data_dir

from zerosum.base.errors import ZerosumError
from zerosum.base.files import append_line
from zerosum.base.text import printable
from zerosum.rules.position import Position

if TYPE_CHECKING:
    from zerosum.coach.puzzles import Puzzle
    from zerosum.match.saved import SavedMatches


def home() -> str:
    """Return `ZEROSUM_HOME`, or the folder that the system provides for such data."""
    given = os.environ.get("ZEROSUM_HOME")
    if given:
        return given
    return user_data_dir("zerosum", appauthor=False)


def saved_matches() -> SavedMatches:
    """Return the matches that are saved on this machine."""
    from zerosum.match.saved import SavedMatches  # noqa: PLC0415 - lessons and puzzles save no match

    return SavedMatches(home())


class UserLogError(ZerosumError):
    """A log cannot be read or written."""


def read_log(path: str, fields: int) -> list[list[str]]:
    """Return every entry so far, its date first; lines with another number of fields are ignored."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            rows = [line.rstrip("\n").split("\t") for line in file]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise UserLogError(f"{printable(path)}: cannot be read ({error.strerror}).") from None
    return [row for row in rows if len(row) == fields]


def write_log(path: str, fields: Sequence[str]) -> None:
    """Add an entry with the date before it; when this returns, it is on the disk."""
    date = f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S}"
    try:
        append_line(path, "\t".join((date, *fields)))
    except OSError as error:
        raise UserLogError(f"{printable(path)}: cannot be written ({error.strerror}).") from None


HintPlace = Literal["match", "puzzle"]
_FIELDS: Final = 4


def _path() -> str:
    return os.path.join(home(), "hints.txt")


def log_hint(position: Position, where: HintPlace) -> None:
    """Write down that a hint was given; one that cannot be written down is given all the same."""
    with contextlib.suppress(UserLogError):
        write_log(_path(), (position.rules.id, str(position), where))


def hints_used() -> Counter[str]:
    """Return how many hints were used in matches and in puzzles."""
    return Counter(where for *_, where in read_log(_path(), _FIELDS))


def puzzle_hints_used(position: Position) -> int:
    """Return how many hints were used for the puzzle of a position."""
    asked = [position.rules.id, str(position), "puzzle"]
    return sum(row[1:] == asked for row in read_log(_path(), _FIELDS))


_LESSON_LOG_FIELDS: Final = 7
_OLD_LESSON_LOG_FIELDS: Final = 6
_STRICT: Final = "strict"
"""The field by which answers differ from those of earlier versions, in which three right ones were enough."""
_AGAIN: Final = "again"


class LessonLog:
    """The answers in one file."""

    def __init__(self, folder: str) -> None:
        self._path = os.path.join(folder, "lessons.txt")

    def answers(self, game: str) -> tuple[list[tuple[str, bool]], list[tuple[str, bool]]]:
        """Return the first answers since a game's course was begun, and before them those of earlier versions.

        Each is an idea, and whether the answer was right.
        """
        found, again = self._of(game, _LESSON_LOG_FIELDS)
        return found, [] if again else self._of(game, _OLD_LESSON_LOG_FIELDS)[0]

    def _of(self, game: str, fields: int) -> tuple[list[tuple[str, bool]], bool]:
        """Return the answers since a course was begun, and whether it was begun again."""
        found: list[tuple[str, bool]] = []
        again = False
        for _, where, idea, *_, result in read_log(self._path, fields):
            if where == game and result == _AGAIN:
                found.clear()
                again = True
            elif where == game:
                found.append((idea, result == "right"))
        return found, again

    def add(self, game: str, idea: str, position: str, answer: str, *, right: bool) -> None:
        """Write a first answer down; when this returns, it is on the disk."""
        write_log(self._path, (game, idea, _STRICT, position, answer, "right" if right else "wrong"))

    def begin_again(self, game: str) -> None:
        """Start a course again from its first step."""
        write_log(self._path, (game, "-", _STRICT, "-", "-", _AGAIN))


_PUZZLE_LOG_FIELDS: Final = 5


@dataclass(frozen=True, slots=True)
class PuzzleAnswer:
    """One answer to a puzzle; an empty one asked for the answer."""

    date: str
    game: str
    position: str
    answer: str
    solved: bool


class PuzzleLog:
    """The answers in one file."""

    def __init__(self, folder: str) -> None:
        self._path = os.path.join(folder, "puzzles.txt")

    def all(self) -> list[PuzzleAnswer]:
        """Return every answer so far."""
        return [one for one in self._entries() if one.answer]

    def _entries(self) -> list[PuzzleAnswer]:
        return [
            PuzzleAnswer(date, game, position, answer, result == "solved")
            for date, game, position, answer, result in read_log(self._path, _PUZZLE_LOG_FIELDS)
        ]

    def solved(self, game: str) -> set[str]:
        """Return the positions of a game whose puzzle was solved."""
        return {one.position for one in self.all() if one.solved and one.game == game}

    def at(self, position: Position) -> list[PuzzleAnswer]:
        """Return every answer to the puzzle of a position, and where its answer was asked for."""
        where = position.rules.id, str(position)
        return [one for one in self._entries() if (one.game, one.position) == where]

    def add(self, puzzle: Puzzle, answer: str, *, solved: bool) -> None:
        """Write an answer down, or by an empty one that it was shown; when this returns, it is on the disk."""
        result = "solved" if solved else "missed"
        write_log(self._path, (puzzle.position.rules.id, str(puzzle.position), answer, result))
