"""The words of the vocabulary, written again from what they say, and whether a list of them wins from a position."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.coach.plain_features import Plain
from zerosum.rules.model import Seat
from zerosum.rules.moves import Move
from zerosum.rules.position import Position

Rank = Callable[[Plain, Position, Move, Position], float]


def far(position: Position, seat: Seat) -> int:
    return abs(position.total(seat) - position.rules.target)


def needed(position: Position, seat: Seat) -> set[int]:
    """Return the numbers left that take a seat to the target."""
    moves = {(number, number) for number in position.pool}
    if len(position.rules.operations) > 1:
        moves |= {(number, -number) for number in position.pool}
    return {number for number, amount in moves if position.total(seat) + amount == position.rules.target}


def squeezed(plain: Plain, position: Position) -> bool:
    return not plain.can_win_now(position) and plain.no_safe(position)


def in_two(plain: Plain, position: Position, closed: Callable[[Position], bool]) -> bool:
    """Whether whoever is to move cannot win at once, and every safe reply has an answer that closes."""
    return not plain.can_win_now(position) and all(
        after.outcome is None and any(plain.answers(after, closed)) for _, after in plain.safe(position)
    )


def won_or(test: Callable[[Plain, Position], bool]) -> Rank:
    return lambda plain, before, _, after: plain.won(before, after) if after.outcome is not None else test(plain, after)


def quiet(plain: Plain, before: Position, _: Move, after: Position) -> bool:
    me = before.seat
    if after.outcome is not None:
        return plain.won(before, after)
    mine = needed(after, me)
    for reply, there in plain.replies(after):
        if reply.number in mine:
            lost = there.outcome is not None and there.outcome.winner is not me
            if lost or (there.outcome is None and needed(there, me.other)):
                return False
    return bool(mine)


def fewest(plain: Plain, before: Position, _: Move, after: Position) -> float:
    if after.outcome is not None:
        return 0 if plain.won(before, after) else -1e6
    return -len(plain.safe(after))


def largest(position: Position) -> int:
    return max(map(abs, position.pool), default=0)


RANKS: dict[str, Rank] = {
    "make": lambda plain, before, _, after: plain.won(before, after),
    "guard": lambda plain, before, _, after: plain.is_safe(before, after),
    "squeeze": won_or(squeezed),
    "shut": won_or(lambda plain, after: plain.stuck(after)),
    "squeeze-in-two": won_or(lambda plain, after: in_two(plain, after, lambda one: squeezed(plain, one))),
    "shut-in-two": won_or(lambda plain, after: in_two(plain, after, plain.stuck)),
    "fewest": fewest,
    "threat": lambda _, before, __, after: bool(needed(after, before.seat)),
    "quiet-threat": quiet,
    "furthest-threat": lambda _, before, __, after: far(after, before.seat) if needed(after, before.seat) else -1,
    "in-reach": lambda _, before, __, after: far(after, before.seat) <= largest(after),
    "out-of-reach": lambda _, before, __, after: far(after, before.seat.other) > largest(after),
    "further": lambda _, before, __, after: far(after, before.seat) > far(after, before.seat.other),
    "toward": lambda _, before, __, after: far(after, before.seat) < far(before, before.seat),
    "nearest": lambda _, before, __, after: -far(after, before.seat),
    "away": lambda _, before, __, after: far(after, before.seat),
    "largest": lambda _, __, move, ___: abs(move.number),
    "smallest": lambda _, __, move, ___: -abs(move.number),
    "even-left": lambda _, __, ___, after: sum(after.pool) % 2 == 0,
}


def kept(plain: Plain, position: Position, rules: Sequence[str]) -> list[tuple[Move, Position]]:
    """Return the moves that survive rules such as `guard`, `open:1` and `squeeze-in-two@5`."""
    moves = plain.replies(position)
    for text in rules:
        word, _, most = text.partition("@")
        name, _, number = word.partition(":")
        if most and len(position.pool) > int(most):
            continue
        if name == "open":
            begins = position.pool == position.rules.pool and position.totals == position.rules.start
            ranks = [float(begins and move.number == int(number)) for move, _ in moves]
        else:
            ranks = [float(RANKS[name](plain, position, move, after)) for move, after in moves]
        moves = [one for one, rank in zip(moves, ranks, strict=True) if rank == max(ranks)]
    return moves


def list_wins(plain: Plain, lost: Position, rules: Callable[[Seat], Sequence[str]], name: str) -> bool:
    """Whether whoever is not to move wins by a list of rules, whichever surviving moves they make."""
    return bool(plain.once(f"wins {name}", lost, lambda: _list_wins(plain, lost, rules, name)))


def _list_wins(plain: Plain, lost: Position, rules: Callable[[Seat], Sequence[str]], name: str) -> bool:
    for _, after in plain.replies(lost):
        if after.outcome is not None:
            if plain.won(lost, after):
                return False
            continue
        if len(after.pool) > len(lost.pool):
            return False
        for _, following in kept(plain, after, rules(after.seat)):
            if following.outcome is not None:
                if not plain.won(after, following):
                    return False
            elif len(following.pool) > len(after.pool) or not list_wins(plain, following, rules, name):
                return False
    return True
