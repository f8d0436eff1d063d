"""Draws docs/images/atlas-FAMILY.svg: who wins each game of a family.

With `--check` nothing is written, and the exit status is 1 if a picture is not what the solver says now.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # Of a script, only its own folder is on the path.

from tools.atlases import RANGES  # noqa: E402 - after the path is set
from tools.renewing import renew  # noqa: E402 - after the path is set
from zerosum.lab.atlas import facts_of  # noqa: E402 - after the path is set
from zerosum.lab.atlas_pages import heatmap  # noqa: E402 - after the path is set
from zerosum.lab.families import load_family, members  # noqa: E402 - after the path is set

IMAGES: Final = ROOT / "docs" / "images"


def svg(name: str) -> str:
    """Return the picture of a family."""
    family = load_family(name).with_range("n", RANGES[name])
    rows = [{**one.values, **facts_of(one.rules)} for one in members(family)]
    return heatmap("winner", family.name, list(family.parameters), rows)


def main() -> int:
    """Draw or check the pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a picture has drifted")
    options = parser.parse_args()
    drifted = [renew(IMAGES / f"atlas-{family}.svg", svg(family), check=options.check) for family in RANGES]
    return 1 if options.check and any(drifted) else 0


if __name__ == "__main__":
    sys.exit(main())
