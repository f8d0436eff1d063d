"""Hints in three steps: is there a good move, which is it, and why.

If every move loses, the hint is the best trap: the move after which the opponent can go wrong most easily.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from zerosum.base.english import agree, count
from zerosum.coach.analysis import AnalysisDocument, OptionDocument, keeps
from zerosum.coach.causes import Why, deeper, deeper_words, why, words
from zerosum.coach.contrast import Trap, best_trap
from zerosum.coach.lines import Lines, lines_of, lines_words
from zerosum.rules.moves import Move
from zerosum.rules.position import Position
from zerosum.solver import Option, Solution, Value, Verdict
from zerosum.strategy.claims import NONE, Answers
from zerosum.strategy.lookahead import moves_of, won
from zerosum.strategy.phrases import LISTED, YOU_AND_THEY, Subject, Subjects, listed

STEPS: Final = 3
_BOTH: Final = 2
MORE: Final = 4
"""The step behind the last: the lines."""
_EVERY: Final = "Every move loses against perfect play."


@dataclass(frozen=True, slots=True)
class Prospect:
    """The first step: the verdict of the position, and how many of its moves keep it."""

    verdict: Verdict
    moves: int
    keeping: int


@dataclass(frozen=True, slots=True)
class Which:
    """The second step: the moves that keep the verdict, the one to play first, and the value of that one.

    That one is the quickest of those that have a short reason, or the best trap if every move loses.
    """

    moves: tuple[Move, ...]
    value: Value
    trap: Trap | None = None


Hint = Prospect | Which | Why | Lines
"""The third step is the cause of the move that the second names; *more* gives its lines."""


def hinted(position: Position, solution: Solution) -> Move:
    """Return the move that the second step names."""
    options = solution.options(position)
    if options[0].value.verdict is Verdict.LOSS:
        return best_trap(position, solution, options).move
    return _explained(position, solution, options)


def hint(position: Position, solution: Solution, step: int) -> Hint:
    """Return one step of a hint for the player to move: `STEPS` is the last, and `MORE` gives the lines behind it."""
    options = solution.options(position)
    if step <= 1:
        return Prospect(options[0].value.verdict, len(options), len(keeps(options)))
    trap = best_trap(position, solution, options) if options[0].value.verdict is Verdict.LOSS else None
    best = hinted(position, solution)
    if step < STEPS:
        others = tuple(move for move in keeps(options) if move != best)
        return Which((best, *others), next(option.value for option in options if option.move == best), trap)
    return why(position, best, solution) if step == STEPS else lines_of(position, best, solution)


def and_then(position: Position, move: Move, solution: Solution) -> Iterator[list[str]]:
    """Yield what follows the reason of a move, one answer deeper each time; the last says that nothing more follows."""
    found = why(position, move, solution)
    winner, loser = YOU_AND_THEY.you, YOU_AND_THEY.they
    if found.verdict is Verdict.LOSS:
        winner, loser = loser, winner
    while (following := deeper(found, solution)) is not None:
        found = following.why
        yield deeper_words(following, Subjects(winner, loser))
    yield [_nothing_follows(found, loser)]


def _nothing_follows(found: Why, loser: Subject) -> str:
    if found.verdict is Verdict.DRAW:
        return "Neither side can force an end, so nothing more can be said."
    if found.lost.outcome is not None:
        return "Then the match is over."
    return f"Whatever {loser.does('play')} then ends the match."


def _explained(position: Position, solution: Solution, options: Sequence[Option]) -> Move:
    """Return the best move that has a cause, or the best move if none has."""
    good = keeps(options)
    return next((move for move in good if why(position, move, solution).name != NONE), good[0])


def hint_sentences(given: Hint, position: Position, said: Collection[str] = ()) -> list[str]:
    """Return a step of a hint as sentences; `said` are the names of causes that were told in full before."""
    match given:
        case Prospect():
            return [_prospect(given)]
        case Which(moves, _, trap) if trap is not None:
            return [" ".join(lost_words(position, trap, len(moves)))]
        case Which(moves, value):
            return [_best(position.text_of(moves[0]), value), *_others(position, moves[1:], value.verdict)]
        case Why():
            return words(given, said=said)
        case Lines():
            return lines_words(given)


def trap_words(position: Position, solution: Solution) -> list[str]:
    """Return what to play if every move of a position loses; otherwise nothing."""
    options = solution.options(position)
    if not options or options[0].value.verdict is not Verdict.LOSS:
        return []
    return lost_words(position, best_trap(position, solution, options), len(options))


def lost_words(position: Position, trap: Trap, moves: int) -> list[str]:
    """Return what to play in a lost position: the best trap, or that all `moves` lose alike."""
    move = position.text_of(trap.move)
    if moves == 1:
        return [f"{move} is your only move, and it loses against perfect play."]
    replies = count(trap.replies, "reply", "replies")
    few = "only " if 2 * trap.winning <= trap.replies else ""
    chance = f": {few}{trap.winning} of their {replies} {agree(trap.winning, 'win')}" if trap.sets else ""
    if trap.alike:
        return ["All moves lose alike against perfect play.", f"{move} is as good as any{chance}."]
    if trap.sets:
        return [_EVERY, f"{move} is the best trap{chance}."]
    longest = "holds out longest" if trap.longest else "is as good as any"
    return [_EVERY, f"{move} {longest}."]


def _prospect(given: Prospect) -> str:
    if given.verdict is Verdict.LOSS:
        return "No, there is no winning move: whatever you play loses against perfect play."
    wins = given.verdict is Verdict.WIN
    if given.moves == 1:
        return f"You have only one move, and it {'wins' if wins else 'does not lose'}."
    if given.keeping == given.moves:
        every = "both of your moves" if given.moves == _BOTH else f"all of your {given.moves} moves"
        all_win = f"Yes, there is a winning move: {every} win."
        return all_win if wins else "No move wins, but none loses either."
    share = f"{given.keeping} of your {given.moves} moves"
    if wins:
        return f"Yes, there is a winning move: {share} {agree(given.keeping, 'win')}."
    return f"No move wins, but {share} {agree(given.keeping, 'do')} not lose."


def _best(move: str, value: Value) -> str:
    if value.verdict is Verdict.DRAW:
        return f"Nobody can force an end here; {move} keeps it so."
    return f"{move} wins at once." if value.plies == 1 else f"{move} wins, in {value.plies} moves at the latest."


def _others(position: Position, others: tuple[Move, ...], verdict: Verdict) -> list[str]:
    """Return the other moves with the same verdict, though they may take longer."""
    if not others:
        return []
    word = "win" if verdict is Verdict.WIN else "keep"
    what = "too" if verdict is Verdict.WIN else "it so too"
    return [f"{listed(position, others, LISTED, 'and')} {agree(len(others), word)} {what}."]


@dataclass(frozen=True, slots=True)
class ExplainedDocument(OptionDocument):
    """A move, its worth, and why; `answer` is the answer that a losing move is explained by.

    With the causes `answers` and `replies`, `answers` maps every reply that is not answered at once to its answer.
    """

    cause: str
    words: str
    answer: str | None
    answers: dict[str, str] | None

    @classmethod
    def why(cls, position: Position, option: Option, solution: Solution) -> ExplainedDocument:
        """Return the document of a move with its cause."""
        found = why(position, option.move, solution)
        return cls(
            move=position.text_of(option.move),
            verdict=option.value.verdict,
            plies=option.value.plies,
            cause=found.name,
            words=" ".join(words(found)),
            answer=None if found.answer is None else position.text_of(found.answer),
            answers=_answers(found),
        )


def _answers(found: Why) -> dict[str, str] | None:
    """Return what a table of answers says to each reply after which nothing wins at once."""
    if not isinstance(found.claim, Answers):
        return None
    lost, table = found.lost, found.claim.table
    replies = ((reply, lost.play_unchecked(reply)) for reply in lost.legal_moves())
    return {
        lost.text_of(reply): lost.text_of(table.answer(reply))
        for reply, after in replies
        if after.outcome is None and not any(won(after, one) for _, one in moves_of(after))
    }


def explained_analysis(solution: Solution, position: Position, played: list[str]) -> AnalysisDocument:
    """Return what is true of a position, with the cause of each move; in a lost one, also what to play."""
    found = AnalysisDocument.of(solution, position, played)
    if position.outcome is not None:
        return found
    options: list[OptionDocument] = [
        ExplainedDocument.why(position, option, solution) for option in solution.options(position)
    ]
    trap = " ".join(trap_words(position, solution)) or None
    return replace(found, options=options, trap=trap)
