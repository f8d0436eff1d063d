"""Arguments and options that several commands share, and what `--json` prints."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterable
from functools import reduce, wraps
from typing import Any, Final

import click

from zerosum.base.documents import document, dumps
from zerosum.base.errors import InvalidTextError
from zerosum.base.files import is_toml_path
from zerosum.base.text import parse_number
from zerosum.cli.terminal_text import echo, notice
from zerosum.rules.game_files import BUILT_IN_IDS, GAME_IDS, load_game, retirement
from zerosum.rules.model import Rules

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def options(*given: Decorator) -> Decorator:
    """Return a decorator that gives a command some options, in this order."""
    return lambda command: reduce(lambda made, option: option(made), reversed(given), command)


def as_one(name: str, make: Callable[..., object], *given: Decorator) -> Decorator:
    """Return a decorator that gives a command some options; what `make` makes of them reaches it under one name."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        taken = list(inspect.signature(make).parameters)

        @wraps(command)
        def run(**values: Any) -> Any:
            return command(**{name: make(**{one: values.pop(one) for one in taken})}, **values)

        return options(*given)(run)

    return decorate


def whole_number(text: str) -> int:
    """Read a number as everywhere in zerosum; Python's own int() also takes `1_0` and other scripts' digits."""
    try:
        return parse_number(text)
    except InvalidTextError as error:
        raise click.BadParameter(str(error)) from None


DEFAULT_MEMORY: Final = "1GiB"
_SIZE: Final = r"([0-9]{1,9})(k|m|g)i?b?"
_UNITS: Final = {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30}


def named_game(game: str) -> Rules:
    """Return the rules of a GAME that somebody typed; of a retired one, say on standard error what replaced it.

    `Sum31` and `"Sum 31"` are understood too, unless a rules file has that name.
    """
    game = game if is_toml_path(game) else _IDS.get(_letters(game), game)
    rules = load_game(game)
    if retirement(game):
        notice(retirement(game))
    return rules


def _letters(name: str) -> str:
    """Return a name without its spaces, hyphens and capitals."""
    return re.sub("[-_ ]", "", name.lower())


_IDS: Final = {_letters(game): game for game in BUILT_IN_IDS}


def _load(ctx: click.Context, param: click.Parameter, value: str | None) -> Rules | None:
    if value is None:
        if ctx.resilient_parsing:
            return None
        raise click.MissingParameter(f"{games_listed()}.", ctx, param)
    return named_game(value)


def games_listed() -> str:
    """Return which games there are, for somebody who has named none."""
    return f"The games are {', '.join(GAME_IDS)}; a rules file will do too"


def game_or_last(ctx: click.Context) -> Rules:
    """Return the game for a command that was given none: at a terminal the one played last, or the one chosen."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise click.MissingParameter(f"{games_listed()}.", ctx, param_hint="'GAME'", param_type="argument")
    from zerosum.cli.menu import last_or_asked  # noqa: PLC0415 - only if no game is given

    return last_or_asked(ctx)


def _load_or_last(ctx: click.Context, _param: click.Parameter, value: str | None) -> Rules | None:
    if value is None:
        return None if ctx.resilient_parsing else game_or_last(ctx)
    return named_game(value)


def _load_if_given(ctx: click.Context, param: click.Parameter, value: str | None) -> Rules | None:
    return None if value is None else _load(ctx, param, value)


def _bytes(ctx: click.Context, param: click.Parameter, value: str) -> int:
    found = re.fullmatch(_SIZE, value.lower())
    if found is None:
        raise click.BadParameter(f"'{value}' is not an amount of memory such as 512MiB or 4GiB.", ctx, param)
    return int(found[1]) * _UNITS[found[2]]


game_argument: Final = click.argument("game", metavar="GAME", required=False, callback=_load)
last_game_argument: Final = click.argument("game", required=False, callback=_load_or_last)
"""A game; without one, at a terminal, the game played last, or the one that is chosen."""
optional_game_argument: Final = click.argument("game", required=False, callback=_load_if_given)
game_option: Final = click.option(
    "--game", metavar="GAME", callback=_load, help="A built-in game or a rules file.  [required]"
)
json_option: Final = click.option("--json", "as_json", is_flag=True, help="One JSON document.")
plain_option: Final = click.option("--plain", is_flag=True, help="Plain text, no colour.")
memory_option: Final = click.option(
    "--memory", metavar="SIZE", default=DEFAULT_MEMORY, callback=_bytes, help="Memory that solving may take."
)


def print_answer(as_json: bool, document: Callable[[], object], lines: Callable[[], Iterable[str]]) -> None:
    """Print what a command has found, as one JSON document or as lines."""
    if as_json:
        print_json(document())
    else:
        echo("\n".join(lines()))


def print_json(answer: object) -> None:
    """Print a value class or a mapping as one JSON document."""
    sys.stdout.write(f"{dumps(document(answer))}\n")
