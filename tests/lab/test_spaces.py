"""Spaces: what is read and refused, how large they are, and that samples stay inside them."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement
from pathlib import Path
from random import Random

import pytest

from zerosum.lab.map_elites import mutated, random_point
from zerosum.lab.spaces import Free, Space, SpaceError, read_space, varied
from zerosum.rules.game_files import built_in

HEAD = 'format = 1\nname = "Mine"\nlike = "sum31"\n[vary]\n'


def _space(folder: Path, text: str, head: str = HEAD) -> Space:
    path = folder / "space.toml"
    path.write_text(head + text, encoding="utf-8")
    return read_space(str(path))


def test_every_point_of_a_space(tmp_path: Path) -> None:
    space = _space(tmp_path, 'target = "3..5"\nreaching = ["wins", "loses"]\n')
    games = [space.rules_at(point) for point in space.points()]
    found = [(game.target, game.reaching.value) for game in games if game is not None]
    assert found == [(t, r) for t in (3, 4, 5) for r in ("wins", "loses")]
    assert space.size() == 6


def test_ranges_may_depend_on_parameters(tmp_path: Path) -> None:
    space = _space(tmp_path, 'n = "2..4"\npool = "1..n"\ntarget = "n..n*(n+1)/2"\n')
    found = [(point["pool"], point["target"]) for point in space.points()]
    expected = [(tuple(range(1, n + 1)), t) for n in (2, 3, 4) for t in range(n, n * (n + 1) // 2 + 1)]
    assert found == expected
    assert space.size() == len(expected)


@pytest.mark.parametrize(("numbers", "sizes", "repeats"), [((1, 2, 3), (2, 3), 1), ((-2, -1, 4, 5), (1, 4), 2)])
def test_free_pools_are_all_multisets(numbers: tuple[int, ...], sizes: tuple[int, int], repeats: int) -> None:
    axis = Free(numbers, tuple(range(sizes[0], sizes[1] + 1)), repeats)
    expected = {
        pool
        for size in range(sizes[0], sizes[1] + 1)
        for pool in combinations_with_replacement(numbers, size)
        if max(Counter(pool).values()) <= repeats
    }
    found = axis.all({})
    assert set(found) == expected
    assert len(found) == len(expected) == axis.count({})


def test_samples_and_their_mutations_stay_in_the_space(tmp_path: Path) -> None:
    text = 'n = "3..6"\ntarget = "n..n*(n+1)/2"\nreaching = ["wins", "loses"]\n'
    space = _space(tmp_path, text + 'pool = { free = { numbers = "-2..2", size = [2, 3], repeats = 2 } }\n')
    inside = {tuple(sorted((key, str(value)) for key, value in point.items())) for point in space.points()}
    dice = Random("samples")
    point = random_point(space, dice)
    reached = set()
    for _ in range(2_000):
        after = mutated(space, point, dice)
        assert tuple(sorted((key, str(value)) for key, value in after.items())) in inside
        assert after != point
        reached |= {(key, str(value)) for key, value in after.items()}
        point = after
    assert reached == {pair for one in inside for pair in one}  # no value is out of reach


def test_mutations_change_one_key(tmp_path: Path) -> None:
    space = _space(tmp_path, 'target = "1..99"\nreaching = ["wins", "loses"]\nswap = [true, false]\n')
    dice = Random("one key")
    point = random_point(space, dice)
    for _ in range(200):
        after = mutated(space, point, dice)
        assert sum(after[key] != point[key] for key in point) == 1
        point = after


def test_contradictions_are_no_games(tmp_path: Path) -> None:
    text = 'totals = ["shared", "own"]\nexhausted = ["last-mover", "closest"]\ntie = ["first-mover"]\n'
    space = _space(tmp_path, text)
    games = {(p["totals"], p["exhausted"]): space.rules_at(p) for p in space.points()}
    assert [key for key, game in games.items() if game is None] == [("shared", "closest")]
    kept = games["own", "last-mover"]
    assert kept is not None
    assert kept.tie is None


def test_a_start_for_both_becomes_a_shared_start() -> None:
    game = varied(built_in("zero-sum-game"), {"totals": "shared", "exhausted": "last-mover"})
    assert game is not None
    assert game.start == (0,)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "vary: must be a table of 1 to"),
        ("target = 5", 'target: must be "1..45"'),
        ('target = "1..1000000000"', "a range of 1,000,000,000 numbers"),
        ('target = "5..1"', "a range is empty"),
        ('target = "1..n"', "there is no 'n'"),
        ('target = "1..9**9"', "powers are not allowed"),
        ("target = [1, [2]]", "value 2 must be a whole number"),
        ("target = [1000001]", "value 1 must be a whole number"),
        ('taget = "1..3"', "neither a key of the rules nor used by another key. Did you mean 'target'?"),
        ('n = "1..3"', "neither a key of the rules nor used"),
        ('n = "1..100"\nm = "1..200"\ntarget = "n..n+m"', "more than 10,000 values together"),
        ('m = "1..n"\nn = "1..3"\ntarget = "n..m"', "there is no 'n'. No name is known here."),
        ('id = ["a"]', "has nothing to do with how good a game is"),
        ('invalid-move = ["forfeit"]', "has nothing to do with how good a game is"),
        ('reaching = "wins"', "a list such as"),
        ('reaching = ["win"]', "value 1 must be one of wins, loses"),
        ("swap = [1]", "value 1 must be true or false"),
        ("pool = 5", "must be a list of pools"),
        ("pool = [[0]]", "value 1 0 is not allowed in a pool"),
        ("pool = { some = 1 }", "must be a list of pools"),
        ('pool = { free = { numbers = "1..9" } }', "pool.free: must be"),
        ('pool = { free = { numbers = "1..900", size = 3 } }', "must be 1 to 200 numbers"),
        ('pool = { free = { numbers = "1..9", size = [0, 3] } }', "size: must be"),
        ('pool = { free = { numbers = "1..9", size = [3, 65] } }', "size: must be"),
        ('pool = { free = { numbers = "1..9", size = 3, repeats = 0 } }', "repeats: must be"),
        ('pool = { free = { numbers = "1..n", size = 3 } }', "numbers: must be a range such as"),
        ('pool = { free = { numbers = "1..2", size = 5 } }', "there are only 2 numbers to draw"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(SpaceError, match=r"space\.toml: ") as caught:
        _space(tmp_path, text)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ('like = "sum31"\n[vary]\ntarget = "1..3"', "format: write `format = 1`"),
        ('format = 1\n[vary]\ntarget = "1..3"', "like: write the game"),
        ('format = 1\nlike = "sum3"\n[vary]\ntarget = "1..3"', "neither a built-in game nor a file"),
        ('format = 1\nlike = "sum31"\nname = 3\n[vary]\ntarget = "1..3"', "name: must be text"),
        (
            'format = 1\nlike = "sum31"\nvaries = 3\n[vary]\ntarget = "1..3"',
            "varies: unknown key. Did you mean 'vary'?",
        ),
    ],
)
def test_what_is_wrong_at_the_top_is_said(tmp_path: Path, head: str, said: str) -> None:
    with pytest.raises(SpaceError, match=r"space\.toml: ") as caught:
        _space(tmp_path, "", head)
    assert said in str(caught.value)
