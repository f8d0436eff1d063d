"""What somebody has played at this terminal, and the record that a command is given: found and read."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import Final

from zerosum.base import limits
from zerosum.base.errors import RecordError, RulesError
from zerosum.base.files import decode, read_stream, read_text
from zerosum.base.text import printable
from zerosum.cli.console import Console
from zerosum.cli.user_data import home, saved_matches
from zerosum.coach.next_step import MatchResult
from zerosum.match.journal import JournalError
from zerosum.match.match import Match, read_match
from zerosum.match.saved import SavedMatches, UnknownMatchError
from zerosum.match.setup import Person
from zerosum.rules.game_files import BUILT_IN_IDS, is_built_in
from zerosum.rules.model import Rules
from zerosum.rules.record import parse_tags

_LATEST: Final = 100
"""Matches that are read: enough to know where somebody stands, and few enough to be read at once."""
_FILES: Final = ("lessons.txt", "puzzles.txt", "daily.txt")


def has_history(saved: SavedMatches) -> bool:
    """Return whether anything was ever played, learnt or solved here."""
    files = (os.path.join(home(), name) for name in _FILES)
    return bool(saved.ids(finished=True) or saved.ids(finished=False)) or any(map(os.path.exists, files))


def own_results(saved: SavedMatches) -> list[MatchResult]:
    """Return how the latest matches of a person against a computer ended, the latest last."""
    results = (result_of(match) for match in _latest(saved, saved.ids(finished=True)))
    return [result for result in results if result is not None][::-1]


def result_of(match: Match) -> MatchResult | None:
    """Return how a match ended for the person who played a computer; None if it was another kind of match."""
    people = [person for person in Person if match.setup.is_human(person)]
    if match.outcome is None or len(people) != 1:
        return None
    (person,) = people
    won = match.person(match.outcome.winner) is person
    return MatchResult(game_key(match.setup.rules), match.setup.who[person.other - 1], won)


def game_key(rules: Rules) -> str:
    """Return what a record calls a game: its id, unless that is the id of a built-in game with other rules."""
    return rules.id if is_built_in(rules) or rules.id not in BUILT_IN_IDS else f"{rules.id} (variant)"


def last_rules(saved: SavedMatches) -> Rules | None:
    """Return the game that was played last; None if none was."""
    ids = [saved.ids(finished=finished)[:1] for finished in (True, False)]
    latest = _latest(saved, [one for some in ids for one in some])
    return max(latest, key=lambda match: match.setup.date).setup.rules if latest else None


def _latest(saved: SavedMatches, ids: list[str]) -> list[Match]:
    """Return the first few of some matches; damaged ones are left out."""
    found = []
    for match_id in ids[:_LATEST]:
        with contextlib.suppress(JournalError):
            found.append(saved.match(match_id))
    return found


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
    claimed = parse_tags(text)[0].get("Result")
    result = str(match.outcome.winner.value) if match.outcome else "*"
    if claimed is not None and claimed != result:
        console.notice(f"The record claims the result '{printable(claimed)}', but its moves say '{result}'.")
    return match
