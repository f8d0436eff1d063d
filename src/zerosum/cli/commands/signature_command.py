"""`zerosum signature`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

import click

from zerosum.cli.progress_line import solve_with_progress
from zerosum.proof.positions import round_starts
from zerosum.rules.game_files import GAME_IDS, built_in
from zerosum.rules.position import Position
from zerosum.solver import Solution, Value, Verdict

_ROUNDS = 60
"""If rounds go on without end, those that begin at most this far from the target are included."""


@click.command
def command() -> int:
    r"""Print one line per game: positions, verdicts and distances, folded into a hash.

    Two versions that print the same agree on every position. If rounds go on without end, those that begin up to 60
    from the target are included.

    \b
    Examples:
      zerosum signature
    """
    for game in GAME_IDS:
        click.echo(f"{game:15}{signature(solve_with_progress(built_in(game)))}")
    return 0


def signature(solution: Solution) -> str:
    """Return the counts and the hash of a solution; neither depends on how it was found, or in which order."""
    wins = losses = longest = fold = 0
    for position, value in _positions_with_values(solution):
        wins += value.verdict is Verdict.WIN
        losses += value.verdict is Verdict.LOSS
        longest = max(longest, value.plies or 0)
        line = f"{position} {value.verdict.value} {value.plies}".encode()
        fold += int.from_bytes(hashlib.blake2b(line, digest_size=8).digest(), "big")
    return f"{wins + losses:7} positions {wins:7} won {losses:7} lost, at most {longest:3} plies  {fold % 2**64:016x}"


def _positions_with_values(solution: Solution) -> Iterable[tuple[Position, Value]]:
    return solution.everything() if solution.positions is not None else _rounds(solution)


def _rounds(solution: Solution) -> Iterator[tuple[Position, Value]]:
    for position in round_starts(solution.rules, _ROUNDS):
        yield position, solution.value(position)
