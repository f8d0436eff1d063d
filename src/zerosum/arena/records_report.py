"""A report from records alone: matches that somebody else played, anywhere, under whatever names.

Records need not come in pairs, so each match is one observation: ratings and their intervals are those of the arena,
over matches in place of pairs. Results follow from the moves, and decisions are judged as in a run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from zerosum.arena.strength.people import Find, PersonStrength, people_in
from zerosum.arena.strength.ratings import Rating, ratings_of
from zerosum.base.documents import member
from zerosum.base.errors import RecordError
from zerosum.match.match import Match
from zerosum.match.setup import Person
from zerosum.players.ladder import FindOdds
from zerosum.players.odds import odds_from
from zerosum.rules.outcome import Outcome


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


def report_on_records(matches: Sequence[Match], find: Find, odds: FindOdds = odds_from) -> RecordsReport:
    """Return the report of some matches.

    Players are told apart by name. If a name stands for different kinds of players, their kind is added to it.
    """
    kinds: dict[str, set[str]] = {}
    for match in matches:
        for person in Person:
            kinds.setdefault(match.setup.name(person), set()).add(match.setup.who[person - 1])

    def name_of(name: str, who: str) -> str:
        return name if len(kinds[name]) == 1 else f"{name} ({who})"

    def label(match: Match, person: Person) -> str:
        return name_of(match.setup.name(person), match.setup.who[person - 1])

    def winner(match: Match, outcome: Outcome) -> str:
        return label(match, match.person(outcome.winner))

    finished = [(match, match.outcome) for match in matches if match.outcome is not None]
    if not finished:
        raise RecordError("None of the matches has ended, so there is nothing to report.")
    if any(label(match, Person.ONE) == label(match, Person.TWO) for match, _ in finished):
        raise RecordError("In one of the matches both players have the same name; give them two names.")
    pairings: dict[tuple[str, str, str], list[bool]] = {}
    for match, outcome in finished:
        a, b = sorted((label(match, Person.ONE), label(match, Person.TWO)))
        pairings.setdefault((a, b, match.setup.rules.id), []).append(winner(match, outcome) == a)
    results: dict[tuple[str, str], list[int]] = {}
    for (a, b, _), wins in pairings.items():
        cells = results.setdefault((a, b), [0] * 5)
        cells[0] += wins.count(False)
        cells[-1] += wins.count(True)
    strengths = {name_of(one.name, one.who): one for one in people_in(matches, find, odds=odds)}
    played = Counter(label(match, person) for match, _ in finished for person in Person)
    won_by = Counter(winner(match, outcome) for match, outcome in finished)
    ratings = ratings_of(results, "records")
    return RecordsReport(
        records=len(matches),
        unfinished=len(matches) - len(finished),
        games=tuple(dict.fromkeys(match.setup.rules.id for match in matches)),
        entrants=tuple(_player(one, played, won_by, strengths.get(one.name)) for one in ratings),
        pairings=tuple(
            RecordedPairing(a, b, game, len(wins), wins.count(True)) for (a, b, game), wins in pairings.items()
        ),
    )


def _player(rating: Rating, played: Counter[str], won: Counter[str], strength: PersonStrength | None) -> RecordedPlayer:
    name = rating.name
    return RecordedPlayer(name, played[name], won[name], rating.elo, rating.low, rating.high, strength)
