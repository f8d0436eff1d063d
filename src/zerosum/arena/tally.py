"""The pairs of a run, added up: points by pairing, decisions compared with exact play, and the matches as records."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from math import fsum
from typing import Any, Final

from zerosum.arena import limits
from zerosum.arena.arena_run import CRASHED, RECORDS, RESULTS, ArenaRun, CountedPairs, write_records
from zerosum.arena.entrants.entrant import Fault
from zerosum.arena.plan import pair, slot
from zerosum.arena.play_match import Board, MatchLine
from zerosum.arena.strength.decisions import DIFFICULTIES, Decision, Judge, difficulty, judge_of
from zerosum.base.documents import OMITTED, member, member_as
from zerosum.base.errors import ZerosumError
from zerosum.base.files import replace_file
from zerosum.base.runs import RunLog, RunLogError
from zerosum.base.statistics import Interval, bootstrap, wilson
from zerosum.match.match import Match, winner_at_limit
from zerosum.match.setup import Person, Setup
from zerosum.rules.model import Rules, Seat, is_word
from zerosum.rules.moves import parse_move
from zerosum.rules.notation import parse_position
from zerosum.rules.position import Position, start_position
from zerosum.rules.record import Ending, parse_ending
from zerosum.solver import Solution, SolverError, solution_of

FEW_MATCHES: Final = 10
"""With fewer matches the share kept has Wilson's interval: a bootstrap over them would be too coarse."""
_GROUPS: Final = 400


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match of a run: who sat in which seat, who won, how it ended. Sides are 0 for A and 1 for B."""

    number: int
    first: int
    """Who sat in seat 1."""
    moves: str
    ending: Ending | None
    winner: int
    fault: str | None = None
    by: int | None = None
    wrote: str = ""
    """If a program crashed, the last line of its standard error."""
    illegal: tuple[int, int] = (0, 0)
    instead: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class DifficultyCount:
    """The real choices of one difficulty: how many there were, how many were kept, and what all gave away."""

    choices: int
    kept: int = field(metadata=OMITTED)
    regret: float

    @property
    @member_as("kept")
    def share(self) -> float | None:
        """The share kept; None if there was no choice."""
        return self.kept / self.choices if self.choices else None


@dataclass
class EntrantAccount:
    """The matches of an entrant, added up."""

    matches: int = 0
    points: float = field(default=0.0, metadata=OMITTED)
    illegal: int = 0
    time: int = 0
    crash: int = 0
    crashed: str = field(default="", metadata=OMITTED)
    """How its first crash was, and the last line that it wrote to its standard error."""
    decisions: list[Decision] = field(default_factory=list, metadata=OMITTED)
    by_match: list[tuple[int, int]] = field(default_factory=list, metadata=OMITTED)
    """Of each match with a real choice: how many there were, and how many of them kept."""

    def kept_interval(self, seed: str) -> Interval:
        """Return the 95 % interval of the share kept, by bootstrap over matches; of very many, over groups of them."""
        if len(self.by_match) < FEW_MATCHES:
            return wilson(sum(kept for _, kept in self.by_match), sum(choices for choices, _ in self.by_match))
        groups = [self.by_match[first::_GROUPS] for first in range(min(_GROUPS, len(self.by_match)))]
        sums = [(sum(kept for _, kept in group), sum(choices for choices, _ in group)) for group in groups]
        return bootstrap(sums, lambda drawn: sum(one[0] for one in drawn) / sum(one[1] for one in drawn), seed)

    @member
    def by_difficulty(self) -> dict[str, DifficultyCount]:
        """Return the real choices by difficulty."""
        found: dict[str, list[Decision]] = {name: [] for name in DIFFICULTIES}
        for decision in self.decisions:
            if decision.real:
                found[difficulty(decision.keeping)].append(decision)
        return {
            name: DifficultyCount(len(every), sum(one.kept for one in every), fsum(one.regret for one in every))
            for name, every in found.items()
        }


@dataclass
class RunTotals:
    """A run, added up."""

    accounts: list[EntrantAccount]
    cells: dict[tuple[int, int, int], list[int]]
    """By game, A and B: how many pairs gave A 0, ½, 1, 1½ and 2 points."""


def read_matches(run: ArenaRun, line: Mapping[str, Any], board: Board) -> tuple[PlayedMatch, PlayedMatch]:
    """Return both matches of a line; results follow from the moves. Raises RunLogError for a line of another run."""
    number = line["n"]
    expected = pair(run.plan, number)
    if line["id"] != expected.id:
        raise RunLogError(f"Pair {number} of the log belongs to another plan.")
    try:
        one, two = (
            _sides(number, first, played, board, expected.position) for first, played in enumerate(line["matches"])
        )
    except (ZerosumError, LookupError, TypeError, ValueError) as error:
        raise RunLogError(f"Pair {number} of the log cannot be read: {error}") from None
    if (one.winner == 0) + (two.winner == 0) != line["points"]:
        raise RunLogError(f"Pair {number} of the log claims other points than its moves say.")
    return one, two


def _sides(number: int, first: int, played: MatchLine, board: Board, start: str) -> PlayedMatch:
    *_, (last, _, mover) = board.walk(start, played["moves"], first)
    ending = parse_ending(played["end"]) if "end" in played else None
    outcome = ending.outcome if ending is not None else last.outcome
    winner = outcome.winner if outcome is not None else winner_at_limit(last.position)
    return PlayedMatch(
        number=number,
        first=first,
        moves=played["moves"],
        ending=ending,
        winner=mover ^ (winner is not last.position.seat),
        fault=played.get("fault"),
        by=played.get("by"),
        wrote=str(played.get("wrote", "")),
        illegal=tuple(played.get("illegal", (0, 0))),
        instead=frozenset(played.get("instead", ())),
    )


class MatchReader:
    """Reads the matches of a run; each game is loaded once."""

    def __init__(self, run: ArenaRun, log: RunLog) -> None:
        self.run = run
        self._log = log
        self.boards = [Board(rules) for rules in run.plan.games]

    def matches(self, numbers: list[int]) -> Iterator[tuple[int, tuple[PlayedMatch, PlayedMatch]]]:
        """Yield the pairs of these numbers."""
        for line in self._log.read(numbers):
            number = line["n"]
            yield number, read_matches(self.run, line, self.boards[slot(self.run.plan, number).game])


def add_up(run: ArenaRun, log: RunLog, state: CountedPairs) -> RunTotals:
    """Add up the pairs that count."""
    reader = MatchReader(run, log)
    solutions = [solution_or_none(board) for board in reader.boards]
    judges = [None if solution is None else judge_of(solution) for solution in solutions]
    accounts = [EntrantAccount() for _ in run.plan.entrants]
    cells = {(game, a, b): [0] * 5 for game in range(len(run.plan.games)) for a, b in run.plan.pairings}
    for number, both in reader.matches(state.counted):
        where = slot(run.plan, number)
        cells[where.game, where.a, where.b][2 * sum(one.winner == 0 for one in both)] += 1
        two = accounts[where.a], accounts[where.b]
        for one in both:
            _add(two, one, reader.boards[where.game], where.position, judges[where.game])
    return RunTotals(accounts, cells)


def solution_or_none(board: Board) -> Solution | None:
    """Return the solution of a game, None if it is too large to solve."""
    try:
        return solution_of(board.rules)
    except SolverError:
        return None


def _add(
    accounts: tuple[EntrantAccount, EntrantAccount], one: PlayedMatch, board: Board, start: str, judge: Judge | None
) -> None:
    for side, account in enumerate(accounts):
        account.matches += 1
        account.points += one.winner == side
        account.illegal += one.illegal[side]
        account.time += one.by == side and one.fault == Fault.TIME.value
        if one.by == side and one.fault in CRASHED and one.ending is not None:
            account.crash += 1
            account.crashed = account.crashed or f"{one.ending.text}{f'; it wrote: {one.wrote}' if one.wrote else ''}"
    if judge is None:
        return
    shapes = [[0, 0], [0, 0]]
    *steps, _ = board.walk(start, one.moves, one.first)
    for ply, (node, n, side) in enumerate(steps):
        if ply in one.instead:
            continue
        decision = node.judged[n] or board.decision(node, n, judge)
        accounts[side].decisions.append(decision)
        if decision.real:
            shapes[side][0] += 1
            shapes[side][1] += decision.kept
    for shape, account in zip(shapes, accounts, strict=True):
        if shape[0]:
            account.by_match.append(_shape(*shape))


@cache
def _shape(choices: int, kept: int) -> tuple[int, int]:
    """Return two numbers as one value, which many matches share."""
    return choices, kept


def file_name(number: int, first: int) -> str:
    """Return the name of the record of a match: the number of its pair, then 1 if A sat in seat 1, else 2."""
    return f"{number:06}-{first + 1}.txt"


def match_of(run: ArenaRun, one: PlayedMatch) -> Match:
    """Return a match of a run."""
    plan, where = run.plan, slot(run.plan, one.number)
    rules = plan.games[where.game]
    setup = Setup(
        rules=rules,
        names=(run.names[where.a], run.names[where.b]),
        who=(_kind(plan.entrants[where.a].who), _kind(plan.entrants[where.b].who)),
        first=Person.TWO if one.first else Person.ONE,
        seed=pair(plan, one.number).id,
    )
    moves = tuple(parse_move(text, rules.operations) for text in one.moves.split())
    return Match(setup, moves, one.ending, _start(where.position, rules))


@cache
def _start(text: str, rules: Rules) -> Position | None:
    position = parse_position(text, rules)
    return None if position == start_position(rules) else position


def _kind(who: str) -> str:
    """Return how a record names an entrant: never by a command, an address or a path."""
    kind = who.partition(":")[0]
    return who if is_word(who) and kind in {"random", "level", "perfect", "card"} else kind


def records(run: ArenaRun, log: RunLog, state: CountedPairs) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of the records of the matches that count.

    Of players whose chances are known only the first `REVIEWED`: the log has all, and there may be very many.
    """
    for number, both in MatchReader(run, log).matches(_recorded(run, state)):
        for one in both:
            yield file_name(number, one.first), match_of(run, one).record()


def _recorded(run: ArenaRun, state: CountedPairs) -> list[int]:
    """Return the pairs whose matches have records."""
    known = all(entrant.is_policy for entrant in run.plan.entrants)
    return state.counted[: limits.REVIEWED // 2] if known else state.counted


def keep_records(run: ArenaRun, log: RunLog, state: CountedPairs) -> None:
    """Write the missing records of the matches that count, and their results as a table."""
    write_records(run, records(run, log, state))
    replace_file(os.path.join(run.folder.path, RESULTS), results_csv(run, log, state).encode())


def results_csv(run: ArenaRun, log: RunLog, state: CountedPairs) -> str:
    """Return the results of the matches that have a record, one a line, with names in place of seats."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("pair", "game", "position", "first", "second", "winner", "reason", "plies", "record"))
    for number, both in MatchReader(run, log).matches(_recorded(run, state)):
        for one in both:
            match = match_of(run, one)
            outcome = match.outcome
            if outcome is None:
                continue
            began, answered = (match.setup.name(match.person(seat, 0)) for seat in Seat)
            winner = match.setup.name(match.person(outcome.winner))
            told = (winner, outcome.reason.value, len(match.moves), f"{RECORDS}/{file_name(number, one.first)}")
            writer.writerow((number, match.setup.rules.id, match.positions[0], began, answered, *told))
    return text.getvalue()
