"""The examples of a rules file against its rules: each move, total, pool and end; claimed ends that no play reaches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from zerosum.base.errors import IllegalPositionError, InvalidTextError
from zerosum.base.progress import Progress, silent
from zerosum.lab.endings import Claim, Reachability, can_end
from zerosum.lab.findings import Finding, FindingKind, Severity, finding_kind
from zerosum.lab.lemmas import EXHAUSTED, By, Evidence, What
from zerosum.rules.describe import clause_of
from zerosum.rules.examples import Example, Expect
from zerosum.rules.model import Rules, Tie, Totals
from zerosum.rules.moves import ADD_ONLY, SWAP, Move, format_move, parse_move
from zerosum.rules.notation import parse_position
from zerosum.rules.outcome import Outcome
from zerosum.rules.position import Clause, Position, start_position
from zerosum.solver import Solution, SolverError, Verdict
from zerosum.solver.supports import MOVE_CODES, unknown_key
from zerosum.strategy.phrases import listed

EXAMPLE_ILLEGAL: Final = finding_kind(
    "example-illegal",
    Severity.ERROR,
    10,
    "A move of an example is not allowed, or an example marked illegal is legal after all.",
    judged=False,
)
EXAMPLE_TOTAL: Final = finding_kind(
    "example-total", Severity.ERROR, 20, "A total after a move is not the stated one.", judged=False
)
EXAMPLE_POOL: Final = finding_kind(
    "example-pool", Severity.ERROR, 30, "The pool after a move is not the stated one.", judged=False
)
EXAMPLE_OUTCOME: Final = finding_kind(
    "example-outcome", Severity.ERROR, 40, "A match does not end as stated, or is not over.", judged=False
)
EXAMPLE_IMPOSSIBLE: Final = finding_kind(
    "example-impossible", Severity.ERROR, 50, "No match can end as an example without moves says.", judged=False
)
EXAMPLE_MISSED_WIN: Final = finding_kind(
    "example-missed-win", Severity.NOTE, 230, "A move of an example lets a win go.", judged=False
)

_KNOWN: Final = {reason.value for reason in What} - {What.BAN.value, What.REFILL.value}


@dataclass(frozen=True, slots=True)
class _Fault:
    """What is wrong with an example; `at` is the number of its move, if it is about one."""

    kind: FindingKind
    words: str
    at: int | None = None
    line: Sequence[Move] = ()
    proof: Evidence | None = None
    clause: str | None = None


def example_findings(
    rules: Rules, endings: Mapping[What, Reachability], solution: Solution | None, progress: Progress = silent
) -> Iterator[Finding]:
    """Yield what is wrong with the examples of a game, and the wins that they let go."""
    for n, example in enumerate(rules.examples, 1):
        faults = list(_faults(rules, example, endings, progress))
        if example.expect is Expect.ILLEGAL and not faults:
            words = "it is marked illegal, but the rules allow all of it"
            fault = _Fault(EXAMPLE_ILLEGAL, words, line=_moves(rules, example))
            yield _finding(rules, n, fault, Severity.ERROR, "")
        elif example.expect is Expect.ILLEGAL:
            yield _finding(rules, n, faults[0], Severity.NOTE, example.ruling)
        elif faults:
            yield from (_finding(rules, n, fault, Severity.ERROR, example.ruling) for fault in faults)
        elif solution is not None:
            missed = _missed_wins(solution, example)
            yield from (_finding(rules, n, fault, Severity.NOTE, "") for fault in missed)


def _finding(rules: Rules, n: int, fault: _Fault, severity: Severity, ruling: str) -> Finding:
    example = rules.examples[n - 1]
    wrong = "The rulebook is wrong in " if severity is Severity.NOTE and ruling else ""
    place = f'{wrong}"{example.name}"' + (f", move {fault.at}" if fault.at else "")
    witness = None if fault.proof else tuple(format_move(move, rules.operations) for move in fault.line)
    words = f"{place}: {fault.words}.{f' {ruling}' if ruling else ''}"
    return Finding(fault.kind, severity, words, witness, fault.proof, n, clause=fault.clause)


def _faults(
    rules: Rules, example: Example, endings: Mapping[What, Reachability], progress: Progress
) -> Iterator[_Fault]:
    if not example.moves:
        yield from _claimed_end(rules, example, endings, progress)
        return
    try:
        position = parse_position(example.start, rules) if example.start else start_position(rules)
    except (InvalidTextError, IllegalPositionError) as error:
        why = str(error).rstrip(".")
        yield _Fault(EXAMPLE_ILLEGAL, f"it cannot begin there: {why}", proof=Evidence(By.ARITHMETIC, why))
        return
    line: list[Move] = []
    for at, move in enumerate(_moves(rules, example), 1):
        clause = position.objection(move)
        if clause is not None:
            yield _Fault(EXAMPLE_ILLEGAL, _illegal(position, move, clause, line), at, tuple(line))
            return
        before, position = position, position.play_unchecked(move)
        line.append(move)
        yield from _misstated(example, at, before, position, tuple(line))
    yield from _wrong_end(rules, example, position.outcome, tuple(line))


def _moves(rules: Rules, example: Example) -> list[Move]:
    return [parse_move(text, rules.operations) for text in example.moves]


def _illegal(position: Position, move: Move, clause: Clause, line: Sequence[Move]) -> str:
    text = position.text_of(move)
    if clause is Clause.OVER:
        return f"{text} comes too late, the match was over after move {len(line)}"
    if clause is Clause.NUMBER and move.number in position.rules.pool:
        return f"{move.number} was already taken"
    if clause is Clause.NUMBER:
        return f"there is no {move.number} in the pool"
    return f"{text} is not allowed: {clause.value}"


def _misstated(
    example: Example, at: int, before: Position, after: Position, line: tuple[Move, ...]
) -> Iterator[_Fault]:
    """Yield where totals or pools after a move are not as stated; who moved may be all that is stated."""
    if example.totals:
        stated = example.totals[at - 1]
        true = after.totals if len(stated) == len(after.totals) else (after.total(before.seat),)
        if stated != true:
            words = f"the total is {_numbers(true)}, not {_numbers(stated)}"
            yield _Fault(EXAMPLE_TOTAL, words, at, line)
    if example.pools:
        pool = example.pools[at - 1]
        refilled = len(before.pool) == 1 and line[-1] != SWAP
        if pool != after.pool and not (refilled and not pool):
            words = f"the pool is {_numbers(after.pool)}, not {_numbers(pool)}"
            yield _Fault(EXAMPLE_POOL, words, at, line)


def _wrong_end(rules: Rules, example: Example, outcome: Outcome | None, line: tuple[Move, ...]) -> Iterator[_Fault]:
    """Report if a match does not end as stated."""
    claimed = _claim(example)
    if not claimed:
        return
    if outcome is None:
        yield _Fault(EXAMPLE_OUTCOME, f"the match is not over there, so not{claimed}", line=line)
    elif (example.winner or outcome.winner, example.reason or outcome.reason) != (outcome.winner, outcome.reason):
        true = f"the match ends with seat {outcome.winner.value} winning ({outcome.reason.value})"
        clause = clause_of(rules)[outcome.reason.value]
        yield _Fault(EXAMPLE_OUTCOME, f"{true}, not{claimed}", line=line, clause=clause)


def _claim(example: Example) -> str:
    who = f" with seat {example.winner} winning" if example.winner else ""
    return who + (f" {'(' if who else 'as '}{example.reason}{')' if who else ''}" if example.reason else "")


def _claimed_end(
    rules: Rules, example: Example, endings: Mapping[What, Reachability], progress: Progress
) -> Iterator[_Fault]:
    """Report if no match can end as an example without moves says."""
    what = What(example.reason) if example.reason else None
    if what is not None and what not in endings:
        names = ", ".join(known for known in clause_of(rules) if known in _KNOWN)
        proof = Evidence(By.ARITHMETIC, f"the rules have clauses for {names} alone")
        yield _Fault(EXAMPLE_IMPOSSIBLE, f"these rules know no end '{what.value}'", proof=proof)
        return
    clause = clause_of(rules)[what.value] if what else None
    sums = _sums_do_not_fit(rules, example, what)
    if sums:
        proof = Evidence(By.ARITHMETIC, "an empty pool means that every number has been added")
        yield _Fault(EXAMPLE_IMPOSSIBLE, sums, proof=proof, clause=clause)
        return
    if what is not None and endings[what].reachable is False:
        why = endings[what].proof
        words = f"no match can end so: {'' if why is None else why.words}"
        yield _Fault(EXAMPLE_IMPOSSIBLE, words, proof=why, clause=clause)
        return

    found = can_end(rules, Claim(example.winner, example.reason, example.final), progress=progress)
    if found.reachable is False:
        final = f" at {_numbers(example.final)}" if example.final else ""
        words = f"no match ends{final}{_claim(example)}"
        yield _Fault(EXAMPLE_IMPOSSIBLE, words, proof=found.proof, clause=clause)


def _sums_do_not_fit(rules: Rules, example: Example, what: What | None) -> str:
    """Return why these totals cannot be left when every number has been added; nothing if they may be."""
    if not example.final or what not in EXHAUSTED or rules.operations != ADD_ONLY:
        return ""
    if unknown_key(MOVE_CODES, rules) is not None:
        return ""
    pool, left = sum(rules.pool), sum(example.final) - sum(rules.start)
    rounds = rules.tie is Tie.SUDDEN_DEATH
    if left == pool or (rounds and pool and left % pool == 0):
        return ""
    several = rounds and pool
    due = f"differ by a multiple of {pool} from {sum(rules.start)}" if several else f"sum to {pool + sum(rules.start)}"
    if rules.totals is Totals.SHARED:
        return f"the total {example.final[0]} cannot be final: with this pool it is {pool + rules.start[0]}"
    return f"totals {_numbers(example.final)} cannot be final: with this pool they always {due}"


def _missed_wins(solution: Solution, example: Example) -> Iterator[_Fault]:
    rules = solution.rules
    position = parse_position(example.start, rules) if example.start else start_position(rules)
    line: list[Move] = []
    for at, move in enumerate(_moves(rules, example), 1):
        try:
            options = solution.options(position)
        except SolverError:
            return  # No play leads to the position that the example begins from.
        wins = [option.move for option in options if option.value.verdict is Verdict.WIN]
        if wins and move not in wins:
            words = f"{position.text_of(move)} lets the win go; {listed(position, wins)} would have kept it"
            yield _Fault(EXAMPLE_MISSED_WIN, words, at, (*line, wins[0]))
        position = position.play_unchecked(move)
        line.append(move)


def _numbers(numbers: Sequence[int]) -> str:
    texts = [str(number) for number in numbers]
    if len(texts) == len(Totals):
        return " and ".join(texts)
    return ", ".join(texts) or "empty"
