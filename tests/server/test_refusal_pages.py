"""What a browser sees when it is refused: a page that says when, and that asks again by itself if it only reads."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from fastapi import FastAPI

from tests.server.inside import Inside, Reply, inside
from zerosum.screens import home
from zerosum.server import limits
from zerosum.tables.problems import RETRY_AFTER, Problem

HEADERS = [("host", "127.0.0.1:8031"), ("origin", "http://127.0.0.1:8031")]


async def ask(app: FastAPI, path: str, *, method: str = "GET", accept: str = "text/html") -> Reply:
    return await Inside(app)._exchange(method, path, [*HEADERS, ("accept", accept)], b"")


async def until_refused(app: FastAPI, path: str, **how: str) -> Reply:
    for _ in range(300):
        if (reply := await ask(app, path, **how)).status == 429:
            return reply
    raise AssertionError("nobody was refused")


def test_too_many_requests_is_a_page_that_tries_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "WORK", (100, 0.5))

    async def talk(app: FastAPI) -> None:
        page = await until_refused(app, "/")
        wait = int(dict(page.headers)[b"retry-after"])
        text = page.body.decode()
        assert wait >= 1
        assert f"This page tries again by itself in {wait} second" in text
        assert f'<noscript><meta http-equiv="refresh" content="{wait}"></noscript>' in text
        assert re.search(r'<script type="module" src="/static/retry\.js', text)
        assert b"content-security-policy" in dict(page.headers)
        sent = (await until_refused(app, "/tables", method="POST")).body.decode()
        assert "and send it again: nothing was done." in sent
        assert "http-equiv" not in sent, "a form is not sent again by itself"
        program = await until_refused(app, "/", accept="*/*")
        assert program.json["code"] == "too-many"

    inside(tmp_path, talk)


@pytest.mark.parametrize("code", sorted(RETRY_AFTER))
def test_a_server_that_cannot_answer_now_says_when(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    def fail(_: object) -> None:
        raise Problem(code)

    monkeypatch.setattr(home, "browser_choices", fail)

    async def talk(app: FastAPI) -> None:
        page = await ask(app, "/")
        assert page.status == 503
        assert f"tries again by itself in {RETRY_AFTER[code]} second" in page.body.decode()

    inside(tmp_path, talk)


def test_the_reference_writes_numbers_as_numbers(tmp_path: Path) -> None:
    async def talk(app: FastAPI) -> None:
        text = (await ask(app, "/api/v1/docs")).body.decode()
        assert "at least 1" in text
        assert not re.findall(r"at (?:least|most) (?:true|false|null)|at most \d+\.0", text)

    inside(tmp_path, talk)
