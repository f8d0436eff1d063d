"""The audit of a game: what is wrong with it, each statement with moves that show it or a proof.

| part | looks at |
|---|---|
| `lemmas`, `endings` | clauses that can never apply |
| `worked_examples` | the examples of the rules file |
| `perfect_play` | the solution, and exact metrics |
| `same_as` | games that are the same though their files differ |
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from zerosum.base.documents import to_json
from zerosum.base.progress import Progress, silent
from zerosum.coach.bundled import VERSION, Figures
from zerosum.coach.evenness import even_to
from zerosum.lab.endings import Reachability, dead_clauses, endings, is_banned_something, what_happened
from zerosum.lab.findings import KINDS, Finding, KindEntry, Severity, finding_kind, worst_first
from zerosum.lab.lemmas import By, Evidence, What
from zerosum.lab.metrics import MetricsJson, metrics
from zerosum.lab.perfect_play import figure_findings, figures_of, perfect_play
from zerosum.lab.worked_examples import example_findings
from zerosum.rules.game_files import BUILT_IN_IDS, built_in
from zerosum.rules.model import Rules
from zerosum.rules.moves import format_move
from zerosum.rules.notation import parse_position
from zerosum.rules.position import Position, start_position
from zerosum.solver import Solution, SolverError, solve
from zerosum.solver.fingerprint import fingerprint
from zerosum.solver.supports import MOVE_CODES, refuse_unknown

SAME_AS: Final = finding_kind(
    "same-as",
    Severity.WARNING,
    220,
    "The game is a built-in or stored game with other numbers or another name.",
    judged=False,
)


def kinds() -> list[KindEntry]:
    """Return every kind of finding, in the order in which those of one severity are read."""
    return sorted(KINDS.values(), key=lambda kind: kind.place)


def same_as(rules: Rules, stored: Rules | None = None) -> Iterator[Finding]:
    """Report that a game is a built-in one, or one that was stored before."""
    mine = fingerprint(rules)
    known = [*map(built_in, BUILT_IN_IDS), *([stored] if stored is not None else [])]
    for other in known:
        if other.id != rules.id and fingerprint(other) == mine:
            words = f"This is {other.name}{_how(rules, other)}."
            proof = Evidence(By.ARITHMETIC, f"what differs changes no match; both have the fingerprint {mine[:12]}")
            yield Finding(SAME_AS, Severity.WARNING, words, proof=proof)
            return


def _how(rules: Rules, other: Rules) -> str:
    """Return how a game differs from one that is the same."""
    moved = rules.target - other.target
    if rules.pool == other.pool and all(one - two == moved for one, two in zip(rules.start, other.start, strict=True)):
        return f" with its numbers moved by {moved}" if moved else " under another name"
    if rules.pool == tuple(sorted(-number for number in other.pool)):
        return " with every number negated"
    if rules.pool == other.pool:
        return " seen from the other side of the target"
    return " with other signs, which change nothing where numbers are added and subtracted"


@dataclass(frozen=True, slots=True)
class Audit:
    """What was found, the worst first, and which endings the game has; `solved`: whether perfect play is known."""

    rules: Rules
    fingerprint: str
    findings: tuple[Finding, ...]
    endings: Mapping[What, Reachability]
    first: Mapping[str, float] | None
    """How often the first of two equal players wins, None if that was not measured."""
    solved: bool

    @property
    def counts(self) -> dict[str, int]:
        """How many findings there are of each severity."""
        found = Counter(one.severity for one in self.findings)
        return {severity.value: found[severity] for severity in Severity}


def audit(
    rules: Rules, progress: Progress = silent, stored: Rules | None = None, screened: MetricsJson | None = None
) -> Audit:
    """Return the audit of a game; of one too large to solve, what can be said without its solution.

    `stored` is the same game from the store, if there is one; `screened` are figures that are known.
    """
    found = endings(rules, progress=progress)
    for what, ending in found.items():
        check_ending(rules, what, ending)
    solution = _solution(rules, progress)
    findings = [*dead_clauses(rules, found), *example_findings(rules, found, solution, progress)]
    findings += same_as(rules, stored)
    figures = screened or (None if solution is None else figures_of(solution, progress))
    if solution is not None:
        findings += [*perfect_play(solution), *figure_findings(solution, figures)]
    for finding in findings:
        _check_witness(rules, finding)
    first = None if figures is None else {who: chance for who, chance in figures["first"].items() if who != "perfect"}
    return Audit(rules, fingerprint(rules), worst_first(findings), found, first, solution is not None)


def audit_json(one: Audit) -> dict[str, Any]:
    """Return an audit as JSON."""
    operations = one.rules.operations
    return {
        "game": one.rules.id,
        "fingerprint": one.fingerprint,
        "findings": to_json(one.findings),
        "counts": one.counts,
        "endings": {
            what.value: {
                "reachable": ending.reachable,
                "witness": [format_move(move, operations) for move in ending.witness] if ending.reachable else None,
            }
            for what, ending in one.endings.items()
            if what is not What.BAN
        },
        "first": None if one.first is None else {**one.first},
        "even_to": None if one.first is None else even_to(one.first),
        "solved": one.solved,
    }


def _solution(rules: Rules, progress: Progress) -> Solution | None:
    try:
        return solve(rules, progress=progress)
    except SolverError:
        refuse_unknown(MOVE_CODES, rules)
        return None


class WrongWitnessError(Exception):
    """Moves that do not show what they should: a bug, never shown as a finding."""


def check_ending(rules: Rules, what: What, ending: Reachability) -> None:
    """Play the moves that show an ending, by the rules."""
    if not ending.reachable:
        return
    position, happened = start_position(rules), None
    for move in ending.witness:
        before, position = position, position.play(move)
        happened = what_happened(before, move, position)
    if happened is not what and not (what is What.BAN and is_banned_something(position)):
        raise WrongWitnessError(f"{rules.name}: {what.value}")


def _check_witness(rules: Rules, finding: Finding) -> None:
    """Play the moves of a finding, by the rules."""
    position: Position = start_position(rules)
    if finding.example is not None and rules.examples[finding.example - 1].start and finding.witness:
        position = parse_position(rules.examples[finding.example - 1].start, rules)
    for text in finding.witness or ():
        position = position.play(text)
    if finding.witness is None and finding.proof is None:
        raise WrongWitnessError(f"{rules.name}: {finding.words}")


def compute_figures(rules: Rules) -> Figures:
    """Compute the figures that come with a built-in game."""
    return {"version": VERSION, "metrics": {**metrics(rules)}, "findings": audit_json(audit(rules))["findings"]}
