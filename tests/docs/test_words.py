"""The words of the dialogue: every key and every field is known and documented."""

import re
import tomllib
from pathlib import Path

import pytest

from zerosum import Match, Setup, load_game
from zerosum.cli import dialogue, dialogue_text
from zerosum.cli.dialogue_text import given_names
from zerosum.rules.game_files import BUILT_IN_IDS, GAMES_FOLDER
from zerosum.rules.outcome import Reason

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "reference" / "words.md").read_text(encoding="utf-8")
FILES = sorted(Path(GAMES_FOLDER, "words").glob("*.toml"))
FIELD = re.compile(r"\{([a-z0-9_]+)(?:'s|:[^|{}]+\|[^|{}]+)?\}")


def documented(heading: str) -> dict[str, set[str]]:
    """Return the keys of the table below a heading, each with the fields in its row."""
    below = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`.*) \|$", below, re.MULTILINE)
    assert rows, heading
    return {row.split("`")[1]: set(FIELD.findall(row)) for row in rows}


COMMON = set().union(*documented("Fields that every template has").values())
TEMPLATES = {key: fields | COMMON for key, fields in documented("Templates").items()}
KNOWN = TEMPLATES | documented("How things are written")


def test_the_common_fields_are_those_of_the_scene() -> None:
    match = Match.begin(Setup(rules=load_game("sum31")))
    assert (
        set(dialogue_text.scene(match, dialogue_text.words_for(match.setup.rules), given_names(match.setup))) == COMMON
    )


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_words_file_has_known_keys_and_fields(path: Path) -> None:
    words = tomllib.loads(path.read_text(encoding="utf-8"))
    replaced = words.pop("with-computer", {})
    assert replaced.keys() <= words.keys(), "what is replaced against a computer is said between people too"
    for key, template in (*words.items(), *replaced.items()):
        assert key in KNOWN, f"{path.name}: unknown key {key}"
        assert set(FIELD.findall(template)) <= KNOWN[key], f"{path.name}: {key}"
        assert not re.search(r"[{}]", FIELD.sub("", template)), f"{path.name}: a stray brace in {key}"


def test_there_is_a_words_file_for_each_game_and_no_other() -> None:
    assert {path.stem for path in FILES} == {*BUILT_IN_IDS, "default", "shared", "own"}


def test_every_documented_key_is_used() -> None:
    used = {key for path in FILES for key in tomllib.loads(path.read_text(encoding="utf-8"))}
    assert used - {"with-computer"} == set(KNOWN)


def test_every_key_that_the_code_asks_for_is_documented() -> None:
    source = "".join(Path(str(one.__file__)).read_text(encoding="utf-8") for one in (dialogue_text, dialogue))
    named = set(re.findall(r'(?:say\(.*match, (?:(?:self\._)?names|None), |words\[)"([a-z-]+)"', source))
    asked = named | {reason.value for reason in Reason}
    assert {"number-refused", "operation-prompt", "series-won"} <= asked
    assert asked <= set(KNOWN)
