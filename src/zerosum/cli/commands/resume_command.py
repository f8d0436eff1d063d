"""`zerosum resume`."""

from __future__ import annotations

import click

from zerosum.cli import play_session
from zerosum.cli.computer_players import players_to_resume
from zerosum.cli.console import Console, Quit
from zerosum.cli.json_output import print_json
from zerosum.cli.parameters import json_option, plain_option
from zerosum.cli.user_data import saved_matches
from zerosum.match.saved import SavedMatch


@click.command
@click.argument("match_ids", metavar="[ID]", nargs=-1)
@click.option("--list", "only_list", is_flag=True, help="Only list the unfinished matches.")
@click.option("--forget", metavar="ID", multiple=True, help="Delete a match; more IDs may follow.")
@click.option("--vs", metavar="WHO", multiple=True, help="The bot of the match, bot:COMMAND; no match keeps a command.")
@click.option("--record", metavar="FILE", help="Write the record of the match to a new file.")
@json_option
@plain_option
def command(
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
            click.echo(f"Match {match_id} is forgotten.")
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
        match_id = match_ids[0] if match_ids else play_session.choose_unfinished(unfinished, console)
    except Quit:
        return 0
    setup = saved.match(match_id).setup
    who = players_to_resume(setup, match_id, vs)
    play_session.check_records(record, setup)
    with play_session.opponents_of(who, console) as opponents:
        return play_session.continue_match(saved, match_id, console, record, opponents=opponents)


def _print_list(unfinished: list[SavedMatch], *, as_json: bool) -> None:
    if as_json:
        print_json({"matches": unfinished})
        return
    if not unfinished:
        click.echo("There is no unfinished match.")
    for one in reversed(unfinished):
        click.echo(play_session.as_line(one))
