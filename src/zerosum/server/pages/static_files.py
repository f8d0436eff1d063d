"""Static files and the encoding of answers: each file is read, squeezed and compressed once, and named by its contents.

An address with the version of a file is cached forever, one without is revalidated by its ETag. Squeezing leaves out
comments and indentation, and puts the modules that a script imports into it, so that a page asks for one file instead
of eight. A test keeps the scripts as plain as this needs: no string spans lines, and what is imported imports nothing.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from zerosum import screens

STATIC: Final = Path(screens.__file__).parent / "static"
_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
}
_FOREVER: Final = "public, max-age=31536000, immutable"
_WORTH_IT: Final = 1_000
"""Bytes from which on an answer is compressed: a smaller one travels in one packet anyway."""
_PIECE: Final = 8 * 1024
"""Bytes that are compressed in one step; then others get their turn."""
_GZIP_BITS: Final = zlib.MAX_WBITS + 16
"""What zlib calls the format gzip; without a date, so that the same answer is the same bytes."""
_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
_AROUND: Final = re.compile(r"\s*([{};]|,(?=\s*\n)|\n)\s*|(?<=[a-z0-9])(:)[ ]")
"""Spaces around what ends a declaration or a rule, or follow the name of a property, and line breaks."""
_IMPORT: Final = re.compile(r'^import {(?P<names>[^}]*)} from "\./(?P<module>[a-z]+\.js)";$', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?:async )?(?:function|const) (\w+)", re.MULTILINE)
_GZIP: Final = re.compile(r"(?:^|,)\s*(?:gzip|\*)\s*(?:;\s*q\s*=\s*([0-9.]+))?\s*(?:,|$)")


@dataclass(frozen=True, slots=True)
class StaticFile:
    """A file as it is sent; `packed` is None if compressing it saves nothing."""

    body: bytes
    packed: bytes | None
    etag: str
    media_type: str


@cache
def static_files() -> Mapping[str, StaticFile]:
    """Return every static file by its name."""
    return {path.name: _read(path) for path in STATIC.iterdir() if path.suffix in _TYPES}


def _read(path: Path) -> StaticFile:
    body = _squeezed(path)
    packed = gzip.compress(body, 9, mtime=0)
    etag = hashlib.sha256(body).hexdigest()[:12]
    return StaticFile(body, packed if len(packed) < len(body) else None, etag, _TYPES[path.suffix])


def _squeezed(path: Path) -> bytes:
    if path.suffix not in (".css", ".js"):
        return path.read_bytes()
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".css":
        return _AROUND.sub(lambda at: (at[1] or at[2]).strip(), _COMMENT.sub("", text)).strip().encode()
    return _plain_script(_IMPORT.sub(_inlined, text)).encode()


def _inlined(line: re.Match[str]) -> str:
    """Return an import as the module itself, in a function of its own, so that no two modules share a name."""
    text = (STATIC / line["module"]).read_text(encoding="utf-8")
    names = ", ".join(_EXPORT.findall(text))
    body = _plain_script(text).replace("export ", "")
    return f"const {{{line['names'].replace(' as ', ': ')}}} = (() => {{\n{body}\nreturn {{ {names} }};\n}})();"


def _plain_script(text: str) -> str:
    lines = (line.strip() for line in text.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))


@cache
def static_url(name: str) -> str:
    """Return the address of a static file, which changes with its contents: browsers may cache it forever."""
    return f"/static/{name}?v={static_files()[name].etag}"


def link_picture(game: str, origin: str) -> str:
    """Return the address of the picture that links to a game show; nothing if it has none, as a custom game."""
    name = f"link-{game}.png"
    return f"{origin}{static_url(name)}" if name in static_files() else ""


def accepts_gzip(headers: Headers) -> bool:
    """Whether the sender of a request reads gzip."""
    found = _GZIP.search(headers.get("accept-encoding", "").lower())
    return found is not None and (found[1] is None or found[1].strip("0.") != "")


async def compress(response: Response, headers: Headers) -> None:
    """Compress an answer, if that is worth it and its reader can unpack it; a long one keeps nobody waiting.

    Never an answer with a key in it: the length of what is compressed tells of its contents (the attack BREACH).
    """
    response.headers["Vary"] = "Accept-Encoding"
    if len(response.body) >= _WORTH_IT and accepts_gzip(headers):
        response.body = await _packed(response.body)
        response.headers["Content-Encoding"] = "gzip"
        response.headers["Content-Length"] = str(len(response.body))


async def _packed(body: bytes | memoryview) -> bytes:
    packer = zlib.compressobj(5, wbits=_GZIP_BITS)
    made = bytearray()
    for begin in range(0, len(body), _PIECE):
        await asyncio.sleep(0)
        made += packer.compress(body[begin : begin + _PIECE])
    return bytes(made + packer.flush())


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
