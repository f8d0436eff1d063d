"""What is true of a game, by playing every move of every position: slow, plain, and without any room but the rules.

Seats need not alternate and positions may come back; what a level does is written again from its description.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zerosum.players.levels import STRENGTHS
from zerosum.rules.model import Reaching, Rules, Seat
from zerosum.rules.moves import Move
from zerosum.rules.position import Position, PositionKey, start_position

MOST = 5_000
FAR = 1 << 20


class Worth(NamedTuple):
    """A verdict for somebody, and the plies until the end; None for a draw."""

    verdict: str
    plies: int | None

    @property
    def rank(self) -> int:
        """Greater is better."""
        if self.plies is None:
            return 0
        return FAR - self.plies if self.verdict == "win" else self.plies - FAR


OPPOSITE = {"win": "loss", "loss": "win", "draw": "draw"}
Policy = Callable[[Position], Sequence[float]]
Array = NDArray[Any]


class Brute:
    """Every position of a game that play can reach; seats are never swapped in it."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.start = start_position(rules)
        self.positions: dict[PositionKey, Position] = {self.start.key: self.start}
        self.steps: dict[PositionKey, list[tuple[Move, Position]]] = {}
        waiting = [self.start]
        for position in waiting:
            self.steps[position.key] = [(move, position.play(move)) for move in position.legal_moves()]
            for _, after in self.steps[position.key]:
                if after.outcome is None and after.key not in self.positions:
                    self.positions[after.key] = after
                    waiting.append(after)
            assert len(self.positions) < MOST, "a planted game is small"

    @property
    def size(self) -> int:
        return len(self.positions)

    # Values

    def _after(self, seat: Seat, after: Position, known: dict[PositionKey, Worth]) -> Worth | None:
        """Return the worth of a move for the seat that makes it, None if it is not known yet."""
        if after.outcome is not None:
            return Worth("win" if after.outcome.winner is seat else "loss", 1)
        found = known.get(after.key)
        if found is None or found.plies is None:
            return None
        return Worth(found.verdict if after.seat is seat else OPPOSITE[found.verdict], found.plies + 1)

    @cached_property
    def values(self) -> dict[PositionKey, Worth]:
        """What each position is worth to the seat to move."""
        known: dict[PositionKey, Worth] = {}
        plies = 0
        while True:
            plies += 1
            new: dict[PositionKey, Worth] = {}
            for key, position in self.positions.items():
                if key in known:
                    continue
                worths = [self._after(position.seat, after, known) for _, after in self.steps[key]]
                if any(one == Worth("win", plies) for one in worths):
                    new[key] = Worth("win", plies)
                elif all(one is not None and one.verdict == "loss" for one in worths):
                    new[key] = Worth("loss", plies)
            if not new:
                break
            known |= new
        return {key: known.get(key, Worth("draw", None)) for key in self.positions}

    def value(self, position: Position) -> Worth:
        return self.values[position.key]

    def options(self, position: Position) -> dict[str, Worth]:
        """Return what each move is worth to the seat that makes it."""
        found = {}
        for move, after in self.steps[position.key]:
            worth = self._after(position.seat, after, self.values)
            found[position.text_of(move)] = Worth("draw", None) if worth is None else worth
        return found

    def winning(self, position: Position) -> list[str]:
        return [move for move, worth in self.options(position).items() if worth.verdict == "win"]

    def wins_at_once(self, position: Position) -> list[str]:
        return [move for move, worth in self.options(position).items() if worth == Worth("win", 1)]

    def makes(self, position: Position) -> bool:
        """Whether a move lands on the target and wins."""
        return self.rules.reaching is Reaching.WINS and any(
            after.outcome is not None and after.outcome.reason.value == "reached-target"
            for _, after in self.steps[position.key]
        )

    def find(self, text: str) -> Position | None:
        """Return the position that is written so, None if play does not reach it."""
        return self._texts.get(text)

    @cached_property
    def _texts(self) -> dict[str, Position]:
        return {str(position): position for position in self.positions.values()}

    @cached_property
    def alternates(self) -> bool:
        """Whether the seats take turns."""
        return all(
            after.outcome is not None or after.seat is not self.positions[key].seat
            for key, steps in self.steps.items()
            for _, after in steps
        )

    @cached_property
    def order(self) -> list[PositionKey] | None:
        """The positions, each before those it leads to; None if positions come back."""
        before = Counter(after.key for steps in self.steps.values() for _, after in steps if after.outcome is None)
        ready = [key for key in self.positions if not before[key]]
        found = []
        while ready:
            key = ready.pop()
            found.append(key)
            for _, after in self.steps[key]:
                if after.outcome is None:
                    before[after.key] -= 1
                    if not before[after.key]:
                        ready.append(after.key)
        return found if len(found) == self.size else None

    # Players

    def level(self, who: str) -> Policy:
        """Return what a level does: the chance of each legal move."""
        level = STRENGTHS[who]

        def policy(position: Position) -> list[float]:
            worths = list(self.options(position).values())
            ranks = [worth.rank for worth in worths]
            best = max(ranks)
            quickest = [at for at, rank in enumerate(ranks) if rank == best]
            if level.sure and best == FAR - 1:
                return even(len(ranks), quickest)
            if level.traps and best < 0 and FAR + best <= level.sight:
                return even(len(ranks), self._traps(position, ranks))
            sees_win = best > 0 and FAR - best <= level.sight
            open_ = [at for at, rank in enumerate(ranks) if rank >= 0 or FAR + rank > level.sight]
            return even(len(ranks), quickest if sees_win or not open_ else open_, level.slip)

        return policy

    def _traps(self, position: Position, ranks: list[int]) -> list[int]:
        replies = [len(self.winning(after)) if after.outcome is None else 0 for _, after in self.steps[position.key]]
        marks = [(min(FAR + rank, 3), -count, rank) for rank, count in zip(ranks, replies, strict=True)]
        return [at for at, mark in enumerate(marks) if mark == max(marks)]

    def first_wins(self, one: Policy, two: Policy) -> float | None:
        """Return how often seat 1 wins; None if a match may go on for ever."""
        firsts, ended = self._absorbed(one, two)
        return firsts if abs(ended - 1) < 1e-9 else None

    def _absorbed(self, one: Policy, two: Policy) -> tuple[float, float]:
        """Return the chances that seat 1 wins, and that the match ends."""
        places = {key: at for at, key in enumerate(self.positions)}
        ends = np.zeros((self.size, 2))
        follows = np.zeros((self.size, self.size)) if self.order is None else None
        shares: dict[PositionKey, Sequence[float]] = {}
        for key, position in self.positions.items():
            shares[key] = (one if position.seat is Seat.FIRST else two)(position)
            for share, (_, after) in zip(shares[key], self.steps[key], strict=True):
                if after.outcome is not None:
                    ends[places[key]] += share * (after.outcome.winner is Seat.FIRST), share
                elif follows is not None:
                    follows[places[key], places[after.key]] += share
        if follows is not None:
            alive = self._ending(follows, ends[:, 1])
            part = np.linalg.solve(np.eye(len(alive)) - follows[np.ix_(alive, alive)], ends[alive])
            found = dict(zip(alive, part.tolist(), strict=True)).get(0, [0.0, 0.0])
            return found[0], found[1]
        for key in reversed(self.order or []):
            for share, (_, after) in zip(shares[key], self.steps[key], strict=True):
                if after.outcome is None:
                    ends[places[key]] += share * ends[places[after.key]]
        return float(ends[0, 0]), float(ends[0, 1])

    @staticmethod
    def _ending(follows: Array, ends: Array) -> list[int]:
        """Return the positions from which a match can end."""
        found = ends > 0
        while True:
            more = found | ((follows @ found) > 0)
            if (more == found).all():
                return [int(at) for at in np.flatnonzero(found)]
            found = more

    def best_response(self, policy: Policy, seat: Seat) -> float:
        """Return how often the best response to a policy wins from a seat; positions do not come back."""
        known: dict[PositionKey, float] = {}
        for key in reversed(self.order or []):
            chances = [
                float(after.outcome.winner is seat) if after.outcome is not None else known[after.key]
                for _, after in self.steps[key]
            ]
            position = self.positions[key]
            mean = sum(share * one for share, one in zip(policy(position), chances, strict=True))
            known[key] = max(chances) if position.seat is seat else mean
        return known[self.start.key]

    def course(self, policy: Policy) -> dict[str, float | dict[str, float]]:
        """Return what matches between two of a kind are like; positions do not come back."""
        mass: defaultdict[tuple[PositionKey, int], float] = defaultdict(float)
        mass[self.start.key, 0] = 1.0
        plies: defaultdict[int, float] = defaultdict(float)
        endings: defaultdict[str, float] = defaultdict(float)
        sums: defaultdict[str, float] = defaultdict(float)
        order = {key: at for at, key in enumerate(self.order or [])}
        while mass:
            key, ply = min(mass, key=lambda one: (order[one[0]], one[1]))
            here = mass.pop((key, ply))
            position = self.positions[key]
            verdicts = [worth.verdict for worth in self.options(position).values()]
            best = self.value(position).verdict
            sums["length"] += here
            sums["density"] += here * (len(set(verdicts)) > 1)
            sums["only"] += here * (len(verdicts) > 1 and best != "loss" and verdicts.count(best) == 1)
            for share, verdict, (_, after) in zip(policy(position), verdicts, self.steps[key], strict=True):
                sums["changes"] += here * share * (verdict != best)
                if after.outcome is not None:
                    plies[ply + 1] += here * share
                    endings[after.outcome.reason.value] += here * share
                elif share:
                    mass[after.key, ply + 1] += here * share
        mean = sums["length"]
        return {
            "mean": mean,
            "chances": {str(ply): chance for ply, chance in plies.items() if chance},
            "endings": {reason: chance for reason, chance in endings.items() if chance},
            "early": sum(chance for ply, chance in plies.items() if ply <= 4),
            "density": sums["density"] / mean,
            "only": sums["only"] / mean,
            "changes": sums["changes"],
        }

    # Counts

    @cached_property
    def graph(self) -> dict[str, int]:
        """How many positions there are, and of which kinds."""
        counts = {"positions": self.size, "mover_wins": 0, "real": 0, "only": 0}
        for position in self.positions.values():
            verdicts = [worth.verdict for worth in self.options(position).values()]
            best = self.value(position).verdict
            counts["mover_wins"] += best == "win"
            counts["real"] += len(set(verdicts)) > 1
            counts["only"] += len(verdicts) > 1 and best != "loss" and verdicts.count(best) == 1
        return counts

    @cached_property
    def numbers(self) -> list[dict[str, int]]:
        """In how many positions each number wins, and in how many nothing else does."""
        found = {number: {"number": number, "wins": 0, "needed": 0} for number in self.rules.pool}
        for position in self.positions.values():
            options = self.options(position)
            moves = {position.text_of(move): move.number for move, _ in self.steps[position.key]}
            winners = {moves[move] for move, worth in options.items() if worth.verdict == "win"}
            loses = any(worth.verdict != "win" for worth in options.values())
            for number in winners:
                found[number]["wins"] += 1
                found[number]["needed"] += len(winners) == 1 and loses
        return list(found.values())

    @cached_property
    def makers(self) -> set[Seat]:
        """The seats that can land on the target."""
        return {
            self.positions[key].seat
            for key, steps in self.steps.items()
            for _, after in steps
            if after.outcome is not None and after.outcome.reason.value == "reached-target"
        }

    @cached_property
    def reasons(self) -> set[str]:
        """All ways in which a match can end."""
        return {
            after.outcome.reason.value
            for steps in self.steps.values()
            for _, after in steps
            if after.outcome is not None
        }


def even(count: int, chosen: Sequence[int], slip: float = 0.0) -> list[float]:
    """Share the chance of a slip among all moves, and the rest among the chosen ones."""
    return [slip / count + (at in chosen) * (1 - slip) / len(chosen) for at in range(count)]
