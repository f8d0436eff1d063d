"""What holds, read back from its words and tested again; nothing of the package is used."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby, pairwise

Row = Mapping[str, int]
SEATS = {"first": 1, "second": 2, "neither": 0}
FIGURES = {"The number of plies": "plies", "The number of winning openings": "winning"}
FIRST, SECOND, NOBODY = "the first player wins", "the second player wins", "neither side can force a win"
WINS = {FIRST: 1, SECOND: 2, NOBODY: 0}


def _region(words: str) -> Callable[[Row], bool]:
    """Return the test of one part of a region."""
    if found := re.fullmatch(r"(\w+) is (odd|even)", words):
        name, rest = found[1], found[2] == "odd"
        return lambda row: row[name] % 2 == rest
    if found := re.fullmatch(r"(\w+) = 0", words):
        name = found[1]
        return lambda row: row[name] == 0
    if found := re.fullmatch(r"(\w+) is 1 to (\w+)", words):
        low, high = found.groups()
        return lambda row: row[low] in range(1, row[high] + 1)
    if found := re.fullmatch(r"(\w+) is more than (\w+)", words):
        more, less = found.groups()
        return lambda row: row[more] > row[less]
    return _divides(words)


def _divides(words: str) -> Callable[[Row], bool]:
    def by(row: Row, text: str) -> int:
        name, _, more = text.partition(" + ")
        return row[name] + int(more or 0)

    if found := re.fullmatch(r"(\w+(?: \+ \d)?) divides (\w+)( \+ 1)?", words):
        divisor, name, one = found[1], found[2], bool(found[3])
        return lambda row: by(row, divisor) > 1 and (row[name] + one) % by(row, divisor) == 0
    if found := re.fullmatch(r"(\w+) leaves (1|half of .+) when divided by (.+)", words):
        name, rest, divisor = found.groups()
        half = rest != "1"
        return lambda row: (
            by(row, divisor) > 1
            and (not half or by(row, divisor) % 2 == 0)
            and row[name] % by(row, divisor) == (by(row, divisor) // 2 if half else 1)
        )
    raise AssertionError(words)


def _claim(words: str) -> Callable[[Sequence[Row]], bool]:
    """Return the test of what is claimed of all games of a region."""
    if words in WINS:
        return lambda rows: all(row["winner"] == WINS[words] for row in rows)
    if found := re.fullmatch(r"the winner depends on (\w+) alone", words):
        name = found[1]
        return lambda rows: len({(row[name], row["winner"]) for row in rows}) == len({row[name] for row in rows})
    if found := re.fullmatch(r"the winner depends on (\w+) modulo (\d+) alone: (.+)", words):
        name, period, said = found[1], int(found[2]), found[3]
        winner = {
            int(rest): SEATS[part.split(" for ")[0]]
            for part in said.split("; ")
            for rest in part.split(" for ")[1].split(", ")
        }
        return lambda rows: all(row["winner"] == winner[row[name] % period] for row in rows)
    parts = [re.fullmatch(r"(.+) where (\w+) is (odd|even)", part) for part in words.split(", ")]
    rules = {(part[2], part[3] == "odd"): WINS[part[1]] for part in parts if part}
    assert len(rules) == 2, words
    (name, _), *_rest = rules
    return lambda rows: all(row["winner"] == rules[name, row[name] % 2 == 1] for row in rows)


def _steps(rows: Sequence[Row], figure: str, grows: str) -> list[int]:
    others = [name for name in rows[0] if name not in {grows, "winner", "plies", "winning", "openings"}]
    line = sorted(rows, key=lambda row: (*(row[name] for name in others), row[grows]))
    steps = []
    for _, group in groupby(line, lambda row: tuple(row[name] for name in others)):
        figures = [row[figure] for row in group]
        steps += [after - before for before, after in pairwise(figures)]
    return steps


def _of_figures(words: str) -> Callable[[Sequence[Row]], bool]:
    name = next(name for name in FIGURES if words.startswith(name))
    figure, said = FIGURES[name], words[len(name) :].rstrip(".")
    if found := re.fullmatch(r" is always (odd|even)", said):
        rest = found[1] == "odd"
        return lambda rows: all(row[figure] % 2 == rest for row in rows)
    if found := re.fullmatch(r" is odd exactly where (.+)", said):
        seat = WINS[found[1]]
        return lambda rows: all((row[figure] % 2 == 1) == (row["winner"] == seat) for row in rows)
    if found := re.fullmatch(r" and (\w+): (both|one).+", said):
        other, odd = found[1], found[2] == "one"
        return lambda rows: all((row[figure] - row[other]) % 2 == odd for row in rows)
    if found := re.fullmatch(r" does not depend on (\w+)", said):
        grows = found[1]
        return lambda rows: set(_steps(rows, figure, grows)) == {0}
    found = re.fullmatch(r" never (falls|rises) when (\w+) grows( and \w+ stays)?", said)
    assert found, words
    sign, grows = (1 if found[1] == "falls" else -1), found[2]
    return lambda rows: all(sign * step >= 0 for step in _steps(rows, figure, grows))


def read_back(words: str, rows: Sequence[Row]) -> tuple[int, bool]:
    """Return in how many of these games a statement can be tested, and whether it holds there."""
    if words.startswith(tuple(FIGURES)):
        known = [row for row in rows if row["winner"]]
        return len(known), _of_figures(words)(known)
    if words.startswith("These rows"):
        return _equal_rows(words, rows)
    regions, claim = "", words[0].lower() + words[1:-1]
    if claim.startswith("where "):
        regions, _, claim = claim.removeprefix("where ").partition(", ")
    tests = [_region(part) for part in regions.split(" and ") if part]
    inside = [row for row in rows if all(test(row) for test in tests)]
    return len(inside), _claim(claim)(inside)


def _equal_rows(words: str, rows: Sequence[Row]) -> tuple[int, bool]:
    found = re.search(r"go: (\w+) = (.+)\.", words)
    assert found
    name, across = found[1], next(one for one in rows[0] if one not in {found[1], "winner"})
    count, good = 0, True
    for pair in found[2].split("; "):
        one, two = ({row[across]: row["winner"] for row in rows if row[name] == int(n)} for n in pair.split(" and "))
        both = one.keys() & two.keys()
        count += 2 * len(both)
        good = good and all(one[value] == two[value] for value in both)
    return count, good
