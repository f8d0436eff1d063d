"""`zerosum measure`.

- measure (Measure 1): How strong somebody is: a policy, or who played some matches.
"""

from __future__ import annotations

from collections.abc import Sequence

import click

from zerosum.arena.measure import measure
from zerosum.arena.strength.decisions import kept_words, scored_words
from zerosum.arena.strength.level_fit import fit_words
from zerosum.arena.strength.people import PersonStrength, people_in
from zerosum.base.documents import to_json
from zerosum.base.english import count
from zerosum.base.errors import RecordError
from zerosum.base.text import printable
from zerosum.cli.console import Console
from zerosum.cli.dialogue_text import names_at_terminal
from zerosum.cli.lab_access import cached_odds, solution_or_notice
from zerosum.cli.own_record import read_record
from zerosum.cli.parameters import game_option, json_option, print_answer
from zerosum.cli.progress_line import progress_line
from zerosum.cli.root_command import Group
from zerosum.match.match import Match
from zerosum.match.setup import Person
from zerosum.players import HUMAN
from zerosum.rules.model import Rules


def people_lines(people: Sequence[PersonStrength], matches: Sequence[Match]) -> list[str]:
    """Return what everybody kept, and which level they play like, as lines."""
    lines: list[str] = []
    for person in people:
        name = _called(person, matches)
        lines += [
            "",
            f"{name}: {count(person.matches, 'match', 'matches')}, {count(person.tally.decisions, 'decision')}",
        ]
        lines += [*_kept_choices_lines(person), f"  {kept_words(person.keeps)}"]
        lines += [f"  {scored_words(person.scores)}"] if person.scores.level is not None else []
        lines += [] if person.fit is None else [f"  by likelihood plays {fit_words(person.fit)}"]
    return lines[1:]


def _called(one: PersonStrength, matches: Sequence[Match]) -> str:
    """Return what a review of each match calls somebody; if reviews differ, the name and the kind of player."""
    called = {
        names_at_terminal(match.setup).name(person)
        for match in matches
        for person in Person
        if (match.setup.name(person), match.setup.who[person - 1]) == (one.name, one.who)
    }
    if len(called) == 1 and one.name not in called:
        return printable(called.pop())
    name = printable(one.name)
    return name if one.who in {HUMAN, name} else f"{name} ({one.who})"


def _kept_choices_lines(one: PersonStrength) -> list[str]:
    tally = one.tally
    if tally.share is None or tally.chance is None or tally.skill is None:
        return ["  never had a real choice"]
    low, high = tally.interval()
    of_all = f"{tally.kept} of {count(tally.choices, 'real choice')}"
    return [
        f"  kept {of_all}: {tally.share:.0%} (95% interval: {low:.0%} to {high:.0%})",
        f"  random moves would keep {tally.chance:.0%}; skill {tally.skill:.0%} (random 0%, perfect 100%)",
    ]


@click.group("measure", cls=Group)
def measure_command() -> None:
    r"""Measure how strong a player is, by arithmetic: a policy, or the players of some matches.

    docs/measure.md says what each number means.

    \b
    Examples:
      zerosum measure policy --help
      zerosum measure record match.txt
    """


@measure_command.command(short_help="How strong a policy is, exactly.")
@click.argument("who", metavar="POLICY")
@game_option
@click.option("--greedy", is_flag=True, help="Take a bot's first answer in each position for its only move.")
@json_option
def policy(*, who: str, game: Rules, greedy: bool, as_json: bool) -> None:
    r"""Show how strong a policy is in a game: exact scores, how far it can be exploited, and a line that beats it.

    POLICY is random, level:1 to level:9, perfect, card, policy:FILE, a JSON file with the chance of every move, or
    bot:COMMAND, a bot that tells its chances, or with --greedy always makes the same move. It is scored against every
    level from both seats, and against the best response there is to it.

    \b
    Examples:
      zerosum measure policy level:5 --game sum31
      zerosum measure policy card --game zero-sum-duel --json
      zerosum measure policy policy:mine.json --game ./my-variant.toml
      zerosum measure policy "bot:./my-bot" --game sum31
      zerosum measure policy "bot:./my-bot" --greedy --game sum31
    """
    with progress_line(f"Measuring in {game.name}") as say:
        found = measure(who, game, greedy=greedy, progress=say)
    print_answer(as_json, lambda: to_json(found), lambda: [str(found)])


@measure_command.command(short_help="Which level keeps and scores as much as the players of some matches.")
@click.argument("records", metavar="RECORD...", nargs=-1, required=True)
@click.option(
    "--likelihood", is_flag=True, help="Also the level whose moves are likeliest, and whether any level fits."
)
@json_option
def record(*, records: tuple[str, ...], likelihood: bool, as_json: bool) -> None:
    r"""Show what the players of some matches kept and scored, and which level keeps and scores as much.

    RECORD is a path, the ID of a match, or - for standard input. Moves of one name in several matches count together.
    Matches against built-in players tell which level scores as much.

    \b
    Examples:
      zerosum measure record match.txt
      zerosum measure record monday.txt tuesday.txt --likelihood
      zerosum measure record k7q2mf --json
    """
    console = Console(plain=True)
    matches = [read_record(one, console) for one in records]
    with progress_line("Going through the matches"):
        people = people_in(
            matches,
            lambda match: solution_or_notice(match.setup.rules, console),
            odds=cached_odds,
            likelihood=likelihood,
        )
    if not people:
        raise RecordError("No match is left that could be measured.")
    print_answer(as_json, lambda: {"people": to_json(people)}, lambda: people_lines(people, matches))
