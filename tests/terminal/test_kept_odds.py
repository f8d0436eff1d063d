"""Chances are computed once and kept; what is damaged or out of date is computed again."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from tests.terminal.command import Zerosum
from zerosum.cli import kept_odds as module
from zerosum.cli.kept_odds import kept_odds
from zerosum.players.levels import STRENGTHS, Level
from zerosum.players.odds import Pairing, certain, odds_from
from zerosum.rules.files import load_game, load_text
from zerosum.rules.position import Position, start_position

SMALL = load_text('like = "sum31"\nid = "small"\nname = "Small"\npool = [1, 2, 3, 4, 5]\ntarget = 9')
PAIRING: Pairing = ("level:3", "random")


@pytest.fixture
def start() -> Position:
    return start_position(SMALL)


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


def _file(home: Path) -> Path:
    (found,) = (home / "odds").iterdir()
    return found


def test_a_second_question_computes_nothing(start: Position, computed: list[Pairing]) -> None:
    exact = odds_from(start, [PAIRING]).first_wins
    assert kept_odds(start, [PAIRING]).first_wins == {PAIRING: exact[PAIRING]}
    assert computed == [PAIRING]
    assert kept_odds(start, [PAIRING, PAIRING[::-1]]).first_wins == exact
    assert kept_odds(start, [PAIRING, ("random", "random")]).first_wins[PAIRING] == exact[PAIRING]
    assert computed == [PAIRING, ("random", "random")]


@pytest.mark.parametrize("damage", [b"", b"\0" * 100, b"{}", b"\xff\xfe", b"abc\n[]"])
def test_a_damaged_file_is_computed_and_written_again(
    home: Path, start: Position, computed: list[Pairing], damage: bytes
) -> None:
    good = kept_odds(start, [PAIRING])
    before = _file(home).read_bytes()
    _file(home).write_bytes(damage)
    assert kept_odds(start, [PAIRING]) == good
    assert len(computed) == 2
    assert _file(home).read_bytes() == before


def test_a_changed_digit_or_a_torn_end_is_damage_too(home: Path, start: Position, computed: list[Pairing]) -> None:
    good = kept_odds(start, [PAIRING])
    text = _file(home).read_text()
    for damaged in (text.replace('": 0.', '": 0.1'), text[:-3]):
        assert damaged != text
        _file(home).write_text(damaged)
        assert kept_odds(start, [PAIRING]) == good
    assert len(computed) == 3


def test_changed_rules_are_another_file(home: Path, start: Position, computed: list[Pairing]) -> None:
    kept_odds(start, [PAIRING])
    other = start_position(replace(SMALL, target=8))
    assert kept_odds(other, [PAIRING]).first_wins == {PAIRING: odds_from(other, [PAIRING]).first_wins[PAIRING]}
    assert len(computed) == 2
    assert len(list((home / "odds").iterdir())) == 2


@pytest.mark.parametrize("change", ["level", "release"])
def test_a_changed_level_table_or_release_reads_nothing_old(
    home: Path, start: Position, computed: list[Pairing], monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    before = kept_odds(start, [PAIRING]).first_wins[PAIRING]
    if change == "level":
        monkeypatch.setitem(STRENGTHS, "level:3", Level(sight=1, slip=0.9))
        assert kept_odds(start, [PAIRING]).first_wins[PAIRING] < before
    else:
        monkeypatch.setattr(module, "__version__", "99")
        assert kept_odds(start, [PAIRING]).first_wins[PAIRING] == before
    assert len(computed) == 2
    assert len(list((home / "odds").iterdir())) == 2


def test_where_nothing_can_be_written_chances_are_still_found(home: Path, start: Position) -> None:
    home.mkdir()
    (home / "odds").write_text("not a folder")
    assert kept_odds(start, [PAIRING]).first_wins == {PAIRING: odds_from(start, [PAIRING]).first_wins[PAIRING]}


def test_several_at_once_leave_one_good_file(home: Path, start: Position) -> None:
    names = list(STRENGTHS)
    pairings = [(one, "random") for one in names]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda pairing: kept_odds(start, [pairing]).first_wins[pairing], pairings * 3))
    exact = odds_from(start, pairings).first_wins
    assert found == [exact[pairing] for pairing in pairings] * 3
    assert os.listdir(home / "odds") == [_file(home).name]
    assert kept_odds(start, pairings).first_wins == {pairing: exact[pairing] for pairing in pairings}


def test_two_processes_at_once(zerosum: Zerosum, home: Path) -> None:
    with ThreadPoolExecutor(2) as pool:
        one, two = pool.map(lambda _: zerosum("levels", "sum31").ok().out, range(2))
    assert one == two == zerosum("levels", "sum31").ok().out
    assert _file(home).read_text().count("level:9 - perfect") == 1


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
    assert not (home / "odds").exists()


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
