"""Commands that start warm: a process that has loaded zerosum forks one for each call.

Loading is most of what a short command or the start of a server costs. A forked command is still a process with its own
arguments, environment, folder, streams, signals and exit status, and a child of the test. `make full` starts every
command as a user does, and so does `make test` for whatever a fork could hide (`is_warm`).
"""

from __future__ import annotations

import atexit
import ctypes
import fcntl
import functools
import gc
import importlib
import importlib.abc
import importlib.machinery
import io
import json
import os
import pkgutil
import socket
import subprocess
import sys
import termios
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from types import ModuleType
from typing import Any, Final

COMMAND: Final = os.path.join(os.path.dirname(sys.executable), "zerosum")
SERVE: Final = "serve"
CODE: Final = "-c"
_OF_SERVER: Final = ("alembic.command", "fastapi.responses", "jinja2", "prometheus_client", "pydantic")
_OF_SERVER_TOO: Final = ("python_multipart", "segno", "sqlalchemy.orm", "structlog", "uvicorn")
"""What a server loads of others. Code that changes a server finds nothing of zerosum loaded, as it would anywhere."""
_PLAIN: Final = {"LC_ALL": "C.UTF-8"}
_DECIDES: Final = ("PYTHON", "LC_", "LANG", "LD_", "COVERAGE")
"""How the names of variables begin that a process reads only when it starts."""
_SUBREAPER: Final = 36
_LARGEST: Final = 1 << 20


def is_warm(command: Sequence[str | bytes], env: Mapping[str, str]) -> bool:
    """Return whether a fork of a loaded process would do the same as this command."""
    if os.environ.get("ZEROSUM_FULL") == "1" or sys.platform != "linux":
        return False
    if list(command[:1]) != [COMMAND] and (list(command[:2]), list(command[3:4])) != ([sys.executable, CODE], [SERVE]):
        return False
    return _deciding(env) == _deciding({**os.environ, **_PLAIN})


def _deciding(env: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in env.items() if name.startswith(_DECIDES)}


class WarmProcess(subprocess.Popen[bytes]):
    """A process like any other, but forked by one that has loaded what it needs."""

    def _execute_child(self, args: Any, *given: Any) -> None:
        cwd, env, streams, session = given[4], given[5], given[9:15], given[20]
        theirs = (streams[0], streams[3], streams[5])
        told = {"env": dict(os.environ if env is None else env), "cwd": os.fspath(cwd or os.getcwd())}
        own = [n if one == -1 else one for n, one in enumerate(theirs)]
        self.pid = _forked(args, {**told, "session": bool(session)}, own)
        self._child_created = True
        for mine, other in zip((streams[1], streams[2], streams[4]), theirs, strict=True):
            if mine != -1:
                os.close(other)
        if (nothing := getattr(self, "_devnull", None)) is not None:
            os.close(nothing)
        self._closed_child_pipe_fds = True


def at_terminal(command: Sequence[bytes], env: Mapping[str, str], size: tuple[int, int]) -> tuple[int, int]:
    """Return the id of a new process that has a terminal of its own, and our end of that terminal."""
    ours, theirs = os.openpty()
    termios.tcsetwinsize(theirs, size)
    request = {"env": dict(env), "cwd": os.getcwd(), "session": True, "terminal": True}
    pid = _forked(command, request, [theirs] * 3)
    os.close(theirs)
    return pid, ours


def _forked(command: Sequence[str | bytes], request: dict[str, object], streams: list[int]) -> int:
    """Return the id of a new process, which is made a child of this one."""
    words = [os.fsdecode(word) for word in command]
    line = _loaded(os.getpid(), CODE if words[0] != COMMAND else SERVE if words[1:2] == [SERVE] else "")
    with _adopting():
        socket.send_fds(line, [json.dumps({"words": words, **request}).encode()], streams)
        return int(line.recv(64))


@contextmanager
def _adopting() -> Iterator[None]:
    """Be the parent of a process whose own parent has ended."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_SUBREAPER, 1, 0, 0, 0)
    try:
        yield
    finally:
        libc.prctl(_SUBREAPER, 0, 0, 0, 0)


@functools.cache
def _loaded(_owner: int, kind: str) -> socket.socket:
    """Start a process that loads what one kind of command needs, and forks; it ends when its socket is closed."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _LARGEST)
    with theirs:
        command = [sys.executable, "-P", __file__, str(theirs.fileno()), kind]
        process = subprocess.Popen(
            command,
            env={**os.environ, **_PLAIN},
            pass_fds=[theirs.fileno()],
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
    _kept.append(process)
    return ours


_kept: list[subprocess.Popen[bytes]] = []
"""The loaded processes, kept so that nobody waits for them."""


class _NoPackages(importlib.abc.MetaPathFinder):
    """Keeps out what a command loads only if it must, and may have to do without."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        del path, target
        name = fullname.partition(".")[0]
        if name in sys.stdlib_module_names or name in ("zerosum", "click", "platformdirs"):
            return None
        raise ModuleNotFoundError(fullname)


def _load(kind: str) -> None:
    """Load what commands need; for a server, everything of it; for one that is changed first, only its packages."""
    if kind == CODE:
        for name in (*_OF_SERVER, *_OF_SERVER_TOO):
            importlib.import_module(name)
        sys.path.insert(0, "")
        return _settle()
    import zerosum  # noqa: PLC0415 - the tests' own process does not need it

    guard = _NoPackages()
    sys.meta_path.insert(0, guard)
    for module in pkgutil.walk_packages(zerosum.__path__, "zerosum.", onerror=lambda _: None):
        if not module.name.startswith(("zerosum.server.", "zerosum.envs.", "zerosum.__main__")):
            with suppress(ImportError):
                importlib.import_module(module.name)
    sys.meta_path.remove(guard)
    if kind == SERVE:
        importlib.import_module("zerosum.server.serve")
        importlib.import_module("zerosum.screens.rendering").compile_templates()
    return _settle()


def _settle() -> None:
    """Keep what is loaded out of the garbage collector's way, so that processes go on sharing it."""
    gc.collect()
    gc.freeze()


def _await_call(line: socket.socket) -> dict[str, Any]:
    """Fork at each request; return only in a new process, with its request."""
    while True:
        data, streams, _, _ = socket.recv_fds(line, _LARGEST, 3)
        if not data:
            os._exit(0)
        told, tell = os.pipe()
        between = os.fork()
        if between:
            # Once its parent has ended, the test has adopted the new process.
            os.waitpid(between, 0)
            line.send(os.read(told, 64))
            for one in (told, tell, *streams):
                os.close(one)
            continue
        child = os.fork()
        if child:
            os.write(tell, str(child).encode())
            os._exit(0)
        os.close(told)
        os.close(tell)
        for number, one in enumerate(streams):
            os.dup2(one, number)
            os.close(one)
        request: dict[str, Any] = json.loads(data)
        return request


def _become(request: dict[str, Any]) -> None:
    """Take the arguments, the environment, the folder and the streams of a call."""
    if request["session"]:
        os.setsid()
    if request.get("terminal"):
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    sys.argv[:] = request["words"]
    for name, number, mode, errors in (
        ("stdin", 0, "r", "surrogateescape"),
        ("stdout", 1, "w", "surrogateescape"),
        ("stderr", 2, "w", "backslashreplace"),
    ):
        raw = open(number, f"{mode}b", closefd=False)  # noqa: SIM115 - it stays open
        prompt = name == "stderr" or os.isatty(number) or bool(os.environ.get("PYTHONUNBUFFERED"))
        stream = io.TextIOWrapper(raw, encoding="utf-8", errors=errors, line_buffering=prompt)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def _run() -> None:
    """Do what was asked for: the command, or the code that runs it."""
    if sys.argv[0] == COMMAND:
        importlib.import_module("zerosum.cli").main()
    else:
        _, option, code, *words = sys.argv
        sys.argv[:] = [option, *words]
        exec(code, {"__name__": "__main__"})  # noqa: S102 - as Python does


def _leave(status: object) -> None:
    """End as Python does, but do not take apart what is loaded: that takes longer than most commands.

    Return where Python has more to do: say what is wrong, or fail to write what is left.
    """
    if status is None or isinstance(status, int):
        threading._shutdown()  # type: ignore[attr-defined]  # what waits for threads when Python ends
        atexit._run_exitfuncs()
        with suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit((status or 0) & 0xFF)


if __name__ == "__main__":
    with socket.socket(fileno=int(sys.argv[1])) as _line:
        _load(sys.argv[2])
        _become(_await_call(_line))
    try:
        _run()
    except SystemExit as ended:
        _leave(ended.code)
        raise
    _leave(None)
