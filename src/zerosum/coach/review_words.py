"""What a review says in words, for the terminal, the page and JSON alike."""

from __future__ import annotations

from dataclasses import dataclass

from zerosum.base.english import count
from zerosum.coach.causes import words
from zerosum.coach.lines import lines_words
from zerosum.coach.review import ExpectedWinner, Review, Reviewed, SetTrap
from zerosum.match.match import Match
from zerosum.match.match_words import name_of
from zerosum.match.setup import Person
from zerosum.rules.game_files import is_built_in
from zerosum.rules.model import Seat
from zerosum.rules.outcome import Outcome
from zerosum.solver import Verdict
from zerosum.strategy.phrases import LISTED, YOU_AND_THEY, Subject, Subjects, listed, named, sentence

_LOST = {Verdict.WIN: "the win", Verdict.DRAW: "the draw"}
_STOOD = {Verdict.WIN: "a win", Verdict.DRAW: "a draw", Verdict.LOSS: "a loss"}


@dataclass(frozen=True, slots=True)
class Speakers:
    """The two persons as a review calls them: a label for tables, and a subject for sentences."""

    labels: tuple[str, str]
    subjects: tuple[Subject, Subject]

    @classmethod
    def of(cls, match: Match, labels: tuple[str, str] | None = None, you: Person | None = None) -> Speakers:
        """Return the persons by their names, or as others call them; `you` is the reader."""
        one, two = labels or ("You" if person is you else name_of(match, person) for person in Person)
        first, second = (
            YOU_AND_THEY.you if person is you else named(name) for person, name in zip(Person, (one, two), strict=True)
        )
        return cls((one, two), (first, second))

    @property
    def you(self) -> Person | None:
        """The reader; nobody if the reader is not one of the two."""
        return next((person for person in Person if not self.subject(person).third), None)

    def label(self, person: Person) -> str:
        """Return what somebody is called in a table."""
        return self.labels[person - 1]

    def subject(self, person: Person) -> Subject:
        """Return somebody as the subject of a sentence."""
        return self.subjects[person - 1]

    def does(self, person: Person, verb: str) -> str:
        """Return somebody with a verb, as a line begins: `You stand`, `Ann stands`."""
        return f"{self.label(person)} {self.subject(person).verb(verb)}"

    def total(self, person: Person | None) -> str:
        """Return what a total is called: `Total`, `Your total` or `Ann's total`."""
        if person is None:
            return "Total"
        return f"{self.label(person)}'s total" if self.subject(person).third else "Your total"


def why(review: Review, one: Reviewed, who: Speakers | None = None) -> list[str]:
    """Return the cause of a turning point and what would have been better, with both names.

    The first turning point that a law explains gives it in full.
    """
    if one.reason is None:
        return []
    said = {earlier.reason.name for earlier in review.turning_points if earlier.reason and earlier.n < one.n}
    would = "would have won" if one.before.verdict is Verdict.WIN else "would not have lost"
    better = f"{listed(one.position, one.better, LISTED)} {would}."
    return [*words(one.reason, _subjects(one, who or Speakers.of(review.match)), said), better]


def lines(review: Review, one: Reviewed, who: Speakers | None = None) -> list[str]:
    """Return how a turning point is refuted, to the end."""
    return [] if one.lines is None else lines_words(one.lines, _subjects(one, who or Speakers.of(review.match)))


def _subjects(one: Reviewed, who: Speakers) -> Subjects:
    return Subjects(who.subject(one.person), who.subject(one.person.other))


def lesson(review: Review, who: Speakers | None = None) -> str:
    """Return in one sentence what decided a match, and which idea would have held it or has won it."""
    said, found = decided(review, who), review.lesson
    if found.n is None or review.given_up is not None:
        return said
    one = review.moves[found.n - 1]
    idea = f" (the idea: {found.idea})" if found.idea else ""
    if one.blunder:
        idea = idea or " (there is no short idea for it)"
        return f"{said[:-1]}; {listed(one.position, one.better, LISTED)} would have held it{idea}."
    return f"{said[:-1]}; move {one.n}, {one.position.text_of(one.move)}, shows how{idea}."


def for_the_loser(review: Review, who: Speakers | None = None) -> list[str]:
    """Return what would have made it hardest for the winner since the match was decided, and the last trap missed."""
    if review.loser is None or review.given_up is not None or not review.moves:
        return []
    who = who or Speakers.of(review.match)
    loser, winner = who.subject(review.loser), who.subject(review.loser.other)
    if not review.traps:
        none = f"No other move of {loser.own if loser.third else 'yours'} would have set {winner.name} a better trap."
        return [] if review.turning_points else [none]
    hardest, missed = review.traps[0], [trap for trap in review.traps if trap.missed]
    if not missed:
        return [sentence(f"{loser.name} made it as hard for {winner.name} as could be: every trap was set.")]
    last = missed[-1]
    instead = f"{_trap(review, last)} instead of {_move(review, last)}"
    if hardest.n == last.n:
        made = f"{instead} at move {last.n}, the last trap, would have made it hardest"
        return [f"{made}: {_replies(last, winner)}."]
    would = "would have made it hardest" if hardest.missed else "made it hardest"
    return [
        f"{_trap(review, hardest)} at move {hardest.n} {would}: {_replies(hardest, winner)}.",
        sentence(f"{loser.name} missed the last trap at move {last.n}, {instead}: {_replies(last, winner)}."),
    ]


def _move(review: Review, one: SetTrap) -> str:
    made = review.moves[one.n - 1]
    return made.position.text_of(made.move)


def _trap(review: Review, one: SetTrap) -> str:
    return review.moves[one.n - 1].position.text_of(one.trap.move)


def _replies(one: SetTrap, winner: Subject) -> str:
    """Return how many replies to a trap win."""
    replies = count(one.trap.replies, "reply", "replies")
    return f"{one.trap.winning} of {winner.own} {replies} to it {'wins' if one.trap.winning == 1 else 'win'}"


def swap_seats(review: Review) -> bool:
    """Whether to offer the other seat: somebody lost to a computer."""
    who = review.match.setup.is_human
    return review.loser is not None and who(review.loser) and not who(review.loser.other)


def swap_command(review: Review) -> str:
    """Return the command that plays the same match from the other seat; nothing if that is not offered."""
    setup = review.match.setup
    if not swap_seats(review) or not is_built_in(setup.rules):
        return ""
    computer = f"--vs {setup.who[1]}" if setup.is_human(Person.ONE) else f"--p1 {setup.who[0]}"
    return f"zerosum play {setup.rules.id} {computer} --first {setup.first.other}"


def fall(one: Reviewed) -> str:
    """Return the verdicts before and after a turning point."""
    return f"from {_STOOD[one.before.verdict]} to {_STOOD[one.after.verdict]}"


def stands(match: Match, standing: ExpectedWinner, who: Speakers | None = None) -> str:
    """Return who stands to win, and in how many moves."""
    if standing.winner is None:
        return "nobody can force an end"
    who = who or Speakers.of(match)
    if standing.plies == 0:
        return f"{who.does(standing.winner, 'have')} won"
    return f"{who.label(standing.winner)}, in {count(standing.plies or 0, 'move')}"


def given_up(review: Review, who: Speakers | None = None) -> str:
    """Return a sentence if somebody who stood to win ended the match without a move; else nothing."""
    if review.given_up is None:
        return ""
    name = (who or Speakers.of(review.match)).label(review.given_up)
    return f"{name} stood to win when it ended without a move."


def decided(review: Review, who: Speakers | None = None) -> str:
    """Return what decided a match, or how it stands if it goes on."""
    match, last, opening = review.match, review.decisive, review.opening
    who = who or Speakers.of(match)
    over = match.outcome is not None
    if review.given_up is not None:
        return f"{given_up(review, who)} That decided it."
    if last is not None:
        name, move = who.subject(last.person).name, last.position.text_of(last.move)
        deed = f"{name} played {move} and let {_LOST[last.before.verdict]} go"
        return f"Move {last.n} decided it: {deed}." if over else f"The last turn so far was move {last.n}: {deed}."
    if opening.winner is None:
        return "Neither side could force an end, and nobody made a mistake."
    winner = who.subject(opening.winner)
    if not over:
        return f"Nobody has made a mistake so far: {winner.does('stand')} to win, as at the start."
    how = " and made no mistake" if review.choices(opening.winner)[0] else "; no move could change that"
    return f"The start decided it: {winner.name} stood to win all along{how}."


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
    def of(cls, review: Review, one: Reviewed, who: Speakers | None = None) -> ReviewedDocument:
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
            reason=why(review, one, who),
            more=lines(review, one, who),
        )


@dataclass(frozen=True, slots=True)
class LessonDocument:
    """What a match teaches: the move, the idea by its name, and both in a sentence."""

    n: int | None
    idea: str | None
    words: str


@dataclass(frozen=True, slots=True)
class TrapDocument:
    """A trap of the loser: `winning` of the `replies` to it win, and `played_winning` of those to the move played."""

    n: int
    trap: str
    winning: int
    replies: int
    played: str
    played_winning: int
    played_replies: int
    missed: bool

    @classmethod
    def of(cls, review: Review, one: SetTrap) -> TrapDocument:
        """Return the document of a trap."""
        return cls(
            n=one.n,
            trap=_trap(review, one),
            winning=one.trap.winning,
            replies=one.trap.replies,
            played=_move(review, one),
            played_winning=one.winning,
            played_replies=one.replies,
            missed=one.missed,
        )


@dataclass(frozen=True, slots=True)
class LoserDocument:
    """What the loser could have done since the match was decided: every move at which a trap could be set."""

    player: Person
    traps: list[TrapDocument]
    words: list[str]
    swap_seats: bool
    """Whether the other seat is offered: somebody lost to a computer."""

    @classmethod
    def of(cls, review: Review, who: Speakers | None = None) -> LoserDocument | None:
        """Return the document for the loser of a review, None if there is none."""
        if review.loser is None:
            return None
        traps = [TrapDocument.of(review, trap) for trap in review.traps]
        return cls(review.loser, traps, for_the_loser(review, who), swap_seats(review))


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
    loser: LoserDocument | None
    given_up: Person | None
    outcome: Outcome | None

    @classmethod
    def of(cls, review: Review, who: Speakers | None = None) -> ReviewDocument:
        """Return the document of a review; `who` is what its sentences call the two, if not by their own names."""
        setup = review.match.setup
        return cls(
            game=setup.rules.id,
            names=list(setup.names),
            first=setup.first,
            start=review.opening,
            moves=[ReviewedDocument.of(review, move, who) for move in review.moves],
            blunders={str(seat.value): review.blunders(seat) for seat in Seat},
            accuracy={str(seat.value): review.accuracy(seat) for seat in Seat},
            turning_points=[point.n for point in review.turning_points],
            lesson=LessonDocument(review.lesson.n, review.lesson.idea, lesson(review, who)),
            loser=LoserDocument.of(review, who),
            given_up=review.given_up,
            outcome=review.match.outcome,
        )
