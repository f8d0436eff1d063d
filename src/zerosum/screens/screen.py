"""Screens: what a browser asks for, what it gets, and what a screen may ask of who shows it.

A screen is a coroutine from a `Visit` and a `ScreenHost` to an `Answer`, entered in one table where it is written:

    @screen("GET", "/tables/{table_id}/record", match=Whole(1, 10_000))
    async def record(visit: Visit, host: ScreenHost) -> Answer: ...

A server makes its routes of that table, another host looks an address up in it (`screen_at`). Nothing here knows how
a screen is reached: no request, no database, no other process.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, Final, NamedTuple, ParamSpec, Protocol, TypeVar

from zerosum.jobs.job_table import Job
from zerosum.match.setup import Person
from zerosum.screens.forms import Fields, check_query
from zerosum.tables.commands import Command, Moment
from zerosum.tables.fields import Text, Whole
from zerosum.tables.new_table import TableRequest
from zerosum.tables.problems import Problem
from zerosum.tables.table import Table

P = ParamSpec("P")
T = TypeVar("T")
FRAGMENT: Final = "X-Fragment"
"""The header with which a script asks for a board without the page around it, and which says that it gets one."""


@dataclass(frozen=True, slots=True)
class Visit:
    """What a browser asks for."""

    path: Fields = field(default_factory=dict)
    """The parts of the address that vary, such as `table_id`."""
    query: Fields = field(default_factory=dict)
    fields: Fields = field(default_factory=dict)
    """What a form has sent; a file is its text."""
    cookies: Fields = field(default_factory=dict)
    origin: str = ""
    """How links that others open begin."""
    alone: bool = False
    """Whether a script asks for the board without the page around it."""
    written: str = ""
    """The query as the address has it: a plus sign is one there."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a browser gets: a page, a piece of one or a text, or another place to go to."""

    text: str = ""
    """All of it, or what the `pieces` follow."""
    status: int = 200
    location: str = ""
    media_type: str = "text/html"
    headers: Mapping[str, str] = field(default_factory=dict)
    cookies: Mapping[str, str] = field(default_factory=dict)
    """What the browser is to remember."""
    private: bool = False
    """Whether it holds a key, a personal code or an invitation: it is never compressed (the attack BREACH)."""
    pieces: Iterable[str] = ()
    """The rest of a long page, made while it is read: a host with other visitors gives them their turn meanwhile."""
    prepares: Sequence[tuple[Job[..., Any], tuple[Any, ...]]] = ()
    """Questions that the next tap will ask: the host may have them answered ahead, at nobody's cost."""


def go(location: str, **more: Any) -> Answer:
    """Return that a browser is to go to another place."""
    return Answer(status=303, location=location, **more)


@dataclass(frozen=True, slots=True)
class TableSight:
    """One version of a table, and the seats that whoever looks holds there."""

    table: Table
    said: str
    """The words of the last event."""
    drawn: dict[object, Any]
    """What screens have drawn of this version, for other viewers of it."""
    held: frozenset[Person] = frozenset()
    note: object = None
    """What the host remembers with it."""


@dataclass(frozen=True, slots=True)
class ClassroomStrip:
    """What the page of a table says of its room; `voided` matches ended without a result."""

    code: str
    shown: str
    phase: str
    voided: bool


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What else somebody who looks at a table may know: the time, whom they see there, and secrets of their own."""

    moment: Moment
    here: Mapping[Person, bool] = field(default_factory=dict)
    invitation: str | None = None
    codes: Mapping[Person, str] = field(default_factory=dict)
    classroom: ClassroomStrip | None = None


class Invited(NamedTuple):
    """What an invitation is for: a table, the person who is to come, and whether somebody has come already."""

    table: Table
    person: Person
    used: bool
    held: frozenset[Person]
    """The seats that whoever looks holds at that table."""


class SeatedTable(NamedTuple):
    """A table where whoever looks has seats, and by number who won its earlier matches, None if that is unknown."""

    table: Table
    held: frozenset[Person]
    winners: Mapping[int, Person | None]


class ScreenHost(Protocol):
    """Who shows screens: a server to one of its visitors, a browser to its user, a test."""

    async def ask(self, job: Job[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Answer a question about a game; whoever looks may be charged for it."""

    def knows(self, job: Job[P, T], *args: P.args, **kwargs: P.kwargs) -> bool:
        """Whether the answer is there without any work."""

    def now_ms(self) -> int:
        """Return the time."""

    def token(self) -> str:
        """Return 16 hexadecimal digits that nobody can guess."""

    async def table(self, table_id: str, *, settled: bool = False) -> TableSight:
        """Return a table as it is now, `settled` after a computer's reply."""

    async def command(self, table_id: str, name: str, command: Command, *, may_forfeit: bool) -> TableSight:
        """Carry a command out; raise `UnconfirmedForfeit` rather than end a match that may not be forfeited."""

    async def record(self, sight: TableSight, match: int) -> str:
        """Return the record of one of the matches at a table."""

    async def own_tables(self) -> list[SeatedTable]:
        """Return the tables where whoever looks has seats, the latest first."""

    async def open_table(self, order: TableRequest) -> str:
        """Open a table; return its id."""

    async def recall(self) -> Mapping[str, str]:
        """Return the texts that are kept for whoever looks, by their names."""

    async def remember(self, name: str, version: int, text: str) -> bool:
        """Keep the next version of a text, counted from 1; return False if there is one, such as of another tab."""

    @property
    def meeting(self) -> MeetingHost | None:
        """The same host if people come to it from elsewhere."""


class MeetingHost(ScreenHost, Protocol):
    """A host to which people come from elsewhere, such as a server."""

    async def around(self, sight: TableSight) -> Surroundings:
        """Return what else whoever looks at a table may know."""

    def qr_code(self, address: str) -> str:
        """Return an address as a picture, in HTML."""

    async def invited_to(self, invitation: str) -> Invited:
        """Return what an invitation is for."""

    async def join(self, invitation: str, name: str) -> str:
        """Take the seat that an invitation is for; return the id of its table."""

    async def come_back(self, code: str) -> tuple[str, str]:
        """Take one's seat on this device too; return the id of its table, and a warning if few devices are left."""


def meeting(host: ScreenHost) -> MeetingHost:
    """Return a host to which people come from elsewhere; for another one there is no such page."""
    if host.meeting is None:
        raise Problem("no-such-page")
    return host.meeting


Show = Callable[[Visit, ScreenHost], Awaitable[Answer]]


@dataclass(frozen=True, slots=True)
class RegisteredScreen:
    """A screen, and how it is asked for."""

    method: str
    path: str
    draw: Show
    query: Mapping[str, Whole | Text]
    """The limits of what its address may say after the question mark."""
    anonymous: bool = False
    """Whether a host need not know again whoever asks for it."""

    async def show(self, visit: Visit, host: ScreenHost) -> Answer:
        """Answer a visit."""
        check_query(self.query, visit.query)
        return await self.draw(visit, host)

    def parts_of(self, path: str) -> dict[str, str] | None:
        """Return the varying parts of a path, None if it is not this screen's."""
        written = re.fullmatch(re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^/]+)", re.escape(self.path)), path)
        return None if written is None else written.groupdict()


_SCREENS: Final[list[RegisteredScreen]] = []


def screen(method: str, path: str, *, anonymous: bool = False, **query: Whole | Text) -> Callable[[Show], Show]:
    """Enter a screen in the table: how it is asked for, and what its address may say after the question mark."""

    def enter(draw: Show) -> Show:
        _SCREENS.append(RegisteredScreen(method, path, draw, query, anonymous))
        return draw

    return enter


@cache
def screens() -> tuple[RegisteredScreen, ...]:
    """Return every screen of this room; of two that an address fits, the first is meant: it has fewer varying parts."""
    for module in iter_modules([str(Path(__file__).parent)]):
        import_module(f"{__package__}.{module.name}")
    return tuple(sorted(_SCREENS, key=lambda one: [part.startswith("{") for part in one.path.split("/")]))


def screen_at(method: str, path: str) -> tuple[RegisteredScreen, dict[str, str]]:
    """Return the screen at an address, and the varying parts of the address."""
    for one in screens():
        if one.method == method and (parts := one.parts_of(path)) is not None:
            return one, parts
    raise Problem("no-such-page")
