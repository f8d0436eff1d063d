"""How good a game is, as a page shows it: figures, pictures and findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from zerosum.base.reports import bars
from zerosum.coach.evenness import EVEN, MEASURED_PLAYERS, ChangeDocument, even_to, even_words, seat_decides

_BETWEEN: Final = "level:5"
"""The players whose matches the words and the picture of lengths are about."""
MADE_EVEN: Final = 7
"""The level up to which a game is made even, as the goal `even` has it."""
_SHOWN: Final = 3
"""Changes that are offered."""
_PICTURE: Final = "How often the first player wins between equals, in per cent"
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
    """What a page shows of how good a game is; a picture is SVG, empty if nothing was measured."""

    headline: str
    words: str
    first: str
    lengths: str
    choices: str
    rows: list[QualityRow]
    findings: list[tuple[str, str, str]]
    """The severity as a key and in words, and what was found."""
    unmeasured: str = ""


@dataclass(frozen=True, slots=True)
class SeatBalance:
    """Who wins between equals, in words and as a picture; `even_to` as in the metrics."""

    words: str = ""
    picture: str = ""
    decides: bool = True
    """Whether the seat decides too much, as far as is known."""
    even: bool = False
    """Whether nothing is to be made more even."""
    unmeasured: str = ""


def seat_balance(first: Mapping[str, float]) -> SeatBalance:
    """Return what is shown of how often the first player wins, for each player against an equal one."""
    level = even_to(first)
    picture = bars(_by_player(first), _PICTURE, band=EVEN)
    return SeatBalance(even_words(level), picture, seat_decides(level), level is not None and level >= MADE_EVEN)


@dataclass(frozen=True, slots=True)
class EvenerGame:
    """A change that makes a more even game, in words, who wins then, and the rules file with it."""

    words: str
    text: str
    seats: SeatBalance


def best_of(found: Sequence[ChangeDocument]) -> list[EvenerGame]:
    """Return the changes with the best scores."""
    return [_evener(one) for one in sorted(found, key=lambda one: (-one["score"], one["text"]))[:_SHOWN]]


def most_even(tried: Sequence[ChangeDocument]) -> list[EvenerGame]:
    """Return the changes after which a game is even up to the highest levels."""
    games = sorted(tried, key=lambda one: (-_level(one["first"]), -one["score"], one["text"]))
    return [_evener(one) for one in games[:_SHOWN]]


def _level(first: Mapping[str, float]) -> int:
    level = even_to(first)
    return -1 if level is None else level


def _evener(change: ChangeDocument) -> EvenerGame:
    return EvenerGame(change["words"], change["text"], seat_balance(change["first"]))


def unknown_quality(why: str) -> GameQuality:
    """Return what is shown of a game that was not measured."""
    return GameQuality("", "", "", "", "", [], [], why)


def quality_of(metrics: Mapping[str, Any], findings: Sequence[Mapping[str, Any]]) -> GameQuality:
    """Return what is shown of the figures and findings of a game."""
    said = [(one["severity"], _SEVERITIES[one["severity"]], one["words"]) for one in findings]
    first, moves, choices = metrics["first"], metrics["length"], metrics["density"]
    rows = [QualityRow(_title(who), first[who], moves[who]["mean"], choices[who]) for who in MEASURED_PLAYERS]
    whole = metrics["scope"] == "whole"
    return GameQuality(
        headline=f"Between equals this game is {even_words(even_to(first))}.",
        words=(
            f"Between two players of level 5 the first player wins {_percent(first[_BETWEEN])}. A "
            f"{'match' if whole else 'round'} takes {moves[_BETWEEN]['mean']:.1f} moves on average, and at "
            f"{_percent(choices[_BETWEEN])} of them the choice decides who wins."
        ),
        first=bars(_by_player(first), _PICTURE, band=EVEN),
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
