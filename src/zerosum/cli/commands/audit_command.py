"""`zerosum audit`.

- audit (Design 2): What is wrong with a game, with proofs.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import click

from zerosum.base.english import count
from zerosum.cli.lab_access import first_bars, seat_advice, with_store
from zerosum.cli.parameters import game_argument, json_option, print_answer
from zerosum.cli.progress_line import progress_line
from zerosum.cli.user_data import home
from zerosum.coach.bundled import bundled_figures
from zerosum.coach.evenness import even_to, even_words
from zerosum.lab.audit import Audit, audit, audit_json
from zerosum.lab.findings import BLAMED, Finding, Severity
from zerosum.lab.lemmas import What
from zerosum.lab.store import NAME
from zerosum.rules.model import Rules
from zerosum.rules.moves import format_move

_HEADS: Final = {
    Severity.ERROR: "Errors: the file contradicts itself",
    Severity.DEAD: "Dead: written down, but it can never apply",
    Severity.DECIDED: "Decided: settled whatever some choice is",
    Severity.WARNING: "Warnings",
    Severity.NOTE: "Notes",
}


@click.command
@game_argument
@click.option("--strict", is_flag=True, help="Exit with 1 if there is an error, or something dead.")
@json_option
def audit_command(*, game: Rules, strict: bool, as_json: bool) -> int:
    r"""Say what is wrong with GAME: what can never happen, what is settled anyway, which examples are wrong.

    Each statement comes with moves that show it, or with a proof.

    \b
    Examples:
      zerosum audit sum31
      zerosum audit ./my-variant.toml --strict
      zerosum audit zero-sum-game --json
    """
    # Without a store none is made to look for a game that was kept before and is the same.
    same = with_store(lambda store: store.game(game)) if (Path(home()) / NAME).exists() else None
    with progress_line(f"Auditing {game.name}") as say:
        found = audit(game, say, same)
    print_answer(as_json, lambda: audit_json(found), lambda: _as_text(found))
    return 1 if strict and any(found.counts[severity.value] for severity in BLAMED) else 0


def _as_text(found: Audit) -> list[str]:
    counts = {severity: found.counts[severity.value] for severity in Severity}
    alike = (Severity.DEAD, Severity.DECIDED)
    summary = ", ".join(count(n, one.value, one.value if one in alike else "") for one, n in counts.items() if n)
    lines = [f"{found.rules.name}: {summary or 'nothing found'}"]
    if not found.solved:
        lines.append("It is too large to solve, so the audit says nothing about perfect play.")
    first = _first(found)
    if first is not None:
        lines += ["", f"Between equals it is {even_words(even_to(first))}.", *first_bars(first), *seat_advice(first)]
    for severity, head in _HEADS.items():
        findings = [finding for finding in found.findings if finding.severity is severity]
        if findings:
            lines += ["", head]
            lines += [line for finding in findings for line in _finding(finding)]
    return [*lines, "", "How a match can end", *_endings(found)]


def _first(found: Audit) -> Mapping[str, float] | None:
    """Return who wins between equals; of a large game, as far as it comes with the package."""
    figures = bundled_figures(found.rules) if found.first is None else None
    return found.first if figures is None else figures["metrics"]["first"]


def _finding(one: Finding) -> list[str]:
    lines = [f"  {one.kind}: {one.words}"]
    if one.clause is not None:
        lines.append(f"      The clause: {one.clause}")
    if one.witness:
        lines.append(f"      Shown by: {' '.join(one.witness)}")
    if one.proof is not None:
        over = f" over {one.proof.positions:,} positions" if one.proof.positions else ""
        # Words that the finding has said already are not said again.
        how = "" if one.proof.words in one.words else f": {one.proof.words}"
        lines.append(f"      Proved by {one.proof.by.value}{over}{how}.")
    return lines


def _endings(found: Audit) -> list[str]:
    lines = []
    for what, ending in found.endings.items():
        if what is What.BAN:
            continue
        line = " ".join(format_move(move, found.rules.operations) for move in ending.witness)
        said = {True: line, False: "never", None: "not settled"}[ending.reachable]
        lines.append(f"  {what.value:16}{said}")
    return lines
