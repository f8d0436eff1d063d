"""How good a game is, for a page: three pictures, the figures behind them, and what the audit found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from zerosum.base.reports import bars
from zerosum.lab.findings import FindingDocument
from zerosum.server.worker.lab_jobs import MEASURED_PLAYERS

_BETWEEN: Final = "level:5"
"""The players whose matches the words and the picture of lengths are about."""
_SEVERITIES: Final = {
    "error": "Error",
    "dead": "Never applies",
    "decided": "Decided",
    "warning": "Warning",
    "note": "Note",
}


@dataclass(frozen=True, slots=True)
class QualityRow:
    """What is measured of matches between two equal players."""

    who: str
    first: float
    moves: float
    choices: float


@dataclass(frozen=True, slots=True)
class GameQuality:
    """What a page shows of how good a game is; a picture is SVG, empty where nothing was measured."""

    words: str
    first: str
    lengths: str
    choices: str
    rows: list[QualityRow]
    findings: list[tuple[str, str, str]]
    """The severity as a key and in words, and what was found."""
    unmeasured: str = ""


def unknown_quality(why: str) -> GameQuality:
    """Return what is shown of a game that was not measured."""
    return GameQuality("", "", "", "", [], [], why)


def quality_of(metrics: Mapping[str, Any], findings: Sequence[FindingDocument]) -> GameQuality:
    """Return what is shown of the figures and findings of a game."""
    said = [(one["severity"], _SEVERITIES[one["severity"]], one["words"]) for one in findings]
    first, moves, choices = metrics["first"], metrics["length"], metrics["density"]
    rows = [QualityRow(_title(who), first[who], moves[who]["mean"], choices[who]) for who in MEASURED_PLAYERS]
    whole = metrics["scope"] == "whole"
    return GameQuality(
        words=(
            f"Between two players of level 5 the first player wins {_percent(first[_BETWEEN])}. A "
            f"{'match' if whole else 'round'} takes {moves[_BETWEEN]['mean']:.1f} moves on average, and at "
            f"{_percent(choices[_BETWEEN])} of them the choice decides who wins."
        ),
        first=bars(_by_player(first), "How often the first player wins between equals, in per cent", half=True),
        lengths=bars(moves[_BETWEEN]["chances"], "How many moves a match takes at level 5, in per cent of matches"),
        choices=bars(_by_player(choices), "Moves at which the choice decides, in per cent of moves"),
        rows=rows,
        findings=said,
    )


def _by_player(figures: Mapping[str, float]) -> dict[str, float]:
    return {_mark(who): figures[who] for who in MEASURED_PLAYERS}


def _mark(who: str) -> str:
    return "R" if who == "random" else who.removeprefix("level:")


def _title(who: str) -> str:
    return "Random" if who == "random" else f"Level {_mark(who)}"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
