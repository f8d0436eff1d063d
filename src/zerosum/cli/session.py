"""A session at the terminal: a match, or the matches of a series, one after the other."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace

from zerosum.base.files import check_new, write_new
from zerosum.base.text import printable
from zerosum.cli import dialogue_text
from zerosum.cli.bots import BotGoneError, Outsiders, missing, to_resume
from zerosum.cli.console import Console, EndOfInput, Quit, Style
from zerosum.cli.dialogue import Coach, Dialogue
from zerosum.cli.names import Called, Label, at_terminal, by_name
from zerosum.match.journal import JournalError
from zerosum.match.match import Match
from zerosum.match.new_setup import again
from zerosum.match.referee import Referee
from zerosum.match.saved import SavedMatches
from zerosum.match.setup import Person, Setup
from zerosum.match.typed_moves import read_command
from zerosum.players import HUMAN, OUTSIDE, check_player, prepare
from zerosum.rules.model import Tie

DONE, CUT_OFF, INTERRUPTED = 0, 1, 130


def begin(
    saved: SavedMatches,
    setup: Setup,
    console: Console,
    record: str | None = None,
    *,
    tossed: bool = False,
    coached: bool = False,
    bots: Outsiders | None = None,
) -> int:
    """Play a new match, or a new series; return the exit status."""
    _get_ready(setup)
    if tossed:
        console.notice(_toss(_called(setup, console).name(setup.first)))
    return go_on(saved, saved.create(setup), console, record, coached=coached, bots=bots)


def go_on(
    saved: SavedMatches,
    match_id: str,
    console: Console,
    record: str | None = None,
    *,
    coached: bool = False,
    bots: Outsiders | None = None,
) -> int:
    """Play a saved match to its end, and the rest of its series, and again if asked to; return the exit status."""
    current: str | None = match_id
    told = False
    if bots is None:
        missing(saved.match(match_id).setup, match_id, ())
        bots = Outsiders({}, console)
    while current is not None:
        with saved.opened(current) as journal:
            if journal.reading.dropped:
                console.notice(f"Match {current}: an unfinished last line was dropped; it had not been acknowledged.")
            setup = journal.reading.match.setup
            _get_ready(setup)
            called = _called(setup, console)
            referee = Referee(journal.reading.match, journal.write, journal.reading.entries, called.within)
            score = dialogue_text.series_score(journal.reading.match, saved.score(journal.reading.match), called)
            console.say(score.lstrip("\n") if _is_first(journal.reading.match) else score)
            if not told:
                told = True
                for line in _notices(journal.reading.match, console):
                    console.notice(line)
            coach = _coach(referee.match, console) if coached else None
            dialogue = Dialogue(referee, console, called, coach, bots.choose)
            status = _conduct(referee, dialogue, console, bots, current)
            following = saved.settle(current, referee.match) if status is None else None
        if status is not None:
            return _left(saved, referee.match, console, current, status)
        bots.end(referee.match.outcome)
        _write_record(record, referee.match)
        if setup.series is not None and following is None:
            console.say(dialogue_text.series_won(referee.match, saved.score(referee.match), called))
        if following is None and record is None:
            following = _again(saved, referee.match, console, current)
        current = following
    return DONE


def _get_ready(setup: Setup) -> None:
    """Have the computers of a match know its game; a large one takes a while."""
    computers = [who for who in setup.who if who != HUMAN and who not in OUTSIDE]
    if computers:
        from zerosum.cli.solving import aloud  # noqa: PLC0415 - two people need no solver

        with aloud(f"Solving {setup.rules.name}"):
            for who in computers:
                prepare(check_player(who), setup.rules)


def _called(setup: Setup, console: Console) -> Called:
    return at_terminal(setup) if console.at_terminal else by_name(setup)


def _toss(first: Label) -> str:
    return f"The toss: {'you move' if first.you else f'{printable(first)} moves'} first."


def _again(saved: SavedMatches, match: Match, console: Console, match_id: str) -> str | None:
    """Ask a person who has played a computer, at a terminal, for one more match; return its id, None without one."""
    if not console.at_terminal or sum(map(match.setup.is_human, Person)) != 1:
        return None
    console.say("\nType r to see who stood to win after each move.\n" if match.moves else "\n")
    while True:
        try:
            answer = console.ask("Again? (Enter, s to swap seats, n) ").lower()
        except EndOfInput:
            return None
        command = read_command(answer)
        if answer in ("n", "no") or (command and command.word == "quit"):
            return None
        if answer in ("", "y", "yes", "again", "s", "swap"):
            console.say("\n")
            return saved.create(again(match.setup, saved.new_id, swap=answer in ("s", "swap")))
        if answer in ("r", "review") and match.moves:
            _show_review(match, match_id, console)
        else:
            console.say("Press Enter to play again, s to swap seats, n to stop.\n", Style.REFUSAL)


def _show_review(match: Match, match_id: str, console: Console) -> None:
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
    console.say(f"\nTo see it again: zerosum review {match_id}\n\n")


def _coach(match: Match, console: Console) -> Coach | None:
    """Return the coach of a match; None where the game is too large to solve, which is said."""
    from zerosum.cli.coaching import coach_of  # noqa: PLC0415 - most matches are played without the solver
    from zerosum.solver import SolverError  # noqa: PLC0415 - likewise

    try:
        return coach_of(match.setup.rules)
    except SolverError as error:
        console.notice(f"There is no coach for this game. {error}")
        return None


def _conduct(referee: Referee, dialogue: Dialogue, console: Console, bots: Outsiders, match_id: str) -> int | None:
    """Conduct one match; return an exit status if it was left unfinished."""
    try:
        bots.begin(referee.match.setup)
        dialogue.conduct()
    except Quit:
        return DONE
    except EndOfInput:
        return CUT_OFF
    except KeyboardInterrupt:
        return INTERRUPTED
    except (JournalError, BotGoneError) as error:
        console.notice(f"zerosum: {error}")
        return CUT_OFF
    except OSError:
        console.notice(_kept(referee.match.setup, match_id))
        raise
    return None


def _notices(match: Match, console: Console) -> Iterator[str]:
    """Yield what a player should know before the first move of a match, or of a series."""
    setup = match.setup
    if not _is_first(match):
        return
    if console.interactive and not match.moves:
        yield "Numbers are moves; type help for the commands."
    people = any(map(setup.is_human, Person))
    if setup.forfeits and people:
        yield f"In {setup.rules.name} an invalid move forfeits the match; --lenient asks again instead."
    if setup.rules.tie is Tie.SUDDEN_DEATH and not people:
        yield (
            f"The referee stops this match after {setup.plies} moves; "
            "then whoever would win with perfect play from there wins."
        )


def _left(saved: SavedMatches, match: Match, console: Console, match_id: str, status: int) -> int:
    """Say what becomes of a match that was left: without a move it is forgotten on `quit`, else it is kept."""
    if status == DONE and not match.moves and _is_first(match):
        saved.forget(match_id)
        console.notice("No move was made, so nothing is kept.")
    else:
        console.notice(_kept(match.setup, match_id))
    return status


def _kept(setup: Setup, match_id: str) -> str:
    return f"The match is kept. To go on: {to_resume(setup, match_id)}"


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
