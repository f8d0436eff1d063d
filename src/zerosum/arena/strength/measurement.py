"""All that is known of a policy: its scores against every built-in strength, its best response, its own play."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field

from zerosum.arena.strength.best_response import Exploitability, PolicyGraph, exploitability_on, policy_graph
from zerosum.arena.strength.named_policies import Policy
from zerosum.base.documents import OMITTED, inline, member, member_as
from zerosum.base.progress import Progress, silent
from zerosum.players.ladder import FindOdds
from zerosum.players.levels import STRENGTHS, Score
from zerosum.players.odds import clean, odds_from
from zerosum.players.policies import MovePolicy
from zerosum.rules.model import Rules, Tie
from zerosum.rules.position import Position
from zerosum.solver import Solution, SolverError
from zerosum.solver.graph import passes_of
from zerosum.solver.graph_passes import MatchFigures


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


def scores_on(on: PolicyGraph, progress: Progress = silent) -> Scores:
    """Return the exact score of a policy against every built-in strength, from the start of its graph."""
    levels = list(STRENGTHS.values())
    guest = len(levels)
    pairs = [pair for level in range(guest) for pair in ((guest, level), (level, guest))]
    meeting = passes_of(on.graph).meet(on.graph, on.truth, [*levels, on.chances], pairs, progress=progress)
    wins = [clean(chance) for chance in meeting.starts[0]]
    return Scores(tuple(Score(who, wins[2 * at], 1 - wins[2 * at + 1]) for at, who in enumerate(STRENGTHS)), error=0.0)


def own_play(policy: MovePolicy, solution: Solution, progress: Progress = silent) -> OwnPlay:
    """Return the exact regret of a policy under its own play."""
    if solution.rules.tie is Tie.SUDDEN_DEATH:
        raise SolverError(f"A match of {solution.rules.name} may go on for ever; its decisions are not counted.")
    return _own_play(policy_graph(policy, solution.start, progress))


def _own_play(on: PolicyGraph) -> OwnPlay:
    # Who wins is not asked.
    won = array("d", bytes(8 * on.graph.size))
    figures: MatchFigures = {"real": lambda ply: ply.real, "slips": lambda ply: ply.slip}
    (course,) = passes_of(on.graph).courses(on.graph, on.truth, [on.chances], [won], figures)
    # Without draws, every change of the verdict gives away a whole point.
    real, slips = course.figures["real"], course.figures["slips"]
    return OwnPlay(course.mean, real, real - slips, slips)


@dataclass(frozen=True, slots=True)
class PolicyReport:
    """A policy, measured. If matches may go on for ever, best response and own play are None."""

    policy: str
    rules: Rules = field(metadata=OMITTED)
    scores: Scores = field(metadata=inline())
    best_response: Exploitability | None
    own_play: OwnPlay | None
    before_refill: Exploitability | None = field(default=None, metadata=OMITTED)
    """If matches may go on for ever: the least that the best response wins, before the pool is first refilled."""

    @member
    def game(self) -> str:
        """Return the id of the game."""
        return self.rules.id

    @member_as("from")
    def counted_from(self) -> str:
        """Return the position that all figures are counted from."""
        return "start"

    @member
    def exploitability(self) -> float | None:
        """Return the exploitability, None if no exact best response is known."""
        return None if self.best_response is None else self.best_response.value

    @property
    @member
    def at_least(self) -> float:
        """The least that the exploitability can be: what built-in players, or a win before the first refill, gain."""
        if self.best_response is not None:
            return self.best_response.value
        error = self.scores.error
        as_first = max(1 - score.as_second for score in self.scores.against) - error
        as_second = max(1 - score.as_first for score in self.scores.against) - error
        if self.before_refill is not None:
            as_first = max(as_first, self.before_refill.as_first)
            as_second = max(as_second, self.before_refill.as_second)
        return max(0.0, Exploitability(as_first, as_second).value)


def report_on_graph(name: str, on: PolicyGraph, scores: Scores) -> PolicyReport:
    """Return how strong a policy is whose chances and scores are known."""
    return PolicyReport(name, on.graph.rules, scores, exploitability_on(on), _own_play(on))


def report_on_round(name: str, on: PolicyGraph, scores: Scores) -> PolicyReport:
    """Return the same if matches may go on for ever; the graph ends where the pool is first refilled."""
    return PolicyReport(name, on.graph.rules, scores, None, None, exploitability_on(on))
