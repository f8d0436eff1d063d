"""Finding and reading the record that a command is given."""

from __future__ import annotations

import os
import sys

from zerosum.base import limits
from zerosum.base.errors import RecordError, RulesError
from zerosum.base.files import decode, read_stream, read_text
from zerosum.base.text import printable
from zerosum.cli.console import Console
from zerosum.cli.user_data import saved_matches
from zerosum.match.match import Match, read_match
from zerosum.match.saved import UnknownMatchError
from zerosum.rules.model import Rules
from zerosum.rules.record import parse_tags
from zerosum.solver import Solution, SolverError, solution_of


def read_record(where: str, console: Console) -> Match:
    """Return the match at a path, with an id, or on standard input; warn of a result that its moves contradict."""
    if where == "-":
        source = "standard input"
        text = decode(read_stream(sys.stdin.buffer, limits.RECORD_FILE_BYTES, source), source)
    elif os.path.lexists(where) or os.sep in where:
        source = printable(where)
        text = read_text(where, limits.RECORD_FILE_BYTES)
    else:
        try:
            return saved_matches().match(where)
        except UnknownMatchError as error:
            raise UnknownMatchError(f"{error} There is no such file either.") from None
    try:
        match = read_match(text)
    except (RecordError, RulesError) as error:
        raise RecordError(f"{source}: {error}") from None
    _remark(text, match, console)
    return match


def solution_or_notice(rules: Rules, console: Console) -> Solution | None:
    """Return the solution of a game; of one that is too large, say that it is left out."""
    try:
        return solution_of(rules)
    except SolverError as error:
        console.notice(f"{rules.name} is left out. {error}")
        return None


def _remark(text: str, match: Match, console: Console) -> None:
    claimed = parse_tags(text)[0].get("Result")
    found = str(match.outcome.winner.value) if match.outcome else "*"
    if claimed is not None and claimed != found:
        console.notice(f"The record claims the result '{printable(claimed)}', but its moves say '{found}'.")
