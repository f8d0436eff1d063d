"""The best response to a policy: what the cleverest opponent, who knows every chance of it, would score.

Where that opponent moves it takes the best move; where the policy moves, the mean over its moves counts. A position
that the solver knows as won is kept against anybody: there the chance is 1, and nothing behind it is followed. Nor are
moves that the policy never makes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Final

from zerosum.base.progress import Progress, silent
from zerosum.players.graph import Guest
from zerosum.players.symmetry import canon_of, plain
from zerosum.rules.model import Rules, Seat, Tie
from zerosum.rules.moves import SWAP, Move
from zerosum.rules.position import Position, start_position
from zerosum.solver import SolverError, Verdict, solution_of

_NOW_AND_THEN: Final = 2_000

Respond = Callable[[Position, Seat], float]
"""Returns the best response's chance to win a position, sitting in that seat."""


@dataclass(frozen=True, slots=True)
class Exploitability:
    """How often the best response to a policy wins, from either seat.

    `value` is the mean over both seats of what the best response gains, where a win is +1 and a loss -1: 0 for a policy
    that cannot be beaten, as OpenSpiel computes it.
    """

    as_first: float
    as_second: float

    @property
    def value(self) -> float:
        """The exploitability, from 0 to 1."""
        # The larger first: where it is a certain win, nothing is rounded.
        return (max(self.as_first, self.as_second) - 1) + min(self.as_first, self.as_second)


def exploitability(policy: Guest, rules: Rules, progress: Progress = silent) -> Exploitability:
    """Return the exact exploitability of a policy.

    >>> from zerosum.arena.strength.named_policies import policy_of
    >>> from zerosum.rules.files import load_game
    >>> sum31 = load_game("sum31")
    >>> exploitability(policy_of("perfect", sum31).guest, sum31).value
    0.0
    """
    respond = responder(policy, rules, progress)
    start = start_position(rules)
    return Exploitability(respond(start, Seat.FIRST), respond(start, Seat.SECOND))


def responder(policy: Guest, rules: Rules, progress: Progress = silent) -> Respond:
    """Return a function that gives the best response's chance in any position; it remembers what it has worked out."""
    if rules.tie is Tie.SUDDEN_DEATH:
        raise SolverError(
            f"A match of {rules.name} may go on for ever; no exact best response is known for such games."
        )
    canon = canon_of(rules) if policy.mirrors else plain
    solution = solution_of(rules)
    known: dict[tuple[Hashable, Seat], float] = {}

    def chance(position: Position, seat: Seat) -> float:
        if position.outcome is not None:
            return float(position.outcome.winner is seat)
        key = canon(position), seat
        found = known.get(key)
        if found is None:
            found = known[key] = min(1.0, look(position, seat))
            if len(known) % _NOW_AND_THEN == 0:
                progress(f"{len(known):,} positions")
        return found

    def look(position: Position, seat: Seat) -> float:
        own_move = position.seat is seat
        if solution.value(position).verdict is (Verdict.WIN if own_move else Verdict.LOSS):
            return 1.0
        if own_move:
            return max(following(position, move, seat) for move in position.legal_moves())
        moves = zip(position.legal_moves(), policy.chances(position), strict=True)
        return sum(share * following(position, move, seat) for move, share in moves if share)

    def following(position: Position, move: Move, seat: Seat) -> float:
        return chance(position.play_unchecked(move), seat_after(move, seat))

    return chance


def seat_after(move: Move, seat: Seat) -> Seat:
    """Return where somebody sits after a move who sat in `seat`: `swap` makes both change seats."""
    return seat.other if move == SWAP else seat
