"""The user's folder: matches, and logs of hints, exercises, puzzles and dailies.

A log only grows: one synced line for each entry, with tabs between its fields.
"""

from __future__ import annotations

import contextlib
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Final, Literal

from zerosum.base.errors import ZerosumError
from zerosum.base.files import append_line, make_folder
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
    from platformdirs import user_data_dir  # noqa: PLC0415 - it loads half a dozen modules

    return user_data_dir("zerosum", appauthor=False)


class NoFolderError(ZerosumError):
    """The data folder cannot be made."""


def data_folder() -> str:
    """Return the folder, made if it is missing."""
    folder = home()
    try:
        make_folder(folder)
    except OSError as error:
        raise NoFolderError(f"The tables cannot be kept in {printable(folder)}: {error.strerror}.") from None
    return folder


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
    now = f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S}"
    try:
        append_line(path, "\t".join((now, *fields)))
    except OSError as error:
        raise UserLogError(f"{printable(path)}: cannot be written ({error.strerror}).") from None


HintPlace = Literal["match", "puzzle"]


def log_hint(position: Position, where: HintPlace) -> None:
    """Write down that a hint was given; one that cannot be written down is given all the same."""
    with contextlib.suppress(UserLogError):
        write_log(os.path.join(home(), "hints.txt"), (position.rules.id, str(position), where))


def hints_used() -> Counter[str]:
    """Return how many hints were used in matches and in puzzles."""
    return Counter(where for *_, where in read_log(os.path.join(home(), "hints.txt"), 4))


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
        found, again = self._of(game, 7)
        return found, [] if again else self._of(game, 6)[0]

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


_WON: Final = "won"


@dataclass(frozen=True, slots=True)
class DailyStanding:
    """How far somebody has come with the daily of a date, without looking at the game."""

    tries: list[list[str]]
    """The own moves of each try."""
    won: bool


class DailyLog:
    """The moves in the dailies, in one file; a line says the daily, the try, the move and whether it won or lost."""

    def __init__(self, folder: str) -> None:
        self._path = os.path.join(folder, "daily.txt")

    def standing(self, day: date) -> DailyStanding:
        """Return how far the daily of a date has come."""
        tries: dict[str, list[str]] = {}
        won = False
        for _, on, number, move, result in read_log(self._path, 5):
            if on == str(day):
                tries.setdefault(number, []).append(move)
                won = won or result == _WON
        return DailyStanding(list(tries.values()), won)

    def add(self, day: date, number: int, move: str, *, won: bool | None) -> None:
        """Write a move down before it is answered; when this returns, it is on the disk."""
        write_log(self._path, (str(day), str(number), move, {True: _WON, False: "lost", None: "on"}[won]))

    def won_days(self) -> list[date]:
        """Return the dates whose daily was begun on that date and won."""
        begun: dict[str, str] = {}
        found = []
        for when, on, _, _, result in read_log(self._path, 5):
            if begun.setdefault(on, when[: len(on)]) == on and result == _WON:
                with contextlib.suppress(ValueError):
                    found.append(date.fromisoformat(on))
        return found


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
        rows = read_log(self._path, 5)
        return [PuzzleAnswer(on, game, where, text, made == "solved") for on, game, where, text, made in rows if text]

    def solved(self, game: str) -> set[str]:
        """Return the positions of a game whose puzzle was solved."""
        return {one.position for one in self.all() if one.solved and one.game == game}

    def add(self, puzzle: Puzzle, answer: str, *, solved: bool) -> None:
        """Write an answer down, or by an empty one that it was shown; when this returns, it is on the disk."""
        result = "solved" if solved else "missed"
        write_log(self._path, (puzzle.position.rules.id, str(puzzle.position), answer, result))
