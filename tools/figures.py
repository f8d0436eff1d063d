"""Figures that take long to measure, with the machine, the date and the commit they are of.

`make reliability` writes build/reliability.json and `make bench` build/benchmarks.json: rows of what was measured, its
bound and whether it held. They are files of a release; two pages of the documentation are made from them.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from tools.tables import table
from zerosum.base.files import replace_file

ROOT: Final = Path(__file__).resolve().parent.parent
PAGES: Final = {"reliability": "reliability.json", "performance": "benchmarks.json"}
"""Each page, and the file in `build` that it is made from."""


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


def figures(name: str) -> str:
    """Return the tables of a page: one for each time somebody measured; without figures, where they are."""
    file = ROOT / "build" / PAGES[name]
    if not file.exists():
        return (
            f"*This site was built without the figures: measuring takes hours. They are a file of each release, "
            f"`{file.name}`; a site that is built with that file in `build` shows them.*\n"
        )
    return told(json.loads(file.read_text(encoding="utf-8"))["figures"])


def told(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return figures as tables, those that were measured last before the others."""
    parts: dict[tuple[str, str, str], list[tuple[str, ...]]] = {}
    for row in rows:
        held = "yes" if row["held"] else "**no**"
        cells = (*(str(row[key]) for key in ("scenario", "what", "figure", "bound")), held)
        parts.setdefault((row["date"], row["commit"], row["machine"]), []).append(cells)
    head = ("scenario", "what", "figure", "bound", "held")
    return "\n".join(
        f"Measured on {date}, commit `{commit}`: {where}.\n\n{table(head, cells)}"
        for (date, commit, where), cells in sorted(parts.items(), reverse=True)
    )
