"""Home: the list of games and tables, how a table is opened, and how a seat is taken or taken back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse, Response
from starlette.background import BackgroundTask

from zerosum.base.english import count
from zerosum.base.text import printable
from zerosum.coach.lessons import course_ideas
from zerosum.coach.next_step import fitting_match
from zerosum.jobs import game_jobs
from zerosum.lab.bundled_odds import winning_seat
from zerosum.match.match_words import name_of
from zerosum.match.setup import BOTH_SEATS, Person, Series
from zerosum.players import HUMAN
from zerosum.players.levels import sight_words
from zerosum.rules.describe import idea
from zerosum.rules.game_files import built_in, is_built_in
from zerosum.rules.model import Rules, Seat
from zerosum.rules.rules_dict import rules_to_dict
from zerosum.screens.board_header import reader_called
from zerosum.screens.board_view import rules_link, shared_origin
from zerosum.screens.forms import NO_CHOICES, Fields, browser_choices, course_progress, fields_of, remember_choices
from zerosum.screens.match_results import browser_results
from zerosum.screens.new_table_form import (
    BEST,
    filled,
    games,
    opponents,
    problem_field,
    shelves,
    table_request,
    whom,
)
from zerosum.server.http.auth import PageKey
from zerosum.server.http.context import Context, RequestContext, code_warning
from zerosum.server.pages.home_board import home_board, prepare_answers
from zerosum.server.pages.static_files import link_picture
from zerosum.server.pages.templates import render_page
from zerosum.strategy.card_player import PLAYERS
from zerosum.tables.keys import Key
from zerosum.tables.limits import MOVE_LENGTH
from zerosum.tables.new_table import HERE, TableRequest, requested_rules
from zerosum.tables.problems import Problem
from zerosum.tables.table import BOTH, Table

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table where somebody has a seat, as a list shows it."""

    id: str
    game: str
    players: str
    status: str
    over: bool
    ours: bool
    """Whether a match waits for a move of the person who sees the list."""
    number: int
    """Which match at this table is the latest."""
    if_won: Mapping[Person, str]
    """What the list says of a match that somebody has won."""


@dataclass(frozen=True, slots=True)
class FinishedRow:
    """A match that is over, as a list shows it."""

    table: TableRow
    number: int
    status: str


async def matches_of(context: RequestContext, key: Key) -> tuple[list[TableRow], list[FinishedRow]]:
    """Return the tables of the caller at which a match goes on, and every match that is over, the last first.

    There are none while the database is away.
    """
    seats = context.runtime.seats
    try:
        tables = [_line(loaded.table, held) async for loaded, held in seats.mine(key)]
        earlier = await seats.earlier_winners([one.id for one in tables])
    except Problem:
        return [], []
    over = [row for one in tables for row in _finished(one, earlier.get(one.id, {}))]
    return [one for one in tables if not one.over], over


def _finished(table: TableRow, earlier: Mapping[int, Person | None]) -> Iterator[FinishedRow]:
    if table.over:
        yield FinishedRow(table, table.number, table.status)
    for number, winner in earlier.items():
        yield FinishedRow(table, number, table.if_won[winner] if winner else "Over")


def _line(table: Table, held: frozenset[Person]) -> TableRow:
    match = table.match
    you = min(held) if len(held) == 1 else None
    names = [
        reader_called(match, person, you) if person in table.seated else "\N{HORIZONTAL ELLIPSIS}" for person in Person
    ]
    if_won = {one: "You won" if one is you else f"{name_of(match, one)} won" for one in Person}
    return TableRow(
        id=table.id,
        game=printable(table.setup.rules.name),
        players=f"{names[0]} and {names[1]}",
        status=_status(table, held, if_won),
        over=match.outcome is not None,
        ours=table.running and match.to_move in held,
        number=table.number,
        if_won=if_won,
    )


def _status(table: Table, held: frozenset[Person], if_won: Mapping[Person, str]) -> str:
    match, alone = table.match, held != BOTH
    if table.waiting:
        return "Waiting for your friend"
    if match.outcome is not None:
        won = if_won[match.person(match.outcome.winner)]
        return f"{won}; the series is a draw" if table.drawn else won
    if alone and match.to_move in held:
        return "Your turn"
    return f"{name_of(match, match.to_move)}\N{RIGHT SINGLE QUOTATION MARK}s turn"


@router.get("/")
async def home(
    request: Request, key: PageKey, context: Context, take: Annotated[str, Query(max_length=MOVE_LENGTH)] = ""
) -> Response:
    """Show what goes on, where to begin, and the games, shelf by shelf; `take` is a number of the first board."""
    running, over = await matches_of(context, key)
    running.sort(key=lambda one: not one.ours)
    known, results = browser_choices(request), browser_results(request)
    game, opponent = fitting_match(results.results)
    page = render_page(
        request,
        "home.html",
        here="Play",
        shelves=shelves(games()),
        opponents=opponents(),
        known=known,
        whom=whom(known.opponent),
        running=running,
        over=over,
        board=await home_board(context, take) if take or not (running or over or results.results) else None,
        begin=built_in(game),
        begin_opponent=PLAYERS.find(opponent),
        sees=f"{sight_words(opponent)}.",
        results=results,
        learner=course_progress(request, game, *course_ideas(game)),
    )
    page.background = BackgroundTask(prepare_answers, context)
    return page


@router.get("/tables")
async def tables() -> Response:
    """Redirect a person who types this address to the list of their tables."""
    return RedirectResponse("/return", 303)


@router.get("/new")
async def new(request: Request) -> Response:
    """Show the form of a new table, with the game that the address names."""
    return _form(request, dict(request.query_params))


def _form(request: Request, fields: Fields, problem: Problem | None = None) -> Response:
    form = filled(fields, browser_choices(request))
    wrong = problem_field(problem, form) if problem else ""
    return render_page(
        request,
        "new.html",
        status=problem.status if problem else 200,
        here="Play",
        shelves=shelves(games(form["game"])),
        opponents=opponents(),
        form=form,
        wrong={wrong: problem.detail} if problem and wrong else {},
        problem=problem.detail if problem and not wrong else "",
    )


@router.post("/tables")
async def create(request: Request, key: PageKey, context: Context) -> Response:
    """Open a table as a form asks for it; somebody who invites a friend gives a name first."""
    sent = await fields_of(request)
    fields = {"name": browser_choices(request).name} | sent
    try:
        order = table_request(fields)
        if _nameless(order, fields):
            return _name_form(request, sent, order)
        if fields.get("first", BEST) == BEST:
            order = await _in_the_better_seat(context, order)
        loaded = await context.open_table(key, order)
    except Problem as problem:
        if problem_field(problem, fields) == "name" and "best_of" not in sent:
            return _name_form(request, sent, table_request({**fields, "name": ""}), problem)
        return _form(request, sent, problem)
    answer = RedirectResponse(f"/tables/{loaded.table.id}", 303)
    if "once" not in sent:
        remember_choices(request, answer, sent)
    return answer


def _nameless(order: TableRequest, fields: Fields) -> bool:
    return order.record is None and order.opponent == HUMAN and not fields["name"].strip()


def _name_form(request: Request, sent: Fields, order: TableRequest, problem: Problem | None = None) -> Response:
    """Ask for a name alone: before an invitation without one, or in place of one that cannot be used."""
    return render_page(
        request,
        "name.html",
        status=problem.status if problem else 200,
        here="Play",
        fields=_kept(sent),
        game=_game(order),
        invites=order.opponent == HUMAN,
        name=sent.get("name", ""),
        problem=problem.detail if problem else "",
    )


def _kept(fields: Fields) -> Fields:
    """Return the fields that a form sends again, with the name."""
    return {name: value for name, value in filled(fields, NO_CHOICES).items() if name in fields and name != "name"}


def _game(order: TableRequest) -> str:
    return printable(requested_rules(order.game, order.variant).name)


async def _in_the_better_seat(context: RequestContext, order: TableRequest) -> TableRequest:
    """Return an order that gives a person the seat that wins against a computer; between people nothing changes."""
    if order.record is not None or order.opponent in (HUMAN, HERE):
        return order
    rules = requested_rules(order.game, order.variant)
    known = winning_seat(rules) if is_built_in(rules) else None
    wins = known is Seat.FIRST if known is not None else await _begins_well(context, rules)
    return order if wins else order.model_copy(update={"first": "them"})


async def _begins_well(context: RequestContext, rules: Rules) -> bool:
    """Whether the first seat of a game is not lost, or the game is too large to know."""
    try:
        found = await context.questions.ask(game_jobs.analyze, rules_to_dict(rules), "", [])
    except Problem:
        return True
    return bool(found["verdict"] != "loss")


@router.get("/join/{invitation}")
async def invited(request: Request, invitation: str, key: PageKey, context: Context) -> Response:
    """Show an invitation; a link alone takes no seat, for links are also opened by programs that look at them."""
    loaded, person, used = await context.invited_to(invitation)
    if await context.seats(loaded.table.id, key):
        return RedirectResponse(f"/tables/{loaded.table.id}", 303)
    if used:
        return _too_late(request, loaded.table)
    return _join_form(request, loaded.table, person, invitation, name=browser_choices(request).name)


def _too_late(request: Request, table: Table, status: int = 200) -> Response:
    """Offer to watch the match, if somebody else has taken the seat."""
    names = [name_of(table.match, person) for person in Person]
    game = printable(table.setup.rules.name)
    return render_page(request, "late.html", status=status, here="Play", table=table.id, names=names, game=game)


def _join_form(
    request: Request, table: Table, person: Person, invitation: str, *, name: str = "", problem: Problem | None = None
) -> Response:
    setup = table.setup
    return render_page(
        request,
        "join.html",
        holds_key=True,
        picture=link_picture(setup.rules.id, shared_origin(request)) if is_built_in(setup.rules) else "",
        status=problem.status if problem else 200,
        here="Play",
        invitation=invitation,
        host=name_of(table.match, person.other),
        game=printable(setup.rules.name),
        idea=idea(setup.rules),
        rules_link=rules_link(setup.rules),
        terms=_terms(table),
        first=setup.first is person,
        name=name,
        usual=setup.name(person),
        wrong=problem.detail if problem and problem.code == "bad-name" else "",
        problem=problem.detail if problem and problem.code != "bad-name" else "",
    )


def _terms(table: Table) -> str:
    """Return what else one agrees to: a series, a clock."""
    series, clock = table.setup.series, table.clock
    terms = [_series_terms(series)] if series else []
    if clock:
        more = f", and {count(clock.increment, 'second')} more for each move" if clock.increment else ""
        terms.append(f"{count(clock.minutes, 'minute')} each on the clock{more}.")
    return " ".join(terms)


def _series_terms(series: Series) -> str:
    if series.best_of == BOTH_SEATS:
        return "Two matches: each of you moves first in one, and 1 to 1 is a draw."
    return f"Best of {series.best_of} matches."


@router.post("/join/{invitation}")
async def join(request: Request, invitation: str, key: PageKey, context: Context) -> Response:
    """Take the seat."""
    fields = await fields_of(request)
    name = fields.get("name", "").strip()
    try:
        joined = await context.join(key, invitation, name)
    except Problem as problem:
        loaded, person, used = await context.invited_to(invitation)
        if used:
            return _too_late(request, loaded.table, problem.status)
        return _join_form(request, loaded.table, person, invitation, name=name, problem=problem)
    answer = RedirectResponse(f"/tables/{joined.table.id}", 303)
    remember_choices(request, answer, {"name": name})
    return answer


@router.get("/return")
async def back(request: Request, key: PageKey, context: Context) -> Response:
    """Show the form for a personal code."""
    return await _return_form(request, key, context)


async def _return_form(request: Request, key: Key, context: RequestContext, problem: Problem | None = None) -> Response:
    running, over = await matches_of(context, key)
    return render_page(
        request,
        "return.html",
        status=problem.status if problem else 200,
        here="Matches",
        running=running,
        over=over,
        problem=problem.detail if problem else "",
    )


@router.post("/return")
async def come_back(request: Request, key: PageKey, context: Context) -> Response:
    """Take one's seat again."""
    fields = await fields_of(request)
    try:
        loaded, devices_left = await context.come_back(key, fields.get("code", ""))
    except Problem as problem:
        return await _return_form(request, key, context, problem)
    if warning := code_warning(devices_left):
        return render_page(request, "returned.html", here="Matches", table=loaded.table.id, warning=warning)
    return RedirectResponse(f"/tables/{loaded.table.id}", 303)
