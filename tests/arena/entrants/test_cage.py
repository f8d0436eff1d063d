"""A caged bot sees no process but its own, finds no key, has no rights to leave, and is otherwise a bot like any other.

Tests in the cage are skipped only if bubblewrap itself shows that the system allows none.
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
from zerosum.arena.entrants.command_line import BadCommandError, split_command
from zerosum.arena.entrants.open_entrant import run_command

ROOT = Path(__file__).resolve().parents[3]
PLANTED = "s3cret-of-a-shell"
TOOL = ["bwrap", "--dev-bind", "/", "/", "--proc", "/proc", "--unshare-pid", "true"]


@cache
def allowed() -> bool:
    """Whether this system allows a cage, as bubblewrap finds."""
    return shutil.which("bwrap") is not None and subprocess.run(TOOL, capture_output=True, check=False).returncode == 0


@pytest.fixture
def cage(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cage bots during the test, or skip it."""
    if not allowed():
        pytest.skip(f"this system allows no cage: '{' '.join(TOOL)}' fails")
    monkeypatch.setenv("ZEROSUM_CAGE", "bubblewrap")


@pytest.mark.usefixtures("cage")
def test_a_bot_is_caged_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ZEROSUM_CAGE")
    with_cage = Process(split_command("sh -c 'echo ready; read line'"))
    try:
        assert with_cage.hear(time.monotonic() + PATIENCE) == "ready"
        assert with_cage.cage == "bubblewrap"
    finally:
        with_cage.close()


SEES = """
import os
pids = [name for name in os.listdir("/proc") if name.isdigit()]
print(len(pids), str(os.getpid()) in pids, sorted(os.listdir("/proc/self/task")) == [str(os.getpid())])
"""


@pytest.mark.usefixtures("cage")
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


@pytest.mark.usefixtures("cage")
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


@pytest.mark.usefixtures("cage")
def test_it_does_not_find_the_key_of_its_shell(tmp_path: Path) -> None:
    assert heard_from_a_shell_with_a_key(tmp_path, "") == "nothing"


def test_without_a_cage_it_finds_the_key_of_its_shell(tmp_path: Path) -> None:
    """As the documentation says; else the test above would test nothing."""
    assert heard_from_a_shell_with_a_key(tmp_path, "off") == "found"


STATUS = """
for line in open("/proc/self/status"):
    if line.startswith(("Cap", "NoNewPrivs")):
        print(line.split(":")[0], int(line.split(":")[1], 16))
"""


@pytest.mark.usefixtures("cage")
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


@pytest.mark.usefixtures("cage")
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


@pytest.mark.usefixtures("cage")
def test_it_reaches_no_process_outside(tmp_path: Path) -> None:
    assert run(tmp_path, REACHES, str(os.getpid()), str(os.getppid()))[:-1] == ["none", "-1 False"] * 2


REACHES_INIT = """
import os, signal
for number in (signal.SIGSTOP, signal.SIGKILL, signal.SIGTERM):
    os.kill(1, number)
print(open("/proc/1/stat").read().rpartition(")")[2].split()[0])
print(sorted(name for name in os.listdir("/proc/1/root/proc") if name.isdigit()) == ["1", str(os.getpid())])
print({line.split()[1] for line in open("/proc/1/status") if line.startswith("Cap")} == {"0" * 16})
"""


@pytest.mark.usefixtures("cage")
def test_its_init_gives_it_nothing(tmp_path: Path) -> None:
    """The init is bubblewrap: it cannot be stopped or killed, and has neither rights nor a way out of the cage."""
    assert run(tmp_path, REACHES_INIT) == ["S", "True", "True"]


@pytest.mark.usefixtures("cage")
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


@pytest.mark.usefixtures("cage")
@pytest.mark.parametrize("path", ["no-such-file", "/dev/stdin", "/", "/proc/self/fd/0"])
def test_a_key_that_is_in_no_file_does_no_harm(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZEROSUM_MODEL_KEY_FILE", path)
    assert run_command(split_command("cat"), "heard\n", PATIENCE).text == "heard"


ENDS = {
    "os._exit(3)": r"exit status 3$",
    "os.kill(os.getpid(), signal.SIGKILL)": r"exit status 137 \(128 \+ SIGKILL\)$",
    "os.kill(os.getpid(), signal.SIGSEGV)": r"exit status 139 \(128 \+ SIGSEGV\)$",
    "os.abort()": r"exit status 134 \(128 \+ SIGABRT\)$",
}


@pytest.mark.usefixtures("cage")
@pytest.mark.parametrize("code", ENDS)
def test_how_it_ended_is_told(code: str, tmp_path: Path) -> None:
    (tmp_path / "code.py").write_text(f"import os, signal\n{code}\n")
    process = Process(split_command(f"{PYTHON} {tmp_path / 'code.py'}"))
    try:
        with pytest.raises(EndedError, match=ENDS[code]):
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


@pytest.mark.usefixtures("cage")
def test_its_daemon_ends_with_it(daemon: Process, tmp_path: Path) -> None:
    daemon.close()
    assert gone(str(tmp_path / "mark"))


@pytest.mark.usefixtures("cage")
def test_its_daemon_ends_even_if_its_supervisor_is_killed_at_a_blow(daemon: Process, tmp_path: Path) -> None:
    """Nobody is left to kill the daemon then but Linux."""
    guard = daemon._supervisor.pid
    (keeper,) = psutil.Process(guard).children()
    for number in (signal.SIGSTOP, signal.SIGKILL):
        for pid in (guard, keeper.pid):
            os.kill(pid, number)
    assert gone(str(tmp_path / "daemon.py")), with_word(str(tmp_path / "daemon.py"))


@pytest.mark.usefixtures("cage")
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


@pytest.mark.usefixtures("cage")
def test_a_command_that_answers_an_exam_is_caged(tmp_path: Path) -> None:
    (tmp_path / "code.py").write_text(SEES)
    assert run_command(split_command(f"{PYTHON} {tmp_path / 'code.py'}"), "question", PATIENCE).text == "2 True True"


@pytest.mark.usefixtures("cage")
@pytest.mark.parametrize(("wish", "how"), [("off", "it cannot be run"), ("", "it ended with exit status 126")])
def test_what_cannot_be_run_is_told(wish: str, how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZEROSUM_CAGE", wish)
    (tmp_path / "bot").write_bytes(b"\x7fELF nonsense")
    (tmp_path / "bot").chmod(0o755)
    process = Process([str(tmp_path / "bot")])
    try:
        with pytest.raises(EndedError, match=how) as ended:
            process.hear(time.monotonic() + PATIENCE)
        assert "Exec format error" in f"{ended.value} {process.complaints}"
    finally:
        process.close()


TRIES = """
import json, sys, time
from zerosum.arena.entrants.bot_process import EndedError, Process
process = Process(["/bin/sh", "-c", "echo ready; read line"])
try:
    print(json.dumps([process.hear(time.monotonic() + 60), process.cage]))
except EndedError as error:
    print(json.dumps([str(error), process.cage]))
process.close()
"""


@pytest.mark.parametrize("bwrap", ["", "#!/bin/sh\nexit 1\n"], ids=["missing", "refused"])
@pytest.mark.parametrize(
    ("wish", "heard"), [("", ["ready", "none"]), ("bubblewrap", ["it ended with exit status", "bubblewrap"])]
)
def test_where_no_cage_can_be_made(wish: str, heard: list[str], bwrap: str, tmp_path: Path) -> None:
    """A bot runs without one, and none starts if its user insists on a cage."""
    (tmp_path / "sh").symlink_to("/bin/sh")
    if bwrap:
        (tmp_path / "bwrap").write_text(bwrap)
        (tmp_path / "bwrap").chmod(0o755)
    done = subprocess.run(
        [sys.executable, "-c", TRIES],
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
        env={**os.environ, "ZEROSUM_CAGE": wish, "PATH": str(tmp_path)},
    )
    said, cage = json.loads(done.stdout)
    assert said.startswith(heard[0])
    assert cage == heard[1]


@pytest.mark.parametrize("wish", ["steel", "namespaces"])
def test_a_kind_that_there_is_not_is_no_command(wish: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZEROSUM_CAGE", wish)
    with pytest.raises(BadCommandError, match=r"It may be off, bubblewrap\."):
        Process(["/bin/true"])
