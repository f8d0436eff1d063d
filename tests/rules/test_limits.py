"""The table of limits is complete, and each limit of the rules is where it says: allowed at it, refused beyond."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from zerosum.base import limits
from zerosum.base.errors import ZerosumError
from zerosum.base.files import UnreadableFileError, decode, read_text
from zerosum.match.match import read_match
from zerosum.rules.game_files import load_file


def documented() -> dict[str, str]:
    """Return each name with the words that stand under it."""
    body = ast.parse(Path(limits.__file__).read_text()).body
    found = {}
    for node, below in zip(body, [*body[1:], None], strict=True):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            assert isinstance(below, ast.Expr), node.target.id
            assert isinstance(below.value, ast.Constant), node.target.id
            found[node.target.id] = str(below.value.value)
    return found


def test_every_limit_is_documented() -> None:
    names = {name for name in vars(limits) if name.isupper()}
    assert set(documented()) == names
    assert all(words.endswith(".") for words in documented().values())


def test_values_people_rely_on() -> None:
    assert (limits.VALUE, limits.POOL_NUMBERS, limits.ID_LENGTH, limits.MATCH_PLIES) == (1_000_000, 64, 64, 600)
    assert (limits.NAME_LENGTH, limits.TITLE_LENGTH, limits.LIKE_DEPTH) == (40, 80, 8)
    assert limits.RULES_FILE_BYTES == limits.RECORD_BYTES == 65_536


@pytest.mark.parametrize("surplus", [0, 1])
def test_size_of_a_rules_file(tmp_path: Path, surplus: int) -> None:
    path = tmp_path / "v.toml"
    text = 'like = "sum31"\n#'
    path.write_text(text + "x" * (limits.RULES_FILE_BYTES - len(text) + surplus))
    if surplus:
        with pytest.raises(UnreadableFileError, match=r"v\.toml: larger than 64 KiB"):
            load_file(str(path))
    else:
        assert load_file(str(path)).target == 31


@pytest.mark.parametrize(
    ("key", "allowed", "refused"),
    [
        ("pool", str([1] * 64), str([1] * 65)),
        ("pool", "[1000000]", "[1000001]"),
        ("start", "-1000000", "-1000001"),
        ("target", "1000000", "1000001"),
        ("id", '"' + "a" * 64 + '"', '"' + "a" * 65 + '"'),
        ("name", '"' + "a" * 80 + '"', '"' + "a" * 81 + '"'),
        ("name", '"' + "." * 80 + '" # ' + "." * 120, '"a" # ' + "." * 201),
    ],
)
def test_values(tmp_path: Path, key: str, allowed: str, refused: str) -> None:
    path = tmp_path / "v.toml"
    path.write_text(f'like = "sum31"\n{key} = {allowed}\n# {"." * 500}\n')
    load_file(str(path))
    path.write_text(f'like = "sum31"\n{key} = {refused}\n')
    with pytest.raises(ZerosumError):
        load_file(str(path))


def test_names_in_records() -> None:
    assert read_match(f'[Game "sum31"]\n[Player1 "{"x" * 40}"]\n').setup.names[0] == "x" * 40
    with pytest.raises(ZerosumError, match=r"Player1 .* has 41 characters; at most 40"):
        read_match(f'[Game "sum31"]\n[Player1 "{"x" * 41}"]\n')


def test_reading(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text("é" * 10)
    assert read_text(str(path), 20) == "é" * 10
    with pytest.raises(UnreadableFileError):
        read_text(str(path), 19)
    with pytest.raises(UnreadableFileError, match=r"^here: not UTF-8"):
        decode(b"\xff", "here")
