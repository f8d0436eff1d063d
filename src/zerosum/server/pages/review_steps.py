"""A match against the truth, step by step: one of a table, or any record that is pasted. Nothing of it is kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Final
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Query, Request, UploadFile
from fastapi.responses import HTMLResponse

from zerosum.base import limits
from zerosum.base.text import printable
from zerosum.coach import review_words as words
from zerosum.coach.review import ExpectedWinner
from zerosum.jobs import game_jobs
from zerosum.match import match_words
from zerosum.match.match import Match
from zerosum.match.setup import Person
from zerosum.rules.game_files import is_built_in
from zerosum.screens.board_header import reader_called
from zerosum.screens.board_pieces import CLASSES, number_line
from zerosum.screens.forms import WholeNumber
from zerosum.server.http.auth import AnyKey
from zerosum.server.http.context import check_coaching, request_context
from zerosum.server.pages.templates import render_page
from zerosum.tables.new_table import read_record
from zerosum.tables.problems import Problem

router = APIRouter(include_in_schema=False)

_PICTURES: Final = 60
"""The most moves of a match whose every step has a picture; a longer match is shown in words alone."""
_ABOUT_IT: Final = 422
"""The status of a problem with the record itself, which can be put right in the form."""
_STOOD: Final = {"win": "a win", "draw": "a draw", "loss": "a loss"}
_Step = Annotated[WholeNumber | None, Query(ge=0, le=limits.MATCH_PLIES)]
"""The step to show; by default the move that decided the match."""


@dataclass(frozen=True, slots=True)
class _Source:
    """Where a review comes from: a match of a table, with its address, or a record that was pasted."""

    record: str
    address: str = ""
    table: str = ""
    number: int = 1
    matches: int = 1
    rematch: int | None = None
    """The version of the table from which the reader may play once more; None if they may not."""
    held: frozenset[Person] = frozenset(Person)
    """The seats of the reader; whoever pastes a record may have played it from either."""


@router.get("/tables/{table_id}/review")
async def of_table(
    request: Request,
    table_id: str,
    key: AnyKey,
    number: Annotated[WholeNumber | None, Query(alias="match")] = None,
    step: _Step = None,
) -> HTMLResponse:
    """Show the review of a match at a table."""
    context = request_context(request)
    loaded = await context.table(table_id)
    table = loaded.table
    number = table.number if number is None else number
    record = await context.record(loaded, number)
    if number == table.number:
        check_coaching(table)
    address = f"/tables/{table.id}/review?match={number}"
    again = number == table.number and table.solo and table.match.outcome is not None and not table.next_due
    held = await context.seats(table_id, key)
    rematch = table.version if again and held else None
    return await _reviewed(request, _Source(record, address, table.id, number, table.number, rematch, held), step)


@router.get("/review")
async def ask(request: Request) -> HTMLResponse:
    """Ask for a record."""
    return _asking(request)


def _asking(request: Request, *, text: str = "", problem: Problem | None = None) -> HTMLResponse:
    status = problem.status if problem else 200
    return render_page(request, "records.html", status=status, text=text, problem=problem.detail if problem else "")


@router.post("/review")
async def of_record(
    request: Request,
    record: Annotated[str, Form()] = "",
    file: UploadFile | None = None,
    step: Annotated[WholeNumber | None, Form(ge=0, le=limits.MATCH_PLIES)] = None,
) -> HTMLResponse:
    """Show the review of a record that was pasted or chosen as a file."""
    try:
        return await _reviewed(request, _Source(await _uploaded(file) or record.strip()), step)
    except Problem as problem:
        if problem.status != _ABOUT_IT:
            raise
        return _asking(request, text=record, problem=problem)


async def _uploaded(file: UploadFile | None) -> str:
    """Return the text of a file; nothing if none was chosen."""
    content = await file.read(limits.RECORD_BYTES + 1) if file is not None else b""
    try:
        return content.decode().strip()
    except UnicodeDecodeError:
        raise Problem("bad-record", "The file is not text.") from None


async def _reviewed(request: Request, source: _Source, step: int | None) -> HTMLResponse:
    if not source.record:
        raise Problem("bad-record", "There is no record yet: paste one, or choose a file.")
    if len(source.record.encode(errors="replace")) > limits.RECORD_BYTES:
        raise Problem("bad-record", f"A record has at most {limits.RECORD_BYTES} bytes.")
    match = read_record(source.record)
    held = (one for one in source.held if match.setup.is_human(one))
    you = next((one for one in held if reader_called(match, one, one) == "You"), None)
    who = words.Speakers.of(match, you=you)
    found = await request_context(request).questions.ask(game_jobs.review, source.record, you.value if you else 0)
    review, last = found["json"], len(match.moves)
    now = min(found["opens_at"] if step is None else step, last)
    return render_page(
        request,
        "review.html",
        source=source,
        game=printable(match.setup.rules.name),
        persons=[{"style": CLASSES[person], "name": who.label(person)} for person in Person],
        against={"style": CLASSES[Person.TWO], "name": who.subject(Person.TWO).name},
        result=match_words.result(match, you),
        lesson=review["lesson"]["words"],
        loser=_loser(review, who),
        move_id=request.app.state.world.token_hex(8),
        given_up=_given_up(review, who),
        owners=_owners(match, 0, who),
        chart=found["chart"].replace(f'" data-step="{now}"', f' now" data-step="{now}"'),
        accuracy=found["accuracy"],
        now=now,
        last=last,
        steps=[_step(match, review, n, who) for n in range(last + 1)],
        turns=review["turning_points"],
    )


def _owners(match: Match, n: int, who: words.Speakers) -> list[dict[str, Any]]:
    """Return the totals after a move, each with whose it is."""
    return [
        {"name": who.total(person), "style": CLASSES[person] if person else "", "total": total}
        for person, total in match_words.totals_after(match, n)
    ]


def _given_up(review: dict[str, Any], who: words.Speakers) -> str:
    """Return that somebody ended a match they stood to win, if so."""
    if review["given_up"] is None:
        return ""
    return f"{who.label(Person(review['given_up']))} stood to win when it ended without a move."


def _loser(review: dict[str, Any], who: words.Speakers) -> dict[str, Any] | None:
    """Return the words to the loser, and whether to offer the other seat; None without any words."""
    found = review["loser"]
    if found is None or not (found["words"] or found["swap_seats"]):
        return None
    person = Person(found["player"])
    return {**found, "style": CLASSES[person], "name": who.subject(person).name}


def _step(match: Match, review: dict[str, Any], n: int, who: words.Speakers) -> dict[str, Any]:
    """Return all that is shown of the start, or of a move."""
    position = match.positions[n]
    judged = review["moves"][n - 1] if n else None
    stands = judged["stands"] if judged else review["start"]
    winner = Person(stands["player"]) if stands["player"] else None
    then = match.at(n)
    drawn = len(match.moves) <= _PICTURES
    shown: dict[str, Any] = {
        "n": n,
        "gauge": number_line(then, who.you) if drawn else "",
        "totals": _owners(match, n, who),
        "pool": position.pool,
        "stands": words.stands(match, ExpectedWinner(winner, stands["plies"]), who),
        "stands_style": CLASSES[winner] if winner else "",
        "turn": None,
    }
    return shown if judged is None else shown | _move(match, judged, who)


def _move(match: Match, judged: dict[str, Any], who: words.Speakers) -> dict[str, Any]:
    person = Person(judged["player"])
    turn = {
        "fall": f"from {_STOOD[judged['verdict']]} to {_STOOD[judged['after']]}",
        "why": judged["reason"],
        "more": judged["more"],
        "better": judged["better"],
        "puzzle": _puzzle(match, judged),
    }
    return {
        "move": judged["move"],
        "name": who.label(person),
        "style": CLASSES[person],
        "turn": turn if judged["blunder"] else None,
    }


def _puzzle(match: Match, judged: dict[str, Any]) -> str:
    """Return the address at which a missed win can be looked for once more; only built-in games have one."""
    rules = match.setup.rules
    if not is_built_in(rules) or (judged["verdict"], judged["after"]) != ("win", "loss"):
        return ""
    return f"/games/{rules.id}/puzzle?{urlencode({'position': str(match.positions[judged['n'] - 1])})}"
