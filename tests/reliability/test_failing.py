"""Promise 24: a call that fails is told, and nothing is broken; `make reliability` lets every call fail."""

from __future__ import annotations

import pytest

from tests.full import part
from tests.reliability.failing import WORKS, fail_each, fail_store
from tests.reliability.wrapped import planted, planted_command

_LONG = frozenset({"arena", "exam", "atlas"})


def test_matches_and_files() -> None:
    fail_each([one for one in WORKS if one.name not in _LONG], every=part(15, 1)).hold()


@pytest.mark.full
def test_runs_and_the_lab() -> None:
    fail_each([one for one in WORKS if one.name in _LONG], every=5).hold()


@pytest.mark.full
@pytest.mark.parametrize("call", ["pwrite64", "fdatasync"])
def test_the_database_of_a_server(call: str) -> None:
    fail_store(60, calls=[call]).hold()


def test_the_harness_finds_what_is_shown_and_not_kept() -> None:
    resume = [one for one in WORKS if one.name == "resume"]
    report = fail_each(resume, calls=("write",), command=planted_command("careless"))
    assert any("moves were shown" in one for one in report.broken)


@pytest.mark.full
def test_the_harness_finds_what_is_acknowledged_before_it_is_written() -> None:
    report = fail_store(60, calls=["fdatasync"], command=planted("early"))
    assert any("lost" in one or "changed" in one for one in report.broken)
