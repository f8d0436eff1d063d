"""How somebody answered the exercises of courses, an entry for each first answer."""

from __future__ import annotations

import os
from typing import Final

from zerosum.cli.logs import read_log, write_log

_FIELDS: Final = 6
_AGAIN: Final = "again"


class LessonLog:
    """The answers in one file."""

    def __init__(self, folder: str) -> None:
        self._path = os.path.join(folder, "lessons.txt")

    def answers(self, game: str) -> list[tuple[str, bool]]:
        """Return the first answers to a game's exercises since its course was begun: the idea, and if it was right."""
        found: list[tuple[str, bool]] = []
        for _, where, idea, _, _, result in read_log(self._path, _FIELDS):
            if where == game and result == _AGAIN:
                found.clear()
            elif where == game:
                found.append((idea, result == "right"))
        return found

    def add(self, game: str, idea: str, position: str, answer: str, *, right: bool) -> None:
        """Write a first answer down; when this returns, it is on the disk."""
        write_log(self._path, (game, idea, position, answer, "right" if right else "wrong"))

    def begin_again(self, game: str) -> None:
        """Begin a course anew."""
        write_log(self._path, (game, "-", "-", "-", _AGAIN))
