"""The pages of a room: opening it, joining, waiting and the podium for pupils, the desk and the report for the teacher.

All of them work without a script. Pupils who have none get a page that loads itself again.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from zerosum.base.text import printable
from zerosum.rules.describe import in_one_sentence
from zerosum.rules.game_files import is_built_in
from zerosum.screens.board_view import only_here, qr_code, rules_link, shared_origin
from zerosum.screens.forms import Fields, browser_choices, fields_of, form_problem, number_in
from zerosum.screens.new_table_form import games, shelves
from zerosum.server import limits
from zerosum.server.db.classroom_queries import DESK
from zerosum.server.http.auth import PageKey
from zerosum.server.http.bodies import validate
from zerosum.server.http.context import Context, RequestContext
from zerosum.server.pages.templates import render_page
from zerosum.server.runtime.classrooms import LoadedClassroom, place_of
from zerosum.tables import classroom_decisions as decide
from zerosum.tables import limits as table_limits
from zerosum.tables.classroom import COMPUTER, Classroom, ClassroomMatch, ClassroomPhase, Pupil, podium, standings
from zerosum.tables.classroom_decisions import ClassroomDecision, ClassroomRequest
from zerosum.tables.classroom_report import is_final, pupil_report, room_report
from zerosum.tables.json_text import dumps
from zerosum.tables.keys import Key, read_room_code, shown_room_code
from zerosum.tables.problems import Problem

router = APIRouter(include_in_schema=False)
_DAY_MS: Final = 86_400_000
_PHASES: Final = {
    ClassroomPhase.LOBBY: "Waiting for the class",
    ClassroomPhase.PLAYING: "Playing",
    ClassroomPhase.PAUSED: "Paused",
    ClassroomPhase.ENDED: "Over",
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


@router.get("/room")
async def enter(request: Request, key: PageKey, context: Context, code: str = "") -> Response:
    """Ask for the code of a room, and offer to open one; a code in the address leads to its room."""
    if not code:
        return await _enter_form(request, key, context)
    plain = read_room_code(code)
    if plain is None:
        problem = Problem("no-such-room", "A code has six letters and digits; look at the wall again.")
        return await _enter_form(request, key, context, code, problem)
    try:
        await context.room(plain)
    except Problem as problem:
        return await _enter_form(request, key, context, code, problem)
    return RedirectResponse(f"/room/{plain}", 303)


async def _enter_form(
    request: Request, key: Key, context: RequestContext, code: str = "", problem: Problem | None = None
) -> Response:
    try:
        mine = await context.runtime.rooms.of(key)
    except Problem:
        mine = []
    rooms = [
        {"code": one.room.code, "shown": shown_room_code(one.room.code), "desk": pupil == DESK, "game": _game(one.room)}
        for one, pupil in mine
    ]
    return render_page(
        request,
        "room_enter.html",
        status=problem.status if problem else 200,
        here="Play",
        code=code[:20],
        rooms=rooms,
        problem=problem.detail if problem else "",
    )


def _game(room: Classroom) -> str:
    return printable(room.settings.rules.name)


@router.get("/room/new")
async def new(request: Request) -> Response:
    """Show the form of a new room."""
    return _new_form(request, {})


def _new_form(request: Request, fields: Fields, problem: Problem | None = None) -> Response:
    form = _EMPTY | {name: "" for name in ("help", "lenient", "computers") if fields} | fields
    return render_page(
        request,
        "room_new.html",
        status=problem.status if problem else 200,
        here="Play",
        shelves=shelves(games(form["game"])),
        form=form,
        days=limits.ROOM_DAYS,
        problem=problem.detail if problem else "",
    )


@router.post("/room")
async def create(request: Request, key: PageKey, context: Context) -> Response:
    """Open a room as a form asks for it."""
    fields = await fields_of(request)
    try:
        loaded = await context.open_room(key, _request(fields))
    except Problem as problem:
        return _new_form(request, fields, problem)
    return RedirectResponse(f"/room/{loaded.room.code}/desk", 303)


def _request(fields: Fields) -> ClassroomRequest:
    game = fields.get("game", "")
    given: dict[str, Any] = {"variant": fields.get("variant", "")} if game == "variant" else {"game": game}
    given["minutes"] = number_in(fields, "minutes")
    given |= {name: fields.get(name) == "1" for name in ("help", "lenient", "computers")}
    if fields.get("clock"):
        given["clock"] = {"minutes": number_in(fields, "clock")}
    return validate(ClassroomRequest, given, form_problem)


@router.get("/room/{code}")
async def room(request: Request, code: str, key: PageKey, context: Context) -> Response:
    """Show a pupil where they are; ask others for a name, and take the teacher to the desk."""
    loaded = await context.room(code)
    pupil = await context.runtime.rooms.member(loaded.room.id, key)
    if pupil == DESK:
        return RedirectResponse(f"/room/{loaded.room.code}/desk", 303)
    if pupil is None:
        return _join_form(request, loaded.room)
    await context.runtime.rooms.note_seen(loaded.room.id, pupil)
    return _place(request, loaded, pupil)


def _join_form(request: Request, room: Classroom, name: str = "", problem: Problem | None = None) -> Response:
    rules = room.settings.rules
    return render_page(
        request,
        "room_join.html",
        status=problem.status if problem else 200,
        here="Play",
        code=room.code,
        shown=shown_room_code(room.code),
        game=_game(room),
        idea=in_one_sentence(rules),
        over=room.phase is ClassroomPhase.ENDED,
        until=_until(room),
        most=table_limits.ROOM_NAME_LENGTH,
        name=name or browser_choices(request).name[: table_limits.ROOM_NAME_LENGTH],
        problem=problem.detail if problem else "",
    )


def _until(room: Classroom) -> str:
    """Return the day on which a room is deleted."""
    at = datetime.fromtimestamp((room.opened.at + limits.ROOM_DAYS * _DAY_MS) / 1000, UTC)
    return f"{at.day} {at:%B %Y}"


@router.post("/room/{code}/join")
async def join(request: Request, code: str, key: PageKey, context: Context) -> Response:
    """Take a place in a room."""
    fields = await fields_of(request)
    name = fields.get("name", "")
    try:
        loaded, _ = await context.join_room(code, key, name)
    except Problem as problem:
        if problem.code not in ("bad-name", "not-now", "too-many"):
            raise
        return _join_form(request, (await context.room(code)).room, name[:40], problem)
    return RedirectResponse(f"/room/{loaded.room.code}", 303)


def _place(request: Request, loaded: LoadedClassroom, number: int, problem: str = "") -> Response:
    """Show a pupil's place: their table, or the page on which they wait, or the podium."""
    room = loaded.room
    place = place_of(room, number)
    if place["place"] == "table" and not problem:
        return RedirectResponse(f"/tables/{place['table']}", 303)
    pupil = room.pupil(number)
    rules, now = room.settings.rules, loaded.now()
    common: dict[str, Any] = {
        "code": room.code,
        "shown": shown_room_code(room.code),
        "game": _game(room),
        "place": place["place"],
        "phase": room.phase.value,
        "pupil": pupil,
        "problem": problem,
    }
    if room.phase is ClassroomPhase.ENDED:
        return render_page(request, "room_podium.html", here="", **common, **_podium(room, pupil, now))
    return render_page(
        request,
        "room_waiting.html",
        here="",
        **common,
        left=room.left(now),
        clock=_time(room.left(now)),
        idea=in_one_sentence(rules),
        rules_link=rules_link(rules),
        puzzles=f"/games/{rules.id}/puzzles?set={1 + number % 9}" if is_built_in(rules) else "",
        last=_last(room, number),
        standing=_standing(room, number),
    )


def _time(left: int) -> str:
    seconds = -(-left // 1000)
    return f"{seconds // 60}:{seconds % 60:02}"


def _standing(room: Classroom, number: int) -> dict[str, int]:
    rows = standings(room)
    row = next(one for one in rows if one.pupil.number == number)
    return {"place": row.place, "of": len(rows)}


def _last(room: Classroom, number: int) -> dict[str, object] | None:
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
        "counts": COMPUTER not in match.pupils,
    }


def _name(room: Classroom, number: int, match: ClassroomMatch) -> str:
    return f"the computer ({match.computer})" if number == COMPUTER else printable(room.pupils[number].name)


def _podium(room: Classroom, pupil: Pupil, now: int) -> dict[str, Any]:
    rows = standings(room)
    row = next(one for one in rows if one.pupil.number == pupil.number)
    rules = room.settings.rules
    return {
        "top": podium(rows),
        "rows": rows,
        "row": row,
        "report": pupil_report(room, row),
        "final": is_final(room, now),
        "lesson": f"/learn/{rules.id}" if is_built_in(rules) else "",
        "until": _until(room),
        "tables": [one.table for one in room.matches.values() if pupil.number in one.pupils and one.winner is not None],
    }


@router.post("/room/{code}/ready")
async def ready(request: Request, code: str, key: PageKey, context: Context) -> Response:
    """Wait for the next partner."""
    return await _as_pupil(request, code, key, context, leaves=False)


@router.post("/room/{code}/new-partner")
async def new_partner(request: Request, code: str, key: PageKey, context: Context) -> Response:
    """Leave a match whose other player is absent, and wait for another partner."""
    return await _as_pupil(request, code, key, context, leaves=True)


async def _as_pupil(request: Request, code: str, key: Key, context: RequestContext, *, leaves: bool) -> Response:
    loaded, pupil = await context.pupil(code, key)
    rooms = context.runtime.rooms
    await rooms.note_seen(loaded.room.id, pupil)
    try:
        if leaves:
            await rooms.leave_absent(loaded.room.id, pupil)
    except Problem as problem:
        if problem.code != "not-now":
            raise
        return _place(request, loaded, pupil, problem.detail)
    await rooms.act(loaded.room.id, lambda room, _: decide.ready(room, pupil))
    return RedirectResponse(f"/room/{loaded.room.code}", 303)


# The way in by a link that works once


@router.get("/room/{code}/in/{secret}")
async def way_in(request: Request, code: str, secret: str) -> Response:
    """Offer to use a link; opening it alone uses nothing, for links are also opened by programs that look at them."""
    return _way_in(request, code, secret[:64])


def _way_in(request: Request, code: str, secret: str, problem: Problem | None = None) -> Response:
    plain = read_room_code(code) or ""
    return render_page(
        request,
        "room_in.html",
        status=problem.status if problem else 200,
        holds_key=True,
        here="",
        code=plain,
        shown=shown_room_code(plain),
        secret=secret,
        problem=problem.detail if problem else "",
    )


@router.post("/room/{code}/in/{secret}")
async def come_in(request: Request, code: str, secret: str, key: PageKey, context: Context) -> Response:
    """Use such a link."""
    context.payer.charge("secret")
    try:
        loaded, _ = await context.runtime.rooms.come_in(secret, key)
    except Problem as problem:
        return _way_in(request, code, "", problem)
    return RedirectResponse(f"/room/{loaded.room.code}", 303)


# The desk


@dataclass(frozen=True, slots=True)
class _DeskNote:
    """What an action at the desk leaves to be said: a problem, or a link that is shown once."""

    problem: str = ""
    link: str = ""
    to: str = ""


@router.get("/room/{code}/desk")
async def desk(request: Request, code: str, key: PageKey, context: Context) -> Response:
    """Show the desk to the teacher."""
    loaded = await context.desk(code, key)
    return _desk(request, loaded)


def _desk(request: Request, loaded: LoadedClassroom, note: _DeskNote | None = None) -> Response:
    room, now, origin = loaded.room, loaded.now(), shared_origin(request)
    note = note or _DeskNote()
    address = f"{origin}/room/{room.code}"
    return render_page(
        request,
        "room_desk.html",
        holds_key=bool(note.link),
        status=409 if note.problem else 200,
        here="",
        room=room,
        code=room.code,
        shown=shown_room_code(room.code),
        game=_game(room),
        phase=room.phase.value,
        phase_words=_PHASES[room.phase],
        left=room.left(now),
        clock=_time(room.left(now)),
        ticking=room.phase is ClassroomPhase.PLAYING,
        address=address,
        only_here=only_here(origin),
        qr=qr_code(address),
        rows=[_desk_row(room, row.place, row.pupil, now) for row in standings(room)],
        open=[_open_match(room, room.matches[table], now) for table in sorted(room.open_tables)],
        played=sum(one.counts for one in room.matches.values()),
        until=_until(room),
        finish=table_limits.ROOM_FINISH_SECONDS // 60,
        closed=room.closed(now),
        most=table_limits.ROOM_NAME_LENGTH,
        note=note,
        link_qr=qr_code(note.link) if note.link else "",
    )


def _desk_row(room: Classroom, place: int, pupil: Pupil, now: int) -> dict[str, object]:
    if pupil.table:
        state = f"plays {_name(room, room.matches[pupil.table].other(pupil.number), room.matches[pupil.table])}"
    elif room.phase is ClassroomPhase.LOBBY:
        state = "is here"
    elif pupil.waiting:
        state = f"has waited {room.waited(pupil, now) // 1000} s"
    else:
        state = "looks at the last match, or is away"
    return {"place": place, "pupil": pupil, "name": printable(pupil.name), "state": state, "share": _percent(pupil)}


def _percent(pupil: Pupil) -> str:
    return f"{float(pupil.accuracy):.0%}" if pupil.choices else "-"


def _open_match(room: Classroom, match: ClassroomMatch, now: int) -> dict[str, object]:
    names = [_name(room, number, match) for number in match.pupils]
    return {"table": match.table, "names": names, "minutes": (now - match.at) // 60_000}


_DeskAction = Callable[[RequestContext, Classroom, Fields], Awaitable[_DeskNote | None]]


def _decided(decision: Callable[[Classroom, Fields], ClassroomDecision]) -> _DeskAction:
    async def act(context: RequestContext, room: Classroom, fields: Fields) -> None:
        await context.runtime.rooms.act(room.id, decision(room, fields))

    return act


async def _remove(context: RequestContext, room: Classroom, fields: Fields) -> None:
    await context.runtime.rooms.remove(room.id, number_in(fields, "pupil"))


async def _way_back(context: RequestContext, room: Classroom, fields: Fields) -> _DeskNote:
    pupil = number_in(fields, "pupil")
    known = room.pupils.get(pupil)
    if known is None or known.removed:
        raise Problem("not-now", "This pupil is not in the room.")
    return _DeskNote(link=await context.runtime.rooms.link(room.id, pupil), to=printable(known.name))


async def _pass_desk(context: RequestContext, room: Classroom, _fields: Fields) -> _DeskNote:
    return _DeskNote(link=await context.runtime.rooms.link(room.id, DESK), to="the desk")


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


@router.post("/room/{code}/desk/delete")
async def delete(request: Request, code: str, key: PageKey, context: Context) -> Response:
    """Delete the room; the form asks for a tick first."""
    fields = await fields_of(request)
    loaded = await context.desk(code, key)
    if fields.get("sure") != "1":
        return _desk(request, loaded, _DeskNote(problem="Tick the box if the room is to be deleted for good."))
    await context.runtime.rooms.delete(loaded.room.id)
    return render_page(request, "room_deleted.html", here="", shown=shown_room_code(loaded.room.code))


@router.post("/room/{code}/desk/{action}")
async def at_desk(request: Request, code: str, action: str, key: PageKey, context: Context) -> Response:
    """Do what a form of the desk asks for."""
    if action not in _ACTIONS:
        raise Problem("no-such-page")
    fields = await fields_of(request)
    loaded = await context.desk(code, key)
    try:
        note = await _ACTIONS[action](context, loaded.room, fields)
    except Problem as problem:
        if problem.code not in ("not-now", "bad-name", "bad-field"):
            raise
        note = _DeskNote(problem=problem.detail)
    if note is None:
        return RedirectResponse(f"/room/{loaded.room.code}/desk", 303)
    if note.link:
        link = f"{shared_origin(request)}/room/{loaded.room.code}/in/{note.link}"
        note = _DeskNote(link=link, to=note.to)
    return _desk(request, loaded, note)


# The report


@router.get("/room/{code}/report")
async def report(request: Request, code: str, key: PageKey, context: Context) -> Response:
    """Show the report of the class to its teacher."""
    loaded = await context.desk(code, key)
    room, now = loaded.room, loaded.now()
    rules = room.settings.rules
    return render_page(
        request,
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


@router.get("/room/{code}/report.json")
async def report_json(code: str, key: PageKey, context: Context) -> Response:
    """Save the report as a file that `zerosum room report` reads."""
    room = (await context.desk(code, key)).room
    headers = {"Content-Disposition": f'attachment; filename="room-{room.code}.json"'}
    return Response(dumps(room_report(room)), headers=headers, media_type="application/json")


@router.get("/room/{code}/report.csv")
async def report_csv(code: str, key: PageKey, context: Context) -> Response:
    """Save the report as a table."""
    room = (await context.desk(code, key)).room
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
    return Response("\ufeff" + text.getvalue(), headers=headers, media_type="text/csv; charset=utf-8")


def _cell(name: str) -> str:
    """Return a name that no spreadsheet takes for a formula.

    >>> _cell("=1+1"), _cell("Ann")
    ("'=1+1", 'Ann')
    """
    return f"'{name}" if name[:1] in "=+-@\t\r" else name
