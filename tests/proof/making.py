"""Making certificates, honest ones and others."""

from __future__ import annotations

import hashlib
from typing import Any

from zerosum.cli.commands.prove_commands import code_of, pattern_of
from zerosum.proof import certificate
from zerosum.proof.certificate import Certificate, walk
from zerosum.proof.checker import check
from zerosum.rules.model import Rules, rules_from_dict
from zerosum.solver import solve

Table = dict[str, Any]
SUDDEN: Table = {"target": 0, "totals": "own", "exhausted": "closest", "tie": "sudden-death"}


def variant(**keys: object) -> Rules:
    """Return the rules of a variant."""
    return rules_from_dict(
        {"format": 1, "id": "proven", "name": "Proven", **{k.replace("_", "-"): v for k, v in keys.items()}}
    )


def claims(rules: Rules) -> Certificate:
    """Return what an honest certificate of a game says."""
    solution = solve(rules, 1 << 24)
    pattern = pattern_of(solution)
    return Certificate(rules, pattern, [code_of(solution.value(position)) for position, _ in walk(rules, pattern)])


def written(said: Certificate) -> bytes:
    return certificate.write(said.rules, said.pattern, said.codes)


def prove(rules: Rules) -> bytes:
    """Return an honest certificate."""
    return written(claims(rules))


def verify(data: bytes) -> int:
    """Return how many positions were checked, or raise."""
    return check(certificate.read(data), lambda _: None).positions


def sealed(body: bytes, version: int = 1) -> bytes:
    """Return any body with a head that fits it."""
    return f"zerosum certificate {version}\nsha256 {hashlib.sha256(body).hexdigest()}\n".encode() + body
