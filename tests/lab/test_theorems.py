"""The theorems of docs/notes/theorems.md: each over a grid of games with its conditions, and without one of them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, combinations_with_replacement
from pathlib import Path

from tests import naive
from tests.lab.plain import Strategy, Table, always_wins, first_wins, openings
from tests.solver.agreement import Forgetful
from tests.solver.random_tables import table as random_table
from zerosum.rules.model import rules_from_dict
from zerosum.solver import Solution, Verdict, solve

ROOT = Path(__file__).resolve().parents[2]
BOTH = ["add", "subtract"]


def test_every_theorem_has_its_test() -> None:
    text = (ROOT / "docs" / "notes" / "theorems.md").read_text(encoding="utf-8")
    heads = [
        line.partition(". ")[2].lower().replace(" ", "_").replace("è", "e")
        for line in text.splitlines()
        if line[:3] == "## "
    ]
    assert heads == ["duel", "mirror", "complement", "misere_twin", "pie"]
    for head in heads:
        assert f"test_{head}" in globals()
        assert f"test_{head}_needs_its_conditions" in globals()


# 1. Duel


def _away(game: Forgetful, state: naive.State, _: str | None) -> str:
    """Take the largest number left, away from the target."""
    number = max(state.pool, key=abs)
    far = {move: abs(game.play(state, move).totals[0] - game.target) for move in (f"+{number}", f"-{number}")}
    return max(far, key=lambda move: far[move])


def _duel_says(table: Table) -> int:
    """Return the winner by the theorem."""
    distance = abs(table["target"] - table["start"])
    return 1 if len(table["pool"]) % 2 or distance in map(abs, table["pool"]) else 2


def _duels() -> Iterator[Table]:
    dice = random.Random(1)
    for size in range(1, 6):
        for sizes in combinations(range(1, 7), size):
            for start, target in ((0, 0), (0, dice.randint(1, 9)), (dice.randint(-4, 4), dice.randint(-20, 20))):
                pool = [dice.choice((-1, 1)) * number for number in sizes]
                yield {"pool": pool, "operations": BOTH, "start": start, "target": target}


def test_duel() -> None:
    met = {"odd": 0, "even": 0, "at once": 0}
    for table in _duels():
        odd, seat = len(table["pool"]) % 2, _duel_says(table)
        if odd or seat == 2:
            met["odd" if odd else "even"] += 1
            assert always_wins(table, seat, _away), table
        else:
            met["at once"] += 1
            game = naive.Variant(table)
            assert any(game.play(game.start(), move).winner == 1 for move in game.moves(game.start())), table
        # A ban never applies: no number is there twice.
        assert first_wins(table) == first_wins({**table, "ban": "mirror"}) == (seat == 1), table
    assert min(met.values()) > 8, met


def test_duel_needs_its_conditions() -> None:
    equal: Table = {"pool": [1, 1, 1], "operations": BOTH, "start": 0, "target": 0}
    assert openings(equal) == {"+1": 2, "-1": 2}
    assert _broken(_duels(), {"operations": ["add"]}, _duel_says)
    assert _broken(_duels(), {"reaching": "loses"}, _duel_says)


def _broken(tables: Iterable[Table], other: Table, says: Callable[[Table], int]) -> bool:
    """Whether a theorem is wrong in some of these games once a condition is dropped."""
    return any(first_wins({**table, **other}) != (says(table) == 1) for table in tables)


# 2. Mirror


def _mirror(_: Forgetful, __: naive.State, before: str | None) -> str:
    return f"{-int(str(before)):+d}"


def _mirrors() -> Iterator[Table]:
    for half in range(1, 4):
        for sizes in combinations_with_replacement((1, 2, 3, 5), half):
            pool = [*sizes, *(-number for number in sizes)]
            for start in (0, 2):
                for target in range(-5, 8):
                    if target == start or abs(target - start) not in sizes:
                        yield {"pool": pool, "start": start, "target": target}


def test_mirror() -> None:
    tables = list(_mirrors())
    assert len(tables) > 500
    for table in tables:
        assert always_wins(table, 2, _mirror), table


def test_mirror_needs_its_conditions() -> None:
    assert first_wins({"pool": [-2, -1, 1, 2], "target": 2})
    assert openings({"pool": [-1, 1, 2], "target": 0})["+2"] == 1
    assert _broken(_mirrors(), {"reaching": "loses"}, lambda _: 2)
    assert _broken(_mirrors(), {"ban": "mirror"}, lambda _: 2)


# 3. Complement


def _sum(n: int, target: int) -> Table:
    return {"pool": list(range(1, n + 1)), "target": target, "overshoot": "loses"}


def _partner(n: int) -> Strategy:
    def play(_: Forgetful, __: naive.State, before: str | None) -> str:
        return f"+{(n + 1) // 2}" if before is None else f"+{n + 1 - int(before)}"

    return play


def test_complement() -> None:
    tried = 0
    for n in range(1, 11):
        for target in range(1, n * (n + 1) // 2 + 1):
            if n % 2 == 0 and target % (n + 1) == 0:
                assert always_wins(_sum(n, target), 2, _partner(n)), (n, target)
            elif n % 2 == 1 and target % (n + 1) == (n + 1) // 2:
                assert always_wins(_sum(n, target), 1, _partner(n)), (n, target)
            else:
                continue
            tried += 1
    assert tried == sum(n // 2 for n in range(2, 11, 2)) + sum((n + 1) // 2 for n in range(1, 11, 2))


def test_complement_needs_its_conditions() -> None:
    assert first_wins(_sum(7, 8))
    assert not first_wins(_sum(9, 31))


# 4. Misère twin


def _winning(table: Table) -> set[str]:
    return {move for move, seat in openings(table).items() if seat == 1}


def _twins(table: Table) -> tuple[set[str], set[str]]:
    """Return the winning openings of both games; the first player wins exactly where there are any."""
    return _winning(table), _winning({**table, "target": table["target"] + 1, "reaching": "loses"})


def test_misere_twin() -> None:
    dice = random.Random(4)
    won = lost = 0
    for _ in range(400):
        pool = [dice.randint(1, 7) for _ in range(dice.randint(1, 6))]
        start = dice.choice((0, 0, -3, 5))
        target = start + dice.randint(1, sum(pool)) - 1
        if target <= start:
            continue
        table = {"pool": pool, "start": start, "target": target, "overshoot": "loses"}
        one, two = _twins(table)
        assert one == two, table
        # A ban never applies: no amount is negative.
        assert _twins({**table, "ban": "mirror"}) == (one, two)
        won, lost = won + bool(one), lost + (not one)
    assert min(won, lost) > 50


def test_misere_twin_needs_its_conditions() -> None:
    dice = random.Random(5)
    negative = overshoot = 0
    for _ in range(300):
        pool = [dice.randint(1, 5) for _ in range(dice.randint(2, 5))]
        table: Table = {"pool": pool, "target": dice.randint(1, sum(pool)), "overshoot": "loses"}
        mixed = [-pool[0], *pool[1:]]
        negative += len(set(map(frozenset, _twins({**table, "pool": mixed})))) > 1
        overshoot += len(set(map(frozenset, _twins({**table, "overshoot": "play-on"})))) > 1
        one, two = _twins({**table, "target": sum(pool) + dice.randint(0, 3)})
        assert one == two, "they agree here too, for another reason"
    assert negative
    assert overshoot


# 5. Pie


def _solved(table: Table) -> Solution:
    return solve(rules_from_dict({"format": 1, "id": "pie", "name": "Pie", **table}))


def _loses_every_opening(solution: Solution) -> bool:
    return all(option.value.verdict is Verdict.LOSS for option in solution.options(solution.start))


def test_pie() -> None:
    dice = random.Random(6)
    tried = either = 0
    while tried < 150:
        table = random_table(dice, most=5) | {"swap": True}
        game = naive.Variant(table)
        if any(game.play(game.start(), move).winner == 1 for move in game.moves(game.start())):
            assert not _loses_every_opening(_solved(table))
            continue
        tried += 1
        assert _loses_every_opening(_solved(table)), table
        plain = _solved(table | {"swap": False})
        either += plain.value(plain.start).verdict is Verdict.WIN
    assert either > 20, "without the swap the first player wins some of them"


def test_pie_needs_its_conditions() -> None:
    at_once = _solved({"pool": [1, 2], "target": 2, "swap": True})
    assert not _loses_every_opening(at_once)
    apart: Table = {"pool": [1, 1], "start": 5, "target": 0, "totals": "own", "exhausted": "closest"}
    drawn = _solved(apart | {"tie": "sudden-death", "swap": True})
    assert {option.value.verdict for option in drawn.options(drawn.start)} == {Verdict.DRAW}
