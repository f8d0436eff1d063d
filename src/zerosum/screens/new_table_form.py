"""What can be chosen for a table, in the words of its forms, and the request that a filled form makes."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, Final

from zerosum.match.match import Match
from zerosum.match.setup import Setup
from zerosum.players import HUMAN
from zerosum.rules.describe import goal_line, idea, warning
from zerosum.rules.examples import Expect
from zerosum.rules.game_files import GAME_IDS, RETIRED, SHELVES, Shelf, built_in, retirement, shelf_of
from zerosum.rules.model import Rules
from zerosum.rules.moves import ADD_ONLY, parse_move
from zerosum.screens.board_pieces import match_sketch
from zerosum.screens.forms import BrowserChoices, Fields, number_in, read_form
from zerosum.strategy.card_player import PLAYERS
from zerosum.tables.new_table import HERE, TableRequest, check_person_name
from zerosum.tables.problems import Problem

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
_SHELF_WORDS: Final[dict[Shelf, str]] = {"lab": "New games, even between equals."}
"""A sentence about a shelf; the rulebooks come first and need none."""


def opponents() -> tuple[tuple[str, list[tuple[str, str]]], ...]:
    """Return who can be played against, in groups."""
    people = [(HUMAN, "A friend, by a link"), (HERE, "A friend here, at this screen")]
    return ("People", people), ("Computers", [(one.name, f"{one.title}: {one.words}") for one in PLAYERS])


def whom(opponent: str) -> str:
    """Return an opponent as a button names them; `home.js` cuts the words of the choice in the same way.

    >>> whom("level:3"), whom("human")
    ('level 3', 'a friend')
    """
    words = next(words for _, group in opponents() for name, words in group if name == opponent)
    short = re.split("[:,]", words)[0]
    return short[0].lower() + short[1:]


def filled(fields: Fields, known: BrowserChoices) -> Fields:
    """Return a form with what was sent in its fields, what the browser remembers or what is usual in the others."""
    usual = _EMPTY | {"opponent": known.opponent, "name": known.name, "coach": "1" if known.coach else ""}
    return usual | {name: value for name, value in fields.items() if name in _EMPTY}


def games(chosen: str = "") -> list[dict[str, object]]:
    """Return the listed games as their cards show them, and after them a retired one that somebody has chosen."""
    return [game_card(game) for game in (*GAME_IDS, *(game for game in RETIRED if game == chosen))]


@cache
def game_card(game: str) -> dict[str, object]:
    """Return what the card of a game shows."""
    rules = built_in(game)
    return {
        "id": game,
        "shelf": shelf_of(game),
        "name": rules.name,
        "idea": idea(rules),
        "goal": f"{goal_line(rules)}.{'' if rules.operations == ADD_ONLY else ' Add or subtract.'}",
        "warning": warning(rules),
        "note": retirement(game),
        "sketch": _sketch(rules),
    }


def shelves(cards: list[dict[str, object]]) -> list[dict[str, object]]:
    """Return the cards of games shelf by shelf, each shelf with its title and a sentence about it."""
    titles = {shelf: title for shelf, (title, _) in SHELVES.items()} | {"retired": "Retired"}
    return [
        {"id": shelf, "title": title, "words": _SHELF_WORDS.get(shelf, ""), "games": standing}
        for shelf, title in titles.items()
        if (standing := [card for card in cards if card["shelf"] == shelf])
    ]


def _sketch(rules: Rules) -> str:
    """Return the picture of the first match that the rules file gives as an example."""
    match = Match.begin(Setup(rules=rules))
    for text in next(one.moves for one in rules.examples if one.expect is Expect.LEGAL):
        match = match.after(parse_move(text, rules.operations))
    return match_sketch(match)


def table_request(fields: Fields) -> TableRequest:
    """Return the table that a form asks for."""
    given: dict[str, Any] = {"record": fields["record"]} if fields.get("record", "").strip() else _usual(fields)
    return read_form(TableRequest, given)


def problem_field(problem: Problem, fields: Fields) -> str:
    """Return the field with the name that a problem is about; nothing if it is about something else."""
    if problem.code != "bad-name":
        return ""
    try:
        check_person_name(fields.get("name", "").strip() or "Player 1")
    except Problem:
        return "name"
    return "opponent_name" if fields.get("opponent_name", "").strip() else "name"


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
