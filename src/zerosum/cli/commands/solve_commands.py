"""`zerosum solve` and `zerosum analyze`: what is true of a game, and of a position.

- solve (Truth 1): Who wins, in how many plies, by which openings.
- analyze (Truth 2): Verdict and plies of a position and of each of its moves.
"""

from __future__ import annotations

import click

from zerosum.base.english import winner_words
from zerosum.cli.parameters import game_argument, json_option, memory_option, print_answer, print_json
from zerosum.cli.progress_line import solve_with_progress
from zerosum.cli.terminal_text import echo
from zerosum.coach.analysis import (
    AnalysisDocument,
    SolutionDocument,
    best_play,
    check_arises,
    play_on,
    table,
    value_text,
)
from zerosum.rules.model import Rules
from zerosum.rules.notation import parse_position
from zerosum.rules.position import Position, start_position
from zerosum.solver import Solution


@click.command
@game_argument
@memory_option
@json_option
def solve_command(*, game: Rules, memory: int, as_json: bool) -> None:
    r"""Say who wins GAME when both play perfectly, in how many plies, and by which openings.

    \b
    Examples:
      zerosum solve sum31
      zerosum solve ./my-variant.toml --json
    """
    solution = solve_with_progress(game, memory)
    print_answer(as_json, lambda: SolutionDocument.of(solution), lambda: [_solution_text(solution)])


def _solution_text(solution: Solution) -> str:
    start = solution.start
    head = winner_words(solution.winner, solution.value(start).plies)
    positions = "without end" if solution.count is None else f"{solution.count:,}"
    law = [] if solution.law is None else [f"The law: {solution.law.words[0].lower()}{solution.law.words[1:]}"]
    lines = [f"{solution.rules.name}: {head}", *law, "", "Openings, for the first player:", *table(solution, start)]
    time = f"{solution.seconds * 1000:.1f} ms" if solution.seconds < 1 else f"{solution.seconds:.1f} s"
    return "\n".join([*lines, *best_play(solution, start), "", f"Positions: {positions}. Solved in {time}."])


@click.command
@game_argument
@click.option("--moves", default="", show_default=False, metavar='"+5 +6"', help="The moves played so far, with signs.")
@click.option("--position", metavar='"POOL TOTALS SEAT"', help="The position to begin from, instead of the start.")
@click.option("--why", is_flag=True, help="Also say why each move wins or loses.")
@memory_option
@json_option
def analyze_command(*, game: Rules, moves: str, position: str | None, why: bool, memory: int, as_json: bool) -> None:
    r"""Say who wins a position of GAME, in how many plies, and the same of each of its moves.

    \b
    Examples:
      zerosum analyze sum31 --moves "+5 +6"
      zerosum analyze sum31 --position "1,2,3,4,7 28 1"
      zerosum analyze sum31 --position "1,2,3,4,7 28 1" --why
      zerosum analyze zero-sum-duel --json
    """
    reached = start_position(game) if position is None else parse_position(position.strip(), game)
    solution = solve_with_progress(game, memory)
    if position is not None:
        check_arises(solution, reached)
    reached, played = play_on(reached, moves.split())
    if as_json and why:
        from zerosum.coach.hints import explained_analysis  # noqa: PLC0415 - most answers need no reasons

        print_json(explained_analysis(solution, reached, played))
    elif as_json:
        print_json(AnalysisDocument.of(solution, reached, played))
    else:
        echo(_analysis_text(solution, reached, why=why))


def _analysis_text(solution: Solution, position: Position, *, why: bool) -> str:
    if position.outcome is not None:
        won = position.outcome
        return f"{position}\nThe match is over: seat {won.winner.value} won ({won.reason.value})."
    value = solution.value(position)
    lines = [str(position), f"Seat {position.seat.value} is to move and {value_text(value)}.", ""]
    if why:
        from zerosum.cli.coaching import table_of_reasons  # noqa: PLC0415 - most answers need no reasons

        moves = table_of_reasons(solution, position)
    else:
        moves = table(solution, position)
    return "\n".join([*lines, *moves, *best_play(solution, position)])
