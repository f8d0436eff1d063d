"""Causes: the first claim of the catalogue that holds of a move.

Of a winning move it is about the position after it, of a losing move about the position after their best-explained
answer: in both, the loser is to move. See `strategy/claims.py` for what each claim means.

In the sentences `you` made the move and `they` answer it, or both have names.

>>> from zerosum.rules.game_files import load_game
>>> from zerosum.rules.notation import parse_position
>>> from zerosum.solver import solution_of
>>> game = load_game("sum31")
>>> position = parse_position("1,3,4,6,9 22 1", game)
>>> for move in position.legal_moves():
...     print(*words(why(position, move, solution_of(game))))
They answer +6. Every number left takes you past 31.
It leaves 25, and 6 is still there.
From here it is enough never to pass 31 nor leave the number that makes it: they run out of safe moves first.
It leaves 28, and 3 is still there.
+9 makes 31.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from typing import Final, NamedTuple

from zerosum.base.english import third
from zerosum.coach.features import Features, features_of, refills
from zerosum.rules.model import Totals
from zerosum.rules.moves import SWAP, Move
from zerosum.rules.outcome import Reason
from zerosum.rules.position import Position
from zerosum.solver import Solution, Verdict
from zerosum.strategy.answer_tables import MORE, TWO, AnswerTable, ReplyAnswers, fit
from zerosum.strategy.claim_words import LostPosition, law_short, law_words, lost_words
from zerosum.strategy.claims import (
    Answers,
    ByLaw,
    Claim,
    EndsMatch,
    Forced,
    Guarding,
    InTwo,
    Leaves,
    NextForced,
    NextNoSafeReply,
    NoCause,
    NoSafeReply,
    Settled,
    Simple,
    Stuck,
    name_of,
)
from zerosum.strategy.lookahead import threat
from zerosum.strategy.phrases import YOU_AND_THEY, Subject, Subjects, deed, sentence

_NEXT: Final = "acdeg"
"""The forms of tables whose every answer leaves no safe move."""
_EXCEPTIONS: Final = 2


class Why(NamedTuple):
    """Why a move wins, loses or draws for the player who makes it.

    `answer` is the answer after which the claim about a losing move holds. It is None if the claim needs no answer: the
    move ends the match, leaves a win at once, or a law speaks of the position after it.
    """

    position: Position
    move: Move
    verdict: Verdict
    claim: Claim
    answer: Move | None = None

    @property
    def name(self) -> str:
        """The name of the cause in the catalogue."""
        return name_of(self.claim)

    @property
    def lost(self) -> Position:
        """The position that the claim is about."""
        after = self.position.play_unchecked(self.move)
        return after if self.answer is None else after.play_unchecked(self.answer)


def why(position: Position, move: Move, solution: Solution) -> Why:
    """Return the cause of a legal move of an unfinished position, remembered."""
    looks = features_of(solution)
    return looks.once("why", (position, move), lambda: _why(position, move, looks))


def _why(position: Position, move: Move, looks: Features) -> Why:
    step = next(one for one in looks.steps(position) if one.move == move)
    outcome = step.after.outcome
    if outcome is not None:
        won = outcome.winner is position.seat
        return Why(position, move, Verdict.WIN if won else Verdict.LOSS, EndsMatch(won, outcome.reason))
    verdict = looks.solution.value(step.after).verdict.opposite
    if verdict is Verdict.WIN:
        return Why(position, move, verdict, because(looks, step.after))
    if verdict is Verdict.LOSS:
        return Why(position, move, verdict, *_refuted(looks, step.after))
    return Why(position, move, verdict, _no_cause(looks, step.after))


def because(looks: Features, lost: Position) -> Claim:
    """Return why a position is lost for the side to move."""
    found = (look(looks, lost) for look in _LOOKS)
    return next((claim for claim in found if claim is not None), _no_cause(looks, lost))


def _no_cause(looks: Features, lost: Position) -> NoCause:
    return NoCause(len(looks.steps(lost)))


def _refuted(looks: Features, after: Position) -> tuple[Claim, Move | None]:
    """Return why a position is won for the side to move: the claim of the best-explained answer, and that answer."""
    wins = looks.wins(after)
    if wins:
        return Leaves(tuple(step.move for step in wins)), None
    lost: dict[Hashable, tuple[Move, Position]] = {}
    for option in looks.solution.options(after):
        if option.value.verdict is Verdict.WIN:
            position = after.play_unchecked(option.move)
            # Mirrors have the same causes, by other moves: one stands for all.
            lost.setdefault(looks.sight.key(position), (option.move, position))
    for look in _LOOKS:
        for move, position in lost.values():
            claim = look(looks, position)
            if claim is not None:
                return claim, None if isinstance(claim, ByLaw) else move
    move, position = next(iter(lost.values()))
    return _no_cause(looks, position), move


class Deeper(NamedTuple):
    """What follows a reason: the reply that holds out longest, and why the answer to it wins.

    There is no reply where the winner is to move: a losing move has left a win at once, or a law speaks of it.
    """

    reply: Move | None
    why: Why


def deeper(found: Why, solution: Solution) -> Deeper | None:
    """Return what follows a reason; None if every reply ends the match, or if neither side can force an end.

    The reply is one that the reason speaks of. The answer is one that the reason names, or that wins at once, or else
    the quickest that has a cause.
    """
    lost = found.lost
    if lost.outcome is not None or found.verdict is Verdict.DRAW:
        return None
    replies = solution.options(lost)
    if replies[0].value.verdict is Verdict.WIN:
        return Deeper(None, _answered(lost, (), solution))
    but = found.claim.but if isinstance(found.claim, NextForced) else ()
    reply = next((one.move for one in replies if one.move not in but), replies[0].move)
    after = lost.play_unchecked(reply)
    if after.outcome is not None:
        return None
    return Deeper(reply, _answered(after, _answers_named(found.claim, reply, after, solution), solution))


def _answers_named(claim: Claim, reply: Move, after: Position, solution: Solution) -> tuple[Move, ...]:
    """Return the answers to a reply that the words of a claim speak of; nothing if any winning move fits them."""
    looks = features_of(solution)
    match claim:
        case Answers(table) | NextNoSafeReply(AnswerTable() as table):
            return () if table.win_first and looks.wins(after) else (table.answer(reply),)
        case NextNoSafeReply():
            winning = looks.winning(after)
            trapped = tuple(step.move for step in winning if looks.trapped(step.after))
            return trapped or tuple(step.move for step in winning if looks.settled(step.after) is not None)
        case NoSafeReply(_, answered):
            return tuple(answer for one, answer in answered if one == reply)
        case Forced(number, answer) if reply.number == number:
            return (answer,)
        case NextForced():
            return _forcing(looks, after)
    return ()


def _forcing(looks: Features, after: Position) -> tuple[Move, ...]:
    return tuple(step.move for step in looks.winning(after) if _forces(looks, step.after))


def _answered(position: Position, named: Sequence[Move], solution: Solution) -> Why:
    """Return why a move of a won position wins: one that is named, or wins at once, or else one with a cause."""
    options = solution.options(position)
    soon = [option.move for option in options if option.value.verdict is Verdict.WIN and option.value.plies == 1]
    good = soon or [option.move for option in options if option.value.verdict is Verdict.WIN]
    whys = [why(position, move, solution) for move in named or good]
    return next((one for one in whys if not isinstance(one.claim, NoCause)), whys[0])


def _stuck(looks: Features, lost: Position) -> Stuck | None:
    ends = (step.after.outcome for step in looks.steps(lost))
    return Stuck(tuple(dict.fromkeys(end.reason for end in ends if end is not None))) if looks.stuck(lost) else None


def _settled(looks: Features, lost: Position) -> Settled | None:
    reasons = looks.settled(lost)
    return None if reasons is None else Settled(tuple(sorted(reasons)))


def _no_safe_reply(looks: Features, lost: Position) -> NoSafeReply | None:
    if not looks.trapped(lost):
        return None
    steps = looks.steps(lost)
    return NoSafeReply(
        tuple(step.move for step in steps if step.won is False),
        tuple((step.move, looks.wins(step.after)[0].move) for step in steps if step.won is None),
    )


def _forced(looks: Features, lost: Position) -> Forced | None:
    number = _only_safe(looks, lost)
    if number is None:
        return None
    safe = looks.safe(lost)
    common = [{step.move: step.after for step in looks.winning(reply.after)} for reply in safe]
    moves = [move for move in common[0] if all(move in answers for answers in common)]
    for look in _SIMPLE:
        for move in moves:
            found = [look(looks, answers[move]) for answers in common]
            then = found[0]
            if then is not None and all(claim is not None for claim in found):
                return Forced(number, move, then)
    return None


def _only_safe(looks: Features, lost: Position) -> int | None:
    """Return the number that all safe moves take; None if there is none, or more than one."""
    safe = looks.safe(lost)
    numbers = {step.move.number for step in safe}
    return safe[0].move.number if len(numbers) == 1 and all(step.move != SWAP for step in safe) else None


def _next_no_safe_reply(looks: Features, lost: Position) -> NextNoSafeReply | None:
    settled = []
    for reply in looks.safe(lost):
        answers = [step.after for step in looks.winning(reply.after)]
        if any(looks.trapped(answer) for answer in answers):
            settled.append(False)
        elif any(looks.settled(answer) is not None for answer in answers):
            settled.append(True)
        else:
            return None
    return NextNoSafeReply(*_next_table(looks, lost, settled))


def _next_table(
    looks: Features, lost: Position, settled: list[bool]
) -> tuple[AnswerTable | None, tuple[bool, ...], bool]:
    """Return a table of answers that each win at once or leave no safe move, if there is one."""
    replies = [] if any(settled) else _replies(looks, lost)
    after = {step.move: step.after for step in looks.steps(lost)}
    left = [
        one._replace(
            good=tuple(
                move for move in one.good if move in one.at_once or looks.trapped(after[one.reply].play_unchecked(move))
            )
        )
        for one in replies
    ]
    table = fit(left, _NEXT)
    if table is None:
        return None, tuple(settled), False
    over = any(table.answer(one.reply) in one.at_once for one in left if not (table.win_first and one.at_once))
    return table, tuple(settled), over


def _replies(looks: Features, lost: Position) -> list[ReplyAnswers]:
    """Return the answers to every reply that goes on; nothing if some reply refills the pool."""
    going_on = [step for step in looks.steps(lost) if step.won is None]
    if any(refills(lost, step) for step in going_on):
        return []
    found = []
    for step in going_on:
        at_once = tuple(win.move for win in looks.wins(step.after))
        found.append(ReplyAnswers(step.move, (*at_once, *(one.move for one in looks.winning(step.after))), at_once))
    return found


def table_of(looks: Features, lost: Position, forms: str) -> AnswerTable | None:
    """Return the first table, of the forms asked for, that meets every reply; None if none does."""
    return fit(_replies(looks, lost), forms)


def _answers(looks: Features, lost: Position, forms: str) -> Answers | None:
    table = table_of(looks, lost, forms)
    return None if table is None else Answers(table)


def _next_forced(looks: Features, lost: Position, most: int) -> NextForced | None:
    """Return the claim if at most so many safe moves are exceptions."""
    but, threats = [], True
    for reply in looks.safe(lost):
        answers = [step.after for step in looks.winning(reply.after)]
        threatening = (
            answer for answer in answers if threat(answer) is not None and threat(answer) == _only_safe(looks, answer)
        )
        if any(_forces(looks, one) for one in threatening):
            continue
        if any(_forces(looks, answer) for answer in answers):
            threats = False
            continue
        but.append(reply.move)
        if len(but) > most:
            return None
    return None if len(but) == len(looks.safe(lost)) else NextForced(tuple(but), threats)


def _forces(looks: Features, lost: Position) -> bool:
    """Whether all safe moves take one number, and after each of them some answer has a cause up to the ninth."""

    def find() -> bool:
        return _only_safe(looks, lost) is not None and all(
            any(_up_to_nine(looks, step.after) for step in looks.winning(reply.after)) for reply in looks.safe(lost)
        )

    return looks.once("forces", looks.sight.key(lost), find)


def _in_two(looks: Features, lost: Position) -> InTwo | None:
    in_two = looks.sight.squeezed_in_two
    met = (any(in_two(one.after) for one in looks.winning(reply.after)) for reply in looks.safe(lost))
    return InTwo() if all(met) else None


def _up_to_nine(looks: Features, lost: Position) -> bool:
    return looks.once("nine", looks.sight.key(lost), lambda: any(look(looks, lost) is not None for look in _NINE))


_SIMPLE: Final[tuple[Callable[[Features, Position], Simple | None], ...]] = (
    _stuck,
    _settled,
    lambda looks, _: None if looks.solution.law is None else ByLaw(looks.solution.law),
    _no_safe_reply,
    lambda looks, lost: Guarding() if looks.guarding(lost) else None,
)
_NINE: Final = (*_SIMPLE, _forced, _next_no_safe_reply)
_LOOKS: Final[tuple[Callable[[Features, Position], Claim | None], ...]] = (
    *_NINE,
    lambda looks, lost: _answers(looks, lost, TWO),
    lambda looks, lost: _answers(looks, lost, MORE),
    lambda looks, lost: _next_forced(looks, lost, 0),
    _in_two,
    lambda looks, lost: _next_forced(looks, lost, _EXCEPTIONS),
)


def words(why: Why, who: Subjects = YOU_AND_THEY, said: Collection[str] = ()) -> list[str]:
    """Return the cause of a move as one or two sentences; `said` are the names of causes told in full before."""
    return [sentence(text) for text in _told(why, who, said)]


def _told(why: Why, who: Subjects, said: Collection[str]) -> list[str]:
    position, move, claim = why.position, why.move, why.claim
    after = position.play_unchecked(move)
    if isinstance(claim, EndsMatch):
        return [f"{position.text_of(move)} {deed(position, move, third)}."]
    if isinstance(claim, Leaves):
        return [_leaves(after, claim.replies[0], who.they)]
    if why.verdict is Verdict.DRAW:
        return [f"After {position.text_of(move)} neither side can force an end."]
    if isinstance(claim, ByLaw):
        winner, loser = (who.you, who.they) if why.verdict is Verdict.WIN else (who.they, who.you)
        tell = law_short if why.name in said else law_words
        return tell(claim.law, after, Subjects(winner, loser))
    if why.answer is None:
        return [lost_words(claim, LostPosition(after, who.you, who.they))]
    lost = after.play_unchecked(why.answer)
    answer = f"{_answering(who.they)} {position.text_of(why.answer)}."
    because = lost_words(claim, LostPosition(lost, who.they, who.you))
    if not isinstance(claim, Answers | NextNoSafeReply) or claim.table is None:
        return [answer, because]
    # Two sentences that begin alike would be read as two answers to one move.
    lower = because.startswith(("They ", "Answer "))
    return [answer, f"Then {because[0].lower() + because[1:] if lower else because}"]


def deeper_words(found: Deeper, who: Subjects) -> list[str]:
    """Return what follows a reason as sentences, in which `you` is the winner: a reply, the answer, and why it wins."""
    position = found.why.position
    answer = position.text_of(found.why.move)
    plays = f"play {answer}" if who.you.name == "you" else f"{who.you.does('play')} {answer}"
    if found.reply is None:
        first = f"{who.you.does('play')} {answer}."
    else:
        first = f"If {who.they.does('play')} {position.text_of(found.reply)}, {plays}."
    return [sentence(first), *words(found.why, who)]


def _answering(they: Subject) -> str:
    """Return who answers. Somebody who is named, or the reader, has played the match, perhaps with another answer."""
    return f"{they.name} can answer" if they.third or they.name == "you" else they.does("answer")


def _leaves(after: Position, reply: Move, they: Subject) -> str:
    """Say that a number which wins at once is still there."""
    outcome, target = after.play_unchecked(reply).outcome, after.rules.target
    if outcome is None or outcome.reason is not Reason.REACHED_TARGET:
        return f"{_answering(they)} {after.text_of(reply)} and {deed(after, reply, str)}."
    total = after.total(after.seat)
    if after.rules.totals is Totals.SHARED:
        return f"It leaves {total}, and {reply.number} is still there."
    return f"{they.does('are')} {abs(total - target)} from {target}, and {reply.number} is still there."
