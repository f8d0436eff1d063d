"""A set-up made from what a person typed: everything is checked before the first move."""

from __future__ import annotations

import os
from datetime import UTC, datetime

from zerosum.match.saved import SavedMatches
from zerosum.match.setup import Person, Series, Setup
from zerosum.players import check_player, prepare
from zerosum.rules import limits
from zerosum.rules.errors import ZerosumError
from zerosum.rules.model import Rules
from zerosum.rules.text import check_name, same_name


class SetupError(ZerosumError):
    """Options that do not go together."""

    exit_code = 2


_FIRST = {"1": Person.ONE, "2": Person.TWO}


def new_setup(
    saved: SavedMatches,
    rules: Rules,
    *,
    who: tuple[str, str] = ("human", "human"),
    first: str = "1",
    best_of: int | None = None,
    names: tuple[str, str] | None = None,
    seed: str | None = None,
    lenient: bool = False,
) -> Setup:
    """Return the set-up of a new match; everything a person typed is checked."""
    seed = os.urandom(4).hex() if seed is None else _seed(seed)
    setup = Setup(
        rules=rules,
        who=(check_player(who[0]), check_player(who[1])),
        names=_names(names),
        first=_FIRST.get(first) or _toss(seed),
        lenient=lenient,
        seed=seed,
        date=f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S}",
        series=_series(saved, best_of),
    )
    for player in setup.who:
        prepare(player, rules)
    return setup


def _seed(seed: str) -> str:
    """Return a seed that was given; like any option it may be empty."""
    return check_name(seed, "seed") if seed else ""


def _toss(seed: str) -> Person:
    from random import Random  # noqa: PLC0415 - most matches need no coin

    return Random(f"{seed}/toss").choice(tuple(Person))


def _names(names: tuple[str, str] | None) -> tuple[str, str]:
    if names is None:
        return ("Player 1", "Player 2")
    first, second = (check_name(name) for name in names)
    if same_name(first, second):
        raise SetupError("The two players need different names.")
    return (first, second)


def _series(saved: SavedMatches, best_of: int | None) -> Series | None:
    if best_of is None:
        return None
    if best_of % 2 == 0 or not 1 <= best_of <= limits.SERIES_MATCHES:
        raise SetupError(f"--best-of takes an odd number from 1 to {limits.SERIES_MATCHES}, not {best_of}.")
    return Series(saved.new_id(), best_of)
