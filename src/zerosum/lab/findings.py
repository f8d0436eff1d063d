"""A finding: one statement about a game, with moves that show it or a proof that no moves can show otherwise."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

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


class FindingKind(str):
    """What a finding says: the name of one of `KINDS`."""

    __slots__ = ()

    @property
    def value(self) -> str:
        """The name alone."""
        return str(self)

    def __repr__(self) -> str:
        return f"FindingKind({str(self)!r})"


class KindEntry(NamedTuple):
    """What is known of a kind of finding."""

    name: FindingKind
    severity: Severity
    """How bad it mostly is."""
    place: int
    """Findings of one severity are read by their places."""
    says: str
    judged: bool
    """Whether a goal may speak of it: it is about how a game plays, whatever its name and its examples."""


KINDS: Final[dict[FindingKind, KindEntry]] = {}
"""Every kind by its name. Each is registered where its check is, so all are known once `lab.audit` is imported."""


def finding_kind(name: str, severity: Severity, place: int, says: str, *, judged: bool = True) -> FindingKind:
    """Register a kind of finding, and return its name."""
    kind = FindingKind(name)
    KINDS[kind] = KindEntry(kind, severity, place, says, judged)
    return kind


BLAMED: Final = (Severity.ERROR, Severity.DEAD)
"""The severities with which `--strict` fails."""
_WORST: Final = {severity: at for at, severity in enumerate(Severity)}


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
    return tuple(sorted(findings, key=lambda one: (_WORST[one.severity], KINDS[one.kind].place, one.example or 0)))
