"""Ask which game to play; a menu asks in the same way for anything else."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from typing import Final

import click

from zerosum.base.text import did_you_mean, shorten
from zerosum.cli.console import Console, EndOfInput, Quit, TextStyle
from zerosum.cli.own_record import last_rules
from zerosum.cli.terminal_text import fit
from zerosum.cli.user_data import saved_matches
from zerosum.match.saved import SavedMatches
from zerosum.match.typed_moves import read_prompt_command
from zerosum.rules.describe import idea, warning
from zerosum.rules.game_files import GAME_IDS, SHELVES, built_in
from zerosum.rules.model import Rules

DEFAULT_GAME: Final = "sum31"
RESUME: Final = "resume"
_AROUND: Final = 9
"""The lines of the list of games beside the games: titles, the warning, how to go on or quit, and the question."""


def ask_rules(console: Console, *, leave: str = "Quit") -> Rules | None:
    """Ask which game to play, for a command that was given none; None if none is wanted."""
    try:
        return built_in(ask_game(console, None, leave=leave))
    except (Quit, EndOfInput):
        return None


def last_or_asked(ctx: click.Context) -> Rules:
    """Return the game played last at this terminal, and say which; without one, ask. Nobody has to answer."""
    console = Console()
    rules = last_rules(saved_matches())
    if rules is not None:
        console.notice(f"{rules.name}, which you played last. For another: {ctx.command_path} GAME\n")
        return rules
    rules = ask_rules(console)
    if rules is None:
        ctx.exit(0)
    console.say("\n")
    return rules


def ask_game(console: Console, saved: SavedMatches | None, *, leave: str) -> str:
    """Ask for a game, or with `saved` for an unfinished match; `leave` is what q does."""
    choices: dict[str, str] = {}
    room = _has_room(console)
    for title, games in SHELVES.values():
        console.say(f"{title}\n", TextStyle.TITLE)
        for game in games:
            rules, n = built_in(game), GAME_IDS.index(game) + 1
            choices |= {str(n): game, game: game, rules.name.lower(): game}
            console.say(f"{n}  {rules.name:15}{idea(rules)}\n" if room else f"{n}  {rules.name}\n")
            if warning(rules):
                console.say(f"{'':{18 if room else 3}}({warning(rules)})\n")
        console.say("\n" if room else "")
    kept = sum(one.match is not None for one in saved.unfinished()) if saved else 0
    if kept:
        choices |= {"r": RESUME, RESUME: RESUME}
        console.say(f"r  Go on with {'your unfinished match' if kept == 1 else 'an unfinished match'}\n")
    console.say(f"q  {leave}\n\n")
    return ask_choice(console, f"Which game? [{GAME_IDS.index(DEFAULT_GAME) + 1}] ", choices, DEFAULT_GAME)


def _has_room(console: Console) -> bool:
    """Whether the list of games fits the terminal with what each is about; otherwise it has their names alone."""
    if not console.at_terminal:
        return True
    size = shutil.get_terminal_size()
    lines = [f"{'':18}{idea(built_in(game))}" for game in GAME_IDS]
    rows = sum(fit(line, size.columns).count("\n") + 1 for line in lines)
    return rows + _AROUND <= size.lines


def ask_choice(console: Console, prompt: str, choices: Mapping[str, str], default: str) -> str:
    """Ask until the answer is a choice; an empty answer is the default."""
    while True:
        answer = console.ask(prompt).lower()
        if not answer:
            return default
        if answer in choices:
            return choices[answer]
        command = read_prompt_command(answer)
        if command is not None and command.word == "quit":
            raise Quit
        how = "Type one of the marks on the left, or q to quit."
        if command is not None and command.word == "help":
            console.say(f"{how} Enter takes the answer in brackets.\n", TextStyle.ANSWER)
            continue
        hint = did_you_mean(answer, choices, how)
        console.say(f"'{shorten(answer)}' is not a choice. {hint}\n", TextStyle.REFUSAL)
