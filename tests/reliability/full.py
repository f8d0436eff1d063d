"""Every harness with its full figures, on servers of its own."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.reliability import (
    clocks,
    crashes,
    cuts,
    damaged,
    disturbed,
    duel,
    endless,
    failing,
    kills,
    long_tables,
    missed,
    power,
    races,
    stopping,
    upgrades,
)
from tests.reliability import trouble as troubles
from tests.reliability.lessons import Manner, play_lesson
from tests.reliability.old import play_sample
from tests.reliability.report import Harness, Report, Say, part, some
from tests.reliability.wrapped import limited, unprivileged
from tests.server.postgres import cluster
from tests.server.running import COMMAND, Server, served

KILLS = 500
"""Kills of one server, and again of two replicas."""
MOVES_A_KILL = 200
POWER_CUTS = 2_000
MINUTE = 3.0
ABSENT = 2.0
_EVENTS = 20_000
"""Events of a long table: as many as one may have."""
_WATCHED = 200
"""Moves of which every board is looked at."""


@contextmanager
def _replicas(command: Sequence[str] = COMMAND) -> Iterator[list[Server]]:
    with ExitStack() as stack:
        database = stack.enter_context(cluster()).database()
        yield [stack.enter_context(served(database, command=command)) for _ in range(2)]


def _kills(say: Say) -> Iterator[Report]:
    with served() as server:
        yield kills.kill_under_load([server], some(KILLS), moves=MOVES_A_KILL, say=say)


def _kills_of_replicas(say: Say) -> Iterator[Report]:
    with _replicas() as servers:
        yield kills.kill_under_load(servers, some(KILLS), moves=MOVES_A_KILL, say=say)


def _power(say: Say) -> Iterator[Report]:
    yield power.cut_everywhere(some(200), tries=3, starts=5, say=say, least=some(POWER_CUTS))
    with cluster() as postgres:
        yield crashes.crash_database(postgres, some(10), moves=200, say=say)


def _cuts(say: Say) -> Iterator[Report]:
    with served() as server:
        yield cuts.cut_after_sending(server.url, some(300), say=say)
        yield cuts.use_an_id_twice(server.url)
        yield duel.forfeit_only_when_due(server.url)


def _races(say: Say) -> Iterator[Report]:
    with served() as server:
        yield races.race([server.url], some(1_000), say=say)
    with _replicas() as servers:
        yield races.race([server.url for server in servers], some(1_000), say=say)


def _missed(say: Say) -> Iterator[Report]:
    with served() as server:
        yield missed.drop_at_random([server.url], some(600), say=say)
        yield missed.come_back_late(server.url)
    with _replicas(limited(TABLES_IN_MEMORY=2)) as servers:
        urls = [server.url for server in servers]
        yield missed.drop_at_random(urls, some(300), say=say)
        yield missed.look_among_many(urls, tables=12)


def _trouble(say: Say) -> Iterator[Report]:
    say("disk")
    with troubles.small_disk() as disk:
        if disk is not None:
            with served(f"sqlite:///{disk}/tables.sqlite3") as server:
                yield troubles.endure(server, "disk full", troubles.filled(disk))
    with served(command=unprivileged()) as server:
        database = server.home / "tables.sqlite3"
        yield troubles.endure(server, "no room for its user", troubles.no_growth(server, database))
        yield troubles.endure(server, "read-only", troubles.read_only(database))
        yield troubles.endure(server, "locked", troubles.locked(database))
    with cluster() as postgres, served(postgres.database()) as server:
        yield troubles.endure(server, "PostgreSQL restarted", troubles.away(postgres))
        yield troubles.endure(server, "PostgreSQL killed", troubles.away(postgres, crashed=True))


def _clocks(say: Say) -> Iterator[Report]:
    say("server and store away, time up")
    short = limited(MINUTE_MS=int(MINUTE * 1000), ABSENT_SECONDS=int(ABSENT))
    with served(command=short) as server:
        yield clocks.be_away(server, Server.kill)
        yield clocks.be_away(server, Server.stop)
        yield clocks.be_without_store(server.url, troubles.locked(server.home / "tables.sqlite3"))
        yield clocks.outlast(server, MINUTE)
        yield clocks.run_out(server.url, MINUTE)
        yield clocks.claim(server.url, ABSENT)
    with cluster() as postgres, ExitStack() as stack:
        database = postgres.database()
        servers = [stack.enter_context(served(database)) for _ in range(2)]
        yield clocks.be_without_store(servers[1].url, troubles.away(postgres))
        yield clocks.lose_a_replica(servers)


def _files(say: Say) -> Iterator[Report]:
    with tempfile.TemporaryDirectory(prefix="zerosum-sample-") as folder:
        sample = Path(folder) / "tables.sqlite3"
        damaged.make_database(sample)
        yield damaged.refuse(sample, list(damaged.DAMAGES), say=say)


def _stops(say: Say) -> Iterator[Report]:
    with served() as server:
        yield stopping.stop_under_load(server, some(10), say=say)


def _upgrades(say: Say) -> Iterator[Report]:
    sample = play_sample()
    points = [("pwrite64", number) for number in range(1, 38, 4)] + [("fdatasync", number) for number in range(1, 7)]
    with tempfile.TemporaryDirectory(prefix="zerosum-upgrades-") as folder:
        yield upgrades.upgrade_whole(f"sqlite:///{folder}/whole.sqlite3", sample)
        yield upgrades.die(f"sqlite:///{folder}/killed.sqlite3", sample)
    yield upgrades.interrupt(sample, upgrades.KILL, points, say=say)
    yield upgrades.interrupt(sample, upgrades.FULL, points[::2], say=say)
    with cluster() as postgres:
        yield upgrades.upgrade_whole(postgres.database(), sample)
        yield upgrades.die(postgres.database(), sample)
        yield upgrades.take_long(postgres.database(), sample)
        yield upgrades.wait_for_another(postgres.database(), sample, held=10)


def _disturbed(say: Say) -> Iterator[Report]:
    with disturbed.site() as where:
        yield disturbed.disturb(where, some(100), say=say)


def _failing(say: Say) -> Iterator[Report]:
    yield failing.fail_each(failing.WORKS, every=max(1, round(1 / part())), errors=failing.ERRORS, say=say)
    yield failing.fail_store(some(300), say=say)


def _endless(say: Say) -> Iterator[Report]:
    with served() as server:
        yield endless.play_endlessly(server, say=say)
        yield endless.ask_too_much(server.url, 30, say=say)


def _memory(say: Say) -> Iterator[Report]:
    with served() as server:
        database = f"sqlite:///{server.home / 'tables.sqlite3'}"
        yield long_tables.open_all(server, database, long_tables.played(_EVENTS), 12, say=say)
    with served() as server:
        database = f"sqlite:///{server.home / 'tables.sqlite3'}"
        yield long_tables.open_all(server, database, long_tables.played(_EVENTS), 100, say=say)
    with served() as server:
        database = f"sqlite:///{server.home / 'tables.sqlite3'}"
        yield long_tables.open_all(server, database, long_tables.recorded(), 1_500, say=say)
    with cluster() as postgres:
        database = postgres.database()
        with served(database) as server:
            yield long_tables.open_all(server, database, long_tables.played(_EVENTS), 12, say=say)


def _boards(say: Say) -> Iterator[Report]:
    """Watch every board that a browser on a phone shows: all of it is about one version."""
    # Only here: the other harnesses need no browser.
    from playwright.sync_api import sync_playwright  # noqa: PLC0415

    from tests.browser.boards import watch_matches  # noqa: PLC0415
    from tests.browser.browsing import OPTIONS, chromium  # noqa: PLC0415

    say(f"{_WATCHED} moves")
    with served() as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(OPTIONS))
        page = browser.new_page(viewport={"width": 375, "height": 667}, is_mobile=True, has_touch=True)
        watched = watch_matches(page, server, _WATCHED)
        browser.close()
    figures: dict[str, object] = {"moves": watched.moves, "boards": watched.boards}
    yield Report("page", "boards on a phone", figures, watched.wrong)


def _lessons(_: Say) -> Iterator[Report]:
    with served() as server:
        database = f"sqlite:///{server.home / 'tables.sqlite3'}"
        yield play_lesson([server], database, pupils=200, seconds=some(600), manner=Manner(thought=2.5, tab=60.0))
        yield play_lesson([server], database, pupils=40, seconds=2, kills=some(20), seed=2)
    with cluster() as postgres:
        database = postgres.database()
        with served(database) as one, served(database) as other:
            yield play_lesson([one, other], database, pupils=40, seconds=2, kills=some(20), seed=3)


HARNESSES: dict[str, Harness] = {
    "lessons": _lessons,
    "kills": _kills,
    "replicas": _kills_of_replicas,
    "power": _power,
    "cuts": _cuts,
    "races": _races,
    "missed": _missed,
    "trouble": _trouble,
    "clocks": _clocks,
    "files": _files,
    "stops": _stops,
    "upgrades": _upgrades,
    "failing": _failing,
    "disturbed": _disturbed,
    "endless": _endless,
    "memory": _memory,
    "boards": _boards,
}
