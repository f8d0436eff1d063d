"""Documents as JSON text. States are large and sent often, so text that is made already is put together, not parsed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

_COMPACT: Final = json.JSONEncoder(separators=(",", ":"), allow_nan=False)


def dumps(document: object) -> str:
    """Return a document as compact JSON, in ASCII: no encoding can spoil it."""
    return _COMPACT.encode(document)


def joined(*objects: str) -> str:
    """Return objects that are JSON already as one object with the members of all.

    >>> joined('{"a":1}', '{"b":2,"c":3}')
    '{"a":1,"b":2,"c":3}'
    """
    return f"{{{','.join(one[1:-1] for one in objects)}}}"


def with_state(document: Mapping[str, object] | str, state: str) -> str:
    """Return a document, which may be JSON already, with a state, which is, as its last member."""
    text = document if isinstance(document, str) else dumps(document)
    return f'{text[:-1]},"state":{state}}}'
