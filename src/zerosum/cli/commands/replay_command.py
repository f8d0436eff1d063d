"""`zerosum replay`."""

from __future__ import annotations

import click

from zerosum.cli import dialogue_text
from zerosum.cli.console import Console, TextStyle
from zerosum.cli.dialogue import show_move
from zerosum.cli.parameters import plain_option
from zerosum.cli.record_input import read_record
from zerosum.match.match import Match


@click.command
@click.argument("record")
@plain_option
def command(*, record: str, plain: bool) -> int:
    r"""Show a recorded match, move by move. RECORD is a path, the ID of a match, or - for standard input.

    \b
    Examples:
      zerosum replay match.txt
      zerosum replay k7q2mf
    """
    console = Console(plain=plain)
    show(read_record(record, console), console)
    return 0


def show(match: Match, console: Console) -> None:
    """Say everything that was said when the match was played."""
    played = Match(match.setup, start=match.start)
    console.say(dialogue_text.opening(played))
    for move in match.moves:
        if played.moves:
            console.say(dialogue_text.turn(played))
        show_move(console, played, move)
        played = played.after(move)
        console.say(dialogue_text.moved(played))
    if match.outcome is None:
        console.say(f"\nThe match is unfinished; {match.setup.name(match.to_move)} is to move.\n")
    else:
        console.say(dialogue_text.ended(match, match.outcome), TextStyle.OUTCOME)
