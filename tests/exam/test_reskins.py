"""Reskins: the same game in other numbers, proved; and games that only look the same."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.each import each
from tests.players.test_odds import TINY, VARIANTS
from zerosum.base.errors import BadValueError, RulesError
from zerosum.exam.reskins import prove_skin, skin_between
from zerosum.players.odds import odds_from
from zerosum.rules.game_files import load_game
from zerosum.rules.model import Ban, Overshoot, Reaching, Rules
from zerosum.rules.position import Position, start_position
from zerosum.rules.skins import Skin
from zerosum.solver import solution_of, solve

SKINS = [Skin(1), Skin(3, -5), Skin(-1), Skin(-7, 100)]
SUM31 = load_game("sum31")


def reskinned(rules: Rules, skin: Skin) -> Rules:
    return skin.rules(rules, "skin", "Skin")


@each("skin", SKINS)
@each("name", VARIANTS)
def test_every_position_of_a_reskin_has_the_value_of_its_counterpart(name: str, skin: Skin) -> None:
    rules = VARIANTS[name]
    other = reskinned(rules, skin)
    proof = prove_skin(rules, other, skin)
    assert proof.proved, proof.difference
    assert proof.positions == solution_of(rules).count == solve(other).count
    one, two = solution_of(rules), solve(other)
    ahead = [(start_position(rules), start_position(other))]
    seen: set[object] = set()
    while ahead:
        here, there = ahead.pop()
        if here.outcome is not None or here.key in seen:
            assert (here.outcome is None) == (there.outcome is None)
            continue
        seen.add(here.key)
        assert one.value(here) == two.value(there)
        assert tuple(map(skin.total, here.totals)) == there.totals
        ahead += [(here.play(move), there.play(skin.move(move))) for move in here.legal_moves()]


def test_a_game_and_its_reskin_give_the_same_odds() -> None:
    skin = Skin(-7, 100)
    pairing = ("level:7", "level:4")
    ours = odds_from(start_position(SUM31), [pairing]).first_wins[pairing]
    assert odds_from(start_position(reskinned(SUM31, skin)), [pairing]).first_wins[pairing] == ours


def test_the_skin_between_two_games_is_found() -> None:
    for skin in SKINS:
        other = reskinned(SUM31, skin)
        assert skin_between(SUM31, other) == skin
        assert prove_skin(SUM31, other, skin_between(SUM31, other)).positions == 420
    with pytest.raises(RulesError, match="not the same numbers times one number"):
        skin_between(SUM31, replace(SUM31, pool=(1, 2, 3, 4, 5, 6, 7, 8, 10)))
    with pytest.raises(RulesError, match="not the same numbers"):
        skin_between(SUM31, replace(SUM31, pool=(1, 2, 3)))


WRONG = {
    "target": (
        SUM31,
        replace(SUM31, target=30),
        "one game goes on, the other is won by seat 2 (reached-target) after ",
    ),
    "overshoot": (
        SUM31,
        replace(SUM31, overshoot=Overshoot.PLAY_ON),
        "(overshot), the other goes on after",
    ),
    "reaching": (
        SUM31,
        replace(SUM31, reaching=Reaching.LOSES),
        "one game is won by seat 1 (reached-target), the other is won by seat 2 (reached-target)",
    ),
    "ban": (VARIANTS["ban"], replace(VARIANTS["ban"], ban=Ban.NONE), "different moves are legal after"),
    "swap": (VARIANTS["swap"], replace(VARIANTS["swap"], swap=False), "different moves are legal after"),
    "totals": (SUM31, VARIANTS["negated, own"], "different moves are legal at the start"),
}


@pytest.mark.parametrize("name", WRONG)
def test_another_game_is_refused_with_the_first_difference(name: str) -> None:
    one, two, said = WRONG[name]
    proof = prove_skin(one, two, Skin(1))
    assert not proof.proved
    assert proof.difference is not None
    assert said in proof.difference


def test_the_first_difference_is_where_the_line_leads() -> None:
    proof = prove_skin(SUM31, replace(SUM31, target=30), Skin(1))
    assert proof.difference is not None
    moves = proof.difference.partition(" after ")[2].split()
    position: Position = start_position(SUM31)
    for move in moves:
        position = position.play(move)
    assert position.totals == (30,)
    assert len(moves) == 4  # 9 + 8 + 7 + 6; no three numbers make 30


def test_what_cannot_be_walked_or_is_no_skin_is_refused() -> None:
    with pytest.raises(RulesError, match="no end of positions"):
        prove_skin(TINY, TINY, Skin(1))
    with pytest.raises(BadValueError, match="not 0"):
        Skin(0)
    with pytest.raises(RulesError, match="pool"):
        reskinned(SUM31, Skin(1_000_000))
