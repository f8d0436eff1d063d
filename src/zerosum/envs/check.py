"""`python -m zerosum.envs.check [RULES…]`: the libraries' own tests of their environments, on any rules.

One line a test; of a library that is not installed, a line says how to install it. The exit status is 0 if all tests
pass, 1 if one fails, and 2 if a game is unknown or no library is installed.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import os
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from zerosum.base.errors import ZerosumError
from zerosum.base.extras import MissingExtraError
from zerosum.base.progress import Progress, silent
from zerosum.base.text import printable
from zerosum.rules.game_files import GAME_IDS, rules_of
from zerosum.rules.model import Rules

CHECKS: Final = {
    "PettingZoo (api_test, seed_test, render_test)": "zerosum.envs.aec",
    "Gymnasium (check_env)": "zerosum.envs.gym",
    "OpenSpiel (random_sim_test)": "zerosum.envs.openspiel",
    "batch environment": "zerosum.envs.batch_check",
}
"""The module that has the environment of each library, and a function `check` that runs its tests on rules."""


class CheckResult(NamedTuple):
    """The result of the tests of one library on one game; `fault` is empty if they passed."""

    game: str
    library: str
    fault: str = ""


def checks() -> tuple[dict[str, Callable[[Rules], object]], dict[str, MissingExtraError]]:
    """Return the test of each library that is installed, and why there is none of each other one."""
    tests: dict[str, Callable[[Rules], object]] = {}
    absent: dict[str, MissingExtraError] = {}
    for library, module in CHECKS.items():
        try:
            tests[library] = importlib.import_module(module).check
        except MissingExtraError as error:
            absent[library] = error
    return tests, absent


def results(
    games: Sequence[Rules], tests: dict[str, Callable[[Rules], object]], progress: Progress = silent
) -> Iterator[CheckResult]:
    """Yield the result of every library's tests on every game."""
    for rules in games:
        for library, test in tests.items():
            progress(f"{rules.id}, {library}")
            yield CheckResult(rules.id, library, _fault(test, rules))


def _fault(test: Callable[[Rules], object], rules: Rules) -> str:
    """Return why a test failed, in a line; drop what it prints and warns of on the way."""
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            test(rules)
        except Exception as error:  # noqa: BLE001 - whatever a library raises is a failed test
            return printable(f"{type(error).__name__}: {error}")
    return ""


def _show(what: str) -> None:
    """Show what is being tested on a terminal, in place of what was shown before."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{what}")
        sys.stderr.flush()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tests and print their results; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m zerosum.envs.check",
        description="Run the tests of PettingZoo, Gymnasium, OpenSpiel and of batches on games, if installed.",
    )
    parser.add_argument(
        "rules", nargs="*", metavar="RULES", help="a game's id or a rules file; all built-in games if none"
    )
    given = parser.parse_args(arguments)
    failed = 0
    try:
        games = [rules_of(game) for game in given.rules or GAME_IDS]
        tests, absent = checks()
        for library, error in absent.items():
            sys.stderr.write(f"Not checked: {library}. {error}\n")
        if not tests:
            return 2
        for result in results(games, tests, _show):
            failed += bool(result.fault)
            said = f"{'FAIL' if result.fault else 'ok':6}{result.game}, {result.library}"
            _show("")
            sys.stdout.write(f"{said}: {result.fault}\n" if result.fault else f"{said}\n")
            sys.stdout.flush()
    except ZerosumError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    except KeyboardInterrupt:
        _show("")
        return 130
    except BrokenPipeError:
        # Nobody reads on; Python would complain once more when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
