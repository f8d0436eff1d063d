"""Family files: what they make, what is refused, and with which words."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from tests.lab.families import BASES, tables
from zerosum.base.files import UnreadableFileError
from zerosum.lab import families
from zerosum.lab.expressions import ExpressionError
from zerosum.lab.families import FAMILIES, Family, FamilyError, UnknownFamilyError, load_family, members
from zerosum.lab.spaces import read_space
from zerosum.rules.game_files import BUILT_IN_IDS, load_game
from zerosum.rules.model import rules_from_dict

SPECIFIED = """
format = 1
name = "Sum-T on 1..n"
like = "sum31"
[parameters]
n = "1..16"
T = "1..n*(n+1)/2"
[set]
pool = "1..n"
target = "T"
[columns]
tabulate = ["winner", "plies", "winning", "openings"]
sequences = [{ name = "second-player targets", count = "T", where = "winner == 2", by = "n" }]
"""


def _load(folder: Path, text: str) -> Family:
    path = folder / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return load_family(str(path))


@pytest.mark.parametrize("family", BASES)
def test_the_games_of_a_family_are_those_written_by_hand(family: str) -> None:
    found = {
        (one.values["n"], one.values["T"]): one.rules for one in members(load_family(family).with_range("n", "1..5"))
    }
    written = tables(family, 5)
    assert list(found) == list(written)
    for place, table in written.items():
        rules = found[place]
        plain = rules_from_dict({"format": 1, "id": rules.id, "name": rules.name, **table})
        assert rules == replace(plain, invalid_move=rules.invalid_move)


@pytest.mark.parametrize(
    ("family", "game", "values"),
    [
        ("sum", "sum31", {"n": 9, "T": 31}),
        ("duel", "zero-sum-duel", {"n": 9, "T": 0}),
        ("sum-to-zero", "sum-to-zero", {"n": 9, "T": 0}),
        ("sequence", "sequence-zero", {"n": 9, "T": 0}),
        ("zero-sum-game", "zero-sum-game", {"n": 5, "T": 0}),
    ],
)
def test_each_rulebook_is_a_member(family: str, game: str, values: dict[str, int]) -> None:
    found = {
        tuple(one.values.items()): one.rules for one in members(load_family(family).with_range("n", str(values["n"])))
    }
    rules = found[tuple(values.items())]
    assert replace(rules, id=game, name=load_game(game).name) == load_game(game)


def test_the_family_of_the_specification_is_built_in(tmp_path: Path) -> None:
    mine, ours = _load(tmp_path, SPECIFIED), load_family("sum")
    assert [one.values for one in members(mine)] == [one.values for one in members(ours)]
    assert len(members(mine)) == sum(n * (n + 1) // 2 for n in range(1, 17))
    assert mine.sequences[0] == ours.sequences[0]


def test_six_families_are_built_in() -> None:
    assert FAMILIES == ("sum", "sum-misere", "duel", "sum-to-zero", "sequence", "zero-sum-game")
    for name in FAMILIES:
        assert load_family(name).id == name
    assert set(BUILT_IN_IDS) >= {load_family(name).space.base.id for name in FAMILIES}


def test_a_family_may_be_like_a_file_beside_it(tmp_path: Path) -> None:
    (tmp_path / "base.toml").write_text('like = "sum31"\nid = "base"\nname = "Base"\nstart = 5\n')
    family = _load(tmp_path, SPECIFIED.replace("sum31", "base").replace('T = "1..n*(n+1)/2"', "T = 40"))
    assert [one.rules.start for one in members(family)] == [(5,)] * 16
    assert {one.rules.target for one in members(family)} == {40}


def test_pools_of_several_parts_and_pairs_of_starts(tmp_path: Path) -> None:
    text = """
    format = 1
    name = "Parts"
    like = "sequence-zero"
    [parameters]
    k = "2..3"
    [set]
    pool = [1, "k..2*k", "0-k", "-1..1"]
    start = ["k", 0]
    target = "k*k"
    tie = "first-mover"
    [columns]
    """
    two, three = members(_load(tmp_path, text))
    assert two.rules.pool == (-2, -1, 1, 1, 2, 3, 4)
    assert three.rules.pool == (-3, -1, 1, 1, 3, 4, 5, 6)
    assert three.rules.start == (3, 0)
    assert three.rules.target == 9
    assert (two.rules.id, two.rules.name) == ("mine-k2", "Parts, k = 2")


REFUSED = [
    ('name = "Sum-T on 1..n"', "", "name: missing."),
    ("format = 1", "format = 2", "format: write `format = 1` at the top."),
    ('like = "sum31"', 'like = "sum13"', "like: 'sum13' is neither a built-in game nor a file beside this one."),
    ("[set]", "[sets]", "sets: unknown key. Did you mean 'set'?"),
    ('n = "1..16"', 'n = "1..16"\nk = "1"', "[parameters]: 3 of them; a family has one or 2."),
    ('n = "1..16"', 'n = "1..m"', "[parameters] n: column 4: there is no 'm'. No name is known here."),
    ('n = "1..16"', 'n = "1..T"', "[parameters] n: column 4: there is no 'T'."),
    ('n = "1..16"', "n = [1, 2]", "[parameters] n: must be text, in quotes."),
    ('n = "1..16"', 'winner = "1..16"', "[parameters] winner: not a name;"),
    ('pool = "1..n"', 'pol = "1..n"', "[set] pol: unknown key. Did you mean 'pool'?"),
    ('pool = "1..n"', 'name = "x"', "[set] name: belongs to the family, and cannot be set."),
    ('"winner", "plies", ', '"winer", ', "[columns] tabulate: must be a list of winner, plies, winning, openings"),
    ("winner == 2", "winer == 2", "sequences: number 1: where: column 1: there is no 'winer'. Did you mean 'winner'?"),
    ("winner == 2", "winner = 2", "sequences: number 1: where: column 8: '=' is not allowed; write == to compare."),
    ('count = "T"', 'count = "n"', "sequences: number 1: count: must not be the parameter of by."),
    ('count = "T"', 'count = "k"', "sequences: number 1: count: must be a parameter: n or T."),
    ('count = "T"', 'count = "T", value = "plies"', "sequences: number 1: needs either count or value."),
    (', by = "n"', "", "sequences: number 1: by: missing."),
]
REFUSED_GAMES = [
    ('target = "T"', 'target = "T/(n-3)"', "[set] target: column 2: division by zero where n = 3, T = 1."),
    (
        'target = "T"',
        'target = "n-4"',
        '[set] overshoot: "loses" needs a start that is not the target. This is so where n = 4',
    ),
    (
        'target = "T"',
        'target = "T*10000"',
        "[set] target: must be a whole number from -1000000 to 1000000. This is so where n = 14",
    ),
    (
        'pool = "1..n"',
        'pool = "1..n*5"',
        "[set] pool: must be a list of 1 to 64 numbers. This is so where n = 13, T = 1.",
    ),
    (
        'pool = "1..n"',
        'pool = "1..n*9"',
        "[set] pool: must be a list of 1 to 64 numbers. This is so where n = 8, T = 1.",
    ),
    ('pool = "1..n"', 'pool = "2..n"', "[set] pool: must be a list of 1 to 64 numbers. This is so where n = 1, T = 1."),
    (
        'pool = "1..n"',
        'reaching = "win"',
        "[set] reaching: must be one of wins, loses, in quotes. This is so where n = 1",
    ),
    (
        'n = "1..16"',
        'n = "1..1000000000"',
        "[parameters] n: a range of 1,000,000,000 numbers; at most 100,000 are allowed.",
    ),
    ('n = "1..16"', 'n = "1..31"', "[parameters]: more than 5,000 games; give a smaller range."),
    ('n = "1..16"', 'n = "5..1"', "[parameters]: no game at all; a range ends before it begins."),
]


@pytest.mark.parametrize(("old", "new", "message"), REFUSED)
def test_what_is_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in SPECIFIED
    with pytest.raises(FamilyError) as error:
        _load(tmp_path, SPECIFIED.replace(old, new, 1))
    assert message in str(error.value)
    assert str(error.value).startswith(str(tmp_path / "mine.toml: "))


@pytest.mark.parametrize(("old", "new", "message"), REFUSED_GAMES)
def test_which_games_are_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in SPECIFIED
    with pytest.raises(FamilyError) as error:
        members(_load(tmp_path, SPECIFIED.replace(old, new, 1)))
    assert str(error.value).startswith(f"{tmp_path / 'mine.toml'}: {message}")


def test_unknown_families_and_ranges() -> None:
    with pytest.raises(UnknownFamilyError, match=r"There is no family 'sum-misery'\. Did you mean 'sum-misere'\?"):
        load_family("sum-misery")
    with pytest.raises(UnreadableFileError, match="cannot be read"):
        load_family("./sum-misery")
    with pytest.raises(FamilyError, match="has no parameter k; it has n and T"):
        load_family("sum").with_range("k", "1..2")
    with pytest.raises(ExpressionError, match="column 4: there is no 'm'"):
        load_family("sum").with_range("n", "1..m")


def test_a_family_is_a_space_that_can_be_searched() -> None:
    family = load_family("sum").with_range("n", "1..5")
    games = [family.space.rules_at(point) for point in family.space.points()]
    assert [(one.pool, one.target) for one in games if one is not None] == [
        (one.rules.pool, one.rules.target) for one in members(family)
    ]
    assert read_space(os.path.join(os.path.dirname(families.__file__), "families", "sum.toml")).size() == 816


def test_columns_may_be_left_out(tmp_path: Path) -> None:
    family = _load(tmp_path, SPECIFIED.partition("[columns]")[0])
    assert (family.columns, family.sequences) == (families.COLUMNS, ())
