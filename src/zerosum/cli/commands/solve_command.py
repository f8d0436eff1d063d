"""`zerosum solve`."""

from __future__ import annotations

import click

from zerosum.base.english import count
from zerosum.cli.json_output import print_json
from zerosum.cli.parameters import game_argument, json_option, memory_option
from zerosum.cli.progress_line import solve_with_progress
from zerosum.cli.terminal_text import echo
from zerosum.coach.analysis import SolutionDocument, best_play, table, winner_of
from zerosum.rules.model import Rules, Seat
from zerosum.solver import Solution


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
    solution = solve_with_progress(game, memory)
    if as_json:
        print_json(SolutionDocument.of(solution))
    else:
        echo(_as_text(solution))
    return 0


def _as_text(solution: Solution) -> str:
    start = solution.start
    won_by = winner_of(solution)
    if won_by is None:
        head = "Neither side can force an end: a draw."
    else:
        person = "first" if won_by is Seat.FIRST else "second"
        plies = count(solution.value(start).plies or 0, "ply", "plies")
        head = f"The {person} player wins, in {plies} at the latest."
    positions = "without end" if solution.positions is None else f"{solution.positions:,}"
    law = [] if solution.law is None else [f"The law: {_lowered(solution.law.words)}"]
    lines = [f"{solution.rules.name}: {head}", *law, "", "Openings, for the first player:", *table(solution, start)]
    return "\n".join(
        [*lines, *best_play(solution, start), "", f"Positions: {positions}. Solved in {_time(solution.seconds)}."]
    )


def _lowered(sentence: str) -> str:
    """Return a sentence as it stands behind a colon."""
    return sentence[0].lower() + sentence[1:]


def _time(seconds: float) -> str:
    """Return a short time as words."""
    return f"{seconds * 1000:.1f} ms" if seconds < 1 else f"{seconds:.1f} s"
