"""`zerosum review`."""

from __future__ import annotations

import click

from zerosum.cli import review_words as words
from zerosum.cli.console import Console
from zerosum.cli.output import check_new, write_new
from zerosum.cli.parameters import json_option, memory_option, plain_option
from zerosum.cli.records import read_record
from zerosum.cli.report import outcome_json, print_json
from zerosum.cli.solving import solve_aloud
from zerosum.coach.review import Review, Reviewed, Standing, review
from zerosum.rules.model import Seat
from zerosum.rules.text import printable


@click.command
@click.argument("record")
@click.option("--html", metavar="FILE", help="Write the review to a new file, a page to step through.")
@memory_option
@json_option
@plain_option
def command(*, record: str, html: str | None, memory: int, as_json: bool, plain: bool) -> int:
    r"""Compare each move of a match with the truth. RECORD is a path, the ID of a match, or - for standard input.

    Shows who stood to win after each move, where that turned and why, and how well each side chose.

    \b
    Examples:
      zerosum review match.txt
      zerosum review k7q2mf --html review.html
      zerosum review match.txt --json
    """
    if html is not None:
        check_new(html)
    console = Console(plain=plain)
    match = read_record(record, console)
    found = review(match, solve_aloud(match.setup.rules, memory))
    if html is not None:
        from zerosum.cli.review_html import page  # noqa: PLC0415 - most reviews are read at the terminal

        write_new(html, page(found).encode())
        console.notice(f"The page is in {printable(html)}.")
    if as_json:
        print_json(as_document(found))
        return 0
    from zerosum.cli.review_text import show  # noqa: PLC0415 - likewise

    show(found, console)
    return 0


def as_document(found: Review) -> dict[str, object]:
    """Return a review as JSON."""
    match = found.match
    return {
        "game": match.setup.rules.id,
        "names": list(match.setup.names),
        "first": match.setup.first.value,
        "start": _standing(found.opening),
        "moves": [_move(found, one) for one in found.moves],
        "blunders": {str(seat.value): found.blunders(seat) for seat in Seat},
        "accuracy": {str(seat.value): found.accuracy(seat) for seat in Seat},
        "turning_points": [one.n for one in found.turning_points],
        "given_up": found.given_up.value if found.given_up else None,
        "outcome": outcome_json(match.outcome),
    }


def _move(found: Review, one: Reviewed) -> dict[str, object]:
    return {
        "n": one.n,
        "seat": one.seat.value,
        "player": one.person.value,
        "move": one.position.text_of(one.move),
        "verdict": one.before.verdict.value,
        "plies": one.before.plies,
        "after": one.after.verdict.value,
        "after_plies": one.after.plies,
        "stands": _standing(one.standing),
        "real_choice": one.real,
        "blunder": one.blunder,
        "better": [one.position.text_of(move) for move in one.better],
        "reason": words.why(found.match, one),
    }


def _standing(standing: Standing) -> dict[str, object]:
    """Return which player stands to win, not which seat: a swap changes seats."""
    return {"player": standing.winner.value if standing.winner else None, "plies": standing.plies}
