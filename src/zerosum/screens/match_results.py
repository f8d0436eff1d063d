"""What a browser has done against computers: the results of its matches, kept in a cookie.

`coach/next_step.py` makes of them what comes next. A match counts when its end is shown, once: the cookie says when the
last match that counts ended. Wins that beat a game stay when older results are dropped.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from zerosum.coach.next_step import MatchResult, beats
from zerosum.match.setup import Person
from zerosum.rules.game_files import BUILT_IN_IDS, is_built_in
from zerosum.screens.forms import Fields
from zerosum.strategy.card_player import PLAYERS
from zerosum.tables.table import Table

RESULTS_COOKIE: Final = "zerosum_results"
_KEPT: Final = 40
"""The latest results that are kept, beside the latest win that beat each game."""
_RESULT: Final = re.compile(r"([a-z0-9-]{1,64})!([a-z0-9:]{1,20})!([wl])", re.ASCII)
_TIME: Final = re.compile(r"[0-9]{1,15}", re.ASCII)


@dataclass(frozen=True, slots=True)
class BrowserResults:
    """The results that a browser remembers, the latest last, and when the last of these matches ended."""

    results: tuple[MatchResult, ...] = ()
    until: int = 0

    @property
    def row(self) -> int:
        """How many of the latest matches ended as the last did."""
        return next(
            (n for n, one in enumerate(reversed(self.results)) if one.won != self.results[-1].won), len(self.results)
        )


def browser_results(cookies: Fields) -> BrowserResults:
    """Return what a browser remembers; what cannot be read is left out."""
    until, *texts = cookies.get(RESULTS_COOKIE, "").split("|")
    found = map(_RESULT.fullmatch, texts)
    results = tuple(MatchResult(one[1], one[2], one[3] == "w") for one in found if one and _known(one[1], one[2]))
    return BrowserResults(results, int(until) if _TIME.fullmatch(until) else 0)


def _known(game: str, opponent: str) -> bool:
    return game in BUILT_IN_IDS and opponent in PLAYERS


def after_match(known: BrowserResults, table: Table, you: Person) -> BrowserResults:
    """Return what a browser remembers once it has seen the end of a match of one person against a computer."""
    outcome, rules = table.match.outcome, table.setup.rules
    if outcome is None or table.last.at <= known.until or not is_built_in(rules):
        return known
    result = MatchResult(rules.id, table.setup.who[you.other - 1], table.match.person(outcome.winner) is you)
    return BrowserResults(_shortened((*known.results, result)), table.last.at)


def _shortened(results: Sequence[MatchResult]) -> tuple[MatchResult, ...]:
    older, latest = results[:-_KEPT], results[-_KEPT:]
    beaten = {one.game: one for one in older if beats(one)}
    return (*beaten.values(), *latest)


def remember_results(made: BrowserResults) -> dict[str, str]:
    """Return the cookie of results."""
    texts = (f"{one.game}!{one.opponent}!{'w' if one.won else 'l'}" for one in made.results)
    return {RESULTS_COOKIE: "|".join([str(made.until), *texts])}
