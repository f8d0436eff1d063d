"""What the pages after Home need is made ready while Home is read."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI
from jinja2 import Environment

from tests.server.inside import Inside, counted, inside
from zerosum.server.pages import templates


def test_no_page_after_home_waits_for_its_template(tmp_path: Path) -> None:
    async def talk(app: FastAPI) -> None:
        ann = Inside(app)
        assert (await ann.call("GET", "/")).status == 200  # returns when what follows the answer is done
        with counted(Environment.compile) as calls:
            opened = await ann.call("POST", "/tables", {"game": "sum31", "opponent": "here"}, form=True)
            table = await ann.call("GET", dict(opened.headers)[b"location"].decode())
            assert table.status == 200
            assert (await ann.call("GET", "/learn")).status == 200
        assert not calls

    templates.environment.cache_clear()
    templates._unprepared.cache_clear()
    inside(tmp_path, talk)
