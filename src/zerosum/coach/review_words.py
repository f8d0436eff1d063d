"""What a review says in words, for the terminal, the page and JSON alike."""

from __future__ import annotations

from dataclasses import dataclass

from zerosum.base.english import count
from zerosum.coach.cause_words import words
from zerosum.coach.lines import lines_words
from zerosum.coach.phrases import LISTED, Subjects, listed, named
from zerosum.coach.review import ExpectedWinner, Review, Reviewed
from zerosum.match.match import Match
from zerosum.match.match_words import name_of
from zerosum.match.setup import Person
from zerosum.rules.model import Seat
from zerosum.rules.outcome import Outcome
from zerosum.solver import Verdict

_LOST = {Verdict.WIN: "the win", Verdict.DRAW: "the draw"}
_STOOD = {Verdict.WIN: "a win", Verdict.DRAW: "a draw", Verdict.LOSS: "a loss"}


def why(review: Review, one: Reviewed) -> list[str]:
    """Return the cause of a turning point and what would have been better, with both names.

    The first turning point that a law explains gives it in full.
    """
    if one.reason is None:
        return []
    said = {earlier.reason.name for earlier in review.turning_points if earlier.reason and earlier.n < one.n}
    would = "would have won" if one.before.verdict is Verdict.WIN else "would not have lost"
    better = f"{listed(one.position, one.better, LISTED)} {would}."
    return [*words(one.reason, _speakers(review.match, one), said), better]


def lines(review: Review, one: Reviewed) -> list[str]:
    """Return how a turning point is refuted, to the end."""
    return [] if one.lines is None else lines_words(one.lines, _speakers(review.match, one))


def _speakers(match: Match, one: Reviewed) -> Subjects:
    return Subjects(named(name_of(match, one.person)), named(name_of(match, one.person.other)))


def lesson(review: Review) -> str:
    """Return in one sentence what decided a match, and which idea would have held it or has won it."""
    sentence, found = decided(review), review.lesson
    if found.n is None or review.given_up is not None:
        return sentence
    one = review.moves[found.n - 1]
    idea = f" (the idea: {found.idea})" if found.idea else ""
    if one.blunder:
        idea = idea or " (there is no short idea for it)"
        return f"{sentence[:-1]}; {listed(one.position, one.better, LISTED)} would have held it{idea}."
    return f"{sentence[:-1]}; move {one.n}, {one.position.text_of(one.move)}, shows how{idea}."


def fall(one: Reviewed) -> str:
    """Return the verdicts before and after a turning point."""
    return f"from {_STOOD[one.before.verdict]} to {_STOOD[one.after.verdict]}"


def stands(match: Match, standing: ExpectedWinner) -> str:
    """Return who stands to win, and in how many moves."""
    if standing.winner is None:
        return "nobody can force an end"
    if standing.plies == 0:
        return f"{name_of(match, standing.winner)} has won"
    return f"{name_of(match, standing.winner)}, in {count(standing.plies or 0, 'move')}"


def given_up(review: Review) -> str:
    """Return a sentence if somebody who stood to win ended the match without a move; else nothing."""
    if review.given_up is None:
        return ""
    return f"{name_of(review.match, review.given_up)} stood to win when it ended without a move."


def decided(review: Review) -> str:
    """Return what decided a match, or how it stands if it goes on."""
    match, last, opening = review.match, review.decisive, review.opening
    over = match.outcome is not None
    if review.given_up is not None:
        return f"{given_up(review)} That decided it."
    if last is not None:
        who, move = name_of(match, last.person), last.position.text_of(last.move)
        deed = f"{who} played {move} and let {_LOST[last.before.verdict]} go"
        return f"Move {last.n} decided it: {deed}." if over else f"The last turn so far was move {last.n}: {deed}."
    if opening.winner is None:
        return "Neither side could force an end, and nobody made a mistake."
    name = name_of(match, opening.winner)
    if not over:
        return f"Nobody has made a mistake so far: {name} stands to win, as at the start."
    how = " and made no mistake" if review.choices(opening.winner)[0] else "; no move could change that"
    return f"The start decided it: {name} stood to win all along{how}."


def accuracy(review: Review, person: Person) -> tuple[str, str]:
    """Return how well somebody chose: the share, and what it is of."""
    choices, kept = review.choices(person)
    if not choices:
        return "-", "no real choice: every move was as good as any other"
    return f"{kept / choices:.0%}", f"{kept} of {count(choices, 'real choice')} kept the best result"


@dataclass(frozen=True, slots=True)
class ReviewedDocument:
    """One move of a match against the truth."""

    n: int
    seat: Seat
    player: Person
    move: str
    verdict: Verdict
    plies: int | None
    after: Verdict
    after_plies: int | None
    stands: ExpectedWinner
    real_choice: bool
    blunder: bool
    better: list[str]
    cause: str | None
    reason: list[str]
    more: list[str]

    @classmethod
    def of(cls, review: Review, one: Reviewed) -> ReviewedDocument:
        """Return the document of one move of a review."""
        return cls(
            n=one.n,
            seat=one.seat,
            player=one.person,
            move=one.position.text_of(one.move),
            verdict=one.before.verdict,
            plies=one.before.plies,
            after=one.after.verdict,
            after_plies=one.after.plies,
            stands=one.standing,
            real_choice=one.real,
            blunder=one.blunder,
            better=[one.position.text_of(move) for move in one.better],
            cause=one.reason.name if one.reason else None,
            reason=why(review, one),
            more=lines(review, one),
        )


@dataclass(frozen=True, slots=True)
class LessonDocument:
    """What a match teaches: the move, the idea by its name, and both in a sentence."""

    n: int | None
    idea: str | None
    words: str


@dataclass(frozen=True, slots=True)
class ReviewDocument:
    """A match against the truth."""

    game: str
    names: list[str]
    first: Person
    start: ExpectedWinner
    moves: list[ReviewedDocument]
    blunders: dict[str, int]
    accuracy: dict[str, float | None]
    turning_points: list[int]
    lesson: LessonDocument
    given_up: Person | None
    outcome: Outcome | None

    @classmethod
    def of(cls, review: Review) -> ReviewDocument:
        """Return the document of a review."""
        setup = review.match.setup
        return cls(
            game=setup.rules.id,
            names=list(setup.names),
            first=setup.first,
            start=review.opening,
            moves=[ReviewedDocument.of(review, one) for one in review.moves],
            blunders={str(seat.value): review.blunders(seat) for seat in Seat},
            accuracy={str(seat.value): review.accuracy(seat) for seat in Seat},
            turning_points=[one.n for one in review.turning_points],
            lesson=LessonDocument(review.lesson.n, review.lesson.idea, lesson(review)),
            given_up=review.given_up,
            outcome=review.match.outcome,
        )
