"""A report from records alone: matches that somebody else played, anywhere, under whatever names.

Records need not come in pairs, so each match is one observation: ratings and their intervals are those of the arena,
over matches in place of pairs. Results follow from the moves, and decisions are judged as in a run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from zerosum.arena.strength.people import Find, PersonStrength, people_in
from zerosum.arena.strength.ratings import Rating, ratings_of
from zerosum.base.documents import member
from zerosum.base.errors import RecordError
from zerosum.match.match import Match
from zerosum.match.setup import Person
from zerosum.players.odds import FindOdds, odds_from


@dataclass(frozen=True, slots=True)
class RecordedPlayer:
    """A name in some records: what it scored, its rating, and what its decisions kept, if the games can be solved."""

    name: str
    finished: int
    """Its matches that ended."""
    won: int
    elo: float
    elo_low: float
    elo_high: float
    strength: PersonStrength | None
    """Its decisions against the truth; None if none of its games can be solved."""

    @property
    @member
    def score(self) -> float:
        """Its share of the points."""
        return self.won / self.finished


@dataclass(frozen=True, slots=True)
class RecordedPairing:
    """Two names in one game: how many matches, and how many the first-named won."""

    a: str
    b: str
    game: str
    matches: int
    won: int


@dataclass(frozen=True, slots=True)
class RecordsReport:
    """Some records as a report."""

    records: int
    unfinished: int
    """Of them, those without a result: they count for decisions alone."""
    games: tuple[str, ...]
    entrants: tuple[RecordedPlayer, ...]
    """The strongest first."""
    pairings: tuple[RecordedPairing, ...]


class _Ended(NamedTuple):
    """A match that has ended: its players as the report calls them, in the order of their names."""

    a: str
    b: str
    game: str
    winner: str


def _ended(matches: Sequence[Match], name_of: Callable[[str, str], str]) -> Iterator[_Ended]:
    for match in matches:
        if match.outcome is not None:
            one, two = (name_of(match.setup.name(person), match.setup.who[person - 1]) for person in Person)
            winner = (one, two)[match.person(match.outcome.winner) - 1]
            yield _Ended(min(one, two), max(one, two), match.setup.rules.id, winner)


def _pairings(finished: Sequence[_Ended]) -> dict[tuple[str, str, str], list[bool]]:
    """Return for each two players in each game whether A won each match."""
    pairings: dict[tuple[str, str, str], list[bool]] = {}
    for match in finished:
        pairings.setdefault((match.a, match.b, match.game), []).append(match.winner == match.a)
    return pairings


def _results(pairings: Mapping[tuple[str, str, str], Sequence[bool]]) -> dict[tuple[str, str], list[int]]:
    """Return the matches of each pairing in all games: those that A lost first, those that A won last."""
    results: dict[tuple[str, str], list[int]] = {}
    for (a, b, _), wins in pairings.items():
        cells = results.setdefault((a, b), [0] * 5)
        cells[0] += wins.count(False)
        cells[-1] += wins.count(True)
    return results


def report_on_records(matches: Sequence[Match], find: Find, odds: FindOdds = odds_from) -> RecordsReport:
    """Return the report of some matches.

    Players are told apart by name. If a name stands for different kinds of players, their kind is added to it.
    """
    players = {(match.setup.name(person), match.setup.who[person - 1]) for match in matches for person in Person}
    kinds = Counter(name for name, _ in players)

    def name_of(name: str, who: str) -> str:
        return name if kinds[name] == 1 else f"{name} ({who})"

    finished = list(_ended(matches, name_of))
    if not finished:
        raise RecordError("None of the matches has ended, so there is nothing to report.")
    if any(match.a == match.b for match in finished):
        raise RecordError("In one of the matches both players have the same name; give them two names.")
    pairings = _pairings(finished)
    strengths = {name_of(one.name, one.who): one for one in people_in(matches, find, odds=odds)}
    played = Counter(name for match in finished for name in (match.a, match.b))
    won_by = Counter(match.winner for match in finished)
    ratings = ratings_of(_results(pairings), "records")
    return RecordsReport(
        records=len(matches),
        unfinished=len(matches) - len(finished),
        games=tuple(dict.fromkeys(match.setup.rules.id for match in matches)),
        entrants=tuple(_player(rating, played, won_by, strengths.get(rating.name)) for rating in ratings),
        pairings=tuple(
            RecordedPairing(a, b, game, len(wins), wins.count(True)) for (a, b, game), wins in pairings.items()
        ),
    )


def _player(rating: Rating, played: Counter[str], won: Counter[str], strength: PersonStrength | None) -> RecordedPlayer:
    name = rating.name
    return RecordedPlayer(name, played[name], won[name], rating.elo, rating.low, rating.high, strength)
