"""Clauses that can never apply, as findings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from zerosum.base.english import seat_name
from zerosum.lab.endings import Reachability, endings
from zerosum.lab.findings import Finding, FindingKind, Severity, finding_kind
from zerosum.lab.lemmas import ALWAYS_DEAD, By, Evidence, What, lemmas
from zerosum.rules.describe import clause_of, describe
from zerosum.rules.model import Rules, Seat, Totals
from zerosum.solver.sums import never_makes

UNREACHABLE_TARGET: Final = finding_kind(
    "unreachable-target",
    Severity.DEAD,
    60,
    "Nobody can make the target. If only one of the two players cannot, it is a warning.",
)
DEAD_ENDING: Final = finding_kind("dead-ending", Severity.DEAD, 70, "A match can never end in this way.")
DEAD_TIE: Final = finding_kind("dead-tie", Severity.DEAD, 80, "The players can never be equally close.")
DEAD_BAN: Final = finding_kind("dead-ban", Severity.DEAD, 90, "The ban never forbids a move.")

_KINDS: Final = {
    What.REACHED: UNREACHABLE_TARGET,
    What.OVERSHOT: DEAD_ENDING,
    What.LAST_MOVER: DEAD_ENDING,
    What.CLOSER: DEAD_ENDING,
    What.TIE: DEAD_TIE,
    What.REFILL: DEAD_TIE,
    What.BAN: DEAD_BAN,
}
_KEYS: Final = {What.REACHED: "target", What.OVERSHOT: "overshoot", What.BAN: "ban", What.LAST_MOVER: "exhausted"}
"""The key that a clause comes from; a rules file can leave out only some of them."""
_QUICKLY: Final = 2_000
"""Positions that may be gone through before the rules are shown: a moment."""


def dead_clauses(rules: Rules, found: Mapping[What, Reachability]) -> Iterator[Finding]:
    """Yield a finding for each clause that can never apply, and for each that was not seen to."""
    clauses = clause_of(rules)
    for what, ending in found.items():
        if ending.reachable or ending.proof is None:
            continue
        yield Finding(
            _KINDS[what],
            _severity(rules, what, ending),
            _words(rules, what, ending),
            proof=ending.proof,
            clause=clauses[what.value],
            key=_KEYS.get(what),
        )
    yield from _out_of_reach_for_one(rules, found)


def cannot_happen(rules: Rules, found: Mapping[What, Reachability]) -> dict[str, str]:
    """Return the clauses that can never apply, each with the reason, as a sentence to stand below it."""
    clauses = clause_of(rules)
    return {
        clauses[what.value]: f"This cannot happen here: {ending.proof.words}."
        for what, ending in found.items()
        if ending.reachable is False and ending.proof is not None
    }


def annotated_rules(rules: Rules) -> list[str]:
    """Return the rules in words, one clause a line; below one that can never apply, indented, why not."""
    never = cannot_happen(rules, endings(rules, _QUICKLY))
    return [line for clause in describe(rules) for line in (clause, f"  {never.get(clause, '')}") if line.strip()]


def _severity(rules: Rules, what: What, ending: Reachability) -> Severity:
    blamed = ending.reachable is False and ending.proof is not None and _is_blamed(rules, what, ending.proof)
    return Severity.DEAD if blamed else Severity.NOTE


def _is_blamed(rules: Rules, what: What, proof: Evidence) -> bool:
    """Return whether a file is to blame for a clause that never applies: somebody wrote it, and few games have it."""
    return proof.lemma != ALWAYS_DEAD and _KEYS.get(what) not in rules.left_out


def dead_by_arithmetic(rules: Rules) -> list[FindingKind]:
    """Return the kinds of the dead clauses that arithmetic alone shows."""
    return [_KINDS[what] for what, proof in lemmas(rules).items() if _is_blamed(rules, what, proof)]


def _words(rules: Rules, what: What, ending: Reachability) -> str:
    because = ending.proof.words if ending.proof else ""
    if ending.reachable is None:
        return f"{_EVENTS[what].format(target=rules.target).capitalize()}: {because}."
    return f"{_NEVER[what].format(target=rules.target)}: {because}."


_EVENTS: Final = {
    What.REACHED: "a total of exactly {target}",
    What.OVERSHOT: "a total past {target}",
    What.LAST_MOVER: "an empty pool",
    What.CLOSER: "an empty pool with one player closer",
    What.TIE: "an empty pool with both equally close",
    What.REFILL: "an empty pool with both equally close",
    What.BAN: "a move that the ban forbids",
}
_NEVER: Final = {
    What.REACHED: "Nobody can ever make {target}",
    What.OVERSHOT: "Nobody can ever pass {target}",
    What.LAST_MOVER: "The pool can never be empty without a winner",
    What.CLOSER: "Nobody can ever be closer when the pool is empty",
    What.TIE: "The players can never be equally close when the pool is empty",
    What.REFILL: "The players can never be equally close when the pool is empty",
    What.BAN: "The ban never forbids a move",
}


def _out_of_reach_for_one(rules: Rules, found: Mapping[What, Reachability]) -> Iterator[Finding]:
    """Warn if one seat alone can never make the target."""
    unmade = [seat for seat in Seat if never_makes(rules, seat)]
    if rules.totals is Totals.OWN and len(unmade) == 1 and found[What.REACHED].reachable:
        who = seat_name(unmade[0])
        words = f"The {who} player can never make {rules.target}; the other can."
        proof = Evidence(By.ARITHMETIC, f"no numbers that the {who} player can take make {rules.target}")
        clause = clause_of(rules)[What.REACHED.value]
        yield Finding(UNREACHABLE_TARGET, Severity.WARNING, words, proof=proof, clause=clause)
