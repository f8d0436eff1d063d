"""`zerosum play` and `zerosum resume`.

- play (Play 1): One match at the terminal.
- resume (Play 2): Go on with an unfinished match.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

import click
from click.core import ParameterSource

from zerosum.cli.console import Console, Quit
from zerosum.cli.menu import ask_rules
from zerosum.cli.own_record import game_key, own_results
from zerosum.cli.parameters import (
    games_listed,
    json_option,
    optional_game_argument,
    plain_option,
    print_json,
    whole_number,
)
from zerosum.cli.play_session import (
    BOT_PREFIX,
    Opponents,
    as_line,
    check_records,
    choose_unfinished,
    continue_match,
    players_to_resume,
    start_match,
)
from zerosum.cli.terminal_text import echo
from zerosum.cli.user_data import saved_matches
from zerosum.coach.next_step import fitting_level
from zerosum.match.new_setup import new_setup
from zerosum.match.saved import SavedMatch
from zerosum.match.setup import SetupError, check_best_of
from zerosum.players import HUMAN
from zerosum.rules.model import Rules
from zerosum.strategy.card_player import PLAYERS


def _best_of(text: str) -> int:
    try:
        return check_best_of(whole_number(text))
    except SetupError as error:
        raise click.BadParameter(str(error)) from None


@click.command
@optional_game_argument
@click.option("--p1", metavar="WHO", default=HUMAN, help="Who plays as Player 1.")
@click.option(
    "--p2",
    metavar="WHO",
    help=f"Who plays as Player 2: {', '.join((HUMAN, *PLAYERS.spoken(), 'bot:COMMAND'))}. 3 is level:3, and computer "
    f"is the level that fits you.  [default: {HUMAN}]",
)
@click.option("--vs", metavar="WHO", help="The same as --p2.")
@click.option("--first", type=click.Choice(["1", "2", "toss"]), default="1", help="Who moves first.")
@click.option(
    "--best-of", metavar="N", type=_best_of, help="A series, seats swapped: N is odd, or 2 (1 to 1 is a draw)."
)
@click.option("--names", nargs=2, metavar="A B", help="The names of the two players.")
@click.option("--seed", metavar="S", help="Makes toss and computer players repeatable.")
@click.option("--record", metavar="FILE", help="Write the record of the match to a new file.")
@click.option("--who-wins", is_flag=True, help="Say first who is favoured, then play.")
@click.option("--coach", is_flag=True, help="Say after a move that mattered which idea it followed or missed.")
@click.option("--lenient", is_flag=True, help="Ask again instead of forfeiting.")
@plain_option
@click.pass_context
def play_command(
    ctx: click.Context,
    *,
    game: Rules | None,
    p1: str,
    p2: str | None,
    vs: str | None,
    first: str,
    best_of: int | None,
    names: tuple[str, str] | None,
    seed: str | None,
    record: str | None,
    who_wins: bool,
    coach: bool,
    lenient: bool,
    plain: bool,
) -> int:
    r"""Play one match of GAME at the terminal; without GAME, a menu asks.

    At any prompt, numbers are moves and these words are commands: hint, undo, moves, rules, resign, quit, help.

    \b
    Examples:
      zerosum play sum31
      zerosum play sum31 --vs 3
      zerosum play zero-sum-duel --vs level:3 --lenient --who-wins
      zerosum play sum31 --vs level:2 --coach
      zerosum play sum31 --vs "bot:python3 my-bot.py"
      zerosum play ./my-variant.toml --names Ann Bob --best-of 3
      zerosum play sum31 --best-of 2
    """
    if p2 is not None and vs is not None:
        raise click.UsageError("--vs is the same as --p2; give one of them.")
    console = Console(plain=plain)
    if game is None:
        if not console.at_terminal:
            raise click.MissingParameter(f"{games_listed()}.", ctx, param_hint="'GAME'", param_type="argument")
        sources = [ctx.get_parameter_source(param.name or "") for param in ctx.command.params]
        if ParameterSource.COMMANDLINE not in sources:
            from zerosum.cli.menu import menu  # noqa: PLC0415 - a match of a given game needs no menu

            return menu()
        game = ask_rules(console)
        if game is None:
            return 0
        console.say("\n")
    who = (_player(p1, game), _player(p2 or vs or HUMAN, game))
    with _opponents(who, console) as opponents:
        saved = saved_matches()
        setup = new_setup(
            game,
            who=who,
            first=first,
            best_of=best_of,
            names=opponents.names(names),
            seed=seed,
            lenient=lenient,
            series_id=saved.new_id,
            at_terminal=True,
            players=opponents.players,
        )
        check_records(record, setup)
        if who_wins:
            from zerosum.cli.lab_access import who_wins_lines  # noqa: PLC0415 - loads the lab, which a match does not need

            for line in who_wins_lines(setup):
                console.notice(line)
        return start_match(saved, setup, console, record, tossed=first == "toss", coached=coach, opponents=opponents)


def _player(text: str, rules: Rules) -> str:
    """Return a player as somebody typed it: `3` is level 3, and `computer` the level that fits this person."""
    word = text.strip().lower().replace(" ", "")
    if word == "computer":
        return fitting_level(own_results(saved_matches()), game_key(rules))
    number = word.removeprefix("level")
    return f"level:{number}" if number.isascii() and number.isdecimal() else text


def _opponents(who: tuple[str, str], console: Console) -> AbstractContextManager[Opponents]:
    """Give the opponents among two players; only a bot is a program that is started, and ended in any case."""
    if not any(name.startswith(BOT_PREFIX) for name in who):
        return nullcontext(Opponents())
    from zerosum.cli.bot_opponents import bots_started  # noqa: PLC0415 - a match without bots needs no arena

    return bots_started(who, console)


@click.command
@click.argument("match_ids", metavar="[ID]", nargs=-1)
@click.option("--list", "only_list", is_flag=True, help="Only list the unfinished matches.")
@click.option("--forget", metavar="ID", multiple=True, help="Delete a match; more IDs may follow.")
@click.option("--vs", metavar="WHO", multiple=True, help="The bot of the match, bot:COMMAND; no match keeps a command.")
@click.option("--record", metavar="FILE", help="Write the record of the match to a new file.")
@json_option
@plain_option
def resume_command(
    *,
    match_ids: tuple[str, ...],
    only_list: bool,
    forget: tuple[str, ...],
    vs: tuple[str, ...],
    record: str | None,
    as_json: bool,
    plain: bool,
) -> int:
    r"""Go on with the only unfinished match, or with the match ID.

    Several unfinished matches are listed, the newest last; at a terminal one is asked for, and Enter takes the newest.

    \b
    Examples:
      zerosum resume
      zerosum resume k7q2mf
      zerosum resume k7q2mf --vs "bot:python3 my-bot.py"
      zerosum resume --list --json
      zerosum resume --forget k7q2mf w3xp9a
    """
    saved = saved_matches()
    if forget:
        ids = tuple(dict.fromkeys((*forget, *match_ids)))
        saved.forget(*ids)
        for match_id in ids:
            echo(f"Match {match_id} is forgotten.")
        return 0
    if len(match_ids) > 1:
        raise click.UsageError("One match can be gone on with at a time; --forget takes several.")
    if as_json and not only_list:
        raise click.UsageError("--json goes with --list.")
    if only_list:
        _print_list(saved.unfinished(), as_json=as_json)
        return 0
    console = Console(plain=plain)
    # This also cleans up after a crash, so that a series continues from its latest match.
    unfinished = saved.unfinished()
    try:
        match_id = match_ids[0] if match_ids else choose_unfinished(unfinished, console)
    except Quit:
        return 0
    setup = saved.match(match_id).setup
    who = players_to_resume(setup, match_id, vs)
    check_records(record, setup)
    with _opponents(who, console) as opponents:
        return continue_match(saved, match_id, console, record, opponents=opponents)


def _print_list(unfinished: list[SavedMatch], *, as_json: bool) -> None:
    if as_json:
        print_json({"matches": unfinished})
        return
    if not unfinished:
        echo("There is no unfinished match.")
    for one in reversed(unfinished):
        echo(as_line(one))
