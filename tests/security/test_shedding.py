"""Work is charged before it is done, and refusals cost the server less than the caller (promise 21)."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
from fastapi import FastAPI

from tests.server.inside import Inside, counted, inside
from zerosum.server import limits
from zerosum.server.http.api import AnalysisRequest, analyze


def test_an_analysis_is_charged_before_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "TOO_MANY_SECONDS", 0.2)

    async def talk(app: FastAPI) -> None:
        asker = Inside(app, "203.0.113.7")
        for _ in range(limits.QUESTIONS[0] + 30):
            reply = await asker.call("POST", "/api/v1/analyze", {"game": "no-such"})
            if reply.status == 429:
                break
            assert reply.status == 404
        with counted(analyze, AnalysisRequest.__init__) as calls:
            began = time.monotonic()
            answers = [asker.call("POST", "/api/v1/analyze", {"nonsense": "x" * 1000}) for _ in range(20)]
            replies = await asyncio.gather(*answers)
        assert [one.status for one in replies].count(429) >= 15
        assert time.monotonic() - began >= 0.2
        assert sum(calls.values()) <= 5

    inside(tmp_path, talk)


def test_every_refusal_of_too_much_is_delayed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "TOO_MANY_SECONDS", 0.2)

    async def talk(app: FastAPI) -> None:
        guesser = Inside(app, "203.0.113.8")
        status, began = 404, time.monotonic()
        while status == 404:
            began = time.monotonic()
            status = (await guesser.call("GET", "/join/" + "0" * 28)).status
        assert status == 429
        assert time.monotonic() - began >= 0.2

    inside(tmp_path, talk)
