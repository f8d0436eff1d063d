"""Which endings a game has: a line of moves for each that can happen, a proof for each that cannot.

Arithmetic comes first (`lemmas.py`). Then some lines are played out, which finds most endings at once. What is still
open is settled by going through every position that play can reach, ply by ply, all totals of one pool together; each
remembers how it was first reached. Nothing is judged here: `rules/outcome.py` does that.

In sudden death a round that begins with totals met before brings nothing new, so where no new totals appear all
rounds have been seen. Where totals grow without end, the first rounds are all that is seen, and nothing is claimed
about the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from zerosum.base.progress import Progress, silent
from zerosum.lab.lemmas import By, Proof, What, lemmas, spoken_of
from zerosum.rules.model import Ban, Rules, Seat, Tie, Totals
from zerosum.rules.moves import SWAP, Move, number_moves
from zerosum.rules.outcome import Outcome, judge
from zerosum.rules.position import Position, start_position

POSITIONS: Final = 300_000
"""Positions that are gone through; the games without sudden death that are built in have fewer."""
POSITIONS_OF_ROUNDS: Final = 40_000
"""The same where pools are refilled, so that totals which grow without end are not followed for long."""
_LINES: Final = 60
_ROUNDS: Final = 3
_NOW_AND_THEN: Final = 1_000

Row = tuple[tuple[int, ...], int | None]
"""The numbers that are left and, where a ban looks at it, what the last move added."""


@dataclass(frozen=True, slots=True)
class Ending:
    """Whether something can happen: moves that show it, or why not; None: too many positions to say."""

    reachable: bool | None
    witness: tuple[Move, ...] = ()
    proof: Proof | None = None


def endings(rules: Rules, most: int = POSITIONS, progress: Progress = silent) -> dict[What, Ending]:
    """Return, for everything that the clauses of a game speak of, whether it can happen; `most` limits positions."""
    wanted = spoken_of(rules)
    found = {what: Ending(reachable=False, proof=proof) for what, proof in lemmas(rules).items()}
    for what, line in _played_out(rules).items():
        found[what] = Ending(reachable=True, witness=line)
    open_ones = [what for what in wanted if what not in found]
    if open_ones:
        seen = _explore(rules, set(open_ones), most, progress)
        found |= {what: _ending(what, seen) for what in open_ones}
    return {what: found[what] for what in wanted}


def _ending(what: What, seen: _Seen) -> Ending:
    if what in seen.lines:
        return Ending(reachable=True, witness=seen.lines[what])
    if seen.complete:
        words = f"none of the {seen.positions:,} positions that play can reach leads to it"
        return Ending(reachable=False, proof=Proof(By.EXHAUSTION, words, seen.positions))
    words = f"not seen in the rounds up to number {seen.rounds}" if seen.rounds else ""
    return Ending(None, proof=Proof(By.EXHAUSTION, words, seen.positions) if words else None)


def what_happened(before: Position, move: Move, after: Position) -> What | None:
    """Return what a number move brought about, None if play just goes on."""
    if after.outcome is not None:
        return What(after.outcome.reason.value)
    return What.REFILL if len(before.pool) == 1 and move != SWAP else None


def is_banned_something(position: Position) -> bool:
    """Whether the ban forbids a move here."""
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


class _Before(NamedTuple):
    """How a position was first reached; a chain of them leads back to the start."""

    before: _Before | None
    move: Move


Layer = dict[Row, dict[tuple[int, ...], _Before | None]]


Goal = Callable[[Outcome, tuple[int, ...]], bool]
"""Whether a match that ended so, with these totals, is one that is looked for."""


@dataclass(slots=True)
class _Seen:
    """What going through the positions has shown so far."""

    goal: Goal | None = None
    line: tuple[Move, ...] | None = None
    """The first line to the goal."""

    lines: dict[What, tuple[Move, ...]] = field(default_factory=dict)
    positions: int = 0
    rounds: int = 0
    """Rounds seen as a whole where the pool is refilled."""
    complete: bool = False

    def note(self, what: What, last: _Before | None) -> None:
        """Keep the first line to something."""
        if what not in self.lines:
            self.lines[what] = _line(last)


def _line(last: _Before | None) -> tuple[Move, ...]:
    moves = []
    while last is not None:
        moves.append(last.move)
        last = last.before
    return tuple(reversed(moves))


def can_end(rules: Rules, goal: Goal, most: int = POSITIONS, progress: Progress = silent) -> Ending:
    """Return whether a match can end as it is looked for."""
    seen = _explore(rules, set(), most, progress, goal)
    if seen.line is not None:
        return Ending(reachable=True, witness=seen.line)
    if not seen.complete:
        return Ending(None)
    words = f"no match through the {seen.positions:,} positions that play can reach ends so"
    return Ending(reachable=False, proof=Proof(By.EXHAUSTION, words, seen.positions))


def _explore(rules: Rules, wanted: set[What], most: int, progress: Progress, goal: Goal | None = None) -> _Seen:
    """Go through all positions until everything wanted is found, or there are no more, or too many."""
    seen = _Seen(goal)
    most = min(most, POSITIONS_OF_ROUNDS) if rules.tie is Tie.SUDDEN_DEATH else most
    layer: Layer = {(rules.pool, None): {rules.start: None}}
    begun: set[tuple[Row, tuple[int, ...], Seat]] = {((rules.pool, None), rules.start, Seat.FIRST)}
    seat = Seat.FIRST
    while layer:
        following: Layer = {}
        for row, reached in layer.items():
            seen.positions += len(reached)
            if seen.positions > most:
                return seen
            _follow(rules, row, reached, seat, seen, following)
            if seen.positions % _NOW_AND_THEN < len(reached):
                progress(f"{seen.positions:,} positions seen")
        if seen.line is not None or (goal is None and wanted <= seen.lines.keys()):
            return seen
        seat = seat.other
        if all(pool == rules.pool for pool, _ in following):
            seen.rounds += rules.tie is Tie.SUDDEN_DEATH
            following = _new_ones(following, seat, begun)
        layer = following
    seen.complete = True
    return seen


def _new_ones(layer: Layer, seat: Seat, begun: set[tuple[Row, tuple[int, ...], Seat]]) -> Layer:
    """Return the beginnings of rounds that have not been seen yet, and note them."""
    fresh: Layer = {}
    for row, reached in layer.items():
        new = {totals: line for totals, line in reached.items() if (row, totals, seat) not in begun}
        begun |= {(row, totals, seat) for totals in new}
        if new:
            fresh[row] = new
    return fresh


def _follow(  # noqa: PLR0917 - the state of one loop, split where it grew too long
    rules: Rules, row: Row, reached: dict[tuple[int, ...], _Before | None], seat: Seat, seen: _Seen, following: Layer
) -> None:
    """Make every move from the positions of a row."""
    pool, previous = row
    # `number_moves` of the pool itself would make them anew in each of very many rows.
    moves = [move for move in number_moves(rules.pool, rules.operations) if move.number in pool]
    allowed = moves if previous is None else [move for move in moves if move.amount != -previous] or moves
    if len(allowed) < len(moves):
        seen.note(What.BAN, next(iter(reached.values())))
    side = 0 if rules.totals is Totals.SHARED else seat - 1
    for move in allowed:
        at = pool.index(move.number)
        left, amount = pool[:at] + pool[at + 1 :], move.amount
        remembered = None if rules.ban is Ban.NONE else amount
        onward = following.setdefault((left or rules.pool, remembered), {})
        for totals, line in reached.items():
            now = (*totals[:side], totals[side] + amount, *totals[side + 1 :])
            outcome = judge(rules, left, now, seat)
            if outcome is not None:
                what = What(outcome.reason.value)
                if what not in seen.lines:
                    seen.note(what, _Before(line, move))
                if seen.goal is not None and seen.line is None and seen.goal(outcome, now):
                    seen.line = _line(_Before(line, move))
                continue
            if not left:
                seen.note(What.REFILL, _Before(line, move))
            if now not in onward:
                onward[now] = _Before(line, move)
        if not onward:
            del following[left or rules.pool, remembered]
