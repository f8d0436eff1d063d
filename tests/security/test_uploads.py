"""Variants and records made to hurt are refused in little memory, and nobody else notices (promises 13, 14).

How soon they are refused is measured by `make reliability`.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.security.calling import Caller, somebody
from tests.security.honest import going_on
from tests.security.planted import NO_RATES, changed
from tests.security.uploads import ENORMOUS, MEMORY, uploads, watched
from tests.server.running import Server, served


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with served(command=changed(NO_RATES)) as one:
        somebody(one, "Ann").call("POST", "/api/v1/analyze", {"game": "sum31"})
        yield one


@pytest.fixture(scope="module")
def ann(server: Server) -> Caller:
    return somebody(server, "Ann")


def test_hostile_files_are_refused_in_little_memory_and_honest_players_go_on(server: Server, ann: Caller) -> None:
    with going_on(server), watched(server) as memory:
        replies = {f"{n} {name}": call() for n, (name, call) in enumerate(uploads(ann))}
    wrong = {name: (one.status, one.text[:200]) for name, one in replies.items() if not 400 <= one.status < 500}
    assert wrong == {}
    assert max(memory) < MEMORY


def test_a_large_game_can_be_played_but_not_thought_about(ann: Caller) -> None:
    """Two people can play what no solver can; all that needs the solver is refused."""
    for text in ENORMOUS.values():
        state = ann.call("POST", "/api/v1/tables", {"variant": text, "opponent": "here"}).json["state"]
        table = f"/api/v1/tables/{state['table']}"
        body = {"version": 1, "move_id": "a", "move": state["match"]["legal_moves"][0]}
        assert ann.call("POST", f"{table}/move", body).status == 200
        for path in ("/values", "/hint", "/matches/1/review"):
            assert ann.call("GET", table + path).code in ("too-large", "no-solution")


def test_a_hundred_megabytes_are_refused_before_they_are_read(server: Server) -> None:
    with watched(server) as memory:
        reply = Caller(server, "nobody").call("POST", "/api/v1/tables", headers={"Content-Length": str(100 * 2**20)})
        assert (reply.status, reply.code) == (413, "too-large-body")
    assert max(memory) < MEMORY
