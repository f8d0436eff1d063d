"""The world outside a server comes in by one door, and its clock goes on evenly."""

from __future__ import annotations

import ast
from pathlib import Path

import zerosum.server
from zerosum.server.world import World

FORBIDDEN = {"time", "secrets", "random", "threading", "concurrent"}
SERVER = Path(zerosum.server.__file__).parent


def imported(path: Path) -> set[str]:
    """Return the top-level packages that a module imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {one.name.partition(".")[0] for one in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            found.add((node.module or "").partition(".")[0])
    return found


def test_no_other_module_of_the_server_knows_time_chance_or_threads() -> None:
    assert imported(SERVER / "world.py") >= FORBIDDEN - {"secrets", "threading"}
    others = [path for path in SERVER.rglob("*.py") if path.name != "world.py"]
    assert len(others) > 40
    assert {path.name: FORBIDDEN & imported(path) for path in others if FORBIDDEN & imported(path)} == {}
    blocking = [path.name for path in others if "to_thread" in path.read_text()]
    assert blocking == []


class Clocks:
    """A wall clock that somebody sets, and one that nobody can."""

    def __init__(self) -> None:
        self.wall, self.steady = 1_000.0, 5.0

    def world(self) -> World:
        return World(wall=lambda: self.wall, monotonic=lambda: self.steady)

    def wait(self, seconds: float) -> None:
        self.wall += seconds
        self.steady += seconds


def test_a_jump_of_the_wall_clock_is_not_followed() -> None:
    clocks = Clocks()
    world = clocks.world()
    for jump in (3600.0, -7200.0, 0.0):
        clocks.wall += jump
        before = world.now_ms()
        clocks.wait(2)
        assert world.now_ms() - before == 2000
    assert clocks.world().now_ms() == int(clocks.wall * 1000), "a server that starts believes its clock"


def test_small_corrections_are_followed_and_time_never_runs_backwards() -> None:
    clocks = Clocks()
    world = clocks.world()
    clocks.wall += 0.4
    assert world.now_ms() == 1_000_400
    clocks.wall -= 0.3
    assert world.now_ms() == 1_000_400
