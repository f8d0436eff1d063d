"""What a policy scores, exactly: against every built-in strength from either seat, and what its own play gives away."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Final

from zerosum.arena.strength.decisions import POINTS
from zerosum.arena.strength.named_policies import Policy
from zerosum.base.documents import OMITTED, member_as
from zerosum.base.progress import Progress, silent
from zerosum.players.graph import Guest
from zerosum.players.ladder import FindOdds
from zerosum.players.levels import STRENGTHS, Score
from zerosum.players.odds import odds_from
from zerosum.players.symmetry import canon_of, plain
from zerosum.rules.model import Tie
from zerosum.rules.position import Position
from zerosum.solver import Solution, SolverError

_NOW_AND_THEN: Final = 1_000


@dataclass(frozen=True, slots=True)
class Scores:
    """Scores against some opponents, each chance off by at most `error`, apart from rounding."""

    against: tuple[Score, ...]
    error: float


def scores_of(
    policy: Policy,
    start: Position,
    opponents: Sequence[Policy | str] = tuple(STRENGTHS),
    progress: Progress = silent,
    find: FindOdds = odds_from,
) -> Scores:
    """Return the exact score of a policy from a position, in seat 1 and in seat 2, against each of the opponents.

    An opponent is a built-in strength by its name, or any policy. `find` finds the chances of built-in strengths: a
    caller may have kept them.
    """
    names = [one if isinstance(one, str) else one.name for one in opponents]
    both = [policy, *(one for one in opponents if isinstance(one, Policy))]
    guests = {one.name: one.guest for one in both if not one.is_level}
    pairings = list(dict.fromkeys(way for name in names for way in ((policy.name, name), (name, policy.name))))
    odds = odds_from(start, pairings, progress, guests) if guests else find(start, pairings, progress)
    wins = odds.first_wins
    return Scores(
        tuple(Score(name, wins[policy.name, name], 1 - wins[name, policy.name]) for name in names), odds.error
    )


@dataclass(frozen=True, slots=True)
class OwnPlay:
    """What a match of a policy against itself holds on average, both seats together."""

    decisions: float
    choices: float
    """Real choices."""
    kept: float = field(metadata=OMITTED)
    """Real choices that kept the best verdict."""
    regret: float
    """What all moves together gave away."""

    @property
    @member_as("kept")
    def share(self) -> float | None:
        """The share of its real choices that the policy keeps; None where it never has one."""
        return self.kept / self.choices if self.choices else None


def own_play(policy: Guest, solution: Solution, progress: Progress = silent) -> OwnPlay:
    """Return the exact regret of a policy under its own play."""
    if solution.rules.tie is Tie.SUDDEN_DEATH:
        raise SolverError(f"A match of {solution.rules.name} may go on for ever; its decisions are not counted.")
    canon = canon_of(solution.rules) if policy.mirrors else plain
    known: dict[Hashable, tuple[float, ...]] = {}

    def expected(position: Position) -> tuple[float, ...]:
        if position.outcome is not None:
            return (0.0, 0.0, 0.0, 0.0)
        key = canon(position)
        if key not in known:
            options = solution.options(position)
            given_away = {one.move: POINTS[options[0].value.verdict] - POINTS[one.value.verdict] for one in options}
            real = max(given_away.values()) > 0
            sums = [1.0, float(real), 0.0, 0.0]
            for move, share in zip(position.legal_moves(), policy.chances(position), strict=True):
                if share:
                    regret = given_away[move]
                    after = expected(position.play_unchecked(move))
                    here = (0.0, 0.0, float(real and not regret), regret)
                    sums = [s + share * (h + a) for s, h, a in zip(sums, here, after, strict=True)]
            known[key] = tuple(sums)
            if len(known) % _NOW_AND_THEN == 0:
                progress(f"{len(known):,} positions")
        return known[key]

    return OwnPlay(*expected(solution.start))
