"""Names at a table: one normal form, and twins are the same name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from fastapi import FastAPI

from tests.each import each
from tests.server.inside import Inside, Reply, inside
from zerosum.tables.new_table import TableRequest, check_person_name, open_request
from zerosum.tables.problems import Problem


def test_a_name_is_kept_in_its_normal_form() -> None:
    assert check_person_name("Zoe\u0308") == "Zo\u00eb"
    tags = open_request(TableRequest(game="sum31", opponent="here", name="Zoe\u0308", opponent_name="Bob")).data["tags"]
    assert isinstance(tags, dict)
    assert tags["Player1"] == "Zo\u00eb"


@pytest.mark.parametrize(("name", "other"), [("Zoe\u0308", "Zo\u00eb"), ("\uff21nn", "ANN"), ("\u0301", "Ann")])
def test_twins_and_bare_marks_are_refused(name: str, other: str) -> None:
    with pytest.raises(Problem, match=r"need different names|begins with a combining mark"):
        check_person_name(name, other)


STACKED = "Z" + "\u0301" * 4


@each(("name", "other"), [("\u0410nn", "Ann"), ("Player l", "Player 1"), (STACKED, "Ann"), ("A\u200dn", "Ann")])
def test_look_alikes_and_stacked_marks_are_refused(name: str, other: str) -> None:
    with pytest.raises(Problem, match=r"look alike|combining marks|cannot be shown"):
        check_person_name(name, other)


def test_a_table_begins_with_no_name_that_is_refused_elsewhere() -> None:
    with pytest.raises(Problem, match="combining marks"):
        open_request(TableRequest(record=f'[Game "sum31"]\n[Player1 "{STACKED}"]\n\n1. +5'))


def test_a_refused_name_is_corrected_where_it_was_typed(tmp_path: Path) -> None:
    async def talk(app: FastAPI) -> None:
        ann, bob = Inside(app), Inside(app)

        async def sent(client: Inside, path: str, **fields: str) -> Reply:
            return await client.call("POST", path, fields, form=True)

        field = '<input id="{0}" name="{0}" maxlength="40" autocomplete="{1}" value="{2}"'
        wrong = 'aria-invalid="true" aria-describedby="{0}-wrong" autofocus'
        # From a list of games: a page that asks for the name alone and keeps the rest.
        alone = await sent(ann, "/tables", game="sum31", opponent="level:2", name=STACKED, coach="1")
        text = alone.body.decode()
        assert alone.status == 422
        assert field.format("name", "nickname", STACKED) in text
        assert wrong.format("name") in text
        assert '<input type="hidden" name="opponent" value="level:2">' in text
        assert "combining marks" in text
        # From the form of a new table: that form, with what is wrong under the field.
        chosen = {"game": "sum31", "opponent": "here", "best_of": "3"}
        for name, other, where in ((STACKED, "Bob", "name"), ("Bob", "B\u043eb", "opponent_name")):
            again = (await sent(ann, "/tables", **chosen, name=name, opponent_name=other)).body.decode()
            assert "<h1>A new table</h1>" in again
            assert wrong.format(where) in again
            assert again.count('role="alert"') == 1
            assert '<option value="3" selected>' in again
        # From an invitation: the same invitation.
        made = await sent(ann, "/tables", game="sum31", opponent="human", name="Bob")
        place = dict(made.headers)[b"location"].decode()
        page = (await ann.call("GET", place)).body.decode()
        link = re.search(r"http://[^\"]*(/join/[^\"]+)", page)
        assert link
        invited = await sent(bob, link[1], name="B\u043eb")
        assert invited.status == 422
        assert field.format("name", "nickname", "B\u043eb") in invited.body.decode()
        assert "look alike" in invited.body.decode()
        assert (await sent(bob, link[1], name="\U0001f469\u200d\U0001f680")).status == 303
        assert "\U0001f469\u200d\U0001f680" in (await ann.call("GET", place)).body.decode()

    inside(tmp_path, talk)
