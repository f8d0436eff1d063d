"""Lessons on the page: what counts, what a cookie may say, and an honest word where there is no course."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from fastapi import FastAPI

from tests.server.inside import Inside, Reply, inside
from zerosum.coach.course_builder import course_of
from zerosum.coach.learner import follow, next_exercise
from zerosum.rules.game_files import built_in
from zerosum.rules.notation import parse_position
from zerosum.solver import Verdict, solution_of

COOKIE = "zerosum_lessons"
RULES = built_in("sum31")
SWAPS = 'like = "sum31"\nid = "x"\nname = "X"\nswap = true\n'
HUGE = f'like = "zero-sum-duel"\nid = "huge"\nname = "Huge"\npool = {list(range(1, 41))}\n'


def field(reply: Reply, name: str) -> str:
    return unescape(re.findall(rf'name="{name}" value="([^"]*)"', reply.body.decode())[0])


def text_of(reply: Reply) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", reply.body.decode())).split())


async def answer(client: Inside, asked: Reply, *, right: bool) -> Reply:
    """Answer the exercise on a page by the truth of the solver, and return what is said."""
    at = parse_position(field(asked, "position"), RULES)
    move = next(
        at.text_of(one.move) for one in solution_of(RULES).options(at) if (one.value.verdict is Verdict.WIN) is right
    )
    fields = {name: field(asked, name) for name in ("step", "position", "tried", "count")}
    told = await client.call("POST", "/learn/sum31", fields | {"move": move}, form=True)
    assert told.status == 303
    return await client.call("GET", dict(told.headers)[b"location"].decode())


def test_the_page_asks_what_the_course_asks_after_the_same_answers(tmp_path: Path) -> None:
    """Fourteen answers, some wrong, through the page; the same ones by `follow` on the course itself."""
    given = [True, True, True, False, False, True, True, False, True, True, True, False, True, True]
    course = course_of(RULES, solution_of)
    answers: list[tuple[str, bool]] = []

    async def talk(app: FastAPI) -> None:
        client = Inside(app)
        for right in given:
            shown = await client.call("GET", "/learn/sum31")
            learner = follow(course, answers)
            assert field(shown, "step") == str(learner.step + 1)
            assert field(shown, "position") == str(next_exercise(course, learner, solution_of).position)
            told = await answer(client, shown, right=right)
            assert ("Right." in text_of(told)) is right
            answers.append((course.steps[learner.step].idea, right))
        assert follow(course, answers).step > 0

    inside(tmp_path, talk)


def test_whatever_the_cookie_says_a_page_comes(tmp_path: Path) -> None:
    short = ["", "x", "sum31_", "sum31_0.0.0", "sum31_1.1.1.1", "%00|||_._", "a" * 3000]

    async def talk(app: FastAPI) -> None:
        for cookie in [*short, "sum31_9.9.9.1.1.1.1", "sum31_1.2.1.9999.0.0.0"]:
            client = Inside(app)
            client.cookies[COOKIE] = cookie
            for path in ("/learn", "/learn/sum31"):
                assert (await client.call("GET", path)).status == 200
            assert (await client.call("POST", "/learn/sum31", {"do": "again"}, form=True)).status == 303
            assert field(await client.call("GET", "/learn/sum31"), "count") == "0"

    inside(tmp_path, talk)


def test_other_addresses_and_forms_are_refused_in_words(tmp_path: Path) -> None:
    async def talk(app: FastAPI) -> None:
        client = Inside(app)
        asked = field(await client.call("GET", "/learn/sum31"), "position")
        refused: list[tuple[str, dict[str, Any] | None, int]] = [
            ("/learn/nope", None, 404),
            ("/learn/sum31?step=9&position=x", None, 422),
            ("/learn/sum31?step=1&position=x", None, 422),
            (f"/learn/sum31?{urlencode({'step': 2, 'position': asked})}", None, 422),
            (f"/learn/sum31?{urlencode({'step': 1, 'position': asked, 'move': '+99'})}", None, 422),
            (f"/learn/own?{urlencode({'rules': 'target = 1'})}", None, 422),
            (f"/learn/own?{urlencode({'rules': 'x' * 5000})}", None, 422),
            ("/learn/own", {"rules": "#" * 5000, "do": "again"}, 422),
            ("/learn/sum31", {}, 422),
            ("/learn/sum31", {"step": "1", "position": "1,2 3 1", "move": "+1"}, 422),
            ("/learn/sum31", {"step": "99", "position": asked, "move": "+1"}, 422),
        ]
        for path, fields, status in refused:
            reply = await client.call("POST" if fields is not None else "GET", path, fields, form=fields is not None)
            assert reply.status == status, (path, fields, reply.body[:300])
        assert COOKIE not in client.cookies

    inside(tmp_path, talk)


def test_a_game_without_a_course_says_why(tmp_path: Path) -> None:
    async def talk(app: FastAPI) -> None:
        for rules, words in ((SWAPS, "seats can be swapped"), (HUGE, "Use a smaller pool")):
            shown = await Inside(app).call("GET", f"/learn/own?{urlencode({'rules': rules})}")
            assert shown.status == 200
            assert "There is no course of this game." in text_of(shown)
            assert words in text_of(shown)

    inside(tmp_path, talk)


def test_many_games_of_ones_own_do_not_crowd_the_cookie(tmp_path: Path) -> None:
    async def talk(app: FastAPI) -> None:
        client = Inside(app)
        client.cookies[COOKIE] = "|".join(["sum31_1.0.0.3.0.0.0", *(f"own-{n}_0.1.0.1" for n in range(9))])
        shown = await client.call("GET", "/learn/sum31")
        await answer(client, shown, right=True)
        kept = client.cookies[COOKIE].strip('"').split("|")
        assert [one.partition("_")[0] for one in kept] == [f"own-{n}" for n in range(4, 9)] + ["sum31"]
        assert kept[-1] == "sum31_1.1.0.3.1.0.0"

    inside(tmp_path, talk)
