"""Runs that can be resumed: a folder that is settled before any work is done, a log of what is done, and threads.

A run's folder has a few files that say what is to be done; one of them is written last, so a folder without it has no
run. The log has numbered lines, each with its checksum, which are appended and synced; no line is ever changed. When
the log is opened to resume, a line that a crash has cut short is dropped. Any other damage is an error.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from queue import SimpleQueue
from threading import Event, Lock, Semaphore, Thread
from time import monotonic
from typing import Any, BinaryIO, Final, TypeVar

from zerosum.base.errors import ZerosumError
from zerosum.base.files import append_synced, lock, make_folder, read_text, replace_file
from zerosum.base.text import printable

INCOMPLETE: Final = 3
"""The exit status of a run that is incomplete."""
MANIFEST: Final = "manifest.json"
LINE_BYTES: Final = 256 * 1024
"""Bytes in a line of the log, unless a kind of run allows more."""
_CHECKSUM: Final = 16
_LARGEST: Final = 64 << 20
_GRACE: Final = 2.0
"""Seconds that threads have to finish when a run is stopped."""

Run = TypeVar("Run")
Line = tuple[int, str]
"""A number, and its line for the log, without the checksum."""
Work = Callable[[int], str]
"""Does the work of a number; returns its line for the log."""


class RunError(ZerosumError):
    """A folder that has no run, or the run of something else."""


@dataclass(frozen=True, slots=True)
class RunKind:
    """What the folder of one kind of run has in it."""

    title: str
    """What it is a run of, with its article: `the arena`."""
    files: tuple[str, ...]
    """Its files in the order in which they are written: a folder without the last one has no run."""
    log: str
    noun: str
    """What has a line in the log."""
    line_bytes: int = LINE_BYTES
    folders: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RunFolder:
    """The folder of a run."""

    path: str
    kind: RunKind

    def has_run(self) -> bool:
        """Return whether the folder has a run; raise a `RunError` if it has anything else."""
        if not os.path.lexists(self.path):
            return False
        if not os.path.isdir(self.path):
            raise RunError(f"{printable(self.path)}: exists already and is not a folder.")
        names = set(os.listdir(self.path))
        if self.kind.files[-1] in names:
            return True
        if names <= {f"{name}{end}" for name in (*self.kind.files, *self.kind.folders) for end in ("", ".new")}:
            return False
        raise RunError(f"{printable(self.path)}: has something else in it already; name a new folder.")

    def create(self, texts: Mapping[str, str]) -> None:
        """Write the files of a new run, by name; when this returns, they are on the disk."""
        try:
            for name in self.kind.folders or ("",):
                make_folder(os.path.join(self.path, name))
            for name in self.kind.files:
                replace_file(os.path.join(self.path, name), texts[name].encode())
        except OSError as error:
            raise RunError(f"{printable(self.path)}: cannot be written ({error.strerror}).") from None

    def read(self, name: str) -> str:
        """Return the text of a file."""
        return read_text(os.path.join(self.path, name), _LARGEST)

    @contextmanager
    def reading(self, *names: str) -> Iterator[None]:
        """Raise a `RunError` that names these files if they cannot be understood."""
        try:
            yield
        except (ValueError, LookupError, TypeError, AttributeError):
            raise self.changed(*names) from None
        except ZerosumError as error:
            raise RunError(f"{printable(self.path)}: not a run of {self.kind.title}. {error}") from None

    def changed(self, *names: str) -> RunError:
        """Return the error for files that are not as they were written."""
        return RunError(f"{printable(self.path)}: {' or '.join(names)} has been changed.")

    def log(self) -> RunLog:
        """Read through the log."""
        return RunLog(os.path.join(self.path, self.kind.log), self.kind.noun, self.kind.line_bytes)

    def resume_or_create(self, open_run: Callable[[], Run], create_run: Callable[[], Run], *, resume: bool) -> Run:
        """Return the run in the folder, or a new one; raise a `RunError` if there is one and `resume` is false."""
        if not self.has_run():
            return create_run()
        if resume:
            return open_run()
        raise RunError(f"{printable(self.path)}: has a run in it already; add --resume to go on, or name a new folder.")


def manifest_text(manifest: Mapping[str, object]) -> str:
    """Return a manifest as the text of its file."""
    return json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"


class RunLogError(ZerosumError):
    """A log that is damaged, in use, or of another run."""


def log_line(body: str) -> bytes:
    """Return a line of the log: a checksum, a space, the body, a newline."""
    data = body.encode()
    return b"%s %s\n" % (sha256(data).hexdigest()[:_CHECKSUM].encode(), data)


def _body(line: bytes) -> bytes | None:
    """Return the body of a line, None if the line is damaged."""
    checksum, space, body = line[:_CHECKSUM], line[_CHECKSUM : _CHECKSUM + 1], line[_CHECKSUM + 1 : -1]
    whole = line.endswith(b"\n") and space == b" " and sha256(body).hexdigest()[:_CHECKSUM].encode() == checksum
    return body if whole else None


class RunLog:
    """What is done of a run: where the line of each number begins."""

    def __init__(self, path: str, noun: str = "entry", line_bytes: int = LINE_BYTES) -> None:
        """Read through a log; a missing one is empty. Errors call what has a line by `noun`."""
        self.path = path
        self._noun = noun
        self._line_bytes = line_bytes
        self.at: dict[int, int] = {}
        self.end = 0
        """Where the last whole line ends."""
        self.read_on()

    def missing(self, total: int) -> list[int]:
        """Return the numbers from 1 to `total` that have no line."""
        return [number for number in range(1, total + 1) if number not in self.at]

    def read_on(self) -> None:
        """Read through the lines that were added since the last time."""
        try:
            with open(self.path, "rb") as file:
                file.seek(self.end)
                self._read_on(file)
        except FileNotFoundError:
            return
        except OSError as error:
            raise RunLogError(f"{printable(self.path)}: cannot be read ({error.strerror}).") from None

    def _read_on(self, file: BinaryIO) -> None:
        torn = 0
        for row in range(1, 1 << 62):
            line = file.readline(self._line_bytes)
            if not line:
                return
            body = _body(line)
            if body is None:
                torn = torn or row
                continue
            if torn:
                raise RunLogError(f"{printable(self.path)}: line {torn} is damaged.")
            number = self._number(body, row)
            if number in self.at:
                raise RunLogError(f"{printable(self.path)}: line {row} repeats {self._noun} {number}.")
            self.at[number] = self.end
            self.end += len(line)

    def _number(self, body: bytes, row: int) -> int:
        try:
            number = json.loads(body)["n"]
        except (ValueError, LookupError, TypeError, RecursionError):
            number = None
        if type(number) is not int:
            raise RunLogError(f"{printable(self.path)}: line {row} has no number.")
        return number

    def read(self, numbers: Sequence[int]) -> Iterator[dict[str, Any]]:
        """Yield the lines of these numbers, in this order."""
        if not numbers:
            return
        with open(self.path, "rb") as file:
            for number in numbers:
                file.seek(self.at[number])
                body = _body(file.readline(self._line_bytes))
                if body is None:
                    raise RunLogError(f"{printable(self.path)}: the line of {self._noun} {number} has been damaged.")
                yield json.loads(body)


class RunLogWriter:
    """Appends to a log, for one process at a time."""

    def __init__(self, log: RunLog) -> None:
        self.log = log
        self._file = os.open(log.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600)
        if not lock(self._file):
            os.close(self._file)
            raise RunLogError(f"{printable(log.path)}: another zerosum is at work on this run.")
        if os.fstat(self._file).st_size > log.end:
            # A torn line, or lines that another process wrote after we read the log and before it let go of the lock.
            log.read_on()
            os.ftruncate(self._file, log.end)
        os.lseek(self._file, log.end, os.SEEK_SET)

    def append(self, lines: Sequence[Line]) -> None:
        """Write lines and sync them."""
        if not lines:
            return
        data = bytearray()
        at = {}
        for number, body in lines:
            at[number] = self.log.end + len(data)
            data += log_line(body)
        append_synced(self._file, data)
        self.log.at |= at
        self.log.end += len(data)

    def close(self) -> None:
        """Let go of the log."""
        os.close(self._file)


class RunThreads:
    """Threads that work beside programs or endpoints, which do the thinking.

    The threads are daemons, unlike those of `concurrent.futures`: a thread that waits for an answer cannot keep this
    process from ending. For each result that the caller has dealt with, one more piece of work is begun.
    """

    def __init__(
        self, numbers: Iterable[int], jobs: int, worker: Callable[[Event], AbstractContextManager[Work]]
    ) -> None:
        """Begin; each thread opens a worker, which gets an event that is set when the run is stopped."""
        self._ahead = list(numbers)[::-1]
        self._count = len(self._ahead)
        self._results: SimpleQueue[tuple[int, str | BaseException]] = SimpleQueue()
        self._guard, self._stop, self._permits = Lock(), Event(), Semaphore(jobs)
        self._open = worker
        self._threads = [Thread(target=self._work, daemon=True) for _ in range(min(jobs, self._count))]
        for thread in self._threads:
            thread.start()

    def _work(self) -> None:
        number: int | None = None
        try:
            with self._open(self._stop) as work:
                while (number := self._next()) is not None:
                    try:
                        self._results.put((number, work(number)))
                    except BaseException as error:  # noqa: BLE001 - the caller's thread raises it
                        self._results.put((number, error))
        except BaseException as error:  # noqa: BLE001 - a worker that cannot be opened must not leave its caller waiting
            self._results.put((0, error))

    def _next(self) -> int | None:
        """Return the next number once there is a permit for it, or None if there is no more to do."""
        self._permits.acquire()
        with self._guard:
            return None if self._stop.is_set() or not self._ahead else self._ahead.pop()

    def __iter__(self) -> Iterator[tuple[int, str | BaseException]]:
        """Yield each number as its work is done, with its line or with what went wrong."""
        for _ in range(self._count):
            yield self._results.get()
            self._permits.release()

    def close(self) -> list[Line]:
        """Begin no more work; return the lines that came in while the run was being stopped.

        A thread that still waits for an answer after a short grace ends with this process.
        """
        self._stop.set()
        self._permits.release(len(self._threads) or 1)
        deadline = monotonic() + _GRACE
        for thread in self._threads:
            thread.join(max(0.0, deadline - monotonic()))
        lines: list[Line] = []
        while not self._results.empty():
            number, line = self._results.get()
            if isinstance(line, str):
                lines.append((number, line))
        return lines
