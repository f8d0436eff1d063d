"""The repr of any value is code that makes it, with the names of `zerosum` alone."""

from __future__ import annotations

import pickle
from copy import copy, deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zerosum
from tests.strategies import CHOICES, NAMES, lines, plays, variants

NAMESPACE = {name: getattr(zerosum, name) for name in zerosum.__all__}


def check(value: object) -> None:
    """Check that a value comes back from its repr, and from being copied and pickled."""
    again = eval(repr(value), dict(NAMESPACE))  # noqa: S307 - pasting is what is tested
    assert again == value
    assert type(again) is type(value)
    assert repr(again) == repr(value)
    assert copy(value) == deepcopy(value) == pickle.loads(pickle.dumps(value)) == value  # noqa: S301 - our own


@given(variants())
def test_rules(rules: zerosum.Rules) -> None:
    check(rules)


@given(lines())
def test_positions_moves_and_outcomes(line: list[zerosum.Position]) -> None:
    for position in line:
        check(position)
        assert eval(repr(position), dict(NAMESPACE)).outcome == position.outcome  # noqa: S307 - likewise
        check(position.outcome)
        for move in position.legal_moves():
            check(move)


@given(
    rules=variants(),
    choices=CHOICES,
    names=st.tuples(NAMES, NAMES),
    first=st.sampled_from(zerosum.Person),
    series=st.sampled_from([None, zerosum.Series("abc", 5, 2)]),
    resigned=st.booleans(),
)
def test_matches(
    *,
    rules: zerosum.Rules,
    choices: list[int],
    names: tuple[str, str],
    first: zerosum.Person,
    series: zerosum.Series | None,
    resigned: bool,
) -> None:
    setup = zerosum.Setup(rules=rules, names=names, first=first, series=series, seed="s", date="2026-01-31")
    check(setup)
    match = zerosum.Match.begin(setup)
    for before, after in zip(line := plays(rules, choices), line[1:], strict=False):
        match = match.after(next(move for move in before.legal_moves() if before.play(move) == after))
    if resigned and match.outcome is None:
        match = match.after(zerosum.Ending(zerosum.Reason.RESIGNED, match.position.seat))
    check(match)
    assert match.positions == eval(repr(match), dict(NAMESPACE)).positions  # noqa: S307 - likewise
    assert zerosum.read_match(match.record()) == match


@pytest.mark.parametrize("game", zerosum.GAME_IDS)
def test_what_the_solver_says(game: str) -> None:
    solution = zerosum.solve(zerosum.load_game(game))
    check(solution.value(solution.start))
    for option in solution.options(solution.start):
        check(option)


def test_endings_and_undos() -> None:
    check(zerosum.Ending(zerosum.Reason.FORFEIT, zerosum.Seat.FIRST, 'a "b"'))
    check(zerosum.Undo(2))


@given(lines())
def test_every_move_has_one_index(line: list[zerosum.Position]) -> None:
    rules = line[0].rules
    assert [rules.index_of(move) for move in rules.moves] == list(range(len(rules.moves)))
    for position in line:
        assert set(position.legal_moves()) <= set(rules.moves)
        indices = [rules.index_of(move) for move in position.legal_moves()]
        assert indices == sorted(indices)
    with pytest.raises(zerosum.BadValueError, match="has no move"):
        rules.index_of(zerosum.Move(999_999))
