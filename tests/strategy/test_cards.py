"""The cards of the games: proved twice, every part of them needed or said not to be, their figures computed again."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from tests import naive
from tests.full import parted
from tests.strategy import plain
from zerosum.rules.game_files import BUILT_IN_IDS, built_in, load_text
from zerosum.rules.model import Seat
from zerosum.rules.position import start_position
from zerosum.solver import solution_of
from zerosum.strategy.card import Card, CardError, Kept, Rule, bundled_card, from_table, survivors
from zerosum.strategy.card_proof import prove
from zerosum.strategy.card_report import against, kept, report_of
from zerosum.strategy.card_search import core_of, words_for
from zerosum.strategy.lookahead import Sight

GAMES = tuple(game for game in BUILT_IN_IDS if bundled_card(built_in(game)) is not None)
TARGETS = {game: built_in(game).target for game in GAMES}
SEATS = dict.fromkeys(GAMES, 1) | {"sum31": 2, "sum-to-zero": 2}


@cache
def table_of(game: str) -> plain.Table:
    return plain.Table(naive.GAMES[game], TARGETS[game])


def card_of(game: str) -> Card:
    found = bundled_card(built_in(game))
    assert found is not None
    return found.card


def texts(card: Card) -> list[str]:
    return [str(rule) for rule in card.rules]


class TestProofs:
    @pytest.mark.slow
    @pytest.mark.parametrize("game", GAMES)
    def test_every_card_always_wins_by_both_provers(self, game: str) -> None:
        card = card_of(game)
        ours = prove(card, built_in(game))
        theirs = plain.always_wins(table_of(game), SEATS[game], texts(card), card.exceptions)
        assert card.seat is not None
        assert card.seat.value == SEATS[game]
        assert ours.proved
        assert theirs == plain.Verdict(proved=True, states=ours.positions)

    @pytest.mark.slow
    @pytest.mark.parametrize("game", parted(GAMES, ("sequence-zero", "campfire")))
    def test_the_provers_agree_on_which_rules_are_needed(self, game: str) -> None:
        """Each rule is left out in turn, and the card is proved again."""
        found = bundled_card(built_in(game))
        assert found is not None
        for rule in found.card.rules:
            if (game, str(rule)) == ("sum-to-zero", "make"):
                continue  # A proof that takes half a minute: `tools/make_cards.py --check` has it.
            fewer = replace(found.card, rules=tuple(one for one in found.card.rules if one is not rule))
            ours = prove(fewer, built_in(game))
            assert ours.proved is (str(rule) not in found.needed)
            if game != "sequence-zero":  # Where the plain one would take seconds for each.
                assert ours.proved is plain.always_wins(table_of(game), SEATS[game], texts(fewer)).proved

    @pytest.mark.parametrize(
        ("game", "wrong"),
        [("sum31", "largest"), ("zero-sum-duel", "nearest"), ("zero-sum-game", "away"), ("sequence-zero", "toward")],
    )
    def test_a_planted_wrong_rule_is_found_out(self, game: str, wrong: str) -> None:
        card = replace(card_of(game), rules=(Rule(wrong), *card_of(game).rules))
        assert not prove(card, built_in(game)).proved
        assert not plain.always_wins(table_of(game), SEATS[game], texts(card)).proved

    @pytest.mark.parametrize("game", ["sum31", "zero-sum-game"])
    def test_the_wrong_seat_does_not_always_win(self, game: str) -> None:
        card = card_of(game)
        assert card.seat is not None
        assert not prove(replace(card, seat=card.seat.other), built_in(game)).proved
        assert not plain.always_wins(table_of(game), 3 - SEATS[game], texts(card)).proved

    def test_a_match_without_end_is_no_win(self) -> None:
        """Make and guard never lose Zero Sum Game for the first player, but some ways of playing so never end."""
        card = Card(Seat.FIRST, (Rule("guard"), Rule("away")))
        assert not prove(card, built_in("zero-sum-game")).proved

    @pytest.mark.parametrize(("begins", "at_most"), [(0, 6), (6, 3)])
    def test_how_far_rounds_of_zero_sum_game_end(self, begins: int, at_most: int) -> None:
        """What the child's proof counts: the first round ends at most 6 from 0, one that begins 6 away at most 3."""
        table, rules = table_of("zero-sum-game"), texts(card_of("zero-sum-game"))
        seen: set[naive.State] = set()
        waiting = [table.start._replace(totals=(way * begins, -way * begins)) for way in (1, -1)]
        furthest = 0
        while waiting:
            state = waiting.pop()
            moves = plain.survivors(table, rules, state) if state.seat == 1 else table.game.moves(state)
            for after in (table.game.play(state, move) for move in moves):
                assert after.winner != 2
                if after.winner is None and after.pool == table.start.pool:
                    furthest = max(furthest, abs(after.totals[0]))
                elif after.winner is None and after not in seen:
                    seen.add(after)
                    waiting.append(after)
        assert furthest == at_most

    def test_no_list_of_one_reply_reasons_wins_sum31(self) -> None:
        """All lists of words that look no further than one reply ahead, whatever their length."""
        rules = built_in("sum31")
        sight = Sight(rules)
        core = core_of(solution_of(rules), sight, Seat.SECOND, (), 1_000, lambda: None)
        words = [Rule("make"), Rule("guard"), *(one for one in words_for(rules, openings=False) if one.cost < 4)]
        assert not {one.name for one in words} & {"shut-in-two", "squeeze-in-two"}
        lists, seen = [core.every], {core.every}
        while lists:
            masks = lists.pop()
            assert core.wrong(masks)
            for longer in {core.keep(masks, word) for word in words} - seen:
                seen.add(longer)
                if core.can_force(longer):
                    lists.append(longer)
        assert len(seen) > 30

    def test_a_cheaper_card_of_sequence_zero(self) -> None:
        """The one that looks a single reply ahead; the docs give it as well."""
        rules = ["open:5", "make", "guard", "squeeze", "in-reach", "further", "toward", "furthest-threat", "smallest"]
        card = Card(Seat.FIRST, tuple(map(Rule.read, rules)))
        assert prove(card, built_in("sequence-zero")).proved
        assert plain.always_wins(table_of("sequence-zero"), 1, rules).proved


class TestExceptions:
    """No card that comes with a game has any; this is the one that the search finds for 22 on seven numbers."""

    RULES = load_text('like = "sum31"\nid = "seven"\nname = "Seven"\npool = [1, 2, 3, 4, 5, 6, 7]\ntarget = 22')
    CARD = Card(
        Seat.SECOND,
        tuple(map(Rule.read, ("make", "guard", "squeeze-in-two", "multiple:8"))),
        (("1,2,3,4,5,7 6 2", "+4"), ("1,2,4,5,6,7 3 2", "+2")),
    )

    def test_a_card_with_exceptions_is_proved(self) -> None:
        table = plain.Table(naive.Variant({"pool": range(1, 8), "target": 22, "overshoot": "loses"}), 22)
        assert prove(self.CARD, self.RULES).proved
        assert plain.always_wins(table, 2, texts(self.CARD), self.CARD.exceptions).proved
        for at in range(2):
            assert not plain.always_wins(table, 2, texts(self.CARD), self.CARD.exceptions[at : at + 1]).proved

    @pytest.mark.parametrize("at", range(2))
    def test_without_any_of_them_it_is_not(self, at: int) -> None:
        fewer = replace(self.CARD, exceptions=self.CARD.exceptions[at : at + 1])
        assert not prove(fewer, self.RULES).proved


class TestFigures:
    def test_sum31_keeps_269_of_287(self) -> None:
        rules = built_in("sum31")
        assert kept(card_of("sum31"), solution_of(rules), Sight(rules)) == Kept(269, 287)

    def test_by_a_plain_count(self) -> None:
        """Positions with options that differ, and in how many of them every survivor keeps the best verdict."""
        game, rules = naive.GAMES["sum31"], texts(card_of("sum31"))
        seen, waiting, good, choices = {game.start()}, [game.start()], 0, 0
        while waiting:
            state = waiting.pop()
            worth = {}
            for move in game.moves(state):
                after = game.play(state, move)
                if after.winner is None:
                    worth[move] = naive.best("sum31", after)[0] == "loss"
                    if after not in seen:
                        seen.add(after)
                        waiting.append(after)
                else:
                    worth[move] = after.winner == state.seat
            if len(set(worth.values())) > 1:
                choices += 1
                mine = rules if state.seat == 2 else rules[:3]
                good += all(worth[move] for move in plain.survivors(table_of("sum31"), mine, state))
        assert (good, choices) == (269, 287)

    @pytest.mark.slow
    @pytest.mark.parametrize("game", ["sum31", "zero-sum-duel"])
    def test_those_that_come_with_a_card_are_computed_again(self, game: str) -> None:
        known = bundled_card(built_in(game))
        report = report_of(solution_of(built_in(game)), recompute=True)
        assert known is not None
        assert report.kept == known.kept
        for ours, theirs in zip(report.against, known.against, strict=True):
            assert ours.who == theirs.who
            assert (ours.as_first, ours.as_second) == pytest.approx((theirs.as_first, theirs.as_second), abs=1e-9)

    @pytest.mark.parametrize("game", GAMES)
    def test_a_proved_card_beats_everybody_from_its_seat(self, game: str) -> None:
        known = bundled_card(built_in(game))
        assert known is not None
        assert len(known.against) == 11
        for one in known.against:
            assert (one.as_first if SEATS[game] == 1 else one.as_second) == 1.0
        assert known.kept.good <= known.kept.choices

    def test_scores_by_a_plain_recursion(self) -> None:
        """Against random play in Sum31, from both seats: the mean over all moves, by the plain card."""
        game, rules = naive.GAMES["sum31"], texts(card_of("sum31"))

        @cache
        def chance(state: naive.State, seat: int) -> float:
            mine = rules if seat == 2 else rules[:3]
            moves = plain.survivors(table_of("sum31"), mine, state) if state.seat == seat else game.moves(state)
            ends = [game.play(state, move) for move in moves]
            return sum(end.winner == seat if end.winner else chance(end, seat) for end in ends) / len(ends)

        (found,) = (one for one in against(card_of("sum31"), Sight(built_in("sum31"))) if one.who == "random")
        assert found.as_first == pytest.approx(chance(game.start(), 1))
        assert found.as_second == pytest.approx(chance(game.start(), 2))

    def test_mirrors_do_not_change_scores(self) -> None:
        """A card that names positions is computed position by position; the same card without them by mirrors."""
        rules = load_text('like = "zero-sum-duel"\nid = "five"\nname = "Five"\npool = [1, 2, 3, 4, 5]')
        card = Card(Seat.FIRST, (Rule("make"), Rule("guard")))
        named = replace(card, exceptions=(("no such position", "+1"),))
        assert card.mirrors(rules)
        assert not named.mirrors(rules)
        for one, two in zip(against(card, Sight(rules)), against(named, Sight(rules)), strict=True):
            assert (one.as_first, one.as_second) == pytest.approx((two.as_first, two.as_second))


class TestFiles:
    def test_a_variant_of_the_same_id_does_not_get_the_card_of_the_game(self) -> None:
        assert bundled_card(replace(built_in("sum31"), target=30)) is None

    @pytest.mark.parametrize("table", [{}, {"seat": 3}, {"seat": 1, "rules": ["win"], "figures": {"kept": [1, 1]}}])
    def test_a_bad_file_is_refused(self, table: dict[str, object]) -> None:
        with pytest.raises(CardError):
            from_table(table)

    def test_the_other_seat_goes_by_the_rules_that_serve_it(self) -> None:
        card = card_of("sum31")
        assert card.seat is Seat.SECOND
        assert len(card.rules_for(Seat.FIRST)) == 3
        assert len(card.rules_for(Seat.SECOND)) == 4
        start = start_position(built_in("sum31"))
        sight = Sight(start.rules)
        assert len(survivors(card, start, sight)) == 9
        assert len(survivors(card.prefix(4), start, sight)) == 1
