"""The store of the lab: an SQLite file in this user's folder, so that nothing is computed twice.

A fact is kept under the fingerprint of its game, its kind and the version of what it follows from besides the rules:
the formulas, and for some kinds the table of levels. It is read only under that version, so a changed level or formula
makes old rows unread, not wrong. Raise the number of a kind whenever its formulas or the form of its document change.

Every row has a digest. A file that is damaged, of another program or of a newer release is refused and left as it is.
One process writes at a time, a batch in one transaction; the journal is SQLite's own rollback journal, never a
write-ahead log, which many versions of SQLite can damage when two processes use it at once.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple, Self

from zerosum.base.errors import ZerosumError
from zerosum.base.files import make_folder
from zerosum.base.text import printable
from zerosum.lab.metrics import MetricsJson, is_whole
from zerosum.players.levels import levels_version
from zerosum.players.odds import Odds, Pairing
from zerosum.rules.model import Rules, rules_from_dict, rules_to_dict
from zerosum.solver.fingerprint import compact, fingerprint, normal

VERSION: Final[dict[str, str]] = {
    "odds": f"1 {levels_version()}",
    "even": f"1 {levels_version()}",
    "metrics": f"2 {levels_version()}",
    "audit": f"2 {levels_version()}",
    "findings": f"1 {levels_version()}",
    "value": "1",
    "openings": "1",
    "skipped": "2",
}
"""The version of each kind of fact."""


NAME: Final = "lab.sqlite3"
FORMAT: Final = 1
_OURS: Final = 0x7A73_6C62
"""The application id in the header of our files: `zslb`."""
_MAGIC: Final = b"SQLite format 3\0"
_HEADER: Final = 100
_WAIT: Final = 60.0
"""Seconds to wait for another process that writes."""
_AT_ONCE: Final = 500
"""Fingerprints asked for in one query."""
_CHECKED: Final = 32 << 20
"""Bytes of the largest file whose structure is checked whenever it is opened."""
_TABLES: Final = (
    "CREATE TABLE games (fingerprint TEXT PRIMARY KEY, body TEXT NOT NULL, digest TEXT NOT NULL) WITHOUT ROWID",
    """CREATE TABLE facts (fingerprint TEXT, kind TEXT, version TEXT NOT NULL, body TEXT NOT NULL, digest TEXT NOT NULL,
    PRIMARY KEY (fingerprint, kind)) WITHOUT ROWID""",
    "CREATE TABLE runs (key TEXT PRIMARY KEY, body TEXT NOT NULL, digest TEXT NOT NULL) WITHOUT ROWID",
)

JSON = Any
"""What a row holds: a document of dictionaries, lists, texts, numbers, truth values and None."""
Row = tuple[str, ...]


class StoreError(ZerosumError):
    """A store that cannot be used; the file is left as it is."""


class Count(NamedTuple):
    """How many facts of a kind are kept, and how many of them are of an older version, so never read."""

    kind: str
    rows: int
    old: int


class Store:
    """An open store; a context manager. One thread may use it."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    # Facts

    def facts(self, kind: str, fingerprints: Iterable[str]) -> dict[str, JSON]:
        """Return what is known of some games; a game of which nothing is kept, or of an older version, is left out."""
        asked = list(dict.fromkeys(fingerprints))
        found: dict[str, JSON] = {}
        for at in range(0, len(asked), _AT_ONCE):
            part = asked[at : at + _AT_ONCE]
            marks = ",".join("?" * len(part))
            query = f"SELECT * FROM facts WHERE kind = ? AND version = ? AND fingerprint IN ({marks})"
            for row in self._rows(query, (kind, VERSION[kind], *part)):
                found[row[0]] = self._body(row)
        return found

    def keep(self, kind: str, facts: Mapping[str, JSON]) -> None:
        """Keep facts about games, all of them or none."""
        with self._writing():
            self._put("facts", [(name, kind, VERSION[kind], compact(body)) for name, body in facts.items()])

    def add(self, kind: str, name: str, more: Mapping[str, JSON]) -> dict[str, JSON]:
        """Add entries to a fact that is a dictionary, whatever other processes add to it, and return the whole."""
        with self._writing():
            whole: dict[str, JSON] = self.facts(kind, [name]).get(name, {}) | dict(more)
            self._put("facts", [(name, kind, VERSION[kind], compact(whole))])
        return whole

    # Games

    def keep_games(self, games: Iterable[Rules]) -> None:
        """Keep the rules of games under their fingerprints; the first game of a fingerprint stays."""
        rows = [(fingerprint(rules), compact(rules_to_dict(rules))) for rules in games]
        with self._writing():
            self._put("games", rows, "OR IGNORE")

    def game(self, rules: Rules) -> Rules | None:
        """Return the game that was kept first of those that are the same as this one."""
        for row in self._rows("SELECT * FROM games WHERE fingerprint = ?", (fingerprint(rules),)):
            return rules_from_dict(self._body(row))
        return None

    # Runs

    def run(self, key: str) -> JSON | None:
        """Return what is kept of a run, None if nothing is."""
        for row in self._rows("SELECT * FROM runs WHERE key = ?", (key,)):
            return self._body(row)
        return None

    def keep_run(self, key: str, body: JSON) -> None:
        """Keep what is known of a run, in place of what was kept of it."""
        with self._writing():
            self._put("runs", [(key, compact(body))])

    # The whole

    def counts(self) -> list[Count]:
        """Return how many facts there are, by kind."""
        query = "SELECT kind, version, count(*) FROM facts GROUP BY kind, version ORDER BY kind"
        found: dict[str, Count] = {}
        for kind, version, rows in self._rows(query):
            before = found.get(kind, Count(kind, 0, 0))
            old = int(rows) if VERSION.get(kind) != version else 0
            found[kind] = Count(kind, before.rows + int(rows), before.old + old)
        return list(found.values())

    def rows(self, table: str) -> Iterator[tuple[Row, JSON]]:
        """Yield every row of `games`, `facts` or `runs`: what it stands under, and its document."""
        for row in self._rows(f"SELECT * FROM {table}"):
            yield row[:-2], self._body(row)

    def check(self) -> int:
        """Read everything, and return how many rows there are; raise where anything is damaged."""
        for (verdict,) in self._rows("PRAGMA integrity_check(1)"):
            if verdict != "ok":
                raise _damaged(self.path)
        return sum(1 for table in ("games", "facts", "runs") for _ in self.rows(table))

    def forget(self, *, old: bool = False) -> int:
        """Remove everything, or only facts of older versions; return how many rows went."""
        with self._writing():
            if old:
                current = [f"{kind} {version}" for kind, version in VERSION.items()]
                marks = ",".join("?" * len(current))
                query = f"DELETE FROM facts WHERE kind || ' ' || version NOT IN ({marks})"
                gone = self._connection.execute(query, current).rowcount
            else:
                tables = ("games", "facts", "runs")
                gone = sum(self._connection.execute(f"DELETE FROM {table}").rowcount for table in tables)
        with _said(self.path):
            self._connection.execute("VACUUM")
        return gone

    # SQLite

    def _rows(self, query: str, values: Sequence[str] = ()) -> list[Row]:
        with _said(self.path):
            return self._connection.execute(query, values).fetchall()

    def _body(self, row: Row) -> JSON:
        if _digest(row[:-1]) != row[-1]:
            raise _damaged(self.path)
        return json.loads(row[-2])

    def _put(self, table: str, rows: Iterable[Row], conflict: str = "OR REPLACE") -> None:
        whole = [(*row, _digest(row)) for row in rows]
        if whole:
            marks = ",".join("?" * len(whole[0]))
            self._connection.executemany(f"INSERT {conflict} INTO {table} VALUES ({marks})", whole)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Run a block as one transaction: all of it is kept, or nothing."""
        with _said(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise


def open_store(home: Path) -> Store:
    """Open the store in a folder, created if it is missing; refuse a file of another program, and leave it alone."""
    path = home / NAME
    with _said(path):
        make_folder(str(home))
        _check_header(path)
        connection = sqlite3.connect(path, timeout=_WAIT, isolation_level=None)
    try:
        with _said(path):
            _prepare(path, connection)
    except BaseException:
        connection.close()
        raise
    return Store(path, connection)


@contextmanager
def passing_store() -> Iterator[Store]:
    """Give a store that is gone afterwards."""
    with TemporaryDirectory(prefix="zerosum-") as folder, open_store(Path(folder)) as store:
        yield store


def _check_header(path: Path) -> None:
    """Refuse a file that is not ours before SQLite touches it; a missing or empty file becomes ours."""
    try:
        with open(path, "rb") as file:
            header = file.read(_HEADER)
    except FileNotFoundError:
        return
    if not header:
        return
    if len(header) < _HEADER or not header.startswith(_MAGIC):
        raise _damaged(path)
    number: Callable[[int], int] = lambda at: int.from_bytes(header[at : at + 4], "big")  # noqa: E731 - used twice below
    if number(68) != _OURS:
        raise StoreError(
            f"{_shown(path)} is not a store of zerosum; move it away, or set ZEROSUM_HOME to another folder."
        )
    if number(60) > FORMAT:
        raise StoreError(
            f"{_shown(path)} was written by a newer zerosum; install that one, or set ZEROSUM_HOME to another folder."
        )
    if header[18:20] != b"\1\1":
        raise _damaged(path)  # we never turn a write-ahead log on


def _prepare(path: Path, connection: sqlite3.Connection) -> None:
    """Create the tables in a new file, and check the structure of one that was there."""
    count = "SELECT count(*) FROM sqlite_schema"
    if connection.execute(count).fetchone() == (0,):
        connection.execute("BEGIN IMMEDIATE")
        if connection.execute(count).fetchone() == (0,):  # another process may have been faster
            for table in _TABLES:
                connection.execute(table)
            connection.execute(f"PRAGMA application_id = {_OURS}")
            connection.execute(f"PRAGMA user_version = {FORMAT}")
        connection.execute("COMMIT")
    elif os.path.getsize(path) <= _CHECKED and connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
        raise _damaged(path)


@contextmanager
def _said(path: Path) -> Iterator[None]:
    """Turn errors of SQLite and of the system into one line that says what to do."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise StoreError(f"{_shown(path)} cannot be used: {error}.") from error
    except sqlite3.Error as error:
        raise _damaged(path) from error
    except OSError as error:
        raise StoreError(f"{_shown(path)} cannot be used: {error.strerror}.") from error


def _damaged(path: Path) -> StoreError:
    return StoreError(f"{_shown(path)} is damaged; move it away, and what it held is computed again.")


def _shown(path: Path) -> str:
    return printable(str(path))


def _digest(row: Sequence[str]) -> str:
    return hashlib.sha256("\0".join(row).encode()).hexdigest()[:16]


_AGAINST: Final = " - "
_ERROR: Final = "error"


def fact_of(document: Mapping[str, Any], rules: Rules) -> JSON:
    """Return a document of metrics or of a screening as a fact about every game like this one."""
    numbers = normal(rules).numbers
    entries = [{**entry, "number": numbers[entry["number"]]} for entry in document["numbers"]]
    fact = {key: value for key, value in document.items() if key != "game"}
    return fact | {"numbers": sorted(entries, key=lambda entry: entry["number"])}


def document_of(fact: JSON, rules: Rules) -> dict[str, Any]:
    """Return the document of one game that a fact makes."""
    entries = {entry["number"]: entry for entry in fact["numbers"]}
    numbers = normal(rules).numbers
    own = [{**entries[numbers[number]], "number": number} for number in dict.fromkeys(rules.pool)]
    return {"game": rules.id, **fact, "numbers": own}


def read_metrics(store: Store, rules: Rules) -> MetricsJson | None:
    """Return the metrics of a game, None if they, or one of them, are not kept."""
    name = fingerprint(rules)
    fact = store.facts("metrics", [name]).get(name)
    return document_of(fact, rules) if fact is not None and is_whole(fact) else None


def keep_metrics(store: Store, rules: Rules, document: MetricsJson, odds: Odds) -> None:
    """Keep the metrics of a game, for all players, and the chances they follow from."""
    store.keep_games([rules])
    store.keep("metrics", {fingerprint(rules): fact_of(document, rules)})
    keep_odds(store, rules, odds)


def read_odds(store: Store, rules: Rules, pairings: Iterable[Pairing]) -> Odds:
    """Return those of the chances of some pairings from the start of a game that are kept."""
    name = fingerprint(rules)
    kept = store.facts("odds", [name]).get(name, {_ERROR: 0.0})
    found = {pairing: kept[key] for pairing in pairings if (key := _AGAINST.join(pairing)) in kept}
    return Odds(found, kept[_ERROR])


def keep_odds(store: Store, rules: Rules, odds: Odds) -> None:
    """Keep chances from the start of a game, beside those that are kept."""
    chances = {_AGAINST.join(pairing): chance for pairing, chance in odds.first_wins.items()}
    store.add("odds", fingerprint(rules), {_ERROR: odds.error, **chances})
