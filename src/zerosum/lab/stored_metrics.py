"""Figures that were measured once: they come from the store if it has them, and else go into it.

A fact belongs to all games of a fingerprint, so it has no name, and its numbers are those of the normal form.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from zerosum.lab.metrics import MetricsJson, is_whole
from zerosum.lab.store import JSON, Store
from zerosum.players.odds import Odds, Pairing
from zerosum.rules.model import Rules
from zerosum.solver.fingerprint import fingerprint, normal

_AGAINST: Final = " - "
_ERROR: Final = "error"


def fact_of(document: Mapping[str, Any], rules: Rules) -> JSON:
    """Return a document of metrics or of a screening as a fact about every game like this one."""
    numbers = normal(rules).numbers
    entries = [{**entry, "number": numbers[entry["number"]]} for entry in document["numbers"]]
    fact = {key: value for key, value in document.items() if key != "game"}
    return fact | {"numbers": sorted(entries, key=lambda entry: entry["number"])}


def document_of(fact: JSON, rules: Rules) -> dict[str, Any]:
    """Return the document of one game that a fact makes."""
    entries = {entry["number"]: entry for entry in fact["numbers"]}
    numbers = normal(rules).numbers
    own = [{**entries[numbers[number]], "number": number} for number in dict.fromkeys(rules.pool)]
    return {"game": rules.id, **fact, "numbers": own}


def read_metrics(store: Store, rules: Rules) -> MetricsJson | None:
    """Return the metrics of a game, None if they, or one of them, are not kept."""
    name = fingerprint(rules)
    fact = store.facts("metrics", [name]).get(name)
    return document_of(fact, rules) if fact is not None and is_whole(fact) else None


def keep_metrics(store: Store, rules: Rules, document: MetricsJson, odds: Odds) -> None:
    """Keep the metrics of a game, for all players, and the chances they follow from."""
    store.keep_games([rules])
    store.keep("metrics", {fingerprint(rules): fact_of(document, rules)})
    keep_odds(store, rules, odds)


def read_odds(store: Store, rules: Rules, pairings: Iterable[Pairing]) -> Odds:
    """Return those of the chances of some pairings from the start of a game that are kept."""
    name = fingerprint(rules)
    kept = store.facts("odds", [name]).get(name, {_ERROR: 0.0})
    found = {pairing: kept[key] for pairing in pairings if (key := _AGAINST.join(pairing)) in kept}
    return Odds(found, kept[_ERROR])


def keep_odds(store: Store, rules: Rules, odds: Odds) -> None:
    """Keep chances from the start of a game, beside those that are kept."""
    chances = {_AGAINST.join(pairing): chance for pairing, chance in odds.first_wins.items()}
    store.add("odds", fingerprint(rules), {_ERROR: odds.error, **chances})
