"""What the solver knows of a game, for somebody who wants to learn it: the figures, a match of best play, and words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zerosum.base.documents import Document, to_json
from zerosum.base.english import count
from zerosum.coach.analysis import SolutionDocument
from zerosum.coach.phrases import LISTED, listed
from zerosum.coach.verdicts import best_moves, keeps
from zerosum.rules.moves import Move
from zerosum.rules.position import Position
from zerosum.solver import Solution, Verdict

_SEATS: Final = {Verdict.WIN: "first", Verdict.LOSS: "second"}


def knowledge_json(solution: Solution) -> Document:
    """Return a solution, best play (the first moves of a long line), and sentences about both."""
    return {
        **to_json(SolutionDocument.of(solution)),
        "best_play": best_moves(solution, solution.start),
        "words": sentences_of(solution),
    }


def sentences_of(solution: Solution) -> list[str]:
    """Return what is known of a game: who wins and when, by which openings, of how many positions, and what is fair.

    >>> from zerosum.rules.files import load_game
    >>> from zerosum.solver import solution_of
    >>> print(*sentences_of(solution_of(load_game("sum31"))), sep=chr(10))
    When both play perfectly the second player wins, in 7 moves at the latest, counting both sides.
    No opening wins, and none holds out longer than the others.
    420 positions can arise, and the truth about each of them is known.
    So the second seat is the better one: leave it to whoever knows the game less, or play twice and change seats.
    """
    return [_who_wins(solution), _openings(solution), _positions(solution), _fair(solution)]


def _who_wins(solution: Solution) -> str:
    value = solution.value(solution.start)
    if value.plies is None:
        return "When both play perfectly nobody wins: neither side can force an end."
    seat, moves = _SEATS[value.verdict], count(value.plies, "move")
    return f"When both play perfectly the {seat} player wins, in {moves} at the latest, counting both sides."


def _openings(solution: Solution) -> str:
    start = solution.start
    options = solution.options(start)
    best = options[0].value
    if len(options) == 1:
        return f"There is only one opening, {start.text_of(options[0].move)}."
    if best.verdict is Verdict.LOSS:
        longest = [one.move for one in options if one.value == best]
        if len(longest) == len(options):
            return "No opening wins, and none holds out longer than the others."
        return f"No opening wins; {_named(start, longest)} {'holds' if len(longest) == 1 else 'hold'} out longest."
    good = keeps(options)
    one, every, share = len(good) == 1, len(good) == len(options), f"{len(good)} of {len(options)}"
    if best.verdict is Verdict.WIN:
        share = f"{share} openings {'wins' if one else 'win'}"
        return "Every opening wins." if every else f"{share}: {_named(start, good)}."
    if every:
        return "No opening wins, and none loses."
    return f"No opening wins; {share} {'does' if one else 'do'} not lose: {_named(start, good)}."


def _named(position: Position, moves: Sequence[Move]) -> str:
    return listed(position, moves, LISTED, "and")


def _positions(solution: Solution) -> str:
    if solution.positions is None:
        return "There is no end of positions, for the pool is filled again; yet the truth about each of them is known."
    return f"{solution.positions:,} positions can arise, and the truth about each of them is known."


def _fair(solution: Solution) -> str:
    verdict = solution.value(solution.start).verdict
    if verdict is Verdict.DRAW:
        return "So both seats are equally good."
    return (
        f"So the {_SEATS[verdict]} seat is the better one: leave it to whoever knows the game less, "
        "or play twice and change seats."
    )
