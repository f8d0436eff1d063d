"""Computes the figures of the built-in games that come with the package, and writes them: `src/zerosum/lab/figures`.

Run it after a change of a level, of a formula or of a game; name games to do these alone. With `--check` nothing is
written, and the exit status is 1 if a figure has drifted. The large games take minutes.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from zerosum.lab.shipped import FOLDER, made
from zerosum.rules.files import GAME_IDS, built_in


def main() -> int:
    """Write or check the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=GAME_IDS)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a figure has drifted")
    options = parser.parse_args()
    drifted = 0
    for game in options.games:
        path = Path(FOLDER) / f"{game}.json"
        new = json.dumps(made(built_in(game)), separators=(",", ":"), ensure_ascii=False) + "\n"
        if not path.exists() or path.read_text(encoding="utf-8") != new:
            drifted += 1
            print(f"{path.name}: {'has drifted' if options.check else 'written anew'}")
            if not options.check:
                path.write_text(new, encoding="utf-8")
    return 1 if options.check and drifted else 0


if __name__ == "__main__":
    sys.exit(main())
