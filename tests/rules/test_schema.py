"""What a rules file may say: each refusal on its own, naming the key; and what is pointless but allowed."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from tests.each import each
from zerosum.base.errors import RulesError
from zerosum.rules.game_files import GAME_IDS, built_in
from zerosum.rules.model import (
    KEYS,
    Ban,
    Exhausted,
    InvalidMove,
    Overshoot,
    Reaching,
    Rules,
    Totals,
    rules_from_dict,
    rules_to_dict,
)
from zerosum.rules.moves import Operation

BASE: dict[str, Any] = {"format": 1, "id": "mine", "name": "Mine", "pool": [1, 2, 3], "target": 5}
CLOSEST: dict[str, Any] = {"totals": "own", "exhausted": "closest", "tie": "second-mover"}
WHOLE = r"must be a whole number from -1000000 to 1000000\."
NOT_INTEGERS: tuple[Any, ...] = (True, False, 1.0, 1.5, float("nan"), "1", [1, 2, 3], {}, None, date(2024, 1, 1))
HUGE = pytest.param(1 << 20_000, id="huge")  # Python will not write it in decimal.
TOO_LARGE = (1_000_001, -1_000_001, 2**63, 10**25, HUGE)


def made(**changes: object) -> Rules:
    """Return the rules of the base table with some keys changed."""
    return rules_from_dict(BASE | {key.replace("_", "-"): value for key, value in changes.items()})


def refused(match: str, **changes: object) -> None:
    """Check that the changed table is refused with this message."""
    with pytest.raises(RulesError, match=match):
        made(**changes)


class TestDefaults:
    def test_defaults(self) -> None:
        rules = made()
        assert rules.operations == (Operation.ADD,)
        assert rules.totals is Totals.SHARED
        assert rules.start == (0,)
        assert rules.reaching is Reaching.WINS
        assert rules.overshoot is Overshoot.PLAY_ON
        assert rules.exhausted is Exhausted.LAST_MOVER
        assert rules.tie is None
        assert rules.invalid_move is InvalidMove.ASK_AGAIN
        assert rules.ban is Ban.NONE
        assert rules.swap is False

    def test_own_totals_start_alike(self) -> None:
        assert made(totals="own").start == (0, 0)
        assert made(totals="own", start=3).start == (3, 3)
        assert made(totals="own", start=[3, -4]).start == (3, -4)
        assert made(totals="own", start=[3, 3]) == made(totals="own", start=3)

    def test_pool_is_sorted(self) -> None:
        assert made(pool=[3, -1, 2, 3]).pool == (-1, 2, 3, 3)

    @pytest.mark.parametrize("game", GAME_IDS)
    def test_built_in_games(self, game: str) -> None:
        assert built_in(game).id == game
        assert rules_from_dict(rules_to_dict(built_in(game))) == built_in(game)


class TestKeys:
    @pytest.mark.parametrize("key", ["format", "id", "name", "pool", "target"])
    def test_missing(self, key: str) -> None:
        with pytest.raises(RulesError, match=f"^{key}: missing"):
            rules_from_dict({other: value for other, value in BASE.items() if other != key})

    @pytest.mark.parametrize(
        ("key", "hint"),
        [("pol", "pool"), ("Target", "target"), ("invalid_move", "invalid-move"), ("ties", "tie"), ("bans", "ban")],
    )
    def test_unknown_with_a_hint(self, key: str, hint: str) -> None:
        with pytest.raises(RulesError, match=f"^{key}: unknown key. Did you mean '{hint}'"):
            rules_from_dict(BASE | {key: 1})

    def test_unknown_without_a_hint(self) -> None:
        with pytest.raises(RulesError, match=r"^zzzzzz: unknown key\. The keys are format, id, name, pool"):
            rules_from_dict(BASE | {"zzzzzz": 1})

    def test_unknown_keys_are_shown_short_and_clean(self) -> None:
        with pytest.raises(RulesError) as caught:
            rules_from_dict(BASE | {"\x1b]0;x\x07" * 1000: 1})
        assert str(caught.value).isprintable()
        assert len(str(caught.value)) < 400

    def test_every_documented_key_is_read(self) -> None:
        assert list(KEYS) == [
            *("format", "id", "name", "pool", "operations", "totals", "start", "target", "reaching", "overshoot"),
            *("exhausted", "tie", "invalid-move", "ban", "swap"),
        ]


class TestValues:
    @pytest.mark.parametrize("value", [0, -1, 1.0, True, "1", None, [1], HUGE, pytest.param(10**4000, id="long")])
    def test_format(self, value: object) -> None:
        refused(r"^format: must be 1\.$", format=value)

    def test_newer_format(self) -> None:
        refused("^format: 2 is newer than this zerosum reads, which is 1", format=2)

    @pytest.mark.parametrize("value", ["", "A", "a b", "a_b", "ä", "a" * 65, "a\n", "../a", 5, True, None, ["a"]])
    def test_id(self, value: object) -> None:
        refused("^id: must be 1 to 64 characters out of a-z, 0-9 and -", id=value)

    @pytest.mark.parametrize("value", ["a", "0", "-", "a" * 64, "sum31"])
    def test_good_ids(self, value: str) -> None:
        assert made(id=value).id == value

    @pytest.mark.parametrize("value", ["", " ", "a\n", "\x1b[0m", "a\u202eb", "a\u200bb", " a", "x" * 81, 5, None])
    def test_name(self, value: object) -> None:
        refused("^name: ", name=value)

    @each("key", ["target", "start"])
    @each("value", [*(one for one in NOT_INTEGERS if not isinstance(one, list)), *TOO_LARGE])
    def test_integers(self, key: str, value: object) -> None:
        refused(f"^{key}: {WHOLE}", **{key: value})

    @pytest.mark.parametrize("value", [*NOT_INTEGERS, *TOO_LARGE])
    def test_pool_numbers(self, value: object) -> None:
        refused(f"^pool: number 2 of the list, .*, {WHOLE}", pool=[1, value])

    @pytest.mark.parametrize("value", [[], 5, "1,2", None, {}, True, [1] * 65])
    def test_pool(self, value: object) -> None:
        refused(r"^pool: must be a list of 1 to 64 numbers\.", pool=value)

    def test_no_zero_in_a_pool(self) -> None:
        refused(r"^pool: 0 is not allowed in a pool\.", pool=[1, 0, 2])

    @pytest.mark.parametrize("value", [[1], [1, 2, 3], []])
    def test_start_lists(self, value: list[int]) -> None:
        refused("^start: must be one number, or a pair", totals="own", start=value)

    @pytest.mark.parametrize("value", [*NOT_INTEGERS, *TOO_LARGE])
    def test_pair_starts(self, value: object) -> None:
        refused(f"^start: number 2 of the list, .*, {WHOLE}", totals="own", start=[0, value])

    @pytest.mark.parametrize("value", [[], ["subtract"], ["subtract", "add"], ["add", "add"], "add", None, [True], 1])
    def test_operations(self, value: object) -> None:
        refused(r'^operations: must be \["add"\] or \["add", "subtract"\]', operations=value)

    @each(
        ("key", "words"),
        [
            ("totals", "shared, own"),
            ("reaching", "wins, loses"),
            ("overshoot", "play-on, loses"),
            ("exhausted", "last-mover, closest"),
            ("tie", "second-mover, first-mover, sudden-death"),
            ("invalid-move", "ask-again, forfeit"),
            ("ban", "none, mirror"),
        ],
    )
    @each("value", ["", "x", "WINS", 1, True, None, ["own"]])
    def test_words(self, key: str, words: str, value: object) -> None:
        refused(f"^{key}: must be one of {words}, in quotes", **{key: value})

    @pytest.mark.parametrize("value", ["true", 1, 0, None, "", [True]])
    def test_swap(self, value: object) -> None:
        refused("^swap: must be true or false", swap=value)


class TestClashes:
    def test_closest_needs_own(self) -> None:
        refused('^exhausted: "closest" needs totals = "own"', exhausted="closest", tie="second-mover")

    def test_closest_needs_a_tie(self) -> None:
        refused("^tie: missing; .* second-mover, first-mover, sudden-death", totals="own", exhausted="closest")

    @pytest.mark.parametrize("tie", ["second-mover", "first-mover", "sudden-death"])
    def test_tie_needs_closest(self, tie: str) -> None:
        refused('^tie: only goes with exhausted = "closest"', tie=tie)
        refused('^tie: only goes with exhausted = "closest"', totals="own", exhausted="last-mover", tie=tie)

    @pytest.mark.parametrize(
        "changes",
        [
            {"start": 5},
            {"totals": "own", "start": 5},
            {"totals": "own", "start": [5, 0]},
            {"totals": "own", "start": [0, 5]},
        ],
    )
    def test_overshoot_needs_a_side(self, changes: dict[str, object]) -> None:
        refused('^overshoot: "loses" needs a start that is not the target', overshoot="loses", **changes)
        assert made(**changes).overshoot is Overshoot.PLAY_ON

    @pytest.mark.parametrize("start", [[0, 1], [0, 0]])
    def test_pair_needs_own(self, start: list[int]) -> None:
        refused('^start: a pair needs totals = "own"', start=start)


class TestPointlessIsAllowed:
    @pytest.mark.parametrize(
        "changes",
        [
            {"target": 1_000_000},
            {"target": -5, "overshoot": "loses"},
            {"ban": "mirror"},
            {"pool": [7], "swap": True},
            {"pool": [1] * 64},
            {"start": 5},
            {"reaching": "loses", "start": 5},
            {"pool": [-1_000_000, 1_000_000], "start": -1_000_000},
            CLOSEST | {"pool": [1]},
            CLOSEST | {"tie": "sudden-death", "pool": [1], "ban": "mirror", "swap": True},
        ],
    )
    def test_allowed(self, changes: dict[str, object]) -> None:
        rules = rules_from_dict(BASE | changes)
        assert rules_from_dict(rules_to_dict(rules)) == rules
