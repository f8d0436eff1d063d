"""The same answers once more, position by position in a dictionary: for few positions with large numbers.

Six numbers near a million make a few hundred positions, and no board has room for the totals between them. Here
positions are found by playing, so nothing about the rules is written again.
"""

from __future__ import annotations

from zerosum.rules.model import Ban, Rules, Seat
from zerosum.rules.position import Position, start_position
from zerosum.solver.value import LOSS_AT_ONCE, WIN_AT_ONCE, SolverError, Value

Key = tuple[tuple[int, ...], tuple[int, ...], Seat, int | None]


def key_of(position: Position) -> Key:
    """Return what tells positions apart; of the move before, a ban remembers only the amount."""
    previous = position.previous if position.rules.ban is not Ban.NONE else None
    amount = None if previous is None else previous.amount
    return position.pool, position.totals, position.seat, amount


def search_by_playing(rules: Rules, largest: int) -> dict[Key, Value]:
    """Return the value of every position that can arise; for games that are never refilled or swapped."""
    layers = [{key_of(start): start} for start in [start_position(rules)]]
    count = 1
    while layers[-1]:
        following: dict[Key, Position] = {}
        for position in layers[-1].values():
            for move in position.legal_moves():
                after = position.play_unchecked(move)
                if after.outcome is None:
                    following.setdefault(key_of(after), after)
        count += len(following)
        if count > largest:
            raise SolverError(f"This game has more than {largest:,} positions, too many to solve one by one.")
        layers.append(following)
    values: dict[Key, Value] = {}
    for layer in reversed(layers):
        for key, position in layer.items():
            values[key] = max(
                (_value_of(position.play_unchecked(move), position.seat, values) for move in position.legal_moves()),
                key=lambda value: value.rank,
            )
    return values


def _value_of(after: Position, mover: Seat, values: dict[Key, Value]) -> Value:
    if after.outcome is not None:
        return WIN_AT_ONCE if after.outcome.winner is mover else LOSS_AT_ONCE
    return values[key_of(after)].before_move()
