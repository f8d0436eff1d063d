"""Search the spaces of docs/spaces/shelf for games of the second shelf, on a Dask cluster of this machine's cores.

`make shelf` runs it; name spaces to search these alone. What is computed is kept in `ZEROSUM_HOME`, so a run that was
stopped goes on where it was. It writes `docs/spaces/shelf/results.json`: how many games were looked at, what turned
them away, every game that meets the goal, and those that almost do.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from distributed import LocalCluster

from zerosum.lab.goals import figure

SHELF: Final = Path(__file__).resolve().parents[1] / "docs" / "spaces" / "shelf"
RESULTS: Final = SHELF / "results.json"
SAMPLES: Final = 20_000
"""Games to look at in a space that has more than a search looks at one by one."""
PATIENCE: Final = 600
"""Seconds that one game may take, so that a busy machine skips none."""
FIGURES: Final = (
    *("value.plies", "openings.share", "even_to", "skill.depth"),
    *("balance.worst", "density.level:5", "behind.level:5", "early.level:2"),
)
"""The figures of a game that are kept, by the paths of their metrics."""


def main() -> None:
    """Search the spaces that are named, or all, and write their results."""
    found = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    with LocalCluster(threads_per_worker=1, dashboard_address=None) as cluster:  # type: ignore[no-untyped-call]
        for name in sys.argv[1:] or spaces():
            found[name] = _search(name, str(cluster.scheduler_address))
            print(f"{name}: {found[name]['games']:,} games, {found[name]['good']:,} good", flush=True)
            kept = {name: found[name] for name in spaces() if name in found}
            RESULTS.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def spaces() -> list[str]:
    """Return the names of the space files; the others in the folder are what they are like, and the goal."""
    return sorted(path.stem for path in SHELF.glob("*-*.toml"))


def _search(space: str, scheduler: str) -> dict[str, Any]:
    files = [str(SHELF / f"{space}.toml"), "--goal", str(SHELF / "goal.toml")]
    command = [sys.executable, "-m", "zerosum", "search", *files, "--json"]
    command += ["--count", "100", "--samples", str(SAMPLES), "--patience", str(PATIENCE), "--scheduler", scheduler]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    found = json.loads(done.stdout)
    kept = ("points", "arithmetic", "solve", "even", "metrics", "audit", "by_line", "by_finding")
    return {
        "size": found["size"],
        "games": found["games"],
        "good": found["good"],
        "funnel": {name: found["funnel"][name] for name in kept},
        "finds": [_short(one) for one in found["finds"]],
        "nearest": [_short(one) for one in found["nearest"]],
    }


def _short(game: dict[str, Any]) -> dict[str, Any]:
    """Return the rules of a game and the figures that the docs show."""
    rules = {key: value for key, value in game["rules"].items() if key not in {"format", "id", "name"}}
    figures = {path: figure(game["metrics"], path) for path in FIGURES}
    return {"rules": rules, "figures": figures} | {key: game[key] for key in ("score", "front", "fails") if key in game}


if __name__ == "__main__":
    main()
