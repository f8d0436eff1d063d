"""The pages of a room: opening it, joining, waiting and the podium for pupils, the desk and the report for the teacher.

All of them work without a script. Pupils who have none get a page that loads itself again.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import wraps
from typing import Any, Final, NamedTuple, Protocol, runtime_checkable

from zerosum.base.text import printable
from zerosum.rules.describe import in_one_sentence
from zerosum.rules.game_files import is_built_in
from zerosum.screens.board_view import clock_text, only_here, rules_link
from zerosum.screens.forms import Fields, browser_choices, number_in, read_form
from zerosum.screens.new_table_form import games, shelves
from zerosum.screens.rendering import long_page, page
from zerosum.screens.screen import Answer, MeetingHost, ScreenHost, Visit, go, screen
from zerosum.tables import classroom, limits
from zerosum.tables import classroom_decisions as decide
from zerosum.tables.classroom_decisions import ClassroomDecision, ClassroomRequest
from zerosum.tables.classroom_report import is_final, pupil_report, room_report
from zerosum.tables.json_text import dumps
from zerosum.tables.keys import read_room_code, shown_room_code
from zerosum.tables.problems import Problem

_DAY_MS: Final = 86_400_000
_PHASES: Final = {
    classroom.ClassroomPhase.LOBBY: "Waiting for the class",
    classroom.ClassroomPhase.PLAYING: "Playing",
    classroom.ClassroomPhase.PAUSED: "Paused",
    classroom.ClassroomPhase.ENDED: "Over",
}
_EMPTY: Final = {
    "game": "sum31",
    "variant": "",
    "minutes": "15",
    "help": "1",
    "lenient": "1",
    "clock": "",
    "computers": "",
}


class ClassroomSight(NamedTuple):
    """A room at a time, and which pupil of it whoever looks is: `DESK` for the teacher, None for others."""

    room: classroom.Classroom
    now: int
    pupil: int | None = None


class ClassroomActions(Protocol):
    """What can be done in a room, by its id."""

    async def act(self, room_id: str, decision: ClassroomDecision) -> object:
        """Carry a decision out."""

    async def leave_absent(self, room_id: str, pupil: int) -> object:
        """End the match of a pupil whose partner is absent."""

    async def link(self, room_id: str, pupil: int) -> str:
        """Return the secret of a link that works once, to a pupil's place or to the `DESK`."""

    async def remove(self, room_id: str, pupil: int) -> object:
        """Remove a pupil, and forget the pupil's keys."""

    async def delete(self, room_id: str) -> object:
        """Delete a room."""


@runtime_checkable
class ClassroomHost(MeetingHost, Protocol):
    """A host where many people meet in rooms."""

    @property
    def rooms(self) -> ClassroomActions:
        """What can be done in rooms."""

    async def own_rooms(self) -> list[ClassroomSight]:
        """Return the rooms where whoever looks is."""

    async def open_room(self, order: ClassroomRequest) -> str:
        """Open a room; return its code."""

    async def room(self, code: str) -> ClassroomSight:
        """Return the room with a code; a pupil is noted as seen there."""

    async def room_as_pupil(self, code: str) -> tuple[classroom.Classroom, int, int]:
        """Return the room with a code, the time, and the number of the pupil who looks: nobody else may."""

    async def desk(self, code: str) -> ClassroomSight:
        """Return the room with a code; only its teacher may."""

    async def wall(self, code: str, origin: str) -> tuple[classroom.Classroom, int, Mapping[str, str]]:
        """Return a room, the time, and the pieces of its wall by their ids; they are the same for everybody."""

    async def join_room(self, code: str, name: str) -> str:
        """Take a place in a room; return its code."""

    async def come_in(self, secret: str) -> str:
        """Use a link that works once; return the code of its room."""


_Show = Callable[[Visit, ClassroomHost], Awaitable[Answer]]


def _screen(method: str, path: str, **more: Any) -> Callable[[_Show], _Show]:
    """Enter a screen of a host where people meet; others have no such page."""

    def enter(draw: _Show) -> _Show:
        @wraps(draw)
        async def show(visit: Visit, host: ScreenHost) -> Answer:
            if not isinstance(host, ClassroomHost):
                raise Problem("no-such-page")
            return await draw(visit, host)

        screen(method, path, **more)(show)
        return draw

    return enter


@_screen("GET", "/room")
async def enter(visit: Visit, host: ClassroomHost) -> Answer:
    """Ask for the code of a room, and offer to open one; a code in the address leads to its room."""
    code = visit.query.get("code", "")
    if not code:
        return await _enter_form(host)
    plain = read_room_code(code)
    if plain is None:
        problem = Problem("no-such-room", "A code has six letters and digits; look at the wall again.")
        return await _enter_form(host, code, problem)
    try:
        await host.room(plain)
    except Problem as problem:
        return await _enter_form(host, code, problem)
    return go(f"/room/{plain}")


async def _enter_form(host: ClassroomHost, code: str = "", problem: Problem | None = None) -> Answer:
    try:
        mine = await host.own_rooms()
    except Problem:
        mine = []
    rooms = [
        {"code": room.code, "shown": shown_room_code(room.code), "desk": pupil == classroom.DESK, "game": _game(room)}
        for room, _, pupil in mine
    ]
    return page("room_enter.html", here="Play", code=code[:20], rooms=rooms, problem=problem)


def _game(room: classroom.Classroom) -> str:
    return printable(room.settings.rules.name)


@_screen("GET", "/room/new")
async def new(_visit: Visit, _host: ClassroomHost) -> Answer:
    """Show the form of a new room."""
    return _new_form({})


def _new_form(fields: Fields, problem: Problem | None = None) -> Answer:
    form = _EMPTY | {name: "" for name in ("help", "lenient", "computers") if fields} | fields
    return page(
        "room_new.html",
        here="Play",
        shelves=shelves(games(form["game"])),
        form=form,
        days=limits.ROOM_DAYS,
        problem=problem,
    )


@_screen("POST", "/room")
async def create(visit: Visit, host: ClassroomHost) -> Answer:
    """Open a room as a form asks for it."""
    try:
        code = await host.open_room(_request(visit.fields))
    except Problem as problem:
        return _new_form(visit.fields, problem)
    return go(f"/room/{code}/desk")


def _request(fields: Fields) -> ClassroomRequest:
    game = fields.get("game", "")
    given: dict[str, Any] = {"variant": fields.get("variant", "")} if game == "variant" else {"game": game}
    given["minutes"] = number_in(fields, "minutes")
    given |= {name: fields.get(name) == "1" for name in ("help", "lenient", "computers")}
    if fields.get("clock"):
        given["clock"] = {"minutes": number_in(fields, "clock")}
    return read_form(ClassroomRequest, given)


@_screen("GET", "/room/{code}")
async def room(visit: Visit, host: ClassroomHost) -> Answer:
    """Show a pupil where they are; ask others for a name, and take the teacher to the desk."""
    sight = await host.room(visit.path["code"])
    if sight.pupil == classroom.DESK:
        return go(f"/room/{sight.room.code}/desk")
    if sight.pupil is None:
        return _join_form(sight.room, _usual_name(visit))
    return _place(sight.room, sight.pupil, sight.now)


def _usual_name(visit: Visit) -> str:
    return browser_choices(visit.cookies).name[: limits.ROOM_NAME_LENGTH]


def _join_form(room: classroom.Classroom, name: str, problem: Problem | None = None) -> Answer:
    rules = room.settings.rules
    return page(
        "room_join.html",
        here="Play",
        code=room.code,
        shown=shown_room_code(room.code),
        game=_game(room),
        idea=in_one_sentence(rules),
        over=room.phase is classroom.ClassroomPhase.ENDED,
        until=_until(room),
        most=limits.ROOM_NAME_LENGTH,
        name=name,
        problem=problem,
    )


def _until(room: classroom.Classroom) -> str:
    """Return the day on which a room is deleted."""
    at = datetime.fromtimestamp((room.opened.at + limits.ROOM_DAYS * _DAY_MS) / 1000, UTC)
    return f"{at.day} {at:%B %Y}"


@_screen("POST", "/room/{code}/join")
async def join(visit: Visit, host: ClassroomHost) -> Answer:
    """Take a place in a room."""
    code, name = visit.path["code"], visit.fields.get("name", "")
    try:
        return go(f"/room/{await host.join_room(code, name)}")
    except Problem as problem:
        if problem.code not in ("bad-name", "not-now", "too-many"):
            raise
        return _join_form((await host.room(code)).room, name[:40] or _usual_name(visit), problem)


def _place(room: classroom.Classroom, number: int, now: int, problem: str = "") -> Answer:
    """Show a pupil's place: their table, or the page on which they wait, or the podium."""
    place = classroom.place_of(room, number)
    if place["place"] == "table" and not problem:
        return go(f"/tables/{place['table']}")
    pupil = room.pupil(number)
    rules = room.settings.rules
    common: dict[str, Any] = {
        "code": room.code,
        "shown": shown_room_code(room.code),
        "game": _game(room),
        "place": place["place"],
        "phase": room.phase.value,
        "pupil": pupil,
        "problem": problem,
    }
    if room.phase is classroom.ClassroomPhase.ENDED:
        return page("room_podium.html", here="", **common, **_podium(room, pupil, now))
    return page(
        "room_waiting.html",
        here="",
        **common,
        left=room.left(now),
        clock=clock_text(room.left(now)),
        idea=in_one_sentence(rules),
        rules_link=rules_link(rules),
        puzzles=f"/games/{rules.id}/puzzles?set={1 + number % 9}" if is_built_in(rules) else "",
        last=_last(room, number),
        standing=_standing(room, number),
    )


def _standing(room: classroom.Classroom, number: int) -> dict[str, int]:
    rows = classroom.standings(room)
    row = next(one for one in rows if one.pupil.number == number)
    return {"place": row.place, "of": len(rows)}


def _last(room: classroom.Classroom, number: int) -> dict[str, object] | None:
    """Return the last match of a pupil that is over, for the page on which they wait."""
    mine = [one for one in room.matches.values() if number in one.pupils and not one.open]
    if not mine:
        return None
    match = mine[-1]
    return {
        "partner": _name(room, match.other(number), match),
        "won": match.winner == number,
        "voided": match.voided,
        "table": match.table,
        "counts": classroom.COMPUTER not in match.pupils,
    }


def _name(room: classroom.Classroom, number: int, match: classroom.ClassroomMatch) -> str:
    return f"the computer ({match.computer})" if number == classroom.COMPUTER else printable(room.pupils[number].name)


def _podium(room: classroom.Classroom, pupil: classroom.Pupil, now: int) -> dict[str, Any]:
    rows = classroom.standings(room)
    row = next(one for one in rows if one.pupil.number == pupil.number)
    rules = room.settings.rules
    return {
        "top": classroom.podium(rows),
        "rows": rows,
        "row": row,
        "report": pupil_report(room, row),
        "final": is_final(room, now),
        "lesson": f"/learn/{rules.id}" if is_built_in(rules) else "",
        "until": _until(room),
        "tables": [one.table for one in room.matches.values() if pupil.number in one.pupils and one.winner is not None],
    }


@_screen("POST", "/room/{code}/ready")
async def ready(visit: Visit, host: ClassroomHost) -> Answer:
    """Wait for the next partner."""
    room, _, number = await host.room_as_pupil(visit.path["code"])
    return await _wait(host, room, number)


async def _wait(host: ClassroomHost, room: classroom.Classroom, number: int) -> Answer:
    await host.rooms.act(room.id, lambda room, _: decide.ready(room, number))
    return go(f"/room/{room.code}")


@_screen("POST", "/room/{code}/new-partner")
async def new_partner(visit: Visit, host: ClassroomHost) -> Answer:
    """Leave a match whose other player is absent, and wait for another partner."""
    room, now, number = await host.room_as_pupil(visit.path["code"])
    try:
        await host.rooms.leave_absent(room.id, number)
    except Problem as problem:
        if problem.code != "not-now":
            raise
        return _place(room, number, now, problem.detail)
    return await _wait(host, room, number)


# The way in by a link that works once


@_screen("GET", "/room/{code}/in/{secret}")
async def way_in(visit: Visit, _host: ClassroomHost) -> Answer:
    """Offer to use a link; opening it alone uses nothing, for links are also opened by programs that look at them."""
    return _way_in(visit.path["code"], visit.path["secret"][:64])


def _way_in(code: str, secret: str, problem: Problem | None = None) -> Answer:
    plain = read_room_code(code) or ""
    return page(
        "room_in.html", private=True, here="", code=plain, shown=shown_room_code(plain), secret=secret, problem=problem
    )


@_screen("POST", "/room/{code}/in/{secret}")
async def come_in(visit: Visit, host: ClassroomHost) -> Answer:
    """Use such a link."""
    try:
        return go(f"/room/{await host.come_in(visit.path['secret'])}")
    except Problem as problem:
        return _way_in(visit.path["code"], "", problem)


# The desk


@dataclass(frozen=True, slots=True)
class _DeskNote:
    """What an action at the desk leaves to be said: a problem, or a link that is shown once."""

    problem: str = ""
    link: str = ""
    to: str = ""


_NOTHING: Final = _DeskNote()


@_screen("GET", "/room/{code}/desk")
async def desk(visit: Visit, host: ClassroomHost) -> Answer:
    """Show the desk to the teacher."""
    return _desk(visit, host, await host.desk(visit.path["code"]))


def _desk(visit: Visit, host: ClassroomHost, sight: ClassroomSight, note: _DeskNote = _NOTHING) -> Answer:
    room, now, origin = sight.room, sight.now, visit.origin
    address = f"{origin}/room/{room.code}"
    shown = long_page(
        "room_desk.html",
        here="",
        room=room,
        code=room.code,
        shown=shown_room_code(room.code),
        game=_game(room),
        phase=room.phase.value,
        phase_words=_PHASES[room.phase],
        left=room.left(now),
        clock=clock_text(room.left(now)),
        ticking=room.phase is classroom.ClassroomPhase.PLAYING,
        address=address,
        only_here=only_here(origin),
        qr=host.qr_code(address),
        rows=[_desk_row(room, row.place, row.pupil, now) for row in classroom.standings(room)],
        open=[_open_match(room, room.matches[table], now) for table in sorted(room.open_tables)],
        played=sum(one.counts for one in room.matches.values()),
        until=_until(room),
        finish=limits.ROOM_FINISH_SECONDS // 60,
        closed=room.closed(now),
        most=limits.ROOM_NAME_LENGTH,
        note=note,
        link_qr=host.qr_code(note.link) if note.link else "",
    )
    return replace(shown, status=409 if note.problem else 200, private=bool(note.link))


def _desk_row(room: classroom.Classroom, place: int, pupil: classroom.Pupil, now: int) -> dict[str, object]:
    if pupil.table:
        state = f"plays {_name(room, room.matches[pupil.table].other(pupil.number), room.matches[pupil.table])}"
    elif room.phase is classroom.ClassroomPhase.LOBBY:
        state = "is here"
    elif pupil.waiting:
        state = f"has waited {room.waited(pupil, now) // 1000} s"
    else:
        state = "looks at the last match, or is away"
    return {"place": place, "pupil": pupil, "name": printable(pupil.name), "state": state, "share": _percent(pupil)}


def _percent(pupil: classroom.Pupil) -> str:
    return f"{float(pupil.accuracy):.0%}" if pupil.choices else "-"


def _open_match(room: classroom.Classroom, match: classroom.ClassroomMatch, now: int) -> dict[str, object]:
    names = [_name(room, number, match) for number in match.pupils]
    return {"table": match.table, "names": names, "minutes": (now - match.at) // 60_000}


_DeskAction = Callable[[ClassroomHost, classroom.Classroom, Fields], Awaitable[_DeskNote | None]]


def _decided(decision: Callable[[classroom.Classroom, Fields], ClassroomDecision]) -> _DeskAction:
    async def act(host: ClassroomHost, room: classroom.Classroom, fields: Fields) -> None:
        await host.rooms.act(room.id, decision(room, fields))

    return act


async def _remove(host: ClassroomHost, room: classroom.Classroom, fields: Fields) -> None:
    await host.rooms.remove(room.id, number_in(fields, "pupil"))


async def _way_back(host: ClassroomHost, room: classroom.Classroom, fields: Fields) -> _DeskNote:
    pupil = number_in(fields, "pupil")
    known = room.pupils.get(pupil)
    if known is None or known.removed:
        raise Problem("not-now", "This pupil is not in the room.")
    return _DeskNote(link=await host.rooms.link(room.id, pupil), to=printable(known.name))


async def _pass_desk(host: ClassroomHost, room: classroom.Classroom, _fields: Fields) -> _DeskNote:
    return _DeskNote(link=await host.rooms.link(room.id, classroom.DESK), to="the desk")


_ACTIONS: Final[dict[str, _DeskAction]] = {
    "start": _decided(lambda _room, _fields: lambda room, _: decide.start(room)),
    "pause": _decided(lambda _room, _fields: lambda room, _: decide.pause(room)),
    "end": _decided(lambda _room, _fields: lambda room, _: decide.end(room)),
    "rename": _decided(
        lambda _room, fields: lambda room, _: decide.rename(room, number_in(fields, "pupil"), fields.get("name", ""))
    ),
    "void": _decided(lambda _room, fields: lambda room, _: decide.void(room, fields.get("table", ""))),
    "remove": _remove,
    "way-back": _way_back,
    "pass-desk": _pass_desk,
}


@_screen("POST", "/room/{code}/desk/delete")
async def delete(visit: Visit, host: ClassroomHost) -> Answer:
    """Delete the room; the form asks for a tick first."""
    sight = await host.desk(visit.path["code"])
    if visit.fields.get("sure") != "1":
        return _desk(visit, host, sight, _DeskNote("Tick the box if the room is to be deleted for good."))
    await host.rooms.delete(sight.room.id)
    return page("room_deleted.html", here="", shown=shown_room_code(sight.room.code))


@_screen("POST", "/room/{code}/desk/{action}")
async def at_desk(visit: Visit, host: ClassroomHost) -> Answer:
    """Do what a form of the desk asks for."""
    act = _ACTIONS.get(visit.path["action"])
    if act is None:
        raise Problem("no-such-page")
    sight = await host.desk(visit.path["code"])
    try:
        note = await act(host, sight.room, visit.fields)
    except Problem as problem:
        if problem.code not in ("not-now", "bad-name", "bad-field"):
            raise
        note = _DeskNote(problem.detail)
    if note is None:
        return go(f"/room/{sight.room.code}/desk")
    if note.link:
        note = _DeskNote(link=f"{visit.origin}/room/{sight.room.code}/in/{note.link}", to=note.to)
    return _desk(visit, host, sight, note)


# The wall


@_screen("GET", "/room/{code}/wall")
async def wall(visit: Visit, host: ClassroomHost) -> Answer:
    """Show the wall; it has no controls and no secret."""
    room, now, pieces = await host.wall(visit.path["code"], visit.origin)
    return page(
        "room_wall.html",
        here="",
        code=room.code,
        shown=shown_room_code(room.code),
        game=_game(room),
        left=room.left(now),
        pieces={name: piece for name, piece in pieces.items() if not name.startswith("board-")},
        boards=[piece for name, piece in pieces.items() if name.startswith("board-")],
    )


# The report


@_screen("GET", "/room/{code}/report")
async def report(visit: Visit, host: ClassroomHost) -> Answer:
    """Show the report of the class to its teacher."""
    room, now, _ = await host.desk(visit.path["code"])
    rules = room.settings.rules
    return page(
        "room_report.html",
        here="",
        code=room.code,
        shown=shown_room_code(room.code),
        report=room_report(room),
        final=is_final(room, now),
        date=f"{datetime.fromtimestamp((room.started or room.opened.at) / 1000, UTC):%Y-%m-%d}",
        lesson=f"/learn/{rules.id}" if is_built_in(rules) else "",
        until=_until(room),
    )


@_screen("GET", "/room/{code}/report.json")
async def report_json(visit: Visit, host: ClassroomHost) -> Answer:
    """Save the report as a file that `zerosum room report` reads."""
    room = (await host.desk(visit.path["code"])).room
    headers = {"Content-Disposition": f'attachment; filename="room-{room.code}.json"'}
    return Answer(dumps(room_report(room)), headers=headers, media_type="application/json")


@_screen("GET", "/room/{code}/report.csv")
async def report_csv(visit: Visit, host: ClassroomHost) -> Answer:
    """Save the report as a table."""
    room = (await host.desk(visit.path["code"])).room
    found = room_report(room)
    ideas = [one["idea"] for one in found["mistakes"]]
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\r\n")
    titles = [one or "no short idea" for one in ideas]
    rows.writerow(["place", "name", "wins", "matches", "choices", "kept", "accuracy", "next lesson", *titles])
    for one in found["pupils"]:
        made = {idea["idea"]: idea["mistakes"] for idea in one["mistakes"]}
        share = "" if one["accuracy"] is None else f"{one['accuracy']:.3f}"
        figures = [one["place"], _cell(one["name"]), one["score"], one["matches"], one["choices"], one["kept"]]
        rows.writerow([*figures, share, one["next_lesson"], *(made.get(idea, 0) for idea in ideas)])
    headers = {"Content-Disposition": f'attachment; filename="room-{room.code}.csv"'}
    return Answer("\ufeff" + text.getvalue(), headers=headers, media_type="text/csv; charset=utf-8")


def _cell(name: str) -> str:
    """Return a name that no spreadsheet takes for a formula.

    >>> _cell("=1+1"), _cell("Ann")
    ("'=1+1", 'Ann')
    """
    return f"'{name}" if name[:1] in "=+-@\t\r" else name
