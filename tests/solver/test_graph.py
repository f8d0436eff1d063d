"""The graph of a game and the passes over it, against positions played one by one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, make_dataclass, replace
from itertools import product
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings

from tests.strategies import sudden_death_tables, tables
from zerosum.base.errors import BadValueError
from zerosum.players.levels import STRENGTHS
from zerosum.players.policies import chances
from zerosum.rules.game_files import GAME_IDS, load_game
from zerosum.rules.model import Ban, Reaching, Rules, Seat, Tie, rules_from_dict
from zerosum.rules.moves import SWAP
from zerosum.rules.outcome import judge
from zerosum.rules.position import Position, PositionKey, start_position
from zerosum.solver import Solution, SolverError, TooLargeError, Value, Verdict, graph_passes, solve
from zerosum.solver.by_playing import play_graph
from zerosum.solver.graph import graph_of, passes_of
from zerosum.solver.graph import truth_of as graph_truth
from zerosum.solver.graph_arrays import Graph, ask, end_of, reason_of
from zerosum.solver.graph_build import grow
from zerosum.solver.graph_codes import Codes
from zerosum.solver.graph_passes import Truth
from zerosum.solver.mirrors import NEGATION_MIRROR, SIDES_MIRROR, Mirror
from zerosum.solver.supports import MOVE_CODES, UnknownKeyError, unknown_key
from zerosum.solver.value import AT_ONCE, value_of, worth_of

graph_passes_numpy = pytest.importorskip("zerosum.solver.graph_passes_numpy")
graph_build_numpy = pytest.importorskip("zerosum.solver.graph_build_numpy")
encoding = pytest.importorskip("zerosum.solver.encoding")
PASSES: list[Any] = [graph_passes, graph_passes_numpy]
ENDING = [game for game in GAME_IDS if load_game(game).tie is not Tie.SUDDEN_DEATH]
SMALL = [game for game in ENDING if game not in {"sum-to-zero", "sequence-zero"}]
WHO = ("random", "level:2", "level:7", "perfect")
LEVELS = [STRENGTHS[who] for who in WHO]
PAIRS = [(one, one) for one in range(len(WHO))] + [
    pair for pair in product(range(len(WHO)), repeat=2) if len({*pair}) > 1
]
NEAR = 1e-12
POSITIONS: graph_passes.PositionFigures = {
    "mover_wins": lambda situation: situation.best > 0,
    "real": lambda situation: situation.real,
    "only": lambda situation: situation.only,
}
MATCHES: graph_passes.MatchFigures = {
    "real": lambda ply: ply.real,
    "only": lambda ply: ply.only,
    "changes": lambda ply: ply.slip,
    "behind": lambda ply: (ply.best > 0) * (1 - ply.won) + (ply.best < 0) * ply.won,
}


def built(rules: Rules, *, mirrors: bool = True) -> Graph:
    """Return the graph of a game by the plain builder."""
    *_, graph = grow([start_position(rules)], mirrors=mirrors)
    return graph


def truth_of(graph: Graph, solution: Solution, passes: Any = graph_passes) -> Truth:
    """Return the truth of a graph; the solver says it of open nodes."""
    opened = [graph.position(node) for node in graph.opened]
    found: Truth = passes.values(
        graph, [(worth_of(solution.value(one)), len(solution.winning_moves(one))) for one in opened]
    )
    return found


class Played:
    """The same figures, position by position: no arrays, no layers, no mirrors, the slow and plain way."""

    def __init__(self, solution: Solution) -> None:
        self.solution = solution
        self._chances: dict[tuple[str, PositionKey], Sequence[float]] = {}
        self._won: dict[object, float] = {}

    def chances(self, who: str, position: Position) -> Sequence[float]:
        key = who, position.key
        if key not in self._chances:
            found = chances(who, position, self.solution)
            self._chances[key] = [found[move] for move in position.legal_moves()]
        return self._chances[key]

    def won(self, position: Position, mover: str, other: str) -> float:
        """Return the chance of the person who moves."""
        key = position.key, mover, other
        if key not in self._won:
            total = 0.0
            for move, share in zip(position.legal_moves(), self.chances(mover, position), strict=True):
                after = position.play(move)
                if after.outcome is not None:
                    total += share * (after.outcome.winner is position.seat)
                else:
                    total += share * (1 - self.won(after, other, mover))
            self._won[key] = total
        return self._won[key]

    def response(self, position: Position, who: str, *, responds: bool) -> float:
        """Return the best response's chance, if it is to move or not."""
        key = position.key, who, responds
        if key not in self._won:
            found = []
            for move in position.legal_moves():
                after = position.play(move)
                if after.outcome is not None:
                    found.append(float((after.outcome.winner is position.seat) == responds))
                else:
                    found.append(self.response(after, who, responds=not responds))
            shares = self.chances(who, position)
            mean = sum(share * one for share, one in zip(shares, found, strict=True))
            self._won[key] = max(found) if responds else mean
        return self._won[key]

    def ways(self, who: str, other: str | None = None) -> tuple[dict[Any, float], dict[Any, float]]:
        """Return how often matches come to a position at a ply, and to an end or a refill after that many plies."""
        start = self.solution.start
        here = {start.key: (start, 1.0)}
        often: defaultdict[Any, float] = defaultdict(float)
        ends: defaultdict[Any, float] = defaultdict(float)
        ply = 0
        while here:
            following: dict[PositionKey, tuple[Position, float]] = {}
            for position, mass in here.values():
                often[ply, position] += mass
                shares = self.chances(other if other and ply % 2 else who, position)
                for move, share in zip(position.legal_moves(), shares, strict=True):
                    after = position.play(move)
                    if after.outcome is not None:
                        ends[ply + 1, end_of(after.outcome, position.seat)] += mass * share
                    elif move != SWAP and len(after.pool) >= len(position.pool):
                        ends[ply + 1, after.key] += mass * share
                    else:
                        following[after.key] = after, following.get(after.key, (after, 0.0))[1] + mass * share
            here = following
            ply += 1
        return often, ends


def same_arrays(one: Graph, two: Graph) -> bool:
    """Whether two graphs are the same, node for node."""
    names = ("first", "to", "move", "count", "came", "layers", "lags", "before")
    return all(getattr(one, name) == getattr(two, name) for name in names)


def check_shape(graph: Graph) -> None:
    """Check what every graph promises."""
    starts = len(graph.before)
    for low, high in graph.spans:
        assert low < high
        for node in range(low, high):
            assert all(graph.to[edge] < 0 or graph.to[edge] >= high for edge in graph.edges(node))
            assert (graph.came[node] < 0) == (node < starts)
    for node in range(graph.size):
        position = graph.position(node)
        assert graph.index(position) == node
        line = position if node < starts else graph.position(0)
        for move in graph.line_to(node):
            line = line.play(move)
        assert starts > 1 or line.key == position.key
        if node < graph.layers[-1]:
            moves = [graph.rules.moves[graph.move[edge]] for edge in graph.edges(node)]
            assert tuple(moves) == position.legal_moves()
            for move, edge in zip(moves, graph.edges(node), strict=True):
                after = position.play(move)
                to = graph.to[edge]
                assert to == end_of(after.outcome, position.seat) if after.outcome else to == graph.index(after)


def check_game(rules: Rules) -> None:
    """Compare every pass with positions played one by one."""
    solution = solve(rules)
    played = Played(solution)
    graphs = [built(rules), built(rules, mirrors=False), play_graph([start_position(rules)])]
    assert same_arrays(graphs[0], graph_build_numpy.build([start_position(rules)]))
    assert same_arrays(graphs[1], graph_build_numpy.build([start_position(rules)], mirrors=False))
    plain = graphs[1]
    assert set(plain.count) == {1}
    assert plain.size == graphs[2].size == sum(graphs[0].count)
    assert plain.layers == graphs[2].layers
    for graph, passes in product(graphs, PASSES):
        check_shape(graph)
        truth = truth_of(graph, solution, passes)
        for node in range(graph.size):
            assert truth.value(node) == solution.value(graph.position(node))
            assert truth.winning[node] == len(solution.winning_moves(graph.position(node)))
        if not graph.opened:
            _check_chances(graph, truth, passes, played)
        _check_ways(graph, truth, passes, played)
        assert passes.counts(graph, truth, POSITIONS) == _counts(plain, solution)


def _check_chances(graph: Graph, truth: Truth, passes: Any, played: Played) -> None:
    policy = ask(graph, lambda position: played.chances("level:2", position))
    assert passes.edge_chances(graph, truth, LEVELS[1]) == pytest.approx(policy, abs=NEAR)
    meeting = passes.meet(graph, truth, LEVELS, PAIRS, keep=len(WHO))
    guests = passes.meet(graph, truth, [LEVELS[0], policy, *LEVELS[2:]], PAIRS)
    start = graph.position(0)
    expected = [played.won(start, WHO[one], WHO[two]) for one, two in PAIRS]
    assert meeting.starts[0] == pytest.approx(expected, abs=NEAR)
    assert guests.starts[0] == pytest.approx(expected, abs=NEAR)
    responses = passes.best_response(graph, truth, policy)
    for node in range(graph.size):
        position = graph.position(node)
        for who, column in zip(WHO, meeting.nodes, strict=True):
            assert column[node] == pytest.approx(played.won(position, who, who), abs=NEAR)
        for responds, column in zip((True, False), responses, strict=True):
            assert column[node] == pytest.approx(played.response(position, WHO[1], responds=responds), abs=NEAR)


def _check_ways(graph: Graph, truth: Truth, passes: Any, played: Played) -> None:
    won = [[0.25] * graph.size for _ in WHO]
    for who, course in zip(WHO, passes.courses(graph, truth, LEVELS, won, MATCHES), strict=True):
        often, ends = played.ways(who)
        plies: defaultdict[int, float] = defaultdict(float)
        reasons: defaultdict[object, float] = defaultdict(float)
        for (ply, end), mass in ends.items():
            plies[ply] += mass
            reasons[reason_of(end) if isinstance(end, int) else None] += mass
        assert course.plies == pytest.approx([plies[n] for n in range(len(course.plies))], abs=NEAR)
        assert course.refill == pytest.approx(reasons.pop(None, 0.0), abs=NEAR)
        assert course.endings == pytest.approx(dict(reasons), abs=NEAR)
        sums = dict.fromkeys(("real", "only", "changes", "behind"), 0.0)
        for (_, position), mass in often.items():
            ranks = {one.move: one.value.rank[0] for one in played.solution.options(position)}
            best = max(ranks.values())
            shares = zip(position.legal_moves(), played.chances(who, position), strict=True)
            sums["real"] += mass * (min(ranks.values()) < best)
            sums["only"] += mass * (len(ranks) > 1 and best > 0 and [*ranks.values()].count(best) == 1)
            sums["changes"] += mass * sum(share for move, share in shares if ranks[move] < best)
            sums["behind"] += mass * {2: 0.75, 1: 0.0, 0: 0.25}[best]
        assert course.figures == pytest.approx(sums, abs=NEAR)
    often, ends = played.ways(WHO[2], WHO[1])
    won_first, found = passes.reached(graph, truth, LEVELS[2], LEVELS[1])
    expected = [0.0] * graph.size
    for (_, position), mass in often.items():
        node = graph.index(position)
        assert node is not None
        expected[node] += mass
    assert won_first == pytest.approx(
        sum(mass for (ply, end), mass in ends.items() if isinstance(end, int) and end % 2 == ply % 2), abs=NEAR
    )
    assert [*found[: graph.layers[-1]]] == pytest.approx(expected[: graph.layers[-1]], abs=NEAR)
    if graph.lags == 1:
        (one,) = passes.rounds(graph, truth, LEVELS[2], LEVELS[1])
        assert one.won == pytest.approx(won_first, abs=NEAR)
        assert [*one.opened] == pytest.approx([*found[graph.layers[-1] :]], abs=NEAR)


def _counts(graph: Graph, solution: Solution) -> graph_passes.Counts:
    found = dict.fromkeys(("positions", *POSITIONS), 0)
    wins: defaultdict[int, int] = defaultdict(int)
    needed: defaultdict[int, int] = defaultdict(int)
    for node in range(graph.layers[-1]):
        ranks = {one.move: one.value.rank[0] for one in solution.options(graph.position(node))}
        best = max(ranks.values())
        real = min(ranks.values()) < best
        winners = {move.number for move, rank in ranks.items() if rank == 2}
        found["positions"] += 1
        found["mover_wins"] += bool(winners)
        found["real"] += real
        found["only"] += real and best > 0 and [*ranks.values()].count(best) == 1
        for number in winners:
            wins[number] += 1
            if real and len(winners) == 1:
                needed[number] += 1
    return graph_passes.Counts(found.pop("positions"), found, wins, needed)


class TestForgotten:
    """A figure that one of the passes does not compute is an error, never 0."""

    @pytest.mark.parametrize("passes", PASSES)
    @pytest.mark.parametrize("part", ["Situation", "Ply", "Counts", "MatchCourse"])
    def test_a_part_that_a_pass_does_not_hand_over(
        self, passes: Any, part: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        whole = getattr(passes, part)
        wider = make_dataclass("Wider", [*whole.__annotations__, "forgotten"], bases=(graph_passes.Situation,))
        graph = built(load_game("sum31"))
        truth = passes.values(graph)
        won = [[0.5] * graph.size]

        def ask_all() -> None:
            passes.counts(graph, truth, POSITIONS)
            passes.courses(graph, truth, LEVELS[:1], won, MATCHES)

        ask_all()
        monkeypatch.setattr(passes, part, wider)
        with pytest.raises(TypeError, match="forgotten"):
            ask_all()

    @pytest.mark.parametrize("passes", PASSES)
    def test_a_figure_that_asks_for_what_nobody_computes(self, passes: Any) -> None:
        graph = built(load_game("sum31"))
        truth = passes.values(graph)
        with pytest.raises(AttributeError, match="hurry"):
            passes.counts(graph, truth, {"new": lambda situation: situation.hurry})
        with pytest.raises(AttributeError, match="hurry"):
            passes.courses(graph, truth, LEVELS[:1], [[0.5] * graph.size], {"new": lambda ply: ply.hurry})

    def test_a_figure_that_knows_only_numbers(self) -> None:
        graph = built(load_game("sum31"))
        truth = graph_passes_numpy.values(graph)
        with pytest.raises(ValueError, match=r"ambiguous|dimensions"):
            graph_passes_numpy.counts(graph, truth, {"new": lambda situation: 1 if situation.best > 0 else 0})


class TestFigures:
    """Every figure is that of positions played one by one, whichever way the graph was built and passed over."""

    @settings(max_examples=20)
    @given(tables(max_pool=4, sudden_death=False))
    def test_games_that_end(self, table: dict[str, Any]) -> None:
        check_game(rules_from_dict(table))

    @settings(max_examples=10)
    @given(sudden_death_tables(max_pool=3))
    def test_one_round_of_sudden_death(self, table: dict[str, Any]) -> None:
        rules = replace(rules_from_dict(table), ban=Ban.NONE, swap=False)
        check_game(rules)

    @pytest.mark.parametrize("game", SMALL)
    def test_games_of_four_numbers(self, game: str) -> None:
        rules = load_game(game)
        check_game(replace(rules, pool=rules.pool[:4], target=min(rules.target, 9)))

    @pytest.mark.parametrize("game", ENDING)
    def test_built_in_games(self, game: str) -> None:
        rules = load_game(game)
        solution = solve(rules)
        graph = graph_of(start_position(rules))
        passes = passes_of(graph)
        assert passes is (graph_passes_numpy if graph.size >= 3_000 else graph_passes)
        truth = passes.values(graph)
        assert sum(graph.count) == solution.count
        for node in range(0, graph.size, 1 + graph.size // 500):
            assert truth.value(node) == solution.value(graph.position(node))


class TestTables:
    """What environments are compiled to."""

    @settings(max_examples=40)
    @given(tables(max_pool=4, sudden_death=False))
    def test_entries_and_columns(self, table: dict[str, Any]) -> None:
        rules = rules_from_dict(table)
        for graph in (built(rules, mirrors=False), play_graph([start_position(rules)])):
            entries, columns = encoding.entries_of(graph), encoding.columns(graph)
            for node, row in enumerate(entries.tolist()):
                position = graph.position(node)
                expected = [encoding.ILLEGAL] * len(rules.moves)
                for move in position.legal_moves():
                    after = position.play(move)
                    won = after.outcome is not None and after.outcome.winner is position.seat
                    outcome = encoding.ACTION_WON if won else encoding.ACTION_LOST
                    to = graph.index(after) if after.outcome is None else None
                    expected[rules.index_of(move)] = outcome if to is None else to << 2
                assert row == expected
                seat, previous = position.seat, position.previous
                assert columns.left[node].tolist() == [position.pool.count(one) for one in dict.fromkeys(rules.pool)]
                assert (columns.seat[node], columns.mine[node]) == (seat, position.total(seat))
                assert columns.other[node] == position.total(seat.other)
                assert columns.before[node] == (previous.amount if previous and rules.ban is Ban.MIRROR else 0)
                past = 2 if previous else 0
                assert columns.phase[node] == (0 if not rules.swap else 1 if position.swap_open else past)


class TestSeveralStarts:
    def test_rounds_from_either_seat(self) -> None:
        rules = replace(load_game("zero-sum-game"), pool=(-2, 1, 2))
        starts = [
            Position(rules, rules.pool, totals, seat) for totals in ((4, 3), (6, 11), (3, 4), (11, 6)) for seat in Seat
        ]
        *_, graph = grow(starts)
        assert len(graph.opened) > 1
        assert same_arrays(graph, graph_build_numpy.build(starts))
        check_shape(graph)
        truths = [passes.values(graph, [(0, 0)] * len(graph.opened)) for passes in PASSES]
        assert [*truths[0].worth] == [*truths[1].worth]
        plain, fast = (
            passes.rounds(graph, truth, LEVELS[0], LEVELS[3]) for passes, truth in zip(PASSES, truths, strict=True)
        )
        for start, one, two in zip(starts, plain, fast, strict=True):
            *_, alone = grow([start])
            truth = graph_passes.values(alone, [(0, 0)] * len(alone.opened))
            won, often = graph_passes.reached(alone, truth, LEVELS[0], LEVELS[3])
            assert one.won == pytest.approx(won, abs=NEAR)
            assert two.won == pytest.approx(won, abs=NEAR)
            assert [*one.opened] == pytest.approx([*two.opened], abs=NEAR)
            assert sum(one.opened) == pytest.approx(sum(often[alone.layers[-1] :]), abs=NEAR)

    def test_meetings_go_on_in_open_nodes(self) -> None:
        rules = replace(load_game("zero-sum-game"), pool=(-2, -1, 1, 2))
        graph = built(rules)
        truth = graph_truth(graph, solve(rules).options)
        assert truth == truth_of(graph, solve(rules))
        with pytest.raises(SolverError, match="needs a solution of the next rounds"):
            graph_truth(graph)
        opened = [[0.5] * len(PAIRS) for _ in graph.opened]
        plain, fast = (passes.meet(graph, truth, LEVELS, PAIRS, opened=opened, keep=2) for passes in PASSES)
        assert fast.starts[0] == pytest.approx(plain.starts[0], abs=NEAR)
        assert [*fast.nodes[1]] == pytest.approx([*plain.nodes[1]], abs=NEAR)
        one = PAIRS.index((0, 3))
        won, often = graph_passes.reached(graph, truth, LEVELS[0], LEVELS[3])
        assert plain.starts[0][one] == pytest.approx(won + 0.5 * sum(often[graph.layers[-1] :]), abs=NEAR)
        assert {plain.nodes[1][node] for node in graph.opened} == {0.5}

    def test_starts_must_be_alike(self) -> None:
        start = start_position(load_game("sum31"))
        with pytest.raises(BadValueError, match="equally large pools"):
            graph_of(start, start.play("+1"))
        with pytest.raises(BadValueError, match="equally large pools"):
            graph_of(start, start)


def test_a_line_leads_to_every_end() -> None:
    for game in SMALL:
        graph = graph_of(start_position(load_game(game)))
        for end in {there for there in graph.to if there < 0}:
            position = graph.position(0)
            edge = graph.to.index(end)
            for move in (*graph.line_to(graph.node_of(edge)), graph.rules.moves[graph.move[edge]]):
                mover, position = position.seat, position.play(move)
            assert position.outcome is not None
            assert end_of(position.outcome, mover) == end


def test_a_graph_begins_anywhere() -> None:
    start = start_position(load_game("seventeen"))
    whole = built(start.rules, mirrors=False)
    for position in (start.play(start.legal_moves()[0]), whole.position(whole.size // 2)):
        graph = graph_of(position)
        assert graph.position(0).key == position.key
        check_shape(graph)
    assert whole.index(replace(start, totals=(10**6,) * len(start.totals))) is None


def test_codes_of_any_length() -> None:
    rules = replace(load_game("sum31"), pool=tuple(range(1, 65)), target=12)
    graph = graph_of(start_position(rules))
    assert graph_passes.values(graph).value(0) == solve(rules).value(start_position(rules))


def test_more_positions_than_the_limit_are_refused() -> None:
    start = start_position(load_game("zero-sum-duel"))
    for build in (graph_of, lambda start, most: graph_build_numpy.build([start], most=most)):
        with pytest.raises(TooLargeError, match="more than 4,000 positions"):
            build(start, most=4_000)
    with pytest.raises(TooLargeError, match="more than 4,000 positions"):
        play_graph([start], most=4_000)
    with pytest.raises(TooLargeError, match="in 0 seconds"):
        play_graph([start], seconds=0)


def test_worths_are_values() -> None:
    for value in (Value(Verdict.WIN, 1), Value(Verdict.LOSS, 6), Value(Verdict.DRAW, None)):
        assert value_of(worth_of(value)) == value
    assert worth_of(Value(Verdict.WIN, 1)) == AT_ONCE


# Keys that nothing but `Position` knows


@dataclass(frozen=True, slots=True, kw_only=True)
class PlantedRules(Rules):
    """Rules with one more key, which only a patched `Position` knows."""

    planted: str = ""


PLANTED = PlantedRules(id="x", name="X", pool=(1, 2, 3, 4, 5), target=9)
Patch = Callable[[Position, Any], Position]


def doubled(plain: Patch, when: Callable[[Position], bool]) -> Patch:
    """Return a way to play in which a number counts double in some positions."""

    def play(position: Position, move: Any) -> Position:
        after = plain(position, move)
        if move == SWAP or not when(position):
            return after
        side = position.seat - 1 if len(after.totals) > 1 else 0
        totals = tuple(total + move.amount * (at == side) for at, total in enumerate(after.totals))
        outcome = judge(after.rules, after.pool, totals, position.seat)
        left = tuple(after.pool)
        changed = replace(after, totals=totals) if left else after
        for name, value in (("totals", totals), ("outcome", outcome)):
            object.__setattr__(changed, name, value)
        return changed

    return play


def searched(position: Position) -> Value:
    """Return the value of a position by the plainest search there is."""
    found = []
    for move in position.legal_moves():
        after = position.play(move)
        if after.outcome is None:
            found.append(searched(after).before_move())
        else:
            found.append(Value(Verdict.WIN if after.outcome.winner is position.seat else Verdict.LOSS, 1))
    return max(found, key=lambda value: value.rank)


def at_random(position: Position) -> float:
    """Return the chance of the person who moves if both move at random."""
    found = []
    for move in position.legal_moves():
        after = position.play(move)
        ended = after.outcome is not None and float(after.outcome.winner is position.seat)
        found.append(1 - at_random(after) if ended is False else ended)
    return sum(found) / len(found)


class TestPlantedKeys:
    @pytest.mark.parametrize(
        "when", [lambda one: len(one.pool) % 2 == 1, lambda one: one.total(one.seat) > one.rules.target]
    )
    @pytest.mark.parametrize(
        "changed",
        [
            {},
            {"swap": True},
            {"ban": "mirror", "operations": ["add", "subtract"], "pool": (1, 2, 3, 4), "target": 1},
            {"operations": ["add", "subtract"], "pool": (1, 2, 2, 3), "target": 0},
            {"pool": (-2, -1, 1, 2), "target": 0, "reaching": Reaching.LOSES},
        ],
    )
    def test_a_number_that_counts_double(
        self, monkeypatch: pytest.MonkeyPatch, when: Callable[[Position], bool], changed: dict[str, Any]
    ) -> None:
        monkeypatch.setattr(Position, "play_unchecked", doubled(Position.play_unchecked, when))
        start = start_position(replace(PLANTED, **changed))
        graph = graph_of(start)
        for passes in PASSES:
            truth = passes.values(graph)
            assert all(truth.value(node) == searched(graph.position(node)) for node in range(graph.size))
            meeting = passes.meet(graph, truth, [STRENGTHS["random"]], [(0, 0)])
            assert meeting.starts[0][0] == pytest.approx(at_random(start), abs=NEAR)

    def test_two_moves_a_turn(self, monkeypatch: pytest.MonkeyPatch) -> None:
        plain = Position.play_unchecked
        monkeypatch.setattr(Position, "play_unchecked", lambda self, move: replace(plain(self, move), seat=self.seat))
        with pytest.raises(SolverError, match="X has no exact figures: its seats do not take turns"):
            graph_of(start_position(PLANTED))

    def test_a_number_that_comes_back(self, monkeypatch: pytest.MonkeyPatch) -> None:
        plain = Position.play_unchecked

        def play(position: Position, move: Any) -> Position:
            after = plain(position, move)
            return after if after.outcome else replace(after, pool=position.pool, totals=(after.totals[0] % 4,))

        monkeypatch.setattr(Position, "play_unchecked", play)
        with pytest.raises(SolverError, match="X has no exact figures: a position can return"):
            graph_of(start_position(PLANTED))

    def test_totals_that_never_end(self, monkeypatch: pytest.MonkeyPatch) -> None:
        plain = Position.play_unchecked
        monkeypatch.setattr(
            Position, "play_unchecked", lambda self, move: replace(plain(self, move), pool=self.rules.pool)
        )
        with pytest.raises(TooLargeError, match="X has more than 500 positions"):
            graph_of(start_position(PLANTED), most=500)


class TestTheGuard:
    KEYS = tuple(field.name for field in fields(Rules) if field.init)

    @pytest.mark.parametrize("shape", [MOVE_CODES, SIDES_MIRROR, NEGATION_MIRROR])
    def test_every_key_is_named(self, shape: dict[str, Any]) -> None:
        assert set(shape) == set(self.KEYS)

    def test_a_key_that_is_not_named_is_refused_by_name(self) -> None:
        with pytest.raises(UnknownKeyError, match=r'^X: the fast methods do not know planted = ""\.$') as error:
            Codes(PLANTED, [start_position(PLANTED)])
        assert (error.value.key, error.value.value) == ("planted", "")
        assert isinstance(graph_passes_numpy, ModuleType)
        with pytest.raises(UnknownKeyError, match="planted"):
            graph_build_numpy.build([start_position(PLANTED)])

    @pytest.mark.parametrize("key", [key for key in KEYS if key not in {"id", "name", "pool", "target", "start"}])
    def test_a_value_that_is_not_named_is_refused_by_name(self, key: str) -> None:
        rules = replace(load_game("sum31"))
        object.__setattr__(rules, key, "later")
        assert unknown_key(MOVE_CODES, rules) == (key, "later")
        with pytest.raises(UnknownKeyError, match=f'{key.replace("_", "-")} = "later"'):
            Codes(rules, [start_position(load_game("sum31"))])

    def test_mirrors_are_only_where_the_guard_allows_them(self) -> None:
        def mirror(game: str, **changed: Any) -> Mirror | None:
            rules = replace(load_game(game), **changed)
            return Codes(rules, [start_position(rules)], mirrors=True).mirror

        assert mirror("sequence-zero") is Mirror.SIDES
        assert mirror("sum-to-zero") is Mirror.NEGATION
        assert mirror("sum-to-zero", pool=(-1, 2)) is None
        assert mirror("sum31") is None
        for changed in ({"swap": True}, {"ban": "mirror"}, {"overshoot": "loses", "start": (1, 1)}):
            assert mirror("sequence-zero", **changed) is None
            assert mirror("sum-to-zero", **changed | ({"start": (1,)} if "start" in changed else {})) is None
