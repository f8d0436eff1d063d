"""The unfinished matches: listed, and one of them chosen."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Callable

from zerosum.base.numbers import shorten
from zerosum.base.text import printable
from zerosum.cli.console import Console, EndOfInput, Quit, Style
from zerosum.cli.names import Called, at_terminal, by_name
from zerosum.match.saved import SavedMatch, UnknownMatchError
from zerosum.match.setup import Setup
from zerosum.match.typed_moves import read_command

_INDENT = " " * 4
"""Below the number of a match."""
_NARROWEST = 20


def choose(unfinished: list[SavedMatch], console: Console) -> str:
    """Return the only unfinished match; of several, the one that a person at a terminal chooses."""
    for one in unfinished:
        if one.damage:
            console.notice(one.damage)
    readable = [one for one in reversed(unfinished) if one.match is not None]
    if not readable:
        raise UnknownMatchError("There is no unfinished match. To begin one: zerosum play GAME")
    if len(readable) == 1:
        return readable[0].id
    if not console.interactive:
        for one in readable:
            console.say(f"{as_line(one)}\n")
        raise UnknownMatchError("There are several unfinished matches; say which: zerosum resume ID")
    return _ask(readable, console)


def _ask(readable: list[SavedMatch], console: Console) -> str:
    """Ask until a match is named by its number or its id; Enter takes the latest, which stands last."""
    for number, one in enumerate(readable, 1):
        console.say(_entry(number, one))
    choices = {str(number): one.id for number, one in enumerate(readable, 1)} | {one.id: one.id for one in readable}
    latest = len(readable)
    while True:
        try:
            answer = console.ask(f"Which match? [{latest}] ").lower()
        except EndOfInput:
            raise UnknownMatchError("No match was chosen.") from None
        if not answer:
            return readable[-1].id
        if answer in choices:
            return choices[answer]
        command = read_command(answer)
        if command is not None and command.word == "quit":
            raise Quit
        how = f"Type a number from 1 to {latest}, or q to leave; Enter takes the latest."
        wrong = "" if command else f"'{shorten(answer)}' is none of these matches. "
        console.say(f"{wrong}{how}\n", Style.REFUSAL)


def _entry(number: int, one: SavedMatch) -> str:
    """Return a match as it is offered: in one line if the terminal is wide enough, else in several."""
    what = _what(one, at_terminal)
    columns = max(shutil.get_terminal_size().columns, _NARROWEST)
    line = f"{number:>2}  {what}  {one.id}  {_date(one)}"
    if len(line) <= columns:
        return f"{line}\n"
    lines = textwrap.wrap(what, columns, initial_indent=f"{number:>2}  ", subsequent_indent=_INDENT)
    return "\n".join([*lines, f"{_INDENT}{one.id}  {_date(one)}"]) + "\n"


def as_line(one: SavedMatch) -> str:
    """Return an unfinished match in one line, its id first."""
    if one.match is None:
        return f"{one.id:10}{printable(one.damage)}"
    return f"{one.id:10}{_date(one):21}{_what(one, by_name)}"


def _what(one: SavedMatch, call: Callable[[Setup], Called]) -> str:
    if one.match is None:
        return printable(one.damage)
    setup = one.match.setup
    plies = len(one.match.moves)
    moves = "1 move" if plies == 1 else f"{plies} moves"
    return printable(f"{setup.rules.name}, {' and '.join(call(setup).labels)}, {moves}")


def _date(one: SavedMatch) -> str:
    return one.match.setup.date if one.match else ""
