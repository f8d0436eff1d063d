"""How a set is drawn: repeatable, different for other seeds, and by the solver's figures."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.exam.sets import drawn
from tests.full import FULL
from zerosum.exam.draw_items import NoVariantError, fresh_variant, is_good, make_items
from zerosum.exam.items import Item, ItemsError, Options, Source
from zerosum.exam.reskins import prove_skin
from zerosum.exam.scoring import facts_of, regret_against
from zerosum.rules.game_files import built_in, load_text
from zerosum.solver import Verdict, solution_of, solve

SUM31 = built_in("sum31")
SOME = "all" if FULL else "sum31,seventeen,last-straw"


def shown(item: Item) -> tuple[object, ...]:
    return item.shown_rules.pool, item.shown_rules.target, item.shown_rules.start, str(item.shown.position)


def test_the_same_seed_gives_the_same_bytes() -> None:
    again = make_items(drawn().options, "1")
    assert again.data == drawn().data
    assert again.sha256 == drawn().sha256
    assert drawn(seed="2").sha256 != drawn().sha256


def test_a_secret_salt_gives_the_same_items_and_is_not_in_the_file() -> None:
    salt = "a-long-secret-salt"
    options = Options((SUM31,), 4, 1, 1, None)
    found = make_items(options, salt)
    public = make_items(Options((SUM31,), 4, 1, 1, salt), salt)
    assert found.items == public.items
    assert salt.encode() not in found.data
    assert found.data == make_items(options, salt).data
    with pytest.raises(ItemsError, match="salt itself"):
        make_items(Options((SUM31,), 4, 1, 1, "other"), salt)


def test_other_seeds_share_few_positions() -> None:
    sets = [drawn(SOME, 24, 3, 1, seed) for seed in ("1", "2", "3")]
    for one in sets:
        for two in sets:
            if one is not two:
                theirs = {shown(item) for item in two.items}
                assert sum(shown(item) in theirs for item in one.items) < 0.05 * len(one.items)


def test_positions_are_different_and_nearly_all_are_real_choices() -> None:
    found = drawn(SOME, 24, 3, 1)
    plain = [item for item in found.items if item.dress is None]
    assert len({(item.origin, item.position.key) for item in plain}) == len(plain)
    lost = 0
    for item in plain:
        facts = facts_of(item)
        if not facts.real:
            lost += 1
            assert facts.best.verdict is Verdict.LOSS
            regrets = [regret_against(item.position, move) for move in item.position.legal_moves()]
            assert max(one for one in regrets if one is not None) >= 0.1
    assert 0 < lost <= len(plain) / 7
    bands = Counter(facts_of(item).keeping >= 0.5 for item in plain)
    assert min(bands.values()) >= len(plain) / 5


def test_every_skin_of_a_set_is_proved() -> None:
    found = drawn() if FULL else drawn("sum31")
    pairs = {(item.origin, item.dress) for item in found.items if item.dress is not None}
    assert len(pairs) == 2 * len(found.origins)
    for origin, dress in pairs:
        assert dress is not None
        assert prove_skin(origin, dress.rules(origin), dress.skin).proved


def test_a_fresh_variant_meets_the_figures_and_is_nobody_elses() -> None:
    known = [SUM31]
    for place in range(1, 6):
        found = fresh_variant(SUM31, place, 10, f"seed {place}", known)
        solution = solve(found)
        assert solution.count is not None
        assert solution.count >= 150
        assert (solution.value(solution.start).plies or 0) >= 3
        assert is_good(solution, 10)
        assert all((found.pool, found.target) != (other.pool, other.target) for other in known)
        known.append(found)


def test_figures_refuse_what_is_no_test_of_anything() -> None:
    tiny = load_text('format = 1\nid = "tiny"\nname = "Tiny"\npool = [1, 2, 3]\ntarget = 6')
    assert not is_good(solution_of(tiny), 1)
    with pytest.raises(NoVariantError, match="--fresh 0"):
        fresh_variant(tiny, 1, 1, "1", [tiny])
    assert is_good(solution_of(SUM31), 10)
    assert not is_good(solution_of(SUM31), 10_000)


def test_more_than_a_game_has_is_refused() -> None:
    with pytest.raises(ItemsError, match="Sum31 has too few different choices"):
        make_items(Options((SUM31,), 900, 0, 0, "1"), "1")
    for options, words in (
        (Options((SUM31,), 1_000_000, 0, 0, "1"), "at most"),
        (Options((SUM31,), 1, 10_000, 0, "1"), "from 0 to 20 fresh variants, not 10,000"),
        (Options((SUM31,), 1, 0, 9, "1"), "from 0 to 8 reskins"),
        (Options((), 1, 0, 0, "1"), "from 1 to 20 games"),
    ):
        with pytest.raises(ItemsError, match=words):
            make_items(options, "1")
    with pytest.raises(ItemsError, match="same id"):
        make_items(Options((SUM31, SUM31), 1, 0, 0, "1"), "1")


def test_the_game_itself_and_its_variants_take_turns() -> None:
    by_number = {item.number: item.source for item in drawn("sum31", 8, 3, 0).items}
    assert [by_number[n] for n in (1, 2, 3, 4, 5)] == [Source.GAME, *[Source.FRESH] * 3, Source.GAME]
