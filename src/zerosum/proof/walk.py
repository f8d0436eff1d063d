"""All positions of a game in one fixed order, found by playing: the order in which a certificate lists them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from zerosum.proof.round_patterns import Pattern, begins_round, distance_of, round_starts
from zerosum.rules.model import Rules
from zerosum.rules.position import Position, PositionKey, start_position


@dataclass(frozen=True, slots=True)
class Following:
    """A position that a move leads to, and its place in the list; None where it is over or beyond the bound."""

    position: Position
    at: int | None


def walk(rules: Rules, pattern: Pattern) -> Iterator[tuple[Position, list[Following]]]:
    """Yield every unfinished position with those its moves lead to, round starts first where there is a pattern."""
    places: dict[PositionKey, int] = {}
    waiting: deque[Position] = deque()

    def place(position: Position) -> int:
        new = len(places)
        at = places.setdefault(position.key, new)
        if at == new:
            waiting.append(position)
        return at

    for seed in (*(round_starts(rules, pattern.bound) if pattern.tails else ()), start_position(rules)):
        place(seed)
    while waiting:
        position = waiting.popleft()
        following = []
        for move in position.legal_moves():
            after = position.play_unchecked(move)
            over = after.outcome is not None or is_beyond(after, pattern)
            following.append(Following(after, None if over else place(after)))
        yield position, following


def is_beyond(position: Position, pattern: Pattern) -> bool:
    """Whether a position begins a round beyond the bound; where seats may be swapped it is like no other round."""
    if not pattern.tails or position.swap_open:
        return False
    return begins_round(position) and distance_of(position)[0] > pattern.bound
