"""What can be chosen for a table, in the words of its forms, and the request that a filled form makes."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from markupsafe import Markup

from zerosum.coach.first_game import WINNING_SEATS
from zerosum.match.match import Match
from zerosum.match.setup import Setup
from zerosum.players import HUMAN
from zerosum.rules.describe import goal_line, idea, warning
from zerosum.rules.game_files import GAME_IDS, SHELVES, built_in, shelf_of
from zerosum.rules.moves import ADD_ONLY, parse_move
from zerosum.server.domain.new_table import HERE, TableRequest
from zerosum.server.http.bodies import validate
from zerosum.server.pages.board_pieces import match_sketch
from zerosum.server.pages.forms import BrowserChoices, Fields, form_problem, number_in
from zerosum.server.pages.line_of_play import SEATS
from zerosum.strategy.card_player import PLAYERS

BEST: Final = "best"
"""Who moves first if a form leaves it open: against a computer, the person gets the seat that wins."""
_EMPTY: Final = {
    "game": "sum31",
    "opponent": "",
    "first": BEST,
    "best_of": "1",
    "minutes": "",
    "increment": "0",
    "name": "",
    "opponent_name": "",
    "lenient": "",
    "variant": "",
    "record": "",
    "open": "",
    "coach": "",
}
_EXAMPLES: Final = {
    "sum-to-zero": "+5 +4 -7 +6 -8",
    "sequence-zero": "-5 +6 +8 -2 -3",
    "zero-sum-duel": "+6 +3 -8 +4 -5",
    "zero-sum-game": "-4 +2 +5 -5 -1",
    "sum31": "+9 +6 +8 +3 +5",
    "last-straw": "+7 +6 +5 +9 +8",
    "seventeen": "+5 +6 +2 +8 +3",
    "campfire": "+3 +5 +6 +4 -1",
}
"""A short match of each game, for its picture."""

_SHELF_WORDS: Final = {
    "rulebooks": "",
    "lab": "New games, found by searching thousands of them. Between equal players each seat wins about half the time.",
}
"""A sentence about each shelf; the rulebooks come first and need none."""


def opponents() -> tuple[tuple[str, list[tuple[str, str]]], ...]:
    """Return who can be played against, in groups."""
    people = [(HUMAN, "A friend, by a link"), (HERE, "Two of you at this screen")]
    return ("People", people), ("Computers", [(one.name, f"{one.title}: {one.words}") for one in PLAYERS])


def filled(fields: Fields, known: BrowserChoices) -> Fields:
    """Return a form with what was sent in its fields, what the browser remembers or what is usual in the others."""
    usual = _EMPTY | {"opponent": known.opponent, "name": known.name, "coach": "1" if known.coach else ""}
    return usual | {name: value for name, value in fields.items() if name in _EMPTY}


@cache
def games() -> list[dict[str, object]]:
    """Return the built-in games, as their cards show them."""
    return [
        {
            "id": game,
            "shelf": shelf_of(game),
            "name": rules.name,
            "idea": idea(rules),
            "goal": f"{goal_line(rules)}.{'' if rules.operations == ADD_ONLY else ' Add or subtract.'}",
            "warning": warning(rules),
            "seat": SEATS[WINNING_SEATS[game]],
            "sketch": _sketch(game),
        }
        for game, rules in ((game, built_in(game)) for game in GAME_IDS)
    ]


def shelves(cards: list[dict[str, object]]) -> list[dict[str, object]]:
    """Return the cards of games shelf by shelf, each shelf with its title and a sentence about it."""
    return [
        {
            "id": shelf,
            "title": title,
            "words": _SHELF_WORDS[shelf],
            "games": [card for card in cards if card["shelf"] == shelf],
        }
        for shelf, (title, _) in SHELVES.items()
    ]


def _sketch(game: str) -> Markup:
    rules = built_in(game)
    match = Match.begin(Setup(rules=rules))
    for text in _EXAMPLES[game].split():
        match = match.after(parse_move(text, rules.operations))
    return Markup(match_sketch(match))  # noqa: S704 - made of numbers alone


def table_request(fields: Fields) -> TableRequest:
    """Return the table that a form asks for."""
    given: dict[str, Any] = {"record": fields["record"]} if fields.get("record", "").strip() else _usual(fields)
    return validate(TableRequest, given, form_problem)


def _usual(fields: Fields) -> dict[str, Any]:
    game = fields.get("game", "")
    given: dict[str, Any] = {"variant": fields.get("variant", "")} if game == "variant" else {"game": game}
    given |= {name: fields[name].strip() for name in ("opponent", "first", "name", "opponent_name") if fields.get(name)}
    if given.get("first") == BEST:
        del given["first"]
    if fields.get("best_of"):
        given["best_of"] = number_in(fields, "best_of")
    if fields.get("minutes"):
        increment = number_in(fields, "increment") if fields.get("increment") else 0
        given["clock"] = {"minutes": number_in(fields, "minutes"), "increment": increment}
    return given | {"lenient": fields.get("lenient") == "1"}
