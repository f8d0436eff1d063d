"""The games a second time, slow and plain, to check the first time against. Nothing of the package is used.

The five classes are written from the five rulebooks, `Variant` from the table of keys that every rules file has.
All speak the same words: a move is its text (`+5`, `-3`, `+-3`, `swap`), a state is a tuple of plain values.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, Protocol


class State(NamedTuple):
    """Pool (ascending), total or totals, whose turn, and the end if there was one."""

    pool: tuple[int, ...]
    totals: tuple[int, ...]
    seat: int = 1
    winner: int | None = None
    reason: str | None = None
    last: int | None = None
    """What the last number move added to a total; only `Variant` looks at it."""
    plies: int = 0
    """How many moves were made; only `Variant` counts."""


class Game(Protocol):
    """What the five games and any variant can do."""

    def start(self) -> State: ...
    def moves(self, state: State) -> list[str]: ...
    def play(self, state: State, move: str) -> State: ...


def _without(pool: tuple[int, ...], number: int) -> tuple[int, ...]:
    numbers = list(pool)
    numbers.remove(number)
    return tuple(numbers)


class SumToZero:
    """Numbers from -9 to 9 without 0; whoever brings the one sum to zero wins, else whoever moved last."""

    def start(self) -> State:
        """Return the set-up."""
        return State((-9, -8, -7, -6, -5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 6, 7, 8, 9), (0,))

    def moves(self, state: State) -> list[str]:
        """Return what may be selected."""
        return [] if state.winner else [f"{number:+d}" for number in state.pool]

    def play(self, state: State, move: str) -> State:
        """Add the number."""
        pool, total = _without(state.pool, int(move)), state.totals[0] + int(move)
        after = State(pool, (total,), 3 - state.seat)
        if total == 0:
            return after._replace(winner=state.seat, reason="reached-target")
        if not pool:
            return after._replace(winner=state.seat, reason="last-mover")
        return after


class Sum31:
    """Numbers from 1 to 9; whoever makes exactly 31 wins, whoever makes more loses."""

    def start(self) -> State:
        """Return the set-up."""
        return State((1, 2, 3, 4, 5, 6, 7, 8, 9), (0,))

    def moves(self, state: State) -> list[str]:
        """Return what may be selected."""
        return [] if state.winner else [f"{number:+d}" for number in state.pool]

    def play(self, state: State, move: str) -> State:
        """Add the number."""
        total = state.totals[0] + int(move)
        after = State(_without(state.pool, int(move)), (total,), 3 - state.seat)
        if total == 31:
            return after._replace(winner=state.seat, reason="reached-target")
        if total > 31:
            return after._replace(winner=3 - state.seat, reason="overshot")
        return after


class ZeroSumDuel:
    """Numbers from 1 to 9, added to or subtracted from the one total; zero wins, else whoever moved last."""

    def start(self) -> State:
        """Return the set-up."""
        return State((1, 2, 3, 4, 5, 6, 7, 8, 9), (0,))

    def moves(self, state: State) -> list[str]:
        """Return each number with each operation."""
        return [] if state.winner else [sign + str(number) for number in state.pool for sign in "+-"]

    def play(self, state: State, move: str) -> State:
        """Apply the operation."""
        number = int(move[1:])
        total = state.totals[0] + number if move[0] == "+" else state.totals[0] - number
        pool = _without(state.pool, number)
        after = State(pool, (total,), 3 - state.seat)
        if total == 0:
            return after._replace(winner=state.seat, reason="reached-target")
        if not pool:
            return after._replace(winner=state.seat, reason="last-mover")
        return after


class SequenceZero:
    """Numbers from 1 to 9, added to or subtracted from one's own score; zero wins, else closer, else the second."""

    def start(self) -> State:
        """Return the set-up."""
        return State((1, 2, 3, 4, 5, 6, 7, 8, 9), (0, 0))

    def moves(self, state: State) -> list[str]:
        """Return each number with each operation."""
        return [] if state.winner else [sign + str(number) for number in state.pool for sign in "+-"]

    def play(self, state: State, move: str) -> State:
        """Apply the operation to the score of whoever moves."""
        number = int(move[1:])
        scores = list(state.totals)
        scores[state.seat - 1] += number if move[0] == "+" else -number
        pool = _without(state.pool, number)
        after = State(pool, tuple(scores), 3 - state.seat)
        if scores[state.seat - 1] == 0:
            return after._replace(winner=state.seat, reason="reached-target")
        if pool:
            return after
        if abs(scores[0]) == abs(scores[1]):
            return after._replace(winner=2, reason="tie-rule")
        return after._replace(winner=1 if abs(scores[0]) < abs(scores[1]) else 2, reason="closer")


class ZeroSumGame:
    """Numbers from -5 to 5 without 0, added to one's own total; zero wins, else closer, else sudden death."""

    def start(self) -> State:
        """Return the set-up."""
        return State((-5, -4, -3, -2, -1, 1, 2, 3, 4, 5), (0, 0))

    def moves(self, state: State) -> list[str]:
        """Return what may be selected."""
        return [] if state.winner else [f"{number:+d}" for number in state.pool]

    def play(self, state: State, move: str) -> State:
        """Add the number to the total of whoever moves; on a tie put all numbers back."""
        totals = list(state.totals)
        totals[state.seat - 1] += int(move)
        pool = _without(state.pool, int(move))
        after = State(pool, tuple(totals), 3 - state.seat)
        if totals[state.seat - 1] == 0:
            return after._replace(winner=state.seat, reason="reached-target")
        if pool:
            return after
        if abs(totals[0]) != abs(totals[1]):
            return after._replace(winner=1 if abs(totals[0]) < abs(totals[1]) else 2, reason="closer")
        return after._replace(pool=self.start().pool)


GAMES: dict[str, Game] = {
    "sum-to-zero": SumToZero(),
    "sequence-zero": SequenceZero(),
    "zero-sum-duel": ZeroSumDuel(),
    "zero-sum-game": ZeroSumGame(),
    "sum31": Sum31(),
}


class Variant:
    """Any game, from the plain table of its keys (no `like`)."""

    def __init__(self, table: dict[str, Any]) -> None:
        self.pool = tuple(sorted(table["pool"]))
        self.subtracts = "subtract" in table.get("operations", ["add"])
        self.own = table.get("totals", "shared") == "own"
        start = table.get("start", 0)
        pair = start if isinstance(start, list) else [start, start]
        self.starts = tuple(pair) if self.own else (pair[0],)
        self.target: int = table["target"]
        self.reaching = table.get("reaching", "wins")
        self.overshoot = table.get("overshoot", "play-on")
        self.exhausted = table.get("exhausted", "last-mover")
        self.tie = table.get("tie")
        self.mirror_banned = table.get("ban", "none") == "mirror"
        self.swap = table.get("swap", False)

    def start(self) -> State:
        """Return the set-up. Starting on the target is not a win: nobody has moved."""
        return State(self.pool, self.starts)

    def moves(self, state: State) -> list[str]:
        """Return the moves: each number that is left once, added and then subtracted; `swap` at the end."""
        if state.winner:
            return []
        moves = []
        for number in sorted(set(state.pool)):
            if self.subtracts:
                moves += [f"+{number}", f"-{number}"]
            else:
                moves.append(f"{number:+d}")
        if self.mirror_banned and state.last is not None:
            others = [move for move in moves if self.amount(move) != -state.last]
            moves = others or moves
        if self.swap and state.plies == 1:
            moves.append("swap")
        return moves

    def number(self, move: str) -> int:
        """Return the number a move takes from the pool."""
        return int(move[1:]) if self.subtracts else int(move)

    def amount(self, move: str) -> int:
        """Return what a move adds."""
        return -self.number(move) if self.subtracts and move[0] == "-" else self.number(move)

    def play(self, state: State, move: str) -> State:
        """Make a move; seats stay where they are after `swap`, the people change."""
        if move == "swap":
            return state._replace(plies=state.plies + 1)
        mover = state.seat
        totals = list(state.totals)
        mine = mover - 1 if self.own else 0
        totals[mine] += self.amount(move)
        pool = _without(state.pool, self.number(move))
        winner, reason = self.end(pool, totals, mover)
        if not pool and winner is None:
            pool = self.pool
        return State(pool, tuple(totals), 3 - mover, winner, reason, self.amount(move), state.plies + 1)

    def end(self, pool: tuple[int, ...], totals: list[int], mover: int) -> tuple[int | None, str | None]:
        """Return who has won after this move, and why."""
        mine = mover - 1 if self.own else 0
        other = 3 - mover
        if totals[mine] == self.target:
            return (mover if self.reaching == "wins" else other), "reached-target"
        began_below = self.starts[mine] < self.target
        passed = totals[mine] > self.target if began_below else totals[mine] < self.target
        if self.overshoot == "loses" and passed:
            return other, "overshot"
        if pool:
            return None, None
        if self.exhausted == "last-mover":
            return mover, "last-mover"
        first, second = abs(totals[0] - self.target), abs(totals[1] - self.target)
        if first != second:
            return (1 if first < second else 2), "closer"
        if self.tie == "sudden-death":
            return None, None
        return (1 if self.tie == "first-mover" else 2), "tie-rule"


class Found(Variant):
    """A game found in the lab: without ban and swap, so that its states need not remember how they came about."""

    def play(self, state: State, move: str) -> State:
        """Make a move and forget it."""
        return super().play(state, move)._replace(last=None, plies=0)


GAMES |= {
    "summit": Found({"pool": [-3, -2, -1, *range(1, 9)], "target": 22, "overshoot": "loses"}),
    "thin-ice": Found({"pool": [-3, -2, -1, *range(1, 11)], "target": 26, "reaching": "loses", "overshoot": "loses"}),
    "to-the-brim": Found({"pool": range(1, 12), "target": 30, "totals": "own", "overshoot": "loses"}),
    "last-straw": Found({"pool": range(1, 11), "target": 36, "reaching": "loses", "overshoot": "loses"}),
    "seventeen": Found({"pool": range(1, 9), "target": 17, "totals": "own", "overshoot": "loses"}),
    "campfire": Found(
        {
            "pool": range(1, 8),
            "target": 10,
            "operations": ["add", "subtract"],
            "totals": "own",
            "reaching": "loses",
            "exhausted": "closest",
            "tie": "first-mover",
        }
    ),
}


def solver(game: Game) -> Callable[[State], tuple[str, int]]:
    """Return a function from a state to ('win' or 'loss', plies) for whoever is to move.

    For games that end. The winner hurries, the loser delays. After any move, `swap` too, the other person is to
    move, so one rule serves for all. What was found is remembered.
    """

    @cache
    def value(state: State) -> tuple[str, int]:
        wins: list[int] = []
        losses: list[int] = []
        for move in game.moves(state):
            after = game.play(state, move)
            if after.winner is not None:
                verdict, plies = ("loss" if after.winner == state.seat else "win"), 0
            else:
                verdict, plies = value(after)
            (wins if verdict == "loss" else losses).append(plies + 1)
            if wins == [1]:
                break  # Nothing is faster.
        return ("win", min(wins)) if wins else ("loss", max(losses))

    return value


@cache
def _solver_of(game_id: str) -> Callable[[State], tuple[str, int]]:
    return solver(GAMES[game_id])


def best(game_id: str, state: State) -> tuple[str, int]:
    """Return the verdict and the plies of a state of one of the games that always end."""
    if game_id == "zero-sum-game":
        raise ValueError("Zero Sum Game need not end.")
    return _solver_of(game_id)(state)


def count(game: Game, depth: int, state: State | None = None) -> int:
    """Return how many move sequences have exactly `depth` moves, one by one."""
    state = game.start() if state is None else state
    if depth == 0:
        return 1
    return sum(count(game, depth - 1, game.play(state, move)) for move in game.moves(state))
