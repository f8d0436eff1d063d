"""`zerosum measure`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import click

from zerosum.cli.console import Console
from zerosum.cli.group import Group
from zerosum.cli.lab_store import kept_odds
from zerosum.cli.measure_text import people_lines, policy_lines
from zerosum.cli.parameters import game_option, json_option
from zerosum.cli.records import read_record
from zerosum.cli.report import print_json
from zerosum.cli.solving import aloud
from zerosum.cli.width import echo
from zerosum.measure.documents import people_json, policy_json
from zerosum.measure.people import people_in
from zerosum.measure.policies import Policy, policy_of
from zerosum.measure.report import report_on
from zerosum.rules.errors import RecordError
from zerosum.rules.model import Rules
from zerosum.solver import Solution, SolverError, solution_of

BOT: Final = "bot:"


@click.group("measure", cls=Group)
def command() -> None:
    r"""Measure how strong somebody is, by arithmetic: a policy, or whoever played some matches.

    docs/measure.md says what each number means.

    \b
    Examples:
      zerosum measure policy --help
      zerosum measure record match.txt
    """


@command.command(short_help="How strong a policy is, exactly.")
@click.argument("who", metavar="POLICY")
@game_option
@json_option
def policy(*, who: str, game: Rules, as_json: bool) -> int:
    r"""Show how strong a policy is in a game: exact scores, and how far it can be exploited.

    POLICY is random, level:1 to level:9, perfect, card, policy:FILE, a JSON file with the chance of every move, or
    bot:COMMAND, a bot that tells its chances. It is scored against every level from both seats, and against the best
    response there is to it.

    \b
    Examples:
      zerosum measure policy level:5 --game sum31
      zerosum measure policy card --game zero-sum-duel --json
      zerosum measure policy policy:mine.json --game ./my-variant.toml
      zerosum measure policy "bot:./my-bot" --game sum31
    """
    with aloud(f"Measuring in {game.name}") as say, _policy(who, game) as found:
        report = report_on(found, game, say, kept_odds)
    if as_json:
        print_json(policy_json(report))
    else:
        echo("\n".join(policy_lines(report)))
    return 0


@contextmanager
def _policy(who: str, game: Rules) -> Iterator[Policy]:
    """Give a policy; a bot is ended afterwards."""
    if not who.startswith(BOT):
        yield policy_of(who, game)
        return
    from zerosum.entrants.policy import bot_policy  # noqa: PLC0415 - most policies need no program

    with bot_policy(who.removeprefix(BOT), game) as found:
        yield found


@command.command(short_help="Which level the players of some matches play like.")
@click.argument("records", metavar="RECORD...", nargs=-1, required=True)
@json_option
def record(*, records: tuple[str, ...], as_json: bool) -> int:
    r"""Show which level the players of some matches play like, and what they kept.

    RECORD is a path, the ID of a match, or - for standard input. Moves of one name in several matches count together.

    \b
    Examples:
      zerosum measure record match.txt
      zerosum measure record monday.txt tuesday.txt
      zerosum measure record k7q2mf --json
    """
    console = Console(plain=True)
    matches = [read_record(one, console) for one in records]
    with aloud("Going through the matches"):
        people = people_in(matches, lambda match: _solution(match.setup.rules, console))
    if not people:
        raise RecordError("No match is left that could be measured.")
    if as_json:
        print_json(people_json(people))
    else:
        echo("\n".join(people_lines(people)))
    return 0


def _solution(rules: Rules, console: Console) -> Solution | None:
    try:
        return solution_of(rules)
    except SolverError as error:
        console.notice(f"{rules.name} is left out. {error}")
        return None
