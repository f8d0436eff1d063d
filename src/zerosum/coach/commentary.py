"""The coach while a match is played: what it says after a move, if anything.

It is silent if the moves of a position do not differ in verdict, and when a move wins. If a move keeps a win, it names
the idea, in full once a match. If a move lets a win go, it says why, and how to take the move back. After an opponent's
move it names a threat; in a lost position it says that no move is safe, or names the best trap if some moves set better
ones than others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from zerosum.coach.analysis import falls, keeps
from zerosum.coach.cause_words import words
from zerosum.coach.causes import NONE, Why, why
from zerosum.coach.hints import best_trap, lost_words
from zerosum.coach.ideas import IDEAS, idea_held, idea_used
from zerosum.rules.model import Reaching, Totals
from zerosum.rules.moves import Move
from zerosum.rules.position import Position
from zerosum.solver import Option, Solution, Verdict

_AT_ONCE: Final = 2
"""Plies of a move that loses at once, or lets the other side win at once, at most."""


@dataclass(frozen=True, slots=True)
class CommentHistory:
    """What the coach has said in a match: sentences, and the names of causes explained in full."""

    sentences: frozenset[str] = frozenset()
    causes: frozenset[str] = frozenset()

    def after(self, sentences: list[str], cause: str | None = None) -> CommentHistory:
        """Return this with something more said."""
        causes = self.causes if cause is None else self.causes | {cause}
        return replace(self, sentences=self.sentences.union(sentences), causes=causes)


Comment = tuple[list[str], CommentHistory]
"""At most two sentences, and all that has been said then."""
TYPED: Final = "type undo to take it back"
"""How a move is taken back at a terminal."""

_ANSWERS: Final = "They answer "


def lets_go(position: Position, move: Move, solution: Solution) -> bool:
    """Return whether another move had a better result."""
    options = solution.options(position)
    made = next(option for option in options if option.move == move)
    return falls(options[0].value.verdict, made.value.verdict)


def on_own_move(
    position: Position, move: Move, solution: Solution, said: CommentHistory, offer: str = TYPED
) -> Comment:
    """Comment on a move to the player who made it; `offer` says how to take back one that lets a better result go."""
    options = solution.options(position)
    if len({option.value.verdict for option in options}) == 1:
        return [], said
    found = why(position, move, solution)
    if lets_go(position, move, solution):
        return _new([_let_go(found, keeps(options), solution, offer), _refuted(found)], said, None)
    over = position.play_unchecked(move).outcome is not None
    if found.verdict is not Verdict.WIN or found.name == NONE or over:
        return [], said
    kept = f"{position.text_of(move)} keeps the win"
    if found.name in said.causes and found.name in IDEAS:
        return _new([f"{kept}: {IDEAS[found.name]} again."], said, None)
    idea = IDEAS.get(found.name) or idea_used(position, move, solution)
    first = f"{kept}; the idea is: {idea}." if idea else f"{kept}."
    in_full = [] if found.name in said.causes else [_joined(words(found))]
    return _new([first, *in_full], said, found.name)


def on_their_move(position: Position, solution: Solution, said: CommentHistory) -> Comment:
    """Comment on the opponent's last move to the player who is to move: name a threat, if the reply matters."""
    options = solution.options(position)
    verdicts = {option.value.verdict for option in options}
    if verdicts == {Verdict.LOSS}:
        return _new(_lost(position, solution, options), said, None)
    need = threat(position)
    if len(verdicts) == 1 or need is None:
        return [], said
    return _new([f"They threaten to make {position.rules.target} with {need}."], said, None)


def _lost(position: Position, solution: Solution, options: Sequence[Option]) -> list[str]:
    """Comment on a position in which every move loses."""
    if all((option.value.plies or 0) <= _AT_ONCE for option in options):
        return ["They have left you no safe move."]
    trap = best_trap(position, solution, options)
    return lost_words(position, trap, len(options)) if trap.sets and not trap.alike else []


def threat(position: Position) -> int | None:
    """Return the number with which the side not to move could make the target, if it were their turn."""
    rules = position.rules
    if rules.totals is not Totals.OWN or rules.reaching is not Reaching.WINS or rules.remembers:
        return None
    need = rules.target - position.total(position.seat.other)
    amounts = {Move(number, operation).amount: number for number in position.pool for operation in rules.operations}
    return amounts.get(need)


def _let_go(found: Why, better: Sequence[Move], solution: Solution, offer: str) -> str:
    position = found.position
    idea = idea_held(found, better, solution)
    named = f" (the idea: {idea})" if idea else ""
    result = "win" if solution.value(position).verdict is Verdict.WIN else "better result"
    lost = f"{position.text_of(found.move)} lets the {result} go{named}"
    over = position.play_unchecked(found.move).outcome is not None
    return f"{lost}; {offer}." if offer and not over else f"{lost}."


def _refuted(found: Why) -> str:
    """Return what the opponent can do now, and why if that is short."""
    sentences = words(found)
    if found.answer is None or not sentences[0].startswith(_ANSWERS):
        return _joined(sentences)
    first = f"They can answer {sentences[0].removeprefix(_ANSWERS)}"
    if found.name not in IDEAS:
        return f"{first.removesuffix('.')}, and then they can win whatever you play."
    return _joined([first, *sentences[1:]])


def _joined(sentences: list[str]) -> str:
    """Return one sentence of one or two."""
    first, *rest = sentences
    return "; ".join([first.removesuffix("."), *(one[0].lower() + one[1:].removesuffix(".") for one in rest)]) + "."


def _new(sentences: list[str], said: CommentHistory, cause: str | None) -> Comment:
    """Return the sentences that were not said before."""
    new = [one for one in sentences if one not in said.sentences]
    return new, said.after(new, cause)
