"""`zerosum replay` and `zerosum review`: a recorded match, shown or judged.

- replay (Play 5): Show a recorded match, move by move.
- review (Learn 3): Each move of a match against the truth.
"""

from __future__ import annotations

from typing import Final

import click

from zerosum.base.files import check_new, write_new
from zerosum.base.text import printable
from zerosum.cli import dialogue_text
from zerosum.cli.console import Console, TextStyle
from zerosum.cli.dialogue import show_move
from zerosum.cli.own_record import read_record
from zerosum.cli.parameters import json_option, memory_option, plain_option, print_json
from zerosum.cli.progress_line import solve_with_progress
from zerosum.cli.review_text import print_review, speakers
from zerosum.cli.user_data import saved_matches
from zerosum.coach.review import review
from zerosum.coach.review_page import page
from zerosum.coach.review_words import ReviewDocument, swap_command
from zerosum.match.match import Match

_STDOUT: Final = "-"


@click.command
@click.argument("record", required=False)
@plain_option
def replay_command(*, record: str | None, plain: bool) -> None:
    r"""Show a recorded match, move by move. RECORD is a path, the ID of a match, or - for standard input.

    At a terminal, without RECORD, it is the match that you finished last.

    \b
    Examples:
      zerosum replay match.txt
      zerosum replay k7q2mf
    """
    console = Console(plain=plain)
    show_moves(read_record(record if record is not None else _last_record(console), console), console)


def show_moves(match: Match, console: Console) -> None:
    """Say everything that was said when the match was played."""
    names = dialogue_text.shown_names(match.setup, at_terminal=console.at_terminal)
    played = Match(match.setup, start=match.start)
    console.say(dialogue_text.say(played, names, "opening"))
    for move in match.moves:
        if played.moves:
            console.say(dialogue_text.say(played, names, "turn"))
        show_move(console, played, move, names)
        played = played.after(move)
        console.say(dialogue_text.moved(played, names))
    if match.outcome is None:
        mover = names.name(match.to_move)
        console.say(f"\nThe match is unfinished; {'you are' if mover.you else f'{printable(mover)} is'} to move.\n")
    else:
        console.say(dialogue_text.ended(match, match.outcome, names), TextStyle.OUTCOME)


@click.command
@click.argument("record", required=False)
@click.option(
    "--html", metavar="FILE", help="Write the review to a new file, a page to step through; - is standard output."
)
@memory_option
@json_option
@plain_option
def review_command(*, record: str | None, html: str | None, memory: int, as_json: bool, plain: bool) -> None:
    r"""Compare each move of a match with the truth. RECORD is a path, the ID of a match, or - for standard input.

    Shows who stood to win after each move, where that turned and why, and how well each side chose. At a terminal,
    without RECORD, it is the match that you finished last.

    \b
    Examples:
      zerosum review match.txt
      zerosum review k7q2mf --html review.html
      zerosum review match.txt --html - > review.html
      zerosum review match.txt --json
    """
    if html == _STDOUT and as_json:
        raise click.UsageError("--html - and --json both write to standard output; give one of them.")
    if html not in (None, _STDOUT):
        check_new(html)
    console = Console(plain=plain)
    match = read_record(record if record is not None else _last_record(console), console)
    found = review(match, solve_with_progress(match.setup.rules, memory))
    if html is not None:
        if html == _STDOUT:
            click.echo(page(found, speakers(found)).encode(), nl=False)
            return
        write_new(html, page(found, speakers(found)).encode())
        console.notice(f"The page is in {printable(html)}.")
    if as_json:
        print_json(ReviewDocument.of(found))
        return
    print_review(found, console)
    if command := swap_command(found):
        console.say(f"\nSwap seats? {command}\n")


def _last_record(console: Console) -> str:
    """Return the match that was finished last, at a terminal."""
    finished = saved_matches().ids(finished=True) if console.at_terminal else []
    if not finished:
        which = "RECORD is a path, the ID of a match, or - for standard input."
        raise click.MissingParameter(which, param_hint="'RECORD'", param_type="argument")
    return finished[0]
