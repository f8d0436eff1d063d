"""What a bot is given, and that nothing of it is left: not even when its owner is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.arena.entrants.processes import gone, with_word
from tests.patience import PATIENCE
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
        code = "import os\nprint(*sorted(os.listdir('/proc/self/fd'), key=int))\nprint(os.getsid(0) == os.getpid())\n"
        code += "try:\n    os.open('/dev/tty', os.O_RDWR)\nexcept OSError:\n    print('no terminal')\n"
        open_ones, *rest = run(tmp_path, code)
    # The last one is the listing itself.
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
supervisor = os.getppid()
if os.fork() == 0:
    os.close(1)
    time.sleep(1.5)
    os.kill(supervisor, signal.SIGCONT)
    os._exit(0)
os.kill(supervisor, signal.SIGSTOP)
os._exit(3)
"""


def test_how_it_ended_is_told_however_late_its_keeper_is(tmp_path: Path) -> None:
    script = tmp_path / "code.py"
    script.write_text(_WHILE_ITS_KEEPER_IS_HELD_UP)
    process = Process(split_command(f"{PYTHON} {script}"))
    try:
        with pytest.raises(EndedError, match="it ended with exit status 3"):
            process.hear(time.monotonic() + PATIENCE)
    finally:
        process.close()


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
