"""A match against the truth, step by step: one of a table, or any record that is pasted. Nothing of it is kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

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
from zerosum.screens.forms import check_query, number_in
from zerosum.screens.rendering import long_page, page
from zerosum.screens.screen import Answer, ScreenHost, Visit, screen
from zerosum.tables.commands import check_coaching
from zerosum.tables.fields import Whole
from zerosum.tables.new_table import read_record
from zerosum.tables.problems import Problem

_PICTURES: Final = 60
"""The most moves of a match whose every step has a picture; a longer match is shown in words alone."""
_ABOUT_IT: Final = 422
"""The status of a problem with the record itself, which can be put right in the form."""
_STOOD: Final = {"win": "a win", "draw": "a draw", "loss": "a loss"}
_STEP: Final = Whole(0, limits.MATCH_PLIES)
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


@screen("GET", "/tables/{table_id}/review", anonymous=True, step=_STEP)
async def of_table(visit: Visit, host: ScreenHost) -> Answer:
    """Show the review of a match at a table."""
    query = visit.query
    asked = number_in(query, "match") if "match" in query else None
    sight = await host.table(visit.path["table_id"])
    table, held = sight.table, sight.held
    number = table.number if asked is None else asked
    record = await host.record(sight, number)
    if number == table.number:
        check_coaching(table)
    address = f"/tables/{table.id}/review?match={number}"
    again = number == table.number and table.solo and table.match.outcome is not None and not table.next_due
    rematch = table.version if again and held else None
    source = _Source(record, address, table.id, number, table.number, rematch, held)
    return await _reviewed(host, source, query.get("step", ""))


@screen("GET", "/review")
async def ask(_visit: Visit, _host: ScreenHost) -> Answer:
    """Ask for a record."""
    return _asking()


def _asking(text: str = "", problem: Problem | None = None) -> Answer:
    return page("records.html", text=text, problem=problem)


@screen("POST", "/review", anonymous=True)
async def of_record(visit: Visit, host: ScreenHost) -> Answer:
    """Show the review of a record that was pasted or chosen as a file."""
    fields, step = visit.fields, visit.fields.get("step", "")
    check_query({"step": _STEP}, {"step": step} if step else {})
    record = fields.get("record", "")
    try:
        return await _reviewed(host, _Source(fields.get("file", record).strip()), step)
    except Problem as problem:
        if problem.status != _ABOUT_IT:
            raise
        return _asking(record, problem)


async def _reviewed(host: ScreenHost, source: _Source, step: str) -> Answer:
    if not source.record:
        raise Problem("bad-record", "There is no record yet: paste one, or choose a file.")
    if len(source.record.encode(errors="replace")) > limits.RECORD_BYTES:
        raise Problem("bad-record", f"A record has at most {limits.RECORD_BYTES} bytes.")
    match = read_record(source.record)
    held = (one for one in source.held if match.setup.is_human(one))
    you = next((one for one in held if reader_called(match, one, one) == "You"), None)
    who = words.Speakers.of(match, you=you)
    found = await host.ask(game_jobs.review, source.record, you.value if you else 0)
    review, last = found["json"], len(match.moves)
    now = min(found["opens_at"] if not step else int(step), last)
    return long_page(
        "review.html",
        source=source,
        game=printable(match.setup.rules.name),
        persons=[{"style": CLASSES[person], "name": who.label(person)} for person in Person],
        against={"style": CLASSES[Person.TWO], "name": who.subject(Person.TWO).name},
        result=match_words.result(match, you),
        lesson=review["lesson"]["words"],
        loser=_loser(review, who),
        move_id=host.token(),
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
