"""Exact metrics of a game: how even, how long, how rich in choices, how dramatic, and how much skill it rewards.

Nothing is sampled: every figure is a pass over the graph of the game (`solver/graph.py`). The graph is that of the
normal form, so games with the same fingerprint have the same figures to the last place. In sudden death the number of
positions has no bound, so what is counted by plies is counted in the first round.

A metric registers itself where it is written, at the end: its key in the document, what it says in the documentation,
and its rows in the table of `zerosum metrics`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, starmap
from math import log2, sqrt
from typing import Any, Final, NamedTuple

from zerosum.base import limits
from zerosum.base.english import seat_name
from zerosum.base.errors import BadValueError
from zerosum.coach.evenness import EVEN, even_to, even_words
from zerosum.players.levels import LEVELS, STRENGTHS
from zerosum.players.odds import MOST_POSITIONS, Odds, Pairing, clean
from zerosum.players.sudden_death import ERROR, Chain
from zerosum.rules.model import Rules, Seat, Tie, rules_from_dict, rules_to_dict
from zerosum.rules.moves import ADD_ONLY, SWAP
from zerosum.rules.position import start_position
from zerosum.solver import Solution, Verdict, solve
from zerosum.solver.fingerprint import Normal, compact, normal
from zerosum.solver.graph import graph_of, passes_of, truth_of
from zerosum.solver.graph_arrays import Graph
from zerosum.solver.graph_passes import END_WORTHS, Counts, MatchCourse, Ply, Situation, Truth
from zerosum.solver.supports import MOVE_CODES, refuse_unknown
from zerosum.solver.value import FAR, before_move, worth_of

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

MetricsJson = dict[str, Any]
"""The metrics of a game by their keys, after `game`, `fingerprint`, `scope` and `error`."""
ByPlayer = dict[str, float]
"""A figure for each player."""


class _Met(NamedTuple):
    """A game, what is true of it, and who wins how often."""

    normal: Normal
    graph: Graph
    truth: Truth
    chances: dict[Pairing, float]
    """For each pairing, the chance of the player who moves first."""
    won: Sequence[Sequence[float]]
    """For each player, against an equal one, the chance of the player to move at each node."""


class GameFacts(NamedTuple):
    """All that the metrics of a game follow from."""

    rules: Rules
    met: _Met
    counts: Counts
    courses: dict[str, MatchCourse]

    @property
    def refills(self) -> bool:
        """Whether the pool is refilled, so that the graph is that of the first round."""
        return bool(self.met.graph.opened)

    def by(self, figure: Callable[[str], float | None]) -> dict[str, Any]:
        """Return a figure of each player that is listed."""
        figures = {one: figure(one) for one in self.courses}
        return {one: None if value is None else round(value, PLACES) for one, value in figures.items()}


class Row(NamedTuple):
    """A row of the table: its title, and the text of a value, None if a game has nothing to say there."""

    title: str
    text: Callable[[Any], str | None]
    place: int = 9
    """Rows are listed by their places, those of one place in the order of the document."""
    missing: str = "-"
    """What the table says if a game has nothing to say."""
    optional: bool = False
    """Whether the row is left out if no game has anything to say."""


@dataclass(frozen=True, slots=True)
class Metric:
    """A part of the document: `of` makes it of all that was measured of a game."""

    key: str
    says: str
    of: Callable[[GameFacts], Any]
    rows: tuple[Row, ...] = ()
    players: bool = False
    """Whether it has a value for each player, which each have a cell in the rows."""
    screened: bool = True
    """Whether a search asks for it of every game that it looks at closely; if not, it may ask for every player."""
    parts: str | None = ""
    """The paths below it that goals speak of, as a regular expression; None if they cannot speak of it at all."""

    def path(self, player: str) -> str:
        """Return the paths that a goal may speak of as a regular expression, given that of a player."""
        below = [player] if self.players else []
        return r"\.".join([self.key, *(f"(?:{part})" for part in (*below, self.parts) if part)])


METRICS: Final[dict[str, Metric]] = {}
"""Every metric by its key, in the order of the document."""
MATCH_FIGURES: Final[dict[str, Callable[[Ply], Any]]] = {}
"""What is added up in matches: the metrics that `in_matches` registers."""


def metric(
    key: str, says: str, *rows: Row, players: bool = False, screened: bool = True, parts: str | None = ""
) -> Callable[[Callable[[GameFacts], Any]], Callable[[GameFacts], Any]]:
    """Register the metric that a function makes of all that was measured."""

    def register(of: Callable[[GameFacts], Any]) -> Callable[[GameFacts], Any]:
        METRICS[key] = Metric(key, says, of, rows, players, screened, parts)
        return of

    return register


def in_matches(key: str, says: str, title: str, figure: Callable[[Ply], Any], *, share: bool = True) -> None:
    """Register a metric of matches between equals: the share of their plies, or the sum over a match, of a figure."""
    MATCH_FIGURES[key] = figure

    def of(measured: GameFacts) -> ByPlayer:
        courses = measured.courses
        return measured.by(lambda one: courses[one].figures[key] / (courses[one].mean if share else 1))

    metric(key, says, Row(title, percent if share else "{:.2f}".format), players=True)(of)


def is_whole(fact: Mapping[str, Any]) -> bool:
    """Return whether kept metrics have every metric: those kept before one was added do not."""
    return METRICS.keys() <= fact.keys()


# Measuring a game


def metrics(rules: Rules, who: Sequence[str] = ALL, numpy_from: int | None = None) -> MetricsJson:
    """Return everything that is measured of a game; `who` leaves players out of what is listed for each player."""
    return measure(rules, who, numpy_from)[0]


def measure(rules: Rules, who: Sequence[str] = ALL, numpy_from: int | None = None) -> tuple[MetricsJson, Odds]:
    """Return the metrics of a game, and the chances between players that they follow from."""
    pairings = [pairing for one in ALL for pairing in ((one, _PERFECT), (_PERFECT, one))]
    pairings += [pairing for low, high in pairwise(ALL) for pairing in ((high, low), (low, high))]
    measured = _measured(rules, ALL, pairings, numpy_from)
    document = _document(measured, METRICS.values())
    chances = measured.met.chances
    odds = {pairing: clean(chance) for pairing, chance in chances.items()}
    return of_players(document, who), Odds(odds, ERROR if rules.tie is Tie.SUDDEN_DEATH else 0.0)


def of_players(document: MetricsJson, who: Sequence[str]) -> MetricsJson:
    """Return a document with only some of the players."""
    listed = [key for key, value in document.items() if isinstance(value, dict) and "random" in value]
    return document | {key: {one: document[key][one] for one in who} for key in listed}


def screen(rules: Rules, who: Sequence[str] = SCREENED) -> MetricsJson:
    """Return what a search asks of every game that it looks at closely: the same figures, for few players."""
    return _document(_measured(rules, who, (), None), [one for one in METRICS.values() if one.screened])


def evenness(rules: Rules, numpy_from: int | None = None) -> MetricsJson:
    """Return how often the first of two equal players wins: a part of the metrics that takes half as long."""
    return _evenness(_met(rules, ALL, (), numpy_from).chances)


def opening_metrics(rules: Rules) -> MetricsJson:
    """Return what solving a game shows: its value, and how many openings win."""
    solution = solve(rules, MEMORY)
    return {"value": _value_of(worth_of(solution.value(solution.start))), "openings": openings_of(solution)}


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


def _measured(rules: Rules, who: Sequence[str], pairings: Sequence[Pairing], numpy_from: int | None) -> GameFacts:
    met = _met(rules, who, pairings, numpy_from)
    passes = passes_of(met.graph, numpy_from)
    courses = passes.courses(met.graph, met.truth, [STRENGTHS[one] for one in who], met.won, MATCH_FIGURES)
    counts = passes.counts(met.graph, met.truth, _POSITIONS)
    return GameFacts(rules, met, counts, dict(zip(who, courses, strict=True)))


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


def openings_of(solution: Solution) -> MetricsJson:
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


def _openings_in(graph: Graph, truth: Truth) -> MetricsJson:
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


def _openings(count: int, winning: int, right: int | None) -> MetricsJson:
    share = winning / count
    bits = -sum(part * log2(part) for part in (share, 1 - share) if part)
    return {
        "count": count,
        "winning": winning,
        "share": round(share, PLACES),
        "bits": round(bits, PLACES) if bits else 0.0,
        "swap_right": None if right is None else round(right / count, PLACES),
    }


# The metrics


def _document(measured: GameFacts, wanted: Iterable[Metric]) -> MetricsJson:
    document = {
        "game": measured.rules.id,
        "fingerprint": measured.met.normal.fingerprint,
        "scope": "first-round" if measured.refills else "whole",
        "error": ERROR if measured.refills else 0.0,
    }
    return document | {one.key: one.of(measured) for one in wanted}


def percent(share: float) -> str:
    """Return a share as the table says it."""
    return f"{100 * share:.1f} %"


def _percent_if_any(share: float | None) -> str | None:
    return None if share is None else percent(share)


@metric(
    "value",
    "who wins with perfect play, and in how many plies",
    Row(
        "With perfect play",
        lambda one: "nobody wins" if one["winner"] is None else f"{seat_name(one['winner'])} wins in {one['plies']}",
        place=1,
    ),
    parts=r"winner|plies",
)
def _value(measured: GameFacts) -> MetricsJson:
    return _value_of(int(measured.met.truth.worth[0]))


def _value_of(worth: int) -> MetricsJson:
    if worth == 0:
        return {"winner": None, "plies": None}
    return {"winner": 1 if worth > 0 else 2, "plies": FAR - abs(worth)}


def _swap_words(openings: MetricsJson) -> str | None:
    right = openings["swap_right"]
    return None if right is None else f"after {round(right * openings['count'])}"


@metric(
    "openings",
    "`count` of the first moves, how many are `winning` if nobody swaps, their `share`, and its entropy in `bits`; "
    "`swap_right` is the share of openings after which swapping is right, null without swap",
    Row("Winning openings", lambda one: f"{one['winning']} of {one['count']}", place=2),
    Row("Swapping is right", _swap_words, place=2, missing="no swap", optional=True),
    parts=r"count|winning|bits|swap_right",
)
def _openings_metric(measured: GameFacts) -> MetricsJson:
    return _openings_in(measured.met.graph, measured.met.truth)


@metric("first", "the chance that the first player wins", Row("First player wins", percent), players=True)
def _first_metric(measured: GameFacts) -> ByPlayer:
    return measured.by(_first(measured.met.chances, measured.courses).__getitem__)


@metric("balance", "1 \u2212 2·abs(first \u2212 ½), 1 is best", players=True)
def _balance_metric(measured: GameFacts) -> ByPlayer:
    first = _first(measured.met.chances, measured.courses)
    return measured.by(lambda one: _balance(first[one]))


@metric(
    "length",
    "the chance of each number of plies, their mean and standard deviation",
    Row("Plies, mean ± spread", lambda one: f"{one['mean']:.1f} ± {one['sd']:.1f}"),
    players=True,
    parts=r"mean|sd|chances\.[0-9]+",
)
def _length(measured: GameFacts) -> dict[str, MetricsJson]:
    return {one: _lengths(course) for one, course in measured.courses.items()}


def _lengths(course: MatchCourse) -> MetricsJson:
    mean = course.mean
    variance = sum(chance * (n - mean) ** 2 for n, chance in enumerate(course.plies))
    return {
        "mean": round(mean, PLACES),
        "sd": round(sqrt(variance), PLACES),
        "chances": {str(n): round(chance, PLACES) for n, chance in enumerate(course.plies) if chance},
    }


@metric("early", f"the chance of at most {EARLY} plies", Row(f"Over within {EARLY} plies", percent), players=True)
def _early(measured: GameFacts) -> ByPlayer:
    return measured.by(lambda one: sum(measured.courses[one].plies[: EARLY + 1]))


in_matches(
    "density", "of the plies of a match, the share that are real choices", "Real choices", figure=lambda ply: ply.real
)
in_matches(
    "only",
    "the share of plies in which exactly one of several moves keeps the best verdict, which is not a loss",
    "Only one right move",
    figure=lambda ply: ply.only,
)
in_matches(
    "changes",
    "how often the lead changes in a match: moves that make the verdict worse",
    "Changes of lead",
    figure=lambda ply: ply.slip,
    share=False,
)
in_matches(
    "behind",
    "how often the person who is behind still wins, on average of all plies: drama",
    "Won from behind",
    figure=lambda ply: (ply.best > 0) * (1 - ply.won) + (ply.best < 0) * ply.won,
)

_ENDINGS: Final = {
    "reached-target": "Ends on the target",
    "overshot": "Ends past the target",
    "last-mover": "Ends: last mover wins",
    "closer": "Ends: closer wins",
    "tie-rule": "Ends: tie rule",
}


def _ending_row(reason: str, title: str) -> Row:
    return Row(title, lambda endings: _percent_if_any(endings.get(reason)), place=10, optional=True)


@metric("endings", "the chance of each ending", *starmap(_ending_row, _ENDINGS.items()), players=True, parts=r"[a-z-]+")
def _endings(measured: GameFacts) -> dict[str, ByPlayer]:
    return {
        one: {reason.value: round(chance, PLACES) for reason, chance in course.endings.items()}
        for one, course in measured.courses.items()
    }


@metric(
    "refill",
    "the chance that the pool is refilled, null if it never is",
    Row("The pool is refilled", _percent_if_any, place=10, optional=True),
    players=True,
)
def _refill(measured: GameFacts) -> ByPlayer | None:
    return measured.by(lambda one: measured.courses[one].refill) if measured.refills else None


_POSITIONS: Final[dict[str, Callable[[Situation], Any]]] = {
    "mover_wins": lambda situation: situation.best > 0,
    "real": lambda situation: situation.real,
    "only": lambda situation: situation.only,
}


def _of_positions(title: str, key: str) -> Row:
    return Row(f"  {title}", lambda graph: f"{graph[key]:,} ({graph[key] / graph['positions']:.0%})")


@metric(
    "graph",
    "how many `positions`; in how many the mover wins, has a real choice, has only one right move; the `longest` match",
    Row("Positions", lambda graph: f"{graph['positions']:,}"),
    _of_positions("the mover wins", "mover_wins"),
    _of_positions("a real choice", "real"),
    _of_positions("one right move", "only"),
    Row("Longest match", lambda graph: graph["longest"] and f"{graph['longest']} plies", missing="no limit"),
    parts=r"positions|mover_wins|real|only|longest",
)
def _graph(measured: GameFacts) -> MetricsJson:
    longest = None if measured.refills else len(measured.met.graph.layers) - 1
    return {"positions": measured.counts.positions, **measured.counts.figures, "longest": longest}


@metric(
    "numbers",
    "for each number of the pool, in how many positions it `wins`, and in how many nothing else does (`needed`)",
    Row("Numbers never needed", lambda one: ", ".join(str(n["number"]) for n in one if not n["needed"]) or "none"),
    parts=None,
)
def _numbers(measured: GameFacts) -> list[MetricsJson]:
    rules, counts = measured.rules, measured.counts
    own = measured.met.graph.rules is rules
    names = {number: number if own else measured.met.normal.numbers[number] for number in rules.pool}
    return [
        {"number": number, "wins": counts.wins.get(name, 0), "needed": counts.needed.get(name, 0)}
        for number, name in names.items()
    ]


@metric("fairness", "an older figure: the least `balance` of `random` to `level:6`", screened=False)
def _fairness(measured: GameFacts) -> float:
    fairness: float = _evenness(measured.met.chances)["fairness"]
    return fairness


@metric(
    "even_to",
    f"the highest level up to which every `first`, from random and level 1 on, is {EVEN[0]} to {EVEN[1]}: 0 for random "
    "alone, null if not even random is",
    Row("Between equals", even_words, place=0),
    screened=False,
)
def _even_to(measured: GameFacts) -> int | None:
    level: int | None = _evenness(measured.met.chances)["even_to"]
    return level


@metric(
    "perfect",
    "what a player scores, on average of both seats, against perfect play",
    Row("Against perfect play", percent),
    players=True,
    screened=False,
)
def _perfect(measured: GameFacts) -> ByPlayer:
    return measured.by(lambda one: _seats(measured.met.chances, one, _PERFECT))


@metric(
    "step",
    "what a player scores, on average of both seats, against the player below",
    Row("Against the level below", _percent_if_any),
    players=True,
    screened=False,
)
def _step(measured: GameFacts) -> dict[str, float | None]:
    below = {high: low for low, high in pairwise(ALL)}
    return measured.by(lambda one: _seats(measured.met.chances, one, below[one]) if one in below else None)


@metric(
    "skill",
    f"`depth`: how many levels score at least {_CLEARLY} against the one below; `reach`: the least level that scores "
    f"{_HOLDS} against perfect play",
    Row("Levels that differ", lambda skill: f"{skill['depth']} of {len(LEVELS)}", place=3),
    Row("Holds against perfect", lambda skill: skill["reach"] and f"level {skill['reach']}", place=3, missing="none"),
    screened=False,
    parts=r"depth|reach",
)
def _skill(measured: GameFacts) -> MetricsJson:
    levels = [f"level:{n}" for n in LEVELS]
    step, perfect = _step(measured), _perfect(measured)
    holding = (n for n, one in zip(LEVELS, levels, strict=True) if perfect[one] >= _HOLDS)
    return {"depth": sum((step[one] or 0) >= _CLEARLY for one in levels), "reach": next(holding, None)}


def _first(chances: Mapping[Pairing, float], who: Iterable[str]) -> ByPlayer:
    return {one: min(1.0, max(0.0, chances[one, one])) for one in who}


def _balance(first: float) -> float:
    return 1 - 2 * abs(first - 0.5)


def _evenness(chances: Mapping[Pairing, float]) -> MetricsJson:
    first = {one: round(chance, PLACES) for one, chance in _first(chances, ALL).items()}
    balance = {one: round(_balance(chance), PLACES) for one, chance in _first(chances, ALL).items()}
    fairness = min(balance[one] for one in _FAIRNESS)
    return {"first": first, "balance": balance, "fairness": fairness, "even_to": even_to(first)}


def _seats(chances: Mapping[Pairing, float], one: str, other: str) -> float:
    """Return what a player scores against another, on average of both seats."""
    return (chances[one, other] + 1 - chances[other, one]) / 2
