"""A router that is asked only for paths that it has.

FastAPI asks all routers in turn, each for all its routes, and does much for each before the next one is asked.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import Final

from fastapi import APIRouter
from fastapi.routing import APIRoute, APIWebSocketRoute
from starlette.routing import Match
from starlette.types import Scope

_NAME: Final = re.compile(r"\?P<\w+>")
"""The name of a parameter: two routes may have the same one, and one expression may not."""


class QuickRouter(APIRouter):
    """APIRouter that compares a path with all its routes at once; it gets no more of them after the first request."""

    @cached_property
    def _paths(self) -> re.Pattern[str]:
        return re.compile("|".join(map(_path, self.routes)))

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Return whether one of the routes is for a request, and what it adds to the scope."""
        asked = scope.get("root_path") or self._paths.match(scope["path"])
        return super().matches(scope) if asked else (Match.NONE, {})


def _path(route: object) -> str:
    """Return the expression that the paths of a route match; that of a route of another kind matches every path."""
    return _NAME.sub("", route.path_regex.pattern) if isinstance(route, APIRoute | APIWebSocketRoute) else ""
