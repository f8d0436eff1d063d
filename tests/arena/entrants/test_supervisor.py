"""What a bot is given, and that nothing of it is left: not even when its owner is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from tests.arena.entrants.processes import gone, with_word
from tests.each import each
from tests.patience import PATIENCE
from zerosum.arena.entrants import bot_process
from zerosum.arena.entrants.bot import shown_name
from zerosum.arena.entrants.bot_process import EndedError, Process
from zerosum.arena.entrants.command_line import split_command

PYTHON = f"{sys.executable} -I -S"


def run(tmp_path: Path, code: str, *arguments: str) -> list[str]:
    """Run code as a bot and return the lines that it writes."""
    script = tmp_path / "code.py"
    script.write_text(code)
    process = Process(split_command(f"{PYTHON} {script} {' '.join(arguments)}"))
    lines = []
    try:
        while (line := process.hear(time.monotonic() + PATIENCE)) is not None:
            lines.append(line)
    except EndedError:
        return lines
    finally:
        process.close()
    raise AssertionError("it did not end")


def test_it_has_no_terminal_and_no_other_descriptor(tmp_path: Path) -> None:
    with open(os.devnull, "rb") as held:
        os.set_inheritable(held.fileno(), True)  # noqa: FBT003 - Python's own signature
        code = (
            "import os\nprint(*sorted(os.listdir('/proc/self/fd'), key=int))\nprint(os.getsid(0) in {0, os.getpid()})\n"
        )
        code += "try:\n    os.open('/dev/tty', os.O_RDWR)\nexcept OSError:\n    print('no terminal')\n"
        open_ones, *rest = run(tmp_path, code)
    # The last one is the listing itself. In a cage the session began outside, where it has no number.
    assert (open_ones, rest) == ("0 1 2 3", ["True", "no terminal"])


def test_its_folder_is_fresh_and_goes_with_it(tmp_path: Path) -> None:
    code = "import os\nprint(os.getcwd())\nprint(os.listdir())\nprint(os.environ['TMPDIR'])\nopen('left', 'w').close()"
    folder, listing, temporary = run(tmp_path, code)
    assert listing == "[]"
    assert temporary == folder
    deadline = time.monotonic() + PATIENCE
    while os.path.exists(folder) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not os.path.exists(folder)


def test_it_gets_no_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "my_token", "A_PASSWORD"):
        monkeypatch.setenv(name, "s3cret")
    monkeypatch.setenv("PLAIN", "seen")
    (line,) = run(tmp_path, "import os\nprint(os.environ['PLAIN'], 's3cret' in os.environ.values())")
    assert line == "seen False"


def test_ends_that_race_with_the_last_line_are_all_heard(tmp_path: Path) -> None:
    """What it wrote last is read, however its end is noticed: by its output or by its supervisor."""
    for n in range(8):
        code = "import os, sys, time\nprint('one')\nprint('two', flush=True)\n"
        code += "os.close(1)\ntime.sleep(0.01)\n" if n % 2 else ""
        assert run(tmp_path, code) == ["one", "two"]


_WHILE_ITS_KEEPER_IS_HELD_UP = """
import os, signal, time
input()
supervisor = os.getppid()
if os.fork() == 0:
    os.close(1)
    time.sleep(1.5)
    os.kill(supervisor, signal.SIGCONT)
    os._exit(0)
os.kill(supervisor, signal.SIGSTOP)
os._exit(3)
"""


def test_how_it_ended_is_told_however_late_its_keeper_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZEROSUM_CAGE", "off")  # in a cage it does not reach its keeper
    script = tmp_path / "code.py"
    script.write_text(_WHILE_ITS_KEEPER_IS_HELD_UP)
    process = Process(split_command(f"{PYTHON} {script}"))
    try:
        while not process._pid:  # else the keeper is held up before it has said which process is the bot
            process.hear(time.monotonic() + 0.01)
        process.say("go")
        with pytest.raises(EndedError, match="it ended with exit status 3"):
            process.hear(time.monotonic() + PATIENCE)
    finally:
        process.close()


_HARMS_ITS_KEEPERS = """
import os, signal, sys, time
keeper = os.getppid()
with open(f"/proc/{keeper}/stat") as file:
    guard = int(file.read().rpartition(")")[2].split()[1])
if os.fork() == 0:
    os.setsid()
    os.execv(sys.executable, [sys.executable, "-I", "-S", "-c", "import time; time.sleep(600)", sys.argv[2]])
os.kill({"keeper": keeper, "guard": guard}[sys.argv[1].split()[1]], getattr(signal, sys.argv[1].split()[0]))
print("done", flush=True)
time.sleep(600)
"""


@each(
    ["harm", "end"],
    [
        (f"{signal} {who}", end)
        for signal in ("SIGKILL", "SIGSTOP")
        for who in ("keeper", "guard")
        for end in ("close", "SIGKILL")
    ],
)
def test_nothing_is_left_of_a_bot_that_harms_its_supervisor(harm: str, end: str, tmp_path: Path) -> None:
    """It kills or stops one half of it, and a daemon of it lives on; then its owner closes it, or is killed too.

    It has no cage, in which it would not reach its supervisor.
    """
    mark = str(tmp_path / f"mark-{harm.replace(' ', '-')}-{end}")
    script = tmp_path / "harm.py"
    script.write_text(_HARMS_ITS_KEEPERS)
    owner = subprocess.Popen(
        [sys.executable, "-c", _CLOSING, f"{PYTHON} {script} '{harm}' {mark}"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(tmp_path), "ZEROSUM_CAGE": "off"},
    )
    assert owner.stdout is not None
    assert owner.stdout.readline() in {b"harmed\n", b"ended\n"}
    if end == "SIGKILL":
        owner.send_signal(signal.SIGKILL)
    owner.communicate(b"close\n" if end == "close" else None, timeout=PATIENCE)
    assert gone(mark), with_word(mark)
    deadline = time.monotonic() + PATIENCE
    while list(tmp_path.glob("zerosum-bot-*")) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not list(tmp_path.glob("zerosum-bot-*"))


_CLOSING = """
import contextlib, sys, time
from zerosum.arena.entrants.bot_process import EndedError, Process
from zerosum.arena.entrants.command_line import split_command
process = Process(split_command(sys.argv[1]))
try:
    assert process.hear(time.monotonic() + 60) == "done"
    print("harmed", flush=True)
except EndedError:
    print("ended", flush=True)
sys.stdin.readline()
process.close()
"""


def test_folders_that_nobody_holds_are_swept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(bot_process, "_NEW", 0.0)
    left, used, other = (tmp_path / name for name in ("zerosum-bot-left", "zerosum-bot-used", "another"))
    for folder in (left, used, other):
        folder.mkdir()
        (folder / "file").write_text("")
    (tmp_path / "zerosum-bot-link").symlink_to(other)
    lock = bot_process._lock_of(str(used))
    bot_process.sweep_folders.cache_clear()
    bot_process.sweep_folders()
    assert not left.exists()
    assert (used / "file").exists()
    assert (other / "file").exists()
    os.close(lock)
    monkeypatch.setattr(bot_process, "_NEW", 60.0)
    bot_process.sweep_folders.cache_clear()
    bot_process.sweep_folders()
    assert used.exists(), "it is too new"


_READS_ITS_ANCESTORS = """
import os
pid = os.getpid()
while pid > 1:
    with open(f"/proc/{pid}/stat") as file:
        pid = int(file.read().rpartition(")")[2].split()[1])
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            print("key" if b"s3cret-of-a-model" in file.read() else "nothing", flush=True)
    except OSError:
        print("closed", flush=True)
"""


def test_a_bot_finds_no_key_in_its_ancestors(tmp_path: Path) -> None:
    """In none of our processes, even without a cage; and the key is still there for us, and for what we start."""
    script = tmp_path / "reads.py"
    script.write_text(_READS_ITS_ANCESTORS)
    code = (
        "import ctypes, os, subprocess, sys\nfrom pathlib import Path\n"
        "from tests.arena.entrants.test_supervisor import run\n"
        "print(run(Path(sys.argv[1]), Path(sys.argv[2]).read_text()))\nprint(ctypes.CDLL(None).prctl(3, 0, 0, 0, 0))\n"
        "print(os.environ['ZEROSUM_MODEL_KEY'], flush=True)\nsubprocess.run(['sh', '-c', 'echo $ZEROSUM_MODEL_KEY'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path), str(script)],
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
        cwd=Path(__file__).parents[3],
        env={**os.environ, "ZEROSUM_MODEL_KEY": "s3cret-of-a-model", "ZEROSUM_CAGE": "off"},
    )
    heard, dumpable, *keys = done.stdout.splitlines()
    assert "'key'" not in heard
    assert heard.count("'nothing'") + heard.count("'closed'") >= 3, (
        "its keeper, its guard and its owner: else nothing is tested"
    )
    assert dumpable == "0"
    assert keys == ["s3cret-of-a-model"] * 2


def test_a_command_is_read_without_a_shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my bot.py").write_text("")
    (tmp_path / "levels").write_text("")
    words = split_command("python3 'my bot.py' levels $HOME *.py")
    assert words[1:] == (str(tmp_path / "my bot.py"), "levels", "$HOME", "*.py")
    assert os.path.isabs(words[0])


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("Deep Sum", "Deep Sum"),
        ("  a \t b ", "a b"),
        ("\x1b[31mred\x1b[0m", "[31mred[0m"),
        ("\u202eevil", "evil"),
        ("\N{ZERO WIDTH SPACE}", "Bot"),
        ("", "Bot"),
        ("x" * 1000, "x" * 40),
        ("\N{COMBINING ACUTE ACCENT}x", "Bot"),
        ("\N{HANGUL FILLER}", "Bot"),
    ],
)
def test_a_name_is_cleaned(given: str, shown: str) -> None:
    assert shown_name(given) == shown


OWNER = """
import sys, time
from zerosum.arena.entrants.bot import Bot
from zerosum.rules.game_files import built_in
bot = Bot(sys.argv[1])
bot.begin(built_in("sum31"))
bot._talk.process.say("position startpos", "go movetime 1000")
print("asked", flush=True)
time.sleep(600)
"""


@pytest.mark.parametrize("kind", ["ignores SIGTERM", "forks a daemon"])
def test_nothing_is_left_when_the_owner_is_killed(kind: str, tmp_path: Path) -> None:
    mark = str(tmp_path / "mark")
    bad = f"{PYTHON} {Path(__file__).with_name('bad_bot.py')} '{kind}' {mark}"
    owner = subprocess.Popen([sys.executable, "-c", OWNER, bad], stdout=subprocess.PIPE)
    try:
        assert owner.stdout is not None
        assert owner.stdout.readline() == b"asked\n"
        deadline = time.monotonic() + PATIENCE
        while not os.path.exists(mark) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert len(with_word(mark)) >= 3, "the owner, the supervisor and the bot"
    finally:
        owner.send_signal(signal.SIGKILL)
        owner.communicate()
    assert gone(mark)
