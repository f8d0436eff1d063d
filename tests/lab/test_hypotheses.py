"""What is said to hold does, read back from its words; what is planted is found, and one exception drops it."""

from __future__ import annotations

import random

import pytest

from tests.lab.families import BASES, plain_row, tables
from tests.lab.statements import read_back
from zerosum.lab.hypotheses import Hold, Row, holds

Table = list[dict[str, int]]
MOST = {"sum": 7, "sum-misere": 7, "duel": 5, "sum-to-zero": 4, "sequence": 4}


def _check(found: list[Hold], rows: Table) -> None:
    """Test every statement again, in the games from the least value of n that it was tested with."""
    for one in found:
        least = min(row["n"] for row in one.rows)
        inside = [row for row in rows if row["n"] >= least]
        assert read_back(one.words, inside) == (len(one.rows), True), one.words


def _words(found: list[Hold]) -> list[str]:
    return [one.words for one in found]


@pytest.mark.parametrize("family", BASES)
def test_what_holds_in_the_families(family: str) -> None:
    rows = [{"n": n, "T": t, **plain_row(table)} for (n, t), table in tables(family, MOST[family]).items()]
    found = holds(["n", "T"], rows)
    assert found
    _check(found, rows)


def test_what_holds_in_random_tables() -> None:
    dice = random.Random(3)
    kinds: set[str] = set()
    for _ in range(60):
        rows = _planted(dice)
        names = [name for name in ("n", "T") if name in rows[0]]
        found = holds(names, rows)
        _check(found, rows)
        kinds |= {one.words.partition(",")[0][:12] for one in found}
    assert len(kinds) > 10


def _planted(dice: random.Random) -> Table:
    """Return a table that follows a rule, with an exception or without."""
    period, by = dice.randint(1, 4), dice.choice(("n", "T", "both"))
    two = dice.random() < 0.8
    rows: Table = []
    for n in range(1, dice.randint(6, 14)):
        for t in range(dice.choice((0, 1)), n + 3) if two else (0,):
            at = {"n": n, "T": t, "both": n + t}[by] if two else n
            plies = n + dice.choice((0, 0, 2)) if period > 1 else n + t
            winner = 1 if at % period == 0 else 2
            row = {"n": n, "T": t, "winner": winner, "plies": plies, "winning": 3 - winner, "openings": n}
            rows.append(row if two else {name: value for name, value in row.items() if name != "T"})
    for _ in range(dice.choice((0, 0, 1, 3))):
        dice.choice(rows)["winner"] = dice.choice((0, 1, 2))
    return rows


def _table(winner: object, most: int = 12) -> Table:
    assert callable(winner)
    return [
        {"n": n, "T": t, "winner": winner(n, t), "plies": 5 + t % 3, "winning": n % 3, "openings": n}
        for n in range(1, most + 1)
        for t in range(1, n * (n + 1) // 2 + 1)
    ]


PLANTED = {
    "The second player wins.": lambda _, __: 2,
    "The first player wins where n is odd, the second player wins where n is even.": lambda n, _: 1 if n % 2 else 2,
    "The winner depends on T modulo 3 alone: first for 1, 2; second for 0.": lambda _, t: 1 if t % 3 else 2,
    "Where T is more than n, neither side can force a win.": lambda n, t: 0 if t > n else 1,
    "Where n is even and n + 1 divides T, the second player wins.": (
        lambda n, t: 2 if n % 2 == 0 and t % (n + 1) == 0 else 1 + (t * t + n) % 7 % 2
    ),
    "The winner depends on T alone.": lambda _, t: 1 + (t * t * t + t // 5) % 11 % 2,
}


@pytest.mark.parametrize("words", PLANTED)
def test_what_is_planted_is_found(words: str) -> None:
    rows = _table(PLANTED[words])
    found = holds(["n", "T"], rows)
    assert words in _words(found)
    _check(found, rows)


@pytest.mark.parametrize("words", PLANTED)
def test_one_exception_is_enough(words: str) -> None:
    """An exception in the last row; earlier ones only move the least value of n."""
    rows = _table(PLANTED[words])
    hold = next(one for one in holds(["n", "T"], rows) if one.words == words)
    place = max((row["n"], row["T"]) for row in hold.rows if read_back(words, [row])[0])
    for row in rows:
        if (row["n"], row["T"]) == place:
            row["winner"] = 1 if row["winner"] == 2 else 2
    if words == "The winner depends on T alone.":
        # The last target of the last row is in no other row: change one that is.
        rows[-20]["winner"] = 3 - rows[-20]["winner"]
    found = holds(["n", "T"], rows)
    assert words not in _words(found)
    _check(found, rows)


def test_an_exception_at_the_beginning_is_outside_the_range() -> None:
    rows = _table(lambda _, __: 2)
    rows[0]["winner"] = 1
    (hold, *_) = holds(["n", "T"], rows)
    assert hold.words == "The second player wins."
    assert min(row["n"] for row in hold.rows) == 2


def test_one_parameter() -> None:
    rows = [
        {"n": n, "winner": 1 if n % 4 == 1 else 2, "plies": 2 * n, "winning": 1, "openings": n} for n in range(1, 17)
    ]
    found = holds(["n"], rows)
    _check(found, rows)
    assert "The winner depends on n modulo 4 alone: first for 1; second for 0, 2, 3." in _words(found)
    assert "The number of plies is always even." in _words(found)
    assert "The number of plies never falls when n grows." in _words(found)


def test_little_is_not_enough() -> None:
    rows: list[Row] = [{"n": n, "winner": 1, "plies": 1, "winning": 1, "openings": 1} for n in (1, 2, 3)]
    assert holds(["n"], rows) == []
