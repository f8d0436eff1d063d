"""The chances of every player against every other in the built-in games, which come with the package.

A large game takes half a minute to compute. A table belongs to all games of its fingerprint, and it is read only if
the levels are still those it was computed for.
"""

from __future__ import annotations

import json
import os
from collections.abc import Container, Iterable
from functools import cache
from itertools import product
from typing import Final, TypedDict

from zerosum.players.levels import STRENGTHS, levels_version
from zerosum.players.odds import Odds, odds_from
from zerosum.rules.model import Rules, Seat
from zerosum.rules.position import start_position
from zerosum.solver.fingerprint import fingerprint

VERSION: Final = f"1 {levels_version()}"
PATH: Final = os.path.join(os.path.dirname(__file__), "odds.json")
_WINNERS: Final = {1.0: Seat.FIRST, 0.0: Seat.SECOND}


class OddsTable(TypedDict):
    """The chance that the player of a row, in seat 1, beats the player of a column; players in order of strength."""

    game: str
    error: float
    first_wins: list[list[float]]


def bundled_odds(rules: Rules) -> Odds | None:
    """Return the chances of all pairings from the start of a game, None if they do not come with the package."""
    table = _tables().get(fingerprint(rules))
    if table is None:
        return None
    chances = [chance for row in table["first_wins"] for chance in row]
    return Odds(dict(zip(product(STRENGTHS, STRENGTHS), chances, strict=True)), table["error"])


def winning_seat(rules: Rules) -> Seat | None:
    """Return the seat that wins when nobody makes a mistake; None if the chances do not come with the package."""
    odds = bundled_odds(rules)
    return None if odds is None else _WINNERS.get(odds.first_wins["perfect", "perfect"])


@cache
def _tables() -> dict[str, OddsTable]:
    with open(PATH, encoding="utf-8") as file:
        found = json.load(file)
    tables: dict[str, OddsTable] = found["tables"] if found["version"] == VERSION else {}
    return tables


def compute_table(rules: Rules) -> OddsTable:
    """Return the table of a game, computed now."""
    odds = odds_from(start_position(rules), list(product(STRENGTHS, STRENGTHS)))
    rows = [[odds.first_wins[one, two] for two in STRENGTHS] for one in STRENGTHS]
    return {"game": rules.id, "error": odds.error, "first_wins": rows}


def odds_file(games: Iterable[Rules], renew: Container[str]) -> str:
    """Return the text of the file with the tables of some games, a line a game; those in `renew` are computed again."""
    known = {mark: table for mark, table in _tables().items() if table["game"] not in renew}
    marks = ((fingerprint(rules), rules) for rules in games)
    tables = (f"{json.dumps(mark)}: {json.dumps(known.get(mark) or compute_table(rules))}" for mark, rules in marks)
    return f'{{"version": {json.dumps(VERSION)}, "tables": {{\n' + ",\n".join(tables) + "\n}}\n"
