"""The installed command `zerosum serve`, run as whoever hosts it runs it."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from tests.patience import PATIENCE
from tests.server.leash import release, signal_group, spawn
from tests.server.ports import free_port

COMMAND = (os.path.join(os.path.dirname(sys.executable), "zerosum"), "serve")
START_SECONDS = STOP_SECONDS = GONE_SECONDS = PATIENCE
_READY = re.compile(r"^Serving on (http://\S+)\n", re.MULTILINE)
_UNWANTED = ("ZEROSUM_DATABASE", "PYTHONWARNINGS", "PYTHONIOENCODING", "NO_COLOR", "FORCE_COLOR")

Option = str | int | bool | Sequence[str]


def alive(process: psutil.Process) -> bool:
    """Return whether a process runs; one that has ended but was not yet asked for its status does not."""
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


class ServerError(AssertionError):
    """The server did not start or stop; the message holds what it has written."""


@dataclass
class Server:
    """One server with its home and its port, which it keeps when it is started again."""

    command: Sequence[str]
    home: Path
    port: int
    env: Mapping[str, str]
    url: str = ""
    _process: subprocess.Popen[bytes] | None = None
    _starts: int = 0
    _known: set[psutil.Process] = field(default_factory=set)

    @property
    def pid(self) -> int:
        """Return the id of the running process."""
        assert self._process is not None, "The server is not running."
        return self._process.pid

    @property
    def running(self) -> bool:
        """Whether the server was started and has not been ended."""
        return self._process is not None

    @property
    def out(self) -> str:
        """Return what all runs so far have written on standard output."""
        return self._written("out")

    @property
    def log(self) -> str:
        """Return what all runs so far have written on standard error."""
        return self._written("err")

    def _written(self, stream: str) -> str:
        paths = (self.home / f"{n}.{stream}" for n in range(1, self._starts + 1))
        return "".join(path.read_text(errors="replace") for path in paths)

    def start(self) -> None:
        """Start the server and wait for the line by which it says that it serves."""
        assert self._process is None, "The server is running."
        self._starts += 1
        out = self.home / f"{self._starts}.out"
        with out.open("wb") as stdout, (self.home / f"{self._starts}.err").open("wb") as stderr:
            command = [*self.command, "--port", str(self.port)]
            process = spawn(command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr, env=self.env)
        deadline = time.monotonic() + START_SECONDS
        while not (ready := _READY.search(out.read_text(errors="replace"))):
            ended = process.poll() is not None
            if ended or time.monotonic() > deadline:
                signal_group(process, signal.SIGKILL)
                release(process)
                raise ServerError(f"exit status {process.returncode}:\n{self.out}{self.log}")
            time.sleep(0.01)
        self._process = process
        self.url = ready[1].rstrip("/")
        self.port = int(self.url.rpartition(":")[2])

    def stop(self) -> int:
        """Ask the server to end, and return its exit status."""
        return self._end(signal.SIGTERM)

    def kill(self) -> None:
        """End the server as a crash does. Only the process itself: those that it has started must notice."""
        self._end(signal.SIGKILL)

    def _end(self, number: int) -> int:
        assert self._process is not None, "The server is not running."
        self._look()
        process, self._process = self._process, None
        process.send_signal(number)
        try:
            return release(process, STOP_SECONDS)
        except subprocess.TimeoutExpired:
            raise ServerError(f"it did not end:\n{self.log}") from None

    def restart(self) -> None:
        """Start the server again where it was, on what it has kept; a running one is stopped first."""
        if self.running:
            self.stop()
        self.start()

    def processes(self) -> list[psutil.Process]:
        """Return every process of this server, also those that one which has ended had started."""
        self._look()
        return [one for one in self._known if alive(one)]

    def _look(self) -> None:
        """Note what the running process has started: once it has ended, they are nobody's children."""
        if self._process is not None and self._process.poll() is None:
            process = psutil.Process(self._process.pid)
            self._known |= {process, *process.children(recursive=True)}


@contextmanager
def served(
    database: str | None = None,
    *,
    port: int | None = None,
    env: Mapping[str, str] | None = None,
    command: Sequence[str] = COMMAND,
    **options: Option,
) -> Iterator[Server]:
    """Run a server in a fresh home until the end of the block.

    `public_url=["https://a.example"]`, `behind_proxy=True` and the like are options of the command. Without a database
    it is a file in the home. `command` may begin with a tracer. Port 0 is any free one.
    """
    home = Path(tempfile.mkdtemp(prefix="zerosum-home-"))
    environment = {name: value for name, value in os.environ.items() if name not in _UNWANTED}
    environment |= {"LC_ALL": "C.UTF-8", **(env or {}), "ZEROSUM_HOME": str(home)}
    if database is not None:
        options["database"] = database
    words = [word for name, value in options.items() for word in _words(name, value)]
    server = Server([*command, *words], home, free_port() if port is None else port, environment)
    try:
        server.start()
        yield server
        if server.running:
            server.stop()
        _check_all_gone(server)
    finally:
        if server.running:
            server.kill()
        for process in server.processes():
            with suppress(psutil.NoSuchProcess):
                process.kill()
        shutil.rmtree(home, ignore_errors=True)


def _check_all_gone(server: Server) -> None:
    """Raise if something that a server has started goes on after it."""
    deadline = time.monotonic() + GONE_SECONDS
    while left := server.processes():
        if time.monotonic() > deadline:
            raise ServerError(f"processes are left: {left}")
        time.sleep(0.02)


def _words(name: str, value: Option) -> list[str]:
    """Return an option as it is typed."""
    option = "--" + name.replace("_", "-")
    if isinstance(value, bool):
        return [option] if value else []
    values = [str(value)] if isinstance(value, str | int) else value
    return [word for one in values for word in (option, one)]
