"""`zerosum completion`: the scripts by which shells ask what the Tab key offers, and the answers.

A script passes the command line up to the cursor in `COMP_LINE`, and gets a line for each offer: its kind, its text and
words about it, with tabs between them. An offer of the kind `file` is a pattern; the shell finds the files itself.

- completion (Tools 1): Print a shell's completion script.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Final

import click
from click.shell_completion import CompletionItem, ShellComplete, add_completion_class, split_arg_string
from click.types import StringParamType

from zerosum.cli.user_data import saved_matches
from zerosum.lab.families import FAMILIES, load_family
from zerosum.match.journal import JournalError
from zerosum.players import HUMAN
from zerosum.rules.describe import idea
from zerosum.rules.game_files import GAME_IDS, built_in
from zerosum.strategy.card_player import PLAYERS

SHELLS: Final = ("bash", "zsh", "fish")
_FOLDER: Final = os.path.join(os.path.dirname(os.path.dirname(__file__)), "shells")
_SHOWN: Final = 30
"""Matches that are offered, at most; the latest."""
Offer = tuple[str, str]
"""A text, and a few words about it."""


def script(shell: str) -> str:
    """Return the completion script of a shell."""
    with open(os.path.join(_FOLDER, f"zerosum.{shell}"), encoding="utf-8") as file:
        return file.read()


def _games() -> Iterator[Offer]:
    return ((game, idea(built_in(game))) for game in GAME_IDS)


def _families() -> Iterator[Offer]:
    return ((family, load_family(family).name) for family in FAMILIES)


def _players() -> Iterator[Offer]:
    yield HUMAN, "somebody at this keyboard"
    yield from ((player.name, player.words) for player in PLAYERS)


def _policies() -> Iterator[Offer]:
    yield from ((player.name, player.words) for player in PLAYERS)
    yield "policy:", "a JSON file with the chance of every move"


def _unfinished() -> Iterator[Offer]:
    return _matches(finished=False)


def _all_matches() -> Iterator[Offer]:
    yield from _matches(finished=False)
    yield from _matches(finished=True)


def _matches(*, finished: bool) -> Iterator[Offer]:
    saved = saved_matches()
    for match_id in saved.ids(finished=finished):
        try:
            setup = saved.match(match_id).setup
        except JournalError:
            yield match_id, "damaged"
        else:
            yield match_id, f"{setup.rules.name}, {setup.names[0]} and {setup.names[1]}, {setup.date[:10]}"


def _nothing() -> Iterator[Offer]:
    return iter(())


_OFFERS: Final[dict[str, tuple[Callable[[], Iterator[Offer]], str]]] = {
    "GAME": (_games, "*.toml"),
    "FAMILY": (_families, "*.toml"),
    "WHO": (_players, ""),
    "POLICY": (_policies, ""),
    "ID": (_unfinished, ""),
    "RECORD": (_all_matches, "*"),
    "FILE": (_nothing, "*"),
}
"""For each kind of value, as the help of a command names it: what is offered, and the pattern of files, if any."""


class _Completed(StringParamType):
    """A value that the Tab key completes."""

    def __init__(self, kind: str) -> None:
        self._offers, self._pattern = _OFFERS[kind]

    def shell_complete(self, _ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Return what may be meant."""
        offers = matching(self._offers(), incomplete, _SHOWN)
        return [*offers, CompletionItem(self._pattern, type="file")] if self._pattern else offers


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
    """Answers a script."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the one at the cursor, and that one."""
        # A letter is added, so that a space at the end begins a new word, unless it is quoted.
        *words, last = split_arg_string(os.environ["COMP_LINE"] + "x")
        return words[1:], last[:-1]

    def complete(self) -> str:
        """Return the offers as lines; nothing if anything goes wrong: the Tab key is no place for errors."""
        try:
            args, incomplete = self.get_completion_args()
            return "\n".join(self._line(item, incomplete) for item in self.get_completions(args, incomplete))
        except Exception:  # noqa: BLE001 - see above
            return ""

    def _line(self, item: CompletionItem, incomplete: str) -> str:
        if item.type == "file":
            # click's own type for paths gives back what was typed.
            return f"file\t{item.value if '*' in item.value else '*'}\t"
        option, equals, _ = incomplete.partition("=")
        whole = f"{option}=" if equals and incomplete.startswith("--") else ""
        text = f"{whole}{item.value}"[self._kept(incomplete) :]
        return f"{item.type}\t{text}\t{' '.join((item.help or '').split())}"

    def _kept(self, incomplete: str) -> int:
        """Return how much of a word the shell keeps: bash completes only what follows a colon or an equals sign."""
        return max(incomplete.rfind(mark) + 1 for mark in f"\0{os.environ.get('COMP_WORDBREAKS', '')}")


def register() -> None:
    """Let click answer our scripts instead of its built-in ones."""
    for shell in SHELLS:
        add_completion_class(_Complete, shell)


@click.command
@click.argument("shell", type=click.Choice(SHELLS))
def completion_command(shell: str) -> int:
    r"""Print the completion script of SHELL.

    \b
    Examples:
      eval "$(zerosum completion bash)"
      source <(zerosum completion zsh)
      zerosum completion fish > ~/.config/fish/completions/zerosum.fish
    """
    click.echo(script(shell), nl=False)
    return 0
