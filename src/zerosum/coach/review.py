"""A match against the truth: who could force a win after each move, and which moves let it go."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from zerosum.base.documents import key
from zerosum.coach.analysis import falls, keeps
from zerosum.coach.causes import Why, why
from zerosum.coach.contrast import AT_ONCE, Trap, best_trap, contrast, idea_used
from zerosum.coach.lines import Lines, lines_of
from zerosum.match.match import Match
from zerosum.match.setup import Person
from zerosum.rules.model import Seat
from zerosum.rules.moves import Move
from zerosum.rules.position import Position
from zerosum.solver import Solution, Value, Verdict, solution_of


@dataclass(frozen=True, slots=True)
class ExpectedWinner:
    """Who stands to win a position and in how many plies (0: the match is over); a draw has neither."""

    winner: Person | None = field(metadata=key("player"))
    plies: int | None


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A move of a match. `before` and `after` are values for the person who moved; `after` counts the move itself.

    A blunder is any fall in verdict; `better` are the moves that would have kept it, `reason` is its cause and `lines`
    is how it is refuted. A choice is real if the moves differ in verdict.
    """

    n: int
    seat: Seat
    person: Person
    position: Position
    move: Move
    before: Value
    after: Value
    standing: ExpectedWinner
    real: bool
    blunder: bool
    better: tuple[Move, ...]
    reason: Why | None
    lines: Lines | None


@dataclass(frozen=True, slots=True)
class MatchLesson:
    """What a match teaches: the move that decided it, or the one that shows how it was won, and the idea by its name.

    `n` is None if no move says more than another; `idea` is None if no short idea explains it.
    """

    n: int | None
    idea: str | None


class SetTrap(NamedTuple):
    """A move of the loser in a lost position: the best trap there, and how many replies won after what was played."""

    n: int
    trap: Trap
    winning: int
    replies: int
    missed: bool
    """Whether the trap would have left fewer winning replies; a win at once is none that anybody misses."""


@dataclass(frozen=True, slots=True)
class Review:
    """A match reviewed. `opening` is how the start stands, `given_up` who ended it though they stood to win.

    `traps` are the moves of the loser, after the match was decided, at which some move set a trap.
    """

    match: Match
    opening: ExpectedWinner
    moves: tuple[Reviewed, ...]
    given_up: Person | None
    lesson: MatchLesson
    traps: tuple[SetTrap, ...]

    @property
    def loser(self) -> Person | None:
        """Who lost the match; None if it goes on."""
        return None if self.match.outcome is None else self.match.person(self.match.outcome.winner).other

    def blunders(self, seat: Seat) -> int:
        """Return how many moves from a seat let the verdict fall."""
        return sum(move.blunder for move in self.moves if move.seat is seat)

    def choices(self, who: Seat | Person) -> tuple[int, int]:
        """Return how many real choices somebody had, and how many of them kept the verdict."""
        kept = [not move.blunder for move in self.moves if move.real and _is(move, who)]
        return len(kept), sum(kept)

    def accuracy(self, who: Seat | Person) -> float | None:
        """Return the share of somebody's real choices that kept the verdict; None if there was none."""
        choices, kept = self.choices(who)
        return kept / choices if choices else None

    @property
    def turning_points(self) -> tuple[Reviewed, ...]:
        """The moves that let the verdict fall."""
        return tuple(move for move in self.moves if move.blunder)

    @property
    def decisive(self) -> Reviewed | None:
        """The last turning point: after it nobody let the result go again."""
        return self.turning_points[-1] if self.turning_points else None

    def _repr_html_(self) -> str:
        from zerosum.base.svg import page, swings, table  # noqa: PLC0415 - only notebooks draw

        one, two = (self.match.setup.name(person) for person in Person)
        moves = [(f"{_text(each)}{'?' if each.blunder else ''}", each.standing.winner or 0) for each in self.moves]
        standings = [("start", self.opening.winner or 0), *moves]
        rows = [
            (
                str(each.n),
                self.match.setup.name(each.person),
                _text(each),
                ", ".join(map(each.position.text_of, each.better)),
            )
            for each in self.turning_points
        ]
        title = f"{one} against {two} in {self.match.setup.rules.name}"
        return page(
            f"{title}: who stands to win after each move",
            swings(f"{title}: who stands to win after each move", (one, two), standings),
            table(("move", "player", "played", "better"), rows) if rows else "Nobody gave anything away.",
        )

    @property
    def opens_at(self) -> int:
        """The step at which a page shows a review first: where the match was decided, 0 for the start."""
        if self.given_up is not None:
            return len(self.moves)
        return self.decisive.n if self.decisive else 0


def _is(one: Reviewed, who: Seat | Person) -> bool:
    return one.seat is who if isinstance(who, Seat) else one.person is who


def review(match: Match, solution: Solution | None = None) -> Review:
    """Return the review of a match, finished or not; the game is solved if no solution is given."""
    solution = solution or solution_of(match.setup.rules)
    moves = tuple(_reviewed(match, ply, solution) for ply in range(len(match.moves)))
    opening = _standing(match.person(match.positions[0].seat, 0), solution.value(match.positions[0]))
    given_up = _given_up(match, solution)
    return Review(
        match, opening, moves, given_up, _lesson(match, moves, solution), tuple(_traps(match, moves, solution))
    )


def _traps(match: Match, moves: Sequence[Reviewed], solution: Solution) -> Iterator[SetTrap]:
    """Yield the moves of the loser, since nobody let the result go again, at which some move set a trap."""
    decided = max((move.n for move in moves if move.blunder), default=0)
    loser = None if match.outcome is None else match.person(match.outcome.winner.other)
    for one in moves[decided:]:
        if one.person is not loser:
            continue
        options = solution.options(one.position)
        trap = best_trap(one.position, solution, options)
        after = {option.move: one.position.play_unchecked(option.move) for option in options}
        winning = {move: len(solution.winning_moves(left)) for move, left in after.items()}
        worse = {
            made.move for made in options if (made.value.plies or 0) <= AT_ONCE or winning[made.move] > trap.winning
        }
        if trap.sets and worse:
            replies = len(after[one.move].legal_moves())
            yield SetTrap(one.n, trap, winning[one.move], replies, missed=one.move in worse)


def _lesson(match: Match, moves: Sequence[Reviewed], solution: Solution) -> MatchLesson:
    """Return what decided a match: the last turning point, or else a move by which the winner kept the win."""
    turned = [move for move in moves if move.blunder]
    if turned:
        last = turned[-1]
        return MatchLesson(last.n, contrast(last.position, last.move, solution, last.better).idea)
    winner = match.person(match.outcome.winner) if match.outcome else None
    kept = [move for move in moves if move.real and move.person is winner]
    found = {one.n: idea for one in kept if (idea := idea_used(one.position, one.move, solution)) is not None}
    # A win at once shows nothing that was not to be seen.
    for n, idea in found.items():
        if match.positions[n].outcome is None:
            return MatchLesson(n, idea)
    return MatchLesson(kept[-1].n, found.get(kept[-1].n)) if kept else MatchLesson(None, None)


def _text(one: Reviewed) -> str:
    return one.position.text_of(one.move)


def _standing(mover: Person, value: Value) -> ExpectedWinner:
    if value.verdict is Verdict.DRAW:
        return ExpectedWinner(None, None)
    return ExpectedWinner(mover if value.verdict is Verdict.WIN else mover.other, value.plies)


def _reviewed(match: Match, ply: int, solution: Solution) -> Reviewed:
    position, move, person = match.positions[ply], match.moves[ply], match.mover(ply)
    options = solution.options(position)
    before = options[0].value
    after = next(option.value for option in options if option.move == move)
    blunder = falls(before.verdict, after.verdict)
    # The value of a move counts the move itself, which has been made.
    left = Value(after.verdict, None if after.plies is None else after.plies - 1)
    return Reviewed(
        n=ply + 1,
        seat=position.seat,
        person=person,
        position=position,
        move=move,
        before=before,
        after=after,
        standing=_standing(person, left),
        real=len({option.value.verdict for option in options}) > 1,
        blunder=blunder,
        better=keeps(options) if blunder else (),
        reason=why(position, move, solution) if blunder else None,
        lines=lines_of(position, move, solution) if blunder else None,
    )


def _given_up(match: Match, solution: Solution) -> Person | None:
    """Return who ended a match by no move although they stood to win it."""
    if match.ending is None or match.position.outcome is not None:
        return None
    standing = _standing(match.to_move, solution.value(match.position))
    loser = match.person(match.ending.seat)
    return loser if standing.winner is loser else None
