"""The search for the card of a variant: what it finds is proved or called what it is, and it ends in its limit."""

from __future__ import annotations

from time import monotonic

import pytest

from tests.cli.command import Zerosum
from tests.patience import PATIENCE
from zerosum.rules.game_files import built_in, load_text
from zerosum.rules.model import Rules, Seat
from zerosum.rules.moves import Move, Operation
from zerosum.rules.position import start_position
from zerosum.solver import solution_of
from zerosum.strategy.card import Card, CardError, Rule
from zerosum.strategy.card_proof import prove
from zerosum.strategy.card_report import report_of
from zerosum.strategy.card_search import STEADY, SearchLimit, mirrored, search
from zerosum.strategy.lookahead import Sight

SUM21 = 'like = "sum31"\nid = "sum21"\nname = "Sum21"\ntarget = 21'


def variant(like: str, **keys: object) -> Rules:
    lines = [f'like = "{like}"', 'id = "variant"', 'name = "Variant"', *(f"{key} = {keys[key]}" for key in keys)]
    return load_text("\n".join(lines))


def found(rules: Rules, limit: SearchLimit = STEADY) -> Card:
    return search(solution_of(rules), Sight(rules), limit)


class TestFinds:
    def test_key_totals_where_they_are_enough(self) -> None:
        """Dudeney's idea, which fails in Sum31, wins Sum21."""
        card = found(load_text(SUM21))
        assert card == Card(Seat.FIRST, (Rule("make"), Rule("guard"), Rule("multiple", 7)))
        assert prove(card, load_text(SUM21)).proved

    @pytest.mark.parametrize(
        "rules",
        [
            built_in("sum31"),
            built_in("sum-to-zero"),
            variant("sequence-zero", pool=[1, 2, 3, 4, 5, 6]),
            variant("zero-sum-duel", pool=[1, 2, 3, 4, 5]),
            variant("zero-sum-duel", pool=[1, 1, 1]),
            variant("zero-sum-game", pool=[-3, -2, -1, 1, 2, 3]),
        ],
        ids=lambda rules: f"{rules.id}{len(rules.pool)}",
    )
    def test_cards_that_are_proved(self, rules: Rules) -> None:
        assert prove(found(rules), rules).proved

    def test_exceptions_where_rules_alone_do_not_win_and_every_one_is_needed(self) -> None:
        rules = variant("sum31", pool=[1, 2, 3, 4, 5, 6, 7], target=22)
        whole = found(rules)
        assert prove(whole, rules).proved
        assert whole.exceptions
        for at in range(len(whole.exceptions)):
            fewer = Card(whole.seat, whole.rules, whole.exceptions[:at] + whole.exceptions[at + 1 :])
            assert not prove(fewer, rules).proved

    def test_in_every_mirror_of_a_position(self) -> None:
        """Where numbers are added and subtracted, a search looks at one of the positions that are mirrors."""
        rules = variant("sequence-zero", pool=[1, 2, 3, 4])
        position = start_position(rules).play("+2").play("-3")
        assert dict(mirrored(position, Move(4, Operation.SUBTRACT))) == {
            "1,4 2/-3 1": "-4",
            "1,4 2/3 1": "-4",
            "1,4 -2/-3 1": "+4",
            "1,4 -2/3 1": "+4",
        }

    def test_the_same_card_every_time(self) -> None:
        rules = variant("sum31", pool=[1, 2, 3, 4, 6, 8], target=15)
        assert found(rules) == found(rules)


class TestIsHonest:
    def test_the_best_found_is_not_called_proved(self) -> None:
        rules = variant("sum31", pool=list(range(1, 11)), target=38)
        report = report_of(solution_of(rules), SearchLimit(seconds=None, tries=0, positions=3_000))
        assert not report.proof.proved
        assert report.kept is not None
        assert 0 < report.kept.share < 1

    def test_a_draw_has_a_card_for_nobody(self) -> None:
        rules = variant("zero-sum-game", pool=[1, 1], start=[1, 1])
        card = found(rules)
        assert card.seat is None
        assert not prove(card, rules).proved

    def test_a_game_with_a_swap_has_none(self) -> None:
        with pytest.raises(CardError, match="seats can be swapped"):
            found(variant("sum31", swap="true"))


class TestEnds:
    def test_in_its_limit_with_what_it_has(self) -> None:
        """Twelve numbers, far more lists than a second is enough for."""
        rules = variant("sum31", pool=list(range(1, 13)), target=50)
        solution = solution_of(rules)
        began = monotonic()
        search(solution, Sight(rules), SearchLimit(seconds=1))
        assert monotonic() - began < PATIENCE

    def test_and_says_how_far_it_is(self) -> None:
        rules = variant("sum31", pool=list(range(1, 11)), target=38)
        told: list[str] = []
        search(solution_of(rules), Sight(rules), SearchLimit(seconds=None, tries=40, positions=3_000), told.append)
        assert any(words.startswith("3 rules, 0 of 1 lists") for words in told)

    def test_even_before_it_knows_the_positions(self) -> None:
        rules = built_in("sequence-zero")
        card = found(rules, SearchLimit(seconds=1e-9))
        assert card.rules[:2] == (Rule("make"), Rule("guard"))

    def test_on_request(self, zerosum: Zerosum) -> None:
        ran = zerosum("card", "docs/variants/sum21.toml", "--seconds", "0.1", "--json").ok()
        assert ran.json()["game"] == "sum21"
