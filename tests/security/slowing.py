"""How much honest players notice of a flood (promise 19)."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import median

import psutil

from tests.security.calling import Caller, somebody
from tests.security.flooding import flood
from tests.security.honest import going_on
from tests.security.planted import NO_RATES
from tests.server.running import Server

CALM, WARM, FLOODED = 1.0, 1.5, 1.5
ROUNDS = 4
SLOWER = 2.0
SHARE = 0.6
"""Of a processor, that the server may need while it is flooded; without limits it needs all of it."""
UNLIMITED = NO_RATES + "limits.TOO_MANY_SECONDS = 0\n"


def opened(server: Server, **order: object) -> tuple[Caller, str]:
    """Return somebody who has opened a table, and its id."""
    ann = somebody(server, "Ann")
    state = ann.call("POST", "/api/v1/tables", {"game": "sum31", "opponent": "here", **order}).json["state"]
    return ann, state["table"]


@dataclass
class Slowed:
    """Answers to honest players in calm and in flood, the server's share of a processor, and what the flood met."""

    calm: list[float] = field(default_factory=list)
    flooded: list[float] = field(default_factory=list)
    shares: list[float] = field(default_factory=list)
    met: Mapping[str, int] = field(default_factory=dict)

    @staticmethod
    def p50(seconds: list[float]) -> float:
        """Return the median, in milliseconds."""
        return 1000 * median(seconds) if seconds else float("inf")

    @property
    def factor(self) -> float:
        """By what factor answers take longer, over all rounds so far."""
        return median(self.flooded) / median(self.calm) if self.flooded and self.calm else float("inf")


def slowed(server: Server, kind: str, table: str, rounds: int = ROUNDS) -> Slowed:
    """Flood a server in which honest people play.

    The machine may have other things to do, so calm and flood take turns. While honest players are slowed too much
    there are more rounds; each adds to the ones before, and none is left out.
    """
    seen, process = Slowed(), psutil.Process(server.pid)
    with going_on(server) as match:
        for _ in range(rounds):
            began = len(match.seconds)
            time.sleep(CALM)
            with flood(kind, server.port, table, niceness=19) as seen.met:
                seen.calm += match.seconds[began:]
                time.sleep(WARM)
                began, worked = len(match.seconds), sum(process.cpu_times()[:2])
                time.sleep(FLOODED)
                seen.flooded += match.seconds[began:]
                seen.shares.append((sum(process.cpu_times()[:2]) - worked) / FLOODED)
            if seen.factor <= SLOWER:
                break
    return seen
