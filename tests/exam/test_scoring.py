"""What replies are worth, against plain second definitions."""

from __future__ import annotations

import json
from functools import cache
from itertools import product
from math import comb, isclose
from pathlib import Path
from statistics import NormalDist, fmean, pstdev

import pytest

from tests.each import each
from tests.exam.sets import answer, chosen, drawn
from zerosum.arena.entrants.model_endpoint import ModelReply
from zerosum.base.documents import to_json
from zerosum.base.statistics import at_least, gap_of, holm, share_interval, wilson
from zerosum.coach.review import review
from zerosum.coach.review_words import ReviewDocument
from zerosum.exam.items import Item, ItemsError, Source
from zerosum.exam.scoring import Grade, GradeKind, facts_of, grade, keeping_moves
from zerosum.exam.summary import summarize
from zerosum.match.match import Match, read_match
from zerosum.rules.position import Position
from zerosum.solver import solution_of

SET = drawn()


@cache
def wins(position: Position) -> bool:
    """Return whether whoever moves can win, by trying everything."""
    return any(won(position, move) for move in position.legal_moves())


def won(position: Position, move: object) -> bool:
    after = position.play(move)  # type: ignore[arg-type]
    return after.outcome.winner is position.seat if after.outcome is not None else not wins(after)


@each("item", [item for item in SET.items if item.game == "sum31"])
def test_a_reply_in_shown_numbers_is_judged_as_trying_everything_says(item: Item) -> None:
    shown = item.shown.position
    good = [move for move in shown.legal_moves() if won(shown, move)]
    facts = facts_of(item)
    assert facts.real == (0 < len(good) < len(shown.legal_moves()))
    if facts.real:
        assert facts.keeping == len(good) / len(shown.legal_moves())
        assert facts.only == (len(good) == 1)
        assert {*keeping_moves(item)} == {shown.text_of(move) for move in good}
    for move in shown.legal_moves():
        found = grade(item, f"MOVE: {shown.text_of(move)}")
        assert (found.kind, found.move) == (GradeKind.MOVE, shown.text_of(move))
        assert found.kept == (move in good or not good)
        assert found.regret == (0.0 if found.kept else 1.0)
    for number in (997, 0, -997):
        if shown.objection(type(shown.legal_moves()[0])(number)) is not None:
            assert grade(item, f"MOVE: {number:+}").kind is GradeKind.ILLEGAL


def test_what_is_no_legal_move_keeps_nothing_and_is_told_apart() -> None:
    item = next(item for item in SET.items if facts_of(item).real)
    replies = {
        "MOVE: +123456": GradeKind.ILLEGAL,
        "MOVE: +1 or +2": GradeKind.UNREADABLE,
        "I do not know.": GradeKind.UNREADABLE,
    }
    for reply, kind in replies.items():
        found = grade(item, reply)
        assert (found.kind, found.kept, found.decision) == (kind, False, None)
        assert found.regret == 1.0
    assert grade(item, ModelReply("I think", cut=True)).kind is GradeKind.TRUNCATED
    right = keeping_moves(item)[0]
    assert grade(item, ModelReply(f"MOVE: {right}", cut=True)).kind is GradeKind.TRUNCATED
    assert grade(item, ModelReply(f"MOVE: {right}\nThat w", cut=True)).kept
    assert grade(item, f"so {right} it is").kind is GradeKind.UNREADABLE
    assert grade(item, f"so {right} it is", lenient=True).kept


@pytest.mark.parametrize("item", SET.items[::7], ids=lambda item: item.id)
def test_no_clear_illegal_answer_becomes_legal(item: Item) -> None:
    """However many legal moves stand around it, in whatever form."""
    legal = [item.text_of(move) for move in item.position.legal_moves()]
    talk = "\n".join(f"MOVE: {move}\n\\boxed{{{move}}} {json.dumps({'move': move})}" for move in legal)
    for illegal in ("+77777", "swap", "+0"):
        for text in (f"{talk}\nMOVE: {illegal}", f"{talk}\nMOVE: {illegal}\n{json.dumps({'move': legal[0]})}"):
            for lenient in (False, True):
                found = grade(item, text, lenient=lenient)
                assert (found.kind, found.made, found.kept) == (GradeKind.ILLEGAL, None, False)


def graded(who: str) -> list[Grade]:
    return [grade(item, answer(item, who)) for item in SET.items]


def test_perfect_play_keeps_everything() -> None:
    found = summarize(SET.items, graded("perfect"))
    assert found.complete
    assert found.score.kept.rate == found.score.skill == found.score.first_try.rate == 1.0
    assert found.score.won_to_lost.rate == 0.0
    assert found.score.regret == found.score.plies_lost == 0.0
    assert found.gap is not None
    assert found.gap.difference == 0
    assert found.score.keeps.level == 10


def test_a_summary_is_what_its_words_say() -> None:
    grades = graded("level:3")
    found = summarize(SET.items, grades)
    by_id = {one.id: one for one in grades}
    real = [(item, by_id[item.id]) for item in SET.items if facts_of(item).real]
    kept = [one.kept for _, one in real]
    chance = sum(len(keeping_moves(item)) / len(item.position.legal_moves()) for item, _ in real) / len(real)
    share = sum(kept) / len(kept)
    assert found.score.kept.rate == share
    assert isclose(found.score.chance or 0, chance)
    assert isclose(found.score.skill or 0, (share - chance) / (1 - chance))
    for name, score_of_part in found.by_skin.items():
        own = [one.kept for item, one in real if (item.dress is None) == (name == "original")]
        assert score_of_part.kept.rate == sum(own) / len(own)
    only = [one.kept for item, one in real if len(keeping_moves(item)) == 1]
    assert sum(part.choices for part in found.score.only.values()) == len(only)
    assert sum(part.kept for part in found.score.only.values()) == sum(only)
    assert found.score.regret == sum(one.regret for one in grades)
    assert sum(game.score.items for game in found.games) == found.total
    assert [game.better_than_random for game in found.games] == holm([game.score.p_value for game in found.games])


def test_later_tries_count_and_the_first_is_told_apart() -> None:
    items = [item for item in SET.items if facts_of(item).real][:2]
    right = [grade(item, f"MOVE: {keeping_moves(item)[0]}") for item in items]
    wrong = grade(items[0], "MOVE: +123456")
    found = summarize(items, [wrong, right[0], right[1]])
    assert found.score.kept.rate == 1.0
    assert found.score.first_try.rate == 0.5
    with pytest.raises(ItemsError, match="twice"):
        summarize(items, [right[0], wrong])
    part = summarize(items, right[:1])
    assert not part.complete
    assert part.score.items == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", ["1-sum31", "2-sum31", "3-duel", "5-sequence-zero"])
def test_kept_equals_the_accuracy_of_a_review(name: str) -> None:
    root = Path(__file__).resolve().parents[2] / "docs" / "matches"
    match: Match = read_match((root / f"{name}.txt").read_text(encoding="utf-8"))
    document = to_json(ReviewDocument.of(review(match, solution_of(match.setup.rules))))
    for seat in (1, 2):
        plies = [ply for ply, position in enumerate(match.positions[: len(match.moves)]) if position.seat == seat]
        items = [
            Item(match.setup.rules.id, n, Source.GAME, match.setup.rules, match.moves[:ply], None)
            for n, ply in enumerate(plies)
        ]
        replies = [f"MOVE: {match.positions[ply].text_of(match.moves[ply])}" for ply in plies]
        found = summarize(items, [grade(*one) for one in zip(items, replies, strict=True)])
        assert found.score.kept.rate == document["accuracy"][str(seat)]


def test_the_paired_gap_is_that_of_bonett_and_price() -> None:
    """Their formula: one more pair on each side, then the interval of a difference of paired shares."""
    pairs = [(True, [True])] * 30 + [(True, [False])] * 12 + [(False, [True])] * 5 + [(False, [False])] * 13
    found = gap_of(pairs)
    assert found is not None
    b, c, n = 12, 5, 60
    one, two = (b + 1) / (n + 2), (c + 1) / (n + 2)
    error = ((one + two - (one - two) ** 2) / (n + 2)) ** 0.5
    assert (found.pairs, found.only_first, found.only_second) == (n, b, c)
    assert isclose(found.difference, (b - c) / n)
    assert isclose(found.low, one - two - 1.959963984540054 * error)
    assert isclose(found.high, one - two + 1.959963984540054 * error)
    assert isclose(found.p_value, 2 * NormalDist().cdf(-(one - two) / error))
    assert gap_of([]) is None
    assert gap_of([(True, [])]) is None


def test_of_several_reskins_the_mean_counts() -> None:
    pairs = [(True, [True, False]), (True, [False, False]), (False, [True, False]), (True, [True, True])]
    apart = [0.5, 1.0, -0.5, 0.0, 1.0, -1.0]
    found = gap_of(pairs)
    assert found is not None
    assert isclose(found.difference, sum(apart) / 4)
    assert isclose(found.middle, fmean(apart))
    assert isclose(found.error, pstdev(apart) / 6**0.5)


def test_no_interval_of_a_gap_contradicts_its_test_or_its_value() -> None:
    """Every table of up to 14 pairs: with and without Holm's adjustment."""
    for b, c, rest in product(range(8), range(8), (0, 1, 6)):
        found = gap_of([(True, [False])] * b + [(False, [True])] * c + [(True, [True])] * rest)
        if found is None:
            continue
        for adjusted in (found.p_value, min(1.0, 2 * found.p_value), min(1.0, 8 * found.p_value)):
            one = found.among(adjusted)
            assert (one.low > 0 or one.high < 0) == (adjusted < 0.05), (b, c, rest)
            assert one.low <= one.difference <= one.high


def test_the_test_of_a_gap_holds_its_level() -> None:
    """The exact chance of a false alarm, over all tables of n pairs with the same share kept alone on each side."""
    for n in (5, 12, 30):
        for alone in (0.05, 0.2, 0.3):
            wrong = 0.0
            for b in range(n + 1):
                for c in range(n + 1 - b):
                    found = gap_of([(True, [False])] * b + [(False, [True])] * c + [(True, [True])] * (n - b - c))
                    assert found is not None
                    if found.p_value < 0.05:
                        ways = comb(n, b) * comb(n - b, c)
                        wrong += ways * alone ** (b + c) * (1 - 2 * alone) ** (n - b - c)
            assert wrong <= 0.055, (n, alone, wrong)


def test_exact_tails_and_holm() -> None:
    chances = [0.1, 0.5, 0.25, 0.9]
    for least in range(6):
        plain = 0.0
        for taken in product((0, 1), repeat=4):
            weight = 1.0
            for chance, yes in zip(chances, taken, strict=True):
                weight *= chance if yes else 1 - chance
            plain += weight if sum(taken) >= least else 0
        assert isclose(at_least(least, chances), plain, abs_tol=1e-12)
    assert isclose(at_least(7, [0.5] * 10), sum(comb(10, n) for n in range(7, 11)) / 1024)
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


def test_reskins_of_a_position_are_one_observation() -> None:
    alone = share_interval([(1, 1)] * 60 + [(1, 0)] * 40, "s")
    assert alone == wilson(60, 100)
    together = share_interval([(4, 4)] * 60 + [(4, 0)] * 40, "s")
    assert abs(together.low - alone.low) < 0.02
    assert abs(together.high - alone.high) < 0.02
    assert share_interval([(4, 4)] * 20, "s") == wilson(20, 20)


def test_a_random_player_is_where_random_play_is() -> None:
    grades = [grade(item, f"MOVE: {item.text_of(chosen(item, 'random', 'r'))}") for item in SET.items]
    found = summarize(SET.items, grades).score
    assert found.interval.low <= (found.chance or 0) <= found.interval.high
    assert found.p_value > 0.01
