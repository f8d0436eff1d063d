"""`zerosum metrics`: a table of exact figures, a column for each game."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, cast

import click

from zerosum.base.english import seat_name
from zerosum.base.text import did_you_mean
from zerosum.cli.lab_access import WIDE, cached_metrics, first_bars, seat_advice
from zerosum.cli.parameters import json_option, named_game, print_json
from zerosum.cli.progress_line import progress_line
from zerosum.cli.terminal_text import clip, echo, pad, table, terminal_columns, width
from zerosum.lab.metrics import ALL, MetricsJson, even_words
from zerosum.players.ladder import RANDOM
from zerosum.rules.model import Rules

_MOST: Final = 26
"""Columns of the name of a game, at most."""
_GAP: Final = 2

Cell = Callable[[MetricsJson], str]
ByPlayer = Callable[[MetricsJson, str], str]


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _value(one: MetricsJson) -> str:
    winner, plies = one["value"]["winner"], one["value"]["plies"]
    return "nobody wins" if winner is None else f"{seat_name(winner)} wins in {plies}"


def _winning(one: MetricsJson) -> str:
    return f"{one['openings']['winning']} of {one['openings']['count']}"


def _swap(one: MetricsJson) -> str:
    right = one["openings"]["swap_right"]
    return "no swap" if right is None else f"after {round(right * one['openings']['count'])}"


def _reach(one: MetricsJson) -> str:
    reach = one["skill"]["reach"]
    return "none" if reach is None else f"level {reach}"


def _of_positions(key: str) -> Cell:
    def cell(one: MetricsJson) -> str:
        graph = cast("dict[str, int]", one["graph"])
        return f"{graph[key]:,} ({graph[key] / graph['positions']:.0%})"

    return cell


def _longest(one: MetricsJson) -> str:
    longest = one["graph"]["longest"]
    return "no limit" if longest is None else f"{longest} plies"


def _useless(one: MetricsJson) -> str:
    idle = [str(entry["number"]) for entry in one["numbers"] if not entry["needed"]]
    return ", ".join(idle) or "none"


def _share(key: str) -> ByPlayer:
    return lambda one, who: _percent(cast("dict[str, dict[str, float]]", one)[key][who])


def _length(one: MetricsJson, who: str) -> str:
    length = one["length"][who]
    return f"{length['mean']:.1f} ± {length['sd']:.1f}"


def _step(one: MetricsJson, who: str) -> str:
    return _chance(one["step"][who])


_FIRST: Final = "First player wins"
_ROWS: Final[tuple[tuple[str, Cell], ...]] = (
    ("Between equals", lambda one: even_words(one["even_to"])),
    ("With perfect play", _value),
    ("Winning openings", _winning),
    ("Swapping is right", _swap),
    ("Levels that differ", lambda one: f"{one['skill']['depth']} of 9"),
    ("Holds against perfect", _reach),
    ("Positions", lambda one: f"{one['graph']['positions']:,}"),
    ("  the mover wins", _of_positions("mover_wins")),
    ("  a real choice", _of_positions("real")),
    ("  one right move", _of_positions("only")),
    ("Longest match", _longest),
    ("Numbers never needed", _useless),
)
_BLOCKS: Final[tuple[tuple[str, ByPlayer], ...]] = (
    (_FIRST, _share("first")),
    ("Plies, mean ± spread", _length),
    ("Over within 4 plies", _share("early")),
    ("Real choices", _share("density")),
    ("Only one right move", _share("only")),
    ("Changes of lead", lambda one, who: f"{one['changes'][who]:.2f}"),
    ("Won from behind", _share("behind")),
    ("Against perfect play", _share("perfect")),
    ("Against the level below", _step),
)


_ENDS: Final = {
    "reached-target": "Ends on the target",
    "overshot": "Ends past the target",
    "last-mover": "Ends: last mover wins",
    "closer": "Ends: closer wins",
    "tie-rule": "Ends: tie rule",
}
_REFILL: Final = "The pool is refilled"

Line = tuple[str, list[str]]
"""A label and its cells; a heading has no cells."""


def table_of(names: Sequence[str], documents: Sequence[MetricsJson], who: Sequence[str], columns: int) -> list[str]:
    """Return the lines of the table: of one game its players side by side, of several the games."""
    facts: list[Line] = [(text, [cell(document) for document in documents]) for text, cell in _facts(documents)]
    blocks = [*_BLOCKS, *_endings(documents)]
    players = [one.replace(":", " ") for one in who]
    if len(documents) == 1:
        (game,) = documents
        rows: list[Line] = [(title, [cell(game, one) for one in who]) for title, cell in blocks]
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
    for title, cell in blocks:
        lines += [("", []), (title, [])]
        # Who wins is listed for every level: how even a game is shows in all of them together.
        shown = ALL[:-1] if title == _FIRST else who
        lines += [(f"  {one.replace(':', ' ')}", [cell(game, one) for game in documents]) for one in shown]
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


def _facts(documents: Sequence[MetricsJson]) -> Iterator[tuple[str, Cell]]:
    """Yield the rows about a game as a whole; swapping has one only in games with a swap."""
    for text, cell in _ROWS:
        if cell is not _swap or any(document["openings"]["swap_right"] is not None for document in documents):
            yield text, cell


def _endings(documents: Sequence[MetricsJson]) -> Iterator[tuple[str, ByPlayer]]:
    """Yield how matches end, for every way that one of the games knows."""
    for reason, title in _ENDS.items():
        if any(reason in document["endings"][RANDOM] for document in documents):
            yield title, _ending(reason)
    if any(document["refill"] is not None for document in documents):
        yield _REFILL, lambda one, who: _chance(None if one["refill"] is None else one["refill"][who])


def _ending(reason: str) -> ByPlayer:
    return lambda one, who: _chance(one["endings"][who].get(reason))


def _chance(chance: float | None) -> str:
    return "-" if chance is None else _percent(chance)


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
        print_json({"games": [_only(document, levels or ALL) for document in documents]})
    else:
        who = levels or _players(click.get_current_context(), click.Option(["--levels"]), _SHOWN) or ALL
        names = [rules.name for rules in games]
        echo("\n".join(table_of(names, documents, who, terminal_columns(sys.stdout) or WIDE)))
    return 0


def _only(document: MetricsJson, who: Sequence[str]) -> MetricsJson:
    """Return a document with only some of the players."""

    def part(value: Any) -> Any:
        of_players = isinstance(value, dict) and "random" in value
        return {one: value[one] for one in who} if of_players else value

    return cast("MetricsJson", {key: part(value) for key, value in document.items()})
