"""Books: the positions that pairs of matches start from, all chosen by the solution, the same for the same seed.

`start`            the start of the game
`even`             as many won as lost for the side to move, alike in size and length, with real choices near for both
`hard`             where a winning move is hardest to find
`between A B`      where a pair tells most about which of two players is stronger
"""

from __future__ import annotations

from itertools import islice, product
from operator import itemgetter
from random import Random
from typing import Final

from zerosum.arena.strength.named_policies import Policy
from zerosum.arena.strength.pairs import chances_everywhere
from zerosum.base.progress import Progress, silent
from zerosum.coach.puzzles import found_at_random, hardness, puzzles_at_random
from zerosum.rules.model import Rules
from zerosum.rules.position import Position
from zerosum.solver import Solution, Verdict

_CHOICE: Final = 8
"""This many times the positions asked for are found, and the book is chosen among them."""

Book = tuple[Position, ...]
"""Different positions; fewer than asked for if a game has no more."""


def start_book(solution: Solution) -> Book:
    """Return the book that has the start of the game alone."""
    return (solution.start,)


def even_book(solution: Solution, count: int, seed: str) -> Book:
    """Return positions in twos: one that the mover wins, then one that the mover loses.

    The second has as many numbers left and is as near in plies as can be. In each, both sides have a real choice
    within two plies.
    """
    wanted = _CHOICE * (count // 2 + 1)
    won: list[Position] = []
    lost: list[Position] = []
    for position in found_at_random(solution, Random(seed), lambda one: one if _is_lively(one, solution) else None):
        verdict = solution.value(position).verdict
        if verdict is not Verdict.DRAW:
            (won if verdict is Verdict.WIN else lost).append(position)
        if min(len(won), len(lost)) >= wanted or len(won) + len(lost) >= _CHOICE * wanted:
            break
    plies = {position: solution.value(position).plies or 0 for position in (*won, *lost)}
    pairs = [
        (abs(plies[one] - plies[two]), one, two) for one, two in product(won, lost) if len(one.pool) == len(two.pool)
    ]
    book: dict[Position, None] = {}
    for _, one, two in sorted(pairs, key=itemgetter(0)):
        if one not in book and two not in book and len(book) < count:
            book |= {one: None, two: None}
    return tuple(book)[:count]


def _is_lively(position: Position, solution: Solution) -> bool:
    """Whether both sides have a real choice within two plies."""
    replies = [after for move in position.legal_moves() if (after := position.play_unchecked(move)).outcome is None]
    if not any(_is_real(after, solution) for after in replies):
        return False
    return _is_real(position, solution) or any(
        _is_real(later, solution)
        for after in replies
        for move in after.legal_moves()
        if (later := after.play_unchecked(move)).outcome is None
    )


def _is_real(position: Position, solution: Solution) -> bool:
    return len({option.value.verdict for option in solution.options(position)}) > 1


def hard_book(solution: Solution, count: int, seed: str) -> Book:
    """Return positions with a winning move that is hard to find, the hardest first."""
    found = islice(puzzles_at_random(solution, Random(seed)), _CHOICE * _CHOICE * count)
    return tuple(one.position for one in sorted(found, key=hardness, reverse=True)[:count])


def between_book(
    rules: Rules, players: tuple[Policy, Policy], count: int, seed: str, progress: Progress = silent
) -> Book:
    """Return the positions from which a pair tells most about two players, the most telling first.

    The seed decides between positions that tell as much.
    """
    every = chances_everywhere(rules, *players, progress)
    Random(seed).shuffle(every)
    telling = [(chance.information, position) for position, chance in every if chance.information]
    return tuple(position for _, position in sorted(telling, key=itemgetter(0), reverse=True)[:count])
