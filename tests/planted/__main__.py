"""Asks doors about the games of a planted key: `python -m tests.planted odd-doubles solve audit`.

Prints for each door and game what is wrong, as JSON with `--json`. The key is planted in a Python of its own.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.full import FULL
from tests.planted.plants import PLANTS, VARIABLE, tables

ROOT = Path(__file__).parents[2]
SECONDS, WAITING = 60, 120
"""A door that computes or waits longer hangs."""
SHOWN = 4
"""Faults of one answer that are told."""


class HangsError(BaseException):
    """A door takes too long; no command may catch it."""


def report(key: str, doors: list[str]) -> list[dict[str, Any]]:
    """Return what each door says of each game of a key; to be called where the key is planted."""
    from tests.planted.doors import DOORS, doors_for, planted  # noqa: PLC0415 - they import the package, which has to be planted

    def hangs(*_: object) -> None:
        raise HangsError

    signal.signal(signal.SIGPROF, hangs)
    signal.signal(signal.SIGALRM, hangs)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        # Without its guard, every door that is wrong about any game of a key is wrong about the last.
        games = tables(key) if FULL else tables(key)[-1:]
        for n, table in enumerate(games, 1):
            for door in [door for door in doors_for(n, len(games)) if door in (doors or DOORS)]:
                home = Path(folder, f"{n}-{door}")
                os.environ["ZEROSUM_HOME"] = str(home)
                game = planted(key, table, home / "game")
                began = time.process_time()
                rows.append({"game": n, "door": door, **_asked(DOORS[door], game)})
                rows[-1]["seconds"] = round(time.process_time() - began, 2)
    return rows


def _asked(door: Any, game: Any) -> dict[str, Any]:
    """Return whether a door was right, refused by name, or wrong, and what it said."""
    from tests.planted.doors import RefusedError  # noqa: PLC0415 - likewise
    from zerosum.base.errors import ZerosumError  # noqa: PLC0415 - likewise

    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    signal.alarm(WAITING)
    try:
        wrong = [line for _, line in zip(range(SHOWN), door(game), strict=False)]
    except HangsError:
        return {"fate": "wrong", "said": ["it takes too long"]}
    except (RefusedError, ZerosumError) as error:
        return {"fate": "refused" if game.named.search(str(error)) else "wrong", "said": [f"refused: {error}"]}
    except Exception as error:  # noqa: BLE001 - whatever a door does is told
        return {"fate": "wrong", "said": [f"{type(error).__name__}: {error}"]}
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.alarm(0)
    return {"fate": "wrong" if wrong else "right", "said": wrong}


def asked(key: str, doors: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Return the same from a Python in which the key is planted."""
    paths = os.pathsep.join((str(Path(__file__).parent / "site"), str(ROOT)))
    environment = {**os.environ, VARIABLE: key, "PYTHONPATH": paths}
    ran = subprocess.run(
        [sys.executable, "-m", "tests.planted", "--json", key, *doors],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    rows: list[dict[str, Any]] = json.loads(ran.stdout.splitlines()[-1])
    return rows


def main() -> None:
    """Ask, and print."""
    words = [word for word in sys.argv[1:] if word != "--json"]
    if "--json" in sys.argv:
        print(json.dumps(report(words[0], words[1:])))  # noqa: T201 - that is the answer
        return
    for key in [words[0]] if words else PLANTS:
        for row in asked(key, words[1:]):
            print(f"{key} {row['game']} {row['door']}: {row['fate']} ({row['seconds']} s)")  # noqa: T201 - likewise
            for line in row["said"]:
                print(f"    {line[:300]}")  # noqa: T201 - likewise


if __name__ == "__main__":
    main()
