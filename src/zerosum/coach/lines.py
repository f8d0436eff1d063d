"""The lines behind a cause: how each reply to a winning move is answered, or how a losing move is refuted to the end.

Lines are data, made of the same looks ahead as causes, and each can be checked by playing it out. `you` makes the move,
`they` answer it. After any move, a swap too, the other person is to move.

>>> from zerosum.rules.game_files import load_game
>>> from zerosum.rules.notation import parse_position
>>> from zerosum.solver import solution_of
>>> game = load_game("sum31")
>>> position = parse_position("1,2,3,4,7 28 1", game)
>>> print(*lines_words(lines_of(position, position.legal_moves()[3], solution_of(game))), sep=chr(10))
+4 loses at once: it passes 31.
+3 would have won.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from zerosum.base.english import count, third
from zerosum.coach.analysis import falls, keeps
from zerosum.coach.causes import why, words
from zerosum.coach.features import features_of
from zerosum.rules.model import Totals
from zerosum.rules.moves import Move
from zerosum.rules.outcome import Reason
from zerosum.rules.position import Position
from zerosum.solver import Option, Solution, Value, Verdict
from zerosum.strategy.claim_words import LostPosition, lost_words
from zerosum.strategy.claims import EndsMatch, NoSafeReply, Settled
from zerosum.strategy.phrases import LISTED, YOU_AND_THEY, Subjects, deed, listed, sentence

LINE: Final = 12
"""How many moves of a refutation are shown."""
GROUPS: Final = 3
"""How many different answers are listed one by one."""
FEW: Final = 4
"""Up to this many replies are listed one by one; of more, only the pattern."""


class Answered(NamedTuple):
    """After any of these replies, this answer keeps the win."""

    replies: tuple[Move, ...]
    answer: Move


class BackTo(NamedTuple):
    """After any of these replies, an answer that makes the shared total `total` keeps the win."""

    replies: tuple[Move, ...]
    total: int


class NoWinAmong(NamedTuple):
    """None of these replies wins; the first of `example` holds out longest of all, and the second answers it."""

    replies: tuple[Move, ...]
    example: tuple[Move, Move]


class NoLossAfter(NamedTuple):
    """None of their `replies` wins for them."""

    replies: int


class Refuted(NamedTuple):
    """This line is best play after the move: they win it as soon as they can. `more` moves follow it."""

    line: tuple[Move, ...]
    more: int


class Held(NamedTuple):
    """These are all the moves that would have kept the best verdict of the position, which the move let go."""

    moves: tuple[Move, ...]
    verdict: Verdict


class AllLose(NamedTuple):
    """All moves of the position lose, `moves` of them."""

    moves: int


Instead = Held | AllLose
LinePart = EndsMatch | Settled | NoSafeReply | Answered | BackTo | NoWinAmong | NoLossAfter | Refuted | Instead


class Lines(NamedTuple):
    """What a move leads to against best play, itself counted, and the lines that show it."""

    position: Position
    move: Move
    value: Value
    parts: tuple[LinePart, ...]


def lines_of(position: Position, move: Move, solution: Solution) -> Lines:
    """Return the lines behind a legal move of an unfinished position."""
    options = solution.options(position)
    value = next(option.value for option in options if option.move == move)
    outcome = position.play_unchecked(move).outcome
    if outcome is not None:
        parts: list[LinePart] = [EndsMatch(outcome.winner is position.seat, outcome.reason)]
    else:
        parts = _FINDERS[value.verdict](position.play_unchecked(move), solution)
    better = _instead(options, value)
    return Lines(position, move, value, tuple(parts if better is None else [*parts, better]))


def _instead(options: Sequence[Option], value: Value) -> Instead | None:
    """Return what would have been better than a move of this value, or that nothing would."""
    best = options[0].value.verdict
    if falls(best, value.verdict):
        return Held(keeps(options), best)
    return AllLose(len(options)) if value.verdict is Verdict.LOSS else None


def _losing(after: Position, solution: Solution) -> list[LinePart]:
    line = tuple(solution.line(after, LINE))
    return [Refuted(line, (solution.value(after).plies or 0) - len(line))]


def _wins(position: Position, solution: Solution) -> list[Move]:
    """Return the moves that win, as the options list them."""
    return [option.move for option in solution.options(position) if option.value.verdict is Verdict.WIN]


def _winning(after: Position, solution: Solution) -> list[LinePart]:
    """Return what a winning move leaves: that all is settled, or how each reply is answered."""
    looks = features_of(solution)
    reasons = None if looks.stuck(after) else looks.settled(after)
    if reasons is not None:
        return [Settled(tuple(sorted(reasons)))]
    lost = tuple(step.move for step in looks.steps(after) if step.won is False)
    open_steps = [step for step in looks.steps(after) if step.won is None]
    at_once = tuple((step.move, wins[0].move) for step in open_steps if (wins := looks.wins(step.after)))
    parts: list[LinePart] = [NoSafeReply(lost, at_once)] if lost or at_once else []
    named = dict(at_once)
    rest = {step.move: _wins(step.after, solution) for step in open_steps if step.move not in named}
    return [*parts, *_kept(after, rest, solution)] if rest else parts


def _kept(after: Position, rest: dict[Move, list[Move]], solution: Solution) -> list[LinePart]:
    """Return how replies that decide nothing at once are answered: by a few answers, by one total, or by an example."""
    groups = _cover(rest)
    total = _same_total(after, rest) if len(groups) >= GROUPS else None
    if total is not None:
        return [BackTo(tuple(rest), total)]
    if len(groups) <= GROUPS:
        # The answer that serves most comes last, so that the words can be "any other reply".
        return [Answered(tuple(replies), answer) for answer, replies in reversed(groups)]
    defence = next(option.move for option in solution.options(after) if option.move in rest)
    return [NoWinAmong(tuple(rest), (defence, rest[defence][0]))]


def _cover(rest: dict[Move, list[Move]]) -> list[tuple[Move, list[Move]]]:
    """Return a few answers that together serve all replies, each with its replies; the most useful comes first."""
    open_replies = dict(rest)
    groups: list[tuple[Move, list[Move]]] = []
    while open_replies and len(groups) <= GROUPS:
        serves = Counter(answer for answers in open_replies.values() for answer in answers)
        best = max(serves, key=lambda answer: serves[answer])
        served = [reply for reply, answers in open_replies.items() if best in answers]
        groups.append((best, served))
        for reply in served:
            del open_replies[reply]
    return groups


def _same_total(after: Position, rest: dict[Move, list[Move]]) -> int | None:
    """Return a shared total that some winning answer makes after each of the replies, the nearest to the target."""
    if after.rules.totals is not Totals.SHARED:
        return None
    common = set.intersection(
        *({after.totals[0] + reply.amount + answer.amount for answer in answers} for reply, answers in rest.items())
    )
    return min(common, key=lambda total: (abs(total - after.rules.target), total)) if common else None


_FINDERS: Final[dict[Verdict, Callable[[Position, Solution], list[LinePart]]]] = {
    Verdict.WIN: _winning,
    Verdict.LOSS: _losing,
    Verdict.DRAW: lambda after, _: [NoLossAfter(len(after.legal_moves()))],
}


def reason(position: Position, move: Move, solution: Solution) -> list[str]:
    """Return why a move is good or bad: its cause, and what would have been better."""
    cause = words(why(position, move, solution))
    options = solution.options(position)
    better = _instead(options, next(option.value for option in options if option.move == move))
    return cause if better is None else [*cause, _instead_words(better, position)]


def verdict_words(lines: Lines) -> list[str]:
    """Return what a move leads to, without its lines; nothing if it ends the match."""
    move = lines.position.text_of(lines.move)
    if isinstance(lines.parts[0], EndsMatch):
        return []
    if lines.value.plies is None:
        return [f"After {move} neither side can force an end."]
    verb = "wins" if lines.value.verdict is Verdict.WIN else "loses"
    return [f"{move} {verb} within {lines.value.plies} moves, counting both sides."]


def lines_words(lines: Lines, who: Subjects = YOU_AND_THEY) -> list[str]:
    """Return lines as short sentences, in which `you` made the move and `they` answer it, or both have names."""
    writer = _Writer(lines, who)
    texts = [text for part in lines.parts for text in writer.sentences(part)]
    return [*verdict_words(lines), *map(sentence, texts)]


def _instead_words(part: Instead, position: Position) -> str:
    if isinstance(part, AllLose):
        return "There is no other move." if part.moves == 1 else "Every move loses here."
    good = listed(position, part.moves, LISTED)
    return f"{good} would have won." if part.verdict is Verdict.WIN else f"{good} would not have lost."


class _Writer:
    """Writes the parts of one move's lines; it counts the replies that it has named, to speak of all others."""

    def __init__(self, lines: Lines, who: Subjects) -> None:
        self.position, self.move = lines.position, lines.move
        self.after = lines.position.play_unchecked(lines.move)
        self.unnamed = len(self.after.legal_moves())
        self.you, self.they = who.you, who.they

    def sentences(self, part: LinePart) -> list[str]:
        match part:
            case EndsMatch(won, _):
                verb = "wins" if won else "loses"
                return [f"{self._text(self.move)} {verb} at once: it {deed(self.position, self.move, third)}."]
            case Held() | AllLose():
                return [_instead_words(part, self.position)]
            case Settled():
                return [lost_words(part, LostPosition(self.after, self.you, self.they))]
            case NoSafeReply(lost, answered):
                return [*self._that_lose(lost), *self._lost_to_one_move(answered)]
            case Refuted():
                return self._refuted(part)
            case NoLossAfter(replies):
                return [f"None of {self.they.own} {count(replies, 'reply', 'replies')} wins."]
        return [self._kept(part)]

    def _text(self, move: Move) -> str:
        return self.position.text_of(move)

    def _kept(self, part: Answered | BackTo | NoWinAmong) -> str:
        you, start = self.you, self._after(part.replies)
        match part:
            case Answered(_, answer):
                return f"{start} {you.does('play')} {self._text(answer)} and still {you.verb('win')}."
            case BackTo(_, total):
                return f"{start} {you.name} can make the total {total} and still win."
            case NoWinAmong(replies, (defence, answer)):
                other = "" if len(replies) == len(self.after.legal_moves()) else "other "
                longest = f"the longest defence is {self._text(defence)}, {you.does('answer')} {self._text(answer)}"
                return f"None of {self.they.own} {other}{len(replies)} replies wins; {longest}."

    def _after(self, replies: Sequence[Move]) -> str:
        """Return the replies as the beginning of a sentence: named if they are few, else all that are left."""
        everything = len(replies) == len(self.after.legal_moves())
        others = len(replies) == self.unnamed and len(replies) > FEW
        self.unnamed -= len(replies)
        if everything and len(replies) == 1:
            return f"The only reply is {self._text(replies[0])};"
        if everything:
            return f"Whatever {self.they.does('play')},"
        return "After any other reply" if others else f"After {listed(self.after, replies)}"

    def _that_lose(self, replies: Sequence[Move]) -> list[str]:
        if not replies:
            return []
        they, start = self.they, self._after(replies)
        if len(_reasons([(self.after, reply) for reply in replies])) == 1:
            return [f"{start} {they.name} {deed(self.after, replies[0], they.verb)}."]
        return [f"{start} {they.does('lose')} at once."]

    def _lost_to_one_move(self, answers: Sequence[tuple[Move, Move]]) -> list[str]:
        if not answers:
            return []
        you = self.you
        ends = [(self.after.play_unchecked(reply), answer) for reply, answer in answers]
        if len(answers) <= FEW:
            replies_to: dict[str, list[Move]] = {}
            for (reply, answer), (at, _) in zip(answers, ends, strict=True):
                what = f"{you.does('play')} {self._text(answer)} and {deed(at, answer, you.verb)}"
                replies_to.setdefault(what, []).append(reply)
            return [f"{self._after(replies)} {what}." for what, replies in replies_to.items()]
        target = self.position.rules.target
        reached = _reasons(ends) == {Reason.REACHED_TARGET}
        if len(answers) == len(self.after.legal_moves()):
            left = f"makes {target}" if reached else "wins at once"
            return [f"Every reply leaves {you.name} a move that {left}."]
        how = f"{you.does('make')} {target} at once" if reached else f"{you.does('win')} at once"
        return [f"{self._after([reply for reply, _ in answers])} {how}."]

    def _refuted(self, part: Refuted) -> list[str]:
        first, *rest = part.line
        answer = f"{self.they.does('answer')} {self._text(first)}"
        at, mover = self.after, self.they
        for move in part.line[:-1]:
            at = at.play_unchecked(move)
            mover = self.you if mover is self.they else self.they
        if part.more:
            end = f"{self.they.does('win')} {count(part.more, 'move')} later"
        else:
            end = f"{mover.name} {deed(at, part.line[-1], mover.verb)}"
        if not rest:
            return [f"{answer} and {end.removeprefix(mover.name).strip()}."]
        then = "begins" if part.more else "is"
        return [f"{answer}.", f"Best play then {then} {' '.join(map(self._text, rest))}, and {end}."]


def _reasons(ends: Sequence[tuple[Position, Move]]) -> set[Reason]:
    """Return the ways in which moves that end the match end it."""
    outcomes = (position.play_unchecked(move).outcome for position, move in ends)
    return {outcome.reason for outcome in outcomes if outcome is not None}
