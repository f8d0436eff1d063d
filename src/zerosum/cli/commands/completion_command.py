"""`zerosum completion`: click's scripts, by which shells ask what the Tab key offers, and the answers.

- completion (Tools 1): Print a shell's completion script.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatch
from glob import escape, glob
from itertools import chain, islice
from typing import Final

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
    add_completion_class,
    split_arg_string,
)
from click.types import StringParamType

from zerosum.cli.parameters import games_listed
from zerosum.cli.user_data import saved_matches
from zerosum.lab.families import FAMILIES, load_family
from zerosum.match.journal import JournalError
from zerosum.players import HUMAN
from zerosum.rules.describe import idea
from zerosum.rules.game_files import GAME_IDS, built_in
from zerosum.strategy.card_player import PLAYERS

_SHOWN: Final = 30
"""Matches that are offered, at most; the latest."""
Offer = tuple[str, str]
"""A text, and a few words about it."""


def _players() -> Iterator[Offer]:
    return ((player.name, player.words) for player in PLAYERS)


def _matches(*, finished: bool) -> Iterator[Offer]:
    saved = saved_matches()
    for match_id in saved.ids(finished=finished):
        try:
            setup = saved.match(match_id).setup
        except JournalError:
            yield match_id, "damaged"
        else:
            yield match_id, f"{setup.rules.name}, {setup.names[0]} and {setup.names[1]}, {setup.date[:10]}"


_OFFERS: Final[dict[str, tuple[Callable[[], Iterable[Offer]], str]]] = {
    "GAME": (lambda: ((game, idea(built_in(game))) for game in GAME_IDS), "*.toml"),
    "FAMILY": (lambda: ((family, load_family(family).name) for family in FAMILIES), "*.toml"),
    "WHO": (lambda: ((HUMAN, "somebody at this keyboard"), *_players()), ""),
    "POLICY": (lambda: (*_players(), ("policy:", "a JSON file with the chance of every move")), ""),
    "ID": (lambda: _matches(finished=False), ""),
    "RECORD": (lambda: chain(_matches(finished=False), _matches(finished=True)), "*"),
    "FILE": (tuple, "*"),
}
"""For each kind of value, as the help of a command names it: what is offered, and the pattern of files, if any."""


_SPOKEN: Final = f"The players are {', '.join(PLAYERS.spoken())}."
MISSING: Final = {
    "games": f"{games_listed()}.",
    "who": _SPOKEN,
    "a": _SPOKEN,
    "b": _SPOKEN,
    "family": f"The families are {', '.join(FAMILIES)}; a family file will do too.",
    "space": "A space is a file that says what varies.",
    "items": "ITEMS is a file that `exam make` has written, or the word public.",
}
"""What can be given for an argument that is missing, by its name."""


class _Completed(StringParamType):
    """A value that the Tab key completes."""

    def __init__(self, kind: str) -> None:
        self._offers, self._pattern = _OFFERS[kind]

    def shell_complete(self, _ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Return what may be meant: offers and files of the pattern, or as the shell completes files if none fits."""
        offers = matching(self._offers(), incomplete, _SHOWN)
        if offers:
            return [*offers, *map(CompletionItem, _files(incomplete, self._pattern))]
        return [CompletionItem(incomplete, type="file")] if self._pattern else []


def _files(incomplete: str, pattern: str) -> Iterator[str]:
    """Yield the folders, and the files of a pattern, that begin with what was typed; none that a shell would quote."""
    for path in sorted(glob(f"{escape(incomplete)}*")):
        if pattern and shlex.quote(path) == path and (os.path.isdir(path) or fnmatch(path, pattern)):
            yield f"{path}/" if os.path.isdir(path) else path


def matching(offers: Iterable[Offer], incomplete: str, most: int | None = None) -> list[CompletionItem]:
    """Return the offers that begin with what was typed so far, `most` of them if that is given."""
    near = (CompletionItem(text, help=words) for text, words in offers if text.startswith(incomplete))
    return list(islice(near, most))


def complete_parameters(command: click.Command) -> None:
    """Let the Tab key complete the parameters of a command and of its subcommands, by their names in the help."""
    if isinstance(command, click.Group):
        for part in command.commands.values():
            complete_parameters(part)
    for parameter in command.params:
        kind = (parameter.metavar or parameter.name or "").upper().strip("[].")
        if kind in _OFFERS:
            parameter.type = _Completed(kind)


class _Complete(ShellComplete):
    """Completes the value of `--option=value` too, as a part of that word."""

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem]:
        """Return the offers as whole words."""
        option, equals, _ = incomplete.partition("=")
        offers = super().get_completions(args, incomplete)
        for offer in offers:
            if equals and incomplete.startswith("--") and offer.type == "plain":
                offer.value = f"{option}={offer.value}"
        return offers

    def complete(self) -> str:
        """Return the offers as a script reads them; none if anything fails: the Tab key is no place for errors."""
        try:
            return super().complete()
        except Exception:  # noqa: BLE001 - see above
            return ""


class _Bash(_Complete, BashComplete):
    """Knows that bash breaks words at colons and equals signs, and completes only what follows the last of these."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the one at the cursor, and that one, all whole again."""
        parts = os.environ["COMP_WORDS"].split("\n")[: int(os.environ["COMP_CWORD"]) + 1]
        # A letter is added, so that an empty part begins a new word, unless it is quoted.
        *words, last = split_arg_string(re.sub(r"\n([:=]+)(?:\n|$)", r"\1", "\n".join(parts)) + "x")
        return words[1:], last[:-1]

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem]:
        """Return what may follow the part of the word that bash keeps."""
        part = os.environ["COMP_WORDS"].split("\n")[int(os.environ["COMP_CWORD"])]
        kept = len(incomplete) - len(part.strip(":=") and part)
        offers = super().get_completions(args, incomplete)
        for offer in offers:
            offer.value = offer.value[kept:] if offer.type == "plain" else offer.value
        return offers


class _Zsh(_Complete, ZshComplete): ...


class _Fish(_Complete, FishComplete): ...


SHELLS: Final[dict[str, type[ShellComplete]]] = {"bash": _Bash, "zsh": _Zsh, "fish": _Fish}


def register() -> None:
    """Let click answer with our offers."""
    for shell in SHELLS.values():
        add_completion_class(shell)


@click.command
@click.argument("shell", type=click.Choice(list(SHELLS)))
@click.pass_context
def completion_command(context: click.Context, shell: str) -> None:
    r"""Print the completion script of SHELL.

    \b
    Examples:
      eval "$(zerosum completion bash)"
      source <(zerosum completion zsh)
      zerosum completion fish > ~/.config/fish/completions/zerosum.fish
    """
    click.echo(SHELLS[shell](context.find_root().command, {}, "zerosum", "_ZEROSUM_COMPLETE").source(), nl=False)
