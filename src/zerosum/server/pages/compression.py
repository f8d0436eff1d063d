"""How answers are encoded, and how static files are sent.

An address with the version of a file is cached forever, one without is revalidated by its ETag.
"""

from __future__ import annotations

import gzip
from typing import Final

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from zerosum.screens.static_files import static_files
from zerosum.server.http.kept_documents import accepts_gzip

_FOREVER: Final = "public, max-age=31536000, immutable"
_WORTH_IT: Final = 1_000
"""Bytes from which on an answer is compressed: a smaller one travels in one packet anyway."""


def compress(response: Response, headers: Headers) -> None:
    """Compress an answer, if that is worth it and its reader can unpack it.

    Never an answer with a key in it: the length of what is compressed tells of its contents (the attack BREACH).
    """
    response.headers["Vary"] = "Accept-Encoding"
    if len(response.body) >= _WORTH_IT and accepts_gzip(headers):
        response.body = gzip.compress(response.body, 5, mtime=0)
        response.headers["Content-Encoding"] = "gzip"
        response.headers["Content-Length"] = str(len(response.body))


async def static_app(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a request for a static file."""
    if scope["method"] != "GET":
        raise HTTPException(405)
    name = scope["path"].removeprefix(scope.get("root_path", "")).removeprefix("/")
    file = static_files().get(name)
    if file is None:
        raise HTTPException(404)
    asked = Headers(scope=scope)
    packed = file.packed if accepts_gzip(asked) else None
    headers = {
        "Cache-Control": _FOREVER if scope["query_string"].startswith(b"v=") else "no-cache",
        "ETag": f'W/"{file.etag}"',
        "Vary": "Accept-Encoding",
    }
    if file.etag in asked.get("if-none-match", ""):
        await Response(status_code=304, headers=headers)(scope, receive, send)
        return
    if packed is not None:
        headers["Content-Encoding"] = "gzip"
    body = file.body if packed is None else packed
    await Response(body, headers=headers, media_type=file.media_type)(scope, receive, send)
