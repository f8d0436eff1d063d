"""A key, or a value, that only `Position` knows: the rest of the room plays moves, or names the key."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

import pytest

from tests.proof.making import SUDDEN, claims, variant
from zerosum.base.errors import IllegalPositionError
from zerosum.proof.certificate import Certificate, CertificateError, RoundPattern
from zerosum.proof.checker import check
from zerosum.rules.describe import describe
from zerosum.rules.game_files import GAME_IDS, built_in
from zerosum.rules.model import KNOWN, Rules, Tie, key_text, unknown_keys
from zerosum.rules.moves import Move
from zerosum.rules.notation import parse_position
from zerosum.rules.position import Position, can_make, start_position

KEYS = [one.name for one in fields(Rules) if one.init]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MoreRules(Rules):
    """Rules with a key that is new."""

    more: bool = False


GAME = MoreRules(id="x", name="X", pool=(1, 2, 3), target=5, more=True)
Play = Callable[[Position, Move], Position]


def planted(monkeypatch: pytest.MonkeyPatch, change: Callable[[Position, Position], Position]) -> None:
    """Let `Position` play otherwise: `change` takes the positions before and after a move by the known rules."""
    plain: Play = Position.play_unchecked
    monkeypatch.setattr(Position, "play_unchecked", lambda self, move: change(self, plain(self, move)))


def twice(position: Position, after: Position) -> Position:
    """Return the position after a number that counts double."""
    return replace(after, totals=(2 * after.totals[0] - position.totals[0],))


def test_every_key_is_named() -> None:
    assert set(KNOWN) == set(KEYS)
    assert not any(built_in(game).unknown for game in GAME_IDS)


def test_a_new_key_is_unknown_whatever_its_value() -> None:
    assert GAME.unknown == ("more",)
    assert replace(GAME, more=False).unknown == ("more",)


@pytest.mark.parametrize("key", sorted({*KEYS} - {"id", "name", "pool", "target", "start"}))
def test_a_new_value_is_unknown(key: str) -> None:
    rules = replace(built_in("sum31"))
    object.__setattr__(rules, key, "later")
    assert list(unknown_keys(KNOWN, rules)) == [key]
    assert key_text(rules, key) == f'{key.replace("_", "-")} = "later"'


def test_the_rules_in_words_name_a_key_that_has_no_words() -> None:
    (said,) = {*describe(GAME)} - {*describe(replace(GAME, more=False))}
    assert "more = true" in said
    assert describe(GAME)[-1] == describe(replace(GAME, more=False))[-1]  # what an invalid move costs stays the last


class TestWrittenPositions:
    def test_those_of_a_match_are_read(self, monkeypatch: pytest.MonkeyPatch) -> None:
        planted(monkeypatch, twice)
        assert parse_position("2,3 2 2", GAME) == start_position(GAME).play("+1")
        assert parse_position("1,2,3 0 1", GAME) == start_position(GAME)

    @pytest.mark.parametrize("text", ["2,3 1 2", "2,3 2 1", "1,2,3 2 1"])
    def test_others_are_refused(self, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
        planted(monkeypatch, twice)
        with pytest.raises(IllegalPositionError, match="cannot arise in X"):
            parse_position(text, GAME)

    def test_a_swap_is_open_until_it_is_spent(self) -> None:
        game = replace(GAME, swap=True)
        after = start_position(game).play("+1")
        assert parse_position("2,3 1 2 +1", game) == after
        assert parse_position("2,3 1 2 +1,swap", game) == after.play("swap")

    def test_the_search_ends_and_names_the_key(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("zerosum.rules.notation._PLAYED", 3)
        with pytest.raises(IllegalPositionError, match="No check knows more = true"):
            parse_position("3 3 1", GAME)


def test_making_the_target_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    game = replace(GAME, target=4)
    assert not can_make(start_position(game))
    planted(monkeypatch, twice)
    assert can_make(start_position(game))
    assert not can_make(start_position(replace(GAME, target=3)))


class TestCertificates:
    def test_seats_must_take_turns(self, monkeypatch: pytest.MonkeyPatch) -> None:
        said = claims(GAME)
        planted(monkeypatch, lambda position, after: replace(after, seat=position.seat))
        with pytest.raises(CertificateError, match=r"do not take turns \(more = true\)"):
            check(said, lambda _: None)

    def test_no_pattern_of_rounds_is_taken_for_granted(self) -> None:
        keys: dict[str, Any] = SUDDEN | {"pool": [1, 2, -1, -2], "start": [3, -3]}
        said = claims(variant(**keys))
        given = {one.name: getattr(said.rules, one.name) for one in fields(said.rules) if one.init}
        game = MoreRules(**given)
        assert said.pattern != RoundPattern()
        assert game.tie is Tie.SUDDEN_DEATH
        with pytest.raises(CertificateError, match="under more = false"):
            check(Certificate(game, said.pattern, said.codes), lambda _: None)
