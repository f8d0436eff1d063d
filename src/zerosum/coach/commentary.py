"""The coach while a match is played: what it says after a move, if anything.

It speaks of the position that is on the board, and so before the opponent replies; what is shown after the reply is
`past_words`. It is silent if the moves of a position do not differ in verdict, and when a move wins. If a move misses a
win at once, it names that win. If a move keeps a win, it names the idea, in full once a match. If a move lets a win go,
it says why, and how to take the move back. After an opponent's move it says whether they missed their chance, and names
a threat; in a lost position it says that no move is safe, or names the best trap if some moves set better ones than
others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from zerosum.coach.analysis import falls, keeps
from zerosum.coach.causes import Why, why, words
from zerosum.coach.contrast import AT_ONCE, IDEAS, Contrast, best_trap, contrast
from zerosum.coach.hints import lost_words
from zerosum.match.match import Match
from zerosum.rules.moves import Move
from zerosum.rules.position import Position
from zerosum.solver import Option, Solution, Verdict
from zerosum.strategy.claims import NONE
from zerosum.strategy.lookahead import threat


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
    return falls(options[0].value.verdict, _made(options, move).value.verdict)


def on_last_move(match: Match, solution: Solution, said: CommentHistory, offer: str = TYPED) -> Comment:
    """Comment on the last move of a match, or on its start, to the person concerned; computers get no comments."""
    ply = len(match.moves) - 1
    human = match.setup.is_human
    if ply >= 0 and human(match.mover(ply)):
        return on_own_move(match.positions[ply], match.moves[ply], solution, said, offer)
    if match.outcome is not None or not human(match.to_move):
        return [], said
    if ply < 0:
        return on_turn(match.position, solution, said)
    mistaken = ply > 0 and lets_go(match.positions[ply - 1], match.moves[ply - 1], solution)
    return on_their_move(match.positions[ply], match.moves[ply], solution, said, mistaken=mistaken)


def on_own_move(
    position: Position, move: Move, solution: Solution, said: CommentHistory, offer: str = TYPED
) -> Comment:
    """Comment on a move to the player who made it; `offer` says how to take back one that lets a better result go.

    Every mistake is named: silence would say that there was none.
    """
    options = solution.options(position)
    if lets_go(position, move, solution):
        facts = contrast(position, move, solution, keeps(options))
        return [_let_go(facts, solution, offer), *_refuted(facts, options)], said
    if _missed_at_once(options, move):
        return [f"{_at_once(position, options)}; {position.text_of(move)} still wins."], said
    found = _praised(position, move, solution)
    if found is None:
        return [], said
    kept = f"{position.text_of(move)} keeps the win"
    if found.name in said.causes:
        return [f"{kept}: {IDEAS[found.name]} again."], said
    return [f"{kept}; the idea is: {IDEAS[found.name]}.", _joined(words(found))], said.after([], found.name)


def past_words(position: Position, move: Move, solution: Solution) -> str:
    """Return what is still to be said of a move after the opponent's reply: nothing of the totals that it left."""
    options = solution.options(position)
    text = position.text_of(move)
    if lets_go(position, move, solution):
        facts = contrast(position, move, solution, keeps(options))
        named = f" (the idea: {facts.idea})" if facts.idea else ""
        return f"{text} let the {_result(options)} go{named}."
    if _missed_at_once(options, move):
        return f"{_at_once(position, options)}."
    found = _praised(position, move, solution)
    return "" if found is None else f"{text} kept the win; the idea was: {IDEAS[found.name]}."


def on_their_move(
    before: Position, move: Move, solution: Solution, said: CommentHistory, *, mistaken: bool = False
) -> Comment:
    """Comment on the opponent's last move to the player who is to move now, whose own move may have been a mistake."""
    position = before.play_unchecked(move)
    told, said = on_turn(position, solution, said)
    if not lets_go(before, move, solution) or solution.value(before).verdict is not Verdict.WIN:
        return told, said
    again = "again" if mistaken else "now"
    gains = f"you can win {again}" if solution.value(position).verdict is Verdict.WIN else f"you need not lose {again}"
    return [f"{'They missed it' if mistaken else 'They let the win go'}: {gains}.", *told], said


def on_turn(position: Position, solution: Solution, said: CommentHistory) -> Comment:
    """Comment on a position to the player who is to move: name a threat if the reply matters, or the best trap."""
    options = solution.options(position)
    verdicts = {option.value.verdict for option in options}
    if verdicts == {Verdict.LOSS}:
        new = [one for one in _lost(position, solution, options) if one not in said.sentences]
        return new, said.after(new)
    need = threat(position)
    if len(verdicts) == 1 or need is None or options[0].value.plies == 1:
        return [], said
    return [f"They threaten to make {position.rules.target} with {need}."], said


def _made(options: Sequence[Option], move: Move) -> Option:
    return next(option for option in options if option.move == move)


def _missed_at_once(options: Sequence[Option], move: Move) -> bool:
    best = options[0].value
    return (best.verdict, best.plies) == (Verdict.WIN, 1) and _made(options, move).value.plies != 1


def _at_once(position: Position, options: Sequence[Option]) -> str:
    return f"{position.text_of(options[0].move)} would have won at once"


def _praised(position: Position, move: Move, solution: Solution) -> Why | None:
    """Return why a move keeps a win that another move would have let go, if there is a short reason."""
    if len({option.value.verdict for option in solution.options(position)}) == 1:
        return None
    found = why(position, move, solution)
    over = position.play_unchecked(move).outcome is not None
    return None if found.verdict is not Verdict.WIN or found.name == NONE or over else found


def _lost(position: Position, solution: Solution, options: Sequence[Option]) -> list[str]:
    """Comment on a position in which every move loses."""
    if all((option.value.plies or 0) <= AT_ONCE for option in options):
        return ["They have left you no safe move."]
    trap = best_trap(position, solution, options)
    return lost_words(position, trap, len(options)) if trap.sets and not trap.alike else []


def _result(options: Sequence[Option]) -> str:
    return "win" if options[0].value.verdict is Verdict.WIN else "better result"


def _let_go(facts: Contrast, solution: Solution, offer: str) -> str:
    position, move = facts.refutation.position, facts.refutation.move
    named = f" (the idea: {facts.idea})" if facts.idea else ""
    lost = f"{position.text_of(move)} lets the {_result(solution.options(position))} go{named}"
    over = position.play_unchecked(move).outcome is not None
    return f"{lost}; {offer}." if offer and not over else f"{lost}."


def _refuted(facts: Contrast, options: Sequence[Option]) -> list[str]:
    """Return what the opponent can do now; if that is not short, why the best-explained move would have won."""
    found, better = facts.refutation, facts.better
    if options[0].value.plies == 1:
        return [f"{_at_once(found.position, options)}."]
    if found.name == NONE:
        if better is None or better.name == NONE:
            return []
        return [_joined([f"{found.position.text_of(better.move)} would have won.", *words(better)])]
    sentences = words(found)
    if found.answer is None or not sentences[0].startswith(_ANSWERS):
        return [_joined(sentences)]
    first, second = f"They can answer {sentences[0].removeprefix(_ANSWERS)}", sentences[1]
    return [_joined([first, f"Then they{second.removeprefix('They')}" if second.startswith(_ANSWERS) else second])]


def _joined(sentences: list[str]) -> str:
    """Return one sentence of one or two."""
    first, *rest = sentences
    return "; ".join([first.removesuffix("."), *(one[0].lower() + one[1:].removesuffix(".") for one in rest)]) + "."
