"""The games that were found in the lab: each meets the goal of the shelf, with nothing wrong in its file."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import GAMES, Zerosum
from tests.full import parted
from tests.lab.inline import misses
from tests.lab.plain_shelf import PlainShelfGame
from zerosum.lab.audit import audit, audit_json
from zerosum.lab.goals import read_goal
from zerosum.lab.metrics import metrics
from zerosum.lab.spaces import read_space
from zerosum.rules.game_files import GAME_IDS, LAB_IDS, RULEBOOK_IDS, built_in, shelf_of
from zerosum.solver.fingerprint import fingerprint

SHELF = Path("docs/spaces/shelf")
SPACES = {"summit": "shared-ranges", "thin-ice": "shared-ranges", "to-the-brim": "own-ranges"}


@cache
def audited(game: str) -> dict[str, Any]:
    return audit_json(audit(built_in(game)))


def missed(game: str) -> list[str]:
    found = audited(game)
    kinds = Counter(one["kind"] for one in found["findings"])
    counts = {**found["counts"], **kinds}
    return misses(read_goal(str(SHELF / "goal.toml")), {**metrics(built_in(game)), "audit": counts})


@pytest.mark.slow
@pytest.mark.parametrize("game", LAB_IDS)
class TestFound:
    def test_it_meets_the_goal_by_exact_metrics(self, game: str) -> None:
        assert missed(game) == []

    def test_its_file_says_nothing_wrong_and_nothing_dead(self, game: str) -> None:
        assert {one["severity"] for one in audited(game)["findings"]} <= {"warning", "note"}

    def test_its_examples_show_good_play_and_every_way_to_end(self, game: str) -> None:
        """No player of an example lets a win go, and each ending that can be reached is shown."""
        told = audited(game)
        assert not [one for one in told["findings"] if one["kind"].startswith("example-")]
        reachable = {reason for reason, ending in told["endings"].items() if ending["reachable"]}
        assert {one.reason for one in built_in(game).examples} == reachable


@pytest.mark.parametrize("game", LAB_IDS)
def test_its_pool_can_be_said_in_a_breath(game: str) -> None:
    pool = built_in(game).pool
    assert list(pool) == [number for number in range(min(pool), max(pool) + 1) if number]


def test_no_two_are_alike() -> None:
    kinds = {game: (built_in(game).totals, built_in(game).reaching, built_in(game).operations) for game in LAB_IDS}
    assert all(kinds[one] != kinds[other] for one, other in combinations(LAB_IDS, 2))


@pytest.mark.parametrize("game", LAB_IDS)
@pytest.mark.slow
def test_it_is_in_a_space_that_was_searched(game: str) -> None:
    space = read_space(str(SHELF / f"{SPACES[game]}.toml"))
    rules = built_in(game)
    found = (one for point in space.points() if (one := space.rules_at(point)) is not None)
    alike = [one for one in found if (one.pool, one.target) == (rules.pool, rules.target)]
    assert fingerprint(rules) in map(fingerprint, alike)


@pytest.mark.slow
def test_the_rulebooks_miss_the_goal_that_the_others_meet() -> None:
    """So the check above can fail."""
    assert missed("sum31") == ["even_to", "openings.share", "density.level:5"]


@pytest.mark.slow
@pytest.mark.parametrize("game", parted(LAB_IDS, ("to-the-brim",)))
class TestClaimedTwice:
    """What the goal says of a game, by a solver and players that were written from the rules."""

    def test_each_seat_wins_40_to_60_percent_between_equals_up_to_level_8(self, game: str) -> None:
        plain, ours = plainly(game), metrics(built_in(game))["first"]
        assert all(0.4 <= chance <= 0.6 for chance in plain.first()[:9])
        assert [ours[who] for who in list(ours)[:10]] == pytest.approx(plain.first(), abs=1e-11)

    def test_at_least_seven_levels_differ(self, game: str) -> None:
        assert sum(step >= 0.55 for step in plainly(game).steps()) >= 7

    def test_it_is_neither_short_nor_long_and_its_openings_matter(self, game: str) -> None:
        plain = plainly(game)
        assert 7 <= plain.value(plain.start)[1] <= 13
        openings = plain.options(plain.start)
        assert 0.2 <= sum(option.wins for option in openings) / len(openings) <= 0.6
        assert plain.early(2) <= 0.1

    def test_most_plies_are_real_choices(self, game: str) -> None:
        assert plainly(game).choices(5) >= 0.6

    def test_every_number_is_needed_and_every_clause_that_is_written_applies(self, game: str) -> None:
        plain = plainly(game)
        assert plain.needed() == set(plain.game.moves(plain.start))
        assert plain.endings() == {"reached-target", "overshot"}


@cache
def plainly(game: str) -> PlainShelfGame:
    return PlainShelfGame(game)


def test_the_rulebooks_come_first() -> None:
    assert (*RULEBOOK_IDS, *LAB_IDS) == GAME_IDS
    assert RULEBOOK_IDS == GAMES
    assert [shelf_of(game) for game in GAME_IDS] == ["rulebooks"] * 5 + ["lab"] * len(LAB_IDS)


def test_two_shelves_are_listed(zerosum: Zerosum) -> None:
    listed = zerosum("games", "--json").ok().json()["games"]
    assert [(game["id"], game["shelf"]) for game in listed] == [(game, shelf_of(game)) for game in GAME_IDS]
    rulebooks, lab = zerosum("games").ok().out.split("\n\n")
    assert [line.split()[0] for line in rulebooks.splitlines()[1:]] == list(RULEBOOK_IDS)
    assert [line.split()[0] for line in lab.splitlines()[1:]] == list(LAB_IDS)
    assert (rulebooks.splitlines()[0], lab.splitlines()[0]) == ("The rulebooks", "Found in the lab")
