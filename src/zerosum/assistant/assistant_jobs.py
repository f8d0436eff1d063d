"""Questions of an assistant that no page asks, for a worker process."""

from __future__ import annotations

from typing import Final

from zerosum.assistant.arguments import game_of
from zerosum.coach.answer_types import Document, SolutionDocument
from zerosum.coach.answers_json import solution_json
from zerosum.lab.audit import audit, audit_json
from zerosum.lab.dead_clauses import annotated_rules
from zerosum.rules.rules_dict import RulesDict, rules_from_dict
from zerosum.server.worker.job_table import job
from zerosum.server.worker.jobs import solved

MODULE: Final = __name__


@job("solution")
def _solution(rules: RulesDict) -> SolutionDocument:
    return solution_json(solved(rules_from_dict(rules)))


@job("told rules")
def _told_rules(rules: RulesDict) -> list[str]:
    return annotated_rules(rules_from_dict(rules))


@job("audit")
def _audit(rules: RulesDict, text: str) -> Document:
    """Audit the game that a text is about: its examples, and what it leaves out, are audited too."""
    solved(rules_from_dict(rules))  # refuses a game that is too large, before anything else is asked of it
    return dict(audit_json(audit(game_of(text))))
