"""`zerosum levels`.

- levels (Measure 2): How strong the levels are: exact chances to win.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping

import click

from zerosum.cli.lab_access import cached_odds
from zerosum.cli.parameters import game_argument, json_option, print_json
from zerosum.cli.progress_line import progress_line
from zerosum.cli.terminal_text import echo, table, terminal_columns
from zerosum.players.levels import STRENGTHS, Score
from zerosum.players.odds import RANDOM, Ladder, LadderDocument, Rung, ladder_of, odds_from
from zerosum.rules.model import Rules
from zerosum.solver import Verdict, solution_of

_BELOW = "against the level below"
_PERFECT = "against perfect play"
_WHO = 7
_SKILL = {"sees": 10, "slips": 7}
_SEATS = {"first": 7, "second": 8, "both": 8}
_TABLE = 76
"""Columns of the table."""
_WIDE = 100
"""Columns if standard output is no terminal: as many as the widest table needs."""
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
def levels_command(*, game: Rules, full: bool, fresh: bool, as_json: bool) -> int:
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
        columns = terminal_columns(sys.stdout) or _WIDE
        table = _table(ladder) if columns >= _TABLE else _narrow_tables(ladder)
        echo("\n".join([*table, *(_matrix(ladder, columns) if full else ()), "", *_remarks(ladder)]))
    return 0


def _table(ladder: Ladder) -> list[str]:
    rows = ((rung.who, *_skill(rung), *_scores(rung.below), *_scores(rung.perfect)) for rung in ladder.rungs)
    return [
        f"{ladder.rules.name}: how often each level wins, in per cent",
        "",
        *table((50, 26), (_BELOW, _PERFECT)),
        *table((-_WHO, *_SKILL.values(), 10, 8, 8, 10, 8, 8), ("", *_SKILL, *_SEATS, *_SEATS), *rows),
    ]


def _narrow_tables(ladder: Ladder) -> list[str]:
    """Return the same as three tables, one below the other."""
    parts: tuple[tuple[str, dict[str, int], Callable[[Rung], tuple[str, ...]]], ...] = (
        ("", _SKILL, _skill),
        (_BELOW, _SEATS, lambda rung: _scores(rung.below)),
        (_PERFECT, _SEATS, lambda rung: _scores(rung.perfect)),
    )
    lines = [f"{ladder.rules.name}: how often each level wins, in per cent"]
    for title, columns, cells in parts:
        rows = ((rung.who, *cells(rung)) for rung in ladder.rungs)
        lines += ["", *(table((_WHO + 23,), (title,)) if title else ())]
        lines += table((-_WHO, *columns.values()), ("", *columns), *rows)
    return lines


def _skill(rung: Rung) -> tuple[str, ...]:
    return f"{rung.level.sight} plies", f"{rung.level.slip:.0%}"


def _scores(score: Score) -> tuple[str, ...]:
    return tuple(f"{100 * chance:.2f}" for chance in (score.as_first, score.as_second, score.average))


def _matrix(ladder: Ladder, columns: int) -> list[str]:
    """Return every player against every other; if they do not fit, some at a time."""
    names = {who: who.replace("level:", "") for who in STRENGTHS}
    widths = {who: max(6, len(name) + 1) for who, name in names.items()}
    lines = ["", "How often the one on the left wins moving first against the one above, in per cent"]
    for across in _parts(widths, columns - _WHO):
        chances = ladder.odds.first_wins
        rows = ((who, *(f"{100 * chances[who, other]:.1f}" for other in across)) for who in STRENGTHS)
        columns_across = (-_WHO, *(widths[who] for who in across))
        lines += ["", *table(columns_across, ("", *(names[who] for who in across)), *rows)]
    return lines


def _parts(widths: Mapping[str, int], columns: int) -> list[list[str]]:
    """Return the players in groups that fit into `columns` columns."""
    parts: list[list[str]] = [[]]
    for who, size in widths.items():
        if parts[-1] and sum(widths[one] for one in parts[-1]) + size > columns:
            parts.append([])
        parts[-1].append(who)
    return parts


def _remarks(ladder: Ladder) -> list[str]:
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
