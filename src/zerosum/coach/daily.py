"""The puzzle of the day: a function of the date alone, the same for everybody, with nothing to store.

The games take turns from day to day, in the order of `GAME_IDS`; until December 2026 those of the rulebooks alone, so
that no puzzle that somebody may have solved becomes another one. The seed `daily 2026-11-15` gives some puzzles that
are not plain. Sorted from easy to hard, they are cut into seven parts, one for each day of the week, Monday first; the
same seed chooses one from that day's part.
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from itertools import islice
from random import Random
from typing import Final

from zerosum.coach.puzzles import Puzzle, hardness, puzzles_at_random
from zerosum.rules.errors import InvalidTextError
from zerosum.rules.files import GAME_IDS, RULEBOOK_IDS
from zerosum.rules.numbers import shorten
from zerosum.solver import Solution

_ALL_GAMES: Final = date(2026, 12, 1)
"""Since this day the games of both shelves take turns."""
_WEEK: Final = 7
_CHOICE: Final = 4 * _WEEK
_LOOKED_AT: Final = 400
"""Puzzles that are looked at to find so many that are not plain."""


def today() -> date:
    """Return the date that it is now in UTC, wherever this runs."""
    return datetime.now(UTC).date()


def parse_day(text: str) -> date:
    """Return the date that a text such as 2026-11-15 names; other ways of writing it are refused."""
    try:
        found = date.fromisoformat(text)
    except ValueError:
        found = None
    if found is None or str(found) != text:
        raise InvalidTextError(f"'{shorten(text)}' is not a date such as 2026-11-15.")
    return found


def daily_game(day: date) -> str:
    """Return the id of the game whose turn it is on a day.

    >>> [daily_game(date(2026, 11, day)) for day in (15, 16)]
    ['sum-to-zero', 'sequence-zero']
    """
    games = GAME_IDS if day >= _ALL_GAMES else RULEBOOK_IDS
    return games[day.toordinal() % len(games)]


def daily_puzzle(day: date, solution: Solution) -> Puzzle:
    """Return the puzzle of a day, given the solution of that day's game."""
    chance = Random(f"daily {day}")
    looked_at = islice(puzzles_at_random(solution, chance), _LOOKED_AT)
    found = sorted(islice((one for one in looked_at if not one.plain), _CHOICE), key=hardness)
    first, after = (len(found) * (day.weekday() + n) // _WEEK for n in (0, 1))
    return chance.choice(found[first:after] or found)
