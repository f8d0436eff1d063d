"""Builds the courses of the built-in games, and writes them into the files that come with the package.

Run it after a change of a card; name games to do these alone. With `--check` nothing is written, and the exit status is
1 if a file differs from what would be built. All eight take a few seconds.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Final

from zerosum.coach.course_builder import build_course
from zerosum.coach.lessons import COURSES_FOLDER, Course, exercise_table
from zerosum.rules.game_files import GAME_IDS, built_in
from zerosum.solver import solution_of

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # Of a script, only its own folder is on the path.

from tools.renewing import renew  # noqa: E402 - after the path is set

_SEPARATOR: Final = ",\n    "


def written(course: Course) -> str:
    """Return a course as its file holds it: for each step the number of rules it takes, and its exercises."""
    steps = (
        f'  "{step.count}": [\n    {_SEPARATOR.join(json.dumps(exercise_table(one)) for one in step.exercises)}\n  ]'
        for step in course.steps
    )
    return "{\n" + ",\n".join(steps) + "\n}\n"


def main() -> int:
    """Write or check the courses."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=GAME_IDS)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a course has changed")
    options = parser.parse_args()
    changed = [
        renew(
            Path(COURSES_FOLDER) / f"{game}.json",
            written(build_course(solution_of(built_in(game)))),
            check=options.check,
        )
        for game in options.games
    ]
    return 1 if options.check and any(changed) else 0


if __name__ == "__main__":
    sys.exit(main())
