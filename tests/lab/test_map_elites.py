"""Breeding samples against drawing them at random: as many games looked at, many times as many good ones."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.lab.inline import inline
from tests.lab.test_search import request
from zerosum.lab.filters import Assessment, Candidate, Funnel
from zerosum.lab.goals import Stage, goal_named
from zerosum.lab.map_elites import Archive, niche_of, random_point
from zerosum.lab.search import Request, search
from zerosum.lab.spaces import read_space
from zerosum.lab.store import Store, open_store
from zerosum.rules.game_files import built_in

SPACE = """
format = 1
like = "sum31"
[vary]
pool = { free = { numbers = "-2..9", size = [4, 6], repeats = 2 } }
target = "6..30"
reaching = ["wins", "loses"]
"""
GOAL = """
format = 1
[goal]
"value.plies" = { min = 5 }
"openings.share" = { min = 0.3, max = 0.6 }
"first.level:2" = { min = 0.35, max = 0.65 }
"density.level:5" = { min = 0.5 }
[score]
"density.level:5" = 1
"""


def _bred(asked: Request, home: Path) -> int:
    with open_store(home) as store:
        good: int = search(asked, store, inline).funnel["good"]
    return good


def _at_random(asked: Request, home: Path) -> int:
    """Return how many of as many different games, drawn at random, meet the goal."""
    found: dict[str, Candidate] = {}
    draws = 0
    while len(found) < (asked.samples or 0):
        rules = asked.space.rules_at(random_point(asked.space, Random(f"{asked.seed}/{draws}")))
        draws += 1
        if rules is not None:
            one = Candidate.of(rules)
            found[one.fingerprint] = one
    with open_store(home) as store:
        looks = Funnel(asked.goal, store, inline).look(list(found.values()))
    return sum(look.good for look in looks)


@pytest.mark.slow
def test_breeding_finds_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small part, with short generations: an archive has to learn before it is three times as good."""
    monkeypatch.setattr("zerosum.lab.search.GENERATION", 20)
    asked = request(tmp_path, SPACE, GOAL, samples=400, seed=2)
    bred, drawn = _bred(asked, tmp_path / "bred"), _at_random(asked, tmp_path / "drawn")
    assert bred >= 2 * max(drawn, 1), (bred, drawn)


@pytest.mark.full
def test_breeding_finds_three_times_as_many_of_2500(tmp_path: Path) -> None:
    """The whole claim: the documented space, the goal `standard`, 2,500 evaluations, three seeds."""
    space = read_space("docs/spaces/pools.toml")
    runs = [Request(space, goal_named("standard"), samples=2_500, seed=seed) for seed in (1, 2, 3)]
    bred = [_bred(one, tmp_path / f"bred{one.seed}") for one in runs]
    drawn = [_at_random(one, tmp_path / f"drawn{one.seed}") for one in runs]
    assert sum(bred) >= 3 * max(sum(drawn), 1), (bred, drawn)


def test_an_elite_is_the_best_of_its_niche() -> None:
    archive = Archive()
    niche = niche_of(built_in("sum31"), 9, 0.4)
    archive.add(niche, (1, -0.2, 0.9), {"target": 1})
    archive.add(niche, (1, -0.1, 0.3), {"target": 2})
    archive.add(niche, (1, -0.1, 0.2), {"target": 3})
    archive.add(niche, (0, 0.0, 0.9), {"target": 4})
    assert archive.elites == {niche: ((1, -0.1, 0.3), {"target": 2})}


def test_niches_tell_plies_fifths_and_kinds_apart() -> None:
    sum31, duel = built_in("sum31"), built_in("zero-sum-duel")
    assert niche_of(sum31, 9, 0.41) == niche_of(sum31, 9, 0.59)
    assert len({niche_of(sum31, 9, share / 10) for share in range(11)}) == 5
    assert niche_of(sum31, 9, 0.4) != niche_of(duel, 9, 0.4) != niche_of(duel, 8, 0.4)


def test_games_that_miss_are_looked_at_no_further_than_asked(tmp_path: Path) -> None:
    asked = request(tmp_path, SPACE, GOAL, samples=40)
    with open_store(tmp_path / "home") as store:
        names = [one.candidate.fingerprint for one in _looks(asked, store, Stage.SOLVE)]
        few = len(store.facts("even", names))
        assert len(store.facts("openings", names)) == len(names) > few
        _looks(asked, store, Stage.EVEN)
        assert len(store.facts("even", names)) == len(names)


def _looks(asked: Request, store: Store, through: Stage) -> list[Assessment]:
    points = (random_point(asked.space, Random(f"look {n}")) for n in range(30))
    games = {
        one.fingerprint: one for one in (Candidate.of(rules) for rules in map(asked.space.rules_at, points) if rules)
    }
    return Funnel(asked.goal, store, inline, through=through).look(list(games.values()))
