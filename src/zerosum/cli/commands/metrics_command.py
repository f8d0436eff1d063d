"""`zerosum metrics`: a table of exact figures, a column for each game.

- metrics (Design 3): How even, long, rich and dramatic a game is, in exact figures.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any, Final

import click

from zerosum.base.text import did_you_mean
from zerosum.cli.lab_access import WIDE, cached_metrics, first_bars, seat_advice
from zerosum.cli.parameters import json_option, named_game, print_json
from zerosum.cli.progress_line import progress_line
from zerosum.cli.terminal_text import clip, echo, pad, table, terminal_columns, width
from zerosum.lab.metrics import ALL, METRICS, MetricsJson, Row, of_players
from zerosum.players.odds import RANDOM
from zerosum.rules.model import Rules

_MOST: Final = 26
"""Columns of the name of a game, at most."""
_GAP: Final = 2

Line = tuple[str, list[str]]
"""A label and its cells; a heading has no cells."""


def table_of(names: Sequence[str], documents: Sequence[MetricsJson], who: Sequence[str], columns: int) -> list[str]:
    """Return the lines of the table: of one game its players side by side, of several the games."""
    facts: list[Line] = [
        (row.title, [_cell(row, one[key]) for one in documents]) for key, row in _rows(documents, players=False)
    ]
    blocks = _rows(documents, players=True)
    players = [one.replace(":", " ") for one in who]
    if len(documents) == 1:
        (game,) = documents
        rows: list[Line] = [(row.title, [_cell(row, game[key], one) for one in who]) for key, row in blocks]
        label = max(len(text) for text, _ in [*facts, *rows])
        head = [f"{names[0]}, measured", "", *(f"{pad(text, label)}  {cell}" for text, (cell,) in facts)]
        return [
            *head,
            "",
            *first_bars(game["first"], columns),
            *seat_advice(game["first"]),
            "",
            "Between equals",
            *_grid(players, rows, label, columns),
            "",
            *_remarks(documents),
        ]
    lines = list(facts)
    for key, row in blocks:
        lines += [("", []), (row.title, [])]
        # Who wins is listed for every level: how even a game is shows in all of them together.
        shown = ALL[:-1] if key == "first" else who
        lines += [(f"  {one.replace(':', ' ')}", [_cell(row, game[key], one) for game in documents]) for one in shown]
    label = max(len(text) for text, cells in lines if cells)
    return [*_grid(names, lines, label, columns), "", *_remarks(documents)]


def _grid(heads: Sequence[str], lines: Sequence[Line], label: int, columns: int) -> Iterator[str]:
    """Yield lines of columns, as many as fit side by side, the others below."""
    sizes = [
        max(min(_MOST, width(head)), *(width(cells[n]) for _, cells in lines if cells)) for n, head in enumerate(heads)
    ]
    at = 0
    while at < len(heads):
        until = at + 1
        while until < len(heads) and label + sum(size + _GAP for size in sizes[at : until + 1]) <= columns:
            until += 1
        if at:
            yield ""
        widths = (-label, *(size + _GAP for size in sizes[at:until]))
        for text, cells in [("", [clip(head, size) for head, size in zip(heads, sizes, strict=True)]), *lines]:
            row = (text, *cells[at:until])
            yield table(widths[: len(row)], row)[0].rstrip()
        at = until


def _rows(documents: Sequence[MetricsJson], *, players: bool) -> list[tuple[str, Row]]:
    """Return the rows about whole games, or those about players, each with the key of its metric."""
    every = [(one.key, row) for one in METRICS.values() if one.players == players for row in one.rows]
    shown = [
        (key, row)
        for key, row in every
        if not row.optional or any(_text(row, one[key], RANDOM if players else None) is not None for one in documents)
    ]
    return sorted(shown, key=lambda found: found[1].place)


def _cell(row: Row, value: Any, who: str | None = None) -> str:
    text = _text(row, value, who)
    return row.missing if text is None else text


def _text(row: Row, value: Any, who: str | None) -> str | None:
    return row.text(value if value is None or who is None else value[who])


def _remarks(documents: Sequence[MetricsJson]) -> Iterator[str]:
    rounds = [document for document in documents if document["scope"] == "first-round"]
    if rounds:
        yield "Sudden death: what is counted by plies or positions is counted in the first round."
        yield f"Each chance to win is off by at most {max(one['error'] for one in rounds):g}; the others are exact."
    else:
        yield "Two equal players meet; every figure is exact."


_SHOWN: Final = "random,2,5"
"""The players that a table shows."""


def _games(_ctx: click.Context, _param: click.Parameter, value: Sequence[str]) -> list[Rules]:
    return [named_game(one) for one in value]


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
def metrics_command(*, games: list[Rules], levels: tuple[str, ...] | None, as_json: bool) -> int:
    r"""Measure GAME exactly, several games side by side: how even it is, how long, how rich in choices, how dramatic.

    Each figure is of matches between two equal players, computed and not sampled.

    \b
    Examples:
      zerosum metrics sum31
      zerosum metrics sum31 ./my-variant.toml --levels random,2,5
      zerosum metrics zero-sum-duel --json
    """
    documents = []
    for n, rules in enumerate(games, 1):
        with progress_line(f"Measuring {rules.name} ({n} of {len(games)}; computed once, then kept)"):
            documents.append(cached_metrics(rules))
    if as_json:
        print_json({"games": [of_players(one, levels or ALL) for one in documents]})
    else:
        who = levels or _players(click.get_current_context(), click.Option(["--levels"]), _SHOWN) or ALL
        names = [rules.name for rules in games]
        echo("\n".join(table_of(names, documents, who, terminal_columns(sys.stdout) or WIDE)))
    return 0
