"""A session at the terminal: a match, or the matches of a series, one after the other."""

from __future__ import annotations

import os
import sys
from dataclasses import replace

from zerosum.cli import voice
from zerosum.cli.console import Console, EndOfInput
from zerosum.cli.dialogue import Coach, Dialogue, Quit
from zerosum.cli.output import check_new, write_new
from zerosum.match.journal import JournalError
from zerosum.match.match import Match
from zerosum.match.referee import Referee
from zerosum.match.saved import SavedMatches
from zerosum.match.setup import Person, Setup
from zerosum.players import check_player, prepare

DONE, CUT_OFF, INTERRUPTED = 0, 1, 130


def begin(
    saved: SavedMatches, setup: Setup, console: Console, record: str | None = None, *, coached: bool = False
) -> int:
    """Play a new match, or a new series; return the exit status."""
    for who in setup.who:
        prepare(who, setup.rules)
    return go_on(saved, saved.create(setup), console, record, coached=coached)


def go_on(
    saved: SavedMatches, match_id: str, console: Console, record: str | None = None, *, coached: bool = False
) -> int:
    """Play a saved match to its end, and the rest of its series; return the exit status."""
    current: str | None = match_id
    while current is not None:
        with saved.opened(current) as journal:
            if journal.reading.dropped:
                console.notice(f"Match {current}: an unfinished last line was dropped; it had not been acknowledged.")
            for who in journal.reading.match.setup.who:
                prepare(check_player(who), journal.reading.match.setup.rules)
            referee = Referee(journal.reading.match, journal.write, journal.reading.entries)
            status = _conduct(saved, referee, console, current, _coach(referee.match, console) if coached else None)
            if status is not None:
                return status
            following = saved.settle(current, referee.match)
        _write_record(record, referee.match)
        if referee.match.setup.series is not None and following is None:
            console.say(voice.series_won(referee.match, saved.score(referee.match)))
        _offer_review(referee.match, current, console)
        current = following
    return DONE


def _offer_review(match: Match, match_id: str, console: Console) -> None:
    """Ask a person who has played a computer, at a terminal, whether to see how the match went; Enter declines."""
    people = [person for person in Person if match.setup.is_human(person)]
    moved = {match.mover(ply) for ply in range(len(match.moves))}
    if len(people) != 1 or not moved.issuperset(people) or not (console.interactive and sys.stdout.isatty()):
        return
    try:
        if console.ask("\nSee who stood to win after each move? [y/N] ").lower() not in ("y", "yes"):
            return
    except EndOfInput:
        return
    from zerosum.cli.review_text import show  # noqa: PLC0415 - most matches are played without the solver
    from zerosum.coach.review import review  # noqa: PLC0415 - likewise
    from zerosum.solver import SolverError, solution_of  # noqa: PLC0415 - likewise

    try:
        found = review(match, solution_of(match.setup.rules))
    except SolverError as error:
        console.notice(f"There is no review of this game. {error}")
        return
    console.say("\n")
    show(found, console)
    console.say(f"\nTo see it again: zerosum review {match_id}\n")


def _coach(match: Match, console: Console) -> Coach | None:
    """Return the coach of a match; None where the game is too large to solve, which is said."""
    from zerosum.cli.coaching import coach_of  # noqa: PLC0415 - most matches are played without the solver
    from zerosum.solver import SolverError  # noqa: PLC0415 - likewise

    try:
        return coach_of(match.setup.rules)
    except SolverError as error:
        console.notice(f"There is no coach for this game. {error}")
        return None


def _conduct(saved: SavedMatches, referee: Referee, console: Console, match_id: str, coach: Coach | None) -> int | None:
    """Conduct one match; return an exit status if it was left unfinished."""
    match = referee.match
    if match.setup.series is not None:
        console.say(
            voice.series_score(match, saved.score(match)).lstrip("\n" if match.setup.series.number == 1 else "")
        )
    if console.interactive and not match.moves and _is_first(match):
        console.notice("Numbers are moves; type help for the commands.")
    if _is_first(match) and match.setup.forfeits and any(map(match.setup.is_human, Person)):
        console.notice(f"In {match.setup.rules.name} an invalid move forfeits the match; --lenient asks again instead.")
    notice = f"The match is kept. To go on: zerosum resume {match_id}"
    try:
        Dialogue(referee, console, coach).conduct()
    except Quit:
        status = DONE
    except EndOfInput:
        status = CUT_OFF
    except KeyboardInterrupt:
        status = INTERRUPTED
    except JournalError as error:
        console.notice(f"zerosum: {error}")
        status = CUT_OFF
    except OSError:
        console.notice(notice)
        raise
    else:
        return None
    console.notice(notice)
    return status


def _is_first(match: Match) -> bool:
    """Whether this is a single match, or the first of a series."""
    return match.setup.series is None or match.setup.series.number == 1


def _write_record(path: str | None, match: Match) -> None:
    if path is not None:
        write_new(record_path(path, match.setup), match.record().encode())


def check_records(path: str | None, setup: Setup) -> None:
    """Raise now if a record could not be written at the end."""
    if path is None:
        return
    rounds = [setup]
    if setup.series is not None:
        numbers = range(setup.series.number, setup.series.best_of + 1)
        rounds = [replace(setup, series=replace(setup.series, number=n)) for n in numbers]
    for one in rounds:
        check_new(record_path(path, one))


def record_path(path: str, setup: Setup) -> str:
    """Return where the record of a match goes: each match of a series has its own file, `NAME-ROUND.EXT`."""
    if setup.series is None:
        return path
    stem, extension = os.path.splitext(path)
    return f"{stem}-{setup.series.number}{extension}"
