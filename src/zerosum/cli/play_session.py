"""A session at the terminal: a new or an unfinished match, and the matches of a series, one after the other."""

from __future__ import annotations

import os
import shutil
import textwrap
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from zerosum.base.english import count
from zerosum.base.errors import ZerosumError
from zerosum.base.files import check_new, write_new
from zerosum.base.text import printable, shorten
from zerosum.cli.coaching import coach_of
from zerosum.cli.console import Console, EndOfInput, Quit, TextStyle
from zerosum.cli.dialogue import Coach, Dialogue
from zerosum.cli.dialogue_text import names_at_terminal, series_ended, series_score, shown_names
from zerosum.cli.progress_line import progress_line
from zerosum.match.journal import JournalError
from zerosum.match.match import Match
from zerosum.match.new_setup import new_setup
from zerosum.match.referee import Referee
from zerosum.match.saved import SavedMatch, SavedMatches, UnknownMatchError
from zerosum.match.setup import BOTH_SEATS, OUTSIDE, Person, Setup, SetupError
from zerosum.match.typed_moves import means, read_prompt_command
from zerosum.players import HUMAN, Players, check_player, choose, prepare
from zerosum.rules.model import Rules, Tie
from zerosum.rules.moves import Move
from zerosum.rules.outcome import Outcome
from zerosum.rules.record import Ending
from zerosum.solver import SolverError
from zerosum.strategy.card_player import PLAYERS

BOT_PREFIX: Final = "bot:"
DEFAULT_NAMES: Final = ("Player 1", "Player 2")
DONE, CUT_OFF, INTERRUPTED = 0, 1, 130
_INDENT = " " * 4
"""Below the number of a match."""
_NARROWEST = 20


class BotGoneError(ZerosumError):
    """A bot that cannot be started any more; the match is kept."""


class Opponents:
    """The opponents of a match without bots."""

    @property
    def players(self) -> Players:
        """The registry that knows the players of this match."""
        return PLAYERS

    def names(self, given: tuple[str, str] | None) -> tuple[str, str]:
        """Return the names of the two players."""
        return given or DEFAULT_NAMES

    def begin(self, setup: Setup) -> None:
        """Get ready for a match."""

    def choose(self, match: Match) -> Move | Ending:
        """Return the move of the player to move, or how that player loses."""
        return choose(match.setup.who[match.to_move - 1], match.position, match.seed)

    def end(self, outcome: Outcome | None) -> None:
        """Take note of the outcome of a match."""


def resume_command(setup: Setup, match_id: str) -> str:
    """Return the command that continues a match; its bots have to be named again."""
    bots = sum(who in OUTSIDE for who in setup.who)
    return " ".join(("zerosum resume", match_id, *["--vs bot:COMMAND"] * bots))


def players_to_resume(setup: Setup, match_id: str, given: tuple[str, ...]) -> tuple[str, str]:
    """Return who plays when a match continues; the commands of its bots, which no record keeps, are given again."""
    seats = [person for person in Person if setup.who[person - 1] in OUTSIDE]
    if len(given) != len(seats) or not all(name.startswith(BOT_PREFIX) for name in given):
        if not seats:
            raise SetupError(f"No bot plays in match {match_id}; leave out --vs.")
        names = " and ".join(setup.name(person) for person in seats)
        raise SetupError(
            f"No match keeps the command of a bot. To go on with {names}: {resume_command(setup, match_id)}"
        )
    commands = iter(given)
    one, two = (next(commands) if person in seats else setup.who[person - 1] for person in Person)
    return one, two


def play_against(
    saved: SavedMatches, rules: Rules, opponent: str, console: Console, *, first: str = "1", best_of: int | None = None
) -> int:
    """Play a new match, or a new series, of a person against a computer; `first` is 1, 2 or toss."""
    setup = new_setup(
        rules, who=(HUMAN, opponent), first=first, best_of=best_of, series_id=saved.new_id, at_terminal=True
    )
    return start_match(saved, setup, console, tossed=first == "toss")


def start_match(
    saved: SavedMatches,
    setup: Setup,
    console: Console,
    record: str | None = None,
    *,
    tossed: bool = False,
    coached: bool = False,
    opponents: Opponents | None = None,
) -> int:
    """Play a new match, or a new series; return the exit status."""
    _prepare_computers(setup)
    if tossed:
        first = shown_names(setup, at_terminal=console.at_terminal).name(setup.first)
        console.notice(f"The toss: {'you move' if first.you else f'{printable(first)} moves'} first.")
    return continue_match(saved, saved.create(setup), console, record, coached=coached, opponents=opponents)


def continue_match(
    saved: SavedMatches,
    match_id: str,
    console: Console,
    record: str | None = None,
    *,
    coached: bool = False,
    opponents: Opponents | None = None,
) -> int:
    """Play a saved match to its end, and the rest of its series, and again if asked to; return the exit status."""
    current: str | None = match_id
    notices_given = False
    if opponents is None:
        players_to_resume(saved.match(match_id).setup, match_id, ())
        opponents = Opponents()
    while current is not None:
        with saved.opened(current) as journal:
            if journal.reading.dropped:
                console.notice(f"Match {current}: an unfinished last line was dropped; it had not been acknowledged.")
            setup = journal.reading.match.setup
            _prepare_computers(setup)
            names = shown_names(setup, at_terminal=console.at_terminal)
            referee = Referee(journal.reading.match, journal.write, journal.reading.entries, names.within)
            score = series_score(journal.reading.match, saved.score(journal.reading.match), names)
            console.say(score.lstrip("\n") if _is_first(journal.reading.match) else score)
            if not notices_given:
                notices_given = True
                for line in _notices(journal.reading.match, console):
                    console.notice(line)
            coach = _coach(referee.match, console) if coached else None
            dialogue = Dialogue(referee, console, names, coach, opponents.choose)
            status = _play_match(referee, dialogue, console, opponents, current)
            following = saved.settle(current, referee.match) if status is None else None
        if status is not None:
            return _leave(saved, referee.match, console, current, status)
        opponents.end(referee.match.outcome)
        _write_record(record, referee.match)
        if setup.series is not None and following is None:
            console.say(series_ended(referee.match, saved.score(referee.match), names))
        if following is None and record is None and _offers_more(setup, console):
            from zerosum.cli.after_match import AfterMatch  # noqa: PLC0415 - a match through a pipe has nothing after it

            following = AfterMatch(saved, referee.match, console, current).ask()
        current = following
    return DONE


def _offers_more(setup: Setup, console: Console) -> bool:
    """Return whether somebody is asked for one more match: a person at a terminal."""
    return console.at_terminal and any(map(setup.is_human, Person))


def _prepare_computers(setup: Setup) -> None:
    """Let the computers of a match solve its game; a large one takes a while."""
    computers = [who for who in setup.who if who != HUMAN and who not in OUTSIDE]
    if computers:
        with progress_line(f"Solving {setup.rules.name}"):
            for who in computers:
                prepare(check_player(who), setup.rules)


def _coach(match: Match, console: Console) -> Coach | None:
    """Return the coach of a match; None after saying that the game is too large to solve."""
    try:
        return coach_of(match.setup.rules)
    except SolverError as error:
        console.notice(f"There is no coach for this game. {error}")
        return None


def _play_match(
    referee: Referee, dialogue: Dialogue, console: Console, opponents: Opponents, match_id: str
) -> int | None:
    """Conduct one match; return an exit status if it was left unfinished."""
    try:
        opponents.begin(referee.match.setup)
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
        console.notice(_kept_notice(referee.match.setup, match_id))
        raise
    return None


def _notices(match: Match, console: Console) -> Iterator[str]:
    """Yield what a player should know before the first move of a match, or of a series."""
    setup = match.setup
    if not _is_first(match):
        return
    if console.interactive and not match.moves:
        yield "Numbers are moves; type help for the commands."
    if setup.series is not None and setup.series.best_of == BOTH_SEATS:
        yield "Each player moves first once: any game is even this way, and 1 to 1 is a draw."
    people = any(map(setup.is_human, Person))
    if setup.forfeits and people:
        yield f"In {setup.rules.name} an invalid move forfeits the match; --lenient asks again instead."
    if setup.rules.tie is Tie.SUDDEN_DEATH and not people:
        yield (
            f"The referee stops this match after {setup.plies} moves; "
            "then whoever would win with perfect play from there wins."
        )


def _leave(saved: SavedMatches, match: Match, console: Console, match_id: str, status: int) -> int:
    """Report what happens to a match that was left: without a move `quit` forgets it, otherwise it is kept."""
    if status == DONE and not match.moves and _is_first(match):
        saved.forget(match_id)
        console.notice("No move was made, so nothing is kept.")
    else:
        console.notice(_kept_notice(match.setup, match_id))
    return status


def _kept_notice(setup: Setup, match_id: str) -> str:
    return f"The match is kept. To go on: {resume_command(setup, match_id)}"


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


def choose_unfinished(unfinished: list[SavedMatch], console: Console) -> str:
    """Return the only unfinished match; of several, the one that a person at a terminal chooses."""
    for one in unfinished:
        if one.damage:
            console.notice(one.damage)
    readable = [one for one in reversed(unfinished) if one.match is not None]
    if not readable:
        raise UnknownMatchError("There is no unfinished match. To begin one: zerosum play GAME")
    if len(readable) == 1:
        return readable[0].id
    if not console.interactive:
        for one in readable:
            console.say(f"{as_line(one)}\n")
        raise UnknownMatchError("There are several unfinished matches; say which: zerosum resume ID")
    return _ask(readable, console)


def _ask(readable: list[SavedMatch], console: Console) -> str:
    """Ask until a match is named by its number or its id; Enter takes the latest, which stands last."""
    for number, one in enumerate(readable, 1):
        console.say(_numbered_entry(number, one))
    choices = {str(number): one.id for number, one in enumerate(readable, 1)} | {one.id: one.id for one in readable}
    latest = len(readable)
    while True:
        try:
            answer = console.ask(f"Which match? [{latest}] ").lower()
        except EndOfInput:
            raise UnknownMatchError("No match was chosen.") from None
        if not answer:
            return readable[-1].id
        if answer in choices:
            return choices[answer]
        if means(answer, "quit"):
            raise Quit
        how = f"Type a number from 1 to {latest}, or q to leave; Enter takes the latest."
        wrong = "" if read_prompt_command(answer) else f"'{shorten(answer)}' is none of these matches. "
        console.say(f"{wrong}{how}\n", TextStyle.REFUSAL)


def _numbered_entry(number: int, one: SavedMatch) -> str:
    """Return a match as it is offered: in one line if the terminal is wide enough, else in several."""
    what = _match_words(one)
    columns = max(shutil.get_terminal_size().columns, _NARROWEST)
    line = f"{number:>2}  {what}  {one.id}  {_date(one)}"
    if len(line) <= columns:
        return f"{line}\n"
    lines = textwrap.wrap(what, columns, initial_indent=f"{number:>2}  ", subsequent_indent=_INDENT)
    return "\n".join([*lines, f"{_INDENT}{one.id}  {_date(one)}"]) + "\n"


def as_line(one: SavedMatch) -> str:
    """Return an unfinished match in one line, its id first."""
    if one.match is None:
        return f"{one.id:10}{printable(one.damage)}"
    return f"{one.id:10}{_date(one):21}{_match_words(one)}"


def _match_words(one: SavedMatch) -> str:
    if one.match is None:
        return printable(one.damage)
    setup = one.match.setup
    moves = count(len(one.match.moves), "move")
    return printable(f"{setup.rules.name}, {' and '.join(names_at_terminal(setup).labels)}, {moves}")


def _date(one: SavedMatch) -> str:
    return one.match.setup.date if one.match else ""
