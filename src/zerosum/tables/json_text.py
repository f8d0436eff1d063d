"""Documents as JSON text. States are large and sent often, so text that is made already is put together, not parsed.

msgspec encodes and does nothing else: requests are validated by pydantic alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from zerosum.base.documents import to_json

_ENCODER: Final = msgspec.json.Encoder()
_SORTED: Final = msgspec.json.Encoder(order="sorted")


def dumps(document: object) -> str:
    """Return a document as compact JSON."""
    try:
        return _ENCODER.encode(document).decode()
    except UnicodeEncodeError:  # half of a surrogate pair, which only an escape can write
        return json.dumps(to_json(document), separators=(",", ":"), allow_nan=False)


def dumps_sorted(document: object) -> str:
    """Return a document as compact JSON with its members in order, the same text for the same document."""
    return _SORTED.encode(document).decode()


def written(text: str) -> Any:
    """Return what is JSON already as a part of a document.

    >>> dumps({"a": written("[1]")})
    '{"a":[1]}'
    """
    return msgspec.Raw(text)


def with_state(document: Mapping[str, object] | str, state: str) -> str:
    """Return a document, which may be JSON already, with a state, which is, as its last member."""
    text = document if isinstance(document, str) else dumps(document)
    return f'{text[:-1]},"state":{state}}}'
