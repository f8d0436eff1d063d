"""A match as a conversation: the next question to a model, and what its answer is worth.

The caller (Inspect, a trainer, a test) sends `messages` to the model and hands the answer back:

    host = Host(load_game("sum31"), "level:5")
    talk = host.begin(Person.ONE, "seed")
    while talk.messages:
        talk = host.answered(talk, model(talk.messages))

A conversation is a value, so a trainer may try several answers from the same point.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import cycle
from typing import Final

from zerosum.arena.entrants.entrant import EntrantReply, Fault, IllegalMovePolicy, Turn, turn_result
from zerosum.arena.entrants.model_endpoint import ModelReply
from zerosum.arena.entrants.open_entrant import MODEL, Computer, judge_reply
from zerosum.arena.entrants.prompt import DEFAULT_STYLE, PromptStyle, prompt, refusal
from zerosum.arena.strength.decisions import POINTS, Judge, judge_of
from zerosum.arena.strength.pairs import even_book, start_book
from zerosum.match.match import Match
from zerosum.match.setup import Person, Setup
from zerosum.players import pick
from zerosum.rules.model import Rules
from zerosum.rules.position import Position
from zerosum.solver import solution_of
from zerosum.strategy.card_player import PLAYERS

_MODEL: Final = Person.ONE
"""The model is always Player 1; `first` says who sits in seat 1."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a chat: who says it (`user` or `assistant`), and what."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Mark:
    """One turn of a model against the truth."""

    replies: tuple[EntrantReply, ...]
    """What it answered; more than one if it was asked again."""
    real: bool
    kept: bool
    """Whether it named, in the end, a legal move that keeps the best verdict."""
    regret: float
    """What its move gave away; an answer without a legal move gives away the match."""
    chance: float
    """What choosing at random keeps."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """A match with a model as far as it has come."""

    match: Match
    turn: Turn
    messages: tuple[Message, ...] = ()
    """The chat that the model is to answer now; empty when the match is over."""
    replies: tuple[EntrantReply, ...] = ()
    """What it has answered in this turn."""
    marks: tuple[Mark, ...] = ()

    @property
    def won(self) -> bool | None:
        """Whether the model has won; None while the match goes on."""
        outcome = self.match.outcome
        return None if outcome is None else self.match.person(outcome.winner) is _MODEL

    @property
    def illegal(self) -> int:
        """How many illegal moves the model has named."""
        return sum(reply.fault is Fault.ILLEGAL for mark in self.marks for reply in mark.replies)


class Host:
    """A built-in player that meets models at one game, and judges each of their moves."""

    def __init__(
        self,
        rules: Rules,
        opponent: str = "level:5",
        *,
        style: PromptStyle = DEFAULT_STYLE,
        illegal: IllegalMovePolicy = IllegalMovePolicy.RULES,
        lenient: bool = False,
    ) -> None:
        self.rules = rules
        self._opponent = Computer(PLAYERS.find(opponent, human=False))
        self._opponent.begin(rules)
        self._judge = judge_of(solution_of(rules))
        self._style, self._illegal, self._lenient = style, illegal, lenient

    def begin(self, first: Person, seed: str, start: Position | None = None) -> Conversation:
        """Return the conversation at the model's first turn; Player 1 is the model."""
        setup = Setup(
            rules=self.rules,
            names=("Model", self._opponent.name),
            who=(MODEL, self._opponent.who),
            first=first,
            seed=seed,
        )
        match = Match(setup, start=start)
        return self._asked(Conversation(match, self._turn(match)))

    def answered(self, talk: Conversation, text: str, *, cut: bool = False) -> Conversation:
        """Return what follows an answer; `cut` is whether it ran out of tokens."""
        reply = judge_reply(ModelReply(text, cut), talk.turn.position, 0.0, lenient=self._lenient)
        replies = (*talk.replies, reply)
        decision = turn_result(replies, talk.turn, self._illegal)
        if decision is None:
            again = Message("user", refusal(reply.text, reply.detail))
            return replace(talk, replies=replies, messages=(*talk.messages, Message("assistant", text), again))
        mark = mark_of(self._judge, talk.turn.position, replies)
        match = talk.match.after(decision.ending(talk.turn) if decision.move is None else decision.move)
        return self._asked(Conversation(match, talk.turn, (), (), (*talk.marks, mark)))

    def _asked(self, talk: Conversation) -> Conversation:
        """Let the opponent move if it is its turn, then ask the model."""
        match = talk.match
        while match.outcome is None and match.to_move is not _MODEL:
            match = match.after(pick(self._opponent.chances(match.position), match.seed))
        turn = self._turn(match)
        question = prompt(turn, self._style, forfeits=self._illegal.forfeits) if match.outcome is None else ""
        asked = (Message("user", question),) if question else ()
        return replace(talk, match=match, turn=turn, messages=asked)

    @staticmethod
    def _turn(match: Match) -> Turn:
        return Turn(match.positions[0], match.moves, match.position, 0.0, match.seed)


def mark_of(judge: Judge, position: Position, replies: tuple[EntrantReply, ...]) -> Mark:
    """Return what the last of the replies to one turn is worth."""
    move = replies[-1].move
    decision = judge(position, position.legal_moves()[0] if move is None else move)
    if move is not None:
        return Mark(replies, decision.real, decision.kept, decision.regret, decision.keeping)
    return Mark(replies, decision.real, kept=False, regret=POINTS[decision.best.verdict], chance=decision.keeping)


@dataclass(frozen=True, slots=True)
class Marks:
    """Many marks, added up."""

    choices: int
    kept: int
    by_chance: float

    @property
    def share(self) -> float | None:
        """The share of real choices kept; None if there was none."""
        return self.kept / self.choices if self.choices else None


def added(marks: Iterable[Mark]) -> Marks:
    """Return marks added up: only real choices count."""
    real = [mark for mark in marks if mark.real]
    return Marks(len(real), sum(mark.kept for mark in real), sum(mark.chance for mark in real))


@dataclass(frozen=True, slots=True)
class Seating:
    """One of two matches from the same position; Player 1 is the model."""

    pair: int
    start: Position
    first: Person

    def __str__(self) -> str:
        where = "seat 1" if self.first is _MODEL else "seat 2"
        return f"A match of {self.start.rules.name} from {self.start}, the model in {where}."


def seatings(rules: Rules, pairs: int, seed: str, *, from_start: bool) -> Iterator[Seating]:
    """Yield pairs of matches: from the start of a game, or each from a position of an even book, as far as it goes."""
    solution = solution_of(rules)
    book = () if from_start else even_book(solution, pairs, seed)
    for pair, start in zip(range(1, pairs + 1), cycle(book or start_book(solution)), strict=False):
        yield from (Seating(pair, start, first) for first in Person)
