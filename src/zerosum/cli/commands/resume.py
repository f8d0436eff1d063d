"""`zerosum resume`."""

from __future__ import annotations

import click

from zerosum.cli import session
from zerosum.cli.console import Console, EndOfInput
from zerosum.cli.folders import saved_matches
from zerosum.cli.parameters import json_option, plain_option
from zerosum.cli.report import print_json
from zerosum.coach.documents import saved_json
from zerosum.match.saved import SavedMatch, UnknownMatchError
from zerosum.rules.text import printable


@click.command
@click.argument("match_id", metavar="[ID]", required=False)
@click.option("--list", "only_list", is_flag=True, help="Only list the unfinished matches.")
@click.option("--forget", metavar="ID", help="Delete a match.")
@click.option("--record", metavar="FILE", help="Write the record of the match to a new file.")
@json_option
@plain_option
def command(
    *, match_id: str | None, only_list: bool, forget: str | None, record: str | None, as_json: bool, plain: bool
) -> int:
    r"""Go on with the only unfinished match, or with the match ID.

    With several unfinished matches they are listed, and at a terminal one is asked for.

    \b
    Examples:
      zerosum resume
      zerosum resume k7q2mf
      zerosum resume --list --json
      zerosum resume --forget k7q2mf
    """
    saved = saved_matches()
    if forget is not None:
        saved.forget(forget)
        click.echo(f"Match {forget} is forgotten.")
        return 0
    if as_json and not only_list:
        raise click.UsageError("--json goes with --list.")
    if only_list:
        _print_list(saved.unfinished(), as_json=as_json)
        return 0
    console = Console(plain=plain)
    # Looking at them all first also puts away what a crash left, so that a series goes on from where it stands.
    unfinished = saved.unfinished()
    match_id = match_id or _choose(unfinished, console)
    session.check_records(record, saved.match(match_id).setup)
    return session.go_on(saved, match_id, console, record)


def _choose(unfinished: list[SavedMatch], console: Console) -> str:
    readable = [one for one in unfinished if one.match is not None]
    for one in unfinished:
        if one.damage:
            console.notice(one.damage)
    if not readable:
        raise UnknownMatchError("There is no unfinished match. To begin one: zerosum play GAME")
    if len(readable) == 1:
        return readable[0].id
    _print_list(readable, as_json=False)
    if not console.interactive:
        raise UnknownMatchError("There are several unfinished matches; say which: zerosum resume ID")
    try:
        return console.ask("Which match? ")
    except EndOfInput:
        raise UnknownMatchError("No match was chosen.") from None


def _print_list(unfinished: list[SavedMatch], *, as_json: bool) -> None:
    if as_json:
        print_json(saved_json(unfinished))
        return
    if not unfinished:
        click.echo("There is no unfinished match.")
    for one in unfinished:
        click.echo(_as_line(one))


def _as_line(one: SavedMatch) -> str:
    if one.match is None:
        return f"{one.id:10}{printable(one.damage)}"
    setup = one.match.setup
    players = printable(f"{setup.names[0]} and {setup.names[1]}")
    plies = len(one.match.moves)
    moves = "1 move" if plies == 1 else f"{plies} moves"
    return f"{one.id:10}{setup.date:21}{printable(setup.rules.name)}, {players}, {moves}"
