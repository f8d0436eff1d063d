"""Hints in three steps: is there a good move, which is it, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from zerosum.coach.claims import Explanation
from zerosum.coach.explain import explain, keeps
from zerosum.coach.phrases import LISTED, listed
from zerosum.coach.words import sentences
from zerosum.rules.moves import Move
from zerosum.rules.position import Position
from zerosum.solver import Solution, Value, Verdict

STEPS: Final = 3
_BOTH: Final = 2


@dataclass(frozen=True, slots=True)
class Prospect:
    """The first step: the verdict of the position, and how many of its moves keep it."""

    verdict: Verdict
    moves: int
    keeping: int


@dataclass(frozen=True, slots=True)
class Which:
    """The second step: the moves that keep the verdict, the best first, and the value of that one."""

    moves: tuple[Move, ...]
    value: Value


Hint = Prospect | Which | Explanation
"""The third step is the reason of the best move."""


def hint(position: Position, solution: Solution, step: int) -> Hint:
    """Return one step of a hint for whoever is to move; every step after the third is the third."""
    options = solution.options(position)
    if step <= 1:
        return Prospect(options[0].value.verdict, len(options), len(keeps(options)))
    if step < STEPS:
        return Which(keeps(options), options[0].value)
    return explain(position, options[0].move, solution)


def hint_sentences(given: Hint, position: Position) -> list[str]:
    """Return a step of a hint as sentences."""
    match given:
        case Prospect():
            return [_prospect(given)]
        case Which(moves, value):
            return [_best(position.text_of(moves[0]), value), *_others(position, moves[1:], value.verdict)]
        case Explanation():
            return sentences(given, position)


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
        return f"Yes, there is a winning move: {share} {'wins' if given.keeping == 1 else 'win'}."
    return f"No move wins, but {share} {'does' if given.keeping == 1 else 'do'} not lose."


def _best(move: str, value: Value) -> str:
    if value.verdict is Verdict.DRAW:
        return f"Nobody can force an end here; {move} keeps it so."
    if value.verdict is Verdict.LOSS:
        return f"Every move loses against perfect play; {move} holds out longest."
    return f"{move} wins at once." if value.plies == 1 else f"{move} wins, in {value.plies} moves at the latest."


def _others(position: Position, others: tuple[Move, ...], verdict: Verdict) -> list[str]:
    """Return the other moves with the same verdict, though they may take longer; nothing where all moves lose."""
    if not others or verdict is Verdict.LOSS:
        return []
    word = "win" if verdict is Verdict.WIN else "keep"
    what = "too" if verdict is Verdict.WIN else "it so too"
    return [f"{listed(position, others, LISTED, 'and')} {word}{'s' if len(others) == 1 else ''} {what}."]
