"""`zerosum bot`.

- bot (Measure 3): Players in any language: check one, or play as one.
"""

from __future__ import annotations

import sys
from dataclasses import asdict, replace
from os import urandom
from time import monotonic
from typing import Final

import click

from zerosum.arena.entrants.builtin_as_bot import run_builtin_bot
from zerosum.arena.entrants.command_line import BOUNDS
from zerosum.arena.entrants.compliance import BotTestResult, ComplianceCheck
from zerosum.base.text import printable
from zerosum.cli.parameters import json_option, named_game, print_json, whole_number
from zerosum.cli.root_command import Group
from zerosum.cli.terminal_text import echo, notice

_CAGED: Final = "Caged: it saw no process but its own."
_NOT_CAGED: Final = "Not caged: it could look into your other processes, and see a key in your shell. See docs/bots.md."


def _line(tested: BotTestResult) -> str:
    """Return a result in a line; what a bot may leave out is no failure."""
    word = "ok" if tested.passed else "FAILED" if tested.must else "not"
    what = f"{tested.test}, {tested.game}" if tested.game else tested.test
    return f"{word:8}{what:30}{printable(tested.detail)}"


@click.group(cls=Group)
def bot_command() -> None:
    r"""Players in any language: a program that reads and writes lines.

    docs/bots.md shows how to write one in ten minutes.

    \b
    Examples:
      zerosum bot check "python3 my-bot.py"
      zerosum bot levels level:5
    """


@bot_command.command
@click.argument("bot_command", metavar="COMMAND")
@click.argument("games", metavar="[GAME]...", nargs=-1)
@click.option("--positions", metavar="N", type=whole_number, default="200", help="Moves asked of each game.")
@click.option("--margin", metavar="MS", type=whole_number, default="50", help="Added to every time limit.")
@click.option("--seed", metavar="S", default="1", help="Chooses the positions.")
@json_option
def check(*, bot_command: str, games: tuple[str, ...], positions: int, margin: int, seed: str, as_json: bool) -> int:
    r"""Try a bot in everything a match may ask of it, one line a test.

    Without GAME, the five rulebook games and three variants: with a ban, with a swap, and with a total for each player
    and repeated numbers. The exit status is 0 if every test that a bot must pass is passed.

    \b
    Examples:
      zerosum bot check ./my-bot
      zerosum bot check "python3 my-bot.py" sum31 --positions 20
      zerosum bot check "node my-bot.js" --json
    """
    if positions < 1 or margin < 0:
        raise click.UsageError("--positions is 1 or more, and --margin is 0 or more.")
    began = monotonic()
    bounds = replace(BOUNDS, margin=margin / 1000)
    trial = ComplianceCheck(bot_command, list(map(named_game, games)), positions=positions, bounds=bounds, seed=seed)
    tests: list[BotTestResult] = []
    for tested in trial:
        tests.append(tested)
        if not as_json:
            echo(_line(tested))
    failed = [test for test in tests if test.must and not test.passed]
    if as_json:
        seconds = round(monotonic() - began, 3)
        found = {"name": trial.name, "author": trial.author, "passed": not failed, "tests": list(map(asdict, tests))}
        print_json({**found, "seconds": seconds})
    else:
        verdict = f"fails {len(failed)} of {len(tests)} tests." if failed else "passes: it can play."
        echo(f"\n{printable(trial.name) or 'The bot'} {verdict}")
        if trial.cage is not None:  # not on standard output, which is the same on all systems
            notice(_NOT_CAGED if trial.cage == "none" else _CAGED)
    return 1 if failed else 0


@bot_command.command
@click.argument("who", metavar="WHO")
@click.option("--seed", metavar="S", help="Makes its choices repeatable.")
def levels(*, who: str, seed: str | None) -> None:
    r"""Let one of our players play as a bot.

    It reads the protocol from standard input and answers on standard output. WHO is random, level:1 to level:9,
    perfect or card.

    \b
    Examples:
      zerosum bot levels level:5
      zerosum bot levels perfect --seed 1
    """
    run_builtin_bot(who, urandom(4).hex() if seed is None else seed, iter(sys.stdin.readline, ""), sys.stdout)
