"""Two replicas on one database: a deleted room is gone at both, with its tables; each wall shows every board."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import Any

import httpx2
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.patience import PATIENCE
from tests.server.postgres import Cluster
from tests.server.running import Server, served

API = "/api/v1"


class Visitor:
    """Somebody with a key, who talks to one replica or the other."""

    def __init__(self, client: httpx2.Client, server: Server) -> None:
        self.client = client
        self.token = self.client.post(f"{server.url}{API}/keys").json()["token"]
        self.headers = {"Authorization": f"Bearer {self.token}"}

    def call(self, server: Server, method: str, path: str, body: Any = None) -> httpx2.Response:
        return self.client.request(method, f"{server.url}{API}{path}", json=body, headers=self.headers)

    def place(self, server: Server, code: str) -> Any:
        return self.call(server, "GET", f"/rooms/{code}/place").json()


def hear_out(socket: ClientConnection) -> None:
    """Listen until the server closes the connection, which raises."""
    while True:
        socket.recv(PATIENCE)


def test_the_wall_of_one_replica_shows_the_boards_of_the_other(postgres: Cluster) -> None:
    database = postgres.database()
    with served(database) as one, served(database) as two, httpx2.Client(timeout=PATIENCE) as client:
        teacher, *pupils = (Visitor(client, one) for _ in range(5))
        code = teacher.call(one, "POST", "/rooms", {"game": "sum31"}).json()["code"]
        for n, pupil in enumerate(pupils):
            pupil.call(one, "POST", f"/rooms/{code}/join", {"name": f"Pupil {n}"})
        with connect(f"{two.url.replace('http', 'ws')}/room/{code}/wall/live") as wall:
            teacher.call(one, "POST", f"/rooms/{code}/start")
            tables = seated(dict.fromkeys(pupils, one), code)
            shown = boards(wall, tables, "")
            assert len(shown) == 2
            # From now on only the first replica is asked; what happens there is on the wall of the second.
            for n, table in enumerate(sorted(tables)):
                for pupil in pupils:
                    pupil.call(
                        one, "POST", f"/tables/{table}/move", {"version": 1, "move_id": "m", "move": f"+{n + 2}"}
                    )
                assert f"<b>{n + 2}</b>" in boards(wall, {table}, f"<b>{n + 2}</b>")[table]
        page = client.get(f"{two.url}/room/{code}/wall").text
        assert all(f'id="board-{table}"' in page for table in tables)


def seated(pupils: Mapping[Visitor, Server], code: str) -> set[str]:
    """Wait until all pupils have a table; each asks one replica, which is a sign of being there."""
    deadline = time.monotonic() + PATIENCE
    while None in (tables := {pupil.place(server, code)["table"] for pupil, server in pupils.items()}):
        assert time.monotonic() < deadline, "not all were paired"
        time.sleep(0.1)
    return tables


def boards(wall: ClientConnection, tables: set[str], text: str) -> dict[str, str]:
    """Listen to a wall until it has shown the boards of some tables with a text; return them."""
    shown: dict[str, str] = {}
    while shown.keys() < tables:
        pieces = json.loads(wall.recv(PATIENCE)).get("pieces", {})
        found = {name.removeprefix("board-"): piece for name, piece in pieces.items()}
        shown |= {name: piece for name, piece in found.items() if name in tables and text in piece}
    return shown


def test_a_room_deleted_at_one_replica_is_gone_at_the_other(postgres: Cluster) -> None:
    database = postgres.database()
    with served(database) as one, served(database) as two, httpx2.Client(timeout=PATIENCE) as client:
        teacher, ann, ben = (Visitor(client, one) for _ in range(3))
        code = teacher.call(one, "POST", "/rooms", {"game": "sum31"}).json()["code"]
        for pupil, name, at in ((ann, "Ann", one), (ben, "Ben", two)):
            assert pupil.call(at, "POST", f"/rooms/{code}/join", {"name": name}).status_code == 200
        teacher.call(two, "POST", f"/rooms/{code}/start")
        (table,) = seated({ann: one, ben: two}, code)
        live = f"{two.url.replace('http', 'ws')}{API}/rooms/{code}/live"
        with connect(live, additional_headers=ben.headers) as socket:
            assert json.loads(socket.recv(PATIENCE))["table"] == table
            assert ben.call(two, "GET", f"/tables/{table}").status_code == 200
            assert teacher.call(one, "DELETE", f"/rooms/{code}").status_code == 200
            with pytest.raises(ConnectionClosed, match="4410"):
                hear_out(socket)
        move = {"version": 1, "move_id": "late", "move": "+1"}
        for at in (two, one):
            for pupil in (ann, ben):
                for method, path, body in (
                    ("POST", f"/tables/{table}/move", move),
                    ("GET", f"/tables/{table}", None),
                    ("GET", f"/rooms/{code}/place", None),
                    ("POST", f"/rooms/{code}/ready", None),
                    ("POST", f"/rooms/{code}/join", {"name": "Late"}),
                ):
                    reply = pupil.call(at, method, path, body)
                    assert (reply.status_code, reply.json()["code"]) == (410, "gone"), (path, reply.text)
            page = client.get(f"{at.url}/room/{code}/wall")
            assert page.status_code == 410
            assert "Ann" not in page.text
