"""Pairs of position and move whose causes are checked, and the check itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random

from tests.coach.cause_reader import CauseReader
from tests.coach.plain_features import Plain
from tests.coach.positions import moves_to_explain
from tests.reliability.report import Harness, Report, Say
from tests.solver.random_tables import table
from zerosum.coach.cause_words import words
from zerosum.coach.causes import why
from zerosum.rules.game_files import built_in
from zerosum.rules.moves import Move
from zerosum.rules.position import Position, PositionKey
from zerosum.rules.rules_dict import rules_from_dict
from zerosum.solver import Solution, SolverError, solution_of, solve

Pair = tuple[Position, Move]
FAR = 10
"""Of rounds without end, those that begin at most this far from the target."""


def check(solution: Solution, pairs: Iterable[Pair]) -> Counter[str]:
    """Check the cause of each pair, and return how often each was met; the first false one is an error."""
    plain, met = Plain(solution), Counter[str]()
    for position, move in pairs:
        found = why(position, move, solution)
        told = " ".join(words(found))
        answer = None if found.answer is None else position.text_of(found.answer)
        wrong = CauseReader(plain, position, move, answer).wrong(found.name, told)
        assert wrong == "", (str(position), position.text_of(move), found.name, told, wrong)
        met[found.name] += 1
    return met


def all_pairs(solution: Solution) -> Iterator[Pair]:
    """Yield every move of every position; of rounds without end, those that begin near the target."""
    for position in _positions(solution):
        for move in position.legal_moves():
            yield position, move


def _positions(solution: Solution) -> Iterator[Position]:
    if solution.positions is not None:
        yield from (position for position, _ in solution.everything())
        return
    size, target = len(solution.rules.pool), solution.rules.target
    layer: dict[PositionKey, Position] = {
        position.key: position
        for position, _ in solution.everything()
        if len(position.pool) == size and all(abs(total - target) <= FAR for total in position.totals)
    }
    while layer:
        yield from layer.values()
        following = {}
        for position in layer.values():
            for move in position.legal_moves() if len(position.pool) > 1 else ():
                after = position.play_unchecked(move)
                if after.outcome is None:
                    following[after.key] = after
        layer = following


def drawn_pairs(solution: Solution, count: int, seed: int = 3) -> Iterator[Pair]:
    """Yield different pairs from plays at random."""
    return moves_to_explain(solution, count, seed)


def random_variants(count: int, each: int, seed: int = 11) -> Iterator[tuple[Solution, list[Pair]]]:
    """Yield random variants with some of their pairs, `count` pairs in all."""
    dice = Random(seed)
    while count > 0:
        try:
            solution = solve(rules_from_dict(table(dice, most=6, sudden_death=dice.random() < 0.25)))
        except SolverError:
            continue
        pairs = list(drawn_pairs(solution, min(each, count), dice.randrange(1000)))
        count -= len(pairs)
        yield solution, pairs


def full(say: Say) -> Iterator[Report]:
    """Check all pairs of the small games, 20,000 of each large one, and 2,000 of random variants."""
    for game in ("sum31", "zero-sum-duel", "zero-sum-game", "sum-to-zero", "sequence-zero"):
        say(game)
        solution = solution_of(built_in(game))
        large = game in ("sum-to-zero", "sequence-zero")
        yield _report(game, [(solution, drawn_pairs(solution, 20_000) if large else all_pairs(solution))])
    say("variants")
    yield _report("random variants", random_variants(2_000, 12))


def _report(what: str, games: Iterable[tuple[Solution, Iterable[Pair]]]) -> Report:
    report = Report("true", f"causes of {what}")
    met = Counter[str]()
    try:
        for solution, pairs in games:
            met += check(solution, pairs)
    except AssertionError as error:
        report.broken.append(str(error))
    report.figures = {"pairs": sum(met.values()), **met}
    return report


HARNESSES: dict[str, Harness] = {"causes": full}
