"""The wall of a room, for a projector: the code, small live boards, standings, the most exciting board, the podium.

It is made of pieces with ids, so that a live connection need send only those that have changed. At the end the wall
shows the podium and, move by move, the turning point of the day.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from zerosum.base.text import printable
from zerosum.match.match import Match
from zerosum.match.match_words import name_of
from zerosum.match.setup import Person
from zerosum.rules.describe import goal_line
from zerosum.rules.model import Totals
from zerosum.screens.board_pieces import CLASSES, number_line, tiles
from zerosum.screens.rendering import render
from zerosum.tables.classroom import Classroom, ClassroomPhase, podium, standings
from zerosum.tables.classroom_report import TurningPoint, is_final
from zerosum.tables.keys import shown_room_code
from zerosum.tables.table import Table
from zerosum.tables.view import turn_words

_EXCITING_SECONDS: Final = 60
_STAYS_SECONDS: Final = 8
"""Seconds that a board stays large before a more exciting one takes its place."""
_SHOWN: Final = 10
"""Lines of the standings."""
_PODIUM: Final = 12
"""Names on the podium; more than three if some are level."""
_PODIUM_SECONDS: Final = 12
_STEP_SECONDS: Final = 2.5

Pieces = dict[str, str]


@dataclass(slots=True)
class ClassroomWall:
    """What the walls of one room share: how far each board has swung, and which of them is large."""

    swings: dict[str, tuple[int, float]] = field(default_factory=dict)
    """The biggest swing of each board, and when it was."""
    large: str = ""
    large_since: float = 0.0
    turning: tuple[TurningPoint, Match] | None = None
    """The turning point of the day, once it is known."""
    ended: float = 0.0
    drawn: dict[str, tuple[int, str]] = field(default_factory=dict)
    """The small board of each table, and the version it shows."""


class WallLook(NamedTuple):
    """One look at a room: its open tables, the first first, the time of day, and the seconds of a clock."""

    room: Classroom
    tables: Sequence[Table]
    now: int
    clock: float
    origin: str
    qr: str
    """The address of the room as a picture; nothing if only this machine can open it."""


def wall_pieces(wall: ClassroomWall, look: WallLook) -> Pieces:
    """Return every piece of the wall as it is now, by its id."""
    lobby = look.room.phase is ClassroomPhase.LOBBY
    pieces = {
        "wall-head": render("wall_head.html", **_head(look)),
        "wall-main": _lobby(look) if lobby else _main(wall, look),
        "wall-side": render("wall_side.html", **_side(look.room)),
    }
    for table in look.tables:
        pieces[f"board-{table.id}"] = _small(wall, table)
    return {name: str(piece) for name, piece in pieces.items()}


def _head(look: WallLook) -> dict[str, Any]:
    room = look.room
    return {
        "shown": shown_room_code(room.code),
        "game": printable(room.settings.rules.name),
        "goal": goal_line(room.settings.rules),
        "address": _shown_address(look.origin),
        "phase": room.phase.value,
        "qr": look.qr if room.phase in (ClassroomPhase.PLAYING, ClassroomPhase.PAUSED) else "",
        # The script counts down; a piece that changed every second would be sent every second.
        "ends": room.ends if room.phase is ClassroomPhase.PLAYING else 0,
        "left": -(-room.left(look.now) // 1000) if room.phase is not ClassroomPhase.PLAYING else 0,
    }


def _shown_address(origin: str) -> str:
    return f"{origin.partition('://')[2]}/room"


def _side(room: Classroom) -> dict[str, Any]:
    rows = standings(room)
    return {
        "lobby": room.phase is ClassroomPhase.LOBBY,
        # The newest first: of a large class not all fit.
        "names": [printable(one.name) for one in reversed(room.present)],
        "rows": [(row.place, printable(row.pupil.name), row.pupil.score) for row in rows[:_SHOWN]],
        "more": max(0, len(rows) - _SHOWN),
        "played": sum(one.counts for one in room.matches.values()),
    }


def _small(wall: ClassroomWall, table: Table) -> str:
    """Return the small board of a table; it is drawn once for each version."""
    drawn = wall.drawn.get(table.id)
    if drawn is None or drawn[0] != table.version:
        board = render("wall_board.html", id=table.id, **_board(table.match))
        wall.drawn[table.id] = drawn = (table.version, str(board))
    return drawn[1]


def _board(match: Match) -> dict[str, Any]:
    """Return what a small board shows: both names, whose turn it is, the totals and the last move."""
    own = match.setup.rules.totals is Totals.OWN
    last = match.positions[-2].text_of(match.moves[-1]) if match.moves else ""
    return {
        "persons": [
            {
                "name": name_of(match, person),
                "style": CLASSES[person],
                "turn": match.outcome is None and match.to_move is person,
                "total": match.position.total(match.seat(person)) if own else None,
            }
            for person in Person
        ],
        "total": None if own else match.position.totals[0],
        "target": match.setup.rules.target,
        "last": last,
    }


def _most_exciting(wall: ClassroomWall, look: WallLook) -> Table | None:
    """Return the board with the biggest swing of the last minute, else the one with the most moves."""
    current = next((table for table in look.tables if table.id == wall.large), None)
    if current is not None and look.clock - wall.large_since < _STAYS_SECONDS:
        return current

    def excitement(table: Table) -> tuple[int, float, int]:
        swing, at = wall.swings.get(table.id, (0, 0.0))
        lately = swing if look.clock - at < _EXCITING_SECONDS else 0
        return (lately, at if lately else 0.0, len(table.match.moves))

    best = max(look.tables, key=excitement, default=None)
    if best is not None and best.id != wall.large:
        wall.large, wall.large_since = best.id, look.clock
    return best


def _lobby(look: WallLook) -> str:
    """Return the large piece before the start: how to join."""
    return render(
        "wall_lobby.html",
        shown=shown_room_code(look.room.code),
        address=_shown_address(look.origin),
        qr=look.qr,
        names=len(look.room.present),
    )


def _main(wall: ClassroomWall, look: WallLook) -> str:
    """Return the large piece: the most exciting board, or what there is to see afterwards."""
    table = _most_exciting(wall, look)
    if look.room.phase is not ClassroomPhase.ENDED or (table is not None and not look.room.closed(look.now)):
        return _large(wall, look, table)
    return _ending(wall, look)


def _large(wall: ClassroomWall, look: WallLook, table: Table | None) -> str:
    paused = look.room.phase is ClassroomPhase.PAUSED
    if table is None:
        words = "Everybody is being paired." if look.room.phase is ClassroomPhase.PLAYING else "Paused."
        return render("wall_large.html", board=None, words=words, paused=paused)
    swing, at = wall.swings.get(table.id, (0, 0.0))
    return render(
        "wall_large.html",
        board=_board(table.match),
        words=turn_words(table),
        turned=bool(swing) and look.clock - at < _EXCITING_SECONDS,
        gauge=number_line(table.match),
        pool=_pool(table.match),
        paused=paused,
    )


def _pool(match: Match) -> list[tuple[str, str]]:
    return [(tile.number, CLASSES[tile.taken_by] if tile.taken_by else "") for tile in tiles(match)]


def _ending(wall: ClassroomWall, look: WallLook) -> str:
    """Return the podium or, in turn with it, a step of the replay of the turning point."""
    wall.ended = wall.ended or look.clock
    if wall.turning is not None:
        point, match = wall.turning
        at = (look.clock - wall.ended) % (_PODIUM_SECONDS + _STEP_SECONDS * (point["n"] + 3))
        if at >= _PODIUM_SECONDS:
            return _step(point, match, min(point["n"], int((at - _PODIUM_SECONDS) / _STEP_SECONDS)))
    top = [(row.place, printable(row.pupil.name), row.pupil.score) for row in podium(standings(look.room))]
    final = is_final(look.room, look.now)
    return render("wall_podium.html", top=top[:_PODIUM], more=len(top) - _PODIUM, final=final)


def _step(point: TurningPoint, match: Match, ply: int) -> str:
    """Return the match of the turning point after some moves; with the mistake comes its reason."""
    shown = match.at(ply)
    return render(
        "wall_turning.html",
        board=_board(shown),
        gauge=number_line(shown),
        pool=_pool(shown),
        point=point,
        ply=ply,
        turned=ply == point["n"],
    )
