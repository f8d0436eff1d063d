"""The definitions again, written out without mirrors, shortcuts or the solver's verdicts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from zerosum.rules.model import Seat
from zerosum.rules.moves import SWAP, Move
from zerosum.rules.position import Position, PositionKey

Chances = Callable[[Position], Sequence[float]]


def best_response(start: Position, chances: Chances, seat: Seat) -> float:
    """Return how often the best response to a policy wins who begins in `seat`, by trying every move everywhere."""
    known: dict[tuple[PositionKey, Seat], float] = {}

    def chance(position: Position, seat: Seat) -> float:
        if position.outcome is not None:
            return float(position.outcome.winner is seat)
        if (position.key, seat) not in known:
            after = [
                chance(position.play(move), seat.other if move == SWAP else seat) for move in position.legal_moves()
            ]
            mean = sum(share * one for share, one in zip(chances(position), after, strict=True))
            known[position.key, seat] = max(after) if position.seat is seat else mean
        return known[position.key, seat]

    return chance(start, seat)


def every_play(start: Position, chances: Chances) -> list[tuple[float, list[tuple[Position, Move]]]]:
    """Return every match that a policy can play with itself, and its chance."""
    found: list[tuple[float, list[tuple[Position, Move]]]] = []
    ahead: list[tuple[float, Position, list[tuple[Position, Move]]]] = [(1.0, start, [])]
    while ahead:
        mass, position, played = ahead.pop()
        if position.outcome is not None:
            found.append((mass, played))
            continue
        for move, share in zip(position.legal_moves(), chances(position), strict=True):
            if share:
                ahead.append((mass * share, position.play(move), [*played, (position, move)]))
    return found


def likeliest_loss(start: Position, chances: Chances, seat: Seat) -> float:
    """Return the chance of the policy's moves in the likeliest match that the best response wins from `seat`."""

    def likeliest(position: Position, seat: Seat) -> float:
        if position.outcome is not None:
            return float(position.outcome.winner is seat)
        moves = position.legal_moves()
        after = [(position.play(move), seat.other if move == SWAP else seat) for move in moves]
        lines = [likeliest(*one) for one in after]
        if position.seat is not seat:
            return max(share * line for share, line in zip(chances(position), lines, strict=True))
        wins = [best_response(one, chances, its) for one, its in after]
        return max(line for line, won in zip(lines, wins, strict=True) if won >= max(wins) - 1e-12)

    return likeliest(start, seat)
