"""Makes the files that a release leaves behind, by using it: one match of each kind, a run, a set, a store, a database.

    git archive COMMIT src | tar -x -C /tmp/then
    python -m tests.upgrades.make_files tests/upgrades/files/NAME /tmp/then/src

What a release cannot do yet is left out. Run it once when a format changes, and commit the folder.
"""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

from tests.server.postgres import PASSWORD, cluster

API = "/api/v1"
VARIANT = """\
format = 1
id = "small"
name = "Small"
pool = [1, 2, 3, 4, 5]
target = 9
overshoot = "loses"
"""
SPACE = """\
format = 1
name = "A few"
like = "sum31"
[vary]
n = "4..5"
pool = "1..n"
target = "n..n+2"
"""
POLICY = {
    "schema": 1,
    "game": "two",
    "policy": {"1,2 0 1": {"+1": 0.5, "+2": 0.5}, "2 1 2": {"+2": 1}, "1 2 2": {"+1": 1}},
}
TWO = 'format = 1\nid = "two"\nname = "Two"\npool = [1, 2]\ntarget = 3\n'
ANSWER = "#!/bin/sh\necho 'MOVE: +1'\n"
TURNS = "\n".join(["hint", *(f"{sign}{number}" for sign in "+-" for number in range(1, 10))] * 3)
"""Answers to any question: some of them are right."""


class Release:
    """The code of a release, and the folder for what it writes."""

    def __init__(self, folder: Path, source: Path) -> None:
        self.folder = folder
        self.env = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(source.resolve()),
            "ZEROSUM_HOME": str(folder.resolve() / "home"),
        }
        self.command = [sys.executable, "-P", "-m", "zerosum"]
        done = subprocess.run([*self.command, "--help"], env=self.env, check=True, capture_output=True, text=True)
        self.commands = {line.split()[0] for line in done.stdout.splitlines() if line.startswith("  ")}

    def run(self, *words: str, stdin: str = "") -> None:
        """Run a command, if this release has it."""
        if words[0] not in self.commands:
            return
        done = subprocess.run(
            [*self.command, *words],
            env=self.env,
            cwd=self.folder,
            input=stdin,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode not in (0, 1):  # 1: the input ended before the match
            sys.stderr.write(f"zerosum {' '.join(words)}: {done.stderr}")


def play(release: Release) -> None:
    """Play a match to its end, one to the middle, and one game of a series."""
    release.run("play", "sum31", "--names", "Ann", "Bob", "--record", "match.txt", stdin="5\n6\n9\n8\n3\n")
    release.run("play", "sum31", "--names", "Ann", "Bob", stdin="5\n6\n")
    release.run("play", "sum31", "--names", "Cy", "Di", "--best-of", "3", stdin="5\n6\n9\n8\n3\n\n5\n")
    release.run("play", "small.toml", stdin="1\n")


def learn(release: Release) -> None:
    """Solve puzzles, the one of a day too, and begin a course."""
    release.run("puzzle", "sum31", "--count", "2", "--seed", "1", stdin=TURNS)
    release.run("puzzle", "--daily", stdin=TURNS)
    release.run("learn", "sum31", stdin=TURNS)


def measure(release: Release) -> None:
    """Write a certificate, a store, a run of the arena, a set of the exam and a run of it."""
    release.run("prove", "small.toml", "--output", "small.proof")
    release.run("metrics", "small.toml")
    release.run("search", "space.toml", "--jobs", "1")
    match = ("arena", "match", "level:5", "random", "--game", "sum31", "--play", "--pairs", "2", "--seed", "1")
    release.run(*match, "--output", "arena")
    drawn = ("exam", "make", "--games", "sum31", "--count", "2", "--fresh", "0", "--reskin", "1", "--seed", "1")
    release.run(*drawn, "--out", "items.jsonl")
    release.run("exam", "run", "items.jsonl", "--command", "sh answer.sh", "--out", "exam")


def serve(release: Release) -> None:
    """Play online and hold a lesson, on SQLite and on PostgreSQL."""
    if "serve" not in release.commands:
        return
    _play_online(release, "sqlite", [])
    file = release.folder / "home" / "tables.sqlite3"
    (release.folder / "tables.sqlite3.gz").write_bytes(gzip.compress(file.read_bytes(), mtime=0))
    for left in file.parent.glob("tables.sqlite3*"):
        left.unlink()
    with cluster() as postgres:
        database = postgres.database()
        _play_online(release, "postgresql", ["--database", database])
        dump = [str(postgres.binaries / "pg_dump"), "--inserts", "--no-owner", database]
        dumped = subprocess.check_output(dump, env={"PGPASSWORD": PASSWORD})
        (release.folder / "tables.sql.gz").write_bytes(gzip.compress(dumped, mtime=0))


def _play_online(release: Release, name: str, options: list[str]) -> None:
    """Play a match to its end and one to the middle, hold a lesson, and keep the keys of the seats."""
    words = [*release.command, "serve", "--port", "0", *options]
    with subprocess.Popen(
        words, env=release.env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout is not None
        try:
            url = next(word for line in server.stdout for word in line.split() if word.startswith("http://"))
            url = url.rstrip("/.")
            kept: dict[str, Any] = {"tables": [_table(url, ("+5", "+6", "+9", "+8", "+3")), _table(url, ("+5",))]}
            if "room" in release.commands:
                kept["room"] = _lesson(url, release.folder)
        finally:
            server.terminate()
    (release.folder / f"keys-{name}.json").write_text(json.dumps(kept, indent=1) + "\n")


def _call(url: str, path: str, body: object = None, token: str = "", *, method: str = "POST") -> Any:
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
    data = None if method == "GET" else json.dumps(body if body is not None else {}).encode()
    asked = urllib.request.Request(url + API + path, data, headers, method=method)  # noqa: S310 - our own address
    with urllib.request.urlopen(asked) as answer:  # noqa: S310 - our own address
        return json.load(answer)


def _table(url: str, moves: tuple[str, ...]) -> dict[str, Any]:
    tokens = [_call(url, "/keys")["token"] for _ in range(2)]
    opened = _call(url, "/tables", {"game": "sum31", "name": "Ann"}, tokens[0])
    state = _call(url, "/join", {"invitation": opened["invitation"], "name": "Bob"}, tokens[1])["state"]
    path = f"/tables/{state['table']}"
    for number, move in enumerate(moves):
        sent = {"version": state["version"], "move_id": f"m{number}", "move": move}
        state = _call(url, f"{path}/move", sent, tokens[state["match"]["to_move"] - 1])["state"]
    return {"id": state["table"], "tokens": tokens, "version": state["version"], "moves": moves}


def _lesson(url: str, folder: Path) -> dict[str, Any]:
    teacher, *pupils = [_call(url, "/keys")["token"] for _ in range(3)]
    code = _call(url, "/rooms", {"game": "sum31", "minutes": 5}, teacher)["code"]
    for name, pupil in zip(("Eve", "Fay"), pupils, strict=True):
        _call(url, f"/rooms/{code}/join", {"name": name}, pupil)
    _call(url, f"/rooms/{code}/start", {}, teacher)
    report = _call(url, f"/rooms/{code}/report", token=teacher, method="GET")
    (folder / "room.json").write_text(json.dumps(report) + "\n")
    return {"code": code, "teacher": teacher, "pupils": pupils}


def main(folder: Path, source: Path) -> None:
    """Fill a folder with the files of a release."""
    folder.mkdir(parents=True)
    given = {
        "small.toml": VARIANT,
        "two.toml": TWO,
        "space.toml": SPACE,
        "policy.json": json.dumps(POLICY),
        "answer.sh": ANSWER,
    }
    for name, text in given.items():
        (folder / name).write_text(text)
    release = Release(folder, source)
    for step in (play, learn, measure, serve):
        step(release)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
