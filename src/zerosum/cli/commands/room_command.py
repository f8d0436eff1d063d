"""`zerosum room`: what a teacher does with a room at the terminal.

- room (Play 8): Rooms of a class: a report, the way back to a desk.
"""

from __future__ import annotations

import importlib
import json
import os
from typing import Any, Final

import click

from zerosum.base.english import count
from zerosum.base.errors import ZerosumError
from zerosum.base.extras import require
from zerosum.base.files import read_text
from zerosum.base.text import printable, shorten
from zerosum.cli.parameters import json_option, print_answer
from zerosum.cli.root_command import Group
from zerosum.cli.terminal_text import table, width
from zerosum.cli.user_data import data_folder
from zerosum.server import settings as given
from zerosum.tables.classroom import ROOM_REPORT

_REPORT_BYTES: Final = 16 * 1024 * 1024
_LINES: Final = 10_000
_DEFAULT_URL: Final = f"http://{given.DEFAULT_HOST}:{given.DEFAULT_PORT}"
_IDEAS: Final = [{"idea": str, "mistakes": int}]
_PUPIL: Final = {
    "place": int,
    "name": str,
    "score": int,
    "matches": int,
    "kept": int,
    "choices": int,
    "mistakes": _IDEAS,
}
_SHAPE: Final = {"rules": str, "next_lesson": str, "played": int, "pupils": [_PUPIL], "mistakes": _IDEAS}


class ClassroomReportError(ZerosumError):
    """A file that is no report of a room."""


@click.group(cls=Group)
def room_command() -> None:
    r"""Classrooms: the report of a class, and the way back to a desk.

    A room is opened in a browser; docs/for/teachers.md has a lesson plan.

    \b
    Examples:
      zerosum room report room-k7q2mx.json
      zerosum room desk K7Q2MX
    """


@room_command.command
@click.argument("file", metavar="FILE")
@json_option
def report(file: str, *, as_json: bool) -> None:
    r"""Show the report of a class: the file that the desk of a room saves.

    \b
    Examples:
      zerosum room report room-k7q2mx.json
      zerosum room report room-k7q2mx.json --json
    """
    found = read_report(file)
    print_answer(
        as_json, lambda: {name: value for name, value in found.items() if name != "report"}, lambda: _told(found)
    )


def read_report(file: str) -> dict[str, Any]:
    """Return the report in a file; refuse anything else."""
    text = read_text(file, _REPORT_BYTES)
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or found.get("report") != ROOM_REPORT or not _fits(found, _SHAPE):
        raise ClassroomReportError(
            f"{printable(file)}: is no report of a room. Save one at the desk: Report, then Save for the terminal."
        )
    return found


def _fits(value: object, shape: object) -> bool:
    """Whether all that is shown of a report is there, and of the right type."""
    if isinstance(shape, dict):
        return isinstance(value, dict) and all(_fits(value.get(name), kind) for name, kind in shape.items())
    if isinstance(shape, list):
        return isinstance(value, list) and len(value) <= _LINES and all(_fits(one, shape[0]) for one in value)
    return type(value) is shape


def _told(found: dict[str, Any]) -> list[str]:
    pupils = found["pupils"]
    kept, choices = (sum(pupil[name] for pupil in pupils) for name in ("kept", "choices"))
    lines = [
        f"{printable(found['rules'])}: {count(len(pupils), 'pupil')}, {count(found['played'], 'match', 'matches')}.",
        f"Accuracy {_share(kept, choices)}: {kept} of {count(choices, 'real choice')} kept the best result.",
    ]
    if found["mistakes"]:
        lines += [
            "",
            "Mistakes by idea",
            *table((6, 0), *((one["mistakes"], f"  {_idea(one['idea'])}") for one in found["mistakes"])),
        ]
    if found["next_lesson"]:
        lines += ["", f"Next lesson: {_idea(found['next_lesson'])}"]
    rows = [_pupil_row(pupil) for pupil in pupils]
    columns = max((width(name) for _, name, *_ in rows), default=6)
    heads = ("place", "  name", "won", "played", "accuracy", "  mistakes")
    return [*lines, "", *table((5, -columns, 5, 8, 10, 0), heads, *rows)]


def _pupil_row(one: dict[str, Any]) -> tuple[str, ...]:
    mistakes = ", ".join(f"{_idea(made['idea'])} {made['mistakes']}" for made in one["mistakes"]) or "-"
    figures = (str(one["score"]), str(one["matches"]), _share(one["kept"], one["choices"]))
    return str(one["place"]), f"  {printable(one['name'])}", *figures, f"  {mistakes}"


def _share(kept: int, choices: int) -> str:
    return f"{kept / choices:.0%}" if choices else "-"


def _idea(name: str) -> str:
    return printable(name.replace("-", " ").capitalize() or "No short idea")


@room_command.command
@click.argument("code", metavar="CODE")
@click.option(
    "--database",
    metavar="URL",
    envvar="ZEROSUM_DATABASE",
    help="The database of the server, as `zerosum serve` has it.  [default: the file in your data folder]",
)
@click.option("--public-url", metavar="URL", default=_DEFAULT_URL, help="The address at which people open the server.")
def desk(code: str, *, database: str | None, public_url: str) -> None:
    r"""Print a link that opens the desk of a room, once: for a teacher who has lost the browser that opened it.

    \b
    Examples:
      zerosum room desk K7Q2MX
      zerosum room desk K7Q2MX --public-url http://192.168.1.20:8031
    """
    origin = given.check_public_url(public_url)
    if database is not None:
        given.check_database(database)
    require("room desk", "server")
    desk_link = importlib.import_module("zerosum.server.db.classroom_queries").desk_link
    tables = database or given.sqlite_url(os.path.join(data_folder(), given.FILE_NAME))
    click.echo(f"{origin}/room/{desk_link(tables, shorten(code))}")
