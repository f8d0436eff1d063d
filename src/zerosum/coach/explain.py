"""Why a move wins, loses or draws: a tree of claims, each found by looking at the rules and the solution."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from zerosum.coach.claims import (
    AllLose,
    Answered,
    AnswersEnd,
    BackTo,
    Claim,
    EndsAtOnce,
    Explanation,
    Held,
    Leads,
    NoLossAfter,
    NoWinAmong,
    Refuted,
    RepliesEnd,
    Settled,
    Side,
)
from zerosum.rules.model import Seat, Totals
from zerosum.rules.moves import SWAP, Move
from zerosum.rules.outcome import Reason
from zerosum.rules.position import Position
from zerosum.solver import Option, Solution, Verdict

LINE: Final = 12
"""How many moves of a refutation are shown."""
GROUPS: Final = 3
"""How many different answers are listed one by one."""
SETTLED: Final = 150
"""How many positions are searched to find out whether the result is settled."""
_RANKS: Final = {Verdict.LOSS: 0, Verdict.DRAW: 1, Verdict.WIN: 2}


def explain(position: Position, move: Move, solution: Solution) -> Explanation:
    """Return why a legal move of an unfinished position is good or bad, for whoever makes it."""
    options = solution.options(position)
    chosen = next(option for option in options if option.move == move)
    because = _ending(position, move) or _BRANCHES[chosen.value.verdict](position, move, solution)
    return Explanation(
        Leads(move, chosen.value.verdict, chosen.value.plies),
        tuple(map(Explanation, [*because, *instead(options, chosen)])),
    )


def keeps(options: Sequence[Option]) -> tuple[Move, ...]:
    """Return the moves that keep the verdict of a position, the best first."""
    return tuple(option.move for option in options if option.value.verdict is options[0].value.verdict)


def falls(before: Verdict, after: Verdict) -> bool:
    """Whether a verdict is worse than the one before it."""
    return _RANKS[after] < _RANKS[before]


def ends(position: Position, move: Move) -> tuple[bool, Reason] | None:
    """Return whether a move wins at once for whoever makes it, and why; None if play goes on."""
    outcome = position.play_unchecked(move).outcome
    return None if outcome is None else (outcome.winner is position.seat, outcome.reason)


def instead(options: Sequence[Option], chosen: Option) -> list[Claim]:
    """Return what would have been better, or that nothing would."""
    if falls(options[0].value.verdict, chosen.value.verdict):
        return [Held(keeps(options), options[0].value.verdict)]
    if chosen.value.verdict is Verdict.LOSS:
        return [AllLose(len(options), longest=chosen.value == options[0].value)]
    return []


def _ending(position: Position, move: Move) -> list[Claim]:
    end = ends(position, move)
    return [] if end is None else [EndsAtOnce(move, Side.YOU if end[0] else Side.THEY, end[1])]


def _losing(position: Position, move: Move, solution: Solution) -> list[Claim]:
    after = position.play_unchecked(move)
    plies = solution.value(after).plies or 0
    line = tuple(solution.line(after, LINE))
    for one in line:
        after = after.play_unchecked(one)
    return [Refuted(line, plies - len(line), after.outcome.reason if after.outcome else None)]


def _drawing(position: Position, move: Move, solution: Solution) -> list[Claim]:
    replies = solution.options(position.play_unchecked(move))
    return [NoLossAfter(len(replies), sum(reply.value.verdict is Verdict.DRAW for reply in replies))]


def _winning(position: Position, move: Move, solution: Solution) -> list[Claim]:
    """Say what the move leaves them: that all is settled, or how each reply is answered."""
    after = position.play_unchecked(move)
    lost: dict[Move, Reason] = {}
    at_once: dict[Move, tuple[Move, Reason]] = {}
    rest: dict[Move, list[Option]] = {}
    for reply in after.legal_moves():
        end = ends(after, reply)
        if end is not None:
            lost[reply] = end[1]
            continue
        following = after.play_unchecked(reply)
        options = solution.options(following)
        won = ends(following, options[0].move)
        if won is not None:
            at_once[reply] = (options[0].move, won[1])
        else:
            rest[reply] = [option for option in options if option.value.verdict is Verdict.WIN]
    if at_once or rest:
        settled = _settled(after, position.seat.other if move == SWAP else position.seat)
        if settled is not None:
            return [settled]
    claims: list[Claim] = []
    if lost:
        claims.append(RepliesEnd(tuple(lost), _distinct(lost.values()), not at_once and not rest))
    if at_once:
        answers = tuple((reply, answer) for reply, (answer, _) in at_once.items())
        claims.append(AnswersEnd(answers, _distinct(why for _, why in at_once.values()), not lost and not rest))
    if rest:
        claims += _kept(after, rest, solution, every=not lost and not at_once)
    return claims


def _distinct(reasons: Iterable[Reason]) -> tuple[Reason, ...]:
    return tuple(dict.fromkeys(reasons))


def _kept(after: Position, rest: dict[Move, list[Option]], solution: Solution, *, every: bool) -> list[Claim]:
    """Say how replies that decide nothing at once are answered: by a few answers, by one total, or by an example."""
    groups = _cover(rest)
    total = _same_total(after, rest) if len(groups) >= GROUPS else None
    if total is not None:
        return [BackTo(tuple(rest), total, every)]
    if len(groups) <= GROUPS:
        # The answer that serves most comes last, so that the words can be "any other reply".
        return [Answered(tuple(replies), answer, every and len(groups) == 1) for answer, replies in reversed(groups)]
    defence = next(option.move for option in solution.options(after) if option.move in rest)
    return [NoWinAmong(tuple(rest), (defence, rest[defence][0].move), every)]


def _cover(rest: dict[Move, list[Option]]) -> list[tuple[Move, list[Move]]]:
    """Return a few answers that together serve all replies, each with its replies; the most useful comes first."""
    open_replies = dict(rest)
    groups: list[tuple[Move, list[Move]]] = []
    while open_replies and len(groups) <= GROUPS:
        serves = Counter(option.move for options in open_replies.values() for option in options)
        best = max(serves, key=lambda answer: serves[answer])
        served = [reply for reply, options in open_replies.items() if any(one.move == best for one in options)]
        groups.append((best, served))
        for reply in served:
            del open_replies[reply]
    return groups


def _same_total(after: Position, rest: dict[Move, list[Option]]) -> int | None:
    """Return a shared total that some winning answer makes after each of the replies, the nearest to the target."""
    if after.rules.totals is not Totals.SHARED:
        return None
    reachable = [
        {after.totals[0] + reply.amount + option.move.amount for option in options} for reply, options in rest.items()
    ]
    common = set.intersection(*reachable)
    return min(common, key=lambda total: (abs(total - after.rules.target), total)) if common else None


def _settled(after: Position, you: Seat) -> Settled | None:
    """Return the ways a match can still end if you win all of them, whatever both play; None if not, or too many."""
    reasons: dict[Reason, None] = {}
    seen = {(after.key, you)}
    todo = [(after, you)]
    while todo:
        position, seat = todo.pop()
        for move in position.legal_moves():
            following = position.play_unchecked(move)
            yours = seat.other if move == SWAP else seat
            if following.outcome is not None:
                if following.outcome.winner is not yours:
                    return None
                reasons[following.outcome.reason] = None
            elif len(following.pool) > len(position.pool) or len(seen) >= SETTLED:
                return None
            elif (following.key, yours) not in seen:
                seen.add((following.key, yours))
                todo.append((following, yours))
    return Settled(tuple(sorted(reasons)))


_BRANCHES = {Verdict.WIN: _winning, Verdict.LOSS: _losing, Verdict.DRAW: _drawing}
