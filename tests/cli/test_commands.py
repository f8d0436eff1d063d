"""Every command that asks no questions, and every way to mistype one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import GAMES, Zerosum, variant


def test_games(zerosum: Zerosum) -> None:
    ran = zerosum("games").ok()
    assert [line.split()[0] for line in ran.out.splitlines()[1:6]] == list(GAMES)
    assert ran.err == ""


def test_games_as_json_is_one_document(zerosum: Zerosum) -> None:
    answer = zerosum("games", "--json").ok().json()
    assert answer["schema"] == 1
    assert [game["id"] for game in answer["games"][:5]] == list(GAMES)
    assert all({"id", "name", "pool", "target"} <= set(game) for game in answer["games"])
    assert answer["games"][4]["target"] == 31


@pytest.mark.parametrize("game", GAMES)
def test_rules(zerosum: Zerosum, game: str) -> None:
    lines = zerosum("rules", game).ok().out.splitlines()
    assert lines[0].replace(" ", "-").lower() == game
    assert lines[2].startswith("The pool: ")
    assert ("An invalid number or operation forfeits the match." in lines) == (game == "zero-sum-duel")


def test_rules_and_check_of_a_file(zerosum: Zerosum, tmp_path: Path) -> None:
    path = variant(tmp_path, like="sum31", target=30)
    assert zerosum("check", path).ok().out == f"{path}: good rules for My Variant (variant).\n"
    assert "the target is 30." in zerosum("rules", path).ok().out


HOSTILE: dict[str, str] = {
    "escape in the name": 'name = "a\\u001b[31mb"',
    "title sequence in the name": 'name = "a\\u001b]0;b\\u0007"',
    "carriage return in the name": 'name = "a\\rb"',
    "bidi in the name": 'name = "a\\u202eb"',
    "zero width in the name": 'name = "a\\u200bb"',
    "blank lookalike": 'name = "\\u3164"',
    "a long name": f'name = "{"a" * 60_000}"',
    "escape in the id": 'id = "a\\u001b"',
    "escape in a key": '"\\u001b[31m" = 1',
    "escape in like": 'like = "\\u001b[31m"',
    "unknown key": "taget = 31",
    "nested arrays": f"pool = {'[' * 5000}{']' * 5000}",
    "giant integer": f"target = {'9' * 5000}",
    "boolean": "target = true",
    "float": "target = 3.0",
    "not TOML": "= = =\x07",
    "a dotted path in like": 'like = "../sum31"',
}


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_hostile_rules_files_get_one_clear_line(zerosum: Zerosum, tmp_path: Path, name: str) -> None:
    key = HOSTILE[name].partition(" ")[0]
    base = {"format": "1", "id": '"x"', "name": '"X"', "pool": "[1, 2]", "target": "2"}
    text = "".join(f"{k} = {v}\n" for k, v in base.items() if k != key) + HOSTILE[name] + "\n"
    path = tmp_path / "hostile.toml"
    path.write_text(text)
    for args in (("check", str(path)), ("rules", str(path)), ("play", str(path)), ("perft", str(path), "1")):
        ran = zerosum(*args)
        assert (ran.status, ran.out) == (1, "")
        assert ran.err.startswith(f"zerosum: {path}: ")
        assert ran.err.count("\n") == 1
        assert all(c.isprintable() for c in ran.err[:-1])
        assert len(ran.err) < 600
    assert not (tmp_path / "home").exists()


def test_files_that_are_no_rules_files(zerosum: Zerosum, tmp_path: Path) -> None:
    large, binary, missing = tmp_path / "large.toml", tmp_path / "binary.toml", tmp_path / "missing.toml"
    large.write_text("#" * 70_000)
    binary.write_bytes(b"\xff\xfe\0")
    for path in (large, binary, missing, tmp_path):
        ran = zerosum("check", str(path))
        assert (ran.status, ran.out, ran.err.count("\n")) == (1, "", 1)
        assert str(path) in ran.err


@pytest.mark.parametrize(
    ("game", "depth", "count"),
    [("sum31", 0, 1), ("sum31", 3, 504), ("sum-to-zero", 2, 306), ("zero-sum-duel", 1, 18), ("sum31", 10, 0)],
)
def test_perft_prints_one_number_alone(zerosum: Zerosum, game: str, depth: int, count: int) -> None:
    assert zerosum("perft", game, str(depth)).ok().out == f"{count}\n"


def test_perft_counts_swap(zerosum: Zerosum, tmp_path: Path) -> None:
    path = variant(tmp_path, like="sum31", swap=True)
    assert zerosum("perft", path, "2").ok().out == "81\n"


@pytest.mark.parametrize("depth", ["-1", "x", "1.5", "", "1_0", "٣", "9" * 30])
def test_perft_of_no_depth(zerosum: Zerosum, depth: str) -> None:
    ran = zerosum("perft", "sum31", depth)
    assert (ran.status, ran.out) == (2, "")


MISTAKES: list[tuple[list[str], str]] = [
    (["plya"], "Did you mean 'play'?"),
    (["gmaes"], "Did you mean 'games'?"),
    (["nonsense"], "The commands are play,"),
    (["--verison"], "Did you mean '--version'?"),
    (["play", "sum13"], "Did you mean 'sum31'?"),
    (["rules", "zero-sum-deul"], "Did you mean 'zero-sum-duel'?"),
    (["play", "chess"], "The games are sum-to-zero,"),
    (["play", ""], "There is no game ''."),
    (["play"], "Missing argument 'GAME'."),
    (["play", "sum31", "--plian"], "Did you mean '--plain'?"),
    (["play", "sum31", "--vs", "randm"], "Did you mean 'random'?"),
    (["play", "sum31", "--p1", "level:0"], "There is no player 'level:0'."),
    (["play", "sum31", "--p1", "\x1b[31m"], "There is no player '\\x1b[31m'."),
    (["play", "sum31", "--vs", "random", "--p2", "random"], "--vs is the same as --p2"),
    (["play", "sum31", "--first", "3"], "'1', '2', 'toss'"),
    (["play", "sum31", "--seed", "\x1b"], "The seed '\\x1b' has a character that cannot be shown"),
    (["games", "extra\x1b]0;x\x07"], "extra\\x1b]0;x\\x07"),
    (["re\x1bsume"], "Did you mean 'resume'?"),
    (["completion", "tcsh"], "'bash', 'zsh', 'fish'"),
    (["completion"], "Missing argument"),
]


@pytest.mark.parametrize(
    ("args", "said"), MISTAKES, ids=lambda value: " ".join(value) if isinstance(value, list) else ""
)
def test_mistakes_exit_2_and_say_what_was_meant(zerosum: Zerosum, args: list[str], said: str) -> None:
    ran = zerosum(*args)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err
    assert {c for c in ran.err if not c.isprintable()} == {"\n"}
    assert zerosum.unfinished() == []


@pytest.mark.slow
def test_version_and_help(zerosum: Zerosum) -> None:
    assert zerosum("--version").ok().out.startswith("zerosum ")
    for args in (("--help",), ("-h",), ("play", "--help"), ("resume", "-h")):
        assert zerosum(*args).ok().out.startswith("Usage: zerosum ")
    for command in ("play", "resume", "replay", "games", "rules", "check", "perft", "completion"):
        assert f"  {command} " in zerosum("--help").out
        assert "Examples:" in zerosum(command, "--help").ok().out


def test_json_is_ascii_whatever_the_encoding(zerosum: Zerosum) -> None:
    zerosum.play("sum31", "--names", "Zoë", "Ænn", answers="5 quit").ok()
    ran = zerosum("resume", "--list", "--json", env={"PYTHONIOENCODING": "ascii"}).ok()
    assert ran.out.isascii()
    assert json.loads(ran.out)["matches"][0]["names"] == ["Zoë", "Ænn"]


def test_text_that_the_encoding_lacks_stops_nothing(zerosum: Zerosum, tmp_path: Path) -> None:
    path = variant(tmp_path, like="sum31", name="Zoë's game")
    for args in (("rules", path), ("check", path), ("play", path, "--names", "Ænn", "Zoë")):
        ran = zerosum(*args, stdin="quit\n", env={"PYTHONIOENCODING": "ascii"}).ok()
        assert "Zo" in ran.out
