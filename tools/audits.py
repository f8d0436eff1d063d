"""The page of the audit: a rules file for each kind of finding, and the finding as the command prints it."""

from __future__ import annotations

import re
from typing import Final

from tools.calls import DOCS, fence, printed
from zerosum.lab.audit import kinds
from zerosum.lab.findings import Severity


def finding(kind: str) -> str:
    """Return the file that has a kind of finding, and what the audit of it says of that kind."""
    path = f"audit/{kind}.toml"
    said = printed(("audit", path))
    found = re.findall(rf"^  {kind}: .*\n(?:      .*\n)*", said, re.MULTILINE)
    if not found:
        raise SystemExit(f"The audit of {path} has no finding of the kind {kind}.")
    source = fence((DOCS / path).read_text(encoding="utf-8"), "toml")
    return f"{source}\n{fence(f'$ zerosum audit {path}{chr(10)}...{chr(10)}{found[0]}')}"


_HEADINGS: Final = {
    Severity.ERROR: "Errors",
    Severity.DEAD: "Dead",
    Severity.DECIDED: "Decided",
    Severity.WARNING: "Warnings",
    Severity.NOTE: "Notes",
}


def findings() -> str:
    """Return every kind of finding under its severity: what it says, a file that has it, and what the audit prints."""
    parts = []
    for severity, heading in _HEADINGS.items():
        parts.append(f"## {heading}")
        parts += [
            f"### {kind.name}\n\n{kind.says}\n\n{finding(kind.name).rstrip()}"
            for kind in kinds()
            if kind.severity is severity
        ]
    return "\n\n".join(parts) + "\n"
