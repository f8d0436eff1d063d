"""The players of some matches: what they kept and scored, and which level keeps and scores as much."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from zerosum.arena.strength.decisions import (
    NOWHERE,
    Decision,
    DecisionTally,
    Judge,
    KeptLevel,
    ScoredLevel,
    decisions_in,
    judge_of,
    place_of,
    tally_decisions,
)
from zerosum.arena.strength.level_fit import LevelFit, fit_level
from zerosum.base.documents import IF_SET, inline, member
from zerosum.base.progress import silent
from zerosum.base.statistics import wilson
from zerosum.match.match import Match
from zerosum.match.setup import Person
from zerosum.players.levels import STRENGTHS
from zerosum.players.odds import FindOdds, odds_from
from zerosum.rules.model import Rules, Seat
from zerosum.rules.position import Position
from zerosum.solver import Solution, SolverError

Find = Callable[[Match], Solution | None]
"""Returns the solution of a match's game, None if it is too large; called once for each game."""


@dataclass(frozen=True, slots=True)
class PersonStrength:
    """All decisions of one player, by name and kind."""

    name: str
    who: str
    """`human`, or the name of a computer player."""
    matches: int
    tally: DecisionTally = field(metadata=inline())
    keeps: KeptLevel = field(metadata=inline())
    scores: ScoredLevel = field(metadata=inline())
    fit: LevelFit | None = field(metadata=IF_SET)
    """The level whose moves are likeliest, if somebody asked for it."""

    @member
    def kept_low(self) -> float:
        """Return the lower end of the 95 % interval of the share kept."""
        return self.tally.interval().low

    @member
    def kept_high(self) -> float:
        """Return the upper end of the 95 % interval of the share kept."""
        return self.tally.interval().high


class ScoredMatch(NamedTuple):
    """A finished match against a built-in player: where it started, from which seat, and whether it was won."""

    start: Position
    seat: Seat
    opponent: str
    won: bool


def people_in(
    matches: Iterable[Match], find: Find, *, odds: FindOdds = odds_from, likelihood: bool = False
) -> list[PersonStrength]:
    """Return everybody who played in some matches, in the order in which they are met.

    `odds` finds the chances of built-in strengths; `likelihood` asks for the level whose moves are likeliest too.
    """
    found: dict[tuple[str, str], tuple[list[list[Decision]], list[ScoredMatch]]] = {}
    for match, judge in _judged(matches, find):
        for person in Person:
            key = match.setup.name(person), match.setup.who[person - 1]
            made, scored = found.setdefault(key, ([], []))
            made.append(decisions_in(match, person, judge))
            scored += _scored(match, person)
    return [
        _measured(name, who, made, score_level(scored, odds), likelihood=likelihood)
        for (name, who), (made, scored) in found.items()
    ]


def _scored(match: Match, person: Person) -> list[ScoredMatch]:
    opponent = match.setup.who[person.other - 1]
    if match.outcome is None or opponent not in STRENGTHS:
        return []
    start = match.positions[0]
    seat = start.seat if match.person(start.seat, 0) is person else start.seat.other
    return [ScoredMatch(start, seat, opponent, match.person(match.outcome.winner) is person)]


def score_level(matches: Sequence[ScoredMatch], odds: FindOdds = odds_from) -> ScoredLevel:
    """Return the level that scores as much against the same opponents, from the same positions and seats."""
    counts = Counter((match.start, match.seat, match.opponent) for match in matches)
    expected = [0.0] * len(STRENGTHS)
    counted = 0
    for (start, seat, opponent), times in counts.items():
        pairings = [(who, opponent) if seat is Seat.FIRST else (opponent, who) for who in STRENGTHS]
        try:
            wins = odds(start, pairings, silent).first_wins
        except SolverError:
            matches = [match for match in matches if match.start != start]
            continue
        counted += times
        for n, pairing in enumerate(pairings):
            expected[n] += times * (wins[pairing] if seat is Seat.FIRST else 1 - wins[pairing])
    if not counted:
        return ScoredLevel(*NOWHERE)
    won = sum(match.won for match in matches)
    return ScoredLevel(*place_of([one / counted for one in expected], won / counted, wilson(won, counted)))


def humans_by_game(matches: Iterable[Match], find: Find) -> dict[str, tuple[list[Decision], list[ScoredMatch]]]:
    """Return the decisions of all people in finished matches, and what they scored, by the id of the game."""
    found: dict[str, tuple[list[Decision], list[ScoredMatch]]] = {}
    finished = (match for match in matches if match.outcome is not None)
    for match, judge in _judged(finished, find):
        for person in Person:
            if match.setup.is_human(person):
                made, scored = found.setdefault(match.setup.rules.id, ([], []))
                made += decisions_in(match, person, judge)
                scored += _scored(match, person)
    return found


def _judged(matches: Iterable[Match], find: Find) -> Iterable[tuple[Match, Judge]]:
    """Yield the matches whose games can be solved, each with the judge of its game."""
    judges: dict[Rules, Judge | None] = {}
    for match in matches:
        rules = match.setup.rules
        if rules not in judges:
            solution = find(match)
            judges[rules] = None if solution is None else judge_of(solution)
        judge = judges[rules]
        if judge is not None:
            yield match, judge


def _measured(
    name: str, who: str, made: list[list[Decision]], scores: ScoredLevel, *, likelihood: bool
) -> PersonStrength:
    every = [one for match in made for one in match]
    tally = tally_decisions(every)
    fit = fit_level(every) if likelihood else None
    return PersonStrength(name, who, len(made), tally, tally.level(), scores, fit)
