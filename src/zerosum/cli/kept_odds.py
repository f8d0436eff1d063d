"""Chances that were computed once and are kept, in the folder `odds` of this user's data.

A file holds the chances from one position; its name is a fingerprint of everything they follow from. So a changed rule,
level or release never reads an old figure: it looks for another name. A file is replaced whole, so two processes may
write at once; the worst that happens is that something is computed again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import asdict
from typing import Final

from zerosum.cli.folders import home
from zerosum.match.folders import make_folder
from zerosum.players.levels import STRENGTHS
from zerosum.players.odds import Odds, Pairing, certain, odds_from
from zerosum.rules.errors import ZerosumError
from zerosum.rules.position import Position
from zerosum.rules.progress import Progress, silent
from zerosum.rules.reading import read_bytes
from zerosum.rules.schema import rules_to_dict
from zerosum.version import __version__

_BYTES: Final = 1 << 20
_AGAINST: Final = " - "


def kept_odds(start: Position, pairings: Sequence[Pairing], progress: Progress = silent) -> Odds:
    """Return the exact chances of each pairing from a position; only what is not kept yet is computed."""
    found = {pairing: chance for pairing in pairings if (chance := certain(start, pairing)) is not None}
    if len(found) == len(set(pairings)):
        return Odds(found)
    path = os.path.join(home(), "odds", f"{_fingerprint(start)}.json")
    kept = _read(path)
    missing = [pairing for pairing in pairings if pairing not in found and pairing not in kept.first_wins]
    if missing:
        new = odds_from(start, missing, progress)
        # Another process may have added to it in the meantime.
        kept = Odds(_read(path).first_wins | new.first_wins, new.error)
        _write(path, kept)
    every = kept.first_wins | found
    return Odds({pairing: every[pairing] for pairing in pairings}, kept.error)


def _fingerprint(start: Position) -> str:
    levels = {who: asdict(level) for who, level in STRENGTHS.items()}
    everything = [__version__, rules_to_dict(start.rules), str(start), levels]
    return hashlib.sha256(json.dumps(everything, sort_keys=True).encode()).hexdigest()[:32]


def _read(path: str) -> Odds:
    """Return what is kept in a file; nothing where it is missing or damaged."""
    try:
        digest, _, text = read_bytes(path, _BYTES).decode().partition("\n")
        if digest != _digest(text):
            return Odds({})
        document = json.loads(text)
        chances = {_pairing(key): float(chance) for key, chance in document["first_wins"].items()}
        return Odds(chances, float(document["error"]))
    except (ZerosumError, ValueError, LookupError, TypeError, AttributeError):
        return Odds({})


def _write(path: str, odds: Odds) -> None:
    """Replace a file; where that is not possible, the chances are computed again another time."""
    chances = {_AGAINST.join(pairing): chance for pairing, chance in odds.first_wins.items()}
    text = json.dumps({"first_wins": chances, "error": odds.error}, indent=1) + "\n"
    draft = f"{path}.{os.urandom(4).hex()}.new"
    try:
        make_folder(os.path.dirname(path))
        with open(draft, "x", encoding="utf-8") as file:
            file.write(f"{_digest(text)}\n{text}")
        os.replace(draft, path)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(draft)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _pairing(key: str) -> Pairing:
    one, two = key.split(_AGAINST)
    return one, two
