"""Options that several commands of `zerosum exam` share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import click

from zerosum.exam import limits

FORMATS: Final = ("line", "json", "tool")
ALL: Final = "all"
KEY: Final = "ZEROSUM_MODEL_KEY"
_LEVELS: Final = ("random", *(f"level:{n}" for n in range(1, 10)), "perfect")


def _options(*options: Callable[[Any], Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator that gives a command some options, in this order."""

    def give(one: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            one = option(one)
        return one

    return give


def _number(name: str, least: int, most: int, default: int, words: str) -> Callable[[Any], Any]:
    """Return an option that takes a whole number within limits."""
    return click.option(
        name, metavar="N", type=click.IntRange(least, most), default=default, show_default=True, help=words
    )


items_argument: Final[Callable[[Any], Any]] = click.argument("items", metavar="ITEMS")
salt_options: Final = _options(
    click.option("--seed", metavar="S", help="Draw from a public seed."),
    click.option("--salt-env", metavar="VAR", help="Draw from a secret salt, in this environment variable."),
)
style_options: Final = _options(
    click.option("--legal-moves", is_flag=True, help="List the legal moves in the question."),
    click.option("--no-history", is_flag=True, help="Leave out the moves so far."),
    click.option("--no-thinking", is_flag=True, help="Ask for the answer and nothing else."),
    click.option(
        "--format",
        "answer_format",
        type=click.Choice(FORMATS),
        default="line",
        show_default=True,
        help="How the answer is written.",
    ),
)
lenient_option: Final[Callable[[Any], Any]] = click.option(
    "--lenient", is_flag=True, help="Where no clear answer is given, take the last move that is named."
)
against_option: Final[Callable[[Any], Any]] = click.option(
    "--against",
    type=click.Choice(_LEVELS),
    metavar="LEVEL",
    default="level:5",
    show_default=True,
    help="The opponent of practical regret.",
)
run_options: Final = _options(
    _number("--tries", 1, limits.TRIES, 1, "Times to ask where the reply is no legal move."),
    lenient_option,
    click.option("--temperature", metavar="T", type=click.FloatRange(0, 2), help="Sent to the endpoint."),
    click.option("--max-tokens", metavar="N", type=click.IntRange(1, 1_000_000), help="Sent to the endpoint."),
    click.option(
        "--seconds",
        metavar="S",
        type=click.FloatRange(0.1, limits.SECONDS),
        default=120.0,
        show_default=True,
        help="Time for a reply.",
    ),
    _number("--retries", 1, limits.RETRIES, 6, "Times to ask where no answer comes, with growing pauses."),
    _number("--jobs", 1, limits.JOBS, 1, "Items asked at the same time."),
)
make_options: Final = _options(
    click.option(
        "--games", metavar="IDS", default=ALL, show_default=True, help="Games or rules files, with commas between them."
    ),
    _number("--count", 1, limits.COUNT, 40, "Positions of each game."),
    _number("--fresh", 0, limits.FRESH, 3, "Fresh variants that share the positions with each game."),
    _number("--reskin", 0, limits.RESKINS, 3, "Reskins of each position, beside the position as it is."),
)
who_options: Final = _options(
    click.option("--model", metavar="NAME", help="The model, as its endpoint calls it."),
    click.option("--url", metavar="URL", help="An endpoint that speaks OpenAI's chat completions."),
    click.option("--key-env", metavar="VAR", help=f"The variable that holds the key.  [default: {KEY}]"),
    click.option("--command", "program", metavar="CMD", help="A command: question on standard input, reply on output."),
    click.option("--name", metavar="NAME", help="What the report calls it.  [default: the model or the program]"),
    click.option("--out", metavar="RUN", required=True, help="The folder that keeps the run."),
    click.option("--resume", is_flag=True, help="Ask what is missing in RUN."),
)
