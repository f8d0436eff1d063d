"""A server that has started compiles its templates before anybody asks for them."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI
from jinja2 import Environment

from tests.server.inside import Inside, counted, inside
from zerosum.screens import rendering as templates


def test_no_page_waits_for_its_template(tmp_path: Path) -> None:
    async def talk(app: FastAPI) -> None:
        ann = Inside(app)
        templates.compile_templates()
        with counted(Environment.compile) as calls:
            assert (await ann.call("GET", "/")).status == 200
            opened = await ann.call("POST", "/tables", {"game": "sum31", "opponent": "here"}, form=True)
            table = await ann.call("GET", dict(opened.headers)[b"location"].decode())
            assert table.status == 200
            assert (await ann.call("GET", "/learn")).status == 200
        assert not calls

    templates.environment.cache_clear()
    inside(tmp_path, talk)
