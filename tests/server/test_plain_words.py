"""What is wrong with an address or a form is told to people in their words, and to programs by the field."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.security.browsing import send, visitor
from tests.security.calling import Caller
from tests.server.running import served
from zerosum.screens.forms import form_problem

HTML = {"Accept": "text/html"}


@pytest.fixture(scope="module")
def browser() -> Iterator[Caller]:
    with served() as server:
        yield visitor(server, "Ann")


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/games/sum31/puzzles?set=5.0", "The number of the set must be a whole number."),
        ("/games/sum31/puzzles?set=99", "The number of the set must be 20 or less."),
        ("/tables/nothing/record?match=0", "The number of the match must be 1 or more."),
    ],
)
def test_an_address(browser: Caller, path: str, words: str) -> None:
    reply = browser.call("GET", path, headers=HTML)
    assert reply.status == 422
    assert words in reply.text


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"game": "sum31", "opponent": "here", "name": "a" * 41}, "Your name may have at most 40 characters."),
        ({"game": "sum31", "opponent": "here", "best_of": "4"}, "The number of matches must be odd, or 2."),
        ({"game": "sum31", "opponent": "here", "best_of": "many"}, "The number of matches must be a whole number."),
        ({"game": "sum31", "opponent": "here", "minutes": "999"}, "The number of minutes must be 180 or less."),
        ({"game": "sum31", "opponent": "here", "first": "nobody"}, "Who moves first is none of the choices."),
    ],
)
def test_a_form(browser: Caller, fields: dict[str, str], words: str) -> None:
    reply = send(browser, "/tables", fields)
    assert reply.status == 422
    assert words in reply.text


def test_a_field_that_is_missing_is_named_as_people_name_it() -> None:
    missing = {"type": "missing", "loc": ("query", "position"), "msg": "Field required"}
    strange = {"type": "strange", "loc": ("query", "x"), "msg": "?"}
    told = form_problem([missing, missing, strange]).detail
    assert told == "The position is missing. Something in this address or form cannot be read."


def test_programs_are_told_the_field(browser: Caller) -> None:
    made = {"game": "sum31", "name": "a" * 41}
    told = Caller(browser.server, "Ann", browser.token).call("POST", "/api/v1/tables", made).json["detail"]
    assert told.startswith("name: ")


def test_the_address_of_all_tables_leads_to_their_list(browser: Caller) -> None:
    reply = browser.call("GET", "/tables")
    assert (reply.status, reply.header("location")) == (303, "/return")
    assert browser.call("HEAD", "/tables").status == 303
