"""Exercises: positions in which one rule of a card decides, and neither more rules nor fewer.

The first n rules of a card are its n-th *prefix*. An exercise of the n-th rule is a real choice, a position in which
some move wins and some move loses, such that every survivor of the n-th prefix wins and of each earlier prefix some
survivor loses. So every position is an exercise of one rule at most, and one pass finds the exercises of all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import product
from random import Random
from typing import Final

from zerosum.base.errors import IllegalPositionError
from zerosum.coach.lessons import Exercise
from zerosum.players.symmetry import canon_of, plain
from zerosum.rules.model import Overshoot, Rules
from zerosum.rules.moves import ADD_ONLY
from zerosum.rules.position import Position
from zerosum.solver import Solution, Verdict
from zerosum.strategy.card import Card, Moves
from zerosum.strategy.lookahead import Sight, moves_of

EXERCISES: Final = 12
"""Exercises of a step."""
_WIDTH: Final = 400
"""Positions of each ply that are examined; of more than that, the same sample every time."""
_POOLS: Final = 2
"""How many pools a pass goes through if pools are refilled."""


def rules_needed(card: Card, position: Position, solution: Solution, sight: Sight) -> int | None:
    """Return how many rules it takes until every survivor wins in an unfinished position; None if they never do."""
    narrowed = _narrowed(card, position, solution, sight)
    return None if narrowed is None else max(1, narrowed[0])


def exercise_at(card: Card, position: Position, solution: Solution, sight: Sight) -> tuple[int, Exercise] | None:
    """Return the number of rules that an unfinished position takes, and its exercise; None if it is no exercise."""
    narrowed = _narrowed(card, position, solution, sight)
    if narrowed is None:
        return None
    count, before, left = narrowed
    worth = {option.move: option.value.verdict for option in solution.options(position)}
    if not any(worth[move] is Verdict.LOSS for move, _ in before):
        return None
    wins = tuple(move for move in position.legal_moves() if worth[move] is Verdict.WIN)
    return count, Exercise(position, wins, len(worth) - len(wins), tuple(move for move, _ in left))


def _narrowed(card: Card, position: Position, solution: Solution, sight: Sight) -> tuple[int, Moves, Moves] | None:
    """Return the length of the first prefix of which every survivor wins, what was left before it, and what is then."""
    if solution.value(position).verdict is not Verdict.WIN:
        return None
    wins = {option.move for option in solution.options(position) if option.value.verdict is Verdict.WIN}
    before: Moves = moves_of(position)
    left = before
    for count, rule in enumerate((None, *card.rules)):
        before, left = left, left if rule is None else rule.keep(sight, position, left)
        if all(move in wins for move, _ in left):
            return count, before, left
    return None


def all_exercises(card: Card, solution: Solution, sight: Sight, dice: Random) -> dict[int, list[Exercise]]:
    """Return the exercises of each rule that has any, by its number, for the seat of the card.

    Of a large game they are some; the dice choose. With one number left the match ends whatever the idea is, so such
    positions are left out.
    """
    found: dict[int, list[Exercise]] = {}
    for position in _pass(card, solution, dice):
        if card.seat in (None, position.seat) and len(position.pool) > 1:
            one = exercise_at(card, position, solution, sight)
            if one is not None:
                found.setdefault(one[0], []).append(one[1])
    return found


def find_exercises(card: Card, solution: Solution, sight: Sight) -> dict[int, list[Exercise]]:
    """Return a few exercises of each rule that has any, by its number; those with the fewest wrong moves come first.

    They are spread from easy to hard, and if a mirror shows the same exercise with other signs, signs vary.
    """
    found = all_exercises(card, solution, sight, Random("lessons"))
    return {
        count: [
            images(card, one, solution, sight)[0 if n % 2 == 0 else -1] for n, one in enumerate(_spread(found[count]))
        ]
        for count in sorted(found)
    }


def _pass(card: Card, solution: Solution, dice: Random) -> Iterator[Position]:
    """Yield positions ply by ply, one for all its mirrors."""
    canon = canon_of(solution.rules) if card.mirrors(solution.rules) else plain
    seen = {(canon(solution.start), solution.start.seat)}
    level = [solution.start]
    for _ in range(_POOLS * len(solution.rules.pool)):
        yield from level
        following = []
        for position in level:
            for _, after in moves_of(position):
                key = canon(after), after.seat
                if after.outcome is None and key not in seen:
                    seen.add(key)
                    following.append(after)
        level = dice.sample(following, _WIDTH) if len(following) > _WIDTH else following


def _spread(exercises: Iterable[Exercise]) -> list[Exercise]:
    """Return a few exercises from the fewest wrong moves to the most."""
    ordered = sorted(exercises, key=lambda one: (one.wrong, len(one.position.pool)))
    step = max(1.0, len(ordered) / EXERCISES)
    return [ordered[int(n * step)] for n in range(min(EXERCISES, len(ordered)))]


def images(card: Card, exercise: Exercise, solution: Solution, sight: Sight) -> tuple[Exercise, ...]:
    """Return the exercises that mirrors make of one, itself first: the same rule decides, with other signs."""
    here = exercise_at(card, exercise.position, solution, sight)
    found = [exercise]
    for position in _mirrored(solution.rules, exercise.position):
        try:
            other = exercise_at(card, position, solution, sight)
        except IllegalPositionError:
            continue  # If a match does not begin on the target, its mirror need not arise.
        if other is not None and here is not None and other[0] == here[0]:
            found.append(other[1])
    return tuple(found)


def _mirrored(rules: Rules, position: Position) -> list[Position]:
    """Return the other positions that are the same for every player: see `players.symmetry`."""
    if rules.remembers or rules.overshoot is not Overshoot.PLAY_ON:
        return []
    twice = 2 * rules.target
    if rules.operations != ADD_ONLY:
        signs = product(*(dict.fromkeys((total, twice - total)) for total in position.totals))
        return [replace(position, totals=totals) for totals in signs if totals != position.totals]
    turned = tuple(sorted(-number for number in position.pool))
    if tuple(sorted(-number for number in rules.pool)) != rules.pool:
        return []
    totals = tuple(twice - total for total in position.totals)
    other = replace(position, pool=turned, totals=totals)
    return [other] if other != position else []
