"""Planted: times come from the wall clock as it is, on a server whose clock jumps."""

from __future__ import annotations

from typing import Any

from tests.reliability.planted import jumping
from tests.reliability.wrapped import patch
from zerosum.server.runtime.clocks import Clocks
from zerosum.server.world import World
from zerosum.tables.table import Table

real = Clocks.moment


async def moment(clocks: Clocks, table: Table, **more: Any) -> Any:
    """Believe the wall clock, whatever came before."""
    return (await real(clocks, table, **more))._replace(now=clocks._world.now_ms())


def plant() -> None:
    jumping.plant()
    patch(World, "now_ms", lambda world: int(world._wall() * 1000))
    patch(Clocks, "moment", moment)
