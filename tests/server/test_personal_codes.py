"""A personal code says before it stops working."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI

from tests.server.inside import Inside, inside
from zerosum.server import limits
from zerosum.tables.keys import new_key


def test_a_code_says_before_its_device_loses_the_seat(tmp_path: Path) -> None:
    async def talk(app: FastAPI) -> None:
        api = Inside(app)
        order = {"game": "sum31", "opponent": "here"}
        opened = (await api.call("POST", "/api/v1/tables", order, token=new_key().token)).json
        code = {"code": opened["codes"]["1"]}
        warnings = []
        for _ in range(limits.DEVICES - 1):
            back = await api.call("POST", "/api/v1/come-back", code, token=new_key().token)
            warnings.append(back.json["warning"])
        assert not any(warnings[:-4])
        assert warnings[-2].startswith("1 more device can hold this seat.")
        assert warnings[-1].startswith("No more devices can hold this seat.")
        # It works once more, as was said, and then no more.
        statuses = [(await api.call("POST", "/api/v1/come-back", code, token=new_key().token)).status for _ in range(2)]
        assert statuses == [200, 404]

    inside(tmp_path, talk)


def test_the_page_says_so_too(tmp_path: Path) -> None:
    async def talk(app: FastAPI) -> None:
        order = {"game": "sum31", "opponent": "here"}
        opened = (await Inside(app).call("POST", "/api/v1/tables", order, token=new_key().token)).json
        sent = {"code": opened["codes"]["1"]}
        replies = [await Inside(app).call("POST", "/return", sent, form=True) for _ in range(limits.DEVICES - 1)]
        assert replies[0].status == 303
        assert replies[-1].status == 200
        assert b"No more devices can hold this seat." in replies[-1].body
        assert f"/tables/{opened['state']['table']}".encode() in replies[-1].body

    inside(tmp_path, talk)
