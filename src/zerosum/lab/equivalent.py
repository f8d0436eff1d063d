"""Games that are the same for whoever plays them, though their files differ."""

from __future__ import annotations

from collections.abc import Iterator

from zerosum.lab.findings import Finding, Kind, Severity
from zerosum.lab.fingerprint import fingerprint
from zerosum.lab.lemmas import By, Proof
from zerosum.rules.files import GAME_IDS, built_in
from zerosum.rules.model import Rules


def same_as(rules: Rules, stored: Rules | None = None) -> Iterator[Finding]:
    """Yield that a game is one of those built in, or one that was kept before."""
    mine = fingerprint(rules)
    known = [*map(built_in, GAME_IDS), *([stored] if stored is not None else [])]
    for other in known:
        if other.id != rules.id and fingerprint(other) == mine:
            words = f"This is {other.name}{_how(rules, other)}."
            proof = Proof(By.ARITHMETIC, f"what differs changes no match; both have the fingerprint {mine[:12]}")
            yield Finding(Kind.SAME_AS, Severity.WARNING, words, proof=proof)
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
