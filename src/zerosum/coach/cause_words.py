"""Reasons in English: at most two sentences, in which `you` made the move and `they` answer it, or both have names.

>>> from zerosum.coach.causes import why
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

from collections.abc import Collection

from zerosum.base.english import third
from zerosum.coach.causes import Deeper, Why
from zerosum.rules.model import Totals
from zerosum.rules.moves import Move
from zerosum.rules.outcome import Reason
from zerosum.rules.position import Position
from zerosum.solver import Verdict
from zerosum.strategy.claim_words import LostPosition, lost_words
from zerosum.strategy.claims import Answers, ByLaw, EndsMatch, Leaves, NextNoSafeReply
from zerosum.strategy.law_words import law_short, law_words
from zerosum.strategy.phrases import YOU_AND_THEY, Subject, Subjects, deed, sentence


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
