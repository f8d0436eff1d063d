"""The daily on the page: what was played stays played, whatever is reloaded, opened twice, restored or cleared."""

from __future__ import annotations

import asyncio
import html
import re
from datetime import date, timedelta
from pathlib import Path

import httpx2
import pytest
from fastapi import FastAPI

from tests.patience import PATIENCE
from tests.server.inside import Inside, Reply, inside
from tests.server.postgres import Cluster
from tests.server.running import Server, served
from zerosum.coach.daily import THEIRS, YOURS, daily_game, daily_position, today
from zerosum.rules.game_files import load_game
from zerosum.rules.moves import parse_move
from zerosum.screens import daily_page
from zerosum.solver import solution_of

DAY = date(2026, 11, 18)
PLACE = f"/puzzles/daily/{DAY}"


def own_moves(day: date, *, best: bool) -> list[str]:
    """Return moves that play a daily to its end, each the best or the worst."""
    solution = solution_of(load_game(daily_game(day)))
    position = daily_position(day, solution)
    mover, moves = position.seat, list[str]()
    while position.outcome is None:
        ours = position.seat is mover
        move = solution.options(position)[-1 if ours and not best else 0].move
        moves += [position.text_of(move)] if ours else []
        position = position.play(move)
    return moves


class Duellist:
    """Somebody who plays the daily of a date without a script."""

    def __init__(self, app: FastAPI, day: date = DAY) -> None:
        self.client = Inside(app)
        self.day = day
        self.path = f"/puzzles/daily/{day}"

    async def page(self, query: str = "") -> str:
        reply = await self.client.call("GET", self.path + query)
        assert reply.status == 200
        return html.unescape(reply.body.decode())

    async def send(self, at: str, move: str) -> Reply:
        reply = await self.client.call("POST", self.path, {"at": at, "move": move}, form=True)
        assert reply.status == 303, reply.body
        return reply

    async def press(self, move: str) -> str:
        """Press a button of the page as it stands, and return the page that follows."""
        at = re.search(r'name="at" value="([0-9.]+)"', await self.page())
        assert at
        await self.send(at[1], move)
        return await self.page()

    async def play(self, *, best: bool) -> str:
        for move in own_moves(self.day, best=best):
            shown = await self.press(move)
        return shown


@pytest.fixture(autouse=True)
def _on_that_day(monkeypatch: pytest.MonkeyPatch) -> None:
    go_to(monkeypatch, DAY)


def go_to(monkeypatch: pytest.MonkeyPatch, day: date) -> None:
    monkeypatch.setattr(daily_page, "today", lambda _host: day)


def test_three_tries_then_the_result_and_its_reasons(tmp_path: Path) -> None:
    async def talk(app: FastAPI) -> None:
        ann = Duellist(app)
        new = await ann.page()
        assert "Try 1 of 3: you are to move" in new
        assert "Why it is won" not in new
        assert "Why it is won" not in await ann.page("?reasons=1"), "today's reasons come when it is over"
        first = await ann.play(best=False)
        assert "Try 2 of 3: you are to move" in first
        assert "let the win go. From the start again:" in first
        won = await ann.play(best=True)
        assert "Won at try 2 of 3" in won
        assert f"zerosum daily {DAY}: won at try 2 of 3\n{YOURS}" in won
        assert YOURS + THEIRS in won
        assert f"http://127.0.0.1:8031{PLACE}</textarea>" in won
        assert "Why it is won" in won
        assert "Try 1: " in won
        assert "Days in a row: <b>1</b>, your best: <b>1</b>." in won
        assert 'name="move"' not in won
        lost = Duellist(app)
        for _ in range(3):
            shown = await lost.play(best=False)
        assert "Not won in 3 tries" in shown
        assert "Days in a row: <b>0</b>" in shown
        assert "Why it is won" in shown

    inside(tmp_path, talk)


def test_nothing_takes_a_move_back(tmp_path: Path) -> None:
    async def talk(app: FastAPI) -> None:
        ann = Duellist(app)
        await ann.page()
        fresh = dict(ann.client.cookies)
        good, bad = own_moves(ann.day, best=True)[0], own_moves(ann.day, best=False)[0]
        reached = await ann.press(bad)
        assert reached == await ann.page(), "a reload shows the same"
        # Another tab, or an old page: its form is for the first move of the first try.
        await ann.send("1.0", good)
        assert await ann.page() == reached
        # An older cookie, and none but the key.
        for cookies in (fresh, {name: fresh[name] for name in fresh if name != daily_page.COOKIE}):
            ann.client.cookies = dict(cookies)
            assert await ann.page() == reached
            await ann.send("1.0", good)
            assert await ann.page() == reached
        # A cookie with moves that cannot have been made.
        ann.client.cookies = fresh | {daily_page.COOKIE: f"{DAY}!+77.swap_x|{DAY}!+99|run!9999999.1.1|!"}
        assert await ann.page() == reached
        # Without any cookie it is a new person, who begins at the beginning.
        ann.client.cookies = {}
        assert "Try 1 of 3: you are to move" in await ann.page()

    inside(tmp_path, talk)


def test_a_restarted_server_remembers(tmp_path: Path) -> None:
    kept = dict[str, str]()
    reached = ""

    async def begin(app: FastAPI) -> None:
        nonlocal reached
        ann = Duellist(app)
        await ann.page()
        kept.update(ann.client.cookies)
        reached = await ann.press(own_moves(ann.day, best=False)[0])

    async def go_on(app: FastAPI) -> None:
        ann = Duellist(app)
        ann.client.cookies = dict(kept)
        assert await ann.page() == reached, "the cookie is from before the move"
        await ann.send("1.0", own_moves(ann.day, best=True)[0])
        assert await ann.page() == reached

    inside(tmp_path, begin)
    inside(tmp_path, go_on)


def test_the_other_replica_gives_no_further_first_try(postgres: Cluster) -> None:
    database, day = postgres.database(), today()
    good, bad = own_moves(day, best=True)[0], own_moves(day, best=False)[0]
    with served(database) as one, served(database) as two, httpx2.Client(timeout=PATIENCE) as client:

        def send(server: Server, move: str) -> None:
            answer = client.post(
                f"{server.url}/puzzles/daily/{day}",
                data={"at": "1.0", "move": move},
                headers={"Origin": server.url, **cookies},
            )
            assert answer.status_code == 303, answer.text

        def page(server: Server) -> str:
            found = re.search(
                "<main.*</main>", client.get(f"{server.url}/puzzles/daily/{day}", headers=cookies).text, re.DOTALL
            )
            assert found
            return re.sub(r"127\.0\.0\.1:\d+", "HOST", found[0])

        cookies = {"Cookie": ""}
        fresh = client.get(f"{one.url}/puzzles/daily/{day}").cookies
        client.cookies.clear()
        cookies["Cookie"] = "; ".join(f"{name}={value}" for name, value in fresh.items())
        assert "Try 1 of 3: you are to move" in page(two)
        send(one, bad)
        client.cookies.clear()
        reached = page(one)
        assert bad.replace("-", "−") in reached
        send(two, good)
        client.cookies.clear()
        assert page(two) == page(one) == reached


def test_of_two_tabs_at_once_the_first_counts(tmp_path: Path) -> None:
    async def talk(app: FastAPI) -> None:
        for _ in range(3):
            ann = Duellist(app)
            await ann.page()
            good, bad = own_moves(ann.day, best=True)[0], own_moves(ann.day, best=False)[0]
            one, two = Duellist(app), Duellist(app)
            one.client.cookies, two.client.cookies = dict(ann.client.cookies), dict(ann.client.cookies)
            await asyncio.gather(one.send("1.0", bad), two.send("1.0", good))
            shown = {await one.page(), await two.page(), await ann.page()}
            assert len(shown) == 1, "both see the same daily afterwards"

    inside(tmp_path, talk)


def test_days_in_a_row_count_dailies_that_were_begun_on_their_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def talk(app: FastAPI) -> None:
        client = Inside(app)

        async def win(day: date, now: date) -> str:
            go_to(monkeypatch, now)
            somebody = Duellist(app, day)
            somebody.client = client
            return await somebody.play(best=True)

        for n in range(3):
            shown = await win(DAY + timedelta(n), DAY + timedelta(n))
            assert f"Days in a row: <b>{n + 1}</b>, your best: <b>{n + 1}</b>." in shown
        late = await win(DAY - timedelta(1), DAY + timedelta(2))
        assert "Days in a row: <b>3</b>, your best: <b>3</b>." in late, "a day of the past adds nothing"
        after = await win(DAY + timedelta(4), DAY + timedelta(4))
        assert "Days in a row: <b>1</b>, your best: <b>3</b>." in after, "a day was missed"
        # Begun before midnight and won after it.
        last = DAY + timedelta(5)
        go_to(monkeypatch, last)
        owl = Duellist(app, last)
        owl.client = client
        first, *rest = own_moves(owl.day, best=True)
        await owl.press(first)
        go_to(monkeypatch, last + timedelta(1))
        for move in rest:
            shown = await owl.press(move)
        assert "Days in a row: <b>2</b>, your best: <b>3</b>." in shown
        assert len(client.cookies[daily_page.COOKIE]) < 1000
        puzzles = (await client.call("GET", "/puzzles")).body.decode()
        assert "Days in a row: <b>2</b>, your best: <b>3</b>." in puzzles

    inside(tmp_path, talk)


def test_yesterdays_is_shown_with_its_reasons_and_tomorrows_is_not_shown(tmp_path: Path) -> None:
    async def talk(app: FastAPI) -> None:
        today = Duellist(app)
        yesterday = Duellist(app, DAY - timedelta(1))
        assert f'href="{yesterday.path}?reasons=1"' in await today.page()
        told = await yesterday.page("?reasons=1")
        assert "Why it is won" in told
        assert "Try 1 of 3: you are to move" in told, "and can still be played"
        assert "Why it is won" not in await yesterday.page()
        refused = await Inside(app).call("GET", f"/puzzles/daily/{DAY + timedelta(1)}")
        assert (refused.status, "opens at midnight UTC" in refused.body.decode()) == (404, True)
        illegal = await today.client.call("POST", PLACE, {"at": "1.0", "move": "+77"}, form=True)
        assert illegal.status == 422
        moved = await today.client.call("GET", "/puzzles/daily")
        assert dict(moved.headers)[b"location"].decode() == PLACE

    inside(tmp_path, talk)


def test_a_cookie_reads_what_it_wrote() -> None:
    for text in ("+5.-3_+-2", "+1", "--9.+4"):
        entry = daily_page.Entry.read(f"!{text}")
        assert entry.text == f"!{text}"
        assert [parse_move(one, load_game("zero-sum-duel").operations) for try_ in entry.tries for one in try_]
