"""Builds the courses of the built-in games, and writes them into the files that come with the package.

Run it after a change of a card; name games to do these alone. With `--check` nothing is written, and the exit status is
1 if a file differs from what would be built. All take two minutes.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Final

from zerosum.coach.course_builder import build_course
from zerosum.coach.lessons import COURSES_FOLDER, Course, course_table
from zerosum.rules.game_files import built_in
from zerosum.solver import solution_of
from zerosum.strategy.card import CARDS_FOLDER

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # Of a script, only its own folder is on the path.

from tools.renewing import renew  # noqa: E402 - after the path is set

_DEEP: Final = 3


def written(course: Course) -> str:
    """Return a course as its file holds it, a line for each exercise and each row of scores."""
    return f"{_lines(course_table(course), 0)}\n"


def _lines(value: object, depth: int) -> str:
    """Return a value as JSON, in lines as far as exercises and rows of scores."""
    if not value or depth > _DEEP or not isinstance(value, dict | list | tuple):
        return json.dumps(value)
    pairs = value.items() if isinstance(value, dict) else ((None, one) for one in value)
    made = (f"{'' if key is None else json.dumps(key) + ': '}{_lines(one, depth + 1)}" for key, one in pairs)
    margin = "  " * depth
    start, end = "{}" if isinstance(value, dict) else "[]"
    inside = f",\n{margin}  ".join(made)
    return f"{start}\n{margin}  {inside}\n{margin}{end}"


def main() -> int:
    """Write or check the courses."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a course has changed")
    options = parser.parse_args()
    changed = []
    for game in options.games or sorted(one.stem for one in Path(CARDS_FOLDER).glob("*.toml")):
        course = written(build_course(solution_of(built_in(game))))
        changed.append(renew(Path(COURSES_FOLDER) / f"{game}.json", course, check=options.check))
    return 1 if options.check and any(changed) else 0


if __name__ == "__main__":
    sys.exit(main())
