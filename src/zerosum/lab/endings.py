"""Which endings a game has: a line of moves for each that can happen, a proof for each that cannot.

Arithmetic comes first (`lemmas.py`). Then some lines are played out, which finds most endings at once. Whatever is
still open is settled by the graph of the game (`solver/graph.py`), as it grows.

In sudden death the graph is that of one round, and the next rounds start from its open nodes. A round that starts like
an earlier one brings nothing new, so all rounds have been seen once none starts differently. If totals grow without
end, only the first rounds are seen, and nothing is claimed about the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, NamedTuple

from zerosum.base.english import seat_name
from zerosum.base.progress import Progress, silent
from zerosum.lab.findings import Finding, FindingKind, Severity, finding_kind
from zerosum.lab.lemmas import ALWAYS_DEAD, By, Evidence, What, lemmas, spoken_of
from zerosum.rules.describe import clause_of, describe
from zerosum.rules.model import Rules, Seat, Tie, Totals
from zerosum.rules.moves import SWAP, Move, number_moves
from zerosum.rules.position import Position, start_position
from zerosum.solver import SolverError
from zerosum.solver.graph import graph_of
from zerosum.solver.graph_arrays import ENDS, Graph, reason_of
from zerosum.solver.graph_build import grow
from zerosum.solver.sums import never_makes
from zerosum.solver.supports import MOVE_CODES, unknown_key, without_swap

POSITIONS: Final = 300_000
"""Positions that are gone through; the games without sudden death that are built in have fewer."""
POSITIONS_OF_ROUNDS: Final = 40_000
"""The same where pools are refilled, so that totals which grow without end are not followed for long."""
_LINES: Final = 60
_ROUNDS: Final = 3


@dataclass(frozen=True, slots=True)
class Reachability:
    """Whether something can happen, with moves that show it or a proof; None if there are too many positions."""

    reachable: bool | None
    witness: tuple[Move, ...] = ()
    proof: Evidence | None = None


def endings(rules: Rules, most: int = POSITIONS, progress: Progress = silent) -> dict[What, Reachability]:
    """Return, for everything that the clauses of a game speak of, whether it can happen; `most` limits positions."""
    wanted = spoken_of(rules)
    found = {what: Reachability(reachable=False, proof=proof) for what, proof in lemmas(rules).items()}
    for what, line in _played_out(rules).items():
        found[what] = Reachability(reachable=True, witness=line)
    open_ones = [what for what in wanted if what not in found]
    if open_ones:
        seen = _explore(rules, open_ones, most, progress)
        found |= {what: _ending(what, seen) for what in open_ones}
    return {what: found[what] for what in wanted}


def _ending(what: What, seen: _Seen) -> Reachability:
    if what in seen.lines:
        return Reachability(reachable=True, witness=seen.lines[what])
    if seen.complete:
        words = f"none of the {seen.positions:,} positions that play can reach leads to it"
        return Reachability(reachable=False, proof=Evidence(By.EXHAUSTION, words, seen.positions))
    words = f"not seen in the rounds up to number {seen.rounds}" if seen.rounds else ""
    return Reachability(None, proof=Evidence(By.EXHAUSTION, words, seen.positions) if words else None)


def what_happened(before: Position, move: Move, after: Position) -> What | None:
    """Return what a number move brought about, None if play just goes on."""
    if after.outcome is not None:
        return What(after.outcome.reason.value)
    return What.REFILL if len(before.pool) == 1 and move != SWAP else None


def is_banned_something(position: Position) -> bool:
    """Return whether the ban forbids a move here."""
    legal = sum(move != SWAP for move in position.legal_moves())
    return position.outcome is None and legal < len(number_moves(position.pool, position.rules.operations))


def _played_out(rules: Rules) -> dict[What, tuple[Move, ...]]:
    """Return what happens in some lines, each by the shortest of them."""
    found: dict[What, tuple[Move, ...]] = {}
    dice = _dice()
    for _ in range(_LINES):
        position = start_position(rules)
        line: list[Move] = []
        for _ in range(_ROUNDS * len(rules.pool)):
            if is_banned_something(position):
                _keep(found, What.BAN, line)
            moves = [move for move in position.legal_moves() if move != SWAP]
            line.append(moves[next(dice) % len(moves)])
            after = position.play_unchecked(line[-1])
            what = what_happened(position, line[-1], after)
            if what is not None:
                _keep(found, what, line)
            if after.outcome is not None:
                break
            position = after
    return found


def _keep(found: dict[What, tuple[Move, ...]], what: What, line: list[Move]) -> None:
    if what not in found or len(line) < len(found[what]):
        found[what] = tuple(line)


def _dice() -> Iterator[int]:
    """Yield numbers without a pattern that matters, the same in every run."""
    state = 1
    while True:
        state = (state * 1_103_515_245 + 12_345) % (1 << 31)
        yield state >> 8


class Claim(NamedTuple):
    """A claim about how a match ends; None, or nothing, stands for anything."""

    winner: int | None
    reason: str
    totals: tuple[int, ...]

    def holds(self, after: Position) -> bool:
        """Return whether a match that is over ended so."""
        outcome = after.outcome
        return (
            outcome is not None
            and self.winner in (None, outcome.winner.value)
            and self.reason in ("", outcome.reason.value)
            and self.totals in ((), after.totals)
        )


def can_end(rules: Rules, claim: Claim, progress: Progress = silent) -> Reachability:
    """Return whether a match can end as claimed."""
    seen = _Seen(())
    ends = [end for end in range(-ENDS, 0) if claim.reason in ("", reason_of(end).value)]
    for graph, lines, edges in _rounds(rules, seen, POSITIONS, progress):
        for end in ends:
            for edge in _edges_to(graph, end, edges):
                if claim.holds(graph.position(graph.node_of(edge)).play_unchecked(graph.rules.moves[graph.move[edge]])):
                    return Reachability(reachable=True, witness=_line(graph, lines, edge))
    if not seen.complete:
        return Reachability(None)
    words = f"no match through the {seen.positions:,} positions that play can reach ends so"
    return Reachability(reachable=False, proof=Evidence(By.EXHAUSTION, words, seen.positions))


@dataclass(slots=True)
class _Seen:
    """What the graphs have shown so far."""

    wanted: Sequence[What]
    lines: dict[What, tuple[Move, ...]] = field(default_factory=dict)
    """The first line found to each thing that is wanted."""
    positions: int = 0
    rounds: int = 0
    """Rounds seen as a whole, if the pool is refilled."""
    complete: bool = False


def _explore(rules: Rules, wanted: Sequence[What], most: int, progress: Progress) -> _Seen:
    """Go through all positions until everything wanted is found, or there are no more, or too many."""
    seen = _Seen(wanted)
    for graph, lines, edges in _rounds(rules, seen, most, progress):
        for what in wanted:
            if what not in seen.lines and (line := _first_line(graph, lines, edges, what)) is not None:
                seen.lines[what] = line
        if len(seen.lines) == len(wanted):
            break
    return seen


Lines = Sequence[tuple[Move, ...]]
"""For each start of a graph, moves that lead to it from the start of the match."""


def _rounds(rules: Rules, seen: _Seen, most: int, progress: Progress) -> Iterator[tuple[Graph, Lines, range]]:
    """Yield the graph of each round each time that it has grown, with the edges that are new."""
    left = min(most, POSITIONS_OF_ROUNDS) if rules.tie is Tie.SUDDEN_DEATH else most
    # A swap ends nothing, and the same endings follow.
    rules = rules if unknown_key(MOVE_CODES, rules) is not None else without_swap(rules)
    starts = [start_position(rules)]
    lines: Lines = [()]
    begun = {starts[0].key}
    while starts:
        edges = range(0)
        try:
            for graph in _growing(starts, left - seen.positions, progress):
                edges = range(edges.stop, len(graph.to))
                yield graph, lines, edges
        except SolverError:
            return  # too many positions, or an unknown key lets positions return
        seen.positions += graph.layers[-1]
        seen.rounds += rules.tie is Tie.SUDDEN_DEATH
        opened = {node: graph.position(node) for node in graph.opened}
        fresh = {node: position for node, position in opened.items() if position.key not in begun}
        lines = [_line(graph, lines, graph.came[node]) for node in fresh]
        starts = list(fresh.values())
        begun |= {position.key for position in starts}
    seen.complete = True


def _growing(starts: Sequence[Position], most: int, progress: Progress) -> Iterator[Graph]:
    """Yield a graph as it grows, or at once if an unknown key makes it one of positions played."""
    if unknown_key(MOVE_CODES, starts[0].rules) is not None:
        yield graph_of(*starts, most=most, progress=progress)
    else:
        yield from grow(starts, mirrors=False, most=most, progress=progress)


def _first_line(graph: Graph, lines: Lines, edges: range, what: What) -> tuple[Move, ...] | None:
    """Return the first line, through one of these edges, that shows something; None if there is none."""
    if what is What.REFILL:
        return _line(graph, lines, graph.came[graph.opened[0]]) if graph.opened else None
    if what is What.BAN:
        nodes = range(graph.node_of(edges.start), graph.node_of(edges.stop - 1) + 1)
        banned = (node for node in nodes if is_banned_something(graph.position(node)))
        return next((_line_to(graph, lines, node) for node in banned), None)
    ends = (end for end in range(-ENDS, 0) if reason_of(end).value == what.value)
    first = min((edge for end in ends for edge in islice(_edges_to(graph, end, edges), 1)), default=None)
    return None if first is None else _line(graph, lines, first)


def _edges_to(graph: Graph, end: int, edges: range) -> Iterator[int]:
    """Yield those of some edges that lead to an end."""
    at = edges.start
    try:
        while True:
            at = graph.to.index(end, at, edges.stop) + 1
            yield at - 1
    except ValueError:
        return


def _line(graph: Graph, lines: Lines, edge: int) -> tuple[Move, ...]:
    """Return moves from the start of the match that lead along an edge."""
    return (*_line_to(graph, lines, graph.node_of(edge)), graph.rules.moves[graph.move[edge]])


def _line_to(graph: Graph, lines: Lines, node: int) -> tuple[Move, ...]:
    start = node
    while graph.came[start] >= 0:
        start = graph.node_of(graph.came[start])
    return (*lines[start], *graph.line_to(node))


# Clauses that can never apply, as findings

UNREACHABLE_TARGET: Final = finding_kind(
    "unreachable-target",
    Severity.DEAD,
    60,
    "Nobody can make the target. If only one of the two players cannot, it is a warning.",
)
DEAD_ENDING: Final = finding_kind("dead-ending", Severity.DEAD, 70, "A match can never end in this way.")
DEAD_TIE: Final = finding_kind("dead-tie", Severity.DEAD, 80, "The players can never be equally close.")
DEAD_BAN: Final = finding_kind("dead-ban", Severity.DEAD, 90, "The ban never forbids a move.")

_TIED: Final = (
    DEAD_TIE,
    "an empty pool with both equally close",
    "The players can never be equally close when the pool is empty",
)
_CLAUSES: Final = {
    What.REACHED: (UNREACHABLE_TARGET, "a total of exactly {target}", "Nobody can ever make {target}"),
    What.OVERSHOT: (DEAD_ENDING, "a total past {target}", "Nobody can ever pass {target}"),
    What.LAST_MOVER: (DEAD_ENDING, "an empty pool", "The pool can never be empty without a winner"),
    What.CLOSER: (
        DEAD_ENDING,
        "an empty pool with one player closer",
        "Nobody can ever be closer when the pool is empty",
    ),
    What.TIE: _TIED,
    What.REFILL: _TIED,
    What.BAN: (DEAD_BAN, "a move that the ban forbids", "The ban never forbids a move"),
}
"""The kind of a clause that never applies, what was not seen, and what can never be."""
_KEYS: Final = {What.REACHED: "target", What.OVERSHOT: "overshoot", What.BAN: "ban", What.LAST_MOVER: "exhausted"}
"""The key that a clause comes from; a rules file can leave out only some of them."""
_QUICKLY: Final = 2_000
"""Positions that may be gone through before the rules are shown: a moment."""


def dead_clauses(rules: Rules, found: Mapping[What, Reachability]) -> Iterator[Finding]:
    """Yield a finding for each clause that can never apply, and for each that was not seen to."""
    clauses = clause_of(rules)
    for what, ending in found.items():
        if ending.reachable or ending.proof is None:
            continue
        blamed = ending.reachable is False and _is_blamed(rules, what, ending.proof)
        yield Finding(
            _CLAUSES[what][0],
            Severity.DEAD if blamed else Severity.NOTE,
            _words(rules, what, ending),
            proof=ending.proof,
            clause=clauses[what.value],
            key=_KEYS.get(what),
        )
    yield from _out_of_reach_for_one(rules, found)


def annotated_rules(rules: Rules) -> list[str]:
    """Return the rules in words, one clause a line; below one that can never apply, indented, why not."""
    clauses = clause_of(rules)
    never = {
        clauses[what.value]: f"This cannot happen here: {ending.proof.words}."
        for what, ending in endings(rules, _QUICKLY).items()
        if ending.reachable is False and ending.proof is not None
    }
    return [line for clause in describe(rules) for line in (clause, f"  {never.get(clause, '')}") if line.strip()]


def _is_blamed(rules: Rules, what: What, proof: Evidence) -> bool:
    """Return whether a file is to blame for a clause that never applies: somebody wrote it, and few games have it."""
    return proof.lemma != ALWAYS_DEAD and _KEYS.get(what) not in rules.left_out


def dead_by_arithmetic(rules: Rules) -> list[FindingKind]:
    """Return the kinds of the dead clauses that arithmetic alone shows."""
    return [_CLAUSES[what][0] for what, proof in lemmas(rules).items() if _is_blamed(rules, what, proof)]


def _words(rules: Rules, what: What, ending: Reachability) -> str:
    because = ending.proof.words if ending.proof else ""
    _, event, never = _CLAUSES[what]
    said = (
        event.format(target=rules.target).capitalize()
        if ending.reachable is None
        else never.format(target=rules.target)
    )
    return f"{said}: {because}."


def _out_of_reach_for_one(rules: Rules, found: Mapping[What, Reachability]) -> Iterator[Finding]:
    """Warn if one seat alone can never make the target."""
    unmade = [seat for seat in Seat if never_makes(rules, seat)]
    if rules.totals is Totals.OWN and len(unmade) == 1 and found[What.REACHED].reachable:
        who = seat_name(unmade[0])
        words = f"The {who} player can never make {rules.target}; the other can."
        proof = Evidence(By.ARITHMETIC, f"no numbers that the {who} player can take make {rules.target}")
        clause = clause_of(rules)[What.REACHED.value]
        yield Finding(UNREACHABLE_TARGET, Severity.WARNING, words, proof=proof, clause=clause)
