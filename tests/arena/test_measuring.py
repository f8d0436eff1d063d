"""`zerosum.measure`: every kind of player against OpenSpiel and a plain recursion, lines replayed, bad answers."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from math import isclose, log
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms.exploitability import nash_conv
from open_spiel.python.policy import Policy

import zerosum
from tests.arena import stand_ins
from tests.arena.entrants.processes import gone
from tests.arena.runs import bot
from tests.arena.strength.plain import best_response, likeliest_loss
from tests.each import each
from tests.players.test_odds import AWAY, ODD, TINY, VARIANTS
from zerosum.arena.strength.named_policies import document_of, policy_of
from zerosum.arena.strength.policy_report import own_play, scores_of
from zerosum.base.documents import to_json
from zerosum.envs.openspiel import name_of
from zerosum.players import policies
from zerosum.rules.model import Overshoot, Rules, Seat
from zerosum.rules.moves import SWAP
from zerosum.rules.position import Position, start_position
from zerosum.solver import SolverError, Verdict, solution_of

SMALL = Rules(id="small", name="Small", pool=(1, 2, 3, 4), target=7, overshoot=Overshoot.LOSES)
NEAR = 1e-9
Chances = Callable[[Position], Sequence[float]]


def mixed(seed: str, *, sharp: bool = False) -> Chances:
    """Return a policy that is like no level: for each position some chances; `sharp` makes one move of each."""

    def chances(position: Position) -> list[float]:
        dice = Random(f"{seed} {position.key}")
        weights = [dice.random() for _ in position.legal_moves()]
        if sharp:
            return [float(weight == max(weights)) for weight in weights]
        # Some moves are never made, so that some positions are never met.
        kept = [weight if weight > 0.3 or weight == max(weights) else 0.0 for weight in weights]
        return [weight / sum(kept) for weight in kept]

    return chances


def rows_of(table: zerosum.GameTable, chances: Chances) -> Any:
    found = np.zeros((table.size, table.actions))
    for state in range(table.size):
        position = table.position(state)
        actions = [table.rules.index_of(move) for move in position.legal_moves()]
        found[state, actions] = chances(position)
    return found


class OfOpenSpiel(Policy):  # type: ignore[misc]  # it has no types
    """A policy as OpenSpiel has them."""

    def __init__(self, game: Any, chances: Chances) -> None:
        super().__init__(game, [0, 1])
        self._chances = chances

    def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:  # noqa: ARG002
        return dict(zip(state.legal_actions(), self._chances(state.position), strict=True))


def kinds(rules: Rules, chances: Chances) -> dict[str, tuple[Any, bool]]:
    """Return one policy as every kind of player, each with whether it is greedy."""
    table = zerosum.game_table(rules)
    rows = rows_of(table, chances)
    with np.errstate(divide="ignore"):
        scores = np.log(rows) + 7
    scores[~table.mask] = 50.0  # what a network says of illegal actions is left out
    unmasked = rows + np.where(table.mask, 0.0, 0.25)
    game = pyspiel.load_game(name_of(rules))

    def by_move(position: Position) -> Any:
        return dict(zip(position.legal_moves(), chances(position), strict=True))

    def by_text(position: Position) -> Any:
        return {position.text_of(move): share for move, share in by_move(position).items() if share}

    return {
        "function": (by_move, False),
        "function, text": (by_text, False),
        "array": (rows, False),
        "array, 32 bits": (rows.astype(np.float32), False),
        "torch": (stand_ins.Module(table, scores), False),
        "model": (stand_ins.model(stand_ins.ChancesPolicy(table, unmasked, both=False), table, both=False), False),
        "masked model": (stand_ins.model(stand_ins.MaskedPolicy(table, unmasked, both=True), table, both=True), False),
        "openspiel": (OfOpenSpiel(game, chances), False),
    }


@pytest.fixture(autouse=True)
def torch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let what looks like PyTorch be loaded."""
    monkeypatch.setitem(sys.modules, "torch", stand_ins.TORCH)


def test_every_kind_of_player_has_openspiels_exploitability() -> None:
    chances = mixed("15")
    game = pyspiel.load_game(name_of(SMALL))
    expected = nash_conv(game, OfOpenSpiel(game, chances)) / 2
    assert 0.2 < expected < 0.9
    for kind, (player, greedy) in kinds(SMALL, chances).items():
        found = zerosum.measure(player, SMALL, greedy=greedy)
        near = 1e-6 if "32" in kind else NEAR
        assert found.exploitability == pytest.approx(expected, abs=near), kind


@each("name", VARIANTS)
def test_every_kind_of_player_agrees_with_a_plain_recursion(name: str) -> None:
    rules = VARIANTS[name]
    chances = mixed(name)
    start = start_position(rules)
    expected = [best_response(start, chances, seat) for seat in Seat]
    for kind, (player, greedy) in kinds(rules, chances).items():
        found = zerosum.measure(player, rules, greedy=greedy)
        assert found.best_response is not None
        both = [found.best_response.as_first, found.best_response.as_second]
        assert both == pytest.approx(expected, abs=1e-6 if "32" in kind else NEAR), kind


@each("name", VARIANTS)
def test_one_move_in_each_position_is_a_player_too(name: str) -> None:
    rules = VARIANTS[name]
    chances = mixed(name, sharp=True)
    table = zerosum.game_table(rules)
    rows = rows_of(table, chances)
    values = stand_ins.ValuesPolicy(table, np.where(table.mask, rows, 9.0), both=False)

    def move(position: Position) -> Any:
        return position.legal_moves()[list(chances(position)).index(1.0)]

    players: dict[str, Any] = {
        "move": (move, False),
        "text": (lambda position: position.text_of(move(position)), False),
        "several": (lambda position: [move(position)], False),
        "actions": (rows.argmax(axis=1), False),
        "values": (np.where(table.mask, rows - 0.5, 9.0), True),
        "torch": (stand_ins.Module(table, np.where(table.mask, rows, 9.0)), True),
        "dqn": (stand_ins.model(values, table, both=False), False),
    }
    start = start_position(rules)
    expected = [best_response(start, chances, seat) for seat in Seat]
    for kind, (player, greedy) in players.items():
        found = zerosum.measure(player, rules, greedy=greedy).best_response
        assert found is not None
        assert [found.as_first, found.as_second] == pytest.approx(expected, abs=NEAR), kind


def test_names_have_the_figures_that_are_known_of_them() -> None:
    known = {"random": 0.994791666666667, "level:5": 0.936125, "level:9": 0.071955390625, "perfect": 0.0, "card": 0.0}
    for who, value in known.items():
        found = zerosum.measure(who, "sum31")
        assert found.exploitability == pytest.approx(value, abs=1e-12)
        rules = zerosum.load_game("sum31")
        plain = scores_of(policy_of(who, rules), start_position(rules)).against
        for mine, its in zip(found.scores, plain, strict=True):
            assert mine.who == its.who
            both = (mine.as_first, mine.as_second)
            assert both == pytest.approx((its.as_first, its.as_second), abs=1e-12)
        alone = own_play(policy_of(who, rules).guest, solution_of(rules))
        assert to_json(found)["own_play"] == pytest.approx(to_json(alone), abs=1e-12)


def test_a_registered_player_and_a_policy_file(tmp_path: Path) -> None:
    def largest(position: Position) -> Any:
        return position.legal_moves()[-1]

    file = tmp_path / "largest.json"
    document = document_of(largest, SMALL)
    file.write_text(json.dumps(document))
    zerosum.register("largest", largest)
    try:
        found = [zerosum.measure(player, SMALL) for player in (largest, "largest", f"policy:{file}")]
    finally:
        zerosum.PLAYERS.remove("largest")
    assert [one.player for one in found] == ["largest", "largest", f"policy:{file}"]
    assert len({one.exploitability for one in found}) == 1
    assert len({str(one.line) for one in found}) == 1


def test_a_bot_is_started_and_ended(tmp_path: Path) -> None:
    command = f"bot:{sys.executable} -m zerosum bot levels level:3"
    found, known = zerosum.measure(command, SMALL), zerosum.measure("level:3", SMALL)
    assert found.exploitability == pytest.approx(known.exploitability, abs=NEAR)
    silent = bot(tmp_path, "Silent")
    with pytest.raises(zerosum.ZerosumError, match="Silent does not tell the chance of each move"):
        zerosum.measure(silent, SMALL)
    # Asked for one move in each position, it is measured after all: it takes the middle number.
    first = zerosum.measure(lambda position: position.legal_moves()[len(position.pool) // 2], SMALL)
    moves = zerosum.measure(silent, SMALL, greedy=True)
    assert (moves.player, moves.scores, moves.line) == ("Silent", first.scores, first.line)
    assert gone(str(tmp_path / "Silent.py"))


def test_a_policy_in_c_plus_plus_takes_openspiels_game() -> None:
    game = pyspiel.load_game(name_of(SMALL))
    found = zerosum.measure(pyspiel.UniformRandomPolicy(game), game)
    assert found.exploitability == pytest.approx(zerosum.measure("random", SMALL).exploitability, abs=NEAR)
    other = pyspiel.load_game(name_of("sum31"))
    with pytest.raises(zerosum.BadValueError, match="not for Small"):
        zerosum.measure(OfOpenSpiel(other, mixed("")), SMALL)


def test_a_model_is_asked_in_batches_and_left_as_it_was() -> None:
    table = zerosum.game_table("sum31")
    module = stand_ins.Module(table, np.zeros((table.size, table.actions)))
    assert zerosum.measure(module, "sum31").exploitability == pytest.approx(0.994791666666667)
    assert (module.calls, module.training, module.modes) == (1, True, {False})


# The line that beats a player


@each("name", VARIANTS)
@each("seed", range(6))
def test_the_line_is_a_match_that_the_player_should_have_won(name: str, seed: int) -> None:
    rules = VARIANTS[name]
    chances = mixed(str(seed), sharp=seed % 2 == 1)
    player = {False: "mixed", True: "sharp"}[seed % 2 == 1]
    found = zerosum.measure(lambda one: dict(zip(one.legal_moves(), chances(one), strict=True)), rules, name=player)
    start, solution = start_position(rules), solution_of(rules)
    winner = Seat.FIRST if solution.value(start).verdict is Verdict.WIN else Seat.SECOND
    expected = likeliest_loss(start, chances, winner.other)
    if found.line is None:
        assert found.exploitability == pytest.approx(0, abs=NEAR)
        assert expected == 0
        return
    line, seat, chance, errors = found.line, found.line.seat, 1.0, []
    assert seat is winner
    position = start
    for n, move in enumerate(line.moves, 1):
        if position.seat is seat:
            chance *= chances(position)[position.legal_moves().index(move)]
            best, made = solution.value(position).verdict, {o.move: o.value.verdict for o in solution.options(position)}
            errors += [n] if best is Verdict.WIN and made[move] is not Verdict.WIN else []
        seat = seat.other if move == SWAP else seat
        position = position.play(move)
    assert position == line.positions()[-1]
    assert position.outcome is not None
    assert position.outcome.winner is seat.other
    assert list(line.errors) == errors
    assert [line.chance] * 2 == pytest.approx([chance, expected], abs=NEAR)
    assert str(line).count("?") == len(errors) >= 1


def test_the_best_response_wins_as_often_as_the_line_says_at_least() -> None:
    found = zerosum.measure("level:6", "zero-sum-duel")
    assert found.line is not None
    assert found.exploitability is not None
    assert 0 < found.line.chance <= found.exploitability


# Regret by position


@each("name", VARIANTS)
def test_regret_is_the_chance_to_give_a_win_away(name: str) -> None:
    rules = VARIANTS[name]
    chances, solution = mixed(name), solution_of(rules)
    found = zerosum.measure(lambda one: dict(zip(one.legal_moves(), chances(one), strict=True)), rules)
    expected: dict[str, float] = {}
    for position in solution.positions():
        try:
            shares = found.chances(position)
        except zerosum.IllegalPositionError:
            assert found.regret(position) == 0
            continue
        own = dict(zip(position.legal_moves(), chances(position), strict=True))
        assert shares == pytest.approx({move: share for move, share in own.items() if share})
        winning = solution.winning_moves(position)
        regret = sum(share for move, share in own.items() if move not in winning) if winning else 0.0
        assert found.regret(position) == pytest.approx(regret, abs=NEAR)
        if regret > 1e-12:
            expected[str(position)] = regret
    mistakes = found.mistakes()
    assert {str(one.position): pytest.approx(one.regret) for one in mistakes} == expected
    costs = [one.cost for one in mistakes]
    assert costs == sorted(costs, reverse=True)
    assert found.own_play is not None
    assert sum(costs) == pytest.approx(found.own_play.regret, abs=NEAR)
    assert [one.position for one in found.mistakes(2)] == [one.position for one in mistakes[:2]]


# Bad answers


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("+9", "not available"),
        ("nonsense", "is not a whole number"),
        (None, "A player answers with a move"),
        (3, "not with 3"),
        ({"+1": 0.5}, "sum to 0.5"),
        ({"+1": -1, "+3": 2}, "from 0 to 1, not -1"),
        ({"+1": float("nan")}, "from 0 to 1, not nan"),
        ({"+1": "much"}, "not 'much'"),
    ],
)
def test_a_bad_answer_names_the_position(answer: Any, why: str) -> None:
    with pytest.raises(zerosum.BadAnswerError, match=why) as caught:
        zerosum.measure(lambda position: answer if 2 not in position.pool else position.legal_moves()[0], SMALL)
    assert f"At '{caught.value.position}' the player" in str(caught.value)
    assert 2 not in caught.value.position.pool


def test_what_a_player_raises_says_where() -> None:
    def fails(position: Position) -> Any:
        raise KeyError(str(position))

    with pytest.raises(KeyError) as caught:
        zerosum.measure(fails, SMALL)
    assert caught.value.__notes__ == ["The player was asked about '1,2,3,4 0 1'."]


def test_a_bad_row_counts_only_where_it_is_met() -> None:
    table = zerosum.game_table(SMALL)
    actions = np.array([table.rules.index_of(table.position(state).legal_moves()[0]) for state in range(table.size)])
    good = zerosum.measure(actions, SMALL)
    met = [state for state in range(table.size) if _is_met(good, table.position(state))]
    unmet = sorted(set(range(table.size)) - set(met))
    assert unmet
    bad = actions.copy()
    bad[unmet] = -1
    assert zerosum.measure(bad, SMALL).scores == good.scores
    bad[met[3]] = 99
    with pytest.raises(zerosum.BadAnswerError, match="there is no such action; the legal ones are") as caught:
        zerosum.measure(bad, SMALL)
    assert caught.value.position == table.position(met[3])
    rows = np.where(table.mask, 1.0, 0.0) / table.mask.sum(axis=1, keepdims=True)
    rows[0, 0] = np.nan
    with pytest.raises(zerosum.BadAnswerError, match="row 0 is not chances that sum to 1"):
        zerosum.measure(rows, SMALL)
    with pytest.raises(zerosum.BadAnswerError, match="the player gave a bad answer"):
        zerosum.measure(rows, SMALL, greedy=True)
    with pytest.raises(zerosum.BadAnswerError, match="action 3 is not legal"):
        zerosum.measure(np.full(table.size, 3), SMALL)


def _is_met(found: zerosum.Measured, position: Position) -> bool:
    try:
        return bool(found.chances(position))
    except zerosum.IllegalPositionError:
        return False


def test_what_is_no_player_is_refused() -> None:
    table = zerosum.game_table(SMALL)
    for player, why in [
        (3, "A player is a name"),
        ("level:10", "There is no policy"),
        (np.zeros((2, 2)), "this one has the shape"),
        (np.zeros(table.size), "this one has the shape"),
        (stand_ins.Module(table, np.zeros((table.size, 2))), "a score for each of 4 actions"),
        (_model(table, stand_ins.RecurrentPolicy, 4), "remembers earlier positions"),
        (_model(table, stand_ins.ChancesPolicy, 5), "The model has 5 actions; Small has 4"),
    ]:
        with pytest.raises(zerosum.ZerosumError, match=why):
            zerosum.measure(player, SMALL)
    with pytest.raises(zerosum.UnknownGameError):
        zerosum.measure("random", "sum32")


def _model(table: zerosum.GameTable, kind: Any, actions: int) -> Any:
    found = stand_ins.model(kind(table, np.zeros((table.size, 4)), both=False), table, both=False)
    found.action_space.n = actions
    return found


def homing(position: Position) -> Any:
    """Come as close to the target as one move can."""
    own, target = position.totals[position.seat - 1], position.rules.target
    return min(position.legal_moves(), key=lambda move: (abs(own + move.number - target), move.number))


def largest(position: Position) -> Any:
    return position.legal_moves()[-1]


def shy(position: Position) -> Any:
    """Make the first move, or two moves with chances: what differs goes by the differences alone."""
    moves = position.legal_moves()
    one, two = position.totals
    return {moves[0]: 0.25, moves[-1]: 0.75} if len(moves) > 1 and (one - two) % 2 else moves[0]


def decided(rules: Rules, players: Sequence[Any], rounds: int) -> tuple[float, float]:
    """Return how often seat 1 and seat 2 have won after some rounds, by playing every match at once."""
    here = {start_position(rules).key: (start_position(rules), 1.0)}
    won = {Seat.FIRST: 0.0, Seat.SECOND: 0.0}
    for _ in range(rounds * len(rules.pool)):
        following: dict[Any, tuple[Position, float]] = {}
        for position, mass in here.values():
            moves = position.legal_moves()
            said = players[position.seat - 1](position)
            for move, share in said.items() if isinstance(said, dict) else [(said, 1.0)]:
                assert move in moves
                after = position.play(move)
                if after.outcome is not None:
                    won[after.outcome.winner] += mass * share
                else:
                    following[after.key] = after, following.get(after.key, (after, 0.0))[1] + mass * share
        here = following
    return won[Seat.FIRST], won[Seat.SECOND]


@each("name", ["tiny", "odd", "away"])
def test_any_function_is_measured_in_sudden_death_if_it_repeats_far_out(name: str) -> None:
    rules = {"tiny": TINY, "odd": ODD, "away": AWAY}[name]
    moves = zerosum.solve(rules)

    def perfect(position: Position) -> Any:
        return moves.best(position)

    for player in (homing, largest, shy):
        found = zerosum.measure(player, rules)
        score = found.against("random")

        def at_random(position: Position) -> Any:
            return dict.fromkeys(position.legal_moves(), 1 / len(position.legal_moves()))

        one, two = decided(rules, (player, at_random), 60)
        assert one - NEAR <= score.as_first <= 1 - two + NEAR, player
        one, two = decided(rules, (at_random, player), 60)
        assert two - NEAR <= score.as_second <= 1 - one + NEAR, player
        assert found.exploitability is None
        for mistake in found.mistakes():
            assert moves.value(mistake.position).verdict is Verdict.WIN
            winning = [one.move for one in moves.options(mistake.position) if one.value.verdict is Verdict.WIN]
            assert {*mistake.winning} == {*winning}
        _replay_before_refill(found, player, moves.start)
    plain = zerosum.measure("perfect", rules)
    mine = zerosum.measure(perfect, rules)
    assert mine.line is plain.line is None


def _replay_before_refill(found: zerosum.Measured, player: Any, start: Position) -> None:
    if found.line is None:
        return
    position, chance = start, 1.0
    for move in found.line.moves:
        if position.seat is found.line.seat:
            said = player(position)
            chance *= said[move] if isinstance(said, dict) else float(said == move)
        position = position.play(move)
    assert position.outcome is not None
    assert position.outcome.winner is found.line.seat.other
    assert chance == pytest.approx(found.line.chance)
    assert len(found.line.moves) <= len(start.pool)
    assert found.report.at_least >= found.line.chance - NEAR


def test_a_function_is_measured_as_the_built_in_player_it_copies() -> None:
    solution = zerosum.solve(TINY)

    def random(position: Position) -> Any:
        return policies.chances("level:4", position, solution)

    mine, plain = zerosum.measure(random, TINY), zerosum.measure("level:4", TINY)
    for a, b in zip(mine.scores, plain.scores, strict=True):
        assert (a.as_first, a.as_second) == pytest.approx((b.as_first, b.as_second), abs=3e-9)
    assert (mine.player, mine.line, mine.report.at_least) == ("random", plain.line, plain.report.at_least)
    assert "at least" in mine._repr_html_()


def test_what_cannot_be_exact_in_sudden_death_is_refused_by_name() -> None:
    def restless(position: Position) -> Any:
        return position.legal_moves()[abs(position.totals[0]) % len(position.legal_moves())]

    with pytest.raises(SolverError, match=r"this one does not, at '.*' and at '.*'\."):
        zerosum.measure(restless, TINY)
    with pytest.raises(SolverError, match="no array, module, model"):
        zerosum.measure(np.zeros(4), TINY)
    with pytest.raises(zerosum.BadAnswerError, match="not allowed"):
        zerosum.measure(lambda _: "+99", TINY)
    found = zerosum.measure("level:3", TINY)
    refilled = start_position(TINY)
    while len(refilled.pool) != len(TINY.pool) or refilled.totals == TINY.start:
        refilled = next(after for after in map(refilled.play, refilled.legal_moves()) if after.outcome is None)
    with pytest.raises(zerosum.IllegalPositionError, match="that was measured"):
        found.regret(refilled)


def test_it_is_a_frozen_value_and_a_document() -> None:
    found = zerosum.measure("level:5", "sum31")
    with pytest.raises(AttributeError):
        found.line = None  # type: ignore[misc]
    document = to_json(found)
    assert document["line"]["texts"] == ["+4", "+7", "+9", "+1", "+5", "+2", "+3"]
    assert isclose(document["exploitability"], 0.936125)
    assert log(found.line.chance if found.line else 0) < 0
    with pytest.raises(zerosum.BadValueError, match="Did you mean"):
        found.against("level5")
