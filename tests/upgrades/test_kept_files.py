"""Files that earlier releases wrote, kept as they left them: this release reads each, and goes on with it.

`files` has a folder for each change of a format, made by `make_files.py` with the code of that time.
"""

from __future__ import annotations

import gzip
import json
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import Zerosum
from tests.full import parted
from tests.reliability.old import release_of
from tests.reliability.tables import Table, done, move
from tests.server.postgres import PASSWORD, Cluster
from tests.server.running import served
from zerosum.arena import plan
from zerosum.arena.strength import named_policies
from zerosum.exam import items
from zerosum.lab import goals, spaces, store
from zerosum.match import journal
from zerosum.proof import certificate
from zerosum.rules import model
from zerosum.server.db import migrations, schema

FILES = Path(__file__).parent / "files"
NEVER_LEFT = {"0001"}
"""Steps that no server left behind: the first two came together. `tests/reliability/old.py` makes such a database."""
Found = Callable[[Path], str]


def left(name: str, *, first: bool = False) -> pytest.MarkDecorator:
    """Return the mark of a test that takes every release which left a file of that name, in `make test` the first."""
    releases = sorted(folder.name for folder in FILES.glob("*-*") if (folder / name).exists())
    releases += [folder.name for folder in FILES.glob("[0-9]*.*") if (folder / name).exists()]
    return pytest.mark.parametrize("kept", parted(releases, releases[1:] if first else ()), indirect=True)


@pytest.fixture
def kept(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of what a release left, with its home in place."""
    folder = tmp_path / "kept"
    shutil.copytree(FILES / str(request.param), folder)
    monkeypatch.setenv("ZEROSUM_HOME", str(folder / "home"))
    monkeypatch.chdir(folder)
    return folder


@left("match.txt")
def test_everything_at_the_terminal_goes_on(kept: Path, zerosum: Zerosum) -> None:
    matches = {one["game"] + one["id"][6:]: one for one in zerosum("resume", "--list", "--json").ok().json()["matches"]}
    assert {name: one["moves"] for name, one in matches.items()} == {
        "sum31": ["+5", "+6"],
        "sum31-2": ["+5"],
        "small": ["+1"],
    }
    assert "Ann" in zerosum("resume", matches["sum31"]["id"], stdin="9\n8\n3\n").ok().out
    zerosum("resume", matches["sum31-2"]["id"], stdin="6\n9\n8\n3\n5\n6\n9\n8\n3\n").ok()
    zerosum("resume", matches["small"]["id"], stdin="2\n5\n4\n3\n").ok()
    assert zerosum("stats", "--json").ok().json()["matches"] >= 5
    assert zerosum("replay", "match.txt").ok().out
    review = zerosum("review", "match.txt", "--json").ok().json()
    assert [one["move"] for one in review["moves"]] == ["+5", "+6", "+9", "+8", "+3"]
    zerosum("check", "small.toml").ok()
    if (kept / "small.proof").exists():
        assert zerosum("verify", "small.proof").ok().out.startswith("small.proof: true.")


@left("home/puzzles.txt")
def test_what_was_learnt_is_known(kept: Path, zerosum: Zerosum) -> None:
    puzzles, lessons = (kept / "home" / name for name in ("puzzles.txt", "lessons.txt"))
    solved = {line.split("\t")[2] for line in puzzles.read_text().splitlines() if line.endswith("solved")}
    assert zerosum("stats", "--json").ok().json()["puzzles"]["solved"] == len(solved) > 0
    offered = zerosum("puzzle", "sum31", "--count", "2", "--seed", "1", "--json").ok().json()["puzzles"]
    assert solved.isdisjoint(one["position"] for one in offered)
    if lessons.exists():
        assert "You go on where you left." in zerosum("learn", "sum31").out


@left("home/lab.sqlite3")
@pytest.mark.usefixtures("kept")
def test_the_store_of_the_lab_is_read(zerosum: Zerosum) -> None:
    assert "all can be read" in zerosum("lab", "check").ok().out
    zerosum("metrics", "small.toml", "--json").ok()
    zerosum("search", "space.toml", "--jobs", "1", "--json").ok()
    zerosum("measure", "policy", "policy:policy.json", "--game", "two.toml", "--json").ok()


@left("arena")
def test_runs_are_reported_and_go_on(kept: Path, zerosum: Zerosum) -> None:
    match = ("arena", "match", "level:5", "random", "--game", "sum31", "--play", "--pairs", "2", "--seed", "1")
    for log, report, go_on in (
        (kept / "arena" / "pairs.log", ("arena", "report", "arena"), (*match, "--output", "arena", "--resume")),
        (
            kept / "exam" / "replies.log",
            ("exam", "report", "exam"),
            ("exam", "run", "items.jsonl", "--command", "sh answer.sh", "--output", "exam", "--resume"),
        ),
    ):
        before, said = log.read_text(), zerosum(*report, "--json").ok().json()
        log.write_text("".join(before.splitlines(keepends=True)[:-1]))
        zerosum(*go_on, "--json").ok()
        assert log.read_text() == before
        assert zerosum(*report, "--json").ok().json() == said
    zerosum("exam", "verify", "items.jsonl", "--seed", "1").ok()


@left("tables.sqlite3.gz")
def test_a_database_in_a_file_is_served(kept: Path) -> None:
    file = kept / "tables.sqlite3"
    file.write_bytes(gzip.decompress((kept / "tables.sqlite3.gz").read_bytes()))
    _go_on(f"sqlite:///{file}", json.loads((kept / "keys-sqlite.json").read_text()))


@left("tables.sql.gz", first=True)
def test_a_database_in_postgresql_is_served(kept: Path, postgres: Cluster) -> None:
    database = postgres.database()
    restore = [str(postgres.binaries / "psql"), "--quiet", "--set=ON_ERROR_STOP=1", database]
    dump = gzip.decompress((kept / "tables.sql.gz").read_bytes())
    subprocess.run(restore, input=dump, env={"PGPASSWORD": PASSWORD}, check=True, stdout=subprocess.DEVNULL)
    _go_on(database, json.loads((kept / "keys-postgresql.json").read_text()))


def _go_on(database: str, keys: dict[str, Any]) -> None:
    """Serve a database, look at its tables by the keys of their seats, and play on."""
    with served(database) as server:
        for one in keys["tables"]:
            table = Table(one["id"], tuple(one["tokens"]), "sum31")
            caller = table.caller(server.url, 1)
            state = table.state(caller)
            assert state["version"] == one["version"] == len(table.events(caller))
            assert state["match"]["moves"] == one["moves"]
            if state["match"]["outcome"] is None:
                mover = table.caller(server.url, state["match"]["to_move"])
                state = done(mover.call("POST", table.path("move"), move(state, "+6")))["state"]
                assert state["match"]["moves"][-1] == "+6"
        if "room" in keys:
            teacher = Table("", (keys["room"]["teacher"],) * 2).caller(server.url, 1)
            report = done(teacher.call("GET", f"/api/v1/rooms/{keys['room']['code']}/report"))
            assert [one["name"] for one in report["pupils"]] == ["Eve", "Fay"]
    assert release_of(database) == "new"


def test_the_report_of_a_room_is_read(zerosum: Zerosum) -> None:
    for file in FILES.glob("*/room.json"):
        assert "Eve" in zerosum("room", "report", str(file)).ok().out


def _step(file: Path) -> str:
    with closing(sqlite3.connect(":memory:")) as database:
        database.deserialize(gzip.decompress(file.read_bytes()))
        return str(database.execute("SELECT version_num FROM alembic_version").fetchone()[0])


def _dumped_step(file: Path) -> str:
    (found,) = re.findall(
        r"INTO public.alembic_version VALUES \('(\d+)'\)", gzip.decompress(file.read_bytes()).decode()
    )
    return str(found)


def _store_format(file: Path) -> str:
    with closing(sqlite3.connect(file)) as database:
        return str(database.execute("PRAGMA user_version").fetchone()[0])


def _first(pattern: str) -> Found:
    def found(file: Path) -> str:
        match = re.search(pattern, file.read_bytes().decode(errors="replace"))
        assert match is not None, file
        return match[1]

    return found


STEPS = set(migrations.steps()) - NEVER_LEFT
FORMATS: dict[str, tuple[str, Found, set[Any]]] = {
    "database in a file": ("tables.sqlite3.gz", _step, STEPS),
    "database in PostgreSQL": ("tables.sql.gz", _dumped_step, STEPS),
    "journal": ("home/matches/*/*", _first(r"zerosum journal (\d+)"), {journal.VERSION}),
    "rules": ("small.toml", _first(r"format = (\d+)"), {model.FORMAT}),
    "record": ("match.txt", _first(r'\[Format "(\d+)"\]'), {model.FORMAT}),
    "certificate": ("small.proof", _first(r"zerosum certificate (\d+)"), {certificate._VERSION}),
    "store of the lab": (f"home/{store.NAME}", _store_format, {store.FORMAT}),
    "space": ("space.toml", _first(r"format = (\d+)"), {spaces.FORMAT, goals.FORMAT}),
    "policy": ("policy.json", _first(r'"schema": (\d+)'), {named_policies.SCHEMA}),
    "run of the arena": ("arena/plan.json", _first(r'"schema": ?(\d+)'), {plan.FORMAT}),
    "exam": ("items.jsonl", _first(r'"exam":(\d+)'), set(items.FORMATS)),
    "report of a room": ("room.json", _first(r"zerosum room report (\d+)"), {1}),
}
"""Where each format is kept, how a file says its version, and the versions that this release knows."""


@pytest.mark.parametrize("name", FORMATS)
def test_every_version_of_a_format_is_kept(name: str) -> None:
    """A new version fails here until `make_files.py` has made its files."""
    where, version, known = FORMATS[name]
    assert {version(file) for file in FILES.glob(f"*/{where}")} == set(map(str, known))
    assert max(STEPS) == schema.STEP
