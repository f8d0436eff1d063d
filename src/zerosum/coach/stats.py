"""A player's history, worked out from the saved matches; it is not stored itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from zerosum.coach.review import review
from zerosum.match.match import Match
from zerosum.match.setup import Person
from zerosum.solver import Solution


@dataclass(frozen=True, slots=True)
class Played:
    """One person's side of one finished match."""

    date: str
    game: str
    name: str
    """The name of the game."""
    opponent: str
    """The opponent, as `--vs` writes it."""
    won: bool
    kept: int
    """Of the real choices, how many kept the best verdict."""
    choices: int


@dataclass(frozen=True, slots=True)
class Tally:
    """All matches of one game against one kind of opponent."""

    game: str
    name: str
    opponent: str
    matches: int
    won: int
    kept: int
    choices: int

    @property
    def accuracy(self) -> float | None:
        """The share of real choices that kept the best verdict; None where there were none."""
        return self.kept / self.choices if self.choices else None


def history(matches: Iterable[Match], solution: Callable[[Match], Solution | None]) -> list[Played]:
    """Return every person's side of every finished match, the oldest first; a match of two people has two."""
    played = []
    for match in matches:
        outcome = match.outcome
        people = [person for person in Person if match.setup.is_human(person)]
        if outcome is None or not people:
            continue
        solved = solution(match)
        reviewed = review(match, solved).moves if solved is not None else ()
        for person in people:
            choices = [one for one in reviewed if one.person is person and one.real]
            played.append(
                Played(
                    match.setup.date,
                    match.setup.rules.id,
                    match.setup.rules.name,
                    match.setup.who[person.other - 1],
                    match.person(outcome.winner) is person,
                    sum(not one.blunder for one in choices),
                    len(choices),
                )
            )
    return played


def tallies(played: Iterable[Played]) -> list[Tally]:
    """Return the history by game and opponent."""
    groups: dict[tuple[str, str], list[Played]] = {}
    for one in played:
        groups.setdefault((one.game, one.opponent), []).append(one)
    return [
        Tally(
            game,
            sides[0].name,
            opponent,
            len(sides),
            sum(one.won for one in sides),
            sum(one.kept for one in sides),
            sum(one.choices for one in sides),
        )
        for (game, opponent), sides in sorted(groups.items())
    ]
