"""What a redraw of a board costs the server: CPU and calls, for two people who play online and a spectator.

Every move is followed by one redraw for each of the three, as the script of the page asks for it. The application runs
in this process, so that nothing but its own work counts.

    python -m benchmarks.redraw
"""

from __future__ import annotations

import asyncio
import logging
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from types import FrameType
from typing import Final

import structlog
from fastapi import FastAPI

from benchmarks.measure import at_most
from tests.server.inside import Inside, inside

_MATCHES: Final = 12
_MOVES: Final = ["+1", "+2", "+3", "+4", "+5", "+6", "+7"]
_BEFORE: Final = 4.5
"""CPU milliseconds of a redraw when every viewer had a board drawn from nothing, on two shared cores."""
_OURS: Final = "/zerosum/"


async def _redraws(app: FastAPI, around: Callable[[], None]) -> list[float]:
    """Play matches; return the CPU seconds of each redraw. Call `around` before and after each."""
    spent = list[float]()
    for match in range(_MATCHES):
        # Each match has addresses of its own, since one address may not ask for as much as all matches do.
        host, guest, spectator = (Inside(app, f"127.0.{match}.{n}") for n in (1, 2, 3))
        order = {"game": "sum31", "opponent": "human", "name": "Ann", "first": "me"}
        opened = await host.call("POST", "/tables", order, form=True)
        place = dict(opened.headers)[b"location"].decode()
        page = (await host.call("GET", f"{place}/board")).body.decode()
        invitation = page.partition("/join/")[2].partition('"')[0]
        await guest.call("POST", f"/join/{invitation}", {"name": "Ben"}, form=True)
        for n, move in enumerate(_MOVES):
            mover = (host, guest)[n % 2]
            fields = {"version": str(n + 2), "move_id": f"m{n}", "move": move}
            played = await mover.call("POST", f"{place}/move", fields, form=True)
            if played.status != 303:  # noqa: PLR2004 - the redirect after a form
                raise AssertionError(played.body)
            for viewer in (host, guest, spectator):
                await asyncio.sleep(0)
                began = time.process_time()
                around()
                await viewer.call("GET", f"{place}/board")
                around()
                spent.append(time.process_time() - began)
    return spent


class _Calls:
    """Counts calls of our functions while it is switched on."""

    def __init__(self) -> None:
        self.count = 0
        self.modules: set[str] = set()
        self.on = False

    def switch(self) -> None:
        self.on = not self.on
        sys.setprofile(self._note if self.on else None)

    def _note(self, frame: FrameType, event: str, _: object) -> None:
        if event == "call" and _OURS in frame.f_code.co_filename:
            self.count += 1
            self.modules.add(frame.f_code.co_filename)


def main() -> None:
    """Print the figures against their limits."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    with tempfile.TemporaryDirectory() as folder:
        spent = inside(Path(folder), lambda app: _redraws(app, lambda: None))
    calls = _Calls()
    with tempfile.TemporaryDirectory() as folder:
        inside(Path(folder), lambda app: _redraws(app, calls.switch))
    each = median(spent) * 1000
    print(f"      {len(spent)} redraws, {calls.count / len(spent):.0f} calls each in {len(calls.modules)} modules")
    at_most(f"CPU of a redraw ({each:.2f} ms)", each / _BEFORE, 0.5, f"{_BEFORE} ms")


if __name__ == "__main__":
    main()
