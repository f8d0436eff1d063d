"""Tries what a newcomer would add: each addition is made in a copy of the tree, and a command shows that it works.

Without words it tries all of them and prints the table "Where a change goes" of ARCHITECTURE.md, which counts the files
that were edited. With the names of additions it tries those; with `--table` it tries nothing.

To try one more kind of addition, write an `Addition` for it: the edits, and commands with words that they then print.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from subprocess import PIPE, STDOUT, run
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # Of a script, only its own folder is on the path.

from tools.tables import table  # noqa: E402 - after the path is set

_LEFT_OUT: Final = shutil.ignore_patterns(".*", "build", "dist", "__pycache__", "node_modules")
PYTEST: Final = ("-m", "pytest", "-q", "-p", "no:cacheprovider")
ZEROSUM: Final = ("-m", "zerosum")


class Edit(NamedTuple):
    """Lines that are added to a file: below a line that it has once, or as the whole of a new file."""

    path: str
    text: str
    below: str = ""


class Check(NamedTuple):
    """A command of Python, and words that it must print."""

    command: tuple[str, ...]
    words: str


class Addition(NamedTuple):
    """A kind of change: what is added, how, and what shows that it is there."""

    what: str
    edits: tuple[Edit, ...]
    checks: tuple[Check, ...]
    go_to: str
    """Where each edit goes, in words."""

    @property
    def files(self) -> str:
        """How many files are edited by hand."""
        return str(len({edit.path for edit in self.edits}))


class Untried(NamedTuple):
    """A kind of change that no script can make."""

    what: str
    files: str
    go_to: str


class AdditionError(Exception):
    """An addition that cannot be made, or that does not show."""


_METRIC: Final = Addition(
    "a metric (`thrown`)",
    (
        Edit(
            "src/zerosum/lab/metrics.py",
            """
in_matches(
    "thrown",
    "how often a won position is given away in a match",
    "Wins given away",
    lambda ply: (ply.best > 0) * ply.slip,
    share=False,
)
""",
            below='    "Won from behind",\n'
            "    figure=lambda ply: (ply.best > 0) * (1 - ply.won) + (ply.best < 0) * ply.won,\n)\n",
        ),
        Edit(
            "tests/lab/plain_metrics.py",
            """                    if ranks[move] < best == RANK[Verdict.WIN]:
                        sums["thrown"] += mass * share
""",
            below="                for move, share in self.policy(position).items():\n",
        ),
        Edit(
            "tests/lab/plain_metrics.py",
            '            "thrown": sums["thrown"],\n',
            below='            "changes": sums["changes"],\n',
        ),
    ),
    (
        Check((*PYTEST, "tests/lab/test_metrics.py", "-k", "plain or screening"), " passed"),
        Check((*ZEROSUM, "metrics", "sum31"), "\nWins given away "),
        Check((*ZEROSUM, "metrics", "sum31", "--json"), '"thrown": {'),
        Check(("-c", "from tools.make_docs import metrics; print(metrics())"), "| `thrown` | how often a won position"),
    ),
    "an entry in `lab/metrics.py`: its key, words, row and figure; its plain definition in "
    "`tests/lab/plain_metrics.py`. Then `tools/make_figures.py` and `make docs`",
)
_FINDING: Final = Addition(
    "a finding of the audit (`one-opening`)",
    (
        Edit(
            "src/zerosum/lab/perfect_play.py",
            """ONE_OPENING: Final = finding_kind("one-opening", Severity.NOTE, 205, "Only one of the openings wins.")
""",
            below='LONG: Final = finding_kind("long", Severity.WARNING, 200, '
            '"Perfect play takes more than 15 plies.")\n',
        ),
        Edit(
            "src/zerosum/lab/perfect_play.py",
            '''

@check
def _one_opening(solution: Solution) -> Iterator[Finding]:
    """Report if only one opening wins."""
    winning = solution.winning_moves(solution.start)
    if len(winning) == 1 and not solution.rules.swap:
        opening = solution.start.text_of(winning[0])
        yield Finding(
            ONE_OPENING, Severity.NOTE, f"Only {opening} wins at the start.", (opening,), solver_evidence(solution)
        )
''',
            below="        yield Finding(LONG, Severity.WARNING, words, _best_line(solution, plies), "
            "solver_evidence(solution))\n",
        ),
        Edit("docs/audit/one-opening.toml", 'like = "sum31"\nid = "one-opening"\nname = "One opening"\ntarget = 28\n'),
        Edit(
            "tests/lab/planted.py",
            '    Planted("one-opening", "note", SUM, {"target": 15}),\n',
            below='    Planted("early", "warning", SUM, {"target": 8}),\n',
        ),
    ),
    (
        Check((*PYTEST, "tests/lab/test_audit.py", "-k", "fault or invented"), " passed"),
        Check((*ZEROSUM, "audit", "docs/audit/one-opening.toml"), "  one-opening: Only +"),
        Check(("-c", "from tools.audits import findings; print(findings())"), "### one-opening\n\nOnly one of"),
    ),
    "its kind and its check in a module that `lab/audit.py` calls, a file in `docs/audit`, a planted fault in "
    "`tests/lab/planted.py`. Then `make docs`",
)

ADDITIONS: Final[dict[str, Addition | Untried]] = {
    "variant": Untried("a variant", "1", "a rules file; no code: [docs/variants.md](docs/variants.md)"),
    "limit": Untried("a limit (`TABLES_LISTED`)", "2", "the room's `limits.py`, and the code that asks it"),
    "command": Untried(
        "a command (`perft`)", "2", "`NAME_command` in a module of `cli/commands`, whose docstring lists it; a test"
    ),
    "job": Untried(
        "a question to the worker (`played_out`)",
        "3",
        "a function with `@job` in `jobs/game_jobs.py`, the page or route that asks it, a test",
    ),
    "finding": _FINDING,
    "metric": _METRIC,
    "key": Untried(
        "a key of the rules (`ban`)",
        "4 and up",
        "`rules/model.py`, `describe.py`, `position.py`, the form in `screens/rules_form.py`. Every "
        "other door plays by `Position` or refuses the key by name until `solver/supports.py` and `graph_codes.py` "
        "know it",
    ),
    "reason": Untried(
        "a reason for a move",
        "4",
        "a claim in `strategy/claims.py`, its words in `strategy/claim_words.py`, when it holds in `coach/causes.py`, "
        "the reader in `tests/coach`",
    ),
    "page": Untried(
        "a page",
        "3",
        'a function in `screens` marked `@screen("GET", address)`, a template in `screens/templates`, its address in '
        "[docs/online.md](docs/online.md)",
    ),
}


def changes() -> str:
    """Return the table of what can be added, and where it goes."""
    return table(("to add", "files", "go to"), [(one.what, one.files, one.go_to) for one in ADDITIONS.values()])


def make(edit: Edit, root: Path) -> None:
    """Make an edit in a copy of the tree."""
    path = root / edit.path
    if not edit.below:
        if path.exists():
            raise AdditionError(f"{edit.path} is there already.")
        path.write_text(edit.text, encoding="utf-8")
        return
    old = path.read_text(encoding="utf-8")
    if old.count(edit.below) != 1:
        raise AdditionError(f"{edit.path} has {old.count(edit.below)} times: {edit.below}")
    path.write_text(old.replace(edit.below, edit.below + edit.text), encoding="utf-8")


def try_addition(addition: Addition) -> Iterator[str]:
    """Make an addition in a copy of the tree, and yield each command after it has shown that the addition works."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(shutil.copytree(ROOT, Path(folder) / "tree", ignore=_LEFT_OUT))
        for edit in addition.edits:
            make(edit, root)
        path = os.pathsep.join((str(root / "src"), str(root)))
        environment = os.environ | {"PYTHONPATH": path, "ZEROSUM_HOME": str(Path(folder) / "home")}
        for check in addition.checks:
            words = (sys.executable, *check.command)
            done = run(words, cwd=root, env=environment, stdout=PIPE, stderr=STDOUT, encoding="utf-8", check=False)
            said = " ".join(check.command)
            if done.returncode or check.words not in done.stdout:
                raise AdditionError(f"{said} does not say {check.words!r} (status {done.returncode}):\n{done.stdout}")
            yield said


def main(words: Sequence[str] | None = None) -> int:
    """Try additions, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"some of {', '.join(ADDITIONS)}")
    parser.add_argument("--table", action="store_true", help="only print the table")
    options = parser.parse_args(words)
    for name in () if options.table else options.names or ADDITIONS:
        addition = ADDITIONS[name]
        if isinstance(addition, Addition):
            for said in try_addition(addition):
                print(f"{name}: {said}", file=sys.stderr)
    print(changes(), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
