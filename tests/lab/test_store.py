"""The store: what is kept comes back, in any process; what is not ours or damaged is refused and left as it is."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from zerosum.lab import store as module
from zerosum.lab.filters import KINDS
from zerosum.lab.goals import Stage
from zerosum.lab.store import NAME, VERSION, Store, StoreError, open_store
from zerosum.rules.game_files import load_game


def test_facts_games_and_runs_come_back(home: Path) -> None:
    sum31 = load_game("sum31")
    with open_store(home) as store:
        store.keep("value", {"aa": {"winner": 1}, "bb": [1, 2.5, None]})
        store.keep_games([sum31, replace(sum31, id="twin", name="Twin")])
        store.keep_run("search x", {"done": 3})
    with open_store(home) as store:
        assert store.facts("value", ["aa", "bb", "cc", "aa"]) == {"aa": {"winner": 1}, "bb": [1, 2.5, None]}
        assert store.facts("metrics", ["aa"]) == {}
        assert store.game(replace(sum31, id="other", start=(5,), target=36)) == sum31
        assert store.game(load_game("zero-sum-duel")) is None
        assert store.run("search x") == {"done": 3}
        assert store.run("search y") is None
        assert store.check() == 4


def test_more_facts_than_one_query_asks_for(home: Path) -> None:
    with open_store(home) as store:
        store.keep("value", {str(n): n for n in range(1_203)})
        assert store.facts("value", map(str, range(1_300))) == {str(n): n for n in range(1_203)}


def test_a_row_of_another_version_is_unread_and_replaced(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_store(home) as store:
        store.keep("odds", {"aa": {"x": 1}, "bb": {}})
        monkeypatch.setitem(VERSION, "odds", "2")
        assert store.facts("odds", ["aa"]) == {}
        assert store.add("odds", "aa", {"y": 2}) == {"y": 2}
        assert store.add("odds", "aa", {"z": 3}) == {"y": 2, "z": 3}
        (count,) = store.counts()
        assert (count.kind, count.rows, count.old) == ("odds", 2, 1)
        assert store.forget(old=True) == 1
        assert store.facts("odds", ["aa"]) == {"aa": {"y": 2, "z": 3}}
        assert store.forget() == 1
        assert store.counts() == []


def test_every_fact_about_levels_has_their_table_in_its_version() -> None:
    """Only who wins, and by which openings, is true at every level."""
    assert {kind for kind in KINDS.values() if "levels" not in VERSION[kind]} == {KINDS[Stage.SOLVE]}


def _spoiled(path: Path, how: str) -> None:
    whole = bytearray(path.read_bytes())
    if how == "text":
        path.write_text("Dear diary,\n")
    elif how == "cut":
        path.write_bytes(whole[: len(whole) // 2])
    elif how == "short":
        path.write_bytes(whole[:50])
    elif how == "zeros":
        whole[4096:] = bytes(len(whole) - 4096)
        path.write_bytes(whole)
    elif how == "letter":
        at = whole.index(b"untouched")
        whole[at] = ord("U")
        path.write_bytes(whole)
    elif how == "newer":
        with sqlite3.connect(path) as connection:
            connection.execute("PRAGMA user_version = 2")
        connection.close()
    elif how == "foreign":
        path.unlink()
        with sqlite3.connect(path) as connection:
            connection.execute("CREATE TABLE facts (x)")
        connection.close()
    elif how == "log":
        with sqlite3.connect(path) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
        connection.close()


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("text", "damaged"),
        ("cut", "damaged"),
        ("short", "damaged"),
        ("zeros", "damaged"),
        ("letter", "damaged"),
        ("log", "damaged"),
        ("newer", "a newer zerosum"),
        ("foreign", "not a store of zerosum"),
    ],
)
def test_a_file_that_cannot_be_trusted_is_refused_and_left_as_it_is(home: Path, how: str, words: str) -> None:
    with open_store(home) as store:
        store.keep("value", {f"{n:064}": "untouched" for n in range(400)})
    path = home / NAME
    _spoiled(path, how)
    before = path.read_bytes()
    # It may open, if the damage is in a row.
    with pytest.raises(StoreError, match=words) as error, open_store(home) as store:
        store.facts("value", [f"{n:064}" for n in range(400)])
    assert "\n" not in str(error.value)
    assert str(path) in str(error.value)
    assert path.read_bytes() == before
    assert os.listdir(home) == [NAME]


def test_an_empty_file_becomes_a_store_and_a_folder_does_not(home: Path) -> None:
    home.mkdir()
    (home / NAME).touch()
    with open_store(home) as store:
        store.keep("value", {"aa": 1})
    (home / NAME).unlink()
    (home / NAME).mkdir()
    with pytest.raises(StoreError, match="cannot be used"):
        open_store(home)


def test_a_folder_that_cannot_be_made_is_one_line(home: Path) -> None:
    home.write_text("a file")
    with pytest.raises(StoreError, match="cannot be used"):
        open_store(home)


def _put_and_fail(store: Store) -> None:
    store._put("runs", [("key", "1")])
    raise StoreError


def test_a_batch_is_kept_whole_or_not_at_all(home: Path) -> None:
    with open_store(home) as store:
        with pytest.raises(TypeError):
            store.keep("value", {"aa": 1, "bb": object()})
        with pytest.raises(StoreError), store._writing():
            _put_and_fail(store)
        assert store.check() == 0


def test_no_write_ahead_log(home: Path) -> None:
    with open_store(home) as store:
        store.keep("value", {"aa": 1})
        assert store._connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)


_WRITER = """
import sys
from pathlib import Path
from zerosum.lab.store import open_store
home, name = Path(sys.argv[1]), sys.argv[2]
for n in range(int(sys.argv[3])):
    with open_store(home) as store:
        store.keep("value", {f"{name}{n}{k}": n for k in range(3)})
        store.add("odds", "shared", {f"{name}{n}": n})
        print(n, flush=True)
"""


def test_two_processes_at_once_lose_nothing(home: Path) -> None:
    commands = [[sys.executable, "-c", _WRITER, str(home), name, "25"] for name in "ab"]
    processes = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for command in commands]
    assert [process.wait() for process in processes] == [0, 0]
    with open_store(home) as store:
        assert len(store.facts("odds", ["shared"])["shared"]) == 50
        assert store.check() == 151


def test_a_killed_writer_leaves_whole_batches(home: Path) -> None:
    process = subprocess.Popen([sys.executable, "-c", _WRITER, str(home), "a", "10000"], stdout=subprocess.PIPE)
    assert process.stdout is not None
    for _ in range(20):
        process.stdout.readline()
    process.send_signal(signal.SIGKILL)
    process.communicate()
    with open_store(home) as store:
        kept = store.facts("odds", ["shared"])["shared"]
        assert len(kept) >= 20
        rows = store.facts("value", [f"a{n}{k}" for n in range(len(kept)) for k in range(3)])
        assert len(rows) == 3 * len(kept)
        store.check()


def test_a_row_of_every_table_has_a_digest(home: Path) -> None:
    with open_store(home) as store:
        store.keep("value", {"aa": 1})
        store.keep_run("key", 2)
        store.keep_games([load_game("sum31")])
        for table, key in (("facts", "fingerprint"), ("runs", "key"), ("games", "fingerprint")):
            store._connection.execute(f"UPDATE {table} SET {key} = 'zz'")  # noqa: S608 - our names
            with pytest.raises(StoreError, match="damaged"):
                list(store.rows(table))
    assert module.FORMAT == 1
