"""A custom game: a form and a text that say the same, who wins, and a table to play it at."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any, Final

from zerosum.coach.evenness import ChangeDocument
from zerosum.jobs import game_jobs, quality_jobs
from zerosum.match.setup import BOTH_SEATS
from zerosum.rules.describe import describe
from zerosum.rules.game_files import BUILT_IN_IDS, built_in, like_of, write_rules
from zerosum.rules.model import NEEDED, Rules, Seat, kept_unwritten, rules_from_dict, rules_to_dict, written_dict
from zerosum.screens import forms, rules_form
from zerosum.screens.board_view import only_here
from zerosum.screens.game_quality import (
    EvenerGame,
    GameQuality,
    SeatBalance,
    best_of,
    most_even,
    quality_of,
    seat_balance,
    unknown_quality,
)
from zerosum.screens.new_table_form import BEST, games, opponents
from zerosum.screens.rendering import page
from zerosum.screens.screen import Answer, ScreenHost, Visit, go, screen
from zerosum.tables.fields import Text
from zerosum.tables.new_table import TableRequest, requested_rules
from zerosum.tables.problems import Problem

_ABOUT_IT: Final = 422
_TABLE: Final = {"opponent": forms.DEFAULT_OPPONENT, "first": BEST, "player": "", "coach": "", "both": ""}
"""What else the page asks before a table opens, and what is usual."""
_WAITS: Final = frozenset({"too-many", "busy"})
"""Problems that pass."""
_OLD_NAMES: Final = frozenset(f"My {built_in(game).name}" for game in BUILT_IN_IDS)


@dataclass(frozen=True, slots=True)
class GameDraft:
    """A game that somebody is making: its form, its text, and the rules or what is wrong.

    `was` is the text that the form was last turned into: if the text differs, the person has changed it, and
    the text counts. It is empty if the form cannot say what the text says.
    """

    fields: forms.Fields
    text: str
    was: str
    rules: Rules | None
    errors: forms.Fields

    @property
    def mark(self) -> str:
        """What tells these rules from others, so that a table is opened only with rules whose verdict was shown."""
        return hashlib.sha256(write_rules(self.rules).encode()).hexdigest()[:16] if self.rules else ""


def _from_form(fields: forms.Fields) -> GameDraft:
    found = rules_form.read_fields(fields)
    if found.rules is None:
        text = fields.get("text", "")
        return GameDraft(fields, text, text, None, found.errors)
    table, like = rules_to_dict(found.rules), fields.get("like", "")
    # What a form leaves at its default nobody has written.
    rules = kept_unwritten(rules_from_dict({key: table[key] for key in NEEDED}), found.rules)
    text = write_rules(rules, like, defaults=like in BUILT_IN_IDS)
    return GameDraft(fields, text, text, rules, {})


def _from_text(fields: forms.Fields) -> GameDraft:
    text = fields.get("text", "")
    try:
        rules = requested_rules(None, text)
    except Problem as problem:
        return GameDraft(fields, text, fields.get("was", ""), None, {"text": problem.detail})
    filled = rules_form.fields_of_rules(rules, like_of(text))
    # The form has no field for a key that it does not know, so the text has to go on counting.
    was = text if rules_form.read_fields(filled).rules == rules else ""
    return GameDraft(fields | filled, text, was, rules, {})


def _from_game(fields: forms.Fields) -> GameDraft:
    """Start again from a built-in game; a name that the person chose stays."""
    fresh = rules_form.first_fields(fields.get("like", ""))
    name = fields.get("name", "").strip()
    return _from_form(fields | fresh | ({"name": name} if name and name not in _OLD_NAMES else {}))


def _whichever_changed(fields: forms.Fields) -> GameDraft:
    return _from_text(fields) if fields.get("text", "") != fields.get("was", "") else _from_form(fields)


_READERS: Final = {"like": _from_game, "write": _from_form, "read": _from_text}
"""Where the rules come from, by the button that was pressed; for other buttons see `_whichever_changed`."""


def _drafted(fields: forms.Fields) -> GameDraft:
    if fields.get("repair"):
        return _from_text({**fields, "text": fields["repair"]})
    return _READERS.get(fields.get("do", ""), _whichever_changed)(fields)


async def _verdict(host: ScreenHost, draft: GameDraft) -> dict[str, Any] | None:
    """Return who wins and whether it is a game, or why that is not known."""
    if draft.rules is None:
        return None
    try:
        return await host.ask(game_jobs.overview, rules_to_dict(draft.rules))
    except Problem as problem:
        return {"known": None, "unsolved": problem.detail, "headline": "Who wins is not known.", "remarks": []}


async def _seats(host: ScreenHost, rules: Rules) -> SeatBalance:
    """Return who wins between equals, or why that is not known."""
    try:
        found = await host.ask(quality_jobs.seats, written_dict(rules))
    except Problem as problem:
        return SeatBalance(unmeasured=problem.detail)
    return seat_balance(found["first"]) if found["first"] else SeatBalance(unmeasured=found["unmeasured"])


async def _quality(host: ScreenHost, rules: Rules) -> GameQuality:
    """Return how good a game is, or why that is not known."""
    try:
        found = await host.ask(quality_jobs.quality, written_dict(rules))
    except Problem as problem:
        return unknown_quality(problem.detail)
    if found["metrics"] is None or found["findings"] is None:
        return unknown_quality(found["unmeasured"])
    return quality_of(found["metrics"], found["findings"])


@dataclass(frozen=True, slots=True)
class Evening:
    """How far making a game even has come; `going` if there are games left to try, `problem` if that must wait."""

    tried: int
    games: int
    going: bool
    found: list[EvenerGame]
    nearest: list[EvenerGame]
    problem: str = ""


async def _evened(host: ScreenHost, rules: Rules, *, whole: bool) -> Evening:
    """Try games near a game until some of a cost are even; unless `whole`, answer after the first new question.

    A question that was asked before costs nothing, so the next request goes on where this one ends.
    """
    table = written_dict(rules)
    begin: int | None = 0
    games, new, problem = 0, False, ""
    found: list[ChangeDocument] = []
    nearest: list[ChangeDocument] = []
    while begin is not None and (whole or not new):
        new = not host.knows(quality_jobs.changes, table, begin)
        try:
            some = await host.ask(quality_jobs.changes, table, begin)
        except Problem as refused:
            problem = refused.detail
            begin = begin if refused.code in _WAITS else None
            break
        begin, games = some["following"], some["games"]
        found += some["found"]
        nearest += some["nearest"]
        if found and some["finished"]:
            begin = None
    tried = games if begin is None else begin
    return Evening(tried, games, begin is not None, best_of(found), most_even(nearest), problem)


async def _shown(
    visit: Visit,
    host: ScreenHost,
    draft: GameDraft,
    *,
    piece: bool = False,
    measured: bool = False,
    evening: Evening | None = None,
    undo: str = "",
    problem: str = "",
    status: int = 200,
) -> Answer:
    verdict, choices = await _verdict(host, draft), forms.browser_choices(visit.cookies)
    known = verdict["known"] if verdict else None
    rules = draft.rules if measured else None
    return page(
        "own_form.html" if piece else "own.html",
        status=status,
        here="Play",
        games=[(one["id"], one["name"]) for one in games(draft.fields.get("like", ""))],
        opponents=opponents(),
        labels=rules_form.LABELS,
        switches=rules_form.SWITCHES,
        more_switches=rules_form.MORE_SWITCHES,
        ends=rules_form.ENDS,
        form=_form(draft, choices),
        more=any(draft.fields.get(name) or name in draft.errors for name in rules_form.MORE),
        draft=draft,
        to_change=[rules_form.LABELS[name] for name in draft.errors if name in rules_form.LABELS],
        verdict=verdict,
        known=known,
        clauses=describe(draft.rules, typed=False) if draft.rules else [],
        problem=problem,
        seats=await _seats(host, draft.rules) if draft.rules and known else None,
        evening=evening,
        undo=undo,
        quality=await _quality(host, rules) if rules else None,
        link=_link(visit, draft),
        link_only_here=only_here(visit.origin),
        lessons=forms.own_lessons(draft.text) if known else "",
    )


def _form(draft: GameDraft, known: forms.BrowserChoices) -> forms.Fields:
    """Return what stands in the fields: what was sent, and else what the browser remembers."""
    remembered = {"opponent": known.opponent, "player": known.name, "coach": "1" if known.coach else ""}
    return _TABLE | remembered | dict.fromkeys((*rules_form.LABELS, "like"), "") | dict(draft.fields)


def _link(visit: Visit, draft: GameDraft) -> str:
    """Return the address by which others open the game, nothing if its rules are too long for one."""
    address = forms.own_rules(draft.text) if draft.rules else ""
    return f"{visit.origin}{address}" if address else ""


async def _made_even(visit: Visit, host: ScreenHost, draft: GameDraft, rules: Rules, *, piece: bool) -> Answer:
    """Show how far making a game even has come; at the end the form has the best change, which can be undone."""
    evening = await _evened(host, rules, whole=not piece)
    if evening.going or not evening.found:
        return await _shown(visit, host, draft, piece=piece, evening=evening)
    changed = _from_text({**draft.fields, "text": evening.found[0].text})
    return await _shown(visit, host, changed, piece=piece, evening=evening, undo=draft.text)


@screen("GET", "/own", rules=Text(forms.RULES_LENGTH))
async def ask(visit: Visit, host: ScreenHost) -> Answer:
    """Show the form, filled with a built-in game or with the rules in the address."""
    fields, rules = rules_form.first_fields(visit.query.get("like", "")), visit.query.get("rules", "")
    draft = _from_text(fields | {"text": rules}) if rules.strip() else _from_form(fields)
    return await _shown(visit, host, draft, status=_ABOUT_IT if draft.errors else 200)


@screen("POST", "/own/check", anonymous=True)
async def check(visit: Visit, host: ScreenHost) -> Answer:
    """Return the form as a piece of a page, with what is wrong at each field and who wins."""
    draft = _drafted(visit.fields)
    if visit.fields.get("do") == "even" and draft.rules is not None:
        return await _made_even(visit, host, draft, draft.rules, piece=True)
    return await _shown(visit, host, draft, piece=True)


@screen("POST", "/own")
async def send(visit: Visit, host: ScreenHost) -> Answer:
    """Check the form, turn it into text or back, or open a table with it; its verdict must have been shown."""
    fields = visit.fields
    draft = _drafted(fields)
    if draft.errors:
        return await _shown(visit, host, draft, status=_ABOUT_IT)
    if fields.get("do") == "even" and draft.rules is not None:
        return await _made_even(visit, host, draft, draft.rules, piece=False)
    if fields.get("do") != "play":
        return await _shown(visit, host, draft, measured=fields.get("do") == "measure")
    if fields.get("checked") != draft.mark:
        return await _shown(visit, host, draft, problem="This game is new: read who wins, then play.")
    try:
        opened = await host.open_table(_request(draft, fields, await _verdict(host, draft)))
    except Problem as problem:
        return await _shown(visit, host, draft, problem=problem.detail, status=problem.status)
    chosen = fields | {"name": fields.get("player", "")}
    return go(f"/tables/{opened}", cookies=forms.remember_choices(visit.cookies, chosen))


def _request(draft: GameDraft, fields: forms.Fields, verdict: dict[str, Any] | None) -> TableRequest:
    given = {name: fields.get(name, "") or usual for name, usual in _TABLE.items() if name in ("opponent", "first")}
    if given["first"] == BEST:
        known = verdict["known"] if verdict else None
        given["first"] = "them" if known and known["winner"] == Seat.SECOND else "me"
    name = fields.get("player", "").strip()
    more = ({"name": name} if name else {}) | ({"best_of": BOTH_SEATS} if fields.get("both") else {})
    return forms.read_form(TableRequest, {"variant": draft.text, **given, **more})
