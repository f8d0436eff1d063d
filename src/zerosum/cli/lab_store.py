"""The store of the lab, as commands use it: where it only saves time, a command does without one that is unusable."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from zerosum.base.progress import Progress, silent
from zerosum.cli.user_folder import home
from zerosum.lab.metrics import Metrics, measure
from zerosum.lab.store import Store, StoreError, open_store
from zerosum.lab.stored_metrics import keep_metrics, keep_odds, read_metrics, read_odds
from zerosum.players.odds import Odds, Pairing, certain, odds_from
from zerosum.rules.model import Rules
from zerosum.rules.position import Position

_T = TypeVar("_T")
_said: list[str] = []


def the_store() -> Store:
    """Open the store of this user."""
    return open_store(Path(home()))


def with_store(work: Callable[[Store], _T]) -> _T | None:
    """Do work with the store; None where it cannot be used, which is said once."""
    try:
        with the_store() as store:
            return work(store)
    except StoreError as error:
        if not _said:
            _said.append(str(error))
            sys.stderr.write(f"{error} Going on without it.\n")
        return None


def kept_odds(start: Position, pairings: Sequence[Pairing], progress: Progress = silent) -> Odds:
    """Return the exact chances of each pairing from the start of a game; only what is not kept yet is computed."""
    rules = start.rules
    found = {pairing: chance for pairing in pairings if (chance := certain(start, pairing)) is not None}
    missing = [pairing for pairing in dict.fromkeys(pairings) if pairing not in found]
    if not missing:
        return Odds(found)
    kept = with_store(lambda store: read_odds(store, rules, missing)) or Odds({})
    missing = [pairing for pairing in missing if pairing not in kept.first_wins]
    if missing:
        new = odds_from(start, missing, progress)
        with_store(lambda store: keep_odds(store, rules, new))
        kept = Odds(kept.first_wins | new.first_wins, new.error)
    every = kept.first_wins | found
    return Odds({pairing: every[pairing] for pairing in pairings}, kept.error)


def kept_metrics(rules: Rules) -> Metrics:
    """Return the metrics of a game, measured only if they are not kept yet."""
    kept = with_store(lambda store: read_metrics(store, rules))
    if kept is not None:
        return kept
    document, odds = measure(rules)
    with_store(lambda store: keep_metrics(store, rules, document, odds))
    return document
