"""`zerosum verify`."""

from __future__ import annotations

import click

from zerosum.cli.solving import aloud
from zerosum.proof import certificate
from zerosum.proof.certificate import CertificateError
from zerosum.proof.check import check
from zerosum.rules import limits
from zerosum.rules.errors import ZerosumError
from zerosum.rules.reading import read_bytes
from zerosum.rules.text import printable


@click.command
@click.argument("file", type=click.Path())
def command(file: str) -> int:
    r"""Check the certificate FILE, from the rules alone: exit 0 if all of it is true.

    \b
    Examples:
      zerosum verify sum31.proof
    """
    data = read_bytes(file, limits.CERTIFICATE_BYTES)
    try:
        claimed = certificate.read(data)
        with aloud("Checking") as say:
            count = check(claimed, say)
    except ZerosumError as error:
        raise CertificateError(f"{printable(file)}: {error}") from None
    click.echo(f"{printable(file)}: true. {count:,} positions of {claimed.rules.name} were checked.")
    return 0
