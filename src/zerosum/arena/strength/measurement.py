"""All that is known of a policy: its scores, its best response, and what its own play gives away."""

from __future__ import annotations

from dataclasses import dataclass, field

from zerosum.arena.strength.best_response import Exploitability, exploitability, policy_graph
from zerosum.arena.strength.named_policies import Policy
from zerosum.arena.strength.scores import OwnPlay, Scores, own_play, scores_of
from zerosum.base.documents import OMITTED, inline, member
from zerosum.base.progress import Progress, silent
from zerosum.players.ladder import FindOdds
from zerosum.players.odds import odds_from
from zerosum.rules.model import Rules, Tie
from zerosum.solver import solution_of


@dataclass(frozen=True, slots=True)
class PolicyReport:
    """A policy, measured. Where matches may go on for ever, best response and own play are None."""

    policy: str
    rules: Rules = field(metadata=OMITTED)
    scores: Scores = field(metadata=inline())
    best_response: Exploitability | None
    own_play: OwnPlay | None

    @member
    def game(self) -> str:
        """Return the id of the game."""
        return self.rules.id

    @member
    def exploitability(self) -> float | None:
        """Return the exploitability, None if no exact best response is known."""
        return None if self.best_response is None else self.best_response.value

    @property
    @member
    def at_least(self) -> float:
        """The least that the exploitability can be: what the best of the built-in players gain in either seat."""
        if self.best_response is not None:
            return self.best_response.value
        as_first = max(1 - score.as_second for score in self.scores.against)
        as_second = max(1 - score.as_first for score in self.scores.against)
        return max(0.0, as_first + as_second - 1 - 2 * self.scores.error)


def report_on(policy: Policy, rules: Rules, progress: Progress = silent, find: FindOdds = odds_from) -> PolicyReport:
    """Return how strong a policy is in a game; `find` finds the chances of built-in strengths."""
    solution = solution_of(rules)
    # Games without a graph are refused first.
    on = None if rules.tie is Tie.SUDDEN_DEATH else policy_graph(policy.guest, solution.start, progress)
    scores = scores_of(policy, solution.start, progress=progress, find=find)
    if on is None:
        return PolicyReport(policy.name, rules, scores, None, None)
    best = exploitability(policy.guest, rules, progress, on)
    return PolicyReport(policy.name, rules, scores, best, own_play(policy.guest, solution, progress, on))
