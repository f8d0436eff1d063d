"""`zerosum metrics`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, Final, cast

import click

from zerosum.cli.lab_store import kept_metrics
from zerosum.cli.metrics_table import table_of
from zerosum.cli.parameters import json_option
from zerosum.cli.report import print_json
from zerosum.cli.solving import aloud
from zerosum.cli.width import clip, echo, terminal_columns
from zerosum.lab.metrics import ALL
from zerosum.lab.shapes import Metrics
from zerosum.rules.files import load_game
from zerosum.rules.guess import did_you_mean
from zerosum.rules.model import Rules

_SHOWN: Final = "random,2,5"
"""The players that a table shows."""
_WIDE: Final = 100
"""Columns where standard output is no terminal."""


def _games(ctx: click.Context, param: click.Parameter, value: Sequence[str]) -> list[Rules]:  # noqa: ARG001 - click's own signature
    return [load_game(one) for one in value]


def _players(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[str, ...] | None:
    if value is None:
        return None
    short = {who.removeprefix("level:"): who for who in ALL}
    chosen = []
    for word in value.split(","):
        who = short.get(word.strip().removeprefix("level:"))
        if who is None:
            hint = did_you_mean(word.strip(), short, f"The players are {', '.join(short)}.")
            raise click.BadParameter(f"There is no level '{clip(word.strip(), 20)}'. {hint}", ctx, param)
        chosen.append(who)
    return tuple(who for who in ALL if who in chosen)


@click.command
@click.argument("games", metavar="GAME...", nargs=-1, required=True, callback=_games)
@click.option(
    "--levels",
    metavar="LIST",
    callback=_players,
    help=f"The players to show: some of random, 1 to 9 and perfect. A table shows {_SHOWN}, JSON all.",
)
@json_option
def command(*, games: list[Rules], levels: tuple[str, ...] | None, as_json: bool) -> int:
    r"""Measure GAME exactly, several games side by side: how fair it is, how long, how rich in choices, how dramatic.

    Each figure is of matches between two equal players, computed and not sampled.

    \b
    Examples:
      zerosum metrics sum31
      zerosum metrics sum31 ./my-variant.toml --levels random,2,5
      zerosum metrics zero-sum-duel --json
    """
    documents = []
    for n, rules in enumerate(games, 1):
        with aloud(f"Measuring {rules.name} ({n} of {len(games)}; computed once, then kept)"):
            documents.append(kept_metrics(rules))
    if as_json:
        print_json({"games": [_only(one, levels or ALL) for one in documents]})
    else:
        who = levels or _players(click.get_current_context(), click.Option(["--levels"]), _SHOWN) or ALL
        names = [rules.name for rules in games]
        echo("\n".join(table_of(names, documents, who, terminal_columns(sys.stdout) or _WIDE)))
    return 0


def _only(document: Metrics, who: Sequence[str]) -> Metrics:
    """Return a document with only some of the players."""

    def part(value: Any) -> Any:  # noqa: ANN401 - any part of a document
        of_players = isinstance(value, dict) and "random" in value
        return {one: value[one] for one in who} if of_players else value

    return cast("Metrics", {key: part(value) for key, value in document.items()})
