"""Promise 22: many tables with very many events, opened at once by every door, and the memory that this takes."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import Final

from tests.match.kills import GAME, long_line
from tests.patience import PATIENCE
from tests.reliability.clients import Caller, CutError, Live, Reply
from tests.reliability.players import audit, finish, start_players, wait_for
from tests.reliability.report import Report, Say, quietly
from tests.reliability.tables import API, open_table
from tests.server.running import Server
from zerosum.match.setup import Person
from zerosum.server import limits
from zerosum.server.db import queries
from zerosum.server.db.engine import open_for_upgrade, read_url
from zerosum.server.http.auth import COOKIE
from zerosum.tables.events import Event, EventKind, automatic_event, new_id
from zerosum.tables.keys import Key, new_key
from zerosum.tables.new_table import TableRequest, open_request
from zerosum.tables.table import BOTH, beginning
from zerosum.tables.table import open_table as table_of

SHARE: Final = 1.2
"""By how many times the limit of all tables in memory the server may grow."""
SLOWEST_SECONDS: Final = 1.0
"""The longest that somebody who plays on meanwhile waits for an answer."""
_MATCH: Final = 580
"""Plies of a long match; the referee ends one soon after."""
_TRIES: Final = 30
"""How often somebody who is told to come later asks again."""
_BATCH: Final = 2_000
_MIB: Final = 2**20
_LIMIT: Final = limits.TABLE_BYTES_IN_MEMORY


@dataclass(frozen=True)
class LongTable:
    """A table in the database, and the key that holds both seats."""

    id: str
    key: Key
    events: int


def played(events: int) -> list[list[Event]]:
    """Return the events of two kinds of long tables: one match, and many matches."""
    opened = _opened(TableRequest(game=GAME, opponent="here"))
    return [[opened, *make(opened, events)] for make in (_one_match, _many_matches)]


def recorded() -> list[list[Event]]:
    """Return the one event of a table that goes on from the record of a long match."""
    match = table_of("", _opened(TableRequest(game=GAME, opponent="here"))).match
    for text in long_line(_MATCH):
        match = match.after(text)
    return [[_opened(TableRequest(record=match.record()))]]


def _opened(order: TableRequest) -> Event:
    return automatic_event(1, 1, EventKind.OPENED, Person.ONE, open_request(order).data)


def fill(database: str, kinds: Sequence[Sequence[Event]], tables: int) -> list[LongTable]:
    """Write tables of some kinds into a database that a server has made; as many have one key as a list shows."""
    made: list[LongTable] = []
    key = new_key()
    engine = open_for_upgrade(read_url(database))
    for number, (opened, *more) in enumerate(itertools.islice(itertools.cycle(kinds), tables)):
        key = new_key() if number % limits.TABLES_LISTED == 0 else key
        table = LongTable(new_id(), key, 1 + len(more))
        with engine.begin() as connection:
            queries.create(connection, table.id, opened, BOTH, key, invites=False)
        for begin in range(0, len(more), _BATCH):
            with engine.begin() as connection:
                queries.append_all(connection, [(table.id, event) for event in more[begin : begin + _BATCH]])
        made.append(table)
    engine.dispose()
    return made


def _played(version: int, person: Person, entry: str) -> Event:
    data = {"entry": entry, "command": f"move {entry}"}
    return Event(version, version, EventKind.PLAYED, person, data, f"m{version}")


def _moves(opened: Event) -> list[tuple[Person, str]]:
    """Return who makes which move in a match of sudden death that nobody wins."""
    match, made = table_of("", opened).match, []
    for text in long_line(_MATCH):
        made.append((match.to_move, text))
        match = match.after(text)
    return made


def _one_match(opened: Event, events: int) -> Iterator[Event]:
    """Return the events of one long match, whose last move is taken back and made again, time after time."""
    moves = _moves(opened)
    for version in range(2, events + 1):
        person, text = moves[min(version - 2, len(moves) - 1)]
        undone = version - 2 >= len(moves) and (version - len(moves)) % 2 == 0
        yield _played(version, person, "undo:1" if undone else text)


def _many_matches(opened: Event, events: int) -> Iterator[Event]:
    """Return the events of many long matches, each of which is resigned."""
    moves, table = _moves(opened), table_of("", opened)
    for version in range(2, events + 1):
        number, place = divmod(version - 2, len(moves) + 2)
        if place < len(moves):
            yield _played(version, *moves[place])
        elif place == len(moves):
            yield _played(version, Person.ONE, "resign:1")
        else:
            data = beginning(table, table.setup) | {"number": number + 2, "won": [0, number + 1]}
            yield Event(version, version, EventKind.BEGAN, Person.ONE, data, f"m{version}")


def _requests(table: LongTable) -> Iterator[tuple[str, str]]:
    """Return the doors by which a table is loaded, each with its name."""
    api, page = f"{API}/tables/{table.id}", f"/tables/{table.id}"
    yield "table", api
    yield "page", page
    yield "board", f"{page}/board"
    if table.events == 1:
        return
    yield "projector", f"{page}/projector"
    for since in (0, table.events // 2, table.events - 2):
        yield "events", f"{api}/events?since={since}"
    yield "record", f"{api}/matches/1/record"
    yield "review", f"{api}/matches/1/review"
    yield "review page", f"{page}/review"
    yield "hint", f"{api}/hint"
    yield "values", f"{api}/values"


def _lists(tables: Sequence[LongTable]) -> Iterator[tuple[LongTable, str, str]]:
    """Return the doors by which many tables are listed, for each key that holds some."""
    for table in {one.key: one for one in tables}.values():
        yield table, "list", f"{API}/tables"
        yield table, "Home", "/"
        yield table, "return", "/return"


def _asked(url: str, key: Key, path: str) -> Reply:
    """Ask for something, and again if it is told to come later."""
    caller = Caller(url, key.token)
    request = caller.request("GET", path)
    if not path.startswith(API):
        request = request.replace(b"Authorization: Bearer ", f"Cookie: {COOKIE}=".encode())
    for number in itertools.count(1):
        caller.send(request)
        reply = caller.reply()
        if reply.status not in (429, 503) or number == _TRIES:
            return reply
        time.sleep(float(reply.headers.get("retry-after", "1")))
    raise AssertionError(path)


def peaks(server: Server) -> tuple[float, float]:
    """Return the most MiB that the server itself has taken so far, and the largest of the processes it has started."""
    found = {one.pid: _peak(one.pid) for one in server.processes()}
    return found.pop(server.pid), max(found.values(), default=0.0)


def _peak(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return 0.0


def open_all(
    server: Server,
    database: str,
    kinds: Sequence[Sequence[Event]],
    tables: int,
    *,
    limit: int = _LIMIT,
    at_once: int = 1_500,
    say: Say = quietly,
) -> Report:
    """Open many tables by every door at once, look at long ones live, and hold the memory against the limit.

    Each request under way holds its table, also one that has left the tables in memory; `at_once` bounds these.
    """
    what = f"{tables} tables of {len(kinds[0])} events" if len(kinds[0]) > 1 else f"{tables} tables from records"
    report = Report("22", what, bound=f"the server grows by at most {SHARE:g} times {limit // _MIB} MiB")
    say("writing the tables")
    # What the first request at each door loads is code.
    _open(fill(database, kinds, len(kinds)), server.url, report, at_once)
    before, _ = peaks(server)
    long = fill(database, kinds, tables)
    players = start_players([open_table(server.url)], [server.url], seed=22)
    wait_for(lambda: all(player.ledger for player in players), PATIENCE, "a move each")
    began = time.monotonic()
    say("opening them")
    answers = _open(long, server.url, report, at_once)
    taken = time.monotonic() - began
    finish(players)
    report.broken += audit(players, server.url)
    after, worker = peaks(server)
    waits = sorted(one.took for player in players for one in player.ledger if one.at > began)
    most = SHARE * limit / _MIB
    report.check(after - before <= most, f"the server has grown by {after - before:.0f} MiB; {most:.0f} are allowed")
    report.check_time(max(waits), SLOWEST_SECONDS, "an answer to a move took")
    report.figures = {
        "answers": answers,
        "within": f"{taken:.0f} s",
        "server before": f"{before:.0f} MiB",
        "at most": f"{after:.0f} MiB",
        "worker": f"{worker:.0f} MiB",
        "moves of others meanwhile": len(waits),
        "answered, median": f"{1000 * median(waits):.0f} ms",
        "slowest": f"{1000 * waits[-1]:.0f} ms",
    }
    return report


def _open(tables: Sequence[LongTable], url: str, report: Report, at_once: int) -> int:
    """Ask for tables by every door at once, live connections held until the end; return how many were answered."""
    asks: list[Callable[[], None]] = []
    with ExitStack() as stack:

        def ask(table: LongTable, name: str, path: str) -> None:
            reply = _asked(url, table.key, path)
            report.check(reply.status == 200, f"{name} was answered {reply.status} {reply.body[:200]!r}")

        def look(table: LongTable, since: int) -> None:
            live = Live(url, table.id, table.key.token, since)
            stack.callback(live.drop)
            told, expected = live.next("state", "event")["version"], since + 1 if since else table.events
            report.check(told == expected, f"a live connection was told of version {told}, not {expected}")

        for table in tables:
            if table.events > 1:
                asks += [partial(look, table, since) for since in (0, table.events - 10)]
            asks += [partial(ask, table, *door) for door in _requests(table)]
        asks += [partial(ask, *door) for door in _lists(tables)]
        with ThreadPoolExecutor(min(len(asks), at_once)) as pool:
            for future in [pool.submit(one) for one in asks]:
                try:
                    future.result()
                except CutError as error:
                    report.broken.append(str(error))
    return len(asks)
