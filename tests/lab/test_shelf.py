"""The games found in the lab: each meets the goal that it was searched by, with nothing wrong in its file."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.terminal.command import GAMES, Zerosum
from zerosum.lab.audit import audit, audit_json
from zerosum.lab.fingerprint import fingerprint
from zerosum.lab.goals import goal_named, misses
from zerosum.lab.metrics import metrics
from zerosum.lab.spaces import read_space
from zerosum.rules.game_files import GAME_IDS, LAB_IDS, RULEBOOK_IDS, built_in, shelf_of
from zerosum.rules.model import Exhausted, Tie

LEVELS = ("random", "level:2", "level:5")


@cache
def audited(game: str) -> dict[str, Any]:
    return audit_json(audit(built_in(game)))


def missed(game: str) -> list[str]:
    return misses(goal_named("standard"), {**metrics(built_in(game), LEVELS), "audit": audited(game)["counts"]})


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


@pytest.mark.parametrize(("game", "games"), [("last-straw", 388), ("seventeen", 588), ("campfire", 480)])
def test_it_is_in_the_space_that_its_page_names(game: str, games: int) -> None:
    space = read_space(f"docs/spaces/{game}.toml")
    found = {fingerprint(rules) for point in space.points() if (rules := space.rules_at(point)) is not None}
    assert len(found) == games
    page = Path(f"docs/games/{game}.md").read_text(encoding="utf-8")
    assert f"docs/spaces/{game}.toml` found it among" in page
    assert f" {games} games" in page
    rules = built_in(game)
    if game == "seventeen":  # It was found with another clause for an empty pool, which never applies either.
        rules = replace(rules, exhausted=Exhausted.CLOSEST, tie=Tie.SECOND_MOVER)
    assert fingerprint(rules) in found


def test_the_rulebooks_miss_the_goal_that_the_others_meet() -> None:
    """So the check above can fail."""
    assert missed("sum31") == ["openings.share"]


def test_the_rulebooks_come_first() -> None:
    assert (*RULEBOOK_IDS, *LAB_IDS) == GAME_IDS
    assert RULEBOOK_IDS == GAMES
    assert [shelf_of(game) for game in GAME_IDS] == ["rulebooks"] * 5 + ["lab"] * 3


def test_two_shelves_are_listed(zerosum: Zerosum) -> None:
    listed = zerosum("games", "--json").ok().json()["games"]
    assert [(game["id"], game["shelf"]) for game in listed] == [(game, shelf_of(game)) for game in GAME_IDS]
    rulebooks, lab = zerosum("games").ok().out.split("\n\n")
    assert [line.split()[0] for line in rulebooks.splitlines()[1:]] == list(RULEBOOK_IDS)
    assert [line.split()[0] for line in lab.splitlines()[1:]] == list(LAB_IDS)
    assert (rulebooks.splitlines()[0], lab.splitlines()[0]) == ("The rulebooks", "Found in the lab")
