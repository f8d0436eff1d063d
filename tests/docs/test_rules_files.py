"""The page on variants: every key, every refusal, and files that check and play."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from zerosum import load_game
from zerosum.base.errors import RulesError
from zerosum.rules.game_files import BUILT_IN_IDS, GAME_IDS, load_file
from zerosum.rules.model import EXAMPLES, KEYS, rules_from_dict

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
VARIANTS = (DOCS / "variants.md").read_text(encoding="utf-8")
FILES = sorted((DOCS / "variants").glob("*.toml"))
BASE = {"like": '"sum31"', "format": "1", "id": '"refused"', "name": '"Refused"'}


def rows(text: str, heading: str) -> list[list[str]]:
    """Return the cells of the first table below a heading."""
    below = text.partition(f"\n{heading}\n")[2]
    assert below, heading
    lines = re.findall(r"^\|(.*)\|$", below.split("\n## ")[0], re.MULTILINE)
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)] for line in lines[2:]]


def test_every_key_is_documented() -> None:
    documented = [row[0] for row in rows(VARIANTS, "## The keys")]
    assert sorted(documented) == sorted(f"`{key}`" for key in (*KEYS, EXAMPLES, "like"))


def test_every_word_that_a_key_takes_is_documented() -> None:
    values = {row[0].strip("`"): row[1] for row in rows(VARIANTS, "## The keys")}
    found = 0
    needed = {"format": 1, "id": "refused", "name": "Refused", "pool": [1], "target": 1}
    for key in KEYS:
        with pytest.raises(RulesError) as error:
            rules_from_dict(needed | {key: None})
        for words in re.findall(r"one of (.*), in quotes", str(error.value)):
            found += 1
            for word in words.split(", "):
                assert f'`"{word}"`' in values[key], key
    assert found >= 5


@pytest.mark.parametrize(("lines", "message"), [row[:2] for row in rows(VARIANTS, "## What is refused")])
def test_what_is_refused(lines: str, message: str, tmp_path: Path) -> None:
    added = dict(re.findall(r"`([a-z-]+) = ([^`]*)`", lines))
    assert added
    path = tmp_path / "refused.toml"
    path.write_text("".join(f"{key} = {value}\n" for key, value in (BASE | added).items()), encoding="utf-8")
    with pytest.raises(RulesError) as error:
        load_file(str(path))
    assert str(error.value) == f"{path}: {message.strip('`')}"


def test_there_are_examples_of_variants() -> None:
    assert len(FILES) >= 3


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
class TestExample:
    def zerosum(self, home: Path, *words: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "zerosum", *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            env={"ZEROSUM_HOME": str(home), "PYTHONWARNINGS": "error"},
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def test_it_checks(self, path: Path, tmp_path: Path) -> None:
        assert f"good rules for {load_game(str(path)).name}" in self.zerosum(tmp_path, "check", str(path))

    def test_it_plays_to_an_end(self, path: Path, tmp_path: Path) -> None:
        for seed in "123":
            said = self.zerosum(tmp_path, "play", str(path), "--p1", "random", "--p2", "random", "--seed", seed)
            assert re.search(r"wins[^\n]*!\n\Z", said), said

    def test_its_id_is_its_own(self, path: Path) -> None:
        rules = load_game(str(path))
        assert rules.id == path.stem
        assert rules.id not in BUILT_IN_IDS

    def test_it_is_in_the_page(self, path: Path) -> None:
        assert f"\n```made\nsource variants/{path.name}\n```\n" in VARIANTS


def test_every_game_has_a_page() -> None:
    for game in GAME_IDS:
        page = (DOCS / "games" / f"{game}.md").read_text(encoding="utf-8")
        assert page.startswith(f"# {load_game(game).name}\n")
        for maker in ("rules", "keys"):
            assert f"\n```made\n{maker} {game}\n```\n" in page
