"""Claims in English: short sentences, in which `you` made the move and `they` answer it, or both have names.

>>> from zerosum.coach.explain import explain
>>> from zerosum.rules.files import load_game
>>> from zerosum.rules.notation import parse_position
>>> from zerosum.solver import solution_of
>>> game = load_game("sum31")
>>> position = parse_position("1,2,3,4,7 28 1", game)
>>> why = explain(position, position.legal_moves()[3], solution_of(game))
>>> print(*sentences(why, position), sep=chr(10))
+4 loses at once: it passes 31.
+3 would have won.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zerosum.base.english import count, third
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
from zerosum.coach.phrases import LISTED, YOU_AND_THEY, Speakers, deed, listed, sentence, tie_goes_to
from zerosum.rules.model import Reaching
from zerosum.rules.moves import Move
from zerosum.rules.outcome import Reason
from zerosum.rules.position import Position
from zerosum.solver import Verdict

FEW: Final = 4
"""Up to this many replies are listed one by one; of more, only the pattern."""


def sentences(reason: Explanation, position: Position, who: Speakers = YOU_AND_THEY) -> list[str]:
    """Return a reason about a move of `position` as sentences."""
    root = reason.claim
    if not isinstance(root, Leads):
        raise TypeError("A reason begins with what the move leads to.")
    teller = _Teller(position, root.move, who)
    return [sentence(text) for claim in reason.claims() for text in teller.tell(claim)]


class _Teller:
    """Puts claims about one move into words; it notes the replies it has named, to speak of all others."""

    def __init__(self, position: Position, move: Move, who: Speakers) -> None:
        self.position = position
        self.after = position.play_unchecked(move)
        self.open = len(self.after.legal_moves())
        self.you, self.they = who.you, who.they
        self.target = position.rules.target

    def tell(self, claim: Claim) -> list[str]:
        """Return a claim as sentences."""
        match claim:
            case Leads() | EndsAtOnce() | Held() | AllLose():
                return self._move(claim)
            case Settled():
                return [self._settled(claim.reasons)]
            case Refuted():
                return self._refuted(claim)
            case NoLossAfter():
                replies = count(claim.replies, "reply", "replies")
                return [f"None of {self.they.own} {replies} wins."]
            case RepliesEnd() | AnswersEnd() | Answered() | BackTo() | NoWinAmong():
                return self._replies(claim)

    def _text(self, move: Move) -> str:
        return self.position.text_of(move)

    def _move(self, claim: Leads | EndsAtOnce | Held | AllLose) -> list[str]:
        """Tell what the move itself does, and what would have been better."""
        match claim:
            case Leads(move, verdict, plies):
                return self._leads(self._text(move), verdict, plies)
            case EndsAtOnce(move, winner, _):
                verb = "wins" if winner is Side.YOU else "loses"
                return [f"{self._text(move)} {verb} at once: it {deed(self.position, move, third)}."]
            case Held(moves, verdict):
                good = listed(self.position, moves, LISTED)
                return [f"{good} would have won." if verdict is Verdict.WIN else f"{good} would not have lost."]
            case AllLose(moves, longest):
                if moves == 1:
                    return ["There is no other move."]
                return [f"Every move loses here{'; none holds out longer' if longest else ''}."]

    def _leads(self, move: str, verdict: Verdict, plies: int | None) -> list[str]:
        if self.after.outcome is not None:
            return []
        if verdict is Verdict.WIN:
            return [f"{move} wins within {plies} moves, counting both sides."]
        if verdict is Verdict.LOSS:
            return [f"{move} loses within {plies} moves, counting both sides."]
        return [f"After {move} neither side can force an end."]

    def _settled(self, reasons: Sequence[Reason]) -> str:
        you, they, target = self.you, self.they, self.target
        nobody = f"Nobody can make {target} any more"
        match reasons:
            case (Reason.LAST_MOVER,):
                return f"{nobody}, and {you.does('make')} the last move."
            case (Reason.CLOSER,):
                return f"{nobody}, and {you.does('end')} closer to it, however both play on."
            case (Reason.TIE_RULE,):
                return f"{nobody}; both end equally far from it, and a tie goes to {tie_goes_to(self.position)}."
            case (Reason.OVERSHOT,):
                return f"However both play on, {they.does('pass')} {target}."
            case (Reason.REACHED_TARGET,):
                maker = you if self.position.rules.reaching is Reaching.WINS else they
                return f"However both play on, {maker.does('make')} {target}."
        return f"However both play on, {you.does('win')}."

    def _refuted(self, claim: Refuted) -> list[str]:
        first, *rest = claim.line
        answer = f"{self.they.does('answer')} {self._text(first)}"
        at, mover = self.after, self.they
        for move in claim.line[:-1]:
            at = at.play_unchecked(move)
            mover = self.you if mover is self.they else self.they
        if claim.more:
            end = f"{self.they.does('win')} {count(claim.more, 'move')} later"
        else:
            end = f"{mover.name} {deed(at, claim.line[-1], mover.verb)}"
        if not rest:
            return [f"{answer} and {end.removeprefix(mover.name).strip()}."]
        then = "begins" if claim.more else "is"
        return [f"{answer}.", f"Best play then {then} {' '.join(map(self._text, rest))}, and {end}."]

    def _replies(self, claim: RepliesEnd | AnswersEnd | Answered | BackTo | NoWinAmong) -> list[str]:
        """Say what becomes of some replies, and note that these have been named."""
        match claim:
            case RepliesEnd(replies, reasons, _):
                told = self._that_lose(replies, reasons)
            case AnswersEnd(answers, reasons, _):
                replies = tuple(reply for reply, _ in answers)
                told = self._lost_to_one_move(answers, reasons)
            case Answered(replies, answer, _):
                told = [f"{self._after(replies)} {self.you.does('play')} {self._text(answer)} and still {self._win()}."]
            case BackTo(replies, total, _):
                told = [f"{self._after(replies)} {self.you.name} can make the total {total} and still win."]
            case NoWinAmong(replies, (defence, answer), every):
                others = f"{len(replies)} replies" if every else f"other {len(replies)} replies"
                longest = (
                    f"the longest defence is {self._text(defence)}, {self.you.does('answer')} {self._text(answer)}"
                )
                told = [f"None of {self.they.own} {others} wins; {longest}."]
        self.open -= len(replies)
        return told

    def _win(self) -> str:
        return self.you.verb("win")

    def _after(self, replies: Sequence[Move]) -> str:
        """Return the replies as the beginning of a sentence: named if they are few, else all that are left."""
        everything = len(replies) == len(self.after.legal_moves())
        if everything and len(replies) == 1:
            return f"The only reply is {self._text(replies[0])};"
        if everything:
            return f"Whatever {self.they.does('play')},"
        if len(replies) == self.open and len(replies) > FEW:
            return "After any other reply"
        return f"After {listed(self.after, replies)}"

    def _that_lose(self, replies: Sequence[Move], reasons: Sequence[Reason]) -> list[str]:
        start = self._after(replies)
        if len(reasons) == 1:
            return [f"{start} {self.they.name} {deed(self.after, replies[0], self.they.verb)}."]
        return [f"{start} {self.they.does('lose')} at once."]

    def _lost_to_one_move(self, answers: Sequence[tuple[Move, Move]], reasons: Sequence[Reason]) -> list[str]:
        you = self.you
        if len(answers) <= FEW:
            told: dict[str, list[Move]] = {}
            for reply, answer in answers:
                how = deed(self.after.play_unchecked(reply), answer, you.verb)
                told.setdefault(f"{you.does('play')} {self._text(answer)} and {how}", []).append(reply)
            return [f"{self._after(replies)} {what}." for what, replies in told.items()]
        reached = reasons == (Reason.REACHED_TARGET,)
        if len(answers) == len(self.after.legal_moves()):
            left = f"makes {self.target}" if reached else "wins at once"
            return [f"Every reply leaves {you.name} a move that {left}."]
        how = f"{you.does('make')} {self.target} at once" if reached else f"{you.does('win')} at once"
        return [f"{self._after([reply for reply, _ in answers])} {how}."]
