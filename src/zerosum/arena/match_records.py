"""The matches of a run as records, each a file that `zerosum review` reads."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator
from functools import cache

from zerosum.arena import limits
from zerosum.arena.arena_run import RECORDS, RESULTS, ArenaRun, write_records
from zerosum.arena.counted_pairs import CountedPairs
from zerosum.arena.plan import pair, slot
from zerosum.arena.tally import MatchReader, PlayedMatch
from zerosum.base.files import replace_file
from zerosum.base.runs import RunLog
from zerosum.match.match import Match
from zerosum.match.setup import Person, Setup
from zerosum.rules.model import Rules, Seat
from zerosum.rules.moves import parse_move
from zerosum.rules.notation import parse_position
from zerosum.rules.position import Position, start_position
from zerosum.rules.values import is_word


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
    replace_file(os.path.join(run.path, RESULTS), results_csv(run, log, state).encode())


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
