"""Best answers and exploitability, against a plain recursion and values that OpenSpiel has computed."""

from __future__ import annotations

import pytest

from tests.arena.strength.plain import best_response, every_play
from tests.each import each
from tests.players.test_odds import TINY, VARIANTS
from zerosum.arena.strength.best_response import Exploitability, exploitability, responder, seat_after
from zerosum.arena.strength.decisions import judge_of, practical_regret
from zerosum.arena.strength.named_policies import Policy, policy_of
from zerosum.arena.strength.policy_report import own_play, scores_of
from zerosum.players.levels import STRENGTHS
from zerosum.rules.game_files import load_game
from zerosum.rules.model import Overshoot, Rules, Seat
from zerosum.rules.notation import parse_position
from zerosum.rules.position import start_position
from zerosum.solver import SolverError, solution_of
from zerosum.strategy.card_player import card_of
from zerosum.strategy.card_report import against

FINITE = ("sum-to-zero", "sequence-zero", "zero-sum-duel", "sum31")
SMALL = Rules(id="v", name="v", pool=(1, 2, 3, 4, 5), target=11, overshoot=Overshoot.LOSES)

BY_OPENSPIEL = {"random": 0.994791666666667, "level:5": 0.936125000000000, "level:9": 0.0719553906250000}
"""Of Sum31, by OpenSpiel's `exploitability`; `tests/solver/peers` computes them in `make full`."""


@pytest.mark.parametrize("who", BY_OPENSPIEL)
def test_sum31_has_the_values_that_openspiel_computes(who: str) -> None:
    rules = load_game("sum31")
    assert exploitability(policy_of(who, rules).guest, rules).value == pytest.approx(BY_OPENSPIEL[who], abs=1e-15)


@each("name", VARIANTS)
@each("who", ["random", "level:2", "level:7", "card", "perfect"])
def test_any_variant_agrees_with_a_plain_recursion(name: str, who: str) -> None:
    rules = VARIANTS[name]
    if who == "card" and rules.swap:
        pytest.skip("a card is for a seat, so there is none where seats are swapped")
    policy = policy_of(who, rules).guest
    found = exploitability(policy, rules)
    assert found.as_first == pytest.approx(best_response(start_position(rules), policy.chances, Seat.FIRST), abs=1e-12)
    assert found.as_second == pytest.approx(
        best_response(start_position(rules), policy.chances, Seat.SECOND), abs=1e-12
    )


@pytest.mark.parametrize("game", FINITE)
def test_perfect_play_cannot_be_exploited(game: str) -> None:
    rules = load_game(game)
    assert exploitability(policy_of("perfect", rules).guest, rules).value == 0


@pytest.mark.parametrize("game", ["sum31", "zero-sum-duel"])
def test_nobody_beats_a_policy_more_often_than_its_best_response(game: str) -> None:
    rules = load_game(game)
    policy = policy_of("level:4", rules)
    best = exploitability(policy.guest, rules)
    for score in scores_of(policy, start_position(rules)).against:
        assert 1 - score.as_second <= best.as_first + 1e-12, score.who
        assert 1 - score.as_first <= best.as_second + 1e-12, score.who


def test_exploitability_is_the_mean_gain_of_both_seats() -> None:
    assert Exploitability(1.0, 0.25).value == ((2 * 1.0 - 1) + (2 * 0.25 - 1)) / 2


def test_sudden_death_has_no_best_response() -> None:
    with pytest.raises(SolverError, match="may go on for ever"):
        exploitability(policy_of("level:3", TINY).guest, TINY)
    with pytest.raises(SolverError, match="may go on for ever"):
        own_play(policy_of("level:3", TINY).guest, solution_of(TINY))


# Regret


def test_practical_regret_tells_moves_apart_where_all_of_them_lose() -> None:
    """From the start of Sum31 every move loses to perfect play, but not every move equally often to level 5."""
    sum31 = load_game("sum31")
    start = start_position(sum31)
    level = policy_of("level:5", sum31).guest
    respond = responder(level, sum31)
    regrets = {move: practical_regret(start, move, respond) for move in start.legal_moves()}
    plain = {
        move: best_response(start.play(move), level.chances, seat_after(move, start.seat))
        for move in start.legal_moves()
    }
    for move, regret in regrets.items():
        assert regret == pytest.approx(max(plain.values()) - plain[move], abs=1e-12)
    assert min(regrets.values()) == 0
    assert max(regrets.values()) > 0.01
    assert {judge_of(solution_of(sum31))(start, move).regret for move in regrets} == {0.0}


def test_practical_regret_of_a_swap_is_that_of_the_person() -> None:
    rules = VARIANTS["swap"]
    level = policy_of("level:2", rules).guest
    position = start_position(rules).play("+3")
    respond = responder(level, rules)
    swapped = next(move for move in position.legal_moves() if position.text_of(move) == "swap")
    chances = [
        best_response(position.play(move), level.chances, seat_after(move, Seat.SECOND))
        for move in position.legal_moves()
    ]
    assert practical_regret(position, swapped, respond) == pytest.approx(max(chances) - chances[-1], abs=1e-12)


@pytest.mark.parametrize("rules", [SMALL, VARIANTS["swap"], VARIANTS["ban"]], ids=["small", "swap", "ban"])
@pytest.mark.parametrize("who", ["random", "level:4", "level:8"])
def test_own_play_is_the_mean_over_every_match_with_itself(rules: Rules, who: str) -> None:
    solution = solution_of(rules)
    judge = judge_of(solution)
    policy = policy_of(who, rules).guest
    plays = every_play(solution.start, policy.chances)
    assert sum(mass for mass, _ in plays) == pytest.approx(1)
    judged = [(mass, [judge(*one) for one in played]) for mass, played in plays]
    found = own_play(policy, solution)
    assert found.decisions == pytest.approx(sum(mass * len(played) for mass, played in judged))
    assert found.choices == pytest.approx(sum(mass * sum(one.real for one in played) for mass, played in judged))
    kept = sum(mass * sum(one.real and one.kept for one in played) for mass, played in judged)
    assert found.kept == pytest.approx(kept)
    assert found.regret == pytest.approx(sum(mass * sum(one.regret for one in played) for mass, played in judged))
    assert found.share == pytest.approx(kept / found.choices)


def test_perfect_play_gives_nothing_away() -> None:
    found = own_play(policy_of("perfect", load_game("sum31")).guest, solution_of(load_game("sum31")))
    assert (found.regret, found.share) == (0.0, 1.0)


# Scores


def test_scores_of_a_card_are_those_that_the_card_shows() -> None:
    rules = load_game("sum31")
    found = scores_of(policy_of("card", rules), start_position(rules))
    assert found.against == against(*card_of(rules, solution_of))
    assert [score.who for score in found.against] == list(STRENGTHS)


def test_two_guests_score_one_against_the_other() -> None:
    """Both are known as levels too, so the scores must be those of the levels."""
    rules = load_game("sum31")
    start = parse_position("1,2,3,4,6,7,8,9 5 2", rules)
    levels = scores_of(policy_of("level:6", rules), start, ["level:2", "random"]).against
    renamed = {name: policy_of(name, rules).guest for name in ("level:6", "level:2")}
    six, two = (Policy(f"as {name}", guest) for name, guest in renamed.items())
    guests = scores_of(six, start, [two, "random"]).against
    for one, other in zip(levels, guests, strict=True):
        assert one.as_first == pytest.approx(other.as_first, abs=1e-13)
        assert one.as_second == pytest.approx(other.as_second, abs=1e-13)


def test_sudden_death_scores_have_their_error() -> None:
    found = scores_of(policy_of("level:5", TINY), start_position(TINY), ["random"])
    assert 0 < found.error <= 1e-9
    assert 0.5 < found.against[0].average < 1
