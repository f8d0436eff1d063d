"""Causes: the one reason why a move wins or loses, as data. Each can be checked by playing it out.

A cause is about a position that the side to move loses: the one after a winning move, or the one after the
best-explained answer to a losing move. The *loser* is to move there, the *winner* is the other side. The first cause of
the catalogue that holds is given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from zerosum.coach.features import Features, MoveResult, features_of
from zerosum.coach.plans import plans_of
from zerosum.rules.moves import SWAP, Move
from zerosum.rules.outcome import Reason
from zerosum.rules.position import Position
from zerosum.solver import Law, Solution, Verdict
from zerosum.strategy.card import Card


class EndsMatch(NamedTuple):
    """The move ends the match; `won` says whether the player who makes it wins."""

    won: bool
    reason: Reason


class Leaves(NamedTuple):
    """After the losing move each of these replies wins at once."""

    replies: tuple[Move, ...]


class Stuck(NamedTuple):
    """Every move of the loser loses at once, in these ways."""

    reasons: tuple[Reason, ...]


class Settled(NamedTuple):
    """The winner wins however both play on; `reasons` are all the ways it can end."""

    reasons: tuple[Reason, ...]


class ByLaw(NamedTuple):
    """The law of the game says so."""

    law: Law


class NoSafeReply(NamedTuple):
    """Every move of the loser either loses at once or has an answer that wins at once."""

    lost: tuple[Move, ...]
    answered: tuple[tuple[Move, Move], ...]


class Guarding(NamedTuple):
    """Any safe moves of the winner win from here."""


class Forced(NamedTuple):
    """The loser's only safe moves take one number; after each of them `answer` leaves a position with cause `then`."""

    number: int
    answer: Move
    then: Stuck | Settled | ByLaw | NoSafeReply | Guarding


class NextNoSafeReply(NamedTuple):
    """After each safe move of the loser this answer leaves them stuck, lost in every play-out, or with no safe move."""

    answers: tuple[tuple[Move, Move, str], ...]
    """Safe move, answer, and the name of the cause then."""


class ByRecipe(NamedTuple):
    """A recipe wins for the winner: make the target, guard, and then these rules of the vocabulary."""

    rules: tuple[str, ...]


class ByCard(NamedTuple):
    """The winner wins by a card: the game's own, or a longer recipe, which is for no seat.

    `rule` is the one that chose the move, None if none did.
    """

    card: Card
    rule: int | None


class NoCause(NamedTuple):
    """None of the catalogue holds; or neither side can force an end."""


Simple = Stuck | Settled | ByLaw | NoSafeReply | Guarding
Cause = EndsMatch | Leaves | Simple | Forced | NextNoSafeReply | ByRecipe | ByCard | NoCause
NAMES: Final[dict[type[Cause], str]] = {
    EndsMatch: "ends",
    Leaves: "leaves",
    Stuck: "stuck",
    Settled: "settled",
    ByLaw: "law",
    NoSafeReply: "no-safe-reply",
    Guarding: "guarding",
    Forced: "forced",
    NextNoSafeReply: "next-no-safe-reply",
    ByRecipe: "plan",
    ByCard: "card",
    NoCause: "none",
}
"""The catalogue, in order."""
NONE: Final = NAMES[NoCause]


class Why(NamedTuple):
    """Why a move wins, loses or draws for the player who makes it.

    `answer` is the answer after which the cause of a losing move holds. It is None if the cause needs no answer: the
    move ends the match, leaves a win at once, or a law speaks of the position after it.
    """

    position: Position
    move: Move
    verdict: Verdict
    cause: Cause
    answer: Move | None = None

    @property
    def name(self) -> str:
        """The name of the cause in the catalogue."""
        return NAMES[type(self.cause)]


def why(position: Position, move: Move, solution: Solution) -> Why:
    """Return the cause of a legal move of an unfinished position."""
    looks = features_of(solution)
    step = next(one for one in looks.steps(position) if one.move == move)
    outcome = step.after.outcome
    if outcome is not None:
        won = outcome.winner is position.seat
        return Why(position, move, Verdict.WIN if won else Verdict.LOSS, EndsMatch(won, outcome.reason))
    verdict = solution.value(step.after).verdict.opposite
    if verdict is Verdict.WIN:
        return Why(position, move, verdict, _chosen(looks, because(looks, step.after), position, move))
    if verdict is Verdict.LOSS:
        cause, answer = _refuted(looks, step.after)
        if answer is not None:
            cause = _chosen(looks, cause, step.after, answer)
        return Why(position, move, verdict, cause, answer)
    return Why(position, move, verdict, NoCause())


def _chosen(looks: Features, cause: Cause, position: Position, move: Move) -> Cause:
    """Return a cause; if it is a card, with the rule of the card that chose the move."""
    if not isinstance(cause, ByCard):
        return cause
    return ByCard(cause.card, plans_of(looks.solution).rule(cause.card, position, move))


def because(looks: Features, lost: Position) -> Cause:
    """Return why a position is lost for the side to move."""
    found = (look(looks, lost) for look in _LOOKS)
    return next((cause for cause in found if cause is not None), NoCause())


def _refuted(looks: Features, after: Position) -> tuple[Cause, Move | None]:
    """Return why a position is won for the side to move: the cause of the best-explained answer, and that answer."""
    wins = looks.wins(after)
    if wins:
        return Leaves(tuple(step.move for step in wins)), None
    options = looks.solution.options(after)
    answers = [option.move for option in options if option.value.verdict is Verdict.WIN]
    lost = {move: after.play_unchecked(move) for move in answers}
    for look in _LOOKS:
        for move, position in lost.items():
            cause = look(looks, position)
            if cause is not None:
                return cause, None if isinstance(cause, ByLaw) else move
    return NoCause(), answers[0]


def _stuck(looks: Features, lost: Position) -> Stuck | None:
    return Stuck(_reasons(looks.steps(lost))) if looks.stuck(lost) else None


def _reasons(steps: Iterable[MoveResult]) -> tuple[Reason, ...]:
    return tuple(dict.fromkeys(step.after.outcome.reason for step in steps if step.after.outcome is not None))


def _settled(looks: Features, lost: Position) -> Settled | None:
    reasons = looks.settled(lost)
    return None if reasons is None else Settled(tuple(sorted(reasons)))


def _law(looks: Features, _: Position) -> ByLaw | None:
    return None if looks.solution.law is None else ByLaw(looks.solution.law)


def _no_safe_reply(looks: Features, lost: Position) -> NoSafeReply | None:
    if not looks.trapped(lost):
        return None
    steps = looks.steps(lost)
    return NoSafeReply(
        tuple(step.move for step in steps if step.won is False),
        tuple((step.move, looks.wins(step.after)[0].move) for step in steps if step.won is None),
    )


def _guarding(looks: Features, lost: Position) -> Guarding | None:
    return Guarding() if looks.guarding(lost) else None


def _forced(looks: Features, lost: Position) -> Forced | None:
    safe = looks.safe(lost)
    numbers = {step.move.number for step in safe}
    if len(numbers) != 1 or any(step.move == SWAP for step in safe):
        return None
    common = [{step.move: step.after for step in looks.winning(reply.after)} for reply in safe]
    moves = [move for move in common[0] if all(move in answers for answers in common)]
    for look in _SIMPLE:
        for move in moves:
            found = [look(looks, answers[move]) for answers in common]
            then = found[0]
            if then is not None and all(cause is not None for cause in found):
                return Forced(safe[0].move.number, move, then)
    return None


def _next_no_safe_reply(looks: Features, lost: Position) -> NextNoSafeReply | None:
    found = []
    for reply in looks.safe(lost):
        answer = _leaves_nothing(looks, reply.after)
        if answer is None:
            return None
        found.append((reply.move, *answer))
    return NextNoSafeReply(tuple(found))


def _leaves_nothing(looks: Features, position: Position) -> tuple[Move, str] | None:
    """Return an answer after which the loser is stuck, lost in every play-out, or has no safe move."""
    for look in (_stuck, _settled, _no_safe_reply):
        for step in looks.winning(position):
            cause = look(looks, step.after)
            if cause is not None:
                return step.move, NAMES[type(cause)]
    return None


def _plan(looks: Features, lost: Position) -> ByRecipe | None:
    found = plans_of(looks.solution).recipe(lost)
    return None if found is None else ByRecipe(found)


def _card(looks: Features, lost: Position) -> ByCard | None:
    found = plans_of(looks.solution).card(lost)
    return None if found is None else ByCard(found, None)


_SIMPLE: Final[tuple[Callable[[Features, Position], Simple | None], ...]] = (
    _stuck,
    _settled,
    _law,
    _no_safe_reply,
    _guarding,
)
_LOOKS: Final[tuple[Callable[[Features, Position], Cause | None], ...]] = (
    *_SIMPLE,
    _forced,
    _next_no_safe_reply,
    _plan,
    _card,
)
