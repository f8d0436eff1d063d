"""`zerosum prove`, `signature` and `perft`: what others can check, as a certificate, a line or a number.

- prove (Truth 3): Write a certificate of a solution.
- signature (Truth 5): One line per game: everything the solver says, in a hash.
- perft (Truth 6): Count legal move sequences.
"""

from __future__ import annotations

import hashlib

import click

from zerosum.base.files import check_new, write_new
from zerosum.base.progress import Progress, silent
from zerosum.base.text import printable
from zerosum.cli.parameters import game_argument, memory_option, whole_number
from zerosum.cli.progress_line import progress_line, solve_with_progress
from zerosum.cli.terminal_text import echo
from zerosum.proof import certificate
from zerosum.proof.certificate import CertifiedTail, RoundPattern, round_starts, walk
from zerosum.rules.game_files import GAME_IDS, built_in
from zerosum.rules.model import Rules
from zerosum.rules.position import perft
from zerosum.solver import Solution, Value, Verdict

_NOW_AND_THEN = 5_000
_ROUNDS = 60
"""If rounds go on without end, those that begin at most this far from the target are included."""


@click.command
@game_argument
@click.option("--output", metavar="FILE", required=True, help="The certificate, a new file.")
@memory_option
def prove_command(*, game: Rules, output: str, memory: int) -> None:
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
    echo(f"{printable(output)}: the values of {len(codes):,} positions of {game.name}.")


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


@click.command
def signature_command() -> None:
    r"""Print one line per game: positions, verdicts and distances, folded into a hash.

    Two versions that print the same agree on every position. If rounds go on without end, those that begin up to 60
    from the target are included.

    \b
    Examples:
      zerosum signature
    """
    for game in GAME_IDS:
        solution = solve_with_progress(built_in(game))
        with progress_line(f"Folding {solution.rules.name}") as say:
            line = signature(solution, say)
        echo(f"{game:15}{line}")


def signature(solution: Solution, progress: Progress = silent) -> str:
    """Return the counts and the hash of a solution; neither depends on how it was found, or in which order."""
    wins = losses = longest = fold = 0
    starts = round_starts(solution.rules, _ROUNDS) if solution.count is None else ()
    known = solution.everything() if solution.count is not None else ((one, solution.value(one)) for one in starts)
    for n, (position, value) in enumerate(known):
        if n % _NOW_AND_THEN == 0:
            progress(f"{n:,} positions" if solution.count is None else f"{n:,} of {solution.count:,} positions")
        wins += value.verdict is Verdict.WIN
        losses += value.verdict is Verdict.LOSS
        longest = max(longest, value.plies or 0)
        line = f"{position} {value.verdict.value} {value.plies}".encode()
        fold += int.from_bytes(hashlib.blake2b(line, digest_size=8).digest(), "big")
    return f"{wins + losses:7} positions {wins:7} won {losses:7} lost, at most {longest:3} plies  {fold % 2**64:016x}"


@click.command
@game_argument
@click.argument("depth", type=whole_number)
def perft_command(game: Rules, depth: int) -> None:
    r"""Count the legal move sequences of exactly DEPTH moves.

    A sequence that ends earlier is not counted; the last move may end the game.

    \b
    Examples:
      zerosum perft sum31 3
    """
    if depth < 0:
        raise click.UsageError("DEPTH must be 0 or more.")
    with progress_line(f"Counting in {game.name}") as say:
        sequences = perft(game, depth, say)
    click.echo(sequences)
