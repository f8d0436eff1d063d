"""The tables behind the pages about mechanisms and the shelf: as measured now, and the pictures as drawn from them."""

from __future__ import annotations

import csv
import io

import pytest

from tests.full import part
from tools import mechanisms, shelf_results
from tools.measure_mechanisms import SPACES, games, keys, table_of
from zerosum.lab.spaces import read_space


@pytest.mark.slow
@pytest.mark.parametrize("name", ["one-total", "own-totals"])
def test_a_table_has_every_game_of_its_space_as_it_is_measured_now(name: str) -> None:
    found = list(games(read_space(str(SPACES / f"{name}.toml"))))
    with open(SPACES / f"{name}.csv", encoding="utf-8", newline="") as file:
        kept = list(csv.DictReader(file))
    assert [{key: line[key] for key in keys(found[0])} for line in kept] == [
        {key: str(value) for key, value in keys(rules).items()} for rules in found
    ]
    some = range(0, len(found), len(found) // part(5, 100))
    assert list(csv.DictReader(io.StringIO(table_of([found[at] for at in some], jobs=1)))) == [kept[at] for at in some]


def test_pairs_differ_in_one_thing_alone() -> None:
    for one in mechanisms.comparisons():
        assert one.pairs
        for before, after in one.pairs:
            differ = [key for key in mechanisms.KEYS if before[key] != after[key]]
            assert len(differ) == (0 if one.name.startswith("own totals") else 1)


def test_every_claim_holds_and_a_game_that_breaks_one_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    assert mechanisms.claims().count("\n") == len(mechanisms.CLAIMS)
    for claim in mechanisms.CLAIMS:
        liar = mechanisms.rows("one-total")[0] | {claim.figure: claim.least, "even_to": claim.level + 1}
        monkeypatch.setattr(mechanisms, "rows", lambda _, liar=liar: [liar])
        with pytest.raises(SystemExit, match="Not so"):
            mechanisms.claims()
        monkeypatch.undo()


def test_the_search_looked_at_100_000_games_and_found_those_of_the_shelf() -> None:
    assert sum(space["games"] for space in shelf_results.results().values()) >= 100_000
    assert all(name in shelf_results.svg() for name in ("Summit", "Thin Ice", "To the Brim"))
    for space in shelf_results.results().values():
        left = sum(space["funnel"][stage] for stage in ("arithmetic", "solve", "even", "metrics", "audit"))
        assert 0 <= space["games"] - left - space["good"] <= space["good"]  # the rest are misère twins
