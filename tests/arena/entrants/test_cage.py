"""A caged bot sees no process but its own, finds no key, has no rights to leave, and is otherwise a bot like any other.

Each test runs with each kind of cage. It is skipped only if the system's own tools show that it allows no such cage:
`unshare` for namespaces, `bwrap` for bubblewrap.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import psutil
import pytest

from tests.arena.entrants.processes import gone, with_word
from tests.arena.entrants.test_supervisor import PYTHON, run
from tests.patience import PATIENCE
from zerosum.arena.entrants.bot_process import EndedError, Process
from zerosum.arena.entrants.command_entrant import run_command
from zerosum.arena.entrants.command_line import BadCommandError, split_command

ROOT = Path(__file__).resolve().parents[3]
PLANTED = "s3cret-of-a-shell"
TOOLS = {
    "namespaces": ["unshare", "--user", "--map-root-user", "--pid", "--ipc", "--fork", "--mount-proc", "true"],
    "bubblewrap": ["bwrap", "--dev-bind", "/", "/", "--proc", "/proc", "--unshare-pid", "true"],
}


@cache
def allowed(kind: str) -> bool:
    """Whether this system allows a kind of cage, as its own tool finds."""
    if shutil.which(TOOLS[kind][0]) is None:
        return False
    return subprocess.run(TOOLS[kind], capture_output=True, check=False).returncode == 0


def need(kind: str) -> None:
    if not allowed(kind):
        pytest.skip(f"this system allows no {kind}: '{' '.join(TOOLS[kind])}' fails")


@pytest.fixture(params=TOOLS)
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a kind of cage that bots are in during the test."""
    need(request.param)
    monkeypatch.setenv("ZEROSUM_CAGE", request.param)
    return str(request.param)


@pytest.fixture
def any_cage(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let bots have the cage that they have by default, tried afresh."""
    monkeypatch.delenv("ZEROSUM_CAGE", raising=False)
    monkeypatch.setattr(Process, "_found", "any")


@pytest.mark.usefixtures("any_cage")
def test_a_bot_is_caged_by_default_and_the_kind_is_remembered() -> None:
    need("namespaces")
    for _ in range(2):
        with_cage = Process(split_command("sh -c 'echo ready; read line'"))
        try:
            assert with_cage.hear(time.monotonic() + PATIENCE) == "ready"
            assert with_cage.cage == Process._found == "namespaces"
        finally:
            with_cage.close()


SEES = """
import os
pids = [name for name in os.listdir("/proc") if name.isdigit()]
print(len(pids), str(os.getpid()) in pids, sorted(os.listdir("/proc/self/task")) == [str(os.getpid())])
"""


@pytest.mark.usefixtures("kind")
def test_it_sees_its_own_processes_and_the_init(tmp_path: Path) -> None:
    assert run(tmp_path, SEES) == ["2 True True"]


LEAVES_ORPHANS = """
import os, time
for _ in range(3):
    if os.fork() == 0:
        if os.fork() == 0:
            time.sleep(0.05)
        os._exit(0)
    os.wait()
while len([name for name in os.listdir("/proc") if name.isdigit()]) > 2:
    time.sleep(0.01)
print("none is left")
"""


@pytest.mark.usefixtures("kind")
def test_its_orphans_are_reaped(tmp_path: Path) -> None:
    assert run(tmp_path, LEAVES_ORPHANS) == ["none is left"]


FINDS = f"""
import glob
found = 0
for path in glob.glob("/proc/[0-9]*/environ") + glob.glob("/proc/[0-9]*/cmdline"):
    try:
        with open(path, "rb") as file:
            found += {PLANTED!r}.encode() in file.read()
    except OSError:
        pass
print("found" if found else "nothing")
"""
OWNER = """
import sys
from pathlib import Path
from tests.arena.entrants.test_supervisor import run
print(*run(Path(sys.argv[1]), sys.stdin.read()))
"""


def heard_from_a_shell_with_a_key(folder: Path, cage: str) -> str:
    """Return what a bot says that looks for the key of the shell in which its owner was started."""
    # The `:` keeps the shell in place of which the last command would run.
    script = f"{sys.executable} -c '{OWNER}' {folder}; :"
    done = subprocess.run(
        ["sh", "-c", script],
        input=FINDS,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
        cwd=ROOT,
        env={**os.environ, "ZEROSUM_MODEL_KEY": PLANTED, "ZEROSUM_CAGE": cage},
    )
    return done.stdout.strip() or done.stderr


def test_it_does_not_find_the_key_of_its_shell(kind: str, tmp_path: Path) -> None:
    assert heard_from_a_shell_with_a_key(tmp_path, kind) == "nothing"


def test_without_a_cage_it_finds_the_key_of_its_shell(tmp_path: Path) -> None:
    """As the documentation says; else the test above would test nothing."""
    assert heard_from_a_shell_with_a_key(tmp_path, "off") == "found"


STATUS = """
for line in open("/proc/self/status"):
    if line.startswith(("Cap", "NoNewPrivs")):
        print(line.split(":")[0], int(line.split(":")[1], 16))
"""


@pytest.mark.usefixtures("kind")
def test_it_has_no_capabilities_even_as_root(tmp_path: Path) -> None:
    lines = dict(line.split() for line in run(tmp_path, STATUS))
    assert lines == {**dict.fromkeys(("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"), "0"), "NoNewPrivs": "1"}


UNCOVERS = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def tell(what, result):
    print(what, "done" if result == 0 else "refused")
def processes():
    return len([name for name in os.listdir("/proc") if name.isdigit()])
DETACH, NEWNS, NEWUSER, NEWPID, BIND = 2, 0x20000, 0x10000000, 0x20000000, 4096
before = processes()
tell("umount", libc.umount2(b"/proc", DETACH))
tell("chroot", libc.chroot(b"/"))
os.mkdir("other")
uid, gid = os.getuid(), os.getgid()
if libc.unshare(NEWUSER | NEWNS) == 0:
    for name, text in (("setgroups", "deny"), ("uid_map", f"0 {uid} 1"), ("gid_map", f"0 {gid} 1")):
        try:
            with open(f"/proc/self/{name}", "w") as file:
                file.write(text)
        except OSError:
            pass
tell("umount as root of another namespace", libc.umount2(b"/proc", DETACH))
tell("a copy without /proc", libc.mount(b"/", b"other", None, BIND, None))
tell("a move of /proc", libc.mount(b"/proc", b"other", None, 8192, None))
print("the same" if processes() == before else "more", flush=True)
"""


@pytest.mark.usefixtures("kind")
def test_it_does_not_uncover_the_old_proc(tmp_path: Path) -> None:
    """Not even as root of a namespace of its own, which Linux lets it make."""
    *results, same = run(tmp_path, UNCOVERS)
    assert results
    assert [line for line in results if not line.endswith(" refused")] == []
    assert same == "the same"


REACHES = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
for pid in map(int, sys.argv[1:]):
    try:
        os.kill(pid, 0)
        print("signals")
    except ProcessLookupError:
        print("none")
    print(libc.ptrace(16, pid, 0, 0), os.path.exists(f"/proc/{pid}"))
print(os.getppid())
"""


@pytest.mark.usefixtures("kind")
def test_it_reaches_no_process_outside(tmp_path: Path) -> None:
    assert run(tmp_path, REACHES, str(os.getpid()), str(os.getppid()))[:-1] == ["none", "-1 False"] * 2


REACHES_INIT = """
import ctypes, os, signal
opened = []
for name in ("environ", "mem", "maps", "ns/mnt"):
    try:
        open(f"/proc/1/{name}", "rb").close()
        opened.append(name)
    except OSError:
        pass
for name in ("root", "cwd", "exe", "fd/0"):
    try:
        opened.append(os.readlink(f"/proc/1/{name}"))
    except OSError:
        pass
print(opened, ctypes.CDLL(None).ptrace(16, 1, 0, 0))
for number in (signal.SIGSTOP, signal.SIGKILL, signal.SIGTERM):
    os.kill(1, number)
print(open("/proc/1/stat").read().rpartition(")")[2].split()[0])
"""


@pytest.mark.usefixtures("any_cage")
def test_it_does_not_reach_its_init(tmp_path: Path) -> None:
    """The init is a copy of the keeper, with all rights in the cage: it cannot be read, debugged, stopped or killed."""
    need("namespaces")
    assert run(tmp_path, REACHES_INIT) == ["[] -1", "S"]


@pytest.mark.usefixtures("kind")
@pytest.mark.parametrize("how", ["path", "link"])
def test_the_file_of_a_key_is_empty(how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "key").write_text(PLANTED)
    (tmp_path / "link").symlink_to("key")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ZEROSUM_MODEL_KEY_FILE", "key" if how == "path" else "link")
    code = f"import os\nprint(len(open({str(tmp_path / 'key')!r}).read()), 'ZEROSUM_MODEL_KEY_FILE' in os.environ)\n"
    code += f"os.chdir({str(tmp_path)!r})\n"
    code += "try:\n    os.link('key', 'copy')\n    print('linked')\nexcept OSError:\n    print('refused')\n"
    assert run(tmp_path, code) == ["0 False", "refused"]
    assert (tmp_path / "key").read_text() == PLANTED
    monkeypatch.setenv("ZEROSUM_CAGE", "off")
    assert run(tmp_path, code) == [f"{len(PLANTED)} False", "linked"]


@pytest.mark.usefixtures("kind")
@pytest.mark.parametrize("path", ["no-such-file", "/dev/stdin", "/", "/proc/self/fd/0"])
def test_a_key_that_is_in_no_file_does_no_harm(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZEROSUM_MODEL_KEY_FILE", path)
    assert run_command(split_command("cat"), "heard\n", PATIENCE).text == "heard"


ENDS = {
    "os._exit(3)": ("exit status 3", "exit status 3"),
    "os.kill(os.getpid(), signal.SIGKILL)": ("killed by SIGKILL", "exit status 137"),
    "os.kill(os.getpid(), signal.SIGSEGV)": ("killed by SIGSEGV", "exit status 139"),
    "os.abort()": ("killed by SIGABRT", "exit status 134"),
}


@pytest.mark.parametrize("code", ENDS)
def test_how_it_ended_is_told(code: str, kind: str, tmp_path: Path) -> None:
    (tmp_path / "code.py").write_text(f"import os, signal\n{code}\n")
    process = Process(split_command(f"{PYTHON} {tmp_path / 'code.py'}"))
    try:
        with pytest.raises(EndedError, match=ENDS[code][kind == "bubblewrap"]):
            process.hear(time.monotonic() + PATIENCE)
    finally:
        process.close()


DAEMON = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for descriptor in range(3):
            os.close(descriptor)
        open(sys.argv[1], "w").close()
        time.sleep(3600)
    os._exit(0)
os.wait()
while not os.path.exists(sys.argv[1]):
    time.sleep(0.01)
print("ready", flush=True)
time.sleep(3600)
"""


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[Process]:
    """Yield a bot with a daemon; both have the path of `mark` on their command lines."""
    (tmp_path / "daemon.py").write_text(DAEMON)
    process = Process(split_command(f"{PYTHON} {tmp_path / 'daemon.py'} {tmp_path / 'mark'}"))
    assert process.hear(time.monotonic() + PATIENCE) == "ready"
    yield process
    process.close()


@pytest.mark.usefixtures("kind")
def test_its_daemon_ends_with_it(daemon: Process, tmp_path: Path) -> None:
    daemon.close()
    assert gone(str(tmp_path / "mark"))


@pytest.mark.usefixtures("kind")
def test_its_daemon_ends_even_if_its_supervisor_is_killed_at_a_blow(daemon: Process, tmp_path: Path) -> None:
    """Nobody is left to kill the daemon then but Linux."""
    guard = daemon._supervisor.pid
    (keeper,) = psutil.Process(guard).children()
    for number in (signal.SIGSTOP, signal.SIGKILL):
        for pid in (guard, keeper.pid):
            os.kill(pid, number)
    assert gone(str(tmp_path / "daemon.py")), with_word(str(tmp_path / "daemon.py"))


@pytest.mark.usefixtures("kind")
@pytest.mark.parametrize("program", ["sh", "node", "python"])
def test_programs_run(program: str) -> None:
    command = {
        "sh": "sh -c 'echo $((6 * 7)) | cat'",
        "node": 'node -e \'console.log(require("child_process").execSync("echo 42").toString().trim())\'',
        "python": f'{PYTHON} -c \'import subprocess; subprocess.run(["echo", "42"])\'',
    }[program]
    if program == "node" and shutil.which("node") is None:
        pytest.skip("there is no Node here")
    assert run_command(split_command(command), "", PATIENCE).text == "42"


@pytest.mark.usefixtures("kind")
def test_a_command_that_answers_an_exam_is_caged(tmp_path: Path) -> None:
    (tmp_path / "code.py").write_text(SEES)
    assert run_command(split_command(f"{PYTHON} {tmp_path / 'code.py'}"), "question", PATIENCE).text == "2 True True"


@pytest.mark.usefixtures("any_cage")
def test_what_cannot_be_run_is_told(tmp_path: Path) -> None:
    (tmp_path / "bot").write_bytes(b"\x7fELF nonsense")
    (tmp_path / "bot").chmod(0o755)
    process = Process([str(tmp_path / "bot")])
    try:
        with pytest.raises(EndedError, match=r"it cannot be run \(Exec format error\)"):
            process.hear(time.monotonic() + PATIENCE)
    finally:
        process.close()


TRIES = """
import json, sys, time
from zerosum.arena.entrants.bot_process import EndedError, Process
found = []
for _ in range(2):
    process = Process(["/bin/sh", "-c", "echo ready; read line"])
    try:
        found.append([process.hear(time.monotonic() + 60), process.cage])
    except EndedError as error:
        found.append([str(error), process.cage])
    process.close()
print(json.dumps(found))
"""


def where_the_system_refuses(what: str, wish: str, path: str) -> list[list[str | None]]:
    """Return what a bot says, and the kind of its cage, where Linux allows no more namespaces of some sort."""
    refuse = f"echo 0 > /proc/sys/user/max_{what}_namespaces && exec {sys.executable} -c '{TRIES}'"
    done = subprocess.run(
        ["unshare", "--user", "--map-root-user", "sh", "-c", refuse],
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
        env={**os.environ, "ZEROSUM_CAGE": wish, "PATH": path},
    )
    return list(json.loads(done.stdout))


class TestWhereTheSystemRefuses:
    """Namespaces of users, or those of mounts: then a bot might enter the first half of a cage alone."""

    @pytest.mark.parametrize("what", ["user", "mnt", "pid"])
    def test_it_runs_without_a_cage(self, what: str, tmp_path: Path) -> None:
        need("namespaces")
        for tool in ("unshare", "sh"):
            (tmp_path / tool).symlink_to(str(shutil.which(tool)))
        assert where_the_system_refuses(what, "", str(tmp_path)) == [["ready", "none"]] * 2

    def test_bubblewrap_is_next(self, tmp_path: Path) -> None:
        need("namespaces")
        for tool in ("unshare", "sh", "true"):
            (tmp_path / tool).symlink_to(str(shutil.which(tool)))
        (tmp_path / "bwrap").write_text('#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec "$@"\n')
        (tmp_path / "bwrap").chmod(0o755)
        assert where_the_system_refuses("user", "", str(tmp_path)) == [["ready", "bubblewrap"]] * 2

    def test_no_bot_starts_without_the_cage_that_was_wished_for(self) -> None:
        need("namespaces")
        heard = where_the_system_refuses("mnt", "namespaces", os.environ["PATH"])
        assert heard == [["it cannot be run (No space left on device)", "namespaces"]] * 2


def test_a_kind_that_there_is_not_is_no_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZEROSUM_CAGE", "steel")
    with pytest.raises(BadCommandError, match=r"It may be off, namespaces, bubblewrap\."):
        Process(["/bin/true"])
