"""Tables of answers: what to answer to every reply, in so few words that one can play by them.

A table is *followed* literally: to a reply that it lists, its case; to a reply that takes the number of the usual
answer, the answer for that; to anything else, the usual answer. A table that says so wins at once first, if it can.
`fit` finds the first form of this list whose table answers every reply:

| form | says, with `you` as the winner |
|---|---|
| a | Answer anything with X. |
| b | Answer anything with X; if they take x, Z wins at once. |
| c | Answer anything with X; if they take x, with Y. |
| d | Win at once if you can; otherwise answer with X. |
| e | Win at once if you can; otherwise answer anything with X; if they take x, with Y. |
| f | Answer anything with X, +x with Y, -x with Z. |
| g | [Win at once if you can; otherwise] answer V or W with Y, anything else with X. |
| t | the same with three or four answers |
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from zerosum.rules.moves import SWAP, Move

TWO: Final = "abcdefg"
"""The forms with two answers at most; that with an answer for each sign has three."""
MORE: Final = "t"
_MOST: Final = 4


class Case(NamedTuple):
    """The answer to each of some replies."""

    replies: tuple[Move, ...]
    answer: Move


class AnswerTable(NamedTuple):
    """An answer to every reply; `form` is its letter in the list above."""

    form: str
    usual: Move
    if_taken: Move | None = None
    """The answer if they take the number of the usual one; None if that makes no difference."""
    win_first: bool = False
    """Whether to win at once wherever that is possible, and to look at the answers only otherwise."""
    cases: tuple[Case, ...] = ()

    def answer(self, reply: Move) -> Move:
        """Return the answer to a reply that goes on."""
        for case in self.cases:
            if reply in case.replies:
                return case.answer
        return self.if_taken if self.if_taken is not None and takes(reply, self.usual) else self.usual


class ReplyAnswers(NamedTuple):
    """A reply that goes on, the answers that will do, and those that win at once."""

    reply: Move
    good: tuple[Move, ...]
    at_once: tuple[Move, ...]


def takes(reply: Move, answer: Move) -> bool:
    """Whether a reply takes the number of an answer."""
    return SWAP not in (reply, answer) and reply.number == answer.number


def size(move: Move) -> tuple[int, int, str]:
    """Return what sorts moves: the smallest number first, adding before subtracting."""
    return abs(move.number), -move.number, move.operation.value


class _Bits:
    """The replies as bits: which of them each answer meets."""

    def __init__(self, replies: Sequence[ReplyAnswers]) -> None:
        self.replies = [one.reply for one in replies]
        self.every = (1 << len(replies)) - 1
        self.good = _met(reply.good for reply in replies)
        self.wins = _met(reply.at_once for reply in replies)
        self.now = sum(1 << n for n, reply in enumerate(replies) if reply.at_once)
        self.answers = sorted(self.good, key=size)
        self.taken = {
            answer: sum(1 << n for n, reply in enumerate(self.replies) if takes(reply, answer))
            for answer in self.answers
        }

    def of(self, bits: int) -> tuple[Move, ...]:
        return tuple(reply for n, reply in enumerate(self.replies) if bits >> n & 1)


def _met(answers: Iterable[tuple[Move, ...]]) -> dict[Move, int]:
    met: dict[Move, int] = {}
    for n, moves in enumerate(answers):
        for move in moves:
            met[move] = met.get(move, 0) | 1 << n
    return met


def fit(replies: Sequence[ReplyAnswers], forms: str) -> AnswerTable | None:
    """Return the first table, of the forms asked for, that answers every reply; None if none does."""
    if not replies or not all(reply.good for reply in replies):
        return None
    bits = _Bits(replies)
    return next((table for form in forms for table in _FORMS[form](bits)), None)


def _if_taken(form: str, bits: _Bits, needed: int, met: dict[Move, int]) -> Iterator[AnswerTable]:
    """Yield the tables with an answer for the replies that take the usual one; `needed` are the replies to meet."""
    for usual in bits.answers:
        taken = bits.taken[usual] & needed
        if taken and not needed & ~taken & ~bits.good[usual]:
            for other in bits.answers:
                if not taken & ~met.get(other, 0):
                    yield AnswerTable(form, usual, other, win_first=form == "e")


def _win_first(bits: _Bits) -> Iterator[AnswerTable]:
    if bits.now:
        needed = bits.every & ~bits.now
        yield from (AnswerTable("d", usual, win_first=True) for usual in bits.answers if not needed & ~bits.good[usual])


def _by_sign(bits: _Bits) -> Iterator[AnswerTable]:
    """Yield the tables with an answer for each of the two replies that take the usual one."""
    for usual in bits.answers:
        taken = bits.of(bits.taken[usual])
        if len(taken) == 2 and not bits.every & ~bits.taken[usual] & ~bits.good[usual]:  # noqa: PLR2004 - two signs
            answers = [
                next((answer for answer in bits.answers if bits.good[answer] & 1 << bits.replies.index(reply)), None)
                for reply in taken
            ]
            cases = [Case((reply,), one) for reply, one in zip(taken, answers, strict=True) if one is not None]
            if len(cases) == len(taken):
                yield AnswerTable("f", usual, cases=tuple(cases))


def _listed(form: str, bits: _Bits, counts: Sequence[int]) -> Iterator[AnswerTable]:
    """Yield the tables that list the replies to all answers but the usual one, those that list the fewest first."""
    for count in counts:
        for win_first in (False, True) if bits.now else (False,):
            needed = bits.every & ~bits.now if win_first else bits.every
            found = ((_cases(bits, chosen, needed), chosen) for chosen in set(_covers(bits, needed, count)))
            best = min(found, key=lambda one: (one[0][0], [bits.answers.index(move) for move in one[1]]), default=None)
            if best is not None:
                yield AnswerTable(form, best[0][1], win_first=win_first, cases=best[0][2])


def _covers(bits: _Bits, needed: int, count: int) -> Iterator[tuple[Move, ...]]:
    """Yield the choices of at most so many answers that meet all replies needed, none of them for nothing."""
    if not needed:
        yield ()
    elif count:
        one = needed & -needed
        for answer in bits.answers:
            if bits.good[answer] & one:
                for others in _covers(bits, needed & ~bits.good[answer], count - 1):
                    yield tuple(sorted((answer, *others), key=size))


def _cases(bits: _Bits, chosen: Sequence[Move], needed: int) -> tuple[int, Move, tuple[Case, ...]]:
    """Return how many replies are listed, the usual answer, and the cases of the others."""
    usual = max(chosen, key=lambda one: (bits.good[one] & needed).bit_count())
    left = needed & ~bits.good[usual]
    cases = []
    for other in sorted((one for one in chosen if one != usual), key=lambda one: -(bits.good[one] & left).bit_count()):
        met = left & bits.good[other]
        left &= ~met
        if met:
            cases.append(Case(bits.of(met), other))
    return sum(len(case.replies) for case in cases), usual, tuple(reversed(cases))


_FORMS: Final[dict[str, Callable[[_Bits], Iterator[AnswerTable]]]] = {
    "a": lambda bits: (AnswerTable("a", usual) for usual in bits.answers if bits.good[usual] == bits.every),
    "b": lambda bits: _if_taken("b", bits, bits.every, bits.wins),
    "c": lambda bits: _if_taken("c", bits, bits.every, bits.good),
    "d": _win_first,
    "e": lambda bits: _if_taken("e", bits, bits.every & ~bits.now, bits.good) if bits.now else iter(()),
    "f": _by_sign,
    "g": lambda bits: _listed("g", bits, (2,)),
    "t": lambda bits: _listed("t", bits, range(3, _MOST + 1)),
}
