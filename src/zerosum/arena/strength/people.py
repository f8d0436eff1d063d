"""The players of some matches: what they kept, and which level they play like."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from zerosum.arena.strength.decisions import Decision, DecisionTally, Judge, decisions_in, judge_of, tally_decisions
from zerosum.arena.strength.level_fit import LevelFit, fit_level
from zerosum.base.documents import inline, member
from zerosum.match.match import Match
from zerosum.match.setup import Person
from zerosum.rules.model import Rules
from zerosum.solver import Solution

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
    fit: LevelFit = field(metadata=inline())

    @member
    def kept_low(self) -> float:
        """Return the lower end of the 95 % interval of the share kept."""
        return self.tally.interval().low

    @member
    def kept_high(self) -> float:
        """Return the upper end of the 95 % interval of the share kept."""
        return self.tally.interval().high


def people_in(matches: Iterable[Match], find: Find) -> list[PersonStrength]:
    """Return everybody who played in some matches, in the order in which they are met."""
    found: dict[tuple[str, str], list[list[Decision]]] = {}
    for match, judge in _judged(matches, find):
        for person in Person:
            key = match.setup.name(person), match.setup.who[person - 1]
            found.setdefault(key, []).append(decisions_in(match, person, judge))
    return [_measured(name, who, made) for (name, who), made in found.items()]


def humans_by_game(matches: Iterable[Match], find: Find) -> dict[str, list[Decision]]:
    """Return the decisions of all people in finished matches, by the id of the game."""
    found: dict[str, list[Decision]] = {}
    finished = (match for match in matches if match.outcome is not None)
    for match, judge in _judged(finished, find):
        for person in Person:
            if match.setup.is_human(person):
                found.setdefault(match.setup.rules.id, []).extend(decisions_in(match, person, judge))
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


def _measured(name: str, who: str, made: list[list[Decision]]) -> PersonStrength:
    every = [one for match in made for one in match]
    return PersonStrength(name, who, len(made), tally_decisions(every), fit_level(every))
