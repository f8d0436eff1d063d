"""Golden pages: what every screen answered when it was last looked at, and what is different now.

`python -m tests.screens.golden_pages` says what is different; with `--diff` it prints all of that, with `--write` it
keeps what the screens answer now.
"""

from __future__ import annotations

import difflib
import gzip
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from fastapi.routing import iter_route_contexts
from starlette.routing import compile_path

from tests.screens.tour import outside, whole
from tests.screens.visits import Answered, visit

KEPT: Final = Path(__file__).parent.parent / "golden" / "pages.json.gz"
PUBLIC: Final = "https://zero.example"
_SHOWN: Final = 60
"""Lines of the first difference that are shown."""
_LINE: Final = 400
"""Characters of a line that are shown."""
_NO_PAGES: Final = ("/api/v1/", "/metrics")
_BUT: Final = ("/api/v1/docs", "/api/v1/openapi.json")

Pages = Mapping[str, str]
"""What was asked and answered, as text, by a name with its number in the tour."""


def made_pages() -> tuple[Pages, set[str]]:
    """Return all pages as they are now, and the routes that nobody has visited."""
    here, _ = visit(whole)
    there, _ = visit(outside, number=1, origin=PUBLIC, public_urls=(PUBLIC,), behind_proxy=False)
    answered = [*here.answered, *there.answered]
    pages = {f"{n:04} {one['name']}": as_text(one) for n, one in enumerate(answered, 1)}
    return pages, _unvisited(here.app, answered)


def as_text(one: Answered) -> str:
    """Return a request and its answer as text."""
    lines = [
        *(f"> {name}: {value!r}" for name, value in one["sent"].items()),
        *(f"> cookie {name}: {value}" for name, value in one["cookies"].items()),
        f"status: {one['status']}",
        *one["headers"],
        "",
        one["body"],
    ]
    return "\n".join(lines)


def _unvisited(app: Any, answered: list[Answered]) -> set[str]:
    """Return the routes of pages that nobody has visited, by method and path."""
    routes = [
        (method, one.path, compile_path(one.path)[0])
        for one in iter_route_contexts(app.routes)
        if one.path and (one.path in _BUT or not one.path.startswith(_NO_PAGES))
        for method in one.methods or ()
    ]
    left = {f"{method} {path}" for method, path, _ in routes}
    for page in answered:
        method, _, address = page["name"].partition(": ")[2].partition(" ")
        asked = address.partition("#")[0].partition("?")[0]
        first = next((f"{m} {path}" for m, path, pattern in routes if m == method and pattern.match(asked)), "")
        left.discard(first)
    return left


def kept_pages() -> Pages:
    """Return the pages that are kept."""
    kept = json.loads(gzip.decompress(KEPT.read_bytes()))
    lines = kept["lines"]
    return {name: "\n".join(lines[n] for n in numbers) for name, numbers in kept["pages"].items()}


def keep(pages: Pages) -> None:
    """Keep pages; lines that many of them have are written once."""
    lines: dict[str, int] = {}
    numbers = {name: [lines.setdefault(line, len(lines)) for line in text.split("\n")] for name, text in pages.items()}
    text = json.dumps({"lines": list(lines), "pages": numbers}, separators=(",", ":"))
    KEPT.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def differences(kept: Pages, made: Pages) -> Iterator[tuple[str, list[str]]]:
    """Yield the name of every page that is different, new or gone, and how it differs, line by line."""
    for name in sorted(kept.keys() | made.keys()):
        if name not in made:
            yield name, ["This page was not visited."]
        elif name not in kept:
            yield name, ["This page is new."]
        elif kept[name] != made[name]:
            before, after = (one[name].replace("><", ">\n<").split("\n") for one in (kept, made))
            yield name, list(difflib.unified_diff(before, after, "kept", "now", n=2, lineterm=""))


def report(kept: Pages, made: Pages, *, everything: bool = False) -> str:
    """Return what is different, in words; nothing if nothing is."""
    found = list(differences(kept, made))
    if not found:
        return ""
    lines = [f"{len(found)} of {len(kept)} golden pages are different:"]
    lines += [f"  {name[:200]}" for name, _ in found[: None if everything else 20]]
    for name, how in found if everything else found[:1]:
        shown = how if everything else how[:_SHOWN]
        lines += ["", name, *(line[:_LINE] for line in shown)]
    lines += ["", "If that is meant: python -m tests.screens.golden_pages --write"]
    return "\n".join(lines)


def main(words: list[str]) -> int:
    """Compare the pages, or keep them anew; return the exit status."""
    made, unvisited = made_pages()
    for route in sorted(unvisited):
        sys.stdout.write(f"nobody visits {route}\n")
    said = report(kept_pages(), made, everything="--diff" in words) if KEPT.exists() else "There are none yet."
    sys.stdout.write(f"{len(made)} pages. {said}\n")
    if "--write" in words:
        keep(made)
        return 0
    return 1 if said or unvisited else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
