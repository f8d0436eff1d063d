"""Where journals are kept: a folder of unfinished matches and one of finished ones.

A finished match's journal is renamed from the one to the other, so listing the unfinished ones costs nothing for
those that are done. A match of a series is called `SERIES-ROUND`.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from zerosum.match.journal import BusyError, Journal, JournalError, head, load, opened
from zerosum.match.match import Match
from zerosum.match.setup import Person, Setup
from zerosum.rules.guess import did_you_mean
from zerosum.rules.numbers import shorten
from zerosum.rules.text import printable

_LETTERS = "23456789abcdefghjkmnpqrstvwxyz"
_ID = re.compile(r"[0-9a-z]{1,16}(-[0-9]{1,2})?")
_ID_LENGTH = 6


class UnknownMatchError(JournalError):
    """No match of that id."""


@dataclass(frozen=True, slots=True)
class SavedMatch:
    """An unfinished match as listed; `damage` says why it cannot be read, and `match` is then None."""

    id: str
    match: Match | None
    damage: str = ""


class SavedMatches:
    """The journals below one folder."""

    def __init__(self, folder: str) -> None:
        self._open = os.path.join(folder, "matches", "open")
        self._done = os.path.join(folder, "matches", "done")

    def create(self, setup: Setup) -> str:
        """Write the journal of a new match, whole or not at all, and return the id of the match."""
        series = setup.series
        match_id = f"{series.id}-{series.number}" if series else self.new_id()
        path = os.path.join(self._open, match_id)
        draft = f"{path}.{os.urandom(4).hex()}.new"
        with _explained(f"The match cannot be kept in {printable(self._open)}"):
            for folder in (self._open, self._done):
                make_folder(folder)
            try:
                with open(draft, "xb") as file:
                    file.write(head(setup))
                    file.flush()
                    os.fsync(file.fileno())
                os.replace(draft, path)
            except OSError:
                with contextlib.suppress(OSError):
                    os.unlink(draft)
                raise
            _sync_folder(self._open)
        return match_id

    def new_id(self) -> str:
        """Return an id that no match or series has."""
        taken = {one.partition("-")[0] for folder in (self._open, self._done) for one in _ids(folder)}
        while True:
            new = "".join(_LETTERS[byte % len(_LETTERS)] for byte in os.urandom(_ID_LENGTH))
            if new not in taken:
                return new

    @contextlib.contextmanager
    def opened(self, match_id: str) -> Iterator[Journal]:
        """Open the journal of an unfinished match for writing, alone."""
        path = self._path(match_id, self._open, self._done)
        if os.path.dirname(path) == self._done:
            raise UnknownMatchError(f"Match {match_id} is over. To see it: zerosum replay {match_id}")
        with contextlib.ExitStack() as stack:
            # Only what opening finds is about the journal; what happens while it is open is not.
            with _explained(f"Match {match_id}"):
                journal = stack.enter_context(opened(path))
            yield journal

    def settle(self, match_id: str, match: Match) -> str | None:
        """Put a finished match away; return the id of the next match of its series, if one is due.

        To be called with the journal open, so that only one process does it.
        """
        following = None
        series = match.setup.series
        if series is not None and max(self.score(match)) < series.majority:
            following = f"{series.id}-{series.number + 1}"
            if not any(os.path.lexists(os.path.join(folder, following)) for folder in (self._open, self._done)):
                setup = replace(match.setup, first=match.setup.first.other)
                self.create(replace(setup, series=replace(series, number=series.number + 1)))
        with _explained(f"Match {match_id}"):
            os.replace(os.path.join(self._open, match_id), os.path.join(self._done, match_id))
            _sync_folder(self._done)
            _sync_folder(self._open)
        return following

    def score(self, match: Match) -> tuple[int, int]:
        """Return how many matches of the series each person has won, up to and with this one."""
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
        path = self._path(match_id, self._open, self._done)
        with _explained(f"Match {match_id}"):
            return load(path).match

    def all(self) -> list[Match]:
        """Return all matches, finished or not, the oldest first; damaged journals are passed over."""
        matches = []
        for match_id in sorted({*_ids(self._open), *_ids(self._done)}):
            with contextlib.suppress(JournalError):
                matches.append(self.match(match_id))
        return sorted(matches, key=lambda match: match.setup.date)

    def unfinished(self) -> list[SavedMatch]:
        """Return the unfinished matches, the latest first; damaged journals are among them, untouched."""
        self._settle_all()
        kept = []
        for match_id in _ids(self._open):
            try:
                match = self.match(match_id)
            except JournalError as error:
                kept.append(SavedMatch(match_id, None, str(error)))
                continue
            if match.outcome is None:
                kept.append(SavedMatch(match_id, match))
        return sorted(kept, key=lambda one: (one.match.setup.date if one.match else "", one.id), reverse=True)

    def forget(self, match_id: str) -> None:
        """Delete a match, unless somebody is playing it; a damaged journal can be deleted too."""
        path = self._path(match_id, self._open, self._done)
        with _explained(f"Match {match_id}"):
            try:
                with opened(path):
                    os.unlink(path)
            except BusyError:
                raise
            except JournalError:
                os.unlink(path)

    def _settle_all(self) -> None:
        """Finish what a crash left between a match's last entry and putting it away."""
        for match_id in _ids(self._open):
            with contextlib.suppress(JournalError):
                if self.match(match_id).outcome is not None:
                    with self.opened(match_id) as journal:
                        self.settle(match_id, journal.reading.match)

    def _path(self, match_id: str, *folders: str) -> str:
        if _ID.fullmatch(match_id):
            for folder in folders:
                path = os.path.join(folder, match_id)
                if os.path.lexists(path):
                    return path
        hint = did_you_mean(match_id, [one for folder in folders for one in _ids(folder)])
        raise UnknownMatchError(f"There is no match '{shorten(match_id)}'. {hint}".rstrip())


def _ids(folder: str) -> list[str]:
    try:
        return [name for name in os.listdir(folder) if _ID.fullmatch(name)]
    except OSError:
        return []


@contextlib.contextmanager
def _explained(what: str) -> Iterator[None]:
    """Say what an error is about."""
    try:
        yield
    except BusyError as error:
        raise BusyError(f"{what}: {error}") from None
    except JournalError as error:
        raise JournalError(f"{what}: {error}") from None
    except OSError as error:
        raise JournalError(f"{what}: {error.strerror}.") from None


def make_folder(folder: str) -> None:
    """Make a folder and those above it; a new folder is only safe once the one above it is on the disk."""
    if not os.path.isdir(folder):
        above = os.path.dirname(os.path.abspath(folder))
        make_folder(above)
        with contextlib.suppress(FileExistsError):
            os.mkdir(folder, mode=0o700)
        _sync_folder(above)


def _sync_folder(folder: str) -> None:
    """Put a folder's names on the disk; Windows cannot and need not."""
    if os.name == "posix":
        file = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(file)
        finally:
            os.close(file)
