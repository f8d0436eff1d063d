"""Every cause that is printed is read back and played out from the rules: none is false.

Here a part of the pairs is checked; `make reliability` checks them all.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import islice

import pytest

from tests.coach.cause_pairs import all_pairs, check, drawn_pairs, random_variants
from tests.coach.cause_reader import CauseReader
from tests.coach.plain_features import Plain
from tests.coach.positions import GAMES, VARIANTS
from tests.full import part
from zerosum.coach.cause_words import words
from zerosum.coach.causes import NAMES, EndsMatch, why
from zerosum.rules.game_files import built_in
from zerosum.solver import Solution, Verdict, solution_of

pytestmark = pytest.mark.slow

ORDER = list(NAMES.values())


@cache
def solved(game: str) -> Solution:
    return solution_of(built_in(game) if game in GAMES else VARIANTS[game])


@pytest.mark.parametrize(("game", "step"), [("sum31", 1), ("zero-sum-duel", 61), ("zero-sum-game", part(907, 307))])
def test_no_false_cause_in_the_small_games(game: str, step: int) -> None:
    met = check(solved(game), islice(all_pairs(solved(game)), 0, None, step))
    assert sum(met.values()) > part(150, 500)


@pytest.mark.parametrize("game", ["sum-to-zero", "sequence-zero"])
def test_no_false_cause_in_the_large_games(game: str) -> None:
    assert sum(check(solved(game), drawn_pairs(solved(game), part(60, 300))).values()) == part(60, 300)


@pytest.mark.parametrize("game", VARIANTS)
def test_no_false_cause_in_variants(game: str) -> None:
    assert sum(check(solved(game), drawn_pairs(solved(game), 60)).values()) > 3


def test_no_false_cause_in_random_variants() -> None:
    met = sum((check(solution, pairs) for solution, pairs in random_variants(part(150, 300), 12)), Counter[str]())
    assert sum(met.values()) >= part(150, 300)


def test_the_reader_finds_what_is_false() -> None:
    """The words of one move are not true of another, so that the checks above can fail."""
    solution = solved("sequence-zero")
    plain, wrong, met = Plain(solution), Counter[str](), Counter[str]()
    told: dict[str, str] = {}
    for position, move in drawn_pairs(solution, 250, seed=5):
        found = why(position, move, solution)
        answer = None if found.answer is None else position.text_of(found.answer)
        name, text = found.name, " ".join(words(found))
        other = told.get(f"{name} {answer is None}")
        if other is not None and other != text:
            met[name] += 1
            wrong[name] += bool(CauseReader(plain, position, move, answer).wrong(name, other))
        told[f"{name} {answer is None}"] = text
    assert all(wrong[name] > met[name] / 2 for name in ("ends", "leaves", "no-safe-reply", "forced")), (wrong, met)
    assert {"stuck", "settled", "guarding"} <= set(met)


def test_a_cause_is_claimed_only_where_it_holds() -> None:
    """A position with one cause, told as if it had another, is found out."""
    solution = solved("sum31")
    plain, found_out = Plain(solution), Counter[str]()
    generic = {
        "guarding": "From here it is enough never to pass 31 nor leave the number that makes it: "
        "they run out of safe moves first.",
        "next-no-safe-reply": "Whatever safe number they take, you can then leave them no safe number.",
        "stuck": "Every number left takes them past 31.",
        "settled": "However both play on, they pass 31.",
    }
    for position, move in all_pairs(solution):
        found = why(position, move, solution)
        if found.verdict is not Verdict.WIN or isinstance(found.cause, EndsMatch):
            continue
        for name, text in generic.items():
            if ORDER.index(name) < ORDER.index(found.name):
                assert CauseReader(plain, position, move, None).wrong(name, text), (str(position), move, name)
                found_out[name] += 1
    assert all(found_out[name] > 20 for name in generic), found_out


def test_the_first_of_the_catalogue_is_given() -> None:
    solution = solved("sequence-zero")
    plain = Plain(solution)
    earlier = {
        "stuck": plain.stuck,
        "settled": plain.settled,
        "no-safe-reply": plain.no_safe,
        "guarding": plain.guarded,
    }
    for position, move in drawn_pairs(solution, part(12, 100), seed=6):
        found = why(position, move, solution)
        if found.verdict is Verdict.WIN and not isinstance(found.cause, EndsMatch):
            after = position.play(move)
            at = ORDER.index(found.name)
            assert not any(holds(after) for name, holds in earlier.items() if ORDER.index(name) < at)
