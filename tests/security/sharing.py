"""An attack by questions: one address asks about many hard games, and another about an easy one."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from tests.patience import PATIENCE
from tests.reliability.report import Report
from tests.security.calling import Caller
from tests.server.running import Server

QUESTIONS = 45
SMALL = 'like = "sum31"\nid = "small"\nname = "Small"\ntarget = 21\n'
HARD = """format = 1
id = "hard"
name = "Hard {}"
pool = [-10, -6, -1, 2, 7, 8, 8]
totals = "own"
exhausted = "closest"
tie = "sudden-death"
target = 33
"""
BEFORE = 2
"""Answers of another's that a first question may wait for: one that is being worked on, and one turn."""
SHARED_SECONDS = 30.0


def ask_much(server: Server) -> Report:
    """Ask many hard questions from one address; one from elsewhere comes in its turn, not after all of them."""
    report = Report("14", "many questions of one address")
    greedy = Caller(server, "greedy")
    answered: list[float] = []

    def ask(number: int) -> None:
        reply = greedy.call("POST", "/api/v1/analyze", {"variant": HARD.format(number)})
        if reply.code not in ("busy", "stopping"):
            answered.append(time.monotonic())

    with ThreadPoolExecutor(QUESTIONS) as pool:
        asked = [pool.submit(ask, number) for number in range(QUESTIONS)]
        # The queue is full for one address once it turns some away.
        _wait_for(lambda: sum(one.done() for one in asked) > len(answered) + 5)
        began = time.monotonic()
        reply = Caller(server, "honest").call("POST", "/api/v1/analyze", {"variant": SMALL})
        ended = time.monotonic()
        left = sum(not one.done() for one in asked)
        server.stop()
        for one in asked:
            one.exception()
    before = sum(began < at < ended for at in answered)
    report.check(reply.status == 200, f"an easy question was answered {reply.status} {reply.text[:200]}")
    report.check(left > BEFORE, f"of {QUESTIONS} hard questions only {left} were left: too few to say anything")
    report.check(before <= BEFORE, f"an easy question waited for {before} hard ones of another address")
    report.check_time(ended - began, SHARED_SECONDS, "an easy question took")
    report.figures = {
        "questions of one address": QUESTIONS,
        "still waiting": left,
        "answered before another's": before,
        "which took": f"{ended - began:.1f} s",
    }
    return report


def _wait_for(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.01)
