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
from zerosum.coach.learner import follow, next_exercise, rules_in
from zerosum.rules.game_files import built_in
from zerosum.rules.notation import parse_position
from zerosum.solver import Verdict, solution_of

COOKIE = "zerosum_lessons"
RULES = built_in("sum31")
EXERCISE = "/learn/sum31?show=exercise"
SWAPS = 'like = "sum31"\nid = "x"\nname = "X"\nswap = true\n'
HUGE = f'like = "zero-sum-duel"\nid = "huge"\nname = "Huge"\npool = {list(range(1, 41))}\n'


def field(reply: Reply, name: str) -> str:
    return unescape(re.findall(rf'name="{name}" value="([^"]*)"', reply.body.decode())[0])


def text_of(reply: Reply) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", reply.body.decode())).split())


async def answer(client: Inside, asked: Reply, *, right: bool) -> Reply:
    """Answer the exercise on a page by the truth of the solver, in the numbers it has, and return what is said."""
    rules = rules_in(RULES, int(field(asked, "numbers")))
    at = parse_position(field(asked, "position"), rules)
    move = next(
        at.text_of(one.move) for one in solution_of(rules).options(at) if (one.value.verdict is Verdict.WIN) is right
    )
    fields = {name: field(asked, name) for name in ("step", "numbers", "position", "tried", "count")}
    told = await client.call("POST", "/learn/sum31", fields | {"move": move}, form=True)
    assert told.status == 303
    return await client.call("GET", dict(told.headers)[b"location"].decode())


def test_the_page_asks_what_the_course_asks_after_the_same_answers(tmp_path: Path) -> None:
    """Sixteen answers, some wrong, through the page; the same ones by `follow` on the course itself."""
    given = [True, True, True, False, True, True, True, False, False, True, True, True, True, True, True, False]
    course = course_of(RULES, solution_of)
    answers: list[tuple[str, bool]] = []

    async def talk(app: FastAPI) -> None:
        client = Inside(app)
        for right in given:
            learner = follow(course, answers)
            opened = await client.call("GET", "/learn/sum31")
            assert ("An example" in text_of(opened)) is (learner.asked[learner.step] == 0)
            shown = await client.call("GET", EXERCISE)
            assert field(shown, "step") == str(learner.step + 1)
            due = next_exercise(course, learner)
            assert field(shown, "position") == str(due.shown.position)
            assert ("New numbers" in text_of(shown)) is (due.numbers > 0)
            told = await answer(client, shown, right=right)
            assert ("Right." in text_of(told)) is right
            answers.append((course.steps[learner.step].idea, right))
        assert follow(course, answers).learnt

    inside(tmp_path, talk)


def test_a_law_is_read_and_the_course_is_done(tmp_path: Path) -> None:
    async def talk(app: FastAPI) -> None:
        client = Inside(app)
        client.cookies[COOKIE] = "zero-sum-duel!2.0.0.0.4.3.5.5.0"
        shown = text_of(await client.call("GET", "/learn/zero-sum-duel"))
        assert "The player to move wins if they can make 0 now, or if an odd number of numbers is left" in shown
        assert "Take the largest number, away from 0" in shown
        assert (await client.call("POST", "/learn/zero-sum-duel", {"do": "read"}, form=True)).status == 303
        done = text_of(await client.call("GET", "/learn/zero-sum-duel"))
        assert "You have learnt every step." in done
        assert "Expect to win every match against perfect play." in done
        assert "Learnt" in text_of(await client.call("GET", "/learn"))

    inside(tmp_path, talk)


def test_reading_skips_no_exercises(tmp_path: Path) -> None:
    async def talk(app: FastAPI) -> None:
        client = Inside(app)
        assert (await client.call("POST", "/learn/sum31", {"do": "read"}, form=True)).status == 303
        assert client.cookies[COOKIE].strip('"') == "sum31!0.0.0.0.0.0.0.0.0.0"

    inside(tmp_path, talk)


def test_what_an_earlier_version_remembered_stays_learnt(tmp_path: Path) -> None:
    """Its entries say how many steps were learnt; ideas that are still taught stay so, and the next one is due."""

    async def talk(app: FastAPI) -> None:
        for entry, step in (("sum31_1.2.0.3.2.0.0", 2), ("sum31_2.0.0.3.3.0.0", 3), ("sum31_4.0.0.3.3.3.3", 3)):
            client = Inside(app)
            client.cookies[COOKIE] = entry
            assert field(await client.call("GET", EXERCISE), "step") == str(step)
            assert f"You are at step {step} of 4" in text_of(await client.call("GET", "/learn"))

    inside(tmp_path, talk)


def test_whatever_the_cookie_says_a_page_comes(tmp_path: Path) -> None:
    short = ["", "x", "sum31_", "sum31!", "sum31!0.0.0", "sum31!1.1.1.1.1.1.1", "%00|||_._", "a" * 3000]

    async def talk(app: FastAPI) -> None:
        for cookie in [*short, "sum31!9.9.9.9.9999.999.1.1.1.1", "sum31!1.4.1.1.9999.0.9999.0.0.0", "sum31_9.9.9.9"]:
            client = Inside(app)
            client.cookies[COOKIE] = cookie
            for path in ("/learn", "/learn/sum31", EXERCISE):
                assert (await client.call("GET", path)).status == 200
            assert (await client.call("POST", "/learn/sum31", {"do": "again"}, form=True)).status == 303
            assert field(await client.call("GET", EXERCISE), "count") == "0"

    inside(tmp_path, talk)


def test_other_addresses_and_forms_are_refused_in_words(tmp_path: Path) -> None:
    async def talk(app: FastAPI) -> None:
        client = Inside(app)
        asked = field(await client.call("GET", EXERCISE), "position")
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
            ("/learn/sum31", {"step": "1", "numbers": "0", "position": "1,2 3 1", "move": "+1"}, 422),
            ("/learn/sum31", {"step": "99", "numbers": "0", "position": asked, "move": "+1"}, 422),
            ("/learn/sum31", {"step": "1", "numbers": "3", "position": asked, "move": "+1"}, 422),
            ("/learn/sum31", {"step": "1", "position": asked, "move": "+1"}, 422),
            (f"/learn/sum31?{urlencode({'step': 1, 'numbers': 99999, 'position': asked})}", None, 422),
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
        client.cookies[COOKIE] = "|".join(["sum31!1.0.0.0.2.1.5.0.0.0", *(f"own-{n}!0.1.0.0.0.0.1" for n in range(9))])
        shown = await client.call("GET", EXERCISE)
        await answer(client, shown, right=True)
        kept = client.cookies[COOKIE].strip('"').split("|")
        assert [one.partition("!")[0] for one in kept] == [f"own-{n}" for n in range(4, 9)] + ["sum31"]
        assert kept[-1] == "sum31!1.1.0.0.2.1.5.1.0.0"

    inside(tmp_path, talk)
