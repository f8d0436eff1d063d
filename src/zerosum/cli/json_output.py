"""JSON answers: one document, with the number of its schema."""

import json
from collections.abc import Mapping
from typing import Final

import click

SCHEMA: Final = 1


def print_json(answer: Mapping[str, object]) -> None:
    """Print one JSON document, in ASCII: no encoding can spoil it and no terminal acts on it."""
    click.echo(json.dumps({"schema": SCHEMA, **answer}))
