"""`zerosum prove`."""

from __future__ import annotations

import click

from zerosum.base.files import check_new, write_new
from zerosum.base.text import printable
from zerosum.cli.parameters import game_argument, memory_option
from zerosum.cli.progress_line import progress_line, solve_with_progress
from zerosum.proof import certificate
from zerosum.proof.positions import CertifiedTail, RoundPattern, walk
from zerosum.rules.model import Rules
from zerosum.solver import Solution, Value, Verdict

_NOW_AND_THEN = 5_000


@click.command
@game_argument
@click.option("--output", metavar="FILE", required=True, help="The certificate, a new file.")
@memory_option
def command(*, game: Rules, output: str, memory: int) -> int:
    r"""Write a certificate of the whole solution of GAME, which `zerosum verify` checks from the rules alone.

    \b
    Examples:
      zerosum prove sum31 --output sum31.proof
    """
    check_new(output)
    solution = solve_with_progress(game, memory)
    pattern = pattern_of(solution)
    codes = []
    with progress_line("Writing the certificate") as say:
        for position, _ in walk(game, pattern):
            codes.append(code_of(solution.value(position)))
            if len(codes) % _NOW_AND_THEN == 0:
                say(f"{len(codes)} positions")
    write_new(output, certificate.write(game, pattern, codes))
    click.echo(f"{printable(output)}: the values of {len(codes):,} positions of {game.name}.")
    return 0


def code_of(value: Value) -> int:
    """Return the code of a value in a certificate."""
    return 0 if value.plies is None else 2 * value.plies + (value.verdict is Verdict.LOSS)


def pattern_of(solution: Solution) -> RoundPattern:
    """Return what the solver found of rounds that begin far out, in a certificate's terms."""
    rounds = solution.solved.rounds
    if rounds is None or not rounds.tails:
        return RoundPattern()
    tails = {ways: CertifiedTail(one.since, one.period, one.later, one.still) for ways, one in rounds.tails.items()}
    return RoundPattern(rounds.board.bound, tails)
