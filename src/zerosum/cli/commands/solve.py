"""`zerosum solve`."""

from __future__ import annotations

import click

from zerosum.cli.parameters import game_argument, json_option, memory_option
from zerosum.cli.report import print_json
from zerosum.cli.solving import solve_aloud
from zerosum.cli.truth import best_play, option_json, phrase, table
from zerosum.rules.model import Rules, Seat
from zerosum.solver import Solution, Verdict


@click.command
@game_argument
@memory_option
@json_option
def command(*, game: Rules, memory: int, as_json: bool) -> int:
    r"""Say who wins GAME when both play perfectly, in how many plies, and by which openings.

    \b
    Examples:
      zerosum solve sum31
      zerosum solve ./my-variant.toml --json
    """
    solution = solve_aloud(game, memory)
    if as_json:
        print_json(_as_json(solution))
    else:
        click.echo(_as_text(solution))
    return 0


def winner(solution: Solution) -> Seat | None:
    """Return the seat of the person who wins, by where they begin; None for a draw."""
    verdict = solution.value(solution.start).verdict
    return {Verdict.WIN: Seat.FIRST, Verdict.LOSS: Seat.SECOND, Verdict.DRAW: None}[verdict]


def _as_json(solution: Solution) -> dict[str, object]:
    start = solution.start
    options = solution.options(start)
    won_by = winner(solution)
    return {
        "game": solution.rules.id,
        "winner": won_by.value if won_by else None,
        "plies": solution.value(start).plies,
        "winning_openings": [start.text_of(one.move) for one in options if one.value.verdict is Verdict.WIN],
        "openings": [option_json(start, one) for one in options],
        "positions": solution.positions,
        "seconds": round(solution.seconds, 6),
    }


def _as_text(solution: Solution) -> str:
    start = solution.start
    won_by = winner(solution)
    if won_by is None:
        head = "Neither side can force an end: a draw."
    else:
        person = "first" if won_by is Seat.FIRST else "second"
        head = f"The {person} player wins, in {solution.value(start).plies} plies at the latest."
    count = "without end" if solution.positions is None else f"{solution.positions:,}"
    lines = [f"{solution.rules.name}: {head}", "", "Openings, for the first player:", *table(solution, start)]
    return "\n".join(
        [*lines, *best_play(solution, start), "", f"Positions: {count}. Solved in {phrase(solution.seconds)}."]
    )
