"""Every cause that is printed is read back and played out from the rules: none is false.

`make test` checks a part of the pairs, `make full` all of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import combinations

import pytest

from tests.clauses.replay import variant
from tests.coach.cause_pairs import all_pairs, check, drawn_pairs, is_small, plain_of, random_variants
from tests.coach.cause_reader import CauseReader
from tests.coach.positions import VARIANTS
from tests.full import FULL, part
from zerosum.coach.causes import why, words
from zerosum.rules.game_files import GAME_IDS, built_in
from zerosum.rules.model import Reaching, Rules
from zerosum.rules.moves import Move
from zerosum.rules.outcome import Reason
from zerosum.rules.position import Position
from zerosum.solver import Solution, Verdict, solution_of
from zerosum.strategy.answer_tables import AnswerTable
from zerosum.strategy.claim_words import TELLERS, LostPosition, followed, settled_words
from zerosum.strategy.claims import NAMES, EndsMatch, Settled
from zerosum.strategy.phrases import deed, literal

pytestmark = pytest.mark.slow

ORDER = NAMES


@cache
def solved(game: str) -> Solution:
    return solution_of(built_in(game) if game in GAME_IDS else VARIANTS[game])


@pytest.mark.parametrize("game", GAME_IDS)
def test_no_false_cause_in_the_games(game: str) -> None:
    """In full all pairs of a game with at most 10,000 positions, and 20,000 of any other."""
    solution = solved(game)
    pairs = all_pairs(solution) if FULL and is_small(solution) else drawn_pairs(solution, part(100, 20_000))
    assert sum(check(solution, pairs).values()) >= part(100, 2_000)


@pytest.mark.parametrize("game", VARIANTS)
def test_no_false_cause_in_variants(game: str) -> None:
    assert sum(check(solved(game), drawn_pairs(solved(game), 60)).values()) > 3


def test_no_false_cause_in_random_variants() -> None:
    met = sum((check(solution, pairs) for solution, pairs in random_variants(part(15, 500), 12)), Counter[str]())
    assert sum(met.values()) >= part(120, 4_000)


def no_reaching(rules: Rules) -> bool:
    return literal(replace(rules, reaching=Reaching.WINS))


def far_for_near(position: Position, move: Move, bend: Callable[[str], str]) -> str:
    other = {"closer to": "farther from", "farther from": "closer to"}
    return re.sub("closer to|farther from", lambda found: other[found[0]], deed(position, move, bend))


def no_ties(cause: Settled, scene: LostPosition) -> str:
    return settled_words(Settled(tuple(one for one in cause.reasons if one is not Reason.TIE_RULE)), scene)


def next_number(table: AnswerTable, scene: LostPosition) -> str:
    others = [move for move in scene.lost.legal_moves() if move != table.usual]
    return followed(table._replace(usual=others[0]) if others else table, scene)


FAULTS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "reaching is dropped": lambda patch: patch.setattr("zerosum.strategy.claim_words.literal", no_reaching),
    "nearest and furthest are exchanged": lambda patch: patch.setattr("zerosum.coach.causes.deed", far_for_near),
    "ties are ignored": lambda patch: patch.setitem(TELLERS, Settled, no_ties),
    "the wrong number is named": lambda patch: patch.setattr("zerosum.strategy.claim_words.followed", next_number),
}
STRAW = variant("sum31", target=36, reaching="loses", pool=[1, 2, 3, 4, 5, 6, 7, 8, 9, 10])


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    FAULTS[fault](monkeypatch)
    games = (solution_of(rules) for rules in (STRAW, *VARIANTS.values()))
    with pytest.raises(AssertionError):
        any(check(solution, drawn_pairs(solution, 200)) is None for solution in games)


def test_the_reader_finds_what_is_false() -> None:
    """The words of one move are not true of another, so that the checks above can fail."""
    solution = solved("sequence-zero")
    plain, wrong, met = plain_of(solution), Counter[str](), Counter[str]()
    told: dict[str, str] = {}
    for position, move in drawn_pairs(solution, 250, seed=5):
        found = why(position, move, solution)
        answer = None if found.answer is None else position.text_of(found.answer)
        name, text = found.name, " ".join(words(found))
        other = told.get(f"{name} {answer is None}")
        if other is not None and other != text:
            met[name] += 1
            wrong[name] += bool(CauseReader(plain, position, move).wrong(name, other))
        told[f"{name} {answer is None}"] = text
    assert all(wrong[name] > met[name] / 2 for name in ("ends", "leaves", "no-safe-reply", "forced")), (wrong, met)
    assert {"stuck", "settled", "guarding"} <= set(met)


def test_a_cause_is_claimed_only_where_it_holds() -> None:
    """A position with one cause, told as if it had another, is found out."""
    solution = solved("sum31")
    plain, found_out = plain_of(solution), Counter[str]()
    generic = {
        "guarding": "From here it is enough never to pass 31 nor leave the number that makes it: "
        "they run out of safe moves first.",
        "next-no-safe-reply": "Whatever safe number they take, you can then leave them no safe number.",
        "stuck": "Every number left takes them past 31.",
        "settled": "However both play on, they pass 31.",
    }
    for position, move in all_pairs(solution):
        found = why(position, move, solution)
        if found.verdict is not Verdict.WIN or isinstance(found.claim, EndsMatch):
            continue
        for name, text in generic.items():
            if ORDER.index(name) < ORDER.index(found.name):
                assert CauseReader(plain, position, move).wrong(name, text), (str(position), move, name)
                found_out[name] += 1
    assert all(found_out[name] > 20 for name in generic), found_out


def test_the_first_of_the_catalogue_is_given() -> None:
    solution = solved("sequence-zero")
    plain = plain_of(solution)
    earlier = {
        "stuck": plain.stuck,
        "settled": plain.settled,
        "no-safe-reply": plain.no_safe,
        "guarding": plain.guarded,
    }
    for position, move in drawn_pairs(solution, part(4, 100), seed=6):
        found = why(position, move, solution)
        if found.verdict is Verdict.WIN and not isinstance(found.claim, EndsMatch):
            after = position.play(move)
            at = ORDER.index(found.name)
            assert not any(holds(after) for name, holds in earlier.items() if ORDER.index(name) < at)


def test_more_answers_are_named_only_where_no_two_meet_every_reply() -> None:
    solution = solved("sum31")
    plain, met = plain_of(solution), 0
    for position, move in all_pairs(solution):
        found = why(position, move, solution)
        if found.name == "replies":
            going_on = [after for _, after in plain.replies(found.lost) if after.outcome is None]
            answers = [set(plain.keeps(after)) for after in going_on if not plain.can_win_now(after)]
            two = combinations(set.union(*answers), 2)
            assert not any(all(good & set(pair) for good in answers) for pair in two)
            met += 1
    assert met > 10


def test_sixteen_openings_of_sequence_zero_need_three_answers() -> None:
    solution = solved("sequence-zero")
    names = Counter(why(solution.start, move, solution).name for move in solution.start.legal_moves())
    assert names == {"answers": 2, "replies": 6, "next-forced": 10}
