"""`zerosum card`.

- card (Learn 4): A short list of rules that always wins, proved.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from textwrap import wrap
from typing import Final

import click

from zerosum.base.english import listing
from zerosum.cli.parameters import json_option, last_game_argument, print_answer
from zerosum.cli.progress_line import progress_line
from zerosum.cli.terminal_text import reading_columns, table
from zerosum.coach.exercises import examples_of
from zerosum.rules.model import Rules, Seat
from zerosum.solver import solution_of
from zerosum.strategy.card import safe_words
from zerosum.strategy.card_report import CardDocument, CardReport, ExampleDocument, report_of
from zerosum.strategy.card_search import SECONDS, SearchLimit

_INDENT: Final = " " * 5
_SEATS = {Seat.FIRST: "first", Seat.SECOND: "second"}


@click.command
@last_game_argument
@click.option(
    "--seconds",
    metavar="N",
    type=click.FloatRange(0.1, 3600),
    default=SECONDS,
    help="How long to search for the card of a variant.",
)
@click.option("--recompute", is_flag=True, help="Compute every figure now, however long it takes.")
@json_option
def card_command(*, game: Rules, seconds: float, recompute: bool, as_json: bool) -> None:
    r"""Show the strategy card of GAME: a short list of rules, proved to win always.

    Each built-in game has its card. For a variant one is searched; if none is proved, the best found is shown and
    called so.

    \b
    Examples:
      zerosum card sum31
      zerosum card ./my-variant.toml --seconds 60
      zerosum card sum31 --json
    """
    with progress_line(f"The card of {game.name}") as say:
        report = report_of(solution_of(game), SearchLimit(seconds), say, recompute=recompute)
        examples = examples_of(report.card, solution_of(game))
    print_answer(
        as_json,
        lambda: CardDocument.of(report, examples),
        lambda: [*_card(report, examples), "", *_proof(report), *_figures(report)],
    )


def _card(report: CardReport, examples: Mapping[str, ExampleDocument]) -> list[str]:
    card, name = report.card, report.rules.name
    if report.proof.proved and card.seat is not None:
        head = f"{name}: with this card the {_SEATS[card.seat]} player always wins"
    else:
        head = f"{name}: the best card found; it is not proved to win"
    lines, columns = [head, ""], reading_columns(sys.stdout)
    for n, rule in enumerate(card.rules, 1):
        lines += wrap(f"{n:3}. {rule.words(report.rules)}", columns, subsequent_indent=_INDENT)
        if (example := examples.get(str(rule))) is not None:
            words = f"For example, in {example.position} play {listing(example.moves, 'or')}. {example.words}".rstrip()
            lines += wrap(words, columns, initial_indent=_INDENT, subsequent_indent=_INDENT)
    if card.exceptions:
        lines += ["", "Except here:", *(f"     {position}: {move}" for position, move in card.exceptions)]
    lines += [
        "",
        "Each rule keeps, of the moves still in, those that fit it, if any do.",
        "What is left at the end may be played freely.",
    ]
    if safe := safe_words(" ".join(rule.words(report.rules) for rule in card.rules)):
        lines.append(safe)
    if card.for_other is not None and card.seat is not None:
        rules = f"rules 1 to {card.for_other}" if card.for_other > 1 else "rule 1"
        lines.append(f"In the other seat, the {_SEATS[card.seat.other]} player's, go by {rules} alone.")
    if report.proof.proved and card.seat is not None:
        scores = "; what this one scores there is shown below" if report.against else ""
        lines.append(f"As the {_SEATS[card.seat.other]} player no card can force the win{scores}.")
    return lines


def _proof(report: CardReport) -> list[str]:
    proof, count = report.proof, report.proof.positions
    if proof.failure is not None:
        position, move = proof.failure
        return [f"It can lose: for one, when {position.text_of(move)} is played in {position}."]
    if report.card.seat is None:
        return ["In this game neither side can force a win."]
    if not proof.proved:
        return [f"Neither proved nor refuted: {count:,} positions were followed, and there are more."]
    return [f"Proved: every surviving move against every reply, in all {count:,} positions with the card to move."]


def _figures(report: CardReport) -> list[str]:
    if report.kept is None:
        return ["Its figures would take minutes; --recompute computes them."]
    good, choices = report.kept.good, report.kept.choices
    share = f"{good:,} of {choices:,} real choices ({report.kept.share:.1%})"
    lines = [f"Anywhere in the game, it keeps the best verdict in {share}."]
    if report.against:
        rows = ((one.who, f"{100 * one.as_first:.2f}", f"{100 * one.as_second:.2f}") for one in report.against)
        lines += ["", "How often it wins, in per cent", ""]
        lines += table((-9, 8, 8), ("against", "first", "second"), *rows)
    return lines
