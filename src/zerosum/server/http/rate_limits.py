"""Rate limits: one account for each address, which pays for all that comes from there.

An account is in milliseconds of processor time: each kind of request or message has a price, charged where our code
first sees it. Those who play and the desks of classrooms have shares of their address's account that nobody else can
spend; everybody else at an address has one share together. What is rare but dear has a budget of its own.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from starlette.datastructures import Headers
from starlette.types import Scope

from zerosum.server import limits, prometheus
from zerosum.tables.keys import Key
from zerosum.tables.problems import Problem

Clock = Callable[[], float]
"""Seconds from some moment on."""
NEWCOMERS: Final = "newcomers"
"""The share of everybody at an address who has none of their own."""
_SHARES: Final = {
    NEWCOMERS: (limits.NEWCOMERS_WEIGHT, limits.NEWCOMERS_LARGEST),
    "player": (limits.PLAYER_WEIGHT, limits.PLAYER_LARGEST),
    "desk": (limits.DESK_WEIGHT, limits.DESK_LARGEST),
}
"""The weight of each kind of share, and its largest part of an account."""
_KIB: Final = 1024
_LENGTH_DIGITS: Final = 12


class Bucket:
    """A token bucket: holds n tokens and refills at a rate a second."""

    __slots__ = ("_clock", "_left", "at")

    def __init__(self, full: float, clock: Clock) -> None:
        self._left = float(full)
        self._clock = clock
        self.at = clock()
        """When it was last used."""

    def take(self, count: float, full: float, rate: float) -> float:
        """Take n tokens; return 0, or the seconds until there are enough."""
        now = self._clock()
        self._left = min(full, self._left + (now - self.at) * rate)
        self.at = now
        if self._left < count:
            return (count - self._left) / rate
        self._left -= count
        return 0.0

    def owe(self, count: float, most: float) -> None:
        """Take n tokens even if there are fewer, up to a debt of `most`, which must refill first."""
        self._left = max(-most, self._left - count)


class Account:
    """What one address may do, divided among those at it who are active, by weight.

    A share that nobody uses costs the others nothing, and none gets more than its largest part of the whole.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._known: OrderedDict[str, str] = OrderedDict()
        """The kind of share of each key that has one: those of players and of desks."""
        self._active: OrderedDict[str, tuple[Bucket, str]] = OrderedDict()
        """The shares in use and their kinds, the latest last."""
        self._weight = 0
        """Of all shares in use."""

    def give_share(self, name: str, kind: str) -> None:
        """Give somebody a share of their own."""
        if self._known.get(name) != kind:
            self._drop(name)
            self._known[name] = kind
        self._known.move_to_end(name)
        if len(self._known) > limits.SHARES:
            self._drop(self._known.popitem(last=False)[0])

    def take(self, name: str | None, cost: float) -> float:
        """Charge somebody; return 0, or the seconds until they can pay. Who cannot pay owes for the refusal.

        A full share pays for anything, and owes what it does not have.
        """
        full, rate, share = self._share(name)
        wait = share.take(min(cost, full), full, rate)
        share.owe(limits.REFUSAL_COST if wait else max(0, cost - full), rate * limits.SHARE_SECONDS)
        return wait

    def wait(self, name: str | None) -> float:
        """Return the seconds until somebody owes nothing."""
        full, rate, share = self._share(name)
        return share.take(0, full, rate)

    def owe(self, name: str | None, cost: float) -> None:
        """Charge somebody for work that has been done."""
        full, rate, share = self._share(name)
        share.take(0, full, rate)
        share.owe(cost, rate * limits.SHARE_SECONDS)

    def _share(self, name: str | None) -> tuple[float, float, Bucket]:
        """Return the most that a share holds, what it gets a second, and the share."""
        name = NEWCOMERS if name is None or name not in self._known else name
        self._drop_idle()
        (share, kind), (most, rate) = self._begin(name), limits.WORK
        part = min(_SHARES[kind][1], _SHARES[kind][0] / self._weight)
        return max(most * part, limits.SMALLEST_SHARE), rate * part, share

    def _begin(self, name: str) -> tuple[Bucket, str]:
        if name not in self._active:
            kind = self._known.get(name, NEWCOMERS)
            self._weight += _SHARES[kind][0]
            self._active[name] = Bucket(limits.WORK[0], self._clock), kind
        self._active.move_to_end(name)
        return self._active[name]

    def _drop_idle(self) -> None:
        before = self._clock() - limits.SHARE_SECONDS
        while self._active and (name := next(iter(self._active))) and self._active[name][0].at < before:
            self._drop(name)

    def _drop(self, name: str) -> None:
        if name in self._active:
            self._weight -= _SHARES[self._active.pop(name)[1]][0]


BUDGETS: Final = {
    "tables": limits.TABLES,
    "rooms": limits.ROOMS,
    "secrets": limits.SECRETS,
    "questions": limits.QUESTIONS,
}
"""What else an address may use of what is rare: at once, and a second."""
PATHS: Final = (
    ("/api/", limits.API_COST),
    ("/tables/", limits.TABLE_COST),
    ("/static/", 1),
    ("/healthz", 1),
    ("/readyz", 2),
    ("", limits.PAGE_COST),
)
"""What a request costs before it is read, by the beginning of its path; the last is a page."""
ASKED: Final = {("POST", "/api/v1/analyze"): "question"}
"""Requests that are charged for their work before their body is read."""
WORK: Final = {
    "message": ("", 1),
    "events": ("", 1),
    "state": ("", 1),
    "document": ("", 1),
    "repeated command": ("", 4),
    "table": ("tables", 1),
    "room": ("rooms", 1),
    "secret": ("secrets", 1),
    "code": ("secrets", 0),
    "question": ("questions", 1),
}
"""What each piece of work takes, and of which budget; the first ones of the account."""
_EVENTS: Final = 50
_MOVES: Final = 100


def request_cost(scope: Scope, headers: Headers) -> int:
    """Return what a request costs before it is read: by its path, and 1 for each KiB of its body."""
    if scope["type"] == "websocket":
        return limits.LIVE_COST
    path: str = scope["path"]
    return next(cost for prefix, cost in PATHS if path.startswith(prefix)) + _body_cost(headers)


def _body_cost(headers: Headers) -> int:
    """Return the KiB of a body."""
    most = limits.BODY_BYTES // _KIB
    length = headers.get("content-length", "0")[:_LENGTH_DIGITS]
    return min(most, int(length) // _KIB) if length.isascii() and length.isdigit() else 0


def events_cost(count: int) -> int:
    """Return as how many pieces of work a list of events counts."""
    return count // _EVENTS


def state_cost(moves: int) -> int:
    """Return as how many pieces of work a fresh state of a match counts."""
    return 1 + moves // _MOVES


class Budgets:
    """What every address has used; the least recently used ones are forgotten."""

    def __init__(self, clock: Clock) -> None:
        self.account = lru_cache(limits.ADDRESSES)(lambda _: Account(clock))
        """The account of an address."""
        self.bucket = lru_cache(limits.ADDRESSES)(lambda budget, _: Bucket(BUDGETS[budget][0], clock))
        """What an address has left of a budget."""
        self._guesses = Bucket(limits.GUESSES[0], clock)

    @property
    def guess_delay(self) -> float:
        """Seconds after which a code from somebody who is in no classroom is looked up: long if many guess."""
        return min(self._guesses.take(0, *limits.GUESSES), limits.CODE_DELAY_SECONDS)

    def note_guess(self, address: str) -> None:
        """Note a wrong code of a classroom, which may be a guess: at every classroom at once."""
        self._guesses.take(0, *limits.GUESSES)
        self._guesses.owe(1, limits.GUESSES[0])
        bucket, (full, rate) = self.bucket("secrets", address), BUDGETS["secrets"]
        bucket.take(0, full, rate)
        bucket.owe(1, full)


@dataclass(frozen=True, slots=True)
class Payer:
    """Who pays for a request: an address, and at it the share of a key if it has one."""

    budgets: Budgets
    address: str
    key: Key | None = None

    @property
    def _account(self) -> Account:
        return self.budgets.account(self.address)

    @property
    def _name(self) -> str | None:
        return None if self.key is None else self.key.hash

    def take(self, cost: float) -> None:
        """Charge the account, or raise the problem `too-many`."""
        _refuse(self._account.take(self._name, cost))
        prometheus.count_charge("work", cost)

    def charge(self, work: str, pieces: int = 1) -> None:
        """Charge work before it is done, or raise the problem `too-many`."""
        budget, cost = WORK[work]
        if budget:
            _refuse(self.budgets.bucket(budget, self.address).take(cost * pieces, *BUDGETS[budget]))
            prometheus.count_charge(budget, cost * pieces)
        else:
            self.take(cost * pieces)

    def can_pay(self, work: str) -> bool:
        """Charge work if there is enough for it; whether there was."""
        try:
            self.charge(work)
        except Problem:
            return False
        return True

    def owe(self, work: str, pieces: int = 1) -> None:
        """Charge work that has been done."""
        cost = WORK[work][1] * pieces
        self._account.owe(self._name, cost)
        prometheus.count_charge("work", cost)

    def give_share(self, kind: str) -> None:
        """Give this key a share of its own: it has played, or has a desk."""
        if self._name is not None:
            self._account.give_share(self._name, kind)

    async def slow_down(self) -> None:
        """Wait before a refusal is sent: the longer, the more the payer owes."""
        wait = limits.TOO_MANY_SECONDS + self._account.wait(self._name)
        await asyncio.sleep(min(wait, limits.REQUEST_SECONDS))


def _refuse(wait: float) -> None:
    if wait:
        seconds = max(1, round(wait))
        raise Problem("too-many", f"Try again in {seconds} s.", retry_after=seconds)
