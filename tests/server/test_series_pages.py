"""One match from each seat, on the pages without a script and for programs: offered, played, drawn."""

from __future__ import annotations

import re
from pathlib import Path

from fastapi import FastAPI

from tests.server.inside import Inside, inside


async def page(client: Inside, path: str) -> str:
    return (await client.call("GET", path)).body.decode()


async def press(client: Inside, place: str, command: str, version: int, person: int | None = None) -> str:
    """Press a button of the table, and return the page that follows."""
    fields = {"version": str(version), "move_id": f"m{version}"} | ({"person": str(person)} if person else {})
    assert (await client.call("POST", f"{place}/{command}", fields, form=True)).status == 303
    return await page(client, place)


def headline(text: str) -> str:
    found = re.search(r'<h2 id="status".*?>(?:<span.*?</span>)?([^<]+)</h2>', text)
    assert found
    return found[1]


def test_the_form_offers_it_and_a_drawn_series_is_a_draw(tmp_path: Path) -> None:
    async def talk(app: FastAPI) -> None:
        ann = Inside(app)
        form = await page(ann, "/new?game=zero-sum-duel&best_of=2")
        assert '<option value="2" selected>Both seats: one match each</option>' in form
        assert "Both seats: any game is even, 1 to 1 a draw." in form
        chosen = {"game": "sum31", "opponent": "here", "name": "Ann", "opponent_name": "Ben", "best_of": "2"}
        place = dict((await ann.call("POST", "/tables", chosen, form=True)).headers)[b"location"].decode()
        assert '<span class="quiet small">match 1 of 2</span>' in await page(ann, place)
        first = await press(ann, place, "resign", 1, 1)
        assert headline(first) == "Ben wins"
        assert "Ann won" not in first
        assert f'action="{place}/next"' in first
        begun = await press(ann, place, "next", 2)
        assert "Match 2 of 2: the seats are swapped." in begun
        assert '<span class="quiet small">match 2 of 2</span>' in begun
        last = await press(ann, place, "resign", 3, 2)
        assert headline(last) == "The series is a draw"
        assert "Ann won: Ben resigned. The series is a draw, 1 to 1." in last
        assert f'action="{place}/next"' not in last
        assert last.count('<b class="number">1</b> won') == 2
        assert "Ann won; the series is a draw" in await page(ann, "/return")

    inside(tmp_path, talk)


def finished(html: str) -> list[tuple[str, str]]:
    """Return what the list says of each match that is over, and where it leads."""
    row = r'<span class="quiet small">(match \d+: [^<]+)</span> <a class="small" href="([^"]+)"'
    return re.findall(row, html)


def test_every_match_of_a_table_is_listed_with_its_result_and_its_review(tmp_path: Path) -> None:
    async def talk(app: FastAPI) -> None:
        ann = Inside(app)
        chosen = {"game": "sum31", "opponent": "here", "name": "Ann", "opponent_name": "Ben", "best_of": "2"}
        place = dict((await ann.call("POST", "/tables", chosen, form=True)).headers)[b"location"].decode()
        steps = [("resign", 1), ("next", None), ("resign", 2), ("rematch", None), ("resign", 2), ("next", None)]
        for version, (command, person) in enumerate(steps, start=1):
            await press(ann, place, command, version, person)
        for address in ("/", "/return"):
            listed = finished(await page(ann, address))
            assert [words for words, _ in listed] == ["match 3: Ann won", "match 2: Ann won", "match 1: Ben won"]
            for words, review in listed:
                assert f"{words.split(': ')[1]}: " in await page(ann, review)
        await press(ann, place, "resign", len(steps) + 1, 1)
        assert finished(await page(ann, "/"))[0][0] == "match 4: Ben won; the series is a draw"

    inside(tmp_path, talk)


def test_an_invitation_says_what_is_agreed(tmp_path: Path) -> None:
    async def talk(app: FastAPI) -> None:
        ann, ben = Inside(app), Inside(app)
        chosen = {"game": "sum31", "opponent": "human", "name": "Ann", "best_of": "2"}
        place = dict((await ann.call("POST", "/tables", chosen, form=True)).headers)[b"location"].decode()
        invitation = re.search(r"/join/[^\"]+", await page(ann, place))
        assert invitation
        words = "Two matches: each of you moves first in one, and 1 to 1 is a draw. Ann moves first."
        assert words in await page(ben, invitation[0])

    inside(tmp_path, talk)


def test_programs_may_order_two_matches_and_no_other_even_number(tmp_path: Path) -> None:
    async def talk(app: FastAPI) -> None:
        program = Inside(app)
        await page(program, "/")
        replies = [
            await program.call("POST", "/api/v1/tables", {"game": "sum31", "opponent": "here", "best_of": n})
            for n in (2, 4)
        ]
        assert [reply.status for reply in replies] == [201, 422]
        assert replies[0].json["state"]["series"] == {"best_of": 2, "round": 1, "over": False}
        assert "best_of must be odd, or 2" in replies[1].json["detail"]
        schema = (await program.call("GET", "/api/v1/openapi.json")).json["components"]["schemas"]["TableRequest"]
        assert {"const": 2} in schema["properties"]["best_of"]["anyOf"][0]["anyOf"]

    inside(tmp_path, talk)
