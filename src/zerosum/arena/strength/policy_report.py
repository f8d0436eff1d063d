"""A player, measured: exact scores, exploitability, its own play, the line that beats it, its regret by position."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, cast

from zerosum.arena.strength.best_response import Edges, Exploitability, PolicyGraph, exploitability_on, policy_graph
from zerosum.arena.strength.named_policies import Policy
from zerosum.base.documents import OMITTED, inline, member, member_as
from zerosum.base.errors import BadValueError, IllegalPositionError
from zerosum.base.progress import Progress, silent
from zerosum.base.text import did_you_mean, printable, shorten
from zerosum.players.levels import STRENGTHS, Score
from zerosum.players.odds import FindOdds, clean, odds_from
from zerosum.players.policies import MovePolicy
from zerosum.rules.model import Rules, Seat, Tie
from zerosum.rules.moves import Move, format_move
from zerosum.rules.position import Position, start_position
from zerosum.solver import Solution, SolverError
from zerosum.solver.graph import passes_of
from zerosum.solver.graph_arrays import Graph
from zerosum.solver.graph_passes import END_CHANCES, SAME, MatchFigures, likeliest_wins, regrets

_SHOWN: Final = 5
_LIKELIEST: Final = 3
_SEATS: Final = ("first", "second")
_UNKNOWN: Final = "A match may go on for ever here, so the exact best response to it is not known."
_END_LOSSES: Final = [1 - chance for chance in END_CHANCES]


@dataclass(frozen=True, slots=True)
class Scores:
    """Scores against some opponents, each chance off by at most `error`, apart from rounding."""

    against: tuple[Score, ...]
    error: float


def scores_of(
    policy: Policy,
    start: Position,
    opponents: Sequence[Policy | str] = tuple(STRENGTHS),
    progress: Progress = silent,
    find: FindOdds = odds_from,
) -> Scores:
    """Return the exact score of a policy from a position, in seat 1 and in seat 2, against each of the opponents.

    An opponent is a built-in strength by its name, or any policy. `find` finds the chances of built-in strengths: a
    caller may have kept them.
    """
    names = [opponent if isinstance(opponent, str) else opponent.name for opponent in opponents]
    both = [policy, *(opponent for opponent in opponents if isinstance(opponent, Policy))]
    guests = {one.name: one.guest for one in both if not one.is_level}
    pairings = list(dict.fromkeys(way for name in names for way in ((policy.name, name), (name, policy.name))))
    odds = odds_from(start, pairings, progress, guests) if guests else find(start, pairings, progress)
    wins = odds.first_wins
    return Scores(
        tuple(Score(name, wins[policy.name, name], 1 - wins[name, policy.name]) for name in names), odds.error
    )


@dataclass(frozen=True, slots=True)
class OwnPlay:
    """What a match of a policy against itself holds on average, both seats together."""

    decisions: float
    choices: float
    """Real choices."""
    kept: float = field(metadata=OMITTED)
    """Real choices that kept the best verdict."""
    regret: float
    """What all moves together gave away."""

    @property
    @member_as("kept")
    def share(self) -> float | None:
        """The share of its real choices that the policy keeps; None where it never has one."""
        return self.kept / self.choices if self.choices else None


def scores_on(on: PolicyGraph, progress: Progress = silent) -> Scores:
    """Return the exact score of a policy against every built-in strength, from the start of its graph."""
    levels = list(STRENGTHS.values())
    guest = len(levels)
    pairs = [pair for level in range(guest) for pair in ((guest, level), (level, guest))]
    meeting = passes_of(on.graph).meet(on.graph, on.truth, [*levels, on.chances], pairs, progress=progress)
    wins = [clean(chance) for chance in meeting.starts[0]]
    return Scores(tuple(Score(who, wins[2 * at], 1 - wins[2 * at + 1]) for at, who in enumerate(STRENGTHS)), error=0.0)


def own_play(policy: MovePolicy, solution: Solution, progress: Progress = silent) -> OwnPlay:
    """Return the exact regret of a policy under its own play."""
    if solution.rules.tie is Tie.SUDDEN_DEATH:
        raise SolverError(f"A match of {solution.rules.name} may go on for ever; its decisions are not counted.")
    return _own_play(policy_graph(policy, solution.start, progress))


def _own_play(on: PolicyGraph) -> OwnPlay:
    # Who wins is not asked.
    won = array("d", bytes(8 * on.graph.size))
    figures: MatchFigures = {"real": lambda ply: ply.real, "slips": lambda ply: ply.slip}
    (course,) = passes_of(on.graph).courses(on.graph, on.truth, [on.chances], [won], figures)
    # Without draws, every change of the verdict gives away a whole point.
    real, slips = course.figures["real"], course.figures["slips"]
    return OwnPlay(course.mean, real, real - slips, slips)


@dataclass(frozen=True, slots=True)
class PolicyReport:
    """A policy, measured. If matches may go on for ever, best response and own play are None."""

    policy: str
    rules: Rules = field(metadata=OMITTED)
    scores: Scores = field(metadata=inline())
    best_response: Exploitability | None
    own_play: OwnPlay | None
    before_refill: Exploitability | None = field(default=None, metadata=OMITTED)
    """If matches may go on for ever: the least that the best response wins, before the pool is first refilled."""

    @member
    def game(self) -> str:
        """Return the id of the game."""
        return self.rules.id

    @member_as("from")
    def counted_from(self) -> str:
        """Return the position that all figures are counted from."""
        return "start"

    @member
    def exploitability(self) -> float | None:
        """Return the exploitability, None if no exact best response is known."""
        return None if self.best_response is None else self.best_response.value

    @property
    @member
    def at_least(self) -> float:
        """The least that the exploitability can be: what built-in players, or a win before the first refill, gain."""
        if self.best_response is not None:
            return self.best_response.value
        error = self.scores.error
        as_first = max(1 - score.as_second for score in self.scores.against) - error
        as_second = max(1 - score.as_first for score in self.scores.against) - error
        if self.before_refill is not None:
            as_first = max(as_first, self.before_refill.as_first)
            as_second = max(as_second, self.before_refill.as_second)
        return max(0.0, Exploitability(as_first, as_second).value)


def report_on_graph(name: str, on: PolicyGraph, scores: Scores) -> PolicyReport:
    """Return how strong a policy is whose chances and scores are known."""
    return PolicyReport(name, on.graph.rules, scores, exploitability_on(on), _own_play(on))


def report_on_round(name: str, on: PolicyGraph, scores: Scores) -> PolicyReport:
    """Return the same if matches may go on for ever; the graph ends where the pool is first refilled."""
    return PolicyReport(name, on.graph.rules, scores, None, None, exploitability_on(on))


@dataclass(frozen=True, slots=True)
class BeatingLine:
    """The likeliest match that the best response wins from the seat that loses against perfect play.

    The player had the seat that wins, so at least one of its moves is an error. With sudden death, the best response
    wins it before the pool is refilled.
    """

    rules: Rules = field(metadata=OMITTED)
    seat: Seat
    """Where the player sits at the start."""
    moves: tuple[Move, ...] = field(metadata=OMITTED)
    """The moves of both, from the start to the end."""
    chance: float
    """The chance that the player makes its moves of the line, if the best response makes its own."""
    errors: tuple[int, ...]
    """Which moves of the line, counted from 1, are the player's and give the win away."""

    @property
    @member
    def texts(self) -> list[str]:
        """The moves as records write them."""
        return [format_move(move, self.rules.operations) for move in self.moves]

    def positions(self) -> list[Position]:
        """Return every position of the line, the start and the end too."""
        found = [start_position(self.rules)]
        for move in self.moves:
            found.append(found[-1].play(move))
        return found

    def __str__(self) -> str:
        """Return the moves, with a question mark after each error."""
        marks = ("?" if n in self.errors else "" for n in range(1, len(self.moves) + 1))
        return " ".join(f"{text}{mark}" for text, mark in zip(self.texts, marks, strict=True))


@dataclass(frozen=True, slots=True)
class Mistake:
    """A position in which the player may give a win away."""

    position: Position
    regret: float
    """The chance that it gives the win away."""
    reached: float
    """How often a match of the player with itself comes to this position."""
    chances: Mapping[Move, float]
    """The chance of each move that it may make."""
    winning: tuple[Move, ...]
    """The moves that keep the win."""

    @property
    def cost(self) -> float:
        """Wins given away here in a match of the player with itself, on average."""
        return self.regret * self.reached


@dataclass(frozen=True, slots=True, repr=False)
class Measured:
    """Everything exact about one player in one game. It does not change, and holds no process or file."""

    report: PolicyReport = field(metadata=inline())
    line: BeatingLine | None
    """The line that beats it; None if nothing does, or with sudden death nothing before the first refill."""
    _on: PolicyGraph = field(repr=False, compare=False, metadata=OMITTED)
    _regrets: Sequence[float] = field(repr=False, compare=False, metadata=OMITTED)
    """By node, the chance to give a win away."""

    @property
    def player(self) -> str:
        """The name of the player."""
        return self.report.policy

    @property
    def rules(self) -> Rules:
        """The game."""
        return self.report.rules

    @property
    def scores(self) -> tuple[Score, ...]:
        """How often it beats each opponent, from `random` to `perfect`, in either seat."""
        return self.report.scores.against

    def against(self, who: str) -> Score:
        """Return how often it beats one opponent: `against("level:5").as_first`, `.as_second`, `.average`."""
        names = [score.who for score in self.scores]
        if who not in names:
            raise BadValueError(f"There is no score against '{shorten(who)}'. {did_you_mean(who, names, '')}".rstrip())
        return self.scores[names.index(who)]

    @property
    def exploitability(self) -> float | None:
        """What the best response gains, from 0 to 1; None if matches may go on for ever."""
        return self.report.exploitability()

    @property
    def best_response(self) -> Exploitability | None:
        """How often the best response wins, as first and as second player."""
        return self.report.best_response

    @property
    def own_play(self) -> OwnPlay | None:
        """What a match of the player with itself holds on average: real choices, how many it keeps, its regret."""
        return self.report.own_play

    def chances(self, position: Position) -> dict[Move, float]:
        """Return the chance of each move that the player may make in a position that it can meet."""
        graph, moves = self._on.graph, self.rules.moves
        edges = graph.edges(self._node(position))
        shares = _shares(self._on)[edges.start : edges.stop]
        found = {moves[graph.move[edge]]: float(share) for edge, share in zip(edges, shares, strict=True) if share}
        if not found:
            raise IllegalPositionError(f"{self.player} never comes to '{position}' with the move.")
        return found

    def regret(self, position: Position) -> float:
        """Return the chance that the player gives a win away in a position; 0 if it is lost, or never met."""
        return float(self._regrets[self._node(position)])

    def _node(self, position: Position) -> int:
        node = self._on.graph.index(position)
        if node is None or node in self._on.graph.opened:
            raise IllegalPositionError(f"'{position}' is no position of {self.rules.name} that was measured.")
        return node

    def mistakes(self, count: int | None = None) -> list[Mistake]:
        """Return the positions in which it may give a win away: those first that cost most in its own play.

        Positions that its own play never comes to follow, those with the greatest regret first. With sudden death these
        are the positions before the pool is refilled.
        """
        graph, truth, chances = self._on
        _, reached = passes_of(graph).reached(graph, truth, chances, chances)
        nodes = [node for node, regret in enumerate(self._regrets) if regret]
        nodes.sort(key=lambda node: (-self._regrets[node] * float(reached[node]), -self._regrets[node], node))
        return [self._mistake(node, float(reached[node])) for node in nodes[:count]]

    def _mistake(self, node: int, reached: float) -> Mistake:
        on, moves = self._on, self.rules.moves
        position = on.graph.position(node)
        winning = tuple(moves[on.graph.move[edge]] for edge in on.graph.edges(node) if _wins(on, edge))
        return Mistake(position, float(self._regrets[node]), reached, self.chances(position), winning)

    def __repr__(self) -> str:
        """Return who was measured in which game, and the exploitability."""
        least = "" if self.best_response else "at least "
        return f"<Measured {self.player} in {self.rules.name}: exploitability {least}{self.report.at_least:.4f}>"

    def __str__(self) -> str:
        """Return what `zerosum measure policy` prints."""
        lines = [
            f"{self.rules.name}: how often {printable(self.player)} wins from the start position, in per cent",
            "",
            f"{'against':10}{'first':>8}{'second':>8}{'both':>8}",
        ]
        for score in self.scores:
            first, second, both = (f"{100 * chance:.2f}" for chance in (score.as_first, score.as_second, score.average))
            lines.append(f"{score.who:10}{first:>8}{second:>8}{both:>8}")
        lines += ["", *_exploitability_lines(self.report)]
        lines += [] if self.line is None else line_words(self.line)
        return "\n".join([*lines, *_own_play_lines(self.report), *_exactness_lines(self.report)])

    def _repr_html_(self) -> str:
        from zerosum.base.notebook import bars, page, table  # noqa: PLC0415 - only notebooks draw

        title = f"{self.player} in {self.rules.name}"
        scores = {score.who: (score.as_first, score.as_second) for score in self.scores}
        drawn = bars(f"How often {title} wins, in per cent", ("as first player", "as second player"), scores)
        rows = [_mistake_row(mistake) for mistake in self.mistakes(_SHOWN)]
        heads = ("position", "plays", "should play", "gives the win away", "reached")
        return page(
            f"{title}: how often it wins, in per cent",
            drawn,
            " ".join(_exploitability_lines(self.report)),
            "" if self.line is None else " ".join(line_words(self.line)),
            table(heads, rows) if rows else "",
        )


def _exploitability_lines(report: PolicyReport) -> list[str]:
    best = report.best_response
    if best is None:
        return [_UNKNOWN, f"Its exploitability, from 0 to 1, is at least {report.at_least:.4f}."]
    if not best.value:
        return ["Nobody can exploit it: its exploitability is 0."]
    return [
        f"Exploitability, from 0 to 1: {best.value:.4f}. The best response to it, which knows all its habits,",
        f"wins {best.as_first:.2%} as first and {best.as_second:.2%} as second player.",
    ]


def _own_play_lines(report: PolicyReport) -> list[str]:
    own = report.own_play
    if own is None:
        return []
    if own.share is None:
        return ["Against itself it never has a real choice."]
    return [f"Against itself it has {own.choices:.2f} real choices a match, and keeps {own.share:.2%} of them."]


def _exactness_lines(report: PolicyReport) -> list[str]:
    error = report.scores.error
    return [f"Each chance is off by at most {error:g}." if error else "Every figure is exact."]


def line_words(line: BeatingLine) -> list[str]:
    """Return what a line shows, in sentences."""
    return [
        f"A line that beats it as {_SEATS[line.seat - 1]} player: {line}.",
        f"Each ? gives the win away; the chance that it makes its moves is {line.chance:.2%}.",
    ]


def _mistake_row(mistake: Mistake) -> tuple[str, ...]:
    position = mistake.position
    ranked = sorted(mistake.chances.items(), key=lambda one: -one[1])[:_LIKELIEST]
    plays = ", ".join(f"{position.text_of(move)} {share:.0%}" for move, share in ranked)
    should = ", ".join(position.text_of(move) for move in mistake.winning)
    return str(position), plays, should, f"{mistake.regret:.1%}", f"{mistake.reached:.2%}"


def measured_on(report: PolicyReport, on: PolicyGraph) -> Measured:
    """Return a player as measured, given the chance of every edge."""
    return Measured(report, _beating_line(on), on, regrets(*on))


def _wins(on: PolicyGraph, edge: int) -> bool:
    """Whether a move wins, if both play perfectly after it."""
    there = on.graph.to[edge]
    return END_CHANCES[there] > 0 if there < 0 else on.truth.worth[there] < 0


def _shares(on: PolicyGraph) -> Edges:
    """Return the chances of a player who was measured: never those of a strength that a pass works out."""
    return cast("Edges", on.chances)


def _beating_line(on: PolicyGraph) -> BeatingLine | None:
    """Return the likeliest match that the best response wins although the player could have won it."""
    graph, shares = on.graph, _shares(on)
    responds, waits = response = passes_of(graph).best_response(*on)
    moves, awaits = likeliest_wins(*on, response)
    # The best response moves second if the first player wins with perfect play.
    second = on.truth.worth[0] > 0
    if not on.truth.worth[0] or not (awaits if second else moves)[0]:
        return None
    line, errors, chance, node, turn = [], [], 1.0, 0, not second
    while node >= 0:
        edges = graph.edges(node)
        if turn:
            least = responds[node] - SAME
            best = (edge for edge in edges if _at(waits, edge, graph, END_CHANCES) >= least)
            edge = max(best, key=lambda edge: _at(awaits, edge, graph, END_CHANCES))
        else:
            edge = max(edges, key=lambda edge: shares[edge] * _at(moves, edge, graph, _END_LOSSES))
            chance *= float(shares[edge])
        line.append(graph.rules.moves[graph.move[edge]])
        if not turn and on.truth.worth[node] > 0 and not _wins(on, edge):
            errors.append(len(line))
        node, turn = graph.to[edge], not turn
    return BeatingLine(graph.rules, Seat.FIRST if second else Seat.SECOND, tuple(line), chance, tuple(errors))


def _at(figures: Sequence[float], edge: int, graph: Graph, ends: Sequence[float]) -> float:
    """Return a figure of where an edge leads: to a node, or to an end."""
    there = graph.to[edge]
    return ends[there] if there < 0 else float(figures[there])
