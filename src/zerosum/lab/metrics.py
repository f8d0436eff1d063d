"""Exact metrics of a game: how even, how long, how rich in choices, how dramatic, and how much skill it rewards.

Nothing is sampled: every figure is a pass over the graph of the game (`solver/graph.py`). The graph is that of the
normal form, so games with the same fingerprint have the same figures to the last place. In sudden death the number of
positions has no bound, so what is counted by plies is counted in the first round.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import log2, sqrt
from typing import Any, Final, Literal, NamedTuple, TypedDict

from zerosum.base import limits
from zerosum.base.errors import BadValueError
from zerosum.coach.evenness import even_to
from zerosum.players.levels import LEVELS, STRENGTHS
from zerosum.players.odds import MOST_POSITIONS, Odds, Pairing, clean
from zerosum.players.policies import FAR, before_move, worth_of
from zerosum.players.sudden_death import ERROR, Chain
from zerosum.rules.model import Rules, Seat, Tie
from zerosum.rules.moves import ADD_ONLY, SWAP
from zerosum.rules.position import start_position
from zerosum.rules.rules_dict import rules_from_dict, rules_to_dict
from zerosum.solver import Solution, Verdict, solve
from zerosum.solver.fingerprint import Normal, compact, normal
from zerosum.solver.graph import graph_of, passes_of, truth_of
from zerosum.solver.graph_arrays import Graph
from zerosum.solver.graph_passes import END_WORTHS, Counts, MatchCourse, Truth
from zerosum.solver.supports import MOVE_CODES, refuse_unknown

ALL: Final = tuple(STRENGTHS)
"""Every player, from random to perfect."""
SCREENED: Final = ("random", "level:2", "level:5")
"""The players whose matches are looked at when a game is screened."""
_FAIRNESS: Final = ALL[:7]
"""The players of `fairness`, an older figure than `even_to`."""
EARLY: Final = 4
"""Plies of a match that ends early."""
PLACES: Final = 12
"""Places to which every figure of the lab is rounded."""
MANY: Final = 200
"""Positions from which on NumPy pays in a process that measures many games."""
MEMORY: Final = 1 << 28
"""Bytes that solving one game may take."""
_PERFECT: Final = "perfect"
_CLEARLY: Final = 0.55
_HOLDS: Final = 0.25


# The documents

ByPlayer = dict[str, float]
"""A figure for each player."""


class ValueJson(TypedDict):
    """Who wins with perfect play, None for a draw, and in how many plies."""

    winner: int | None
    plies: int | None


class OpeningsJson(TypedDict):
    """The moves of the start; `winning` as if seats were never swapped."""

    count: int
    winning: int
    share: float
    bits: float
    swap_right: float | None


class LengthJson(TypedDict):
    """How long matches are."""

    mean: float
    sd: float
    chances: dict[str, float]


class GraphJson(TypedDict):
    """How many positions there are, and of which kinds."""

    positions: int
    mover_wins: int
    real: int
    only: int
    longest: int | None


class NumberJson(TypedDict):
    """In how many positions a number wins, and in how many nothing else does."""

    number: int
    wins: int
    needed: int


class SkillJson(TypedDict):
    """How many levels are clearly better than the one below, and the least that can hold its own."""

    depth: int
    reach: int | None


class EvennessJson(TypedDict):
    """How often the first of two equal players wins; `even_to` is the level up to which the game is even, 0 for random.

    `even_to` is None if the game is not even between random players.
    """

    first: ByPlayer
    balance: ByPlayer
    fairness: float
    even_to: int | None


class OpeningMetrics(TypedDict):
    """What solving a game shows at its start."""

    value: ValueJson
    openings: OpeningsJson


class Screen(TypedDict):
    """What is measured of every game that a search looks at closely, for a few players."""

    game: str
    fingerprint: str
    scope: Literal["whole", "first-round"]
    error: float
    value: ValueJson
    openings: OpeningsJson
    first: ByPlayer
    balance: ByPlayer
    length: dict[str, LengthJson]
    early: ByPlayer
    density: ByPlayer
    only: ByPlayer
    changes: ByPlayer
    behind: ByPlayer
    endings: dict[str, ByPlayer]
    refill: ByPlayer | None
    graph: GraphJson
    numbers: list[NumberJson]


class MetricsJson(Screen):
    """Everything that is measured of a game, for all players."""

    fairness: float
    even_to: int | None
    perfect: ByPlayer
    step: dict[str, float | None]
    skill: SkillJson


# Measuring a game


class _Met(NamedTuple):
    """A game, what is true of it, and who wins how often."""

    normal: Normal
    graph: Graph
    truth: Truth
    chances: dict[Pairing, float]
    """For each pairing, the chance of the player who moves first."""
    won: Sequence[Sequence[float]]
    """For each player, against an equal one, the chance of the player to move at each node."""


class _Measured(NamedTuple):
    """All that the figures follow from."""

    met: _Met
    counts: Counts
    courses: dict[str, MatchCourse]


def metrics(rules: Rules, who: Sequence[str] = ALL, numpy_from: int | None = None) -> MetricsJson:
    """Return everything that is measured of a game; `who` leaves players out of what is listed for each player."""
    return measure(rules, who, numpy_from)[0]


def measure(rules: Rules, who: Sequence[str] = ALL, numpy_from: int | None = None) -> tuple[MetricsJson, Odds]:
    """Return the metrics of a game, and the chances between players that they follow from."""
    pairings = [pairing for one in ALL for pairing in ((one, _PERFECT), (_PERFECT, one))]
    pairings += [pairing for low, high in pairwise(ALL) for pairing in ((high, low), (low, high))]
    measured = _measured(rules, ALL, pairings, numpy_from)
    screen = _screen_of(rules, measured, who)
    chances = measured.met.chances
    perfect = {one: _seats(chances, one, _PERFECT) for one in ALL}
    step = {high: _seats(chances, high, low) for low, high in pairwise(ALL)}
    even = _evenness(chances)
    document: MetricsJson = {
        **screen,
        "fairness": even["fairness"],
        "even_to": even["even_to"],
        "perfect": {one: round(perfect[one], PLACES) for one in who},
        "step": {one: round(step[one], PLACES) if one in step else None for one in who},
        "skill": _skill(step, perfect),
    }
    odds = {pairing: clean(chance) for pairing, chance in chances.items()}
    return document, Odds(odds, ERROR if rules.tie is Tie.SUDDEN_DEATH else 0.0)


def screen(rules: Rules, who: Sequence[str] = SCREENED, numpy_from: int | None = None) -> Screen:
    """Return what a search asks of every game that it looks at closely: the same figures, for few players."""
    return _screen_of(rules, _measured(rules, who, (), numpy_from), who)


def evenness(rules: Rules, numpy_from: int | None = None) -> EvennessJson:
    """Return how often the first of two equal players wins: a part of the metrics that takes half as long."""
    return _evenness(_met(rules, ALL, (), numpy_from).chances)


def opening_metrics(rules: Rules) -> OpeningMetrics:
    """Return what solving a game shows: its value, and how many openings win."""
    solution = solve(rules, MEMORY)
    return {"value": _value(worth_of(solution.value(solution.start))), "openings": openings_of(solution)}


def at_path(document: Mapping[str, Any], path: str) -> Any:
    """Return the part of a document at a path: `value.plies`, `first.level:2`, `length.level:5.mean`.

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
    return compact(metrics(rules_from_dict(json.loads(task)), numpy_from=MANY))


# What the figures follow from


def normal_rules(rules: Rules, form: Normal) -> Rules:
    """Return a game in normal form; the game itself where totals would go beyond the limits."""
    table: dict[str, Any] = rules_to_dict(rules) | form.table
    if any(abs(start) > limits.VALUE for start in table["start"]):
        return rules
    return rules_from_dict(table | {"start": table["start"] if len(table["start"]) > 1 else table["start"][0]})


def _measured(rules: Rules, who: Sequence[str], pairings: Sequence[Pairing], numpy_from: int | None) -> _Measured:
    met = _met(rules, who, pairings, numpy_from)
    passes = passes_of(met.graph, numpy_from)
    courses = passes.courses(met.graph, met.truth, [STRENGTHS[one] for one in who], met.won)
    return _Measured(met, passes.counts(met.graph, met.truth), dict(zip(who, courses, strict=True)))


def _met(rules: Rules, who: Sequence[str], pairings: Sequence[Pairing], numpy_from: int | None) -> _Met:
    """Let each player meet an equal one, and the pairings besides."""
    form = normal(rules)
    start = start_position(normal_rules(rules, form))
    # If all numbers can be negated, a node would stand for two positions that different numbers win.
    graph = graph_of(start, mirrors=rules.operations != ADD_ONLY, most=MOST_POSITIONS)
    players = [STRENGTHS[one] for one in who]
    places = {one: n for n, one in enumerate(who)}
    likes = [(one, one) for one in who]
    wanted = list(dict.fromkeys([*likes, *pairings]))
    passes = passes_of(graph, numpy_from)
    if graph.opened:
        refuse_unknown(MOVE_CODES, start.rules)
        solution = solve(start.rules, MEMORY)
        chain = Chain(start, solution, players)
        truth = truth_of(graph, solution.options)
        opened = list(zip(*(_in_second_round(chain, graph, at) for at in range(len(who))), strict=True))
        seats = [(places[one], places[two]) for one, two in wanted]
        chances = {pairing: sum(chain.chance(both)) / 2 for pairing, both in zip(wanted, seats, strict=True)}
        pairs = [(at, at) for at in range(len(who))]
        won = passes.meet(graph, truth, players, pairs, opened=opened, keep=len(who)).nodes
    else:
        truth = truth_of(graph)
        pairs = [(places[one], places[two]) for one, two in wanted]
        meeting = passes.meet(graph, truth, players, pairs, keep=len(who))
        chances, won = dict(zip(wanted, meeting.starts[0], strict=True)), meeting.nodes
    return _Met(form, graph, truth, chances, won)


def _in_second_round(chain: Chain, graph: Graph, player: int) -> list[float]:
    """Return, for each open node, the chance of the player to move there, against an equal player."""
    bounds = zip(chain.ends, *chain.after_first((player, player)), strict=True)
    firsts = {chain.key(end): (least + greatest) / 2 for end, least, greatest in bounds}
    found = []
    for node in graph.opened:
        position = graph.position(node)
        first = firsts[chain.key(position)]
        found.append(first if position.seat is Seat.FIRST else 1 - first)
    return found


# The first moves


def openings_of(solution: Solution) -> OpeningsJson:
    """Return how many moves the start has, how many win, and after how many swapping is right."""
    start = solution.start
    moves = start.legal_moves()
    if not solution.rules.swap:
        return _openings(len(moves), len(solution.winning_moves(start)), None)
    winning = right = 0
    for after in map(start.play_unchecked, moves):
        if after.outcome is not None:
            winning += after.outcome.winner is start.seat
            continue
        replies = solution.options(after)
        winning += all(one.value.verdict is Verdict.LOSS for one in replies if one.move != SWAP)
        right += any(one.value.verdict is replies[0].value.verdict for one in replies if one.move == SWAP)
    return _openings(len(moves), winning, right)


def _openings_in(graph: Graph, truth: Truth) -> OpeningsJson:
    """Return the same from a graph; in a position that allows a swap, that is the last move."""

    def worths(node: int) -> list[int]:
        after = graph.to[graph.first[node] : graph.first[node + 1]]
        return [END_WORTHS[to] if to < 0 else before_move(int(truth.worth[to])) for to in after]

    openings = worths(0)
    if not graph.rules.swap:
        return _openings(len(openings), sum(worth > 0 for worth in openings), None)
    winning = right = 0
    for to in graph.to[: len(openings)]:
        if to < 0:
            winning += END_WORTHS[to] > 0
            continue
        *replies, swap = worths(to)
        best = max(*replies, swap)
        winning += max(replies) < 0
        right += (swap > 0) - (swap < 0) == (best > 0) - (best < 0)
    return _openings(len(openings), winning, right)


def _openings(count: int, winning: int, right: int | None) -> OpeningsJson:
    share = winning / count
    bits = -sum(part * log2(part) for part in (share, 1 - share) if part)
    return {
        "count": count,
        "winning": winning,
        "share": round(share, PLACES),
        "bits": round(bits, PLACES) if bits else 0.0,
        "swap_right": None if right is None else round(right / count, PLACES),
    }


# The figures


def _screen_of(rules: Rules, measured: _Measured, who: Sequence[str]) -> Screen:
    met, counts, courses = measured
    graph = met.graph
    refills = bool(graph.opened)
    means = {one: courses[one].mean for one in who}

    def by(figures: Mapping[str, float]) -> ByPlayer:
        return {one: round(figures[one], PLACES) for one in who}

    first = _first(met.chances, who)
    return {
        "game": rules.id,
        "fingerprint": met.normal.fingerprint,
        "scope": "first-round" if refills else "whole",
        "error": ERROR if refills else 0.0,
        "value": _value(int(met.truth.worth[0])),
        "openings": _openings_in(graph, met.truth),
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
        "refill": by({one: courses[one].refill for one in who}) if refills else None,
        "graph": {
            "positions": counts.positions,
            "mover_wins": counts.mover_wins,
            "real": counts.real,
            "only": counts.only,
            "longest": None if refills else len(graph.layers) - 1,
        },
        "numbers": _numbers(rules, measured),
    }


def _value(worth: int) -> ValueJson:
    if worth == 0:
        return {"winner": None, "plies": None}
    return {"winner": 1 if worth > 0 else 2, "plies": FAR - abs(worth)}


def _length(course: MatchCourse) -> LengthJson:
    mean = course.mean
    variance = sum(chance * (n - mean) ** 2 for n, chance in enumerate(course.plies))
    return {
        "mean": round(mean, PLACES),
        "sd": round(sqrt(variance), PLACES),
        "chances": {str(n): round(chance, PLACES) for n, chance in enumerate(course.plies) if chance},
    }


def _numbers(rules: Rules, measured: _Measured) -> list[NumberJson]:
    own = measured.met.graph.rules is rules
    found: list[NumberJson] = []
    for number in dict.fromkeys(rules.pool):
        at = number if own else measured.met.normal.numbers[number]
        wins, needed = measured.counts.wins, measured.counts.needed
        found.append({"number": number, "wins": wins.get(at, 0), "needed": needed.get(at, 0)})
    return found


def _first(chances: Mapping[Pairing, float], who: Sequence[str]) -> ByPlayer:
    return {one: min(1.0, max(0.0, chances[one, one])) for one in who}


def _balance(first: float) -> float:
    return 1 - 2 * abs(first - 0.5)


def _evenness(chances: Mapping[Pairing, float]) -> EvennessJson:
    first = {one: round(chance, PLACES) for one, chance in _first(chances, ALL).items()}
    balance = {one: round(_balance(chance), PLACES) for one, chance in _first(chances, ALL).items()}
    fairness = min(balance[one] for one in _FAIRNESS)
    return {"first": first, "balance": balance, "fairness": fairness, "even_to": even_to(first)}


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
