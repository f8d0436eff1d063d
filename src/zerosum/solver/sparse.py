"""The same answers once more, position by position in a dictionary: for few positions with large numbers.

Six numbers near a million make a few hundred positions, and no board has room for the totals between them. Here
positions are found by playing, so nothing about the rules is written again.
"""

from __future__ import annotations

from zerosum.rules.model import Rules, Seat
from zerosum.rules.position import Position, PositionKey, start_position
from zerosum.solver.value import LOSS_AT_ONCE, WIN_AT_ONCE, Progress, SolverError, Value, silent

Found = dict[PositionKey, tuple[Position, Value]]


def search_by_playing(rules: Rules, largest: int, progress: Progress = silent) -> Found:
    """Return every position that can arise, with its value; for games that are never refilled or swapped."""
    start = start_position(rules)
    layers = [{start.key: start}]
    count = 1
    while layers[-1]:
        following: dict[PositionKey, Position] = {}
        for position in layers[-1].values():
            for move in position.legal_moves():
                after = position.play_unchecked(move)
                if after.outcome is None:
                    following.setdefault(after.key, after)
        count += len(following)
        progress(f"{count} positions")
        if count > largest:
            raise SolverError(f"This game has more than {largest:,} positions, too many to solve one by one.")
        layers.append(following)
    found: Found = {}
    for layer in reversed(layers):
        for key, position in layer.items():
            values = [_value_of(position.play_unchecked(move), position.seat, found) for move in position.legal_moves()]
            found[key] = position, max(values, key=lambda value: value.rank)
    return found


def _value_of(after: Position, mover: Seat, found: Found) -> Value:
    if after.outcome is not None:
        return WIN_AT_ONCE if after.outcome.winner is mover else LOSS_AT_ONCE
    return found[after.key][1].before_move()
