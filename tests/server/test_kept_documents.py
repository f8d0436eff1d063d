"""What is made once and sent often: made once, compressed, with an ETag, and charged by its bytes."""

from __future__ import annotations

import gzip
from pathlib import Path

from fastapi import FastAPI

from tests.server.inside import Inside, counted, inside
from zerosum.screens.rendering import render
from zerosum.server import limits
from zerosum.server.pages import api_reference

PATHS = ("/api/v1/docs", "/api/v1/openapi.json")


def test_documents_are_made_once_and_sent_compressed(tmp_path: Path) -> None:
    async def talk(app: FastAPI) -> None:
        reader = Inside(app)
        for path in PATHS:
            plain = await reader.call("GET", path)
            with counted(render, api_reference.groups) as calls:
                packed = await reader.call("GET", path, headers={"accept-encoding": "br, gzip"})
                told = dict(packed.headers)
                again = await reader.call("GET", path, headers={"if-none-match": told[b"etag"].decode()})
            assert not calls, path
            assert told[b"content-encoding"] == b"gzip"
            assert gzip.decompress(packed.body) == plain.body
            assert (again.status, again.body) == (304, b"")
            assert b"content-encoding" not in dict(plain.headers)

    inside(tmp_path, talk)


def test_documents_are_charged_by_their_bytes(tmp_path: Path) -> None:
    async def talk(app: FastAPI) -> None:
        sent = 0
        reader = Inside(app, "203.0.113.9")
        burst, _ = limits.WORK
        while (reply := await reader.call("GET", PATHS[0])).status == 200:
            sent += len(reply.body) // (16 * 1024)
            assert sent < 2 * burst
        assert reply.status == 429

    inside(tmp_path, talk)
