"""Promise 24: every call that reads or writes our files fails once, in turn.

A command is traced once to learn which calls touch its files. Then it is run again for each of them, and that call
fails. It may say so or succeed; it must not claim what is not kept, and must leave no file that cannot be read.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import psutil

from tests.patience import PATIENCE
from tests.reliability.players import Player, audit, finish, start_players, wait_for
from tests.reliability.report import Report, Say, quietly
from tests.reliability.tables import open_table
from tests.server.running import COMMAND, served
from zerosum.match.saved import SavedMatches

ZEROSUM = (os.path.join(os.path.dirname(sys.executable), "zerosum"),)
CALLS = "openat,read,pread64,write,pwrite64,fsync,fdatasync,rename,link,mkdir,unlink,rmdir,ftruncate"
ERRORS = ("EIO", "ENOSPC")
_LINE = re.compile(r"(\d+) +(\w+)\((.*)")
_MOVED = re.compile(r"^Total is now", re.MULTILINE)
_ANSWER = Path(__file__).resolve().parents[2] / "docs" / "exams" / "answer.sh"


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    status: int
    said: str
    complained: str


def _nothing(_folder: Path, _ended: Ended) -> list[str]:
    return []


@dataclass(frozen=True)
class Work:
    """A command that writes files: what is typed, what is there before, and what must be true after it.

    `{}` in its words is the folder that it works in.
    """

    name: str
    words: tuple[str, ...]
    typed: str = ""
    before: tuple[str, ...] = ()
    """A command that prepares the folder, with `typed_before`."""
    typed_before: str = ""
    after: tuple[str, ...] = ()
    """What must succeed afterwards; the same command, if nothing is said."""
    judge: Callable[[Path, Ended], list[str]] = field(default=_nothing)
    """Returns what is wrong after a run in which a call has failed."""

    def run(self, folder: Path, tracer: Sequence[str] = (), command: Sequence[str] = ZEROSUM) -> Ended:
        """Run the command."""
        return _run([*tracer, *command, *self._words(folder, self.words)], folder, self.typed)

    def go_on(self, folder: Path) -> Ended:
        """Run what must succeed afterwards."""
        return _run([*ZEROSUM, *self._words(folder, self.after or self.words)], folder, self.typed)

    def prepare(self, folder: Path) -> None:
        """Make what is there before."""
        folder.mkdir()
        (folder / "home").mkdir()
        shutil.copy(_ANSWER, folder / "answer.sh")
        if self.before:
            done = _run([*ZEROSUM, *self._words(folder, self.before)], folder, self.typed_before)
            assert done.status in (0, 1), done

    @staticmethod
    def _words(folder: Path, words: Sequence[str]) -> list[str]:
        return [word.replace("{}", str(folder)) for word in words]


def _run(command: Sequence[str], folder: Path, typed: str) -> Ended:
    environment = os.environ | {"ZEROSUM_HOME": str(folder / "home"), "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "0"}
    environment["PYTHONDONTWRITEBYTECODE"] = "1"  # calls are counted: no run may write more files than another
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        cwd="/",
        text=True,
        start_new_session=True,
    ) as process:
        try:
            said, complained = process.communicate(typed, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            return Ended(-1, "", "it did not end")
        return Ended(process.returncode, said, complained)


@dataclass(frozen=True)
class Point:
    """The so-many-th call of a name that a process makes."""

    call: str
    number: int


def _tracer(log: Path, calls: str, inject: str = "") -> list[str]:
    options = [
        "strace",
        "-f",
        "-y",
        "-qq",
        "--seccomp-bpf",
        "-e",
        "signal=none",
        "-e",
        f"trace={calls}",
        "-o",
        str(log),
    ]
    return [*options, "-e", f"inject={inject}"] if inject else options


def points_of(work: Work, folder: Path, command: Sequence[str] = ZEROSUM) -> list[Point]:
    """Return the calls of a command that touch its files."""
    log = folder.with_name("trace")
    work.run(folder, _tracer(log, CALLS), command)
    counts: Counter[tuple[str, str]] = Counter()
    found: dict[Point, None] = {}
    for process, call, text in _calls(log):
        counts[process, call] += 1
        if str(folder) in text and not text.startswith(f'"{folder}"'):
            found[Point(call, counts[process, call])] = None
    return list(found)


def _calls(log: Path) -> Iterator[tuple[str, str, str]]:
    for line in log.read_text(errors="replace").splitlines():
        matched = _LINE.match(line)
        if matched is not None:
            yield matched[1], matched[2], matched[3]


def fail_each(
    works: Sequence[Work],
    *,
    every: int = 1,
    calls: Sequence[str] = tuple(CALLS.split(",")),
    errors: Sequence[str] = ERRORS[:1],
    command: Sequence[str] = ZEROSUM,
    say: Say = quietly,
) -> Report:
    """Run each command again and again; at each run one call fails. `every` leaves most of them out."""
    report = Report("24", "every call fails once: files")
    failed = refused = 0
    for work in works:
        top = Path(tempfile.mkdtemp(prefix="zerosum-failing-"))
        try:
            work.prepare(top / "first")
            shutil.copytree(top / "first", top / "work")
            points = [one for one in points_of(work, top / "work", command) if one.call in calls]
            for number, point in enumerate(points[::every]):
                say(f"{work.name}: {number * every} of {len(points)} calls")
                for error in errors:
                    shutil.rmtree(top / "work")
                    shutil.copytree(top / "first", top / "work")
                    ended = _fail(work, top, point, error, command)
                    if ended is not None:
                        failed += 1
                        refused += ended.status != 0
                        where = f"{work.name}, {error} at {point.call} {point.number}"
                        report.broken += [f"{where}: {one}" for one in _judge(work, top / "work", ended)]
        finally:
            shutil.rmtree(top)
    report.check(failed, "no call has failed")
    report.figures = {"commands": len(works), "calls failed": failed, "told": refused, "wrong": len(report.broken)}
    return report


def _fail(work: Work, top: Path, point: Point, error: str, command: Sequence[str]) -> Ended | None:
    """Run a command one of whose calls fails; None if that call was about another file."""
    log = top / "trace"
    inject = f"{point.call}:error={error}:when={point.number}"
    ended = work.run(top / "work", _tracer(log, point.call, inject), command)
    failed = [text for _, _, text in _calls(log) if "(INJECTED)" in text]
    return ended if failed and all(str(top / "work") in text for text in failed) else None


def _judge(work: Work, folder: Path, ended: Ended) -> list[str]:
    """Return what is wrong after a run in which a call has failed."""
    wrong = []
    if "Traceback" in ended.complained or ended.status < 0:
        wrong.append(f"it ended with {ended.status} and said {ended.complained[-400:]!r}")
    if ended.status > 0 and not ended.complained.strip():
        wrong.append(f"it ended with {ended.status} and without a word")
    wrong += work.judge(folder, ended)
    again = work.go_on(folder)
    if again.status:
        wrong.append(f"afterwards it ends with {again.status} and says {again.complained[-300:]!r}")
    return wrong


def _judge_match(folder: Path, ended: Ended) -> list[str]:
    """Hold the moves that were shown against the journals; none of them may be damaged."""
    saved = SavedMatches(str(folder / "home"))
    wrong = [f"{one.id} is damaged: {one.damage}" for one in saved.unfinished() if one.match is None]
    shown = len(_MOVED.findall(ended.said))
    kept = max((len(match.moves) for match in saved.all()), default=0)
    if shown > kept:
        wrong.append(f"{shown} moves were shown, and {kept} are kept")
    record = folder / "record.txt"
    if record.exists() and "Result" not in record.read_text():
        wrong.append("the record is not whole")
    drafts = [path.name for path in folder.rglob("*.new")]
    if ended.status and drafts:
        wrong.append(f"drafts are left: {drafts}")
    return wrong


def _judge_proof(folder: Path, ended: Ended) -> list[str]:
    proof = folder / "sum31.proof"
    if not proof.exists():
        return [] if ended.status else ["there is no proof"]
    checked = _run([*ZEROSUM, "verify", str(proof)], folder, "")
    proof.unlink()
    return [] if checked.status == 0 else [f"the proof is broken: {checked.complained}"]


_MOVES = "5\n6\n4\n3\n7\n2\n1\n8\n9\n"
_ARENA = ("arena", "match", "level:5", "random", "--game", "sum31", "--play", "--pairs", "6", "--jobs", "1")
_EXAM = ("exam", "run", "{}/items.jsonl", "--command", "sh {}/answer.sh", "--out", "{}/run")
_ITEMS = ("exam", "make", "--games", "sum31", "--count", "4", "--fresh", "0", "--reskin", "0", "--seed", "1")
WORKS = (
    Work(
        "play",
        ("play", "sum31", "--names", "Ann", "Bob", "--record", "{}/record.txt"),
        _MOVES,
        judge=lambda folder, ended: [*_judge_match(folder, ended), *_forget_record(folder)],
    ),
    Work(
        "resume",
        ("resume",),
        _MOVES[4:],
        before=("play", "sum31", "--names", "Ann", "Bob"),
        typed_before=_MOVES[:4],
        after=("stats",),
        judge=_judge_match,
    ),
    Work("prove", ("prove", "sum31", "--output", "{}/sum31.proof"), judge=_judge_proof),
    Work("puzzle", ("puzzle", "sum31", "--seed", "a"), "1\n2\n3\n4\n5\n6\n7\n8\n9\n"),
    Work("arena", (*_ARENA, "--output", "{}/run"), after=(*_ARENA, "--output", "{}/run", "--resume")),
    Work("exam", _EXAM, before=(*_ITEMS, "--output", "{}/items.jsonl"), after=(*_EXAM, "--resume")),
    Work("atlas", ("atlas", "sum", "--n", "1..4", "--jobs", "1", "--output", "{}/atlas")),
)


def _forget_record(folder: Path) -> list[str]:
    """Let the same command write its record again."""
    (folder / "record.txt").unlink(missing_ok=True)
    return []


_STEPS = {"pwrite64": 37, "fdatasync": 23, "openat": 3}
"""Of the calls of each name every so-many-th fails, so that in the end each of those that a commit makes has failed."""


def fail_store(
    moves: int, *, calls: Sequence[str] = tuple(_STEPS), command: Sequence[str] = COMMAND, say: Say = quietly
) -> Report:
    """Let calls on the files of a server's database fail again and again while clients play; hold their ledgers."""
    report = Report("24", "calls fail again and again: SQLite")
    acknowledged, failed = 0, Counter[str]()
    for call in calls:
        say(f"{call}, {sum(failed.values())} calls have failed")
        home = Path(tempfile.mkdtemp(prefix="zerosum-store-"))
        database, log = home / "tables.sqlite3", home / "trace"
        try:
            with served(f"sqlite:///{database}") as server:
                tables = [open_table(server.url) for _ in range(2)]
            files = [word for end in ("", "-wal", "-shm", "-journal") for word in ("-P", f"{database}{end}")]
            step = _STEPS[call]
            tracer = _tracer(log, call, f"{call}:error=EIO:when={step}+{step}")
            with served(f"sqlite:///{database}", command=(*tracer, *files, *command)) as server:
                players = start_players(tables, [server.url], seed=3)
                wait_for(partial(_played, players, moves), PATIENCE, f"{moves} moves")
                finish(players)
                report.check("Traceback" not in server.log, f"{call}: the log has a traceback")
                # The tracer lets no signal through; what it traces is killed, and nothing of it is left in memory.
                for process in psutil.Process(server.pid).children():
                    process.kill()
                server.stop()
            with served(f"sqlite:///{database}") as server:
                report.broken += [f"{call}: {one}" for one in audit(players, server.url)]
            acknowledged += sum(len(player.ledger) for player in players)
            failed[call] = sum("(INJECTED)" in text for _, _, text in _calls(log))
        finally:
            shutil.rmtree(home)
    report.check(sum(failed.values()), "no call has failed")
    report.figures = {"moves acknowledged": acknowledged, **{f"{call} failed": failed[call] for call in calls}}
    report.figures["lost, changed or doubled"] = len(report.broken)
    return report


def _played(players: Sequence[Player], moves: int) -> bool:
    return sum(len(player.ledger) for player in players) >= moves
