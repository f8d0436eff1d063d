"""JSON answers: one document, with the number of its schema."""

import click

from zerosum.base.documents import document, dumps


def print_json(answer: object) -> None:
    """Print a value class or a mapping as one JSON document."""
    click.echo(dumps(document(answer)))
