"""Options that several commands of `zerosum exam` share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import click

_FORMATS: Final = ("line", "json", "tool")
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
        type=click.Choice(_FORMATS),
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
    click.option(
        "--tries",
        metavar="N",
        type=click.IntRange(1, 5),
        default=1,
        show_default=True,
        help="Times to ask where the reply is no legal move.",
    ),
    lenient_option,
    click.option("--temperature", metavar="T", type=click.FloatRange(0, 2), help="Sent to the endpoint."),
    click.option("--max-tokens", metavar="N", type=click.IntRange(1, 1_000_000), help="Sent to the endpoint."),
    click.option(
        "--seconds",
        metavar="S",
        type=click.FloatRange(0.1, 3_600),
        default=120.0,
        show_default=True,
        help="Time for a reply.",
    ),
    click.option(
        "--retries",
        metavar="N",
        type=click.IntRange(1, 20),
        default=6,
        show_default=True,
        help="Times to ask where no answer comes, with growing pauses.",
    ),
    click.option(
        "--jobs",
        metavar="N",
        type=click.IntRange(1, 64),
        default=1,
        show_default=True,
        help="Items asked at the same time.",
    ),
)
make_options: Final = _options(
    click.option(
        "--games", metavar="IDS", default=ALL, show_default=True, help="Games or rules files, with commas between them."
    ),
    click.option(
        "--count",
        metavar="N",
        type=click.IntRange(1, 1_000),
        default=40,
        show_default=True,
        help="Positions of each game.",
    ),
    click.option(
        "--fresh",
        metavar="N",
        type=click.IntRange(0, 20),
        default=3,
        show_default=True,
        help="Fresh variants that share the positions with each game.",
    ),
    click.option(
        "--reskin",
        metavar="N",
        type=click.IntRange(0, 8),
        default=3,
        show_default=True,
        help="Reskins of each position, beside the position as it is.",
    ),
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
