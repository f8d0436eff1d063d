"""Chances are computed once and kept; what is damaged or out of date is computed again."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cli.command import Zerosum
from tests.full import parted
from zerosum.cli import lab_access as module
from zerosum.cli.lab_access import cached_metrics, cached_odds
from zerosum.coach import bundled_odds as odds_module
from zerosum.coach.bundled_odds import _tables, bundled_odds
from zerosum.lab.store import NAME, VERSION, open_store
from zerosum.players.odds import Pairing, certain, ladder_of, odds_from
from zerosum.rules.game_files import GAME_IDS, built_in, load_game, load_text
from zerosum.rules.position import Position, start_position

SMALL_FILE = 'like = "sum31"\nid = "small"\nname = "Small"\npool = [1, 2, 3, 4, 5]\ntarget = 9'
SMALL = load_text(SMALL_FILE)
PAIRING: Pairing = ("level:3", "random")


@pytest.fixture
def start() -> Position:
    return start_position(SMALL)


@pytest.fixture
def variant(tmp_path: Path) -> str:
    """Return the path of a game whose chances do not come with the package."""
    path = tmp_path / "small.toml"
    path.write_text(SMALL_FILE)
    return str(path)


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[Pairing]:
    """Return the pairings that were computed so far, in this test."""
    seen: list[Pairing] = []

    def noted(start: Position, pairings: list[Pairing], progress: object) -> object:
        del progress
        seen.extend(pairings)
        return odds_from(start, pairings)

    monkeypatch.setattr(module, "odds_from", noted)
    return seen


def test_a_second_question_computes_nothing(start: Position, computed: list[Pairing]) -> None:
    exact = odds_from(start, [PAIRING]).first_wins
    assert cached_odds(start, [PAIRING]).first_wins == {PAIRING: exact[PAIRING]}
    assert computed == [PAIRING]
    assert cached_odds(start, [PAIRING, PAIRING[::-1]]).first_wins == exact
    assert cached_odds(start, [PAIRING, ("random", "random")]).first_wins[PAIRING] == exact[PAIRING]
    assert computed == [PAIRING, ("random", "random")]


def test_twins_share_what_is_kept_and_other_rules_do_not(start: Position, computed: list[Pairing]) -> None:
    cached_odds(start, [PAIRING])
    cached_odds(start_position(replace(SMALL, id="twin", start=(5,), target=14)), [PAIRING])
    assert len(computed) == 1
    other = start_position(replace(SMALL, target=8))
    assert cached_odds(other, [PAIRING]).first_wins == {PAIRING: odds_from(other, [PAIRING]).first_wins[PAIRING]}
    assert len(computed) == 2


def test_metrics_leave_the_chances_they_follow_from(computed: list[Pairing]) -> None:
    cached_metrics(SMALL)
    ladder = ladder_of(SMALL, find=cached_odds)
    assert computed == []
    assert ladder.odds.first_wins == pytest.approx(ladder_of(SMALL).odds.first_wins, abs=1e-13)


def test_a_changed_level_table_reads_nothing_old(
    start: Position, computed: list[Pairing], monkeypatch: pytest.MonkeyPatch
) -> None:
    cached_odds(start, [PAIRING])
    monkeypatch.setitem(VERSION, "odds", "1 levels of another release")
    cached_odds(start, [PAIRING])
    assert len(computed) == 2


@pytest.mark.parametrize("damage", [b"abc", b"\0" * 5_000])
def test_where_the_store_cannot_be_used_chances_are_still_found(
    zerosum: Zerosum, home: Path, variant: str, damage: bytes
) -> None:
    good = zerosum("levels", variant).ok().out
    (home / NAME).write_bytes(damage)
    again = zerosum("levels", variant).ok()
    assert again.out == good
    assert again.err.count("\n") == 1
    assert again.err.endswith("is damaged; move it away, and what it held is computed again. Going on without it.\n")
    assert (home / NAME).read_bytes() == damage


def test_two_processes_at_once(zerosum: Zerosum, home: Path, variant: str) -> None:
    with ThreadPoolExecutor(2) as pool:
        one, two = pool.map(lambda _: zerosum("levels", variant).ok().out, range(2))
    assert one == two == zerosum("levels", variant).ok().out
    with open_store(home) as store:
        assert store.check() == 1


@pytest.mark.parametrize(
    ("first", "line"),
    [
        ("1", "Against level:3, Player 1 cannot win from this seat. To change seats: --first 2"),
        ("2", "Against perfect, Player 1 cannot win from this seat. To change seats: --first 1"),
    ],
)
def test_a_hopeless_seat_is_told_at_once(zerosum: Zerosum, home: Path, first: str, line: str) -> None:
    """Nothing is computed for it: there is nothing to keep."""
    args = ("sum-to-zero", "--vs", "level:3") if first == "1" else ("sequence-zero", "--vs", "perfect", "--first", "2")
    done = zerosum("play", *args, "--who-wins", stdin="quit\n").ok()
    assert done.err.splitlines()[1] == line
    assert not (home / NAME).exists()


CERTAIN = [
    ("sum-to-zero", ("random", "level:3"), 0.0),
    ("sum-to-zero", ("perfect", "level:3"), 0.0),
    ("sum-to-zero", ("perfect", "level:2"), None),
    ("sum-to-zero", ("perfect", "perfect"), 0.0),
    ("sum-to-zero", ("perfect", "random"), None),
    ("zero-sum-duel", ("perfect", "level:9"), 1.0),
    ("zero-sum-duel", ("level:9", "perfect"), None),
    ("zero-sum-game", ("perfect", "random"), 1.0),
]


@pytest.mark.parametrize(("game", "pairing", "chance"), CERTAIN)
def test_what_is_certain_is_not_computed(game: str, pairing: Pairing, chance: float | None) -> None:
    assert certain(start_position(load_game(game)), pairing) == chance


def test_what_is_certain_is_what_would_be_computed() -> None:
    """From every position of a few plies of a small game, whoever sits where."""
    seen = 0
    positions = [start_position(replace(SMALL, target=target)) for target in range(1, 12)]
    positions += [start_position(replace(SMALL, target=9, swap=True)).play("+4")]
    positions += [before.play(move) for before in positions for move in before.legal_moves()]
    for position in positions:
        if position.outcome is None:
            pairings = [(one, two) for one in ("random", "level:3", "perfect") for two in ("level:2", "perfect")]
            exact = odds_from(position, pairings).first_wins
            for pairing in exact:
                chance = certain(position, pairing)
                if chance is not None:
                    seen += 1
                    assert exact[pairing] == chance, (position, pairing)
    assert seen > 100


LARGE = ("sum-to-zero", "zero-sum-game")


@pytest.mark.parametrize("game", parted(GAME_IDS, LARGE))
def test_the_table_that_comes_with_the_package_is_what_would_be_computed(game: str) -> None:
    bundled = bundled_odds(built_in(game))
    assert bundled is not None
    exact = odds_from(start_position(built_in(game)), list(bundled.first_wins))
    assert bundled.first_wins == pytest.approx(exact.first_wins, rel=1e-11, abs=1e-13)
    assert bundled.error == exact.error


def test_a_built_in_game_computes_nothing(computed: list[Pairing]) -> None:
    ladder = ladder_of(built_in("zero-sum-game"), full=True, find=cached_odds)
    assert computed == []
    assert ladder.odds.first_wins["perfect", "random"] == 1.0


def test_changed_levels_or_rules_leave_the_table_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    sum31 = built_in("sum31")
    assert bundled_odds(replace(sum31, target=30)) is None
    assert bundled_odds(replace(sum31, id="twin", start=(5,), target=36)) == bundled_odds(sum31)
    monkeypatch.setattr(odds_module, "VERSION", "1 levels of another release")
    _tables.cache_clear()
    assert bundled_odds(sum31) is None
    _tables.cache_clear()


def test_fresh_computes_and_prints_the_same(zerosum: Zerosum) -> None:
    assert zerosum("levels", "sum31", "--fresh").ok().out == zerosum("levels", "sum31").ok().out
