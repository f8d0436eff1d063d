"""A set-up made from what a person asked for: everything is checked before the first move."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

from zerosum.base import limits
from zerosum.base.text import check_player_name, same_name
from zerosum.match.setup import Person, Series, Setup, SetupError
from zerosum.players import HUMAN, Players, check_player, pick
from zerosum.rules.model import Rules, Tie
from zerosum.strategy.card_player import PLAYERS

_FIRST = {"1": Person.ONE, "2": Person.TWO}


def new_setup(
    rules: Rules,
    *,
    who: tuple[str, str] = ("human", "human"),
    first: str = "1",
    best_of: int | None = None,
    names: tuple[str, str] = ("Player 1", "Player 2"),
    seed: str | None = None,
    lenient: bool = False,
    series_id: Callable[[], str] | None = None,
    at_terminal: bool = False,
    players: Players = PLAYERS,
) -> Setup:
    """Return the set-up of a new match; `first` is 1, 2 or toss, and `series_id` gives a new series its id.

    At a terminal a match with a person goes on until the rules end it; elsewhere the referee stops it (ruling 7).
    """
    seed = _token() if seed is None else seed
    return Setup(
        rules=rules,
        who=(check_player(who[0], players), check_player(who[1], players)),
        names=(name_beside(*names), check_player_name(names[1])),
        first=_FIRST.get(first) or pick(tuple(Person), f"{seed}/toss"),
        lenient=lenient,
        seed=seed,
        date=_now(),
        series=None if best_of is None else Series((series_id or _token)(), best_of),
        limit=limits.TERMINAL_PLIES if at_terminal and HUMAN in who and rules.tie is Tie.SUDDEN_DEATH else None,
    )


def again(setup: Setup, series_id: Callable[[], str], *, swap: bool) -> Setup:
    """Return the set-up of one more match, or series, of the same players; `swap` lets the other one begin."""
    series = setup.series
    return replace(
        setup,
        first=setup.first.other if swap else setup.first,
        seed=_token(),
        date=_now(),
        series=None if series is None else Series(series_id(), series.best_of),
    )


def name_beside(name: str, other: str) -> str:
    """Return the name of a player as it is shown; it must not look like the other player's."""
    name = check_player_name(name)
    if same_name(name, other):
        raise SetupError("The two players need different names, and these two look alike.")
    return name


def _now() -> str:
    return f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S}"


def _token() -> str:
    return os.urandom(4).hex()
