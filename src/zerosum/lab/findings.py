"""A finding: one statement about a game, with moves that show it or a proof that no moves can show otherwise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from zerosum.base.documents import OMITTED
from zerosum.base.enums import StrChoice
from zerosum.lab.lemmas import Evidence


class Severity(StrChoice):
    """How bad a finding is, the worst first."""

    ERROR = "error"
    DEAD = "dead"
    DECIDED = "decided"
    WARNING = "warning"
    NOTE = "note"


class FindingKind(StrChoice):
    """What a finding says."""

    EXAMPLE_ILLEGAL = "example-illegal"
    EXAMPLE_TOTAL = "example-total"
    EXAMPLE_POOL = "example-pool"
    EXAMPLE_OUTCOME = "example-outcome"
    EXAMPLE_IMPOSSIBLE = "example-impossible"
    UNREACHABLE_TARGET = "unreachable-target"
    DEAD_ENDING = "dead-ending"
    DEAD_TIE = "dead-tie"
    DEAD_BAN = "dead-ban"
    SWAP_ALWAYS = "swap-always"
    SWAP_NEVER = "swap-never"
    DECIDED_AT_ONCE = "decided-at-once"
    DECIDED_OPENINGS = "decided-openings"
    PARITY_ONLY = "parity-only"
    NEVER_ENDS = "never-ends"
    SIMPLE_STRATEGY = "simple-strategy"
    USELESS_NUMBER = "useless-number"
    SEAT = "seat"
    SHORT = "short"
    LONG = "long"
    EARLY = "early"
    SAME_AS = "same-as"
    EXAMPLE_MISSED_WIN = "example-missed-win"


BLAMED: Final = (Severity.ERROR, Severity.DEAD)
"""The severities with which `--strict` fails."""
_WORST: Final = {severity: at for at, severity in enumerate(Severity)}
_FIRST: Final = {kind: at for at, kind in enumerate(FindingKind)}


FindingDocument = dict[str, Any]
"""A finding as JSON."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A statement, the clause that it is about (letter for letter as the rules in words), and what shows it."""

    kind: FindingKind
    severity: Severity
    clause: str | None = field(default=None, kw_only=True)
    words: str
    witness: tuple[str, ...] | None = None
    proof: Evidence | None = None
    key: str | None = field(default=None, kw_only=True, metadata=OMITTED)
    """The key that a clause which never applies comes from; a file that leaves the key out is not blamed."""
    example: int | None = None
    """The number of the example that it is about, from 1."""


def worst_first(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return findings in the order in which they are read."""
    return tuple(sorted(findings, key=lambda one: (_WORST[one.severity], _FIRST[one.kind], one.example or 0)))


def counts(findings: Iterable[Finding]) -> dict[str, int]:
    """Return how many findings there are of each severity."""
    found = Counter(one.severity for one in findings)
    return {severity.value: found[severity] for severity in Severity}
