"""`zerosum levels` and `zerosum metrics`: tables of exact figures.

- levels (Measure 2): How strong the levels are: exact chances to win.
- metrics (Design 3): How even, long, rich and dramatic a game is, in exact figures.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import click

from zerosum.base.text import did_you_mean
from zerosum.cli.lab_access import WIDE, cached_metrics, cached_odds, first_bars, seat_advice
from zerosum.cli.parameters import game_argument, json_option, named_game, print_json
from zerosum.cli.progress_line import progress_line
from zerosum.cli.terminal_text import clip, echo, pad, table, terminal_columns, width
from zerosum.lab.metrics import ALL, METRICS, MetricsJson, Row, of_players
from zerosum.players.levels import STRENGTHS, Score
from zerosum.players.odds import RANDOM, Ladder, LadderDocument, Rung, ladder_of, odds_from
from zerosum.rules.model import Rules
from zerosum.solver import Verdict, solution_of

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
    top = "", [clip(head, size) for head, size in zip(heads, sizes, strict=True)]
    for part in _side_by_side([size + _GAP for size in sizes], columns - label):
        if part[0]:
            yield ""
        widths = (-label, *(sizes[at] + _GAP for at in part))
        for text, cells in (top, *lines):
            row = (text, *(cells[at] for at in part if cells))
            yield table(widths[: len(row)], row)[0].rstrip()


def _side_by_side(widths: Sequence[int], columns: int) -> list[list[int]]:
    """Return the places of columns in groups that fit beside each other."""
    parts: list[list[int]] = [[]]
    for at, size in enumerate(widths):
        if parts[-1] and sum(widths[one] for one in parts[-1]) + size > columns:
            parts.append([])
        parts[-1].append(at)
    return parts


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
def metrics_command(*, games: list[Rules], levels: tuple[str, ...] | None, as_json: bool) -> None:
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


_BELOW = "against the level below"
_PERFECT = "against perfect play"
_WHO = 7
_SKILL = {"sees": 10, "slips": 7}
_SEATS = {"first": 7, "second": 8, "both": 8}
_TABLE = 76
"""Columns of the table."""
_FAVOURS = {
    Verdict.WIN: "the first player wins",
    Verdict.LOSS: "the second player wins",
    Verdict.DRAW: "nobody can force a win",
}


@click.command
@game_argument
@click.option("--full", is_flag=True, help="Every player against every other.")
@click.option("--fresh", is_flag=True, help="Compute every chance now, even if it is known.")
@json_option
def levels_command(*, game: Rules, full: bool, fresh: bool, as_json: bool) -> None:
    r"""Show how strong the levels are in GAME: exact chances to win, computed and not sampled.

    Each level is measured against the one below it and against perfect play, from both seats. The tables of the
    built-in games come with zerosum; those of a variant are computed once, then kept.

    \b
    Examples:
      zerosum levels sum31
      zerosum levels zero-sum-duel --full
      zerosum levels ./my-variant.toml --json
    """
    with progress_line(f"The levels of {game.name}") as say:
        ladder = ladder_of(game, say, full=full, find=odds_from if fresh else cached_odds)
    if as_json:
        print_json(LadderDocument.of(ladder, full=full))
    else:
        columns = terminal_columns(sys.stdout) or WIDE
        echo(
            "\n".join(
                [*_tables(ladder, columns), *(_matrix(ladder, columns) if full else ()), "", *_ladder_remarks(ladder)]
            )
        )


def _tables(ladder: Ladder, columns: int) -> list[str]:
    """Return a table, or if it is too wide three, one below the other."""
    lines = [f"{ladder.rules.name}: how often each level wins, in per cent"]
    if columns >= _TABLE:
        rows = ((rung.who, *_skill(rung), *_scores(rung.below), *_scores(rung.perfect)) for rung in ladder.rungs)
        heads = ("", *_SKILL, *_SEATS, *_SEATS)
        return [*lines, "", *table((50, 26), (_BELOW, _PERFECT)), *table((-7, 10, 7, 10, 8, 8, 10, 8, 8), heads, *rows)]
    parts: tuple[tuple[str, dict[str, int], Callable[[Rung], tuple[str, ...]]], ...] = (
        ("", _SKILL, _skill),
        (_BELOW, _SEATS, lambda rung: _scores(rung.below)),
        (_PERFECT, _SEATS, lambda rung: _scores(rung.perfect)),
    )
    for title, widths, cells in parts:
        rows = ((rung.who, *cells(rung)) for rung in ladder.rungs)
        lines += ["", *(table((_WHO + 23,), (title,)) if title else ())]
        lines += table((-_WHO, *widths.values()), ("", *widths), *rows)
    return lines


def _skill(rung: Rung) -> tuple[str, ...]:
    return f"{rung.level.sight} plies", f"{rung.level.slip:.0%}"


def _scores(score: Score) -> tuple[str, ...]:
    return tuple(f"{100 * chance:.2f}" for chance in (score.as_first, score.as_second, score.average))


def _matrix(ladder: Ladder, columns: int) -> list[str]:
    """Return every player against every other; if they do not fit, some at a time."""
    players = list(STRENGTHS)
    names = [who.replace("level:", "") for who in players]
    widths = [max(6, len(name) + 1) for name in names]
    lines = ["", "How often the one on the left wins moving first against the one above, in per cent"]
    for part in _side_by_side(widths, columns - _WHO):
        chances = ladder.odds.first_wins
        rows = ((who, *(f"{100 * chances[who, players[at]]:.1f}" for at in part)) for who in players)
        lines += ["", *table((-_WHO, *(widths[at] for at in part)), ("", *(names[at] for at in part)), *rows)]
    return lines


def _ladder_remarks(ladder: Ladder) -> list[str]:
    solution = solution_of(ladder.rules)
    favoured = _FAVOURS[solution.value(solution.start).verdict]
    chance = ladder.odds.first_wins[RANDOM, RANDOM]
    lines = [f"With perfect play {favoured}; of matches at random the first wins {chance:.1%}."]
    if not ladder.rises():
        lines.append("Some levels score the same: this game is decided before the better of them can show it.")
    if ladder.odds.error:
        lines.append(f"Each chance is off by at most {ladder.odds.error:g}. No limit of plies cuts a match short;")
        lines.append("one that would never end counts for the second player, as that limit would have it.")
    else:
        lines.append("Every chance is exact.")
    return lines
