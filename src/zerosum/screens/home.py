"""Home: the list of games and tables, how a table is opened, and how a seat is taken or taken back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from zerosum.base.english import count
from zerosum.base.text import printable
from zerosum.coach.bundled_odds import winning_seat
from zerosum.coach.lessons import course_ideas
from zerosum.coach.next_step import fitting_match
from zerosum.jobs import game_jobs
from zerosum.match.match_words import name_of
from zerosum.match.setup import BOTH_SEATS, Person, Series
from zerosum.players import HUMAN
from zerosum.players.levels import sight_words
from zerosum.rules.describe import idea
from zerosum.rules.game_files import built_in, is_built_in
from zerosum.rules.model import Rules, Seat, rules_to_dict
from zerosum.screens.board_header import reader_called
from zerosum.screens.board_view import rules_link
from zerosum.screens.forms import NO_CHOICES, Fields, browser_choices, course_progress, remember_choices
from zerosum.screens.home_board import home_board, home_questions
from zerosum.screens.match_results import browser_results
from zerosum.screens.new_table_form import BEST, filled, games, opponents, problem_field, shelves, table_request, whom
from zerosum.screens.rendering import page
from zerosum.screens.screen import Answer, ScreenHost, SeatedTable, Visit, go, meeting, screen
from zerosum.screens.static_files import link_picture
from zerosum.strategy.card_player import PLAYERS
from zerosum.tables.fields import Text
from zerosum.tables.limits import MOVE_LENGTH
from zerosum.tables.new_table import HERE, TableRequest, requested_rules
from zerosum.tables.problems import Problem
from zerosum.tables.table import BOTH, Table


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


async def matches_of(host: ScreenHost) -> tuple[list[TableRow], list[FinishedRow]]:
    """Return the own tables at which a match goes on, and every match that is over, the last first.

    There are none while the database is away.
    """
    try:
        own = await host.own_tables()
    except Problem:
        return [], []
    tables = [_line(one.table, one.held) for one in own]
    over = [row for one, line in zip(own, tables, strict=True) for row in _finished(one, line)]
    return [one for one in tables if not one.over], over


def _finished(own: SeatedTable, table: TableRow) -> Iterator[FinishedRow]:
    if table.over:
        yield FinishedRow(table, table.number, table.status)
    for number, winner in own.winners.items():
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


@screen("GET", "/", take=Text(MOVE_LENGTH))
async def home(visit: Visit, host: ScreenHost) -> Answer:
    """Show what goes on, where to begin, and the games, shelf by shelf; `take` is a number of the first board."""
    running, over = await matches_of(host)
    running.sort(key=lambda one: not one.ours)
    known, results, take = browser_choices(visit.cookies), browser_results(visit.cookies), visit.query.get("take", "")
    game, opponent = fitting_match(results.results)
    return page(
        "home.html",
        prepares=home_questions(),
        here="Play",
        shelves=shelves(games()),
        opponents=opponents(),
        known=known,
        whom=whom(known.opponent),
        running=running,
        over=over,
        board=await home_board(host, take) if take or not (running or over or results.results) else None,
        begin=built_in(game),
        begin_opponent=PLAYERS.find(opponent),
        sees=f"{sight_words(opponent)}.",
        results=results,
        learner=course_progress(visit.cookies, game, *course_ideas(game)),
    )


@screen("GET", "/tables")
async def tables(_visit: Visit, _host: ScreenHost) -> Answer:
    """Redirect a person who types this address to the list of their tables."""
    return go("/return")


@screen("GET", "/new")
async def new(visit: Visit, _host: ScreenHost) -> Answer:
    """Show the form of a new table, with the game that the address names."""
    return _form(visit, visit.query)


def _form(visit: Visit, fields: Fields, problem: Problem | None = None) -> Answer:
    form = filled(fields, browser_choices(visit.cookies))
    wrong = problem_field(problem, form) if problem else ""
    return page(
        "new.html",
        status=problem.status if problem else 200,
        here="Play",
        shelves=shelves(games(form["game"])),
        opponents=opponents(),
        form=form,
        wrong={wrong: problem.detail} if problem and wrong else {},
        problem=problem.detail if problem and not wrong else "",
    )


@screen("POST", "/tables")
async def create(visit: Visit, host: ScreenHost) -> Answer:
    """Open a table as a form asks for it; somebody who invites a friend gives a name first."""
    sent = visit.fields
    fields = {"name": browser_choices(visit.cookies).name} | sent
    try:
        order = table_request(fields)
        if order.record is None and order.opponent == HUMAN and not fields["name"].strip():
            return _name_form(sent, order)
        if fields.get("first", BEST) == BEST:
            order = await _in_the_better_seat(host, order)
        opened = await host.open_table(order)
    except Problem as problem:
        if problem_field(problem, fields) == "name" and "best_of" not in sent:
            return _name_form(sent, table_request({**fields, "name": ""}), problem)
        return _form(visit, sent, problem)
    return go(f"/tables/{opened}", cookies={} if "once" in sent else remember_choices(visit.cookies, sent))


def _name_form(sent: Fields, order: TableRequest, problem: Problem | None = None) -> Answer:
    """Ask for a name alone: before an invitation without one, or in place of one that cannot be used."""
    return page(
        "name.html",
        here="Play",
        fields=_kept(sent),
        game=printable(requested_rules(order.game, order.variant).name),
        invites=order.opponent == HUMAN,
        name=sent.get("name", ""),
        problem=problem,
    )


def _kept(fields: Fields) -> Fields:
    """Return the fields that a form sends again, with the name."""
    return {name: value for name, value in filled(fields, NO_CHOICES).items() if name in fields and name != "name"}


async def _in_the_better_seat(host: ScreenHost, order: TableRequest) -> TableRequest:
    """Return an order that gives a person the seat that wins against a computer; between people nothing changes."""
    if order.record is not None or order.opponent in (HUMAN, HERE):
        return order
    rules = requested_rules(order.game, order.variant)
    known = winning_seat(rules) if is_built_in(rules) else None
    wins = known is Seat.FIRST if known is not None else await _begins_well(host, rules)
    return order if wins else replace(order, first="them")


async def _begins_well(host: ScreenHost, rules: Rules) -> bool:
    """Whether the first seat of a game is not lost, or the game is too large to know."""
    try:
        found = await host.ask(game_jobs.analyze, rules_to_dict(rules), "", [])
    except Problem:
        return True
    return bool(found["verdict"] != "loss")


@screen("GET", "/join/{invitation}")
async def invited(visit: Visit, host: ScreenHost) -> Answer:
    """Show an invitation; a link alone takes no seat, for links are also opened by programs that look at them."""
    found = await meeting(host).invited_to(visit.path["invitation"])
    if found.held:
        return go(f"/tables/{found.table.id}")
    if found.used:
        return _too_late(found.table)
    return _join_form(visit, found.table, found.person, name=browser_choices(visit.cookies).name)


def _too_late(table: Table, status: int = 200) -> Answer:
    """Offer to watch the match, if somebody else has taken the seat."""
    names = [name_of(table.match, person) for person in Person]
    game = printable(table.setup.rules.name)
    return page("late.html", status=status, here="Play", table=table.id, names=names, game=game)


def _join_form(visit: Visit, table: Table, person: Person, *, name: str = "", problem: Problem | None = None) -> Answer:
    setup = table.setup
    return page(
        "join.html",
        private=True,
        picture=link_picture(setup.rules.id, visit.origin) if is_built_in(setup.rules) else "",
        status=problem.status if problem else 200,
        here="Play",
        invitation=visit.path["invitation"],
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


@screen("POST", "/join/{invitation}")
async def join(visit: Visit, host: ScreenHost) -> Answer:
    """Take the seat."""
    invitation, name = visit.path["invitation"], visit.fields.get("name", "").strip()
    try:
        joined = await meeting(host).join(invitation, name)
    except Problem as problem:
        found = await meeting(host).invited_to(invitation)
        if found.used:
            return _too_late(found.table, problem.status)
        return _join_form(visit, found.table, found.person, name=name, problem=problem)
    return go(f"/tables/{joined}", cookies=remember_choices(visit.cookies, {"name": name}))


@screen("GET", "/return")
async def back(_visit: Visit, host: ScreenHost) -> Answer:
    """Show the form for a personal code."""
    return await _return_form(host)


async def _return_form(host: ScreenHost, problem: Problem | None = None) -> Answer:
    running, over = await matches_of(host)
    return page("return.html", here="Matches", running=running, over=over, problem=problem)


@screen("POST", "/return")
async def come_back(visit: Visit, host: ScreenHost) -> Answer:
    """Take one's seat again."""
    try:
        table, warning = await meeting(host).come_back(visit.fields.get("code", ""))
    except Problem as problem:
        return await _return_form(host, problem)
    return page("returned.html", here="Matches", table=table, warning=warning) if warning else go(f"/tables/{table}")
