"""Rate limits: what a request costs, and a token bucket for each address and budget.

Each budget of an address refills as time passes. All work is charged here, the same by API, by live connection and by
page. What a question about a game costs is in the table of jobs (`worker/jobs.py`).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from starlette.datastructures import Headers
from starlette.types import Scope

from zerosum.server import limits
from zerosum.tables.events import is_room_id
from zerosum.tables.problems import Problem

Clock = Callable[[], float]
"""Seconds from some moment on."""
_MS: Final = 1000


class Bucket:
    """A token bucket: holds n tokens and refills at a rate a second."""

    __slots__ = ("_at", "_clock", "_full", "_left", "_rate")

    def __init__(self, rate: tuple[int, float], clock: Clock) -> None:
        self._full, self._rate = rate
        self._left = float(self._full)
        self._clock = clock
        self._at = clock()

    def take(self, count: float = 1) -> float:
        """Take n tokens; return 0, or the seconds until there are enough."""
        now = self._clock()
        self._left = min(self._full, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < count:
            return (count - self._left) / self._rate
        self._left -= count
        return 0.0

    def owe(self, count: float) -> None:
        """Take n tokens even if there are fewer; the debt must refill before anything can be taken again."""
        self.take(0)
        self._left -= count

    @property
    def wait(self) -> float:
        """Seconds until a debt is paid; 0 if there is none."""
        return self.take(0)


class TimeAccount:
    """The processor time that a caller has left; of a room, also what its address has left for all rooms."""

    __slots__ = ("_buckets",)

    def __init__(self, *buckets: Bucket) -> None:
        self._buckets = buckets

    def charge(self, seconds: float) -> None:
        """Charge time that was taken."""
        for bucket in self._buckets:
            bucket.owe(seconds * _MS)

    @property
    def wait(self) -> float:
        """Seconds until a debt is paid; 0 if there is none."""
        return max([bucket.wait for bucket in self._buckets])


class Rates:
    """A bucket for each address, for one kind of action; the least recently used ones are forgotten.

    A class behind one address is charged as a room, by its id: then all its pupils share the larger budget of a room.
    """

    def __init__(self, rate: tuple[int, float], clock: Clock, room: tuple[int, float] | None = None) -> None:
        self._rate = rate
        self._clock = clock
        self._room = room or rate
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def check(self, address: str, count: int = 1) -> None:
        """Take n tokens of an address, or raise the problem `too-many`."""
        wait = self.bucket(address).take(count)
        if wait:
            raise Problem("too-many", f"Try again in {max(1, round(wait))} s.", retry_after=max(1, round(wait)))

    def owe(self, address: str, count: int) -> None:
        """Take n tokens of an address even if it has fewer."""
        self.bucket(address).owe(count)

    def bucket(self, address: str) -> Bucket:
        """Return the bucket of an address."""
        bucket = self._buckets.get(address)
        if bucket is None:
            rate = self._room if is_room_id(address) else self._rate
            bucket = self._buckets[address] = Bucket(rate, self._clock)
            if len(self._buckets) > limits.ADDRESSES:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(address)
        return bucket


BUDGETS: Final = {
    "requests": limits.REQUESTS,
    "tables": limits.TABLES,
    "secrets": limits.SECRETS,
    "questions": limits.QUESTIONS,
    "rooms": limits.ROOMS,
    "joins": limits.ROOM_JOINS,
    "rooms' requests": limits.ADDRESS_ROOM_REQUESTS,
    "rooms' live": limits.ADDRESS_ROOM_LIVE,
    "rooms' time": limits.ADDRESS_ROOM_TIME,
    "time": limits.TIME,
    "refusals": limits.REFUSALS,
}
"""How much of each kind an address may use: at once, and a second."""
ROOM_BUDGETS: Final = {
    "requests": limits.ROOM_REQUESTS,
    "questions": limits.ROOM_QUESTIONS,
    "time": limits.ROOM_TIME,
}
"""The same for a room, if it differs."""

PATHS: Final = (
    ("/api/", 1),
    ("/static/", 1),
    ("/healthz", 1),
    ("/readyz", 1),
    ("", limits.PAGE_REQUESTS),
)
"""What a request costs of the budget `requests` before it is read, by the beginning of its path; the last is a page."""
ASKED: Final = {("POST", "/api/v1/analyze"): "question"}
"""Requests that are charged for their work before their body is read."""
LIVE_COST: Final = limits.LIVE_REQUESTS
"""Opening a live connection, whatever its path."""

WORK: Final = {
    "message": ("requests", 1),
    "events": ("requests", 1),
    "state": ("requests", 1),
    "document": ("requests", 1),
    "repeated command": ("requests", 5),
    "table": ("tables", 1),
    "secret": ("secrets", 1),
    "question": ("questions", 1),
    "room": ("rooms", 1),
    "join a room": ("joins", 1),
}
"""What each piece of work takes, and of which budget."""

_KIB: Final = 1024
_LENGTH_DIGITS: Final = 12
_EVENTS: Final = 50
_MOVES: Final = 100


def request_cost(scope: Scope, headers: Headers) -> int:
    """Return what a request costs before it is read: by its path, and 1 for each KiB of its body."""
    if scope["type"] == "websocket":
        return LIVE_COST
    path: str = scope["path"]
    return next(cost for prefix, cost in PATHS if path.startswith(prefix)) + _body_cost(headers)


def _body_cost(headers: Headers) -> int:
    """Return the KiB of a body; one that does not announce its length counts as the largest."""
    most = limits.BODY_BYTES // _KIB
    if "transfer-encoding" in headers:
        return most
    length = headers.get("content-length", "0")[:_LENGTH_DIGITS]
    return min(most, int(length) // _KIB) if length.isascii() and length.isdigit() else 0


def events_cost(count: int) -> int:
    """Return as how many pieces of work a list of events counts."""
    return count // _EVENTS


def state_cost(moves: int) -> int:
    """Return as how many pieces of work a fresh state of a match counts."""
    return 1 + moves // _MOVES


class CodeGuesses:
    """Wrong codes of rooms from each address: after a class's share of slips every further one costs a longer wait.

    A wrong code is a guess at every room. So wrong codes from many addresses delay the answer to any code, longer and
    longer, up to a bound: nobody who has the right code is refused for what other addresses do.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._all = Bucket(limits.ALL_CODE_SLIPS, clock)
        self._wrong: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def check(self, address: str) -> None:
        """Refuse an address that has to wait."""
        wait = self._wait(address)
        if wait > 0:
            seconds = max(1, round(wait))
            words = f"Too many wrong codes came from your network. Try again in {seconds} s."
            raise Problem("too-many", words, retry_after=seconds)

    @property
    def delay(self) -> float:
        """Seconds after which a code of somebody who is in no room is looked up."""
        return min(self._all.wait, limits.CODE_DELAY_SECONDS)

    def note(self, address: str) -> None:
        """Note a wrong code."""
        self._all.owe(1)
        self._wrong[address] = (self._count(address) + 1, self._clock())
        self._wrong.move_to_end(address)
        if len(self._wrong) > limits.ADDRESSES:
            self._wrong.popitem(last=False)

    def _count(self, address: str) -> float:
        count, at = self._wrong.get(address, (0.0, 0.0))
        return max(0.0, count - (self._clock() - at) / limits.CODE_FORGET_SECONDS)

    def _wait(self, address: str) -> float:
        count, at = self._wrong.get(address, (0.0, 0.0))
        over = count - limits.CODE_SLIPS
        if over <= 0:
            return 0.0
        longest = float(limits.CODE_WAIT_SECONDS)
        return at + min(longest, float(2 ** min(int(over), 20))) - self._clock()


class Budgets:
    """What every address has used."""

    def __init__(self, clock: Clock) -> None:
        self.rates: Final = {name: Rates(rate, clock, ROOM_BUDGETS.get(name)) for name, rate in BUDGETS.items()}
        self.guesses: Final = CodeGuesses(clock)

    def time(self, payer: str, address: str) -> TimeAccount:
        """Return the time that is left for whoever pays for a request, an address or a room that it belongs to."""
        own = self.rates["time"].bucket(payer)
        return TimeAccount(own) if payer == address else TimeAccount(own, self.rates["rooms' time"].bucket(address))

    def refusal_delay(self, address: str) -> float:
        """Return after how many seconds a refusal is answered: later and later if many are."""
        bucket = self.rates["refusals"].bucket(address)
        bucket.owe(1)
        return min(limits.TOO_MANY_SECONDS + bucket.wait, limits.REQUEST_SECONDS)

    def admit(self, payer: str, address: str, scope: Scope, headers: Headers) -> None:
        """Charge a request before it is read to its address or its room; one that cannot pay is refused."""
        cost = request_cost(scope, headers)
        if payer != address:
            self.rates["rooms' requests"].check(address, cost)
            if scope["type"] == "websocket":
                self.rates["rooms' live"].check(address)
        self.rates["requests"].check(payer, cost)
        work = ASKED.get((scope.get("method", ""), scope["path"]))
        if work is not None:
            self.charge(payer, work)

    def charge(self, address: str, work: str, pieces: int = 1) -> None:
        """Charge work before it is done; an address that cannot pay is refused."""
        budget, cost = WORK[work]
        self.rates[budget].check(address, cost * pieces)

    def allows(self, address: str, work: str) -> bool:
        """Charge work if the address can pay for it; whether it could."""
        try:
            self.charge(address, work)
        except Problem:
            return False
        return True

    def owe(self, address: str, work: str, pieces: int = 1) -> None:
        """Charge work that has been done; an address in debt is refused until its budget has refilled."""
        budget, cost = WORK[work]
        self.rates[budget].owe(address, cost * pieces)
