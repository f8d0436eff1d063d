"""Documents that are made once and sent often: kept as bytes, plain and compressed, with an ETag.

They are charged by the bytes that are sent. A caller who has the document already is told so, which costs next to
nothing.
"""

from __future__ import annotations

import asyncio
import gzip
import re
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response

from zerosum.server.http.context import RequestContext

_PIECE: Final = 16 * 1024
"""Bytes that are charged as one."""
_NEW: Final = 100
"""As how many pieces making a document counts: some pages differ by the host that a caller names."""
_ORIGINS: Final = 8
_GZIP: Final = re.compile(r"(?:^|,)\s*(?:gzip|\*)\s*(?:;\s*q\s*=\s*([0-9.]+))?\s*(?:,|$)")


@dataclass(frozen=True, slots=True)
class KeptDocument:
    """A document as it is sent."""

    plain: bytes
    packed: bytes
    etag: str

    def answer(self, request: Request, context: RequestContext, media_type: str) -> Response:
        """Return the answer to a request for it; `context` pays for the bytes."""
        headers = {"ETag": self.etag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
        if self.etag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        packed = accepts_gzip(request.headers)
        body = self.packed if packed else self.plain
        context.payer.charge("document", len(body) // _PIECE)
        if packed:
            headers["Content-Encoding"] = "gzip"
        return Response(body, headers=headers, media_type=media_type)


def accepts_gzip(headers: Headers) -> bool:
    """Whether the sender of a request reads gzip."""
    found = _GZIP.search(headers.get("accept-encoding", "").lower())
    return found is not None and (found[1] is None or found[1].strip("0.") != "")


def keep(text: str) -> KeptDocument:
    """Return a document to keep."""
    plain = text.encode()
    return KeptDocument(plain, gzip.compress(plain, mtime=0), f'"{sha256(plain).hexdigest()[:20]}"')


class DocumentShelf:
    """Documents of one application by what they differ in, such as the host that a caller names."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, ...], KeptDocument] = OrderedDict()
        self._making: dict[tuple[str, ...], asyncio.Future[KeptDocument]] = {}

    async def get(self, key: tuple[str, ...], context: RequestContext, make: Callable[[], str]) -> KeptDocument:
        """Return a kept document, or make it in a thread: `context` pays for that first."""
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        context.payer.charge("document", _NEW)
        if key not in self._making:
            self._making[key] = asyncio.ensure_future(self._make(key, context, make))
        return await asyncio.shield(self._making[key])

    async def _make(self, key: tuple[str, ...], context: RequestContext, make: Callable[[], str]) -> KeptDocument:
        try:
            document: KeptDocument = await context.runtime.world.in_thread(lambda: keep(make()))
        finally:
            del self._making[key]
        self._kept[key] = document
        if len(self._kept) > _ORIGINS:
            self._kept.popitem(last=False)
        return document
