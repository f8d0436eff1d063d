"""A quick router says of every path what a router of FastAPI says, and does not ask its routes in vain."""

from __future__ import annotations

import re
from typing import Any, Final

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute, iter_route_contexts
from starlette.routing import Match, Mount

from zerosum.server.app import make_app
from zerosum.server.http.routing import QuickRouter
from zerosum.server.settings import Settings

APP: Final = make_app(Settings(database="sqlite:///unused"))
PARAMETER: Final = re.compile(r"{[^}]*}")
ODD_PATHS: Final = ("", "/nowhere", "//", "/tables/", "/tables\n", "/tables/\n", "/games/a/b/c", "/static/table.js")


def _paths() -> set[str]:
    known = {PARAMETER.sub(value, str(one.path)) for one in iter_route_contexts(APP.routes) for value in ("1", "ä b")}
    return {*known, *(f"{one}/" for one in known), *(f"{one}/none" for one in known), *ODD_PATHS}


def _asked(path: str, app: FastAPI = APP, **more: Any) -> list[Match]:
    """Return what each router says of a path."""
    scope = {"type": "http", "method": "GET", "path": path, "headers": [], **more}
    return [route.matches(dict(scope))[0] for route in app.routes]


def _said(path: str, app: FastAPI = APP) -> list[Match]:
    """Return what each router says of a path, asked for in several ways."""
    ways: list[dict[str, Any]] = [{}, {"method": "POST"}, {"type": "websocket"}, {"root_path": "/room"}]
    return [match for way in ways for match in _asked(path, app, **way)]


def test_it_says_what_a_router_of_fastapi_says(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = {path: _said(path) for path in _paths()}
    monkeypatch.delattr(QuickRouter, "matches")
    assert {path: _said(path) for path in quick} == quick
    assert {Match.FULL, Match.PARTIAL} <= {*_said("/games"), *_said("/api/v1/analyze")}


def test_a_route_of_another_kind_is_asked_for_every_path() -> None:
    app = FastAPI(openapi_url=None)
    app.include_router(QuickRouter(routes=[Mount("/one", FastAPI())]))
    assert Match.FULL in _said("/one/two", app)
    assert set(_said("/two", app)) == {Match.NONE}


def test_no_route_is_asked_for_a_path_that_its_router_does_not_have(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def matches(route: APIRoute, _: object) -> tuple[Match, dict[str, Any]]:
        asked.append(route.path)
        return Match.NONE, {}

    monkeypatch.setattr(APIRoute, "matches", matches)
    probes = {"/healthz", "/readyz", "/metrics"}  # they are in no router
    _asked("/nowhere")
    assert set(asked) == probes
    _asked("/learn")
    assert probes | {"/learn"} <= set(asked)
    assert "/api/v1/analyze" not in asked
