"""Computes the figures of the built-in games that come with the package.

They are the files of `coach/figures`, and `coach/odds.json`; with `--changes` it is `coach/changes.json` alone.

Run it after a change of a level, of a formula or of a game; name games to renew only their figures. With `--check`
nothing is written, and the exit status is 1 if a figure has drifted. The large games take minutes.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Final

from zerosum.coach.bundled import CHANGES, FOLDER, changes_file
from zerosum.coach.bundled_odds import PATH, odds_file
from zerosum.lab.audit import compute_figures
from zerosum.lab.repair import one_changes
from zerosum.rules.game_files import GAME_IDS, built_in

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # Of a script, only its own folder is on the path.

from tools.renewing import renew  # noqa: E402 - after the path is set


def figures(game: str) -> str:
    """Return the figures of a game as their file writes them."""
    return json.dumps(compute_figures(built_in(game)), separators=(",", ":"), ensure_ascii=False) + "\n"


def main() -> int:
    """Write or check the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=GAME_IDS)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a figure has drifted")
    parser.add_argument("--changes", action="store_true", help="compute the changes of one rule alone, of all games")
    options = parser.parse_args()
    if options.changes:
        changes = {game: one_changes(built_in(game), every=True) for game in GAME_IDS}
        return int(renew(Path(CHANGES), changes_file(changes), check=options.check) and options.check)
    drifted = [renew(Path(FOLDER) / f"{game}.json", figures(game), check=options.check) for game in options.games]
    drifted.append(renew(Path(PATH), odds_file(map(built_in, GAME_IDS), options.games), check=options.check))
    return 1 if options.check and any(drifted) else 0


if __name__ == "__main__":
    sys.exit(main())
