"""A custom game: a form and a text that say the same, who wins, and a table to play it at."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any, Final

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from zerosum.rules.describe import describe
from zerosum.rules.game_files import GAME_IDS, built_in, like_of, write_rules
from zerosum.rules.model import Rules, Seat
from zerosum.rules.rules_dict import rules_to_dict
from zerosum.server.domain.new_table import TableRequest, requested_rules
from zerosum.server.domain.problems import Problem
from zerosum.server.http.auth import PageKey
from zerosum.server.http.bodies import validate
from zerosum.server.http.context import Context, RequestContext
from zerosum.server.pages.forms import DEFAULT_OPPONENT, Fields, browser_choices, fields_of, remember_choices
from zerosum.server.pages.game_pages import GameQuality, quality_of, unknown_quality
from zerosum.server.pages.learn_page import own_lessons
from zerosum.server.pages.new_table_form import BEST, opponents
from zerosum.server.pages.rules_form import (
    ENDS,
    LABELS,
    MORE,
    MORE_SWITCHES,
    SWITCHES,
    fields_of_rules,
    first_fields,
    read_fields,
)
from zerosum.server.pages.templates import render_page
from zerosum.server.worker import jobs, lab_jobs

router = APIRouter(include_in_schema=False)

_ABOUT_IT: Final = 422
_TABLE: Final = {"opponent": DEFAULT_OPPONENT, "first": BEST, "player": "", "coach": ""}
"""What else the page asks before a table opens, and what is usual."""
_OLD_NAMES: Final = frozenset(f"My {built_in(game).name}" for game in GAME_IDS)


@dataclass(frozen=True, slots=True)
class GameDraft:
    """A game that somebody is making: its form, its text, and the rules or what is wrong.

    `was` is the text that the form was last turned into: if the text differs, the person has changed it, and
    the text counts. It is empty if the form cannot say what the text says.
    """

    fields: Fields
    text: str
    was: str
    rules: Rules | None
    errors: Fields

    @property
    def mark(self) -> str:
        """What tells these rules from others, so that a table is opened only with rules whose verdict was shown."""
        return hashlib.sha256(write_rules(self.rules).encode()).hexdigest()[:16] if self.rules else ""


def _from_form(fields: Fields) -> GameDraft:
    found = read_fields(fields)
    text = write_rules(found.rules, fields.get("like", "")) if found.rules else fields.get("text", "")
    return GameDraft(fields, text, text, found.rules, found.errors)


def _from_text(fields: Fields) -> GameDraft:
    text = fields.get("text", "")
    try:
        rules = requested_rules(None, text)
    except Problem as problem:
        return GameDraft(fields, text, fields.get("was", ""), None, {"text": problem.detail})
    filled = fields_of_rules(rules, like_of(text))
    # The form has no field for a key that it does not know, so the text has to go on counting.
    was = text if read_fields(filled).rules == rules else ""
    return GameDraft(fields | filled, text, was, rules, {})


def _from_game(fields: Fields) -> GameDraft:
    """Start again from a built-in game; a name that the person chose stays."""
    fresh = first_fields(fields.get("like", ""))
    name = fields.get("name", "").strip()
    return _from_form(fields | fresh | ({"name": name} if name and name not in _OLD_NAMES else {}))


def _whichever_changed(fields: Fields) -> GameDraft:
    return _from_text(fields) if fields.get("text", "") != fields.get("was", "") else _from_form(fields)


_READERS: Final = {"like": _from_game, "write": _from_form, "read": _from_text}
"""Where the rules come from, by the button that was pressed; for other buttons see `_whichever_changed`."""


def _drafted(fields: Fields) -> GameDraft:
    if fields.get("repair"):
        return _from_text({**fields, "text": fields["repair"]})
    return _READERS.get(fields.get("do", ""), _whichever_changed)(fields)


async def _verdict(context: RequestContext, draft: GameDraft) -> dict[str, Any] | None:
    """Return who wins and whether it is a game, or why that is not known."""
    if draft.rules is None:
        return None
    try:
        return await context.questions.ask(jobs.overview, rules_to_dict(draft.rules))
    except Problem as problem:
        return {"known": None, "unsolved": problem.detail, "headline": "Who wins is not known.", "remarks": []}


async def _quality(context: RequestContext, rules: Rules) -> GameQuality:
    """Return how good a game is, or why that is not known."""
    try:
        found = await context.questions.ask(lab_jobs.quality, rules_to_dict(rules))
    except Problem as problem:
        return unknown_quality(problem.detail)
    if found["metrics"] is None or found["findings"] is None:
        return unknown_quality(found["unmeasured"])
    return quality_of(found["metrics"], found["findings"])


async def _repairs(context: RequestContext, rules: Rules) -> dict[str, Any]:
    """Return small changes that make it a better game, or why none are known."""
    try:
        return {**await context.questions.ask(lab_jobs.repairs, rules_to_dict(rules)), "unknown": ""}
    except Problem as problem:
        words = f"{problem.detail} At the terminal, zerosum repair takes the time it needs."
        return {"tried": 0, "found": [], "nearest": [], "unknown": words}


async def _shown(
    request: Request,
    context: RequestContext,
    draft: GameDraft,
    *,
    piece: bool = False,
    measured: bool = False,
    problem: str = "",
    status: int = 200,
) -> HTMLResponse:
    verdict, known = await _verdict(context, draft), browser_choices(request)
    rules = draft.rules if measured else None
    return render_page(
        request,
        "own_form.html" if piece else "own.html",
        status=status,
        here="Play",
        games=[(game, built_in(game).name) for game in GAME_IDS],
        opponents=opponents(),
        labels=LABELS,
        switches=SWITCHES,
        more_switches=MORE_SWITCHES,
        ends=ENDS,
        form=_TABLE
        | {"opponent": known.opponent, "player": known.name, "coach": "1" if known.coach else ""}
        | dict.fromkeys((*LABELS, "like"), "")
        | draft.fields,
        more=any(draft.fields.get(name) or name in draft.errors for name in MORE),
        draft=draft,
        to_change=[LABELS[name] for name in draft.errors if name in LABELS],
        verdict=verdict,
        known=verdict["known"] if verdict else None,
        clauses=describe(draft.rules, typed=False) if draft.rules else [],
        problem=problem,
        quality=await _quality(context, rules) if rules else None,
        repairs=await _repairs(context, rules) if rules else None,
        lessons=own_lessons(draft.text) if verdict and verdict["known"] else "",
    )


@router.get("/own")
async def ask(request: Request, context: Context, like: str = "") -> HTMLResponse:
    """Show the form, filled with a built-in game."""
    return await _shown(request, context, _from_form(first_fields(like)))


@router.post("/own/check")
async def check(request: Request, context: Context) -> HTMLResponse:
    """Return the form as a piece of a page, with what is wrong at each field and who wins."""
    return await _shown(request, context, _drafted(await fields_of(request)), piece=True)


@router.post("/own")
async def send(request: Request, key: PageKey, context: Context) -> Response:
    """Check the form, turn it into text or back, or open a table with it; its verdict must have been shown."""
    fields = await fields_of(request)
    draft = _drafted(fields)
    if draft.errors:
        return await _shown(request, context, draft, status=_ABOUT_IT)
    if fields.get("do") != "play":
        return await _shown(request, context, draft, measured=fields.get("do") == "measure")
    if fields.get("checked") != draft.mark:
        return await _shown(request, context, draft, problem="This game is new: read who wins, then play.")
    try:
        loaded = await context.open_table(key, _request(draft, fields, await _verdict(context, draft)))
    except Problem as problem:
        return await _shown(request, context, draft, problem=problem.detail, status=problem.status)
    opened = RedirectResponse(f"/tables/{loaded.table.id}", 303)
    remember_choices(request, opened, fields | {"name": fields.get("player", "")})
    return opened


def _request(draft: GameDraft, fields: Fields, verdict: dict[str, Any] | None) -> TableRequest:
    given = {name: fields.get(name, "") or usual for name, usual in _TABLE.items() if name in ("opponent", "first")}
    if given["first"] == BEST:
        known = verdict["known"] if verdict else None
        given["first"] = "them" if known and known["winner"] == Seat.SECOND else "me"
    name = fields.get("player", "").strip()
    return validate(TableRequest, {"variant": draft.text, **given} | ({"name": name} if name else {}))
