"""Documents as JSON text. States are large and sent often, so text that is made already is put together, not parsed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from zerosum.base.documents import to_json

_ENCODER: Final = json.JSONEncoder(
    separators=(",", ":"), ensure_ascii=False, allow_nan=False, check_circular=False, default=to_json
)
_SORTED: Final = json.JSONEncoder(
    separators=(",", ":"), ensure_ascii=False, allow_nan=False, sort_keys=True, default=to_json
)


def dumps(document: object) -> str:
    """Return a document as compact JSON."""
    text = _ENCODER.encode(document)
    try:
        text.encode()
    except UnicodeEncodeError:  # half of a surrogate pair, which only an escape can write
        return json.dumps(to_json(document), separators=(",", ":"), allow_nan=False)
    return text


def dumps_sorted(document: object) -> str:
    """Return a document as compact JSON with its members in order, the same text for the same document."""
    return _SORTED.encode(document).encode().decode()


def with_state(document: Mapping[str, object] | str, state: str) -> str:
    """Return a document, which may be JSON already, with a state, which is, as its last member."""
    text = document if isinstance(document, str) else dumps(document)
    return f'{text[:-1]},"state":{state}}}'
