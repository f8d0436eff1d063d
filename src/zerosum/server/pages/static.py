"""Static files: those with a version in their address are cached forever, the others are revalidated."""

from __future__ import annotations

import os
from typing import Final

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

_FOREVER: Final = "public, max-age=31536000, immutable"


class StaticFolder(StaticFiles):
    """The folder of static files."""

    def file_response(
        self, full_path: str | os.PathLike[str], stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        """Return a file, and say how long it stays as it is."""
        response = super().file_response(full_path, stat_result, scope, status_code)
        versioned = scope["query_string"].startswith(b"v=")
        response.headers["Cache-Control"] = _FOREVER if versioned else "no-cache"
        return response
