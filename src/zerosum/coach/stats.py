"""A player's history, worked out from the saved matches; it is not stored itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from zerosum.base.documents import OMITTED, member
from zerosum.coach.course_builder import course_of
from zerosum.coach.ideas import Idea, idea_at
from zerosum.coach.puzzles import missed
from zerosum.coach.review import review
from zerosum.match.match import Match
from zerosum.match.setup import Person
from zerosum.rules.model import Rules
from zerosum.solver import Solution, solution_of
from zerosum.strategy.card import bundled_card
from zerosum.strategy.lookahead import Sight

YOU: Final = "you"


@dataclass(frozen=True, slots=True)
class PastMatch:
    """One person's side of one finished match."""

    date: str
    game: str
    name: str = field(metadata=OMITTED)
    """The name of the game."""
    opponent: str
    """The opponent, as `--vs` writes it."""
    player: str
    """Whose side it is: "you" against a computer; between two people at one keyboard, a name."""
    won: bool
    kept: int = field(metadata=OMITTED)
    """Of the real choices, how many kept the best verdict."""
    choices: int = field(metadata=OMITTED)

    @property
    @member
    def accuracy(self) -> float | None:
        """The share of real choices that kept the best verdict; None if there were none."""
        return self.kept / self.choices if self.choices else None


@dataclass(frozen=True, slots=True)
class GameTally:
    """All matches of one game against one kind of opponent, each counted once.

    Between two people at one keyboard, `players` has both names, `won` counts the matches of the first of them, and
    the accuracy is that of both.
    """

    game: str
    name: str
    opponent: str
    players: tuple[str, ...]
    matches: int
    won: int
    kept: int = field(metadata=OMITTED)
    choices: int = field(metadata=OMITTED)

    @member
    def lost(self) -> int:
        """Return how many matches were lost."""
        return self.matches - self.won

    @property
    @member
    def accuracy(self) -> float | None:
        """The share of real choices that kept the best verdict; None if there were none."""
        return self.kept / self.choices if self.choices else None


@dataclass(frozen=True, slots=True)
class Mistakes:
    """How often people let a win go in one game that an idea would have kept; None: no idea of its card would have."""

    game: str
    name: str
    """The name of the game."""
    idea: Idea | None
    count: int
    filed: bool = field(default=True, metadata=OMITTED)
    """Whether the game has a card to file them by: that of a variant would have to be searched."""


def history(matches: Iterable[Match], solution: Callable[[Match], Solution | None]) -> list[PastMatch]:
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
                PastMatch(
                    match.setup.date,
                    match.setup.rules.id,
                    match.setup.rules.name,
                    match.setup.who[person.other - 1],
                    YOU if len(people) == 1 else match.setup.name(person),
                    match.person(outcome.winner) is person,
                    sum(not choice.blunder for choice in choices),
                    len(choices),
                )
            )
    return played


def tallies(played: Iterable[PastMatch]) -> list[GameTally]:
    """Return the history by game and opponent; of two people, by their names."""
    groups: dict[tuple[str, str, tuple[str, ...]], list[PastMatch]] = {}
    for sides in _by_match(played):
        players = tuple(sorted({side.player for side in sides}))
        groups.setdefault((sides[0].game, sides[0].opponent, players), []).extend(sides)
    return [
        GameTally(
            game,
            sides[0].name,
            opponent,
            players,
            len(sides) // len(players),
            sum(side.won for side in sides if side.player == players[0]),
            sum(side.kept for side in sides),
            sum(side.choices for side in sides),
        )
        for (game, opponent, players), sides in sorted(groups.items())
    ]


def _by_match(played: Iterable[PastMatch]) -> Iterator[list[PastMatch]]:
    """Yield the sides of each match: one against a computer, two between people, which follow each other."""
    sides = iter(played)
    for side in sides:
        yield [side] if side.player == YOU else [side, next(sides)]


def mistakes(matches: Iterable[Match], solution: Callable[[Match], Solution | None]) -> list[Mistakes]:
    """Return how often people let a win go, by game and idea; ideas come in the order of the game's course."""
    played: dict[Rules, list[Match]] = {}
    for match in matches:
        played.setdefault(match.setup.rules, []).append(match)
    found = []
    for rules, those in sorted(played.items(), key=lambda one: one[0].id):
        solved = solution(those[0])
        puzzles = list(missed(those, solved)) if solved is not None else []
        if solved is None or not puzzles:
            continue
        if bundled_card(rules) is None:
            found.append(Mistakes(rules.id, rules.name, None, len(puzzles), filed=False))
            continue
        course, sight = course_of(rules, solution_of), Sight(rules)
        counts = Counter(idea_at(course, puzzle.position, solved, sight) for puzzle in puzzles)
        order = sorted(counts, key=lambda idea: (idea is None, idea.count if idea else 0))
        found += [Mistakes(rules.id, rules.name, idea, counts[idea]) for idea in order]
    return found


@dataclass(frozen=True, slots=True)
class StatsDocument:
    """A player's history: all matches, those that count, mistakes, answers to puzzles, and where hints were used."""

    matches: int
    unfinished: int
    games: list[GameTally]
    history: Sequence[PastMatch]
    mistakes: Sequence[Mistakes]
    puzzles: Mapping[str, int]
    hints: Mapping[str, int]

    @classmethod
    def of(
        cls,
        matches: Sequence[Match],
        played: Sequence[PastMatch],
        mistakes: Sequence[Mistakes],
        *,
        tried: int,
        solved: int,
        hints: Counter[str],
    ) -> StatsDocument:
        """Return the document of a history; `tried` and `solved` count answers to puzzles."""
        return cls(
            matches=len(matches),
            unfinished=sum(match.outcome is None for match in matches),
            games=tallies(played),
            history=played,
            mistakes=mistakes,
            puzzles={"tried": tried, "solved": solved},
            hints={"matches": hints["match"], "puzzles": hints["puzzle"]},
        )
