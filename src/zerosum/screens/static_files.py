"""Static files: each is read, squeezed and compressed once, and named by its contents.

An address with the version of a file may be cached forever. Squeezing leaves out
comments and indentation, and puts the modules that a script imports into it, so that a page asks for one file instead
of eight. A test keeps the scripts as plain as this needs: no string spans lines, and what is imported imports nothing.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

STATIC: Final = Path(__file__).parent / "static"
_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
}
_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
_AROUND: Final = re.compile(r"\s*([{};]|,(?=\s*\n)|\n)\s*|(?<=[a-z0-9])(:)[ ]")
"""Spaces around what ends a declaration or a rule, or follow the name of a property, and line breaks."""
_IMPORT: Final = re.compile(r'^import {(?P<names>[^}]*)} from "\./(?P<module>[a-z]+\.js)";$', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?:async )?(?:function|const) (\w+)", re.MULTILINE)


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
