"""Each method names the rules it supports; all other rules are solved by playing, never wrongly in silence."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import get_args, get_type_hints

import pytest

from zerosum.rules import position as positions
from zerosum.rules.game_files import GAME_IDS, load_game
from zerosum.rules.model import Ban, InvalidMove, Rules, Seat, Tie
from zerosum.rules.moves import Operation
from zerosum.rules.outcome import Outcome, Reason, judge
from zerosum.rules.position import Position, start_position
from zerosum.solver import SOLVERS, SolverError, TooLargeError, Value, Verdict, solve
from zerosum.solver.choose_method import quickest_plan
from zerosum.solver.supports import SUPPORTED, Method, any_method_supports, supports, without_swap

SUM31 = load_game("sum31")
SMALL = replace(SUM31, pool=(1, 2, 3, 4, 5), target=9)
KEYS = [field.name for field in fields(Rules) if field.init]
FREE = {"id", "name", "pool", "target", "start"}
"""The keys any value of which is supported."""


class Later(StrEnum):
    """Values that no key has yet."""

    VALUE = "later"


@dataclass(frozen=True, slots=True, kw_only=True)
class LongerRules(Rules):
    """Rules with one more key: a total that loses whoever lands on it."""

    poison: int | None = None


class TestEveryKeyIsNamed:
    """A key or a value that is added to the rules fails here until a method names it, and is played until then."""

    @pytest.mark.parametrize("method", SUPPORTED)
    def test_a_method_names_the_keys_of_the_rules_and_no_others(self, method: Method) -> None:
        for shape in SUPPORTED[method]:
            assert set(shape) == set(KEYS)

    @pytest.mark.parametrize("key", [key for key in KEYS if key not in FREE])
    def test_every_value_is_handled_by_some_way(self, key: str) -> None:
        named = [shape[key] for shapes in SUPPORTED.values() for shape in shapes]
        if key == "swap":
            assert all(any_method_supports(without_swap(replace(SUM31, swap=value))) for value in (False, True))
        elif key == "operations":
            for operations in ((Operation.ADD,), (Operation.ADD, Operation.SUBTRACT)):
                assert any(operations in values for values in named)
        else:
            assert members(key)
            for member in members(key):
                assert any(member in values for values in named), member

    @pytest.mark.parametrize("key", [key for key in KEYS if key not in FREE])
    def test_no_way_names_a_value_that_does_not_exist_yet(self, key: str) -> None:
        assert not any(Later.VALUE in shape[key] for shapes in SUPPORTED.values() for shape in shapes)

    def test_every_way_can_be_taken(self) -> None:
        assert {*SUPPORTED, Method.PLAYING} == set(SOLVERS) == set(Method)

    @pytest.mark.parametrize("game", GAME_IDS)
    def test_the_five_games_need_no_playing(self, game: str) -> None:
        assert quickest_plan(load_game(game)).method is not Method.PLAYING


def members(key: str) -> list[StrEnum]:
    """Return all values of a key whose values are named."""
    kind = get_type_hints(Rules)[key]
    kinds = [one for one in (kind, *get_args(kind)) if isinstance(one, type) and issubclass(one, StrEnum)]
    return [member for one in kinds for member in one]


class TestWhatIsNotNamedIsPlayed:
    @pytest.mark.parametrize("key", [key for key in KEYS if key not in FREE])
    def test_a_new_value(self, key: str) -> None:
        rules = replace(SUM31)
        object.__setattr__(rules, key, Later.VALUE)
        assert not any(supports(method, rules) for method in SUPPORTED)
        assert not any_method_supports(rules)
        assert without_swap(rules) is rules
        assert quickest_plan(rules).method is Method.PLAYING

    def test_a_new_key_even_at_its_default(self) -> None:
        """Whether the default leaves the game as it was is for its author to say, in the declarations."""
        for game in GAME_IDS:
            rules = LongerRules(**{key: getattr(load_game(game), key) for key in KEYS})
            assert not any(supports(method, rules) for method in SUPPORTED)
            assert quickest_plan(rules).method is Method.PLAYING

    def test_a_key_that_is_taken_away_from_a_declaration(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for key in KEYS:
            lacking = {
                method: tuple({k: v for k, v in one.items() if k != key} for one in SUPPORTED[method])
                for method in SUPPORTED
            }
            with monkeypatch.context() as patch:
                patch.setattr("zerosum.solver.supports.SUPPORTED", lacking)
                assert quickest_plan(SUM31).method is Method.PLAYING, key


def poisoned(rules: Rules, pool: tuple[int, ...], totals: tuple[int, ...], mover: Seat) -> Outcome | None:
    """Judge by the rules and by their new key."""
    if isinstance(rules, LongerRules) and rules.poison in totals:
        return Outcome(mover.other, Reason.REACHED_TARGET)
    return judge(rules, pool, totals, mover)


def searched(position: Position) -> Value:
    """Return the value of a position by the plainest search there is."""
    values = []
    for move in position.legal_moves():
        after = position.play(move)
        if after.outcome is None:
            values.append(searched(after).before_move())
        else:
            values.append(Value(Verdict.WIN if after.outcome.winner is position.seat else Verdict.LOSS, 1))
    return max(values, key=lambda value: value.rank)


@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("ban", Ban)
def test_a_new_key_that_changes_who_wins_is_solved_right(
    monkeypatch: pytest.MonkeyPatch, ban: Ban, *, swap: bool
) -> None:
    """Only `judge` knows of the key, as if it had just been added; the solver was not touched."""
    monkeypatch.setattr(positions, "judge", poisoned)
    rules = LongerRules(id="x", name="X", pool=(1, 2, 3, 4, 5), target=9, ban=ban, swap=swap, poison=6)
    solution = solve(rules)
    without = solve(replace(rules, poison=None))
    assert solution.value(solution.start) == searched(solution.start)
    told = {position.key: value for position, value in solution.everything()}
    assert len(told) == solution.count
    assert start_position(rules).key in told
    for position, value in solution.everything():
        assert value == solution.value(position) == searched(position), position
        assert solution.options(position)[0].value == value
    # The key matters: most positions have another value than they had without it, or cannot arise.
    assert told != {position.key: value for position, value in without.everything()}
    ended = solution.start.play("+2").play("+4")
    assert ended.outcome is not None
    assert solution.can_end_in(ended)


def test_rules_without_end_are_refused_where_only_playing_handles_them() -> None:
    game = load_game("zero-sum-game")
    rules = LongerRules(**{key: getattr(game, key) for key in KEYS})
    with pytest.raises(
        TooLargeError, match=r"^Zero Sum Game has more than 699 positions, which is all that the memory"
    ):
        solve(rules, 1 << 20)


def test_rules_under_which_a_seat_moves_twice_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Position.play_unchecked
    monkeypatch.setattr(Position, "play_unchecked", lambda self, move: replace(plain(self, move), seat=self.seat))
    with pytest.raises(SolverError, match="X cannot be solved: its seats do not take turns"):
        solve(LongerRules(id="x", name="X", pool=(1, 2, 3), target=9))


def test_what_the_referee_does_about_invalid_moves_changes_nothing() -> None:
    asked, forfeit = (solve(replace(SMALL, invalid_move=one)) for one in InvalidMove)
    assert {p.key: v for p, v in asked.everything()} == {p.key: v for p, v in forfeit.everything()}


@pytest.mark.parametrize("tie", Tie)
def test_refilled_pools_are_for_one_way_alone(tie: Tie) -> None:
    rules = replace(load_game("zero-sum-game"), tie=tie)
    methods = {method for method in SUPPORTED if supports(method, rules)}
    assert methods == ({Method.ENDLESS} if tie is Tie.SUDDEN_DEATH else {Method.BOARD, Method.ROWS, Method.REACHING})
