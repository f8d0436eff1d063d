"""Exact metrics of a game: how fair, how long, how rich in choices, how dramatic, and how much skill it rewards.

Nothing is sampled. Everything is computed on the normal form, so that games of one fingerprint have the same figures
to the last place. Sudden death has no end of positions: what is counted by plies is counted in the first round.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import log2, sqrt
from typing import Any, Final, NamedTuple

from zerosum.lab.fingerprint import Normal, compact, normal
from zerosum.lab.reach import Reached, reach
from zerosum.lab.selfplay import Back, Counts, Course, Known, Seen, course_of
from zerosum.lab.shapes import By, LengthJson, Metrics, NumberJson, Opening, OpeningsJson, Screen, SkillJson, ValueJson
from zerosum.players.levels import LEVELS, STRENGTHS
from zerosum.players.odds import MOST_POSITIONS, Odds, Pairing, clean
from zerosum.players.policies import FAR, winning_moves, worth_of
from zerosum.players.rounds import ERROR, Chain
from zerosum.rules import limits
from zerosum.rules.errors import BadValueError
from zerosum.rules.model import Rules, Seat, Tie
from zerosum.rules.moves import SWAP
from zerosum.rules.position import start_position
from zerosum.rules.schema import rules_from_dict, rules_to_dict
from zerosum.solver import Solution, SolverError, Verdict, solve

ALL: Final = tuple(STRENGTHS)
"""Every player, from random to perfect."""
SCREENED: Final = ("random", "level:2", "level:5")
"""The players whose matches are looked at when a game is screened."""
FAIR_TO: Final = ("random", *(f"level:{n}" for n in range(1, 7)))
"""The players between whom a fair game is fair."""
EARLY: Final = 4
"""Plies of a match that ends early."""
MEMORY: Final = 1 << 28
"""Bytes that solving one game may take."""
_PERFECT: Final = "perfect"
_CLEARLY: Final = 0.55
_HOLDS: Final = 0.25
_PLACES: Final = 12


class _Measured(NamedTuple):
    """All that the figures follow from."""

    normal: Normal
    solution: Solution
    start: Known
    layers: list[list[Seen]]
    counts: Counts
    courses: dict[str, Course]
    chances: dict[Pairing, float]
    """Of each pairing, the chance of whoever moves first."""
    refills: bool


def metrics(rules: Rules, who: Sequence[str] = ALL) -> Metrics:
    """Return everything that is measured of a game; `who` leaves players out of what is listed for each player."""
    return measure(rules, who)[0]


def measure(rules: Rules, who: Sequence[str] = ALL) -> tuple[Metrics, Odds]:
    """Return the metrics of a game, and the chances between players that they follow from."""
    pairings = [pairing for one in ALL for pairing in ((one, _PERFECT), (_PERFECT, one))]
    pairings += [pairing for low, high in pairwise(ALL) for pairing in ((high, low), (low, high))]
    measured = _measured(rules, ALL, pairings)
    screen = _screen_of(rules, measured, who)
    chances = measured.chances
    perfect = {one: _seats(chances, one, _PERFECT) for one in ALL}
    step = {high: _seats(chances, high, low) for low, high in pairwise(ALL)}
    fairness = min(_balance(chances[one, one]) for one in FAIR_TO)
    document: Metrics = {
        **screen,
        "fairness": round(fairness, _PLACES),
        "perfect": {one: round(perfect[one], _PLACES) for one in who},
        "step": {one: round(step[one], _PLACES) if one in step else None for one in who},
        "skill": _skill(step, perfect),
    }
    odds = {pairing: clean(chance) for pairing, chance in chances.items()}
    return document, Odds(odds, ERROR if rules.tie is Tie.SUDDEN_DEATH else 0.0)


def screen(rules: Rules, who: Sequence[str] = SCREENED) -> Screen:
    """Return what a search asks of every game that it looks at closely: the same figures, for few players."""
    return _screen_of(rules, _measured(rules, who, ()), who)


def opening_metrics(rules: Rules) -> Opening:
    """Return what solving a game shows: its value, and how many openings win."""
    solution = solve(rules, MEMORY)
    return {"value": _value(worth_of(solution.value(solution.start))), "openings": _openings(solution)}


def at_path(document: Mapping[str, Any], path: str) -> Any:  # noqa: ANN401 - whatever stands there
    """Return what stands at a path of a document: `value.plies`, `first.level:2`, `length.level:5.mean`.

    >>> at_path({"first": {"level:2": 0.5}}, "first.level:2")
    0.5
    """
    found: Any = document
    for key in path.split("."):
        if not isinstance(found, Mapping) or key not in found:
            raise BadValueError(f"There is no metric '{path}': '{key}' is not a part of it.")
        found = found[key]
    return found


def metrics_job(task: str) -> str:
    """Return the metrics of the rules in a task, for `zerosum.lab.engine`."""
    return compact(metrics(rules_from_dict(json.loads(task))))


def screen_job(task: str) -> str:
    """Return the screening of the rules in a task, for `zerosum.lab.engine`."""
    return compact(screen(rules_from_dict(json.loads(task))))


# What the figures follow from


def normal_rules(rules: Rules, form: Normal) -> Rules:
    """Return a game in normal form; the game itself where totals would go beyond the limits."""
    table: dict[str, Any] = rules_to_dict(rules) | form.table
    if any(abs(start) > limits.VALUE for start in table["start"]):
        return rules
    return rules_from_dict(table | {"start": table["start"] if len(table["start"]) > 1 else table["start"][0]})


def _measured(rules: Rules, who: Sequence[str], pairings: Sequence[Pairing]) -> _Measured:
    form = normal(rules)
    plain = normal_rules(rules, form)
    likes = [(one, one) for one in who]
    wanted = list(dict.fromkeys([*likes, *pairings]))
    solution = solve(plain, MEMORY)
    if (solution.positions or 0) > MOST_POSITIONS:
        raise SolverError(
            f"{rules.name} has {solution.positions:,} positions; exact metrics have a limit of {MOST_POSITIONS:,}."
        )
    reached = reach(plain)
    refilled: list[Known] = []
    chances: dict[Pairing, float] = {}
    if reached.refilled:
        chain = Chain(start_position(plain), solution, [STRENGTHS[one] for one in who])
        at = {one: n for n, one in enumerate(who)}
        chances = {(one, two): sum(chain.chance((at[one], at[two]))) / 2 for one, two in wanted}
        after = [_after(chain, reached, at[one]) for one in who]
        for n, position in enumerate(reached.refilled):
            others = [chances_there[n] for chances_there in after]
            refilled.append(Known(worth_of(solution.value(position)), winning_moves(solution, position), others))
    back = Back(who, likes if reached.refilled else wanted)
    layers, (start,) = back.layers(reached, refilled)
    if not reached.refilled:
        chances = {pairing: 1 - start.others[n] for n, pairing in enumerate(wanted)}
    courses = {one: course_of(n, layers, len(refilled)) for n, one in enumerate(who)}
    return _Measured(form, solution, start, layers, back.counts, courses, chances, bool(refilled))


def _after(chain: Chain, reached: Reached, player: int) -> list[float]:
    """Return, for each position with a new pool, the chance of whoever is not to move there, of two equal players."""
    least, greatest = chain.after_first((player, player))
    firsts = {chain.key(end): (low + high) / 2 for end, low, high in zip(chain.ends, least, greatest, strict=True)}
    found = []
    for position in reached.refilled:
        first = firsts[chain.key(position)]
        found.append(1 - first if position.seat is Seat.FIRST else first)
    return found


# The figures


def _screen_of(rules: Rules, measured: _Measured, who: Sequence[str]) -> Screen:
    counts, courses, chances = measured.counts, measured.courses, measured.chances
    means = {one: courses[one].mean for one in who}

    def by(figures: Mapping[str, float]) -> By:
        return {one: round(figures[one], _PLACES) for one in who}

    first = {one: min(1.0, max(0.0, chances[one, one])) for one in who}
    return {
        "game": rules.id,
        "fingerprint": measured.normal.fingerprint,
        "scope": "first-round" if measured.refills else "whole",
        "error": ERROR if measured.refills else 0.0,
        "value": _value(measured.start.worth),
        "openings": _openings(measured.solution),
        "first": by(first),
        "balance": by({one: _balance(chance) for one, chance in first.items()}),
        "length": {one: _length(courses[one]) for one in who},
        "early": by({one: sum(courses[one].plies[: EARLY + 1]) for one in who}),
        "density": by({one: courses[one].real / means[one] for one in who}),
        "only": by({one: courses[one].only / means[one] for one in who}),
        "changes": by({one: courses[one].changes for one in who}),
        "behind": by({one: courses[one].behind / means[one] for one in who}),
        "endings": {
            one: {reason.value: round(chance, _PLACES) for reason, chance in courses[one].endings.items()}
            for one in who
        },
        "refill": by({one: courses[one].refill for one in who}) if measured.refills else None,
        "graph": {
            "positions": counts.positions,
            "mover_wins": counts.mover_wins,
            "real": counts.real,
            "only": counts.only,
            "longest": None if measured.refills else len(measured.layers),
        },
        "numbers": _numbers(rules, measured),
    }


def _value(worth: int) -> ValueJson:
    if worth == 0:
        return {"winner": None, "plies": None}
    return {"winner": 1 if worth > 0 else 2, "plies": FAR - abs(worth)}


def _openings(solution: Solution) -> OpeningsJson:
    start = solution.start
    count = len(start.legal_moves())
    if solution.rules.swap:
        winning, right = _with_swap(solution)
    else:
        winning, right = winning_moves(solution, start), None
    share = winning / count
    bits = -sum(part * log2(part) for part in (share, 1 - share) if part)
    return {
        "count": count,
        "winning": winning,
        "share": round(share, _PLACES),
        "bits": round(bits, _PLACES) if bits else 0.0,
        "swap_right": None if right is None else round(right / count, _PLACES),
    }


def _with_swap(solution: Solution) -> tuple[int, int]:
    """Return how many openings win as if seats were never swapped, and after how many swapping is right."""
    start = solution.start
    winning = right = 0
    for move in start.legal_moves():
        after = start.play_unchecked(move)
        if after.outcome is not None:
            winning += after.outcome.winner is start.seat
            continue
        replies = solution.options(after)
        winning += all(one.value.verdict is Verdict.LOSS for one in replies if one.move != SWAP)
        right += any(one.value.verdict is replies[0].value.verdict for one in replies if one.move == SWAP)
    return winning, right


def _length(course: Course) -> LengthJson:
    mean = course.mean
    variance = sum(chance * (n - mean) ** 2 for n, chance in enumerate(course.plies))
    return {
        "mean": round(mean, _PLACES),
        "sd": round(sqrt(variance), _PLACES),
        "chances": {str(n): round(chance, _PLACES) for n, chance in enumerate(course.plies) if chance},
    }


def _numbers(rules: Rules, measured: _Measured) -> list[NumberJson]:
    own = measured.solution.rules is rules
    found: list[NumberJson] = []
    for number in dict.fromkeys(rules.pool):
        at = number if own else measured.normal.numbers[number]
        wins, needed = measured.counts.wins.get(at, 0), measured.counts.needed.get(at, 0)
        found.append({"number": number, "wins": wins, "needed": needed})
    return found


def _balance(first: float) -> float:
    return 1 - 2 * abs(first - 0.5)


def _seats(chances: Mapping[Pairing, float], one: str, other: str) -> float:
    """Return what a player scores against another, on average of both seats."""
    return (chances[one, other] + 1 - chances[other, one]) / 2


def _skill(step: Mapping[str, float], perfect: Mapping[str, float]) -> SkillJson:
    levels = [f"level:{n}" for n in LEVELS]
    holding = (n for n in LEVELS if round(perfect[f"level:{n}"], _PLACES) >= _HOLDS)
    return {
        "depth": sum(round(step[one], _PLACES) >= _CLEARLY for one in levels),
        "reach": next(holding, None),
    }
