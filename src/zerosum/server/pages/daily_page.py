"""The daily duel: a position for everybody on a date, three tries against perfect play, and a result to share.

The own moves of each try are stored; the opponent's follow from them. The first moves count: a form plays only in the
position that they lead to, so reloading, another tab or an old page takes nothing back. They are in the database, by
the hash of the browser's key: neither does an older cookie, nor a restart, nor two tabs at two replicas at once.
A cookie keeps the days in a row, and the moves for a server whose database has none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import partial
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from zerosum.base.errors import InvalidTextError
from zerosum.coach.daily import TRIES, DailyDuel, Streak, Try, daily_game, ending_words, parse_day, slip, today
from zerosum.jobs import game_jobs
from zerosum.rules.describe import goal_line, in_one_sentence
from zerosum.rules.game_files import built_in
from zerosum.rules.moves import parse_move
from zerosum.rules.notation import parse_position
from zerosum.rules.position import Position
from zerosum.screens.board_pieces import position_picture, spoken
from zerosum.screens.board_view import shared_origin
from zerosum.screens.forms import WholeNumber, fields_of
from zerosum.screens.puzzle_pieces import played_out, read_move
from zerosum.server.db import queries
from zerosum.server.http.auth import PageKey
from zerosum.server.http.context import RequestContext, request_context, rules_and_position
from zerosum.server.pages.static_files import link_picture
from zerosum.server.pages.templates import render_page
from zerosum.tables.keys import Key
from zerosum.tables.problems import Problem

router = APIRouter(include_in_schema=False)

COOKIE: Final = "zerosum_daily"
_YEAR: Final = 365 * 24 * 3600
_KEPT: Final = 8
"""Days whose tries a browser remembers: the week that the page shows, and the day before."""
_WEEK: Final = 7
_ENTRY: Final = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})([!~][0-9.+_-]{1,400})")
_STREAK: Final = re.compile(r"run!([0-9]{1,7})\.([0-9]{1,6})\.([0-9]{1,6})")

Tries = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """The own moves of somebody's tries at one daily, and whether the first was made on its date."""

    tries: Tries = ()
    on_its_day: bool = True

    @classmethod
    def read(cls, text: str) -> Entry:
        """Return what `text` wrote."""
        return cls(tuple(tuple(one.split(".")) for one in text[1:].split("_")), text[0] == "!")

    @property
    def text(self) -> str:
        """Return how a cookie writes it, after the day."""
        return f"{'!' if self.on_its_day else '~'}{'_'.join('.'.join(one) for one in self.tries)}"

    def with_move(self, duel: DailyDuel, move: str) -> Entry:
        """Return the entry with one more move, in the try that begins or goes on."""
        if duel.begins:
            return replace(self, tries=(*self.tries, (move,)))
        return replace(self, tries=(*self.tries[:-1], (*self.tries[-1], move)))

    @property
    def moves(self) -> int:
        """How many moves were made."""
        return sum(map(len, self.tries))


@dataclass(frozen=True, slots=True)
class DailyCookie:
    """What a browser remembers: entries by their day, and the last run of days won, with the best one."""

    entries: dict[date, Entry]
    last: date = date.min
    run: int = 0
    best: int = 0

    @classmethod
    def of(cls, request: Request) -> DailyCookie:
        """Return what the browser of a request remembers; what cannot be read is left out."""
        made = cls({})
        for text in request.cookies.get(COOKIE, "").split("|"):
            entry, streak = _ENTRY.fullmatch(text), _STREAK.fullmatch(text)
            day = _day(entry[1]) if entry else None
            if entry and day:
                made.entries[day] = Entry.read(entry[2])
            elif streak and int(streak[1]) in range(1, date.max.toordinal()):
                made = replace(made, last=date.fromordinal(int(streak[1])), run=int(streak[2]), best=int(streak[3]))
        return made

    def after(self, day: date, entry: Entry, *, won: bool) -> DailyCookie:
        """Return what is remembered after a move; a daily that was begun on its date adds to the run if it is won."""
        entries = {**self.entries, day: entry}
        kept = {one: entries[one] for one in sorted(entries)[-_KEPT:]} | {day: entry}
        if not won or not entry.on_its_day or day <= self.last:
            return replace(self, entries=kept)
        run = self.run + 1 if day - self.last == timedelta(1) else 1
        return DailyCookie(kept, day, run, max(run, self.best))

    def streak(self, now: date) -> Streak:
        """Return the days in a row; until today's is won, yesterday's still counts."""
        return Streak(self.run if now - self.last <= timedelta(1) else 0, self.best)

    def keep(self, request: Request, response: Response) -> None:
        """Let a browser remember it."""
        texts = [f"{day}{entry.text}" for day, entry in sorted(self.entries.items())]
        run = [f"run!{self.last.toordinal()}.{self.run}.{self.best}"] if self.run else []
        response.set_cookie(
            COOKIE,
            "|".join([*run, *texts]),
            max_age=_YEAR,
            httponly=True,
            samesite="lax",
            secure=request.url.scheme == "https",
        )


async def _known_entries(context: RequestContext, cookie: DailyCookie, key: Key) -> dict[date, Entry]:
    """Return how far a browser has come with each daily: what is stored, or else what its cookie says."""
    stored = await context.runtime.writer.read(partial(queries.daily_tries, key=key))
    return cookie.entries | {date.fromisoformat(day): Entry.read(text) for day, text in stored.items()}


async def _add(context: RequestContext, key: Key, day: date, entry: Entry) -> bool:
    """Store an entry with one more move; return whether no other tab has made that move."""
    at, write = context.runtime.world.now_ms(), queries.add_daily_move
    do = partial(write, key=key, day=str(day), moves=entry.moves, tries=entry.text, at=at)
    return await context.runtime.writer.write(do)


def _day(text: str) -> date | None:
    try:
        return parse_day(text)
    except InvalidTextError:
        return None


def _open_day(text: str) -> date:
    try:
        day = parse_day(text)
    except InvalidTextError as error:
        raise Problem("no-such-page", str(error)) from None
    if day > today():
        raise Problem("no-such-page", f"The daily of {text} opens at midnight UTC on that date.")
    return day


def long_date(day: date) -> str:
    """Return a date in words.

    >>> long_date(date(2026, 11, 5))
    '5 November 2026'
    """
    return f"{day.day} {day:%B} {day.year}"


def daily_card(request: Request) -> dict[str, object]:
    """Return what other pages show of today's daily and of the streak."""
    now, cookie = today(), DailyCookie.of(request)
    begun = now in cookie.entries
    return {
        "day": now,
        "date": long_date(now),
        "game": built_in(daily_game(now)).name,
        "begun": begun,
        "won": cookie.last == now,
        "streak": streak_card(cookie, now),
    }


def streak_card(cookie: DailyCookie, now: date) -> dict[str, object]:
    """Return what a page shows of a streak; its script adds the days that earlier versions kept."""
    return {"today": now, "last": cookie.last, "run": cookie.run, "shown": cookie.streak(now)}


@router.get("/puzzles/daily")
async def daily_now() -> RedirectResponse:
    """Go to the daily of today, whose address has the date, so that it stays the same after midnight."""
    return RedirectResponse(f"/puzzles/daily/{today()}", headers={"Cache-Control": "no-store"})


@router.get("/puzzles/daily/{day}")
async def daily(
    request: Request, day: str, key: PageKey, reasons: Annotated[WholeNumber, Query(ge=0, le=1)] = 0
) -> HTMLResponse:
    """Show the daily of a date where this browser stands; `reasons` shows why, once its date is over."""
    on, now, cookie = _open_day(day), today(), DailyCookie.of(request)
    entries = await _known_entries(request_context(request), cookie, key)
    duel = await _duel(request, on, entries.get(on, Entry()))
    told = duel.over or (bool(reasons) and on < now)
    return render_page(
        request,
        "daily.html",
        here="Puzzles",
        rules=duel.start.rules,
        goal=goal_line(duel.start.rules),
        rules_words=in_one_sentence(duel.start.rules),
        day=on,
        date=long_date(on),
        today=now,
        yesterday=now - timedelta(1),
        streak=streak_card(cookie, now),
        week=[(one, _mark(entries.get(one, Entry()))) for one in _last_week(now)],
        link=f"{shared_origin(request)}/puzzles/daily/{on}",
        picture=link_picture(duel.start.rules.id, shared_origin(request)),
        shown=_shown(duel),
        reasons=await _reasons(request, duel) if told else None,
    )


@router.post("/puzzles/daily/{day}")
async def play(request: Request, day: str, key: PageKey) -> Response:
    """Make a move, unless the page that sent it shows another position than the one that has been reached."""
    on, now, cookie = _open_day(day), today(), DailyCookie.of(request)
    fields, context = await fields_of(request), request_context(request)
    answer = RedirectResponse(f"/puzzles/daily/{on}#answer", 303)
    known = await _known_entries(context, cookie, key)
    entry = known.get(on, Entry(on_its_day=on == now))
    duel = await _duel(request, on, entry)
    if duel.over or fields.get("at") != _at(duel):
        return answer
    move = read_move(duel.current.position, fields.get("move", ""))
    following = entry.with_move(duel, duel.start.text_of(move))
    after = await _duel(request, on, following)
    if await _add(context, key, on, following):
        cookie.after(on, following, won=after.won).keep(request, answer)
    return answer


async def _duel(request: Request, day: date, entry: Entry) -> DailyDuel:
    """Return how the tries of an entry went; of moves that cannot have been made nothing is left."""
    questions, rules = request_context(request).questions, built_in(daily_game(day))
    try:
        found = await questions.ask(game_jobs.daily_duel, str(day), [list(one) for one in entry.tries])
    except Problem as problem:
        if problem.code not in ("illegal-move", "unreadable-move"):
            raise
        found = await questions.ask(game_jobs.daily_duel, str(day), [])
    start = parse_position(found["position"], rules)
    return DailyDuel(day, start, tuple(_try(start, one) for one in found["tries"]))


def _try(start: Position, found: game_jobs.TryDocument) -> Try:
    moves = tuple(parse_move(text, start.rules.operations) for text in found["moves"])
    position = start
    for move in moves:
        position = position.play(move)
    return Try(moves, position, found["won"], found["let_go"])


def _at(duel: DailyDuel) -> str:
    """Return the place in a daily that a form is made for."""
    return f"{duel.number}.{len(duel.current.moves)}"


def _last_week(now: date) -> list[date]:
    return [now - timedelta(back) for back in range(_WEEK - 1, -1, -1)]


def _mark(entry: Entry) -> str:
    return f"{len(entry.tries)} of {TRIES}" if entry.tries else ""


def _shown(duel: DailyDuel) -> dict[str, Any]:
    """Return what the page shows of a daily: the try that goes on, those before it, and the result."""
    now, start = duel.current, duel.start
    return {
        "over": duel.over,
        "won": duel.won,
        "number": duel.number,
        "of": TRIES,
        "at": _at(duel),
        "scene": position_picture(start, now.moves),
        "last": [start.text_of(move) for move in now.moves[-2:]],
        "moves": [
            {"move": now.position.text_of(move), "said": spoken(move)}
            for move in (() if duel.over else now.position.legal_moves())
        ],
        "tries": [
            {"marks": one.marks, "won": one.won, "ended": ending_words(start, one.moves), "let_go": one.let_go}
            for one in duel.tries
            if one.won is not None
        ],
        "result": duel.result() if duel.over else [],
    }


async def _reasons(request: Request, duel: DailyDuel) -> dict[str, Any]:
    """Return why the position is won, and why each mistake was one."""
    start = duel.start
    best = await request_context(request).questions.ask(game_jobs.hinted_move, *rules_and_position(start))
    slips = [
        {"n": n, **await played_out(request, *slip(start, one))}
        for n, one in enumerate(duel.tries, 1)
        if one.let_go is not None
    ]
    return {"best": await played_out(request, start, read_move(start, best)), "slips": slips}
