"""`zerosum verify`.

- verify (Truth 4): Check a certificate.
"""

from __future__ import annotations

import click

from zerosum.base import limits
from zerosum.base.english import winner_words
from zerosum.base.errors import ZerosumError
from zerosum.base.files import read_bytes
from zerosum.base.text import printable
from zerosum.cli.progress_line import progress_line
from zerosum.cli.terminal_text import echo
from zerosum.proof import certificate
from zerosum.proof.certificate import CertificateError
from zerosum.proof.checker import check
from zerosum.rules.game_files import BUILT_IN_IDS, is_built_in
from zerosum.rules.model import Rules


@click.command
@click.argument("file", type=click.Path())
@click.option("--large", is_flag=True, help="Check it however large; this can take long and gigabytes of memory.")
def verify_command(*, file: str, large: bool) -> None:
    r"""Check the certificate FILE, from the rules alone: exit 0 if all of it is true.

    It says who wins, and whether the rules in FILE are those of the built-in game that it names.

    \b
    Examples:
      zerosum verify sum31.proof
    """
    data = read_bytes(file, limits.CERTIFICATE_BYTES)
    try:
        claimed = certificate.read(data, large=large)
        with progress_line("Checking") as say:
            proven = check(claimed, say)
    except ZerosumError as error:
        raise CertificateError(f"{printable(file)}: {error}") from None
    rules = claimed.rules
    echo(f"{printable(file)}: true. {proven.positions:,} positions of {rules.name} were checked.")
    echo(winner_words(proven.winner, proven.plies))
    echo(_whose_rules(rules))


def _whose_rules(rules: Rules) -> str:
    """Say whether these are the rules of a built-in game: an id and a name can be anybody's."""
    if rules.id not in BUILT_IN_IDS:
        return f"The game {rules.id} is not built in; its rules are in the certificate."
    same = "are" if is_built_in(rules) else "are not"
    return f"These {same} the rules of the built-in {rules.id}."
