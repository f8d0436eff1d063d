"""Exercises: positions in which one rule of a card decides, and neither more rules nor fewer.

The first n rules of a card are its n-th *prefix*. The n-th rule *decides* a position in which some move wins and some
move loses, if every survivor of the n-th prefix wins and of each earlier prefix some survivor loses. It is an exercise
of that rule if the survivors are all the winning moves and at most half of the moves: so the opposite of the rule is
never right, and luck seldom is. Every position is an exercise of one rule at most.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, NamedTuple

from zerosum.base.errors import IllegalPositionError
from zerosum.coach.causes import why, words
from zerosum.coach.lessons import HALF, THIRD, Exercise
from zerosum.rules.moves import Move
from zerosum.rules.position import Position
from zerosum.solver import Solution, Verdict
from zerosum.solver.mirrors import canon_of, mirrored, plain
from zerosum.strategy.card import Card, Moves
from zerosum.strategy.card_report import ExampleDocument
from zerosum.strategy.claims import NONE
from zerosum.strategy.lookahead import Sight, moves_of

EXERCISES: Final = 12
"""Exercises of a step, at most."""
FEWEST: Final = 6
"""Exercises of a step, at least."""
_WIDTH: Final = 400
"""Positions of each ply that are examined; of more than that, the same sample every time."""
_POOLS: Final = 2
"""How many pools a pass goes through if pools are refilled."""


class Choice(NamedTuple):
    """A real choice: a position in which some move wins and some move loses, and the moves that win."""

    position: Position
    wins: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Decided:
    """A choice that a rule decides: the number of rules it takes, and the moves that they leave."""

    choice: Choice
    count: int
    left: tuple[Move, ...]

    @property
    def exercise(self) -> Exercise | None:
        """The position as an exercise; None if it is none."""
        one = Exercise(*self.choice)
        return one if one.within(HALF) and set(self.left) == set(one.solutions) else None


def choice_at(position: Position, solution: Solution) -> Choice | None:
    """Return an unfinished position as a choice; None if nothing can be lost there, or won."""
    options = solution.options(position)
    if options[0].value.verdict is not Verdict.WIN or options[-1].value.verdict is not Verdict.LOSS:
        return None
    wins = {option.move for option in options if option.value.verdict is Verdict.WIN}
    return Choice(position, tuple(move for move in position.legal_moves() if move in wins))


def decided(card: Card, choice: Choice, sight: Sight) -> Decided | None:
    """Return which rule of a card decides a choice; None if none does."""
    position, wins = choice
    left: Moves = moves_of(position)
    for count, rule in enumerate(card.rules, 1):
        left = rule.keep(sight, position, left)
        if all(move in wins for move, _ in left):
            return Decided(choice, count, tuple(move for move, _ in left))
    return None


def choices_of(card: Card, solution: Solution, dice: Random) -> Iterator[Choice]:
    """Yield the choices of a game; of a large game some, which the dice choose.

    With one number left the match ends whatever the idea is, so such positions are left out.
    """
    for position in _pass(card, solution, dice):
        choice = choice_at(position, solution) if len(position.pool) > 1 else None
        if choice is not None:
            yield choice


def exercises_of(card: Card, choices: Iterable[Choice], sight: Sight) -> list[Exercise]:
    """Return the exercises of the last rule of a card, those with the fewest wrong moves first.

    At most a third of the moves of each wins; if there are fewer than six of those, at most a half.
    """
    every = (decided(card, choice, sight) for choice in choices)
    last = (one.exercise for one in every if one is not None and one.count == len(card.rules))
    found = [one for one in last if one is not None]
    strict = [one for one in found if one.within(THIRD)]
    return sorted(strict if len(strict) >= FEWEST else found, key=lambda one: (one.wrong, len(one.position.pool)))


def chosen(card: Card, exercises: Sequence[Exercise], solution: Solution, sight: Sight) -> list[Exercise]:
    """Return a few exercises, spread from easy to hard; if a mirror shows one with other signs, signs vary."""
    step = max(1.0, len(exercises) / EXERCISES)
    few = [exercises[int(n * step)] for n in range(min(EXERCISES, len(exercises)))]
    return [images(card, one, solution, sight)[0 if n % 2 == 0 else -1] for n, one in enumerate(few)]


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


def images(card: Card, exercise: Exercise, solution: Solution, sight: Sight) -> tuple[Exercise, ...]:
    """Return the exercises that mirrors make of one, itself first: the last rule of the card decides these too."""
    found = [exercise]
    for position in mirrored(exercise.position):
        try:
            choice = choice_at(position, solution)
        except IllegalPositionError:
            continue  # If a match does not begin on the target, its mirror need not arise.
        other = None if choice is None else decided(card, choice, sight)
        if other is not None and other.count == len(card.rules) and other.exercise is not None:
            found.append(other.exercise)
    return tuple(found)


# Examples of a card's rules: a position for each, the moves that it leaves, and why the first of them wins

_MATCHES: Final = 60
"""Matches of random moves that are looked through; an example may be missing after them."""
_DECIDES: Final = 2


def examples_of(card: Card, solution: Solution) -> dict[str, ExampleDocument]:
    """Return an example for each rule that has one among some random matches, the same ones every time."""
    dice, sight = Random("examples of a card"), Sight(solution.rules)
    found: dict[str, tuple[int, Position, Moves]] = {}
    for _ in range(_MATCHES):
        position = solution.start
        for _ in range(2 * len(position.pool)):
            if position.outcome is not None:
                break
            if card.seat in (None, position.seat):
                for rule, worth, left in _shown(card, position, solution, sight):
                    if rule not in found or worth > found[rule][0]:
                        found[rule] = worth, position, left
            position = position.play_unchecked(dice.choice(position.legal_moves()))
        if [worth for worth, _, _ in found.values()] == [_DECIDES] * len(card.rules):
            break
    return {rule: _example(position, left, solution) for rule, (_, position, left) in found.items()}


def _shown(card: Card, position: Position, solution: Solution, sight: Sight) -> Iterator[tuple[str, int, Moves]]:
    """Yield each rule that leaves fewer moves than it found, how good an example of it this is, and winning moves.

    The best example is a position in which the rule decides: what it leaves wins, and some move still in before it
    loses. Then come others in which what it leaves wins, and last those in which later rules must choose among that.
    """
    wins = {option.move for option in solution.options(position) if option.value.verdict is Verdict.WIN}
    steps: list[Moves] = [moves_of(position)]
    for rule in card.rules:
        steps.append(rule.keep(sight, position, steps[-1]))
    won = [all(move in wins for move, _ in left) for left in steps]
    for n, rule in enumerate(card.rules):
        if won[-1] and len(steps[n + 1]) < len(steps[n]):
            worth = _DECIDES - won[n] if won[n + 1] else 0
            yield str(rule), worth, steps[n + 1 if won[n + 1] else -1]


def _example(position: Position, left: Moves, solution: Solution) -> ExampleDocument:
    """Return an example, with a reason if the first of its moves has a short one."""
    reason = why(position, left[0][0], solution)
    told = "" if reason.name == NONE else " ".join(words(reason))
    return ExampleDocument(str(position), [position.text_of(move) for move, _ in left], told)
