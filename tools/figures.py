"""Figures that take long to measure, kept with the machine, the date and the commit they are of.

`make reliability` writes build/reliability.json and `make bench` build/benchmarks.json: rows of what was measured, its
bound, whether it held, and on which machine, when and at which commit. `python tools/figures.py` takes them over into
this folder, with a fingerprint of the code that each row is about. The pages of the documentation are made from these
files; a row whose code has changed since is marked.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import platform
import subprocess
import sys
import tarfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # Of a script, only its own folder is on the path.

from tools.tables import table  # noqa: E402 - after the path is set
from zerosum.base.files import replace_file  # noqa: E402 - after the path is set

PAGES: Final = {"reliability": "reliability.json", "performance": "benchmarks.json"}
"""Each page, and the file in `build` that it is made from."""
KEYS: Final = ("harness", "date", "commit", "machine", "scenario", "what", "figure", "bound", "held")
OLDER: Final = "older than the code"
CODE: Final = "src/zerosum"
SERVER: Final = ("base", "rules", "match", "server")
ABOUT: Final[Mapping[str, Sequence[str]]] = {
    "startup": ("base", "rules", "match", "coach", "cli"),
    "playouts": ("rules",),
    "solving": ("rules", "solver"),
    "growth": ("rules", "solver"),
    "fast": ("rules", "solver"),
    "coaching": ("rules", "solver", "strategy", "coach"),
    "levels": ("rules", "solver", "players"),
    "ideas": ("rules", "solver", "strategy"),
    "hostile": ("rules", "solver", "proof"),
    "audits": ("rules", "solver", "players", "lab"),
    "lab": ("rules", "solver", "players", "lab"),
    "bots": ("rules", "arena"),
    "measuring": ("rules", "solver", "players", "arena"),
    "arena": ("rules", "solver", "players", "arena"),
    "exams": ("rules", "solver", "exam"),
    "batches": ("rules", "solver", "envs"),
    "environments": ("rules", "solver", "envs"),
    "atlas": ("rules", "solver", "players", "lab"),
    "exam": ("rules", "solver", "exam"),
}
"""The rooms that a benchmark or a harness is about; whatever is not named here is about the server."""


def here(harness: str) -> dict[str, str]:
    """Return what every figure of a harness says: its name, the date, the commit and the machine."""
    describe = ["git", "describe", "--always", "--abbrev=12", "--exclude=*", "--dirty"]
    told = subprocess.run(describe, cwd=ROOT, capture_output=True, text=True, check=False)
    date = f"{datetime.now(UTC):%Y-%m-%d}"
    return {"harness": harness, "date": date, "commit": told.stdout.strip(), "machine": machine()}


def measured(page: str, harness: str, rows: Sequence[Mapping[str, object]], folder: Path = ROOT / "build") -> None:
    """Put what a harness has just measured into the file of a page, in place of its earlier figures."""
    file = folder / PAGES[page]
    try:
        old = json.loads(file.read_text(encoding="utf-8"))["figures"]
    except (OSError, ValueError, LookupError):
        old = []
    rows = [*(one for one in old if one["harness"] != harness), *({**here(harness), **row} for row in rows)]
    folder.mkdir(exist_ok=True)
    replace_file(str(file), json.dumps({"figures": rows}, indent=1, ensure_ascii=False).encode() + b"\n")


def machine() -> str:
    """Return the machine in one line: processor, cores, memory, system, Python."""
    names = [line.partition(": ")[2] for line in _lines("/proc/cpuinfo") if line.startswith("model name")]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / (1 << 30)
    return (
        f"{names[0] if names else platform.machine()}, {os.cpu_count()} cores, {memory:.0f} GiB, "
        f"{platform.system()} {platform.release().partition('-')[0]}, Python {platform.python_version()}"
    )


def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text(encoding="utf-8").splitlines()
    except OSError:
        return []


def rooms_of(harness: str) -> Sequence[str]:
    """Return the rooms that the figures of a harness are about."""
    return ABOUT.get(harness, SERVER)


def fingerprint(files: Mapping[str, bytes], rooms: Sequence[str]) -> str:
    """Return what changes when a file of some rooms does."""
    folders = tuple(f"{CODE}/{room}/" for room in rooms)
    digest = hashlib.sha256()
    for name in sorted(files):
        if name.startswith(folders) and "__pycache__" not in name:
            digest.update(f"{name}\n{hashlib.sha256(files[name]).hexdigest()}\n".encode())
    return digest.hexdigest()[:16]


def code_now() -> dict[str, bytes]:
    """Return the code of this checkout."""
    paths = (path for path in (ROOT / CODE).rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in paths}


def code_of(commit: str) -> dict[str, bytes]:
    """Return the code of a commit, even if changes beside it were not committed."""
    packed = subprocess.check_output(["git", "archive", "--format=tar", commit.removesuffix("-dirty"), CODE], cwd=ROOT)
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        return {one.name: file.read() for one in archive if (file := archive.extractfile(one)) is not None}


def keep(name: str, folder: Path = ROOT / "build") -> None:
    """Take over figures that were measured; those of harnesses that did not measure again stay as they are."""
    new = json.loads((folder / PAGES[name]).read_text(encoding="utf-8"))["figures"]
    code = {commit: code_of(commit) for commit in {row["commit"] for row in new}}
    rows = [
        {key: row[key] for key in KEYS} | {"code": fingerprint(code[row["commit"]], rooms_of(row["harness"]))}
        for row in new
    ]
    again = {row["harness"] for row in rows}
    left = [row for row in _kept(name) if row["harness"] not in again]
    text = json.dumps([*left, *rows], indent=1, ensure_ascii=False) + "\n"
    _file(name).write_text(text, encoding="utf-8")


def _file(name: str) -> Path:
    return ROOT / "tools" / f"{name}.json"


def _kept(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(_file(name).read_text(encoding="utf-8")) if _file(name).exists() else []
    return found


def figures(name: str) -> str:
    """Return the tables of a page: one for each time somebody measured."""
    return told(_kept(name), code_now())


def told(rows: Sequence[Mapping[str, Any]], code: Mapping[str, bytes]) -> str:
    """Return figures as tables, and mark what is older than the code."""
    if not rows:
        return "Nothing has been measured yet.\n"
    prints: dict[str, str] = {}
    parts: dict[tuple[str, str, str], list[tuple[str, ...]]] = {}
    for row in rows:
        harness = row["harness"]
        if harness not in prints:
            prints[harness] = fingerprint(code, rooms_of(harness))
        held = "yes" if row["held"] else "**no**"
        mark = "" if prints[harness] == row["code"] else OLDER
        cells = (*(str(row[key]) for key in ("scenario", "what", "figure", "bound")), held, mark)
        parts.setdefault((row["date"], row["commit"], row["machine"]), []).append(cells)
    head = ("scenario", "what", "figure", "bound", "held", "")
    return "\n".join(
        f"Measured on {date}, commit `{commit}`: {where}.\n\n{table(head, cells)}"
        for (date, commit, where), cells in sorted(parts.items(), reverse=True)
    )


if __name__ == "__main__":
    for page, built in PAGES.items():
        if (ROOT / "build" / built).exists():
            keep(page)
            print(f"tools/{page}.json: written anew; make docs shows it")
