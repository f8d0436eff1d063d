"""What can happen in a game and what never does: counted by going through every move of every position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from zerosum.base import limits
from zerosum.rules.model import Exhausted, Overshoot, Rules, Seat, Tie
from zerosum.rules.moves import ADD_ONLY, Move
from zerosum.rules.outcome import Outcome, Reason
from zerosum.rules.position import Position, PositionKey
from zerosum.solver import Solution, Verdict
from zerosum.solver.endless import Endless
from zerosum.solver.retrograde import reachable


@dataclass
class Facts:
    """What was seen on the way."""

    positions: int = 0
    won: int = 0
    moves: int = 0
    ways: Counter[tuple[Reason, Seat]] = field(default_factory=Counter)
    """Moves that end the match, by why and by who wins."""
    losing: int = 0
    """Moves that lose at once."""
    lost: list[Position] = field(default_factory=list)
    """Positions where every move loses at once."""
    latest: int = 0
    """The last ply of a round at which a match can end."""
    slowest: int = 0
    """The most plies that perfect play takes, from any position."""


def gather(solution: Solution) -> Facts:
    """Return what every move of every position does; of rounds without end, those near the target."""
    facts = Facts()
    size = len(solution.rules.pool)
    # How a move ends a match depends on totals, seat, its amount and whether the pool is empty then: few of each.
    known: dict[tuple[tuple[int, ...], Seat, bool], dict[int, Outcome | None]] = {}
    for position, value in solution.everything():
        facts.positions += 1
        facts.won += value.verdict is Verdict.WIN
        facts.slowest = max(facts.slowest, value.plies or 0)
        if value.verdict is Verdict.LOSS and value.plies == 1:
            facts.lost.append(position)
        seen = known.setdefault((position.totals, position.seat, len(position.pool) == 1), {})
        for move in position.legal_moves():
            facts.moves += 1
            amount = move.amount
            if amount not in seen:
                seen[amount] = position.play_unchecked(move).outcome
            outcome = seen[amount]
            if outcome is not None:
                facts.ways[outcome.reason, outcome.winner] += 1
                facts.losing += outcome.winner is not position.seat
                facts.latest = max(facts.latest, size - len(position.pool) + 1)
    return facts


def words(solution: Solution) -> Iterator[str]:
    """Yield what was gone through, the table of ways to end, and then one thing after the other that was found."""
    facts, rules, rounds = gather(solution), solution.rules, solution.solved.rounds
    endless = rounds is not None and solution.count is None
    named = clauses(rules)
    if {reason for reason, _ in facts.ways} - set(named):
        raise SystemExit(f"{rules.id}: a match ended in a way that its rules do not name.")
    never = [f"`{reason}`" for reason in named if not any((reason, seat) in facts.ways for seat in Seat)]
    yield _covered(facts, rounds if endless else None)
    yield table_of_ways(facts, named)
    yield f"**Ways to end that never occur:** {', '.join(never) or 'none; each of them can happen'}."
    if endless and rounds is not None:
        yield f"**Why not further out either:** {_beyond(solution)}"
    yield f"**Losing by one's own move:** {_losing(facts)}"
    quickest = shortest(solution.start)
    perfect = solution.value(solution.start).plies
    most = _no_longest(solution) if endless else f"the longest {facts.latest}."
    moves = f"{len(quickest)} plies (`{' '.join(map(solution.start.text_of, quickest))}`)"
    yield f"**How long:** the shortest match has {moves}, one of perfect play {perfect}, {most}"
    yield f"**From any position:** {_anywhere(facts, rounds if endless else None)}"


def clauses(rules: Rules) -> list[Reason]:
    """Return the ways to end that the rules of a game name; the referee has others."""
    named = [Reason.REACHED_TARGET]
    if rules.overshoot is Overshoot.LOSES:
        named.append(Reason.OVERSHOT)
    if rules.exhausted is Exhausted.LAST_MOVER:
        return [*named, Reason.LAST_MOVER]
    return [*named, Reason.CLOSER, *([] if rules.tie is Tie.SUDDEN_DEATH else [Reason.TIE_RULE])]


def table_of_ways(facts: Facts, named: Sequence[Reason]) -> str:
    """Return how many moves end a match in each of these ways."""
    lines = ["| way to end | moves by which seat 1 wins so | moves by which seat 2 wins so |", "| --- | --- | --- |"]
    for reason in named:
        counts = [f"{facts.ways[reason, seat]:,}" if facts.ways[reason, seat] else "never" for seat in Seat]
        lines.append(f"| `{reason}` | {' | '.join(counts)} |")
    return "\n".join(lines)


def _covered(facts: Facts, rounds: Endless | None) -> str:
    gone = f"{facts.moves:,} moves of {facts.positions:,} unfinished positions"
    if rounds is None:
        return f"Gone through, one by one: {gone}, all that can arise."
    board, classes = rounds.board, rounds.classes
    beyond = sum(1 << one.bit for one in board.rounds() if one.distance > board.bound)
    arising = reachable(classes, [1 << board.start_bit(), *[0] * (classes.count - 1)], beyond)
    if any(inside & ~bits for inside, bits in zip(rounds.near.positions, arising, strict=True)):
        raise SystemExit("Some of the rounds gone through cannot arise; the words must say so.")
    return (
        f"Gone through, one by one: {gone}. These are all positions of the rounds that begin at most "
        f"{board.bound} from the target, and all of them can arise. Rounds can begin further out, without end."
    )


def _beyond(solution: Solution) -> str:
    """Return why rounds that were not gone through end in no other way, or raise where the argument does not hold."""
    rules = solution.rules
    rounds = solution.solved.rounds
    balanced = rules.operations == ADD_ONLY and sum(rules.pool) == 0 and sum(rules.start) == 2 * rules.target
    if not balanced or rounds is None or rounds.board.bound <= rounds.width or rules.overshoot is Overshoot.LOSES:
        raise SystemExit(f"{rules.id}: there is no argument for what never happens far out.")
    return (
        f"the pool sums to zero and the totals start at {rules.start[0]} and {rules.start[1]}, so whenever the pool is "
        "empty the totals are *t* and *\N{MINUS SIGN}t*: both are equally far, `closer` has nothing to decide, and the "
        f"pool is refilled. In a round that begins more than {rounds.width} from the target nobody can reach it."
    )


def _losing(facts: Facts) -> str:
    if not facts.losing:
        return "no move loses at once, so no seat is ever lost in one ply."
    if not facts.lost:
        return f"{facts.losing:,} moves lose at once, but no seat is ever lost in one ply: there is another move."
    seats = sorted({position.seat.value for position in facts.lost})
    who = "either seat" if len(seats) > 1 else f"seat {seats[0]} alone"
    most_left = max(facts.lost, key=lambda position: len(position.pool))
    moves = " ".join(map(most_left.text_of, most_left.legal_moves()))
    return (
        f"{facts.losing:,} moves lose at once. In {len(facts.lost):,} positions every move does, so that {who} can be "
        f"lost in one ply: in `{most_left}`, for one, the moves are `{moves}`."
    )


def _anywhere(facts: Facts, rounds: Endless | None) -> str:
    share = f"{facts.won / facts.positions:.0%}"
    if rounds is None:
        return (
            f"the seat to move wins {facts.won:,} of the {facts.positions:,} positions ({share}); perfect play takes "
            f"at most {facts.slowest} plies."
        )
    if not any(tail.later for tail in rounds.tails.values()):
        raise SystemExit("Perfect play has a longest match after all; the words must say so.")
    return (
        f"the seat to move wins {facts.won:,} of the {facts.positions:,} positions gone through ({share}); the further "
        "out a round begins, the longer perfect play takes, without end."
    )


def _no_longest(solution: Solution) -> str:
    """Return by which round a match can go on without end."""
    for begin in sorted(rounds_after(solution.start).values(), key=lambda one: max(map(abs, one.totals))):
        if begin.key in rounds_after(begin):
            totals = "/".join(map(str, begin.totals))
            return (
                f"and there is no longest: the first round can end at {totals}, and a round that begins there can end "
                f"there again. Between computers and on a server the referee stops at {limits.MATCH_PLIES}."
            )
    raise SystemExit(f"{solution.rules.id}: no round was found that leads to itself.")


def rounds_after(begin: Position) -> dict[PositionKey, Position]:
    """Return the positions with a new full pool that can end the round that begins here."""
    rounds: dict[PositionKey, Position] = {}
    layer = {begin.key: begin}
    while layer:
        following: dict[PositionKey, Position] = {}
        for position in layer.values():
            for move in position.legal_moves():
                after = position.play_unchecked(move)
                if after.outcome is None:
                    (rounds if len(position.pool) == 1 else following)[after.key] = after
        layer = following
    return rounds


def shortest(start: Position) -> list[Move]:
    """Return the moves of a match that is over as soon as any can be."""
    lines: dict[PositionKey, tuple[Position, list[Move]]] = {start.key: (start, [])}
    while True:
        following: dict[PositionKey, tuple[Position, list[Move]]] = {}
        for position, moves in lines.values():
            for move in position.legal_moves():
                after = position.play_unchecked(move)
                if after.outcome is not None:
                    return [*moves, move]
                following.setdefault(after.key, (after, [*moves, move]))
        lines = following
