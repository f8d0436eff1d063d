"""What perfect play shows about a game: choices that settle nothing, matches too short, too long or without end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from zerosum.base import limits
from zerosum.base.english import count
from zerosum.lab.findings import Finding, Severity, finding_kind
from zerosum.lab.lemmas import By, Evidence
from zerosum.rules.describe import clause_of
from zerosum.rules.model import Exhausted, Overshoot
from zerosum.rules.moves import SWAP, Move
from zerosum.rules.position import Position
from zerosum.solver import Solution, Verdict
from zerosum.solver.laws import Fact

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
