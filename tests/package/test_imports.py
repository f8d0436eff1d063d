"""What is loaded, what is visible, and what a system may lack."""

from __future__ import annotations

import json
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import zerosum
from tests.cli.command import GOLDEN, TIMEOUT
from tests.cli.pty_play import Person

HEAVY = (
    "alembic",
    "asyncio",
    "fastapi",
    "gymnasium",
    "inspect_ai",
    "jinja2",
    "matplotlib",
    "mcp",
    "numpy",
    "pettingzoo",
    "psycopg",
    "pydantic",
    "pyspiel",
    "rich",
    "sqlalchemy",
    "starlette",
    "uvicorn",
)

REPORT = """
import json, sys
from zerosum.cli import main
sys.argv = ["zerosum", *json.loads(sys.argv[1])]
try:
    main()
except SystemExit as ended:
    print(json.dumps([ended.code, sorted(sys.modules)]), file=sys.stderr)
"""


def modules_after(args: list[str], stdin: str = "") -> set[str]:
    """Return the names of the modules that a command has loaded when it ends."""
    done = subprocess.run(
        [sys.executable, "-c", REPORT, json.dumps(args)],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=True,
    )
    status, names = json.loads(done.stderr.splitlines()[-1])
    assert status == 0, done
    return set(names)


LIGHT: list[tuple[list[str], str]] = [
    (["--help"], ""),
    (["--version"], ""),
    (["games", "--json"], ""),
    (["serve", "--help"], ""),
    (["exam", "--help"], ""),
    (["arena", "--help"], ""),
    (["resume", "--list", "--json"], ""),
    (["play", "sum31"], (GOLDEN / "sum31.in").read_text()),
    (["play", "zero-sum-duel", "--vs", "random"], "+5\nresign\n"),
]


@pytest.mark.parametrize(("args", "stdin"), LIGHT)
def test_light_commands_load_nothing_heavy(args: list[str], stdin: str) -> None:
    loaded = modules_after(args, stdin)
    assert loaded.isdisjoint(HEAVY), loaded & set(HEAVY)
    assert "zerosum.cli.terminal_text" in loaded  # the list is that of the process that ran the command


PLAYING = 90
"""The modules of zerosum that a match without a computer needs, at most."""


def test_a_match_through_a_pipe_loads_no_workshop_and_few_modules() -> None:
    loaded = modules_after(["play", "sum31"], (GOLDEN / "sum31.in").read_text())
    ours = sorted(name for name in loaded if name.partition(".")[0] == "zerosum")
    assert [name for name in ours if name.split(".")[1:2] in (["arena"], ["lab"], ["exam"])] == []
    assert len(ours) <= PLAYING, ours


def test_the_home_of_a_newcomer_loads_no_parser_of_commands_and_no_lesson(tmp_path: Path) -> None:
    with Person((sys.executable, "-c", REPORT), "[]", ZEROSUM_HOME=str(tmp_path)) as newcomer:
        newcomer.sees("q to quit: ").types("q")
        assert newcomer.ends() == 0
    loaded = set(json.loads(newcomer.text.splitlines()[-1])[1])
    assert "zerosum.cli.home_menu" in loaded
    assert loaded.isdisjoint({*HEAVY, "click", "platformdirs", "zerosum.solver", "zerosum.coach.lessons"})


@pytest.mark.parametrize("args", [["--version"], ["--help"]])
def test_help_and_version_load_no_game(args: list[str]) -> None:
    rooms = ("zerosum.rules.model", "zerosum.rules.game_files", "zerosum.match", "zerosum.players", "zerosum.solver")
    loaded = modules_after(args)
    assert [name for name in loaded if name.startswith(rooms)] == []


def test_importing_the_package_loads_only_its_version() -> None:
    code = "import sys, zerosum; print(sorted(name for name in sys.modules if name.startswith('zerosum')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=TIMEOUT)
    assert done.stdout == "['zerosum', 'zerosum.version']\n"


def test_all_is_what_is_visible() -> None:
    assert dir(zerosum) == sorted(zerosum.__all__)
    for name in zerosum.__all__:
        assert getattr(zerosum, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        zerosum.nonsense  # noqa: B018 - asking is the test


def test_a_star_import_gives_exactly_all() -> None:
    names: dict[str, object] = {}
    exec("from zerosum import *", names)  # noqa: S102 - the statement is the thing tested
    del names["__builtins__"]
    assert sorted(names) == sorted(zerosum.__all__)


def test_doctests_are_on(pytestconfig: pytest.Config) -> None:
    assert pytestconfig.getoption("doctestmodules")
    assert "src" in pytestconfig.getini("testpaths")


RUN_BY_OTHERS = {
    "zerosum.__main__",
    "zerosum.server.db.migrations.env",
    "zerosum.exam.inspect_tasks",
    "zerosum.envs.stable_baselines",
}
"""Python's own door; those of Alembic, Inspect and Stable-Baselines3, which mean something only inside these."""


def every_module() -> list[str]:
    found = {one.name for one in pkgutil.walk_packages(zerosum.__path__, "zerosum.")}
    assert found >= RUN_BY_OTHERS
    return sorted(found - RUN_BY_OTHERS)


@pytest.mark.slow
def test_every_module_imports_by_itself_with_warnings_as_errors() -> None:
    names = every_module()
    assert {"zerosum.cli.menu", "zerosum.base.files", "zerosum.rules.skins"} <= set(names)
    code = f"import importlib\nfor name in {names!r}: importlib.import_module(name)"
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, timeout=TIMEOUT)


WITHOUT = """
import importlib, sys, types
for name in ("fcntl", "readline"):
    sys.modules[name] = None  # importing it is now an ImportError
locks = []
msvcrt = types.ModuleType("msvcrt")  # what Windows has in place of fcntl
msvcrt.LK_NBLCK = 2
msvcrt.locking = lambda file, mode, size: locks.append(mode)
sys.modules["msvcrt"] = msvcrt
import zerosum.base.files
del sys.modules["msvcrt"]  # others must not take this for Windows
"""


@pytest.mark.full
def test_every_module_imports_without_fcntl_and_readline() -> None:
    # Dask takes a machine without fcntl for Windows, where it needs the true msvcrt; the MCP SDK does not ask.
    names = [name for name in every_module() if name not in ("zerosum.lab.cluster", "zerosum.assistant.mcp_server")]
    code = f"{WITHOUT}\nfor name in {names!r}: importlib.import_module(name)"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=TIMEOUT)


def test_a_match_is_played_without_fcntl_and_readline() -> None:
    code = f"{WITHOUT}\nfrom zerosum.cli import main\nsys.argv = ['zerosum', 'play', 'sum31']\nmain()"
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=(GOLDEN / "sum31.in").read_bytes(),
        capture_output=True,
        timeout=TIMEOUT,
        check=True,
    )
    assert done.stdout == (GOLDEN / "sum31.txt").read_bytes()
