"""What `--json` prints."""

from __future__ import annotations

import sys

from zerosum.base.documents import document, dumps


def print_json(answer: object) -> None:
    """Print a value class or a mapping as one JSON document."""
    sys.stdout.write(f"{dumps(document(answer))}\n")
