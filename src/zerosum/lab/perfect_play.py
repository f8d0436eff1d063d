"""What perfect play shows about a game: choices that settle nothing, ends too soon or never, simple strategies."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Final

from zerosum.base import limits
from zerosum.base.english import count, seat_name
from zerosum.lab.findings import Finding, Severity, finding_kind
from zerosum.lab.lemmas import By, Evidence
from zerosum.rules.describe import clause_of
from zerosum.rules.model import Exhausted, Overshoot, Seat, Tie
from zerosum.rules.moves import SWAP, Move
from zerosum.rules.position import Position, PositionKey
from zerosum.solver import Solution, SolverError, Verdict
from zerosum.solver.laws import Fact
from zerosum.strategy.card import Card, Rule, survivors
from zerosum.strategy.card_proof import prove
from zerosum.strategy.card_search import ALWAYS, words_for
from zerosum.strategy.lookahead import Sight

SWAP_ALWAYS: Final = finding_kind("swap-always", Severity.DECIDED, 100, "Swapping is right after every opening.")
SWAP_NEVER: Final = finding_kind("swap-never", Severity.DECIDED, 110, "Swapping is wrong after every opening.")
DECIDED_AT_ONCE: Final = finding_kind(
    "decided-at-once", Severity.DECIDED, 120, "The first move wins, or the second move wins after every first move."
)
DECIDED_OPENINGS: Final = finding_kind("decided-openings", Severity.DECIDED, 130, "All openings win, or none does.")
PARITY_ONLY: Final = finding_kind(
    "parity-only", Severity.DECIDED, 140, "The target does not matter; the count of the numbers decides."
)
NEVER_ENDS: Final = finding_kind(
    "never-ends",
    Severity.WARNING,
    150,
    "With perfect play neither side can force an end, or not before the referee stops the match.",
)
SIMPLE_STRATEGY: Final = finding_kind(
    "simple-strategy", Severity.WARNING, 160, "A [card](../ideas.md) of at most two rules always wins."
)
SHORT: Final = finding_kind("short", Severity.WARNING, 190, "Perfect play takes fewer than 5 plies.")
LONG: Final = finding_kind("long", Severity.WARNING, 200, "Perfect play takes more than 15 plies.")

SHORTEST: Final = 5
LONGEST: Final = 15
"""How many plies perfect play of a good game takes."""
_SOON: Final = 2


Check = Callable[[Solution], Iterator[Finding]]
_CHECKS: Final[list[Check]] = []


def check(look: Check) -> Check:
    """Register what every game is asked that can be solved."""
    _CHECKS.append(look)
    return look


def perfect_play(solution: Solution) -> Iterator[Finding]:
    """Yield what the solution of a game shows."""
    for look in _CHECKS:
        yield from look(solution)


_EVERY: Final = "every position that play can reach was solved exactly"
_ROUNDS: Final = "the solver has proved how the rounds repeat, and so who wins from every position"


def solver_evidence(solution: Solution, words: str = _EVERY) -> Evidence:
    """Return the solution as a proof."""
    if solution.count is None:
        return Evidence(By.PATTERN, _ROUNDS, None)
    return Evidence(By.EXHAUSTION, words, solution.count)


def _texts(position: Position, moves: list[Move]) -> tuple[str, ...]:
    return tuple(map(position.text_of, moves))


@check
def _at_once(solution: Solution) -> Iterator[Finding]:
    """Report if the first move wins, or if the second move wins after any first one."""
    start = solution.start
    value = solution.value(start)
    if value.plies is None or value.plies > _SOON or solution.rules.swap:
        return
    witness = _texts(start, solution.line(start, _SOON))
    if value.verdict is Verdict.WIN and value.plies == 1:
        words = "The first player can win with the very first move."
    elif value.verdict is Verdict.LOSS:
        words = "Whatever the first move is, the second player can win with the next."
    else:
        return
    yield Finding(DECIDED_AT_ONCE, Severity.DECIDED, words, witness, solver_evidence(solution))


@check
def _openings(solution: Solution) -> Iterator[Finding]:
    """Report if all openings have the same verdict; `_swap` reports that of games with a swap."""
    options = solution.options(solution.start)
    verdicts = {option.value.verdict for option in options}
    if len(options) < _SOON or len(verdicts) > 1 or solution.rules.swap or Verdict.DRAW in verdicts:
        return
    if Verdict.WIN in verdicts:
        words = f"Every one of the {len(options)} openings wins for the first player; the opening decides nothing."
    else:
        words = f"None of the {len(options)} openings wins; whatever the first move is, the second player can win."
    yield Finding(DECIDED_OPENINGS, Severity.DECIDED, words, None, solver_evidence(solution))


@check
def _swap(solution: Solution) -> Iterator[Finding]:
    """Report if swapping is always right, or never."""
    if not solution.rules.swap:
        return
    start = solution.start
    answered = [after for after in map(start.play_unchecked, start.legal_moves()) if after.outcome is None]
    right = sum(_swap_is_right(solution, after) for after in answered)
    if not answered or 0 < right < len(answered):
        return
    kind, how = (SWAP_ALWAYS, "right") if right else (SWAP_NEVER, "wrong")
    words = f"Swapping is {how} after every opening; the swap decides nothing."
    yield Finding(
        kind, Severity.DECIDED, words, proof=solver_evidence(solution), clause=clause_of(solution.rules)["swap"]
    )


def _swap_is_right(solution: Solution, after: Position) -> bool:
    verdicts = {option.move: option.value.verdict for option in solution.options(after)}
    best = min(verdicts.values(), key=_RANKS.index)
    return verdicts[SWAP] is best


_RANKS: Final = (Verdict.WIN, Verdict.DRAW, Verdict.LOSS)


@check
def _parity(solution: Solution) -> Iterator[Finding]:
    """Report if only the last move decides: a law of counts, in which making the target decides nothing."""
    rules, law = solution.rules, solution.law
    if rules.exhausted is not Exhausted.LAST_MOVER or rules.overshoot is Overshoot.LOSES or law is None:
        return
    if law.fact in (Fact.ODD, Fact.EVEN) and not law.makes:
        words = f"The target decides nothing: the last number does. {law.words}"
        proof = solver_evidence(solution, "the law was compared with every position that play can reach")
        yield Finding(PARITY_ONLY, Severity.DECIDED, words, None, proof)


@check
def _length(solution: Solution) -> Iterator[Finding]:
    """Report if perfect play is too short, too long, or endless."""
    plies = solution.value(solution.start).plies
    if plies is None:
        words = "With perfect play a match never ends: neither side can force an end."
        yield Finding(NEVER_ENDS, Severity.WARNING, words, None, solver_evidence(solution))
    elif plies > limits.MATCH_PLIES:
        words = f"With perfect play a match takes {plies:,} plies; the referee stops it after {limits.MATCH_PLIES}."
        yield Finding(NEVER_ENDS, Severity.WARNING, words, None, solver_evidence(solution))
    elif plies < SHORTEST:
        words = f"With perfect play a match is over after {count(plies, 'ply', 'plies')}, fewer than {SHORTEST}."
        yield Finding(SHORT, Severity.WARNING, words, _best_line(solution, plies), solver_evidence(solution))
    elif plies > LONGEST:
        words = f"With perfect play a match takes {plies} plies, more than {LONGEST}."
        yield Finding(LONG, Severity.WARNING, words, _best_line(solution, plies), solver_evidence(solution))


def _best_line(solution: Solution, plies: int) -> tuple[str, ...]:
    return _texts(solution.start, solution.line(solution.start, plies))


# A card of at most two rules that never lets the win go, if there is one. Candidates are no rule at all, every rule of
# the vocabulary alone, and after *make*, *guard* or an opening. One is dropped at the first position in which some move
# that it leaves gives the win away; what is left is proved as any card is, without the solver.

_FOLLOWED: Final = 3_000
"""Positions in which a candidate is looked at before it is worth a proof."""
_PROVED: Final = 60_000
_PROVED_OF_ROUNDS: Final = 2_000
"""Positions that a proof may visit; where pools are refilled, so that a match which runs away is soon given up."""


@check
def simple_strategy(solution: Solution) -> Iterator[Finding]:
    """Yield the shortest card of at most two rules that always wins."""
    rules = solution.rules
    winner = solution.winner
    if winner is None or rules.swap:
        return
    sight, most = Sight(rules), _PROVED_OF_ROUNDS if rules.tie is Tie.SUDDEN_DEATH else _PROVED
    for chosen in _candidates(solution, winner):
        card = Card(winner, chosen)
        if not _keeps_the_win(card, solution, sight):
            continue
        proof = prove(card, rules, sight, most=most)
        if proof.proved:
            said = " ".join(f"{n}. {rule.words(rules)}" for n, rule in enumerate(chosen, 1)) or "any move will do."
            words = f"A simple strategy always wins for the {seat_name(winner)} player: {said}"
            why = Evidence(By.STRATEGY, "every move that it leaves was followed against every reply", proof.positions)
            yield Finding(SIMPLE_STRATEGY, Severity.WARNING, words, proof=why)
            return


def _candidates(solution: Solution, winner: Seat) -> Iterator[tuple[Rule, ...]]:
    """Yield lists of rules, the shortest first, the easiest of a length first."""
    words = sorted(words_for(solution.rules, openings=winner is Seat.FIRST), key=lambda rule: rule.cost)
    alone = [*ALWAYS, *words]
    yield ()
    yield from ((rule,) for rule in alone)
    yield ALWAYS
    openings = [rule for rule in words if rule.name == "open"]
    for first in (*ALWAYS, *openings):
        yield from ((first, rule) for rule in alone if rule != first and rule not in openings and rule not in ALWAYS)


def _keeps_the_win(card: Card, solution: Solution, sight: Sight) -> bool:
    """Return whether no surviving move gives the win away, as far as it is followed."""
    seen: set[PositionKey] = {solution.start.key}
    waiting: deque[Position] = deque([solution.start])
    while waiting and len(seen) < _FOLLOWED:
        position = waiting.popleft()
        mine = position.seat is card.seat
        for move in survivors(card, position, sight) if mine else position.legal_moves():
            after = position.play_unchecked(move)
            if after.outcome is not None:
                if after.outcome.winner is not card.seat:
                    return False
                continue
            if mine and not _lost(solution, after):
                return False
            if after.key not in seen:
                seen.add(after.key)
                waiting.append(after)
    return True


def _lost(solution: Solution, position: Position) -> bool:
    try:
        return solution.value(position).verdict is Verdict.LOSS
    except SolverError:
        return False
