"""The pages on the server: every problem, option, command, figure and address is in them."""

import re
from dataclasses import fields
from pathlib import Path
from typing import get_type_hints

import click
import pytest
from fastapi import FastAPI
from fastapi.routing import iter_route_contexts

from tests.each import each
from tools.make_docs import page
from zerosum.cli.root_command import app as commands
from zerosum.server import limits, prometheus
from zerosum.server.app import make_app
from zerosum.server.db import queries, upgrade
from zerosum.server.settings import DEFAULT_HOST, DEFAULT_PORT, FILE_NAME, Settings
from zerosum.tables import limits as table_limits
from zerosum.tables.commands import COMMANDS, MoveCommand
from zerosum.tables.events import EventKind
from zerosum.tables.new_table import TableRequest
from zerosum.tables.problems import PROBLEMS
from zerosum.tables.view import ClockState, MatchState, PersonState, SeriesState, State

DOCS = Path(__file__).resolve().parents[2] / "docs"
API = page("reference/api.md")
HOSTING = (DOCS / "hosting.md").read_text(encoding="utf-8")
ONLINE = (DOCS / "online.md").read_text(encoding="utf-8")
FOR_SCRIPTS = {"/tables/{table_id}/board"}
"""Pages that people never open by their address."""


@pytest.fixture(scope="module")
def application() -> FastAPI:
    return make_app(Settings(database="sqlite:///unused"))


def paths(application: FastAPI, method: str) -> set[str]:
    found = iter_route_contexts(application.routes)
    return {str(route.path) for route in found if route.path and method in (route.methods or ())}


def test_every_setting_that_is_checked_is_in_the_page_on_hosting() -> None:
    for name in upgrade.CHECKED:
        assert f"`{name}`" in HOSTING


@each("code", PROBLEMS)
def test_every_problem_is_in_the_page_on_the_api(code: str) -> None:
    assert f"| `{code}` | {PROBLEMS[code][0]} |" in API


def test_every_command_is_in_the_page_on_the_api() -> None:
    for name in COMMANDS:
        assert f"| `{name}` |" in API, name
    below = API.partition("Every command carries")[2].partition("\n## ")[0]
    for field in {one.name for one in fields(MoveCommand)}:
        assert f"- `{field}`" in below, field


def test_every_call_is_in_the_page_on_the_api(application: FastAPI) -> None:
    for path in application.openapi()["paths"]:
        assert f"| `{path}` |" in API or path.rpartition("/")[2] in COMMANDS, path


def test_every_member_of_an_order_and_of_the_state_is_in_the_page_on_the_api() -> None:
    orders = API.partition("## Opening a table")[2].partition("\n## ")[0]
    for name in (one.name for one in fields(TableRequest)):
        assert f"`{name}`" in orders, name
    state = API.partition("## The state")[2].partition("\n## ")[0]
    for document in (State, MatchState, PersonState, SeriesState, ClockState):
        for name in get_type_hints(document):
            assert f"`{name}`" in state, name
    for kind in EventKind:
        assert f"`{kind.value}`" in state, kind


def test_every_option_of_serve_is_in_the_page_on_hosting() -> None:
    serve = commands.get_command(click.Context(commands), "serve")
    assert serve is not None
    options = [one for one in serve.params if isinstance(one, click.Option) and "--help" not in one.opts]
    assert len(options) >= 6
    for one in options:
        assert f"| `{one.opts[0]}{f' {one.metavar}' if one.metavar else ''}` |" in HOSTING, one.opts
    for word in ("ZEROSUM_DATABASE", DEFAULT_HOST, str(DEFAULT_PORT), f"`{FILE_NAME}`"):
        assert word in HOSTING


def test_every_page_is_among_the_addresses(application: FastAPI) -> None:
    below = ONLINE.partition("## Addresses")[2]
    pages = {path for path in paths(application, "GET") if not path.startswith("/api/") or path.endswith("/docs")}
    probes = {"/healthz", "/readyz", "/metrics"}
    assert probes <= pages
    for path in pages - probes - FOR_SCRIPTS:
        assert f"`{path}`" in below, path
    for path in probes:
        assert f"| `{path}` |" in HOSTING, path


def test_every_address_there_is_a_page(application: FastAPI) -> None:
    listed = re.findall(r"`(/[^`?]*)`", ONLINE.partition("## Addresses")[2])
    assert len(listed) > 10
    assert set(listed) <= paths(application, "GET")


def test_every_figure_is_in_the_page_on_hosting() -> None:
    names = {f"{one.name}_total" if one.type == "counter" else one.name for one in prometheus.registry.collect()}
    assert len(names) >= 7
    for name in names:
        assert f"| `{name}` |" in HOSTING, name


def test_times_in_words_are_those_of_the_limits() -> None:
    assert f"for {table_limits.ABSENT_SECONDS // 60} minutes" in ONLINE
    assert f"missed more than {limits.CATCH_UP_STATES}," in " ".join(API.split())
    assert f"up to {limits.PAGE_EVENTS} missed events" in " ".join(API.split())
    assert f"after a version, {limits.PAGE_EVENTS} at a time" in " ".join(API.split())
    assert f"1 to {table_limits.MOVE_ID_LENGTH} letters" in API
    told = " ".join(HOSTING.split())
    assert f"A ping every {limits.LIVE_PING_SECONDS} seconds" in told
    numbers = {2: "two", 3: "three", 6: "six"}
    assert f"Every {numbers[limits.HEARTBEAT_SECONDS]} seconds a server notes" in told
    assert f"of more than {numbers[queries.SILENCE_MS // 1000]} seconds" in told
    assert f"longer than {numbers[2 * limits.DATABASE_SECONDS]} seconds" in told, "tried with others, then alone"
    assert f"{2 * limits.DRAIN_SECONDS} seconds at most" in told
    assert f"costs {numbers[limits.POLL_SECONDS]} seconds" in told
    assert f"the others wait, for {limits.UPGRADE_LOCK_SECONDS} seconds" in told
