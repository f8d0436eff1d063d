"""Arguments and options that several commands share."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import click

from zerosum.rules.errors import InvalidTextError
from zerosum.rules.files import GAME_IDS, load_game
from zerosum.rules.model import Rules
from zerosum.rules.numbers import parse_number

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


def whole_number(text: str) -> int:
    """Read a number as everywhere in zerosum; Python's own int() also takes `1_0` and other scripts' digits."""
    try:
        return parse_number(text)
    except InvalidTextError as error:
        raise click.BadParameter(str(error)) from None


DEFAULT_MEMORY: Final = "1GiB"
_SIZE: Final = re.compile(r"([0-9]{1,9})(k|m|g)i?b?")
_UNITS: Final = {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30}


def _load(ctx: click.Context, param: click.Parameter, value: str) -> Rules:  # noqa: ARG001 - click's own signature
    return load_game(value)


# The unused arguments are click's own signature.
def _complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG001
    """Offer the built-in games and files."""
    from click.shell_completion import CompletionItem  # noqa: PLC0415 - only the Tab key needs it

    games = [CompletionItem(game) for game in GAME_IDS if game.startswith(incomplete)]
    return [*games, CompletionItem(incomplete, type="file")]


def _bytes(ctx: click.Context, param: click.Parameter, value: str) -> int:
    found = _SIZE.fullmatch(value.lower())
    if found is None:
        raise click.BadParameter(f"'{value}' is not an amount of memory such as 512MiB or 4GiB.", ctx, param)
    return int(found[1]) * _UNITS[found[2]]


game_argument: Callable[[Any], Any] = click.argument("game", callback=_load, shell_complete=_complete)
optional_game_argument: Callable[[Any], Any] = click.argument(
    "game",
    required=False,
    callback=lambda ctx, param, value: None if value is None else _load(ctx, param, value),
    shell_complete=_complete,
)
json_option: Callable[[Any], Any] = click.option("--json", "as_json", is_flag=True, help="One JSON document.")
plain_option: Callable[[Any], Any] = click.option("--plain", is_flag=True, help="Plain text, no colour.")
memory_option: Callable[[Any], Any] = click.option(
    "--memory",
    metavar="SIZE",
    default=DEFAULT_MEMORY,
    show_default=True,
    callback=_bytes,
    help="Memory that solving may take.",
)
