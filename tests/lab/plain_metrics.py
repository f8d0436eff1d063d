"""The metrics a second time, slow and plain, from their formulas: matches followed position by position.

Only published things are used: positions, the solver's options, and each player's chances of moves. `random` is done in
fractions, so nothing is rounded.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from math import log2, nan, sqrt
from typing import Any

from zerosum.players.odds import odds_from
from zerosum.players.policies import chances
from zerosum.rules.model import Rules, Seat
from zerosum.rules.moves import SWAP, Move
from zerosum.rules.position import Position, PositionKey, start_position
from zerosum.solver import Option, Solution, Verdict, solve

RANK = {Verdict.WIN: 2, Verdict.DRAW: 1, Verdict.LOSS: 0}
Chance = float | Fraction


class Remembered(Solution):
    """The solver's own answers, each asked for once."""

    def __init__(self, solution: Solution) -> None:
        super().__init__(solution.rules, solution.solved, solution.seconds)
        self._options: dict[PositionKey, list[Option]] = {}

    def options(self, position: Position) -> list[Option]:
        key = position.key
        if key not in self._options:
            self._options[key] = super().options(position)
        return self._options[key]


class Plain:
    """One player against its like in one game."""

    def __init__(self, rules: Rules, who: str, solution: Solution | None = None, *, later: bool = True) -> None:
        """Take a game and a player; without `later`, rounds after the first are not looked into."""
        self.rules, self.who, self.later = rules, who, later
        self.solution = solution or solve(rules)
        self._won: dict[PositionKey, Chance] = {}
        self._facts: dict[PositionKey, tuple[dict[Move, int], int]] = {}
        self.document = self._document()

    def policy(self, position: Position) -> Mapping[Move, Chance]:
        moves = position.legal_moves()
        if self.who == "random":
            return dict.fromkeys(moves, Fraction(1, len(moves)))
        return chances(self.who, position, self.solution)

    def ranks(self, position: Position) -> tuple[dict[Move, int], int]:
        """Return v(p, m) of each move as a rank, and b(p)."""
        if position.key not in self._facts:
            options = {one.move: RANK[one.value.verdict] for one in self.solution.options(position)}
            self._facts[position.key] = options, max(options.values())
        return self._facts[position.key]

    def refilled(self, position: Position, move: Move, after: Position) -> bool:
        return move != SWAP and after.outcome is None and len(after.pool) >= len(position.pool)

    def mover_wins(self, position: Position) -> Chance:
        """Return the chance that the person to move wins."""
        if position.key not in self._won:
            total: Chance = 0
            for move, share in self.policy(position).items():
                after = position.play(move)
                if after.outcome is not None:
                    total += share * (after.outcome.winner is position.seat)
                elif self.refilled(position, move, after):
                    total += share * (1 - self.beginner_wins(after))
                else:
                    total += share * (1 - self.mover_wins(after))
            self._won[position.key] = total
        return self._won[position.key]

    def beginner_wins(self, position: Position) -> float:
        if not self.later:
            return nan
        first = odds_from(position, [(self.who, self.who)]).first_wins[self.who, self.who]
        return first if position.seat is Seat.FIRST else 1 - first

    def _document(self) -> dict[str, Any]:
        here = {start_position(self.rules).key: (start_position(self.rules), Fraction(1))}
        plies: defaultdict[int, Chance] = defaultdict(Fraction)
        endings: defaultdict[str, Chance] = defaultdict(Fraction)
        sums: defaultdict[str, Chance] = defaultdict(Fraction)
        refill: Chance = 0
        ply = 0
        while here:
            ply += 1
            following: dict[PositionKey, tuple[Position, Any]] = {}
            for position, mass in here.values():
                ranks, best = self.ranks(position)
                sums["length"] += mass
                if len(set(ranks.values())) > 1:
                    sums["density"] += mass
                if len(ranks) > 1 and list(ranks.values()).count(best) == 1 and best > 0:
                    sums["only"] += mass
                won = self.mover_wins(position)
                sums["behind"] += mass * {2: 1 - won, 1: 0, 0: won}[best]
                for move, share in self.policy(position).items():
                    if ranks[move] < best:
                        sums["changes"] += mass * share
                    after = position.play(move)
                    if after.outcome is not None:
                        plies[ply] += mass * share
                        endings[after.outcome.reason.value] += mass * share
                    elif self.refilled(position, move, after):
                        plies[ply] += mass * share
                        refill += mass * share
                    elif share:
                        old = following.get(after.key, (after, 0))[1]
                        following[after.key] = after, old + mass * share
            here = following
        mean = sums["length"]
        assert abs(sum(n * chance for n, chance in plies.items()) - mean) < 1e-9
        return {
            "first": self.mover_wins(start_position(self.rules)),
            "mean": mean,
            "sd": sqrt(sum(chance * (n - mean) ** 2 for n, chance in plies.items())),
            "chances": plies,
            "early": sum(chance for n, chance in plies.items() if n <= 4),
            "density": sums["density"] / mean,
            "only": sums["only"] / mean,
            "changes": sums["changes"],
            "behind": sums["behind"] / mean,
            "endings": endings,
            "refill": refill,
        }


def plain_graph(rules: Rules, solution: Solution) -> tuple[dict[str, int], list[dict[str, int]]]:
    """Return the counts of positions (of the first round), and those of each number."""
    found = {start_position(rules).key: start_position(rules)}
    waiting = list(found.values())
    for position in waiting:
        for move in position.legal_moves():
            after = position.play(move)
            refilled = move != SWAP and len(after.pool) >= len(position.pool)
            if after.outcome is None and not refilled and after.key not in found:
                found[after.key] = after
                waiting.append(after)
    counts = {"positions": len(found), "mover_wins": 0, "real": 0, "only": 0}
    numbers = {number: {"number": number, "wins": 0, "needed": 0} for number in rules.pool}
    for position in found.values():
        verdicts = {one.move: RANK[one.value.verdict] for one in solution.options(position)}
        values = list(verdicts.values())
        best = max(values)
        counts["mover_wins"] += best == 2
        counts["real"] += min(values) < best
        counts["only"] += len(values) > 1 and values.count(best) == 1 and best > 0
        winners = [move for move in verdicts if verdicts[move] == 2]
        for number, count in numbers.items():
            of_number = [move.operation != SWAP.operation and move.number == number for move in winners]
            count["wins"] += any(of_number)
            count["needed"] += bool(winners) and all(of_number) and min(values) < 2
    return counts, list(numbers.values())


def plain_openings(rules: Rules, solution: Solution) -> dict[str, Any]:
    """Return what is said of the openings."""
    without = solve(replace(rules, swap=False))
    values = [one.value.verdict for one in without.options(without.start)]
    winning, count = values.count(Verdict.WIN), len(values)
    share = winning / count
    right = 0
    for move in solution.start.legal_moves():
        after = solution.start.play(move)
        replies = {} if after.outcome else {one.move: RANK[one.value.verdict] for one in solution.options(after)}
        right += SWAP in replies and replies[SWAP] == max(replies.values())
    return {
        "count": count,
        "winning": winning,
        "share": share,
        "bits": 0.0 if winning in {0, count} else -share * log2(share) - (1 - share) * log2(1 - share),
        "swap_right": right / count if rules.swap else None,
    }


def plain_even_to(rules: Rules, solution: Solution) -> int | None:
    """Return the highest level up to which every player, from random on, wins 2 to 3 of 5 matches as the first."""
    found = None
    for level, who in enumerate(("random", *(f"level:{n}" for n in range(1, 10)))):
        first = Plain(rules, who, solution).document["first"]
        if round(first, 12) < 0.4 or round(first, 12) > 0.6:
            break
        found = level
    return found
