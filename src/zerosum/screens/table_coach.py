"""What the coach is asked on the page of a table, by its address alone, and what it says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urlencode

from zerosum.jobs.game_jobs import ReasonDocument
from zerosum.jobs.teaching_jobs import CommentDocument
from zerosum.screens.forms import Fields
from zerosum.screens.line_of_play import MoveWorth
from zerosum.tables.limits import MOVE_LENGTH
from zerosum.tables.table import Table

STEPS: Final = 3
"""The steps of a hint: is there a good move, which is it, and why."""


@dataclass(frozen=True, slots=True)
class CoachQuery:
    """What the address asks for besides the table: values, a step of a hint, a reason, a forfeit to confirm.

    All but the values are about one position, and so go with the version `at` which it stood.
    """

    table: str
    values: bool = False
    hint: int = 0
    why: str = ""
    sure: str = ""
    at: int = 0

    def query(self, **changed: object) -> str:
        """Return the query of an address that asks for this, with some of it changed."""
        asked = {"values": int(self.values), "hint": self.hint, "why": self.why, "sure": self.sure} | changed
        given = {name: value for name, value in asked.items() if value}
        here = {"at": self.at} if set(given) - {"values"} else {}
        return f"?{urlencode(given | here)}" if given else ""

    def about(self, table: Table) -> CoachQuery:
        """Return what of this is still asked of a table as it is now."""
        return self if self.at == table.version else CoachQuery(self.table, values=self.values, at=table.version)

    def link(self, **changed: object) -> str:
        """Return the address that asks for this, with some of it changed."""
        return f"/tables/{self.table}{self.query(**changed)}"


SILENT: Final[CommentDocument] = {"own": [], "their": [], "need": None, "trap": "", "let_go": False}
"""What the coach says if no choice mattered."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What the coach said; `problem` is why it could not."""

    values: Sequence[MoveWorth] = ()
    hint: Sequence[str] = ()
    move: str = ""
    """The move that the hint speaks of."""
    behind: ReasonDocument | None = None
    """What is behind the last step of the hint."""
    why: ReasonDocument | None = None
    problem: str = ""
    comment: CommentDocument | None = None
    """What it says unasked while a match is played; None if it is switched off."""


def coach_query(query: Fields, table: Table) -> CoachQuery:
    """Return what an address asks for; what cannot be read, or is about another position, is not asked."""
    asked = CoachQuery(table.id, values=query.get("values") == "1", at=table.version)
    if query.get("at") != str(table.version):
        return asked
    step = query.get("hint", "")
    return replace(
        asked,
        hint=int(step) if step in map(str, range(1, STEPS + 1)) else 0,
        why=query.get("why", "")[:MOVE_LENGTH],
        sure=query.get("sure", "")[:MOVE_LENGTH],
    )
