"""Saved matches: one folder of journals of unfinished matches, one of finished ones.

The journal of a finished match is moved from the first to the second, so finished matches do not slow down a list of
unfinished ones. The id of a match of a series is `SERIES-NUMBER`.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass

from zerosum.base.documents import Document
from zerosum.base.files import make_folder, move_file, replace_file
from zerosum.base.text import did_you_mean, printable, shorten
from zerosum.match.journal import BusyError, Journal, JournalError, head, load, opened
from zerosum.match.match import Match
from zerosum.match.setup import Person, Setup, next_in_series

_LETTERS = "23456789abcdefghjkmnpqrstvwxyz"
_ID = re.compile(r"[0-9a-z]{1,16}(-[0-9]{1,2})?")
_ID_LENGTH = 6
_SHOWN = 200
"""Characters of a path that an error quotes."""


class UnknownMatchError(JournalError):
    """No match with that id."""


@dataclass(frozen=True, slots=True)
class SavedMatch:
    """An unfinished match in a list; if its journal cannot be read, `match` is None and `damage` says why."""

    id: str
    match: Match | None
    damage: str = ""

    def __json__(self) -> Document:
        """Return the match as a list of unfinished matches shows it; of a damaged one, what is wrong with it."""
        if self.match is None:
            return {"id": self.id, "damage": self.damage}
        setup, position = self.match.setup, self.match.position
        return {
            "id": self.id,
            "game": setup.rules.id,
            "date": setup.date,
            "names": setup.names,
            "who": setup.who,
            "first": setup.first,
            "moves": [position.text_of(move) for move in self.match.moves],
            "position": str(position),
            "to_move": position.seat,
        }


class SavedMatches:
    """The journals below one folder."""

    def __init__(self, folder: str) -> None:
        self._open = os.path.join(folder, "matches", "open")
        self._done = os.path.join(folder, "matches", "done")
        self._folders = self._open, self._done

    def create(self, setup: Setup) -> str:
        """Write the journal of a new match, whole or not at all, and return the id of the match."""
        series = setup.series
        match_id = f"{series.id}-{series.number}" if series else self.new_id()
        with _explained(f"The match cannot be kept in {printable(self._open[:_SHOWN])}"):
            for folder in self._folders:
                make_folder(folder)
            replace_file(os.path.join(self._open, match_id), head(setup))
        return match_id

    def new_id(self) -> str:
        """Return an id that no match or series has."""
        taken = {one.partition("-")[0] for folder in self._folders for one in _ids(folder)}
        while True:
            new = "".join(_LETTERS[byte % len(_LETTERS)] for byte in os.urandom(_ID_LENGTH))
            if new not in taken:
                return new

    @contextlib.contextmanager
    def opened(self, match_id: str) -> Iterator[Journal]:
        """Open and lock the journal of an unfinished match for writing."""
        path = self._path(match_id)
        if os.path.dirname(path) == self._done:
            raise UnknownMatchError(f"Match {match_id} is over. To see it: zerosum replay {match_id}")
        with contextlib.ExitStack() as stack:
            # Only errors while opening it are about the journal; later ones are the caller's.
            with _explained(f"Match {match_id}"):
                journal = stack.enter_context(opened(path))
            yield journal

    def settle(self, match_id: str, match: Match) -> str | None:
        """Move a finished match to its folder; return the id of the next match of its series, if there is one.

        Call it with the journal open, so that only one process does it.
        """
        following = None
        series = match.setup.series
        if series is not None and series.goes_on(self.score(match)):
            following = f"{series.id}-{series.number + 1}"
            if not any(os.path.lexists(os.path.join(folder, following)) for folder in self._folders):
                self.create(next_in_series(match.setup))
        with _explained(f"Match {match_id}"):
            move_file(os.path.join(self._open, match_id), os.path.join(self._done, match_id))
        return following

    def score(self, match: Match) -> tuple[int, int]:
        """Return how many matches of the series each person has won, up to and including this one."""
        won = {Person.ONE: 0, Person.TWO: 0}
        matches = [match]
        if match.setup.series is not None:
            matches += [self.match(f"{match.setup.series.id}-{n}") for n in range(1, match.setup.series.number)]
        for one in matches:
            if one.outcome is not None:
                won[one.person(one.outcome.winner)] += 1
        return won[Person.ONE], won[Person.TWO]

    def match(self, match_id: str) -> Match:
        """Return a match, finished or not, without opening it for writing."""
        path = self._path(match_id)
        with _explained(f"Match {match_id}"):
            return load(path).match

    def all(self) -> list[Match]:
        """Return all matches, finished or not, oldest first; damaged journals are left out."""
        matches = []
        for match_id in sorted({*_ids(self._open), *_ids(self._done)}):
            with contextlib.suppress(JournalError):
                matches.append(self.match(match_id))
        return sorted(matches, key=lambda match: match.setup.date)

    def ids(self, *, finished: bool) -> list[str]:
        """Return the ids of the finished or of the unfinished matches, the latest first; no journal is opened."""
        folder = self._done if finished else self._open
        return sorted(_ids(folder), key=lambda one: _changed(os.path.join(folder, one)), reverse=True)

    def unfinished(self) -> list[SavedMatch]:
        """Return the unfinished matches, latest first; damaged journals are listed too, and left as they are.

        Of matches begun in the same second, the one whose journal was written last is the latest.
        """
        found: dict[str, SavedMatch] = {}
        unread = _ids(self._open)
        while unread:
            match_id = unread.pop()
            try:
                match = self.match(match_id)
            except JournalError as error:
                found[match_id] = SavedMatch(match_id, None, str(error))
                continue
            if match.outcome is None:
                found[match_id] = SavedMatch(match_id, match)
            else:
                unread += self._settle_late(match_id)
        return sorted(found.values(), key=self._age, reverse=True)

    def _age(self, one: SavedMatch) -> tuple[str, int, str]:
        """Return what matches are sorted by, oldest first."""
        return (one.match.setup.date if one.match else "", _changed(os.path.join(self._open, one.id)), one.id)

    def forget(self, *match_ids: str) -> None:
        """Delete matches, unless one is unknown or being played; a damaged journal can be deleted too.

        All are looked up before the first is deleted.
        """
        paths = {match_id: self._path(match_id) for match_id in match_ids}
        for match_id, path in paths.items():
            with _explained(f"Match {match_id}"):
                try:
                    with opened(path):
                        os.unlink(path)
                except BusyError:
                    raise
                except JournalError:
                    os.unlink(path)

    def _settle_late(self, match_id: str) -> list[str]:
        """Move a match that ended just before a crash kept it from being moved; return what follows in its series."""
        with contextlib.suppress(JournalError), self.opened(match_id) as journal:
            following = self.settle(match_id, journal.reading.match)
            return [] if following is None else [following]
        return []

    def _path(self, match_id: str) -> str:
        paths = [os.path.join(folder, match_id) for folder in self._folders] if _ID.fullmatch(match_id) else []
        for path in filter(os.path.lexists, paths):
            return path
        hint = did_you_mean(match_id, [one for folder in self._folders for one in _ids(folder)])
        raise UnknownMatchError(f"There is no match '{shorten(match_id)}'. {hint}".rstrip())


def _ids(folder: str) -> list[str]:
    try:
        return [name for name in os.listdir(folder) if _ID.fullmatch(name)]
    except OSError:
        return []


def _changed(path: str) -> int:
    """Return when a journal was written last, in nanoseconds; 0 if it is gone."""
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0


@contextlib.contextmanager
def _explained(what: str) -> Iterator[None]:
    """Begin the message of an error with what it is about."""
    try:
        yield
    except BusyError as error:
        raise BusyError(f"{what}: {error}") from None
    except JournalError as error:
        raise JournalError(f"{what}: {error}") from None
    except OSError as error:
        raise JournalError(f"{what}: {error.strerror}.") from None
