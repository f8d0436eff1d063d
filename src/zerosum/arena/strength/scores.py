"""What a policy scores, exactly: against every built-in strength from either seat, and what its own play gives away."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field

from zerosum.arena.strength.best_response import PolicyGraph, policy_graph
from zerosum.arena.strength.named_policies import Policy
from zerosum.base.documents import OMITTED, member_as
from zerosum.base.progress import Progress, silent
from zerosum.players.ladder import FindOdds
from zerosum.players.levels import STRENGTHS, Score
from zerosum.players.odds import odds_from
from zerosum.players.policies import MovePolicy
from zerosum.rules.model import Tie
from zerosum.rules.position import Position
from zerosum.solver import Solution, SolverError
from zerosum.solver.graph import passes_of


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


def own_play(
    policy: MovePolicy, solution: Solution, progress: Progress = silent, on: PolicyGraph | None = None
) -> OwnPlay:
    """Return the exact regret of a policy under its own play; `on` is its graph, if the caller has it."""
    if solution.rules.tie is Tie.SUDDEN_DEATH:
        raise SolverError(f"A match of {solution.rules.name} may go on for ever; its decisions are not counted.")
    on = on or policy_graph(policy, solution.start, progress)
    # Who wins is not asked.
    won = array("d", bytes(8 * on.graph.size))
    (course,) = passes_of(on.graph).courses(on.graph, on.truth, [on.chances], [won])
    # Without draws, every change of the verdict gives away a whole point.
    return OwnPlay(course.mean, course.real, course.real - course.changes, course.changes)
