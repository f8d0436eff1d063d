"""Two honest people who play on at their table, whatever happens to the server meanwhile."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from tests.patience import PATIENCE
from tests.security.calling import Socket, somebody
from tests.security.seating import move_id
from tests.server.running import Server


@dataclass
class Match:
    """How an honest match goes: how long each answer took, and what was wrong."""

    seconds: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    pause: float = 0.03

    def median_of(self, since: int) -> float:
        """Return the median of the seconds that answers took, from one on."""
        return median(self.seconds[since:])


@contextmanager
def going_on(server: Server, pause: float = 0.03) -> Iterator[Match]:
    """Have two people play, match after match, until the end of the block; whatever goes wrong fails there."""
    match, stop = Match(pause=pause), threading.Event()
    ann, ben = somebody(server, "Ann"), somebody(server, "Ben")
    opened = ann.call("POST", "/api/v1/tables", {"game": "sum31", "name": "Ann"}).json
    ben.call("POST", "/api/v1/join", {"invitation": opened["invitation"], "name": "Ben"})
    table_id = opened["state"]["table"]

    def play() -> None:
        try:
            with ann.live(table_id) as one, ben.live(table_id) as two:
                sockets = {1: one, 2: two}
                state = one.hear()["state"]
                while not stop.is_set():
                    state = _step(match, sockets, state)
                    time.sleep(match.pause)
        except Exception as error:  # noqa: BLE001 - told where the block ends
            match.wrong.append(repr(error))

    thread = threading.Thread(target=play, daemon=True)
    thread.start()
    try:
        yield match
    finally:
        stop.set()
        thread.join(PATIENCE)
    assert not thread.is_alive(), "The match stands still."
    assert match.wrong == []
    assert match.seconds, "Nobody moved."


def _step(match: Match, sockets: dict[int, Socket], state: dict[str, Any]) -> dict[str, Any]:
    """Do the next thing that is due, and return the state that it makes."""
    if state["match"]["outcome"] is None:
        asks = [(state["match"]["to_move"], {"type": "move", "move": state["match"]["legal_moves"][0]})]
    else:
        asks = [(1, {"type": "rematch"}), (2, {"type": "rematch"})]
    for person, message in asks:
        began = time.perf_counter()
        answer = sockets[person].ask({**message, "version": state["version"], "move_id": move_id()})
        match.seconds.append(time.perf_counter() - began)
        if answer["type"] != "answer" or answer["version"] != state["version"] + 1:
            match.wrong.append(str(answer)[:300])
            raise RuntimeError("no answer to a move")
        state = answer["state"]
    return state
