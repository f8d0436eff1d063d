"""Exact metrics of a game: how fair, how long, how rich in choices, how dramatic, and how much skill it rewards.

Nothing is sampled. Everything is computed on the normal form, so that games of one fingerprint have the same figures
to the last place. Sudden death has no end of positions: what is counted by plies is counted in the first round.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from itertools import pairwise
from math import sqrt
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from zerosum.base import limits
from zerosum.base.errors import BadValueError
from zerosum.lab.fingerprint import Normal, compact, normal
from zerosum.lab.lab_json import By, LengthJson, Metrics, NumberJson, Opening, Screen, SkillJson, ValueJson
from zerosum.lab.openings import PLACES, openings_of
from zerosum.lab.reach import Reached, reach
from zerosum.lab.selfplay import Course, Known, Played, play
from zerosum.players.levels import LEVELS, STRENGTHS
from zerosum.players.odds import MOST_POSITIONS, Odds, Pairing, clean
from zerosum.players.policies import FAR, winning_moves, worth_of
from zerosum.players.rounds import ERROR, Chain
from zerosum.rules.model import Rules, Seat, Tie
from zerosum.rules.position import Position, start_position
from zerosum.rules.rules_dict import rules_from_dict, rules_to_dict
from zerosum.solver import Solution, SolverError, solve

if TYPE_CHECKING:
    from zerosum.lab.fast_metrics import FastReached

ALL: Final = tuple(STRENGTHS)
"""Every player, from random to perfect."""
SCREENED: Final = ("random", "level:2", "level:5")
"""The players whose matches are looked at when a game is screened."""
FAIR_TO: Final = ("random", *(f"level:{n}" for n in range(1, 7)))
"""The players between whom a fair game is fair."""
EARLY: Final = 4
"""Plies of a match that ends early."""
FAST_FROM: Final = 200
"""Positions from which on NumPy is worth loading."""
MEMORY: Final = 1 << 28
"""Bytes that solving one game may take."""
_PERFECT: Final = "perfect"
_CLEARLY: Final = 0.55
_HOLDS: Final = 0.25


class _Measured(NamedTuple):
    """All that the figures follow from."""

    normal: Normal
    solution: Solution
    played: Played
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
        "fairness": round(fairness, PLACES),
        "perfect": {one: round(perfect[one], PLACES) for one in who},
        "step": {one: round(step[one], PLACES) if one in step else None for one in who},
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
    return {"value": _value(worth_of(solution.value(solution.start))), "openings": openings_of(solution)}


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
    """Return the metrics of the rules in a task, for `zerosum.lab.executors`."""
    return compact(metrics(rules_from_dict(json.loads(task))))


def screen_job(task: str) -> str:
    """Return the screening of the rules in a task, for `zerosum.lab.executors`."""
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
    reached = _reach(plain, solution.positions)
    refilled: list[Known] = []
    chances: dict[Pairing, float] = {}
    if reached.refilled:
        chain = Chain(start_position(plain), solution, [STRENGTHS[one] for one in who])
        at = {one: n for n, one in enumerate(who)}
        chances = {(one, two): sum(chain.chance((at[one], at[two]))) / 2 for one, two in wanted}
        after = [_after(chain, reached.refilled, at[one]) for one in who]
        for n, position in enumerate(reached.refilled):
            others = [chances_there[n] for chances_there in after]
            refilled.append(Known(worth_of(solution.value(position)), winning_moves(solution, position), others))
    meeting = likes if reached.refilled else wanted
    played = (
        play(reached, who, meeting, refilled) if isinstance(reached, Reached) else reached.play(who, meeting, refilled)
    )
    if not reached.refilled:
        chances = {pairing: 1 - played.start.others[n] for n, pairing in enumerate(wanted)}
    return _Measured(form, solution, played, dict(zip(who, played.courses, strict=True)), chances, bool(refilled))


def _reach(rules: Rules, positions: int | None) -> Reached | FastReached:
    """Return all positions; by NumPy where it is installed and there are enough of them to load it."""
    many = positions is None or positions >= FAST_FROM
    if many and not rules.remembers and find_spec("numpy") is not None:
        from zerosum.lab.fast_metrics import FastReached  # noqa: PLC0415 - an extra, and slow to load

        if FastReached.fits(rules):
            return FastReached(rules)
    return reach(rules)


def _after(chain: Chain, refilled: Sequence[Position], player: int) -> list[float]:
    """Return, for each position with a new pool, the chance of whoever is not to move there, of two equal players."""
    least, greatest = chain.after_first((player, player))
    firsts = {chain.key(end): (low + high) / 2 for end, low, high in zip(chain.ends, least, greatest, strict=True)}
    found = []
    for position in refilled:
        first = firsts[chain.key(position)]
        found.append(1 - first if position.seat is Seat.FIRST else first)
    return found


# The figures


def _screen_of(rules: Rules, measured: _Measured, who: Sequence[str]) -> Screen:
    counts, courses, chances = measured.played.counts, measured.courses, measured.chances
    means = {one: courses[one].mean for one in who}

    def by(figures: Mapping[str, float]) -> By:
        return {one: round(figures[one], PLACES) for one in who}

    first = {one: min(1.0, max(0.0, chances[one, one])) for one in who}
    return {
        "game": rules.id,
        "fingerprint": measured.normal.fingerprint,
        "scope": "first-round" if measured.refills else "whole",
        "error": ERROR if measured.refills else 0.0,
        "value": _value(measured.played.start.worth),
        "openings": openings_of(measured.solution),
        "first": by(first),
        "balance": by({one: _balance(chance) for one, chance in first.items()}),
        "length": {one: _length(courses[one]) for one in who},
        "early": by({one: sum(courses[one].plies[: EARLY + 1]) for one in who}),
        "density": by({one: courses[one].real / means[one] for one in who}),
        "only": by({one: courses[one].only / means[one] for one in who}),
        "changes": by({one: courses[one].changes for one in who}),
        "behind": by({one: courses[one].behind / means[one] for one in who}),
        "endings": {
            one: {reason.value: round(chance, PLACES) for reason, chance in courses[one].endings.items()} for one in who
        },
        "refill": by({one: courses[one].refill for one in who}) if measured.refills else None,
        "graph": {
            "positions": counts.positions,
            "mover_wins": counts.mover_wins,
            "real": counts.real,
            "only": counts.only,
            "longest": None if measured.refills else measured.played.longest,
        },
        "numbers": _numbers(rules, measured),
    }


def _value(worth: int) -> ValueJson:
    if worth == 0:
        return {"winner": None, "plies": None}
    return {"winner": 1 if worth > 0 else 2, "plies": FAR - abs(worth)}


def _length(course: Course) -> LengthJson:
    mean = course.mean
    variance = sum(chance * (n - mean) ** 2 for n, chance in enumerate(course.plies))
    return {
        "mean": round(mean, PLACES),
        "sd": round(sqrt(variance), PLACES),
        "chances": {str(n): round(chance, PLACES) for n, chance in enumerate(course.plies) if chance},
    }


def _numbers(rules: Rules, measured: _Measured) -> list[NumberJson]:
    own = measured.solution.rules is rules
    found: list[NumberJson] = []
    for number in dict.fromkeys(rules.pool):
        at = number if own else measured.normal.numbers[number]
        wins, needed = measured.played.counts.wins.get(at, 0), measured.played.counts.needed.get(at, 0)
        found.append({"number": number, "wins": wins, "needed": needed})
    return found


def _balance(first: float) -> float:
    return 1 - 2 * abs(first - 0.5)


def _seats(chances: Mapping[Pairing, float], one: str, other: str) -> float:
    """Return what a player scores against another, on average of both seats."""
    return (chances[one, other] + 1 - chances[other, one]) / 2


def _skill(step: Mapping[str, float], perfect: Mapping[str, float]) -> SkillJson:
    levels = [f"level:{n}" for n in LEVELS]
    holding = (n for n in LEVELS if round(perfect[f"level:{n}"], PLACES) >= _HOLDS)
    return {
        "depth": sum(round(step[one], PLACES) >= _CLEARLY for one in levels),
        "reach": next(holding, None),
    }
