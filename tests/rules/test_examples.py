"""Worked examples in rules files: read, kept, written and left behind; and what is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.each import each
from zerosum.base import limits
from zerosum.base.errors import RulesError
from zerosum.rules.examples import ENDINGS, Example, Expect
from zerosum.rules.game_files import GAME_IDS, built_in, load_file, load_text, write_rules
from zerosum.rules.model import Rules, rules_from_dict, rules_to_dict
from zerosum.rules.outcome import Reason
from zerosum.rules.record import format_record, parse_record, rules_tags

BASE: dict[str, Any] = {"format": 1, "id": "mine", "name": "Mine", "pool": [1, 2, 3], "target": 5}
OWN: dict[str, Any] = BASE | {"totals": "own", "operations": ["add", "subtract"]}
FULL: dict[str, Any] = {
    "name": "All of it",
    "from": "1,2,3 0/0 1",
    "moves": ["+1", "-2"],
    "totals": [1, [1, -2]],
    "pools": [[3, 2], [3]],
    "winner": 2,
    "reason": "reached-target",
    "expect": "illegal",
    "ruling": "It cannot be.",
}


def made(*examples: dict[str, Any], base: dict[str, Any] = BASE) -> Rules:
    """Return rules with examples."""
    return rules_from_dict(base | {"examples": list(examples)})


def refused(example: object, message: str, base: dict[str, Any] = BASE) -> None:
    """Check that an example is refused with this message."""
    with pytest.raises(RulesError) as caught:
        rules_from_dict(base | {"examples": example if isinstance(example, list) else [example]})
    assert str(caught.value).startswith(f"examples: {message}")
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 400


class TestRead:
    def test_every_key(self) -> None:
        assert made(FULL, base=OWN).examples == (
            Example(
                name="All of it",
                start="1,2,3 0/0 1",
                moves=("+1", "-2"),
                totals=((1,), (1, -2)),
                pools=((2, 3), (3,)),
                winner=2,
                reason="reached-target",
                expect=Expect.ILLEGAL,
                ruling="It cannot be.",
            ),
        )

    def test_moves_may_stand_in_one_text(self) -> None:
        assert made({"name": "x", "moves": "+1 2"}).examples[0].moves == ("+1", "2")

    def test_a_final_total_or_a_pair(self) -> None:
        assert made({"name": "x", "final": 3}).examples[0].final == (3,)
        assert made({"name": "x", "final": [3, -4]}, base=OWN).examples[0].final == (3, -4)

    def test_the_endings_are_reasons(self) -> None:
        assert set(ENDINGS) < {reason.value for reason in Reason}

    @pytest.mark.parametrize("game", GAME_IDS)
    def test_every_game_has_the_examples_of_its_rulebook(self, game: str) -> None:
        assert built_in(game).examples

    def test_the_broken_ones_are_marked(self) -> None:
        marked = {game: [e.name for e in built_in(game).examples if e.expect is Expect.ILLEGAL] for game in GAME_IDS}
        assert {game: len(names) for game, names in marked.items() if names} == {"sum-to-zero": 1, "zero-sum-game": 5}
        assert all(e.ruling for game in GAME_IDS for e in built_in(game).examples if e.expect is Expect.ILLEGAL)


class TestNoPartOfTheGame:
    def test_equal_and_hashed_alike(self) -> None:
        assert made(FULL, base=OWN) == rules_from_dict(OWN)
        assert hash(made(FULL, base=OWN)) == hash(rules_from_dict(OWN))
        assert repr(made(FULL, base=OWN)) == repr(rules_from_dict(OWN))

    def test_not_inherited(self, tmp_path: Path) -> None:
        variant = 'like = "sum31"\nid = "x"\nname = "X"\n'
        assert load_text(variant).examples == ()
        path = tmp_path / "x.toml"
        path.write_text(variant + '[[examples]]\nname = "own"\nmoves = ["+1"]\n')
        assert [one.name for one in load_file(str(path)).examples] == ["own"]
        (tmp_path / "y.toml").write_text('like = "x"\nid = "y"\nname = "Y"\n')
        assert load_file(str(tmp_path / "y.toml")).examples == ()

    def test_changed_rules_have_none(self) -> None:
        assert replace(built_in("sum31"), target=30).examples == ()

    def test_tables_and_records_leave_them_out(self) -> None:
        rules = built_in("zero-sum-game")
        assert "examples" not in rules_to_dict(rules)
        read = parse_record(format_record(rules_tags(rules), rules, (), None)).rules
        assert (read, read.examples) == (rules, ())


class TestWritten:
    @each("like", ["", *GAME_IDS])
    @each("game", GAME_IDS)
    def test_the_games(self, game: str, like: str) -> None:
        rules = built_in(game)
        read = load_text(write_rules(rules, like))
        assert (read, read.examples) == (rules, rules.examples)

    def test_every_key(self) -> None:
        rules = made(FULL, {"name": 'a "b" \\', "final": [1, 2]}, base=OWN)
        assert load_text(write_rules(rules)).examples == rules.examples


class TestLeftOut:
    def test_what_a_file_does_not_say(self) -> None:
        assert "exhausted" in rules_from_dict(BASE).left_out
        assert "exhausted" not in rules_from_dict(BASE | {"exhausted": "last-mover"}).left_out

    def test_what_the_game_it_is_like_says_is_said(self) -> None:
        assert "exhausted" not in load_text('like = "sum31"\nid = "x"\nname = "X"\n').left_out

    def test_of_rules_made_by_code_nothing_is_known(self) -> None:
        assert Rules(id="x", name="X", pool=(1,), target=1).left_out == frozenset()


class TestRefused:
    @pytest.mark.parametrize("value", [5, "x", None, {}, [1], [[]], [FULL, 5], True])
    def test_no_tables(self, value: Any) -> None:
        with pytest.raises(RulesError, match=r"^examples: must be tables, each headed"):
            rules_from_dict(OWN | {"examples": value})

    def test_too_many(self) -> None:
        assert len(made(*[{"name": "x", "moves": []} | {"final": 1}] * limits.EXAMPLES).examples) == limits.EXAMPLES
        refused([{"name": "x", "final": 1}] * 33, "there are 33; at most 32 are allowed.")

    @each(
        ("changes", "message"),
        [
            ({"name": ""}, "name: must be text"),
            ({"name": 5}, "name: must be text"),
            ({"name": "\x1b[0m"}, "name: must be text"),
            ({"name": "x" * 81}, "name: The name has 81 characters; at most 80"),
            ({"move": ["+1"]}, "move: unknown key. Did you mean 'moves'?"),
            ({"\x1b" * 500: 1}, "\\x1b"),
            ({"moves": ["+1"] * 201}, "moves: must be a list of at most 200"),
            ({"moves": 5}, "moves: must be a list"),
            ({"moves": [5]}, "moves: must be text of 1 to 20 characters"),
            ({"moves": ["+" + "1" * 60_000]}, "moves: must be text of 1 to 20 characters"),
            ({"moves": ["+1", "five"]}, "move 2: 'five' is not a whole number."),
            ({"moves": ["+1", "9999999"]}, "move 2: '9999999' is too large"),
            ({"totals": [1, 2]}, "totals: has 2 for 1 moves; give one for each move, or none."),
            ({"totals": [[1, 2]]}, 'totals: a pair needs totals = "own".'),
            ({"totals": [[1, 2, 3]]}, "totals: totals are one number, or a pair"),
            ({"totals": [True]}, "totals: must hold whole numbers"),
            ({"totals": [1.0]}, "totals: must hold whole numbers"),
            ({"totals": [10**4000]}, "totals: must hold whole numbers"),
            ({"pools": [[], []]}, "pools: has 2 for 1 moves"),
            ({"pools": [5]}, "pools: must hold lists of at most 64 numbers."),
            ({"pools": [[1] * 65]}, "pools: must hold lists of at most 64 numbers."),
            ({"pools": [["1"]]}, "pools: must hold whole numbers"),
            ({"winner": 3}, "winner: must be 1 or 2"),
            ({"winner": True}, "winner: must be 1 or 2"),
            ({"reason": "resigned"}, "reason: must be one of reached-target, overshot, last-mover, closer, tie-rule"),
            ({"expect": "wrong"}, "expect: must be one of legal, illegal, in quotes."),
            ({"final": 5}, "final: goes with no moves"),
            ({"ruling": "x" * 401}, "ruling: must be text of 1 to 400 characters"),
            ({"from": 5}, "from: must be text"),
        ],
    )
    def test_values(self, changes: dict[str, Any], message: str) -> None:
        refused({"name": "x", "moves": ["+1"]} | changes, f"example 1, {message}")

    def test_nothing_said(self) -> None:
        refused({"name": "x"}, "example 1, moves: missing; give moves, or the final totals")
        refused({"moves": ["+1"]}, "example 1, name: missing.")

    def test_one_final_total_for_each(self) -> None:
        refused({"name": "x", "final": [1, 2]}, "example 1, final: the game has 1 total; give it.")
        refused({"name": "x", "final": 1}, "example 1, final: the game has 2 totals; give each.", OWN)

    def test_a_move_says_whether_it_adds(self) -> None:
        refused({"name": "x", "moves": ["1"]}, "example 1, move 1: '1' is not a move here: write +5", OWN)
