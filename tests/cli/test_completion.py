"""The Tab key in real shells: games, levels, matches and files, each completed and then run."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from tests.cli.command import Zerosum
from tests.cli.pty_play import Person
from zerosum.version import __version__

SHELLS = {
    "bash": ("bash --norc --noprofile -i", 'PS1="ready> "; eval "$(zerosum completion bash)"'),
    "zsh": (
        "zsh -f -i",
        'PS1="ready> "; autoload -Uz compinit; compinit -u -D; source <(zerosum completion zsh)',
    ),
    "fish": (
        "fish --no-config -i",
        'function fish_prompt; echo "ready> "; end; zerosum completion fish | source',
    ),
}
VARIANT = 'like = "sum31"\nid = "special"\nname = "Special"\ntarget = 27\n'


class Shell:
    """A shell in a folder with a rules file, whose user may have left a match."""

    def __init__(self, name: str, folder: Path, zerosum: Zerosum) -> None:
        command, self._set_up = SHELLS[name]
        if shutil.which(command.split()[0]) is None:
            pytest.skip(f"There is no {name} on this machine.")
        (folder / "special.toml").write_text(VARIANT)
        (folder / "My record.txt").write_text('[Game "sum31"]\n\n1. +5 +6 2. +9 +8 3. +3\n')
        (folder / "shelf").mkdir()
        path = f"{os.path.dirname(zerosum.command[0])}:{os.environ['PATH']}"
        inside = ["sh", "-c", f"cd '{folder}' && exec {command}"]
        self.person = Person(inside, PATH=path, HOME=str(folder), PS1="$ ", fish_greeting="")

    def begin(self) -> Person:
        # What is typed shows "ready> " as part of a longer text; the marks of the prompt itself stand alone.
        return self.person.types(self._set_up).sees("ready> ").types("zerosum --version").sees(f"zerosum {__version__}")


@pytest.fixture(params=SHELLS)
def shell(request: pytest.FixtureRequest, tmp_path: Path, zerosum: Zerosum) -> Shell:
    folder = tmp_path / "folder"
    folder.mkdir()
    return Shell(request.param, folder, zerosum)


@pytest.mark.slow
def test_what_is_completed_can_be_run(shell: Shell, zerosum: Zerosum) -> None:
    zerosum("play", "sum31", stdin="7\n")
    match_id = zerosum.unfinished()[0]["id"]
    with shell.begin() as someone:
        someone.types("zerosum ru\tsum3\t").sees("The pool: 1, 2, 3, 4, 5, 6, 7, 8, 9; each")
        someone.types("zerosum rules spec\t").sees("exactly 27 wins at once")
        someone.types("zerosum repl\tM\t").sees("Total is now 31")
        someone.types(f"zerosum resume {match_id[:3]}\t").sees("Moves so far: +7").sees("numbers: ").types("quit").sees(
            "kept"
        )
        someone.types("zerosum play sum31 --vs lev\t10").sees("There is no player 'level:10'.")
        someone.types("zerosum play sum31 --p1=perf\t --p2 perf\t").sees("Player 2 wins!")
        someone.types("exit")
        someone.ends()


@pytest.mark.parametrize("shell", ["bash"], indirect=True)
def test_games_and_files_are_offered_together(shell: Shell) -> None:
    with shell.begin() as someone:
        someone.presses("zerosum play s\t\t").sees("special.toml").presses("\x15")
        offered = someone.text.rpartition("zerosum play s")[2]
        for name in ("sum-to-zero", "sequence-zero", "sum31", "shelf/"):
            assert name in offered
        someone.presses("zerosum play sum31 --vs level:\t\t").sees("1  2  3  4  5  6  7  8  9").presses("\x15")
        someone.types("exit")
        someone.ends()


def _offers(zerosum: Zerosum, line: str, shell: str = "fish") -> list[str]:
    """Return what is offered after a line, whose words bash has broken at the character `|`."""
    words = re.split(r"[ |]", line)
    if shell == "bash":
        asked = {"COMP_WORDS": "\n".join(words), "COMP_CWORD": str(len(words) - 1)}
    else:
        asked = {"COMP_WORDS": line, "COMP_CWORD": words[-1]}
    done = zerosum(env={"_ZEROSUM_COMPLETE": f"{shell}_complete", **asked}).ok()
    assert done.err == ""
    return [re.split(r"[,\t]", each)[1] for each in done.out.splitlines() if each]


def test_what_is_offered(zerosum: Zerosum, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("zero.toml", "zero.txt", "zero two.toml"):
        (tmp_path / name).write_text("")
    (tmp_path / "zeros").mkdir()
    assert _offers(zerosum, "zerosum re") == ["resume", "replay", "review", "repair"]
    assert _offers(zerosum, "zerosum play sum31 --vs ") == [
        "human",
        "random",
        *(f"level:{n}" for n in range(1, 10)),
        "perfect",
        "card",
    ]
    assert _offers(zerosum, "zerosum play sum31 --first ") == ["1", "2", "toss"]
    assert _offers(zerosum, "zerosum play zero") == ["zero-sum-duel", "zero-sum-game", "zero.toml", "zeros/"]
    assert _offers(zerosum, "zerosum atlas sum") == ["sum", "sum-misere", "sum-to-zero"]
    assert _offers(zerosum, "zerosum review match.txt --html pa") == ["pa"]
    assert _offers(zerosum, "zerosum resume ") == []
    assert _offers(zerosum, "zerosum nonsense ") == []


def test_what_bash_keeps_of_a_word_is_not_offered_again(zerosum: Zerosum) -> None:
    assert _offers(zerosum, "zerosum play sum31 --vs level|:", "bash")[:2] == ["1", "2"]
    assert _offers(zerosum, "zerosum play sum31 --vs level|:|1", "bash") == ["1"]
    assert _offers(zerosum, "zerosum play sum31 --vs|=|ran", "bash") == ["random"]
    assert _offers(zerosum, "zerosum play sum31 --vs=ran", "bash") == ["--vs=random"]
    assert _offers(zerosum, "zerosum play sum31 --vs=ran") == ["--vs=random"]
    assert _offers(zerosum, "zerosum play sum31 --vs level:", "bash")[:2] == ["level:1", "level:2"]


def test_matches_are_offered_the_latest_first(
    zerosum: Zerosum, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path / "folder")
    Path("record.txt").write_text("")
    for answers in ("5\n", "6\n", "7\nresign\n"):
        zerosum("play", "sum31", stdin=answers)
    unfinished = [one["id"] for one in zerosum.unfinished()]
    for age, match_id in enumerate(unfinished):
        os.utime(home / "matches" / "open" / match_id, (1_000_000 - age, 1_000_000 - age))
    (finished,) = os.listdir(home / "matches" / "done")
    assert _offers(zerosum, "zerosum resume ") == unfinished
    assert _offers(zerosum, "zerosum resume --forget ") == unfinished
    assert _offers(zerosum, "zerosum replay ") == [*unfinished, finished, "record.txt"]
    (home / "matches" / "open" / unfinished[0]).write_bytes(b"damaged")
    assert _offers(zerosum, "zerosum resume ") == unfinished


@pytest.mark.parametrize("line", ["", "x", "zerosum play 'sum", "zerosum play \\", "zerosum --", "zerosum play -"])
def test_the_tab_key_never_fails(zerosum: Zerosum, line: str) -> None:
    _offers(zerosum, line)


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_is_printed_for_each_shell(zerosum: Zerosum, shell: str) -> None:
    assert f"_ZEROSUM_COMPLETE={shell}_complete" in zerosum("completion", shell).ok().out


@pytest.mark.skipif(shutil.which("bash") is None, reason="There is no bash on this machine.")
def test_bash_reads_its_script_without_a_word(zerosum: Zerosum) -> None:
    bash = Zerosum(["bash", "--norc", "-c"])
    done = bash('set -eu; eval "$1"', "bash", zerosum("completion", "bash").ok().out).ok()
    assert (done.out, done.err) == ("", "")
