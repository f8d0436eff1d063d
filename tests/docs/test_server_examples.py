"""The examples of the pages on the server, run against a real one as they stand there."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from tests.patience import PATIENCE
from tests.server.postgres import PASSWORD, Cluster
from tests.server.running import Server, served
from zerosum import Move, Operation, read_match
from zerosum.server.settings import FILE_NAME

DOCS = Path(__file__).resolve().parents[2] / "docs"
API = (DOCS / "reference" / "api.md").read_text(encoding="utf-8")
HOSTING = (DOCS / "hosting.md").read_text(encoding="utf-8")
SITE = "http://127.0.0.1:8031"
DATABASE = "postgresql://zerosum@db.example.org/zerosum"
SECONDS = PATIENCE


def block(page: str, language: str) -> str:
    """Return the one fenced block of a page in a language."""
    found: list[str] = re.findall(rf"^```{language}\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    assert len(found) == 1
    return found[0]


def lines(page: str, *words: str) -> list[str]:
    """Return the lines of a page that are commands to be typed and begin with one of these words."""
    return [line.strip() for line in page.splitlines() if line.startswith(tuple(f"    {word} " for word in words))]


def shell(script: str, folder: Path, **variables: str) -> str:
    """Run a script as it would be typed; every command in it must go well."""
    path = os.pathsep.join((variables.pop("binaries", os.path.dirname(sys.executable)), os.environ["PATH"]))
    done = subprocess.run(
        ["sh", "-eu", "-c", script],
        cwd=folder,
        env={**os.environ, **variables, "PATH": path},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def call(server: Server, path: str, body: object = None, token: str = "") -> Any:
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(f"{server.url}/api/v1{path}", data, headers), timeout=SECONDS) as answer:  # noqa: S310 - our own
        return json.load(answer)


class Played:
    """A table with moves on it, and who plays there."""

    def __init__(self, server: Server) -> None:
        self.token = call(server, "/keys", {})["token"]
        order = {"game": "sum31", "opponent": "here", "name": "Ann"}
        self.table = call(server, "/tables", order, self.token)["state"]["table"]

    def move(self, server: Server, text: str) -> None:
        version = self.version(server)
        command = {"version": version, "move_id": f"m{version}", "move": text}
        call(server, f"/tables/{self.table}/move", command, self.token)

    def version(self, server: Server) -> int:
        return int(call(server, f"/tables/{self.table}")["version"])

    def moves(self, server: Server) -> list[str]:
        return list(call(server, f"/tables/{self.table}")["match"]["moves"])


def test_the_match_with_curl(tmp_path: Path) -> None:
    script = block(API, "sh")
    assert f"\nSITE={SITE}\n" in f"\n{script}"
    with served() as server:
        said = shell(script.replace(SITE, server.url), tmp_path)
    answers, record = documents(said)
    first, second, events = answers
    assert first == second
    assert first["state"]["match"]["moves"] == ["+5"]
    assert events["events"][0]["entry"] == "+5"
    match = read_match(record)
    assert match.setup.names[0] == "Ann"
    assert match.moves[0] == Move(5, Operation.ADD)


def documents(said: str) -> tuple[list[Any], str]:
    """Return the JSON documents that a text begins with, one behind the other, and what comes after them."""
    found: list[Any] = []
    while said.startswith("{"):
        document, end = json.JSONDecoder().raw_decode(said)
        found.append(document)
        said = said[end:]
    return found, said


@pytest.fixture
def bot(tmp_path: Path) -> list[str]:
    path = tmp_path / "bot.py"
    path.write_text(block(API, "python"), encoding="utf-8")
    return [sys.executable, "-W", "error", str(path)]


def test_two_bots_play_each_other_though_the_server_is_killed(bot: list[str]) -> None:
    with served() as server:
        pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        host = subprocess.Popen([*bot, server.url], **pipes)
        try:
            invitation = str(host.stdout.readline()).removeprefix("Invitation: ").strip() if host.stdout else ""
            server.kill()
            server.start()
            guest = subprocess.run([*bot, server.url, invitation], timeout=SECONDS, check=False, **pipes)
            said, complaints = host.communicate(timeout=SECONDS)
        finally:
            host.kill()
            host.wait()
    assert (guest.returncode, host.returncode, guest.stderr, complaints) == (0, 0, "", "")
    assert said.startswith("Other bot has joined. Bot is to move.\n")
    ends = [re.findall(r"^The end: (.* won.*\.)$", text, re.MULTILINE) for text in (guest.stdout, said)]
    assert ends[0] == ends[1]
    assert len(ends[0]) == 1
    plays = [re.findall(r"^.* plays .*$", text, re.MULTILINE) for text in (guest.stdout, said)]
    assert plays[0] == plays[1], "each is told of each move once"
    assert len(plays[0]) == len(set(plays[0])) >= 3


def test_a_backup_of_a_running_server_is_made_and_put_back(tmp_path: Path) -> None:
    copying = lines(HOSTING, "python3 -c")
    putting_back = lines(HOSTING, "mkdir", "mv", "cp")
    assert [line.split()[0] for line in (*copying, *putting_back)] == ["python3", "mkdir", "mv", "cp"]
    file = tmp_path / "data" / FILE_NAME
    with served(f"sqlite:///{file}") as server:
        played = Played(server)
        played.move(server, "+5")
        shell(copying[0], file.parent)
        played.move(server, "+6")
        server.stop()
        shell("\n".join(putting_back), file.parent)
        server.start()
        assert played.moves(server) == ["+5"]
        played.move(server, "+9")
        assert played.moves(server) == ["+5", "+9"]


def test_a_dump_of_postgresql_is_made_and_put_back(tmp_path: Path, postgres: Cluster) -> None:
    dumping, restoring = lines(HOSTING, "pg_dump", "pg_restore")
    database = postgres.database()
    for line in (dumping, restoring):
        assert DATABASE in line
    typed = {"PGPASSWORD": PASSWORD, "binaries": str(postgres.binaries)}
    named = database.replace(f":{PASSWORD}@", "@")
    with served(database) as server:
        played = Played(server)
        played.move(server, "+5")
        shell(dumping.replace(DATABASE, named), tmp_path, **typed)
        played.move(server, "+6")
        server.stop()
        shell(restoring.replace(DATABASE, named), tmp_path, **typed)
        server.start()
        assert played.moves(server) == ["+5"]
        played.move(server, "+9")
        assert played.moves(server) == ["+5", "+9"]
