"""The API does what its description says, and nothing else: schemathesis, with every check."""

from __future__ import annotations

import json

import pytest

from tests.full import FULL
from tests.security.contract import check_contract
from tests.security.planted import NO_RATES, changed
from tests.server.running import served

SEED = 1
PHASES = "" if FULL else "coverage"
"""`make test` tries the limits of all values, which finds the faults below; `make full` adds examples and sequences."""
UNDESCRIBED = """
from zerosum.tables import problems
problems.PROBLEMS["no-such-game"] = (418, "A teapot")
from zerosum.server.http import openapi
right = openapi.route_responses
def described(*given, **more):
    return {status: one for status, one in right(*given, **more).items() if status != 418}
openapi.route_responses = described
"""
NO_KEY_NEEDED = """
from zerosum.tables import keys
from zerosum.server.http import auth
auth.request_key = lambda connection: keys.new_key()
"""


def test_the_api_is_as_it_is_described() -> None:
    with served(command=changed(NO_RATES)) as server:
        report = check_contract(server.url, seed=SEED, phases=PHASES)
        assert report.clean, report.text[-20_000:]
        assert report.operations == 40
        assert report.cases > 1000
        assert report.accepted > 50
        assert '"level": "error"' not in server.log


@pytest.mark.full
def test_an_answer_that_is_not_described_and_a_key_that_is_not_asked_for_are_found() -> None:
    with served(command=changed(NO_RATES + UNDESCRIBED + NO_KEY_NEEDED)) as server:
        report = check_contract(server.url, 1, seed=SEED, phases="coverage")
        assert not report.clean
        kinds = {json.loads(one)["type"] for one in report.failures}
        assert kinds >= {"IgnoredAuth", "UndefinedStatusCode"}
