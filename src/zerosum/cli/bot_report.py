"""What `zerosum bot check` prints."""

from __future__ import annotations

from dataclasses import asdict, replace
from time import monotonic

import click

from zerosum.cli.report import print_json
from zerosum.entrants.check import Check, Result
from zerosum.entrants.launching import BOUNDS
from zerosum.rules.files import load_game
from zerosum.rules.text import printable


def report(command: str, games: tuple[str, ...], positions: int, margin: float, seed: str, *, as_json: bool) -> int:
    """Check a bot and print the results; return the exit status."""
    began = monotonic()
    bounds = replace(BOUNDS, margin=margin)
    check = Check(command, [load_game(game) for game in games], positions=positions, bounds=bounds, seed=seed)
    tests: list[Result] = []
    for tested in check:
        tests.append(tested)
        if not as_json:
            click.echo(_line(tested))
    failed = [one for one in tests if one.must and not one.passed]
    seconds = round(monotonic() - began, 3)
    if as_json:
        found = {"name": check.name, "author": check.author, "passed": not failed, "tests": list(map(asdict, tests))}
        print_json({**found, "seconds": seconds})
    else:
        click.echo(f"\n{_verdict(check.name, len(tests), len(failed))}")
    return 1 if failed else 0


def _line(tested: Result) -> str:
    """Return a result in a line; what a bot may leave out is no failure."""
    word = "ok" if tested.passed else "FAILED" if tested.must else "not"
    what = f"{tested.test}, {tested.game}" if tested.game else tested.test
    return f"{word:8}{what:30}{printable(tested.detail)}"


def _verdict(name: str, tests: int, failed: int) -> str:
    who = printable(name) or "The bot"
    if not failed:
        return f"{who} passes: it can play."
    return f"{who} fails {failed} of {tests} tests."
