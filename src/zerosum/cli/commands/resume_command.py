"""`zerosum resume`."""

from __future__ import annotations

import click

from zerosum.cli import session
from zerosum.cli.bots import missing, outsiders
from zerosum.cli.console import Console, Quit
from zerosum.cli.json_output import print_json
from zerosum.cli.parameters import json_option, plain_option
from zerosum.cli.unfinished import as_line, choose
from zerosum.cli.user_folder import saved_matches
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
    # Looking at them all first also puts away what a crash left, so that a series goes on from where it stands.
    unfinished = saved.unfinished()
    try:
        match_id = match_ids[0] if match_ids else choose(unfinished, console)
    except Quit:
        return 0
    setup = saved.match(match_id).setup
    who = missing(setup, match_id, vs)
    session.check_records(record, setup)
    with outsiders(who, console) as bots:
        return session.go_on(saved, match_id, console, record, bots=bots)


def _print_list(unfinished: list[SavedMatch], *, as_json: bool) -> None:
    if as_json:
        print_json({"matches": unfinished})
        return
    if not unfinished:
        click.echo("There is no unfinished match.")
    for one in reversed(unfinished):
        click.echo(as_line(one))
