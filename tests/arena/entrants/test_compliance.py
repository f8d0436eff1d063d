"""`zerosum bot check` passes our players and the example bots, and finds what is wrong with others."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.cli.command import Zerosum
from tests.full import parted
from zerosum.arena.entrants.command_line import Bounds
from zerosum.arena.entrants.compliance import ComplianceCheck
from zerosum.rules.game_files import GAME_IDS, built_in
from zerosum.rules.model import Rules

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[3]
BOTS = ROOT / "docs" / "bots"
SLACK = Bounds(margin=60)
"""A minute more for everything: no test is about the speed of a machine."""
STRICT = Bounds(start=4)
"""For bots that never answer, whatever they are given."""
PUNCTUAL = Bounds(start=60)
"""For bots that start, and then are late or never end."""
FEW = 4
OPTIONAL = {"every go", "policy", "query"}
PYTHON = f"{sys.executable} -I -S"
"""Python without site-packages: zerosum cannot be imported."""
OURS = f"{sys.executable} -m zerosum bot levels"
ALL = ("random", *(f"level:{n}" for n in range(1, 10)), "perfect", "card")


def failed(command: str, rules: Sequence[Rules] = (), positions: int = FEW, bounds: Bounds = SLACK) -> dict[str, str]:
    """Return the tests that a bot fails, with the detail of each."""
    check = ComplianceCheck(command, rules, positions=positions, bounds=bounds)
    return {f"{one.test} {one.game}".strip(): one.detail for one in check if not one.passed}


def built(name: str, folder: Path) -> str:
    """Return the command of an example bot, built if it has to be; skip it where its language is not there."""
    tools = {"bot.py": "python3", "bot.js": "node", "bot.c": "cc", "bot.rs": "rustc", "bot.sh": "awk"}
    tool = tools[name.replace("first", "bot")]
    if shutil.which(tool) is None:
        pytest.skip(f"there is no {tool} here")
    path = BOTS / name
    if tool in ("cc", "rustc"):
        subprocess.run([tool, "-o", folder / "bot", path], check=True)
        return str(folder / "bot")
    return f"{ {'python3': PYTHON, 'awk': 'sh'}.get(tool, tool) } {path}"


EXAMPLES = ("bot.py", "bot.js", "bot.c", "bot.rs", "bot.sh")


@pytest.mark.parametrize("name", parted(EXAMPLES, ("bot.js", "bot.rs")))
def test_an_example_passes(name: str, tmp_path: Path) -> None:
    assert failed(built(name, tmp_path)).keys() <= OPTIONAL


@pytest.mark.full
@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_passes_in_full(name: str, tmp_path: Path) -> None:
    assert failed(built(name, tmp_path), positions=200).keys() <= OPTIONAL


@pytest.mark.parametrize("name", ["first.py", "first.js"])
def test_the_first_bots_play_the_games_that_the_page_says(name: str, tmp_path: Path) -> None:
    games = [built_in("sum31"), built_in("zero-sum-duel")]
    assert failed(built(name, tmp_path), games).keys() <= OPTIONAL


def test_the_examples_are_short_and_need_nothing_of_ours() -> None:
    for name in EXAMPLES:
        text = (BOTS / name).read_text(encoding="utf-8")
        assert len(text.splitlines()) < 80, name
        assert "import zerosum" not in text, name
    done = subprocess.run([sys.executable, "-I", "-S", "-c", "import zerosum"], capture_output=True, check=False)
    assert done.returncode == 1, "the Python of these tests has zerosum"


@pytest.mark.parametrize("who", parted(("random", "level:5", "card"), ("random", "card")))
def test_our_players_pass(who: str) -> None:
    assert failed(f"{OURS} {who}", games_of(who)) == {}


@pytest.mark.full
@pytest.mark.parametrize("who", ALL)
def test_our_players_pass_in_full(who: str) -> None:
    assert failed(f"{OURS} {who}", games_of(who), positions=200) == {}


def games_of(who: str) -> list[Rules]:
    """Return what a player is tried in: there are no cards where seats can be swapped."""
    return [built_in(game) for game in GAME_IDS] if who == "card" else []


GOOD = """
import random, sys, json
rules, pool, thinking = {}, [], False
def say(text):
    print(text, flush=True)
for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word == "ugi":
        say("id name Good"); say("ugiok")
    elif word == "isready":
        say("readyok")
    elif word == "rules":
        lines = [sys.stdin.readline().split(" = ") for _ in range(int(rest[0]))]
        rules = {key: json.loads(value) for key, value in lines}
    elif word == "uginewgame":
        pool = []
    elif word == "position":
        pool = [int(n) for n in rest[1].split(",")] if rest[0] == "fen" else list(rules["pool"])
        for move in rest[rest.index("moves") + 1 :] if "moves" in rest else []:
            pool.remove(int(move))
    elif word == "go":
        say(f"bestmove {random.choice(pool):+d}")
    elif word == "quit":
        break
"""
MOVE = 'say(f"bestmove {random.choice(pool):+d}")'
FAULTS: dict[str, tuple[str, str, set[str]]] = {
    "good": ("", "", set()),
    "no name": ('say("id name Good"); ', "", {"name"}),
    "a name with escapes": ("id name Good", "id name \\x1b[31mRed", {"name"}),
    "not ready": ('say("readyok")', "pass", {"ready"}),
    "talks": ('say("id name Good")', 'say("id name Good"); say("Hello!")', {"output"}),
    "two moves": (MOVE, f'{MOVE}; say("bestmove +1")', {"output"}),
    "never looks at fen": ('rest[0] == "fen"', "False", {"fen and moves sum31"}),
    "never looks at moves": ('"moves" in rest', "False", {"legal moves sum31", "fen and moves sum31"}),
    "leaks an old game": ("pool = [int(n)", "pool = pool or [int(n)", {"fen and moves sum31"}),
    "dies of empty lines": ('line.split() or [""]', "line.split()", {"survives"}),
    "dies of long lines": ("    word, *rest", "    if len(line) > 4000: sys.exit(1)\n    word, *rest", {"survives"}),
    "does not quit": ("        break", "        pass", {"quit"}),
    "complains of rules": ("        pool = []", '        say("error no")', {"rules sum31"}),
    "ends at go": (MOVE, "sys.exit(4)", {"ready"}),
    "sleeps": (MOVE, f"__import__('time').sleep(60); {MOVE}", {"ready"}),
    "takes its time": (MOVE, f"__import__('time').sleep(0.6 * (rest[-1] == '300')); {MOVE}", {"movetime"}),
}


BOUNDS = {"not ready": STRICT, "sleeps": STRICT, "does not quit": PUNCTUAL, "takes its time": PUNCTUAL}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_wrong_is_found(fault: str, tmp_path: Path) -> None:
    old, new, expected = FAULTS[fault]
    assert old in GOOD
    script = tmp_path / "bot.py"
    script.write_text(GOOD.replace(old, new))
    details = failed(f"{PYTHON} {script}", [built_in("sum31")], 12, BOUNDS.get(fault, SLACK))
    found = details.keys() - OPTIONAL
    assert expected <= found if expected else not found, found
    if fault == "dies of empty lines":
        assert "it ended with exit status 1; it said: ValueError: not enough values" in details["survives"]


def test_output_that_is_not_flushed_is_told_apart(tmp_path: Path) -> None:
    script = tmp_path / "bot.py"
    script.write_text(GOOD.replace(", flush=True", ""))
    starts, flushed = ComplianceCheck(f"{PYTHON} {script}", [built_in("sum31")], positions=1, bounds=STRICT)
    assert (starts.test, starts.passed, starts.detail) == ("starts", False, "no ugiok in 4 s")
    assert (flushed.test, flushed.passed) == ("flushed", False)
    assert "flush the output after every line" in flushed.detail


class TestCommand:
    BOT = f"sh {BOTS / 'bot.sh'}"

    def test_one_line_a_test(self, zerosum: Zerosum) -> None:
        done = zerosum("bot", "check", self.BOT, "sum31", "--positions", "2", "--margin", "60000").ok()
        lines = done.out.splitlines()
        assert lines[0].split() == ["ok", "starts", "it", "says", "ugiok", "in", "time"]
        assert lines[-1] == "Shell example passes: it can play."
        assert {line.split()[0] for line in lines[:-2]} == {"ok", "not"}
        assert done.err.split(":")[0] in {"Caged", "Not caged"}

    def test_it_says_that_there_was_no_cage(self, zerosum: Zerosum, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("ZEROSUM_CAGE", "off")
        assert zerosum("bot", "check", "cat /nowhere").err.startswith("Not caged: it could look")

    def test_json(self, zerosum: Zerosum) -> None:
        arguments = ("bot", "check", self.BOT, "sum31", "--positions", "2", "--margin", "60000", "--json")
        answer = zerosum(*arguments).ok().json()
        assert set(answer) == {"schema", "name", "author", "passed", "tests", "seconds"}
        assert (answer["schema"], answer["name"], answer["passed"]) == (1, "Shell example", True)
        assert all(set(one) == {"test", "must", "passed", "detail", "game"} for one in answer["tests"])
        assert "bot.sh" not in str(answer)

    def test_a_bot_that_fails(self, zerosum: Zerosum) -> None:
        done = zerosum("bot", "check", "cat /nowhere")
        assert done.status == 1
        assert "FAILED  starts" in done.out
        assert "it ended with exit status 1; it said: " in done.out
        assert done.out.endswith("The bot fails 1 of 1 tests.\n")

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["check"], "Missing argument 'COMMAND'"),
            (["check", "./nowhere"], "There is no program './nowhere'"),
            (["check", "sh", "sum32"], "There is no game 'sum32'"),
            (["check", "sh", "--positions", "0"], "--positions is 1 or more"),
            (["levels", "level:10"], "There is no player 'level:10'"),
            (["chekc", "sh"], "Did you mean 'check'?"),
        ],
    )
    def test_nonsense(self, arguments: list[str], message: str, zerosum: Zerosum) -> None:
        done = zerosum("bot", *arguments)
        assert (done.status, done.out) == (2, "")
        assert message in done.err
