"""Promises 14 and 15: no match without an end, no game too large."""

from __future__ import annotations

import pytest

from tests.reliability.endless import ask_too_much, play_endlessly
from tests.reliability.wrapped import limited, planted
from tests.server.running import served

PLIES = 60


@pytest.mark.full
def test_two_who_avoid_zero_are_stopped() -> None:
    with served(command=limited(MATCH_PLIES=PLIES)) as server:
        play_endlessly(server, PLIES).hold()
        ask_too_much(server.url).hold()


@pytest.mark.full
def test_the_harness_finds_matches_without_an_end_and_thinking_among_answers() -> None:
    with served(command=planted("unbounded")) as server:
        assert any("goes on" in one for one in play_endlessly(server, PLIES).broken)
        assert any("waited" in one for one in ask_too_much(server.url, 3).late)
