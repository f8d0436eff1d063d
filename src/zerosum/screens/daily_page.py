"""The daily duel: a position for everybody on a date, three tries against perfect play, and a result to share.

The own moves of each try are stored; the opponent's follow from them. The first moves count: a form plays only in the
position that they lead to, so reloading, another tab or an old page takes nothing back. The host keeps them: neither
does an older cookie, nor a restart, nor two tabs at once.
A cookie keeps the days in a row, and the moves for a host that has none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any, Final

from zerosum.base.errors import InvalidTextError
from zerosum.coach.daily import TRIES, DailyDuel, Streak, Try, daily_game, ending_words, parse_day, slip
from zerosum.jobs import game_jobs
from zerosum.rules.describe import goal_line, in_one_sentence
from zerosum.rules.game_files import GAME_IDS, built_in
from zerosum.rules.moves import parse_move
from zerosum.rules.notation import parse_position
from zerosum.rules.position import Position
from zerosum.screens.board_pieces import position_picture, spoken
from zerosum.screens.forms import Fields
from zerosum.screens.puzzle_pages import played_out, read_move
from zerosum.screens.rendering import page
from zerosum.screens.screen import Answer, ScreenHost, Visit, go, screen
from zerosum.screens.static_files import link_picture
from zerosum.tables.commands import date_text
from zerosum.tables.fields import Whole
from zerosum.tables.problems import Problem

COOKIE: Final = "zerosum_daily"
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
    def of(cls, cookies: Fields) -> DailyCookie:
        """Return what a browser remembers; what cannot be read is left out."""
        made = cls({})
        for text in cookies.get(COOKIE, "").split("|"):
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

    def kept(self) -> Fields:
        """Return the cookie."""
        texts = [f"{day}{entry.text}" for day, entry in sorted(self.entries.items())]
        run = [f"run!{self.last.toordinal()}.{self.run}.{self.best}"] if self.run else []
        return {COOKIE: "|".join([*run, *texts])}


async def _known_entries(host: ScreenHost, cookie: DailyCookie) -> dict[date, Entry]:
    """Return how far somebody has come with each daily: what the host keeps, or else what a cookie says."""
    return cookie.entries | {date.fromisoformat(day): Entry.read(text) for day, text in (await host.recall()).items()}


def today(host: ScreenHost) -> date:
    """Return the date that it is now in UTC."""
    return date.fromisoformat(date_text(host.now_ms()).split()[0])


def _day(text: str) -> date | None:
    try:
        return parse_day(text)
    except InvalidTextError:
        return None


def _open_day(text: str, now: date) -> date:
    try:
        day = parse_day(text)
    except InvalidTextError as error:
        raise Problem("no-such-page", str(error)) from None
    if day > now:
        raise Problem("no-such-page", f"The daily of {text} opens at midnight UTC on that date.")
    return day


def long_date(day: date) -> str:
    """Return a date in words.

    >>> long_date(date(2026, 11, 5))
    '5 November 2026'
    """
    return f"{day.day} {day:%B} {day.year}"


@screen("GET", "/puzzles")
async def choose(visit: Visit, host: ScreenHost) -> Answer:
    """Show the daily, and let a game be chosen."""
    daily = _card(DailyCookie.of(visit.cookies), today(host))
    return page("puzzles.html", here="Puzzles", rules=None, games=list(map(built_in, GAME_IDS)), daily=daily)


def _card(cookie: DailyCookie, now: date) -> dict[str, object]:
    """Return what other pages show of today's daily and of the streak."""
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


@screen("GET", "/puzzles/daily")
async def daily_now(_visit: Visit, host: ScreenHost) -> Answer:
    """Go to the daily of today, whose address has the date, so that it stays the same after midnight."""
    return Answer("", 307, f"/puzzles/daily/{today(host)}", headers={"Cache-Control": "no-store"})


@screen("GET", "/puzzles/daily/{day}", reasons=Whole(0, 1))
async def daily(visit: Visit, host: ScreenHost) -> Answer:
    """Show the daily of a date where this browser stands; `reasons` shows why, once its date is over."""
    now, cookie = today(host), DailyCookie.of(visit.cookies)
    on = _open_day(visit.path["day"], now)
    entries = await _known_entries(host, cookie)
    duel = await _duel(host, on, entries.get(on, Entry()))
    week = (now - timedelta(back) for back in range(_WEEK - 1, -1, -1))
    told = duel.over or (int(visit.query.get("reasons", "0")) and on < now)
    return page(
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
        week=[(one, _mark(entries.get(one, Entry()))) for one in week],
        link=f"{visit.origin}/puzzles/daily/{on}",
        picture=link_picture(duel.start.rules.id, visit.origin),
        shown=_shown(duel),
        reasons=await _reasons(host, duel) if told else None,
    )


@screen("POST", "/puzzles/daily/{day}")
async def play(visit: Visit, host: ScreenHost) -> Answer:
    """Make a move, unless the page that sent it shows another position than the one that has been reached."""
    now, cookie, fields = today(host), DailyCookie.of(visit.cookies), visit.fields
    on = _open_day(visit.path["day"], now)
    entry = (await _known_entries(host, cookie)).get(on, Entry(on_its_day=on == now))
    duel = await _duel(host, on, entry)
    shown = f"/puzzles/daily/{on}#answer"
    if duel.over or fields.get("at") != _at(duel):
        return go(shown)
    move = read_move(duel.current.position, fields.get("move", ""))
    following = entry.with_move(duel, duel.start.text_of(move))
    after = await _duel(host, on, following)
    first = await host.remember(str(on), following.moves, following.text)
    return go(shown, cookies=cookie.after(on, following, won=after.won).kept() if first else {})


async def _duel(host: ScreenHost, day: date, entry: Entry) -> DailyDuel:
    """Return how the tries of an entry went; of moves that cannot have been made nothing is left."""
    rules = built_in(daily_game(day))
    try:
        found = await host.ask(game_jobs.daily_duel, str(day), [list(one) for one in entry.tries])
    except Problem as problem:
        if problem.code not in ("illegal-move", "unreadable-move"):
            raise
        found = await host.ask(game_jobs.daily_duel, str(day), [])
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


async def _reasons(host: ScreenHost, duel: DailyDuel) -> dict[str, Any]:
    """Return why the position is won, and why each mistake was one."""
    start = duel.start
    best = await host.ask(game_jobs.hinted_move, *game_jobs.about(start))
    slips = [
        {"n": n, **await played_out(host, *slip(start, one))}
        for n, one in enumerate(duel.tries, 1)
        if one.let_go is not None
    ]
    return {"best": await played_out(host, start, read_move(start, best)), "slips": slips}
