"""A bot as a process: lines go in and come out, within bounds, and nothing of it outlives its owner.

Nothing here waits without a deadline. Pipes do not block; one selector watches what the bot writes, its standard error
and its supervisor (`supervisor.py`), which knows when the bot has ended even while a child of it holds its output open.
"""

from __future__ import annotations

import contextlib
import os
import re
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Sequence
from functools import cache
from time import monotonic, time
from typing import Final

from zerosum.arena.entrants import limits
from zerosum.arena.entrants.command_line import BOUNDS, NO_CAGE, Bounds, caged, choose_cage, environment
from zerosum.base.secrets import hide_secrets
from zerosum.base.text import printable

_SUPERVISOR: Final = os.path.join(os.path.dirname(__file__), "supervisor.py")
_PREFIX: Final = "zerosum-bot-"
_NEW: Final = 60.0
"""Seconds for which a folder is left alone: its owner may be about to lock it."""
_CHUNK: Final = 65_536
_GRACE: Final = 8.0
"""Seconds that the supervisor is given to kill everything, or to tell of a bot that has ended."""
_STOPPED: Final = 0.7
"""Seconds after which a supervisor that should end is told to go on, in case that somebody has stopped it."""
_MOMENT: Final = 0.5
"""Seconds after which a bot that closed its output, and runs on as far as is known, has done so on purpose."""
_SHOWN: Final = 200
_REASON: Final = re.compile(
    r"(?:Uncaught |Unhandled |Exception in |Caused by: |terminate called |thread '.*' panicked |panic: |fatal |error: )"
    r"|(?:[\w.$]+(?:Error|Exception|Interrupt|Failure))(?:\s*\[[\w]+\])?(?::|$)",
    re.IGNORECASE,
)
"""How a line begins that names an error; a line of a stack begins with a space."""
_TRAILER: Final = re.compile(
    r"\s|Node\.js v|note: run with|exit status |goroutine |\[.*signal|\.\.\. [0-9]+ more|}$|\^+$"
)
"""How a line begins that follows the reason of a crash."""


class EndedError(Exception):
    """The bot's process has ended, or closed its output; the text says how."""


class UnreadableError(Exception):
    """The bot writes more than it may, or what is not text."""


class Process:
    """A running command with its own session, folder and limits; `close` it."""

    def __init__(self, command: Sequence[str], bounds: Bounds = BOUNDS) -> None:
        self.cage = choose_cage()
        """What the bot is caged by, `none` without a cage."""
        hide_secrets()
        sweep_folders()
        self._bounds = bounds
        self._folder = tempfile.mkdtemp(prefix=_PREFIX)
        lock = _lock_of(self._folder)
        self._control, theirs = socket.socketpair()
        arguments = (sys.executable, "-I", "-S", _SUPERVISOR, str(theirs.fileno()), str(lock), self._folder)
        command = command if self.cage == NO_CAGE else caged(command, bounds.secrets)
        try:
            self._supervisor = subprocess.Popen(  # noqa: S603 - a bot is a command that the user has given
                (*arguments, str(bounds.memory), str(bounds.cpu_seconds), *command),
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=(theirs.fileno(), lock),
                start_new_session=True,
                cwd=self._folder,
                env=environment(self._folder, bounds.secrets),
            )
        except BaseException:
            self._control.close()
            shutil.rmtree(self._folder, ignore_errors=True)
            raise
        finally:
            theirs.close()
            os.close(lock)
        self._streams = (self._supervisor.stdin, self._supervisor.stdout, self._supervisor.stderr)
        self._in, self._out, self._err = (stream.fileno() for stream in self._streams if stream is not None)
        self._selector = selectors.DefaultSelector()
        for descriptor in (self._in, self._out, self._err, self._control.fileno()):
            os.set_blocking(descriptor, False)
        for descriptor in (self._out, self._err, self._control.fileno()):
            self._selector.register(descriptor, selectors.EVENT_READ)
        self._lines: deque[bytes] = deque()
        self._part = b""
        self._unsent = b""
        self._room = limits.OUTPUT
        self._complaints = b""
        self._reports = b""
        self._pid = 0
        self.ended: str | None = None
        """How the bot ended, None while it runs."""

    @property
    def complaints(self) -> str:
        """What the bot wrote last to its standard error to say why it ended, fit to be shown."""
        return last_words(self._complaints.decode(errors="replace"))

    def say(self, *lines: str) -> None:
        """Send lines; what the pipe does not take now follows while the answer is waited for."""
        self.send("".join(f"{line}\n" for line in lines).encode())

    def send(self, data: bytes) -> None:
        """Send bytes as they are."""
        self._room = limits.OUTPUT
        was_waiting, self._unsent = bool(self._unsent), self._unsent + data
        if len(self._unsent) > _CHUNK * 16:
            self._unsent = self._unsent[: _CHUNK * 16]  # it reads nothing, so it will never read this either
        if not was_waiting:
            self._write()
            if self._unsent:
                self._selector.register(self._in, selectors.EVENT_WRITE)

    def _write(self) -> None:
        try:
            self._unsent = self._unsent[os.write(self._in, self._unsent) :]
        except BlockingIOError:
            return
        except OSError:
            self._unsent = b""  # its input is closed; reading its output shows whether it still answers

    def flush(self, deadline: float) -> None:
        """Wait until all that was sent has been taken."""
        while self._unsent and self.ended is None and (wait := deadline - monotonic()) > 0:
            for key, _ in self._selector.select(wait):
                self._take(key.fd)

    def hear(self, deadline: float) -> str | None:
        """Return the next line, None when the deadline has passed. Raises if no line can follow."""
        while not self._lines:
            if self.ended is not None:
                raise EndedError(self.ended)
            wait = deadline - monotonic()
            ready = self._selector.select(max(wait, 0))
            if not ready and wait <= 0:
                return None
            # What it wrote before it ended is read before its end is looked at.
            for key, _ in sorted(ready, key=lambda one: one[0].fd == self._control.fileno()):
                self._take(key.fd)
        return _text(self._lines.popleft())

    def _take(self, descriptor: int) -> None:
        if descriptor == self._out:
            self._take_output()
        elif descriptor == self._in:
            self._write()
            if not self._unsent:
                self._forget(self._in)
        elif descriptor == self._err:
            data = _read(self._err)
            self._complaints = (self._complaints + (data or b""))[-limits.ERROR_OUTPUT :]
            if data == b"":
                self._forget(self._err)
        else:
            self._take_report()

    def _forget(self, descriptor: int) -> None:
        """Watch a pipe no more; two looks at the same events may both find its end."""
        with contextlib.suppress(KeyError):
            self._selector.unregister(descriptor)

    def _take_output(self) -> bool:
        """Take what the bot has written; return whether that was anything."""
        data = _read(self._out)
        if data == b"":
            self._forget(self._out)
            self._closed_output()
        if not data:
            return False
        self._room -= len(data)
        if self._room < 0:
            raise UnreadableError(f"it wrote more than {limits.OUTPUT} bytes to its output")
        *lines, self._part = (self._part + data).split(b"\n")
        most = self._bounds.line
        if len(self._part) >= most or any(len(line) >= most for line in lines):
            raise UnreadableError(f"it wrote a line of more than {most} bytes")
        self._lines.extend(lines)
        return True

    def _closed_output(self) -> None:
        """Wait for the reason: a process that ends closes its output first, and its supervisor tells how it ended."""
        began = monotonic()
        while self.ended is None and monotonic() - began < (_GRACE if _has_ended(self._pid) else _MOMENT):
            for key, _ in self._selector.select(_MOMENT / 10):
                self._take(key.fd)
        self.ended = self.ended or "it closed its output"

    def _take_report(self) -> None:
        data = _read(self._control.fileno())
        if data is None:
            return
        if not data:
            self._forget(self._control.fileno())
            self.ended = self.ended or "its supervisor was killed"
        *reports, self._reports = (self._reports + data).split(b"\n")
        for report in reports:
            word, _, number = report.decode().partition(" ")
            if word == "started":
                self._pid = int(number)
            elif word == "failed":
                self.ended = f"it cannot be run ({os.strerror(int(number))})"
            else:
                self.ended = _how(int(number), caged=self.cage != NO_CAGE)
                # What it wrote before it ended may still be in the pipe, which a child of it may hold open.
                while self._out in self._selector.get_map() and self._take_output():
                    pass

    def end_input(self) -> None:
        """Close the bot's standard input."""
        if self._supervisor.stdin is not None:
            if self._unsent:
                self._forget(self._in)
                self._unsent = b""
            self._supervisor.stdin.close()

    def wait(self, deadline: float) -> bool:
        """Wait until the bot has ended by itself; return whether it has. What it still writes is dropped."""
        with contextlib.suppress(EndedError, UnreadableError):
            while self.hear(deadline) is not None:
                pass
        return self.ended is not None

    def close(self, *, politely: bool = False) -> None:
        """End the bot and all that it started: at once, or after `quit` and a second."""
        if self._control.fileno() < 0:
            return  # it is closed already
        try:
            if politely and self.ended is None:
                self.say("quit")
                self.wait(monotonic() + self._bounds.quit)
        finally:
            self._kill()

    def _kill(self) -> None:
        self._control.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._supervisor.wait(_STOPPED)
        with contextlib.suppress(OSError):
            self._supervisor.send_signal(signal.SIGCONT)
        try:
            self._supervisor.wait(_GRACE)
        except subprocess.TimeoutExpired:
            self._supervisor.kill()
            self._supervisor.wait()
            if self._pid:
                with contextlib.suppress(OSError):
                    os.killpg(self._pid, signal.SIGKILL)
            shutil.rmtree(self._folder, ignore_errors=True)
        self.ended = self.ended or "it was ended"
        self._selector.close()
        for stream in self._streams:
            if stream is not None:
                stream.close()


def _lock_of(folder: str) -> int:
    """Return a descriptor that says, while any process holds it, that a folder is in use."""
    import fcntl  # noqa: PLC0415 - not on every system; where it is missing, no bot runs

    lock = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return lock


@cache
def sweep_folders() -> None:
    """Remove the folders of bots whose supervisors were all killed, once in a process."""
    with contextlib.suppress(OSError), os.scandir(tempfile.gettempdir()) as entries:
        for entry in entries:
            if entry.name.startswith(_PREFIX):
                with contextlib.suppress(OSError):
                    _sweep(entry)


def _sweep(entry: os.DirEntry[str]) -> None:
    import fcntl  # noqa: PLC0415 - as above

    found = entry.stat(follow_symlinks=False)
    if not entry.is_dir(follow_symlinks=False) or found.st_uid != os.getuid() or time() - found.st_ctime < _NEW:
        return
    lock = os.open(entry.path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(entry.path, ignore_errors=True)
    finally:
        os.close(lock)


def last_words(text: str) -> str:
    r"""Return the line of a crash's standard error that says why, and what it leaves to the next line.

    Node ends with its version, Rust with advice, Go and Java with a stack: the last line that names an error counts;
    without one, the last line that is not such a trailer.

    >>> last_words("bot.js:3\n  throw new Error('no')\n\nError: no\n    at main (bot.js:3)\n\nNode.js v20.20.2\n")
    'Error: no'
    """
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    reasons = [place for place, line in enumerate(lines) if _REASON.match(line)]
    if reasons:
        reason = lines[reasons[-1]]
        if reason.endswith(":") and reasons[-1] + 1 < len(lines):
            reason = f"{reason} {lines[reasons[-1] + 1].strip()}"
    else:
        told = [line for line in lines if not _TRAILER.match(line)] or lines
        reason = told[-1].strip() if told else ""
    return printable(reason[:_SHOWN])


def _read(descriptor: int) -> bytes | None:
    """Return what can be read now, None if that is nothing yet, and no bytes at the end."""
    try:
        return os.read(descriptor, _CHUNK)
    except BlockingIOError:
        return None
    except OSError:
        return b""


def _has_ended(pid: int) -> bool:
    """Whether a process is known to have ended, though its status may still be under way; not all systems tell."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0] in (b"Z", b"X")
    except OSError:
        return bool(pid) and os.path.exists("/proc/self/stat")  # its supervisor has its status, and is about to tell


def _text(line: bytes) -> str:
    try:
        text = line.decode().rstrip("\r")
    except UnicodeDecodeError:
        raise UnreadableError("it wrote a line that is not UTF-8") from None
    if "\0" in text:
        raise UnreadableError("it wrote a line with a NUL character")
    return text


def _how(status: int, *, caged: bool) -> str:
    """Return how a bot ended; the cage gives back 128 and the signal that has ended it, as a shell does."""
    if status >= 0:
        signals = {128 + number: f" (128 + {number.name})" for number in signal.Signals} if caged else {}
        return f"it ended with exit status {status}{signals.get(status, '')}"
    with contextlib.suppress(ValueError):
        return f"it was killed by {signal.Signals(-status).name}"
    return f"it was killed by signal {-status}"
