"""How the command of a bot is read, and what it may take."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from zerosum.arena.entrants import limits
from zerosum.base.errors import ZerosumError
from zerosum.base.secrets import is_secret
from zerosum.base.text import shorten

ANY_CAGE: Final = "any"
_CAGE: Final = "ZEROSUM_CAGE"
_CAGES: Final = {"": ANY_CAGE, "off": "none", "namespaces": "namespaces", "bubblewrap": "bubblewrap"}
"""What a user may want, as the supervisor calls it."""
_KEY_FILE: Final = "ZEROSUM_MODEL_KEY_FILE"
_SCRIPT: Final = re.compile(r"[^-=][^=]*\.[A-Za-z][A-Za-z0-9]{0,4}")


class BadCommandError(ZerosumError):
    """A command that cannot be started."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a bot may take; a slow machine may give more time."""

    memory: int = limits.MEMORY
    cpu_seconds: int = 0
    """Seconds of processor time in all; 0 is no limit."""
    start: float = limits.START_SECONDS
    quit: float = limits.QUIT_SECONDS
    margin: float = limits.MARGIN_MILLISECONDS / 1000
    line: int = limits.LINE_FROM_BOT
    secrets: tuple[str, ...] = ()
    """Variables that it gets although they look like secrets."""


BOUNDS: Final = Bounds()


def split_command(text: str) -> tuple[str, ...]:
    """Return the words of a command, its files as absolute paths: a bot runs in a new folder.

    No shell reads the command; quotes and backslashes mean what they mean in one.
    """
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise BadCommandError(f"'{shorten(text)}' is not a command: {error}.") from None
    if not words or "\0" in text:
        raise BadCommandError("A bot needs a command, such as bot:./my-bot or 'bot:python3 my-bot.py'.")
    program = words[0] if os.sep in words[0] else shutil.which(words[0]) or ""
    if not os.path.isfile(program):
        raise BadCommandError(f"There is no program '{shorten(words[0])}'.")
    if not os.access(program, os.X_OK):
        raise BadCommandError(f"'{shorten(words[0])}' cannot be run: it is not executable.")
    return (os.path.abspath(program), *map(_absolute, words[1:]))


def _absolute(word: str) -> str:
    """Return a word that looks like a file and is one as an absolute path; `levels` may be a file and is a word."""
    return os.path.abspath(word) if ("." in word or os.sep in word) and os.path.isfile(word) else word


def missing_file(command: Sequence[str]) -> str | None:
    """Return the first word of a command that looks like a script and is no file: why it did not start, probably.

    >>> missing_file(["/usr/bin/python3", "-O", "no-such-bot.py"]), missing_file(["/usr/bin/bot", "--depth", "1.5"])
    ('no-such-bot.py', None)
    """
    return next((word for word in command[1:] if _SCRIPT.fullmatch(word) and not os.path.exists(word)), None)


def environment(folder: str, secrets: Collection[str] = ()) -> dict[str, str]:
    """Return what a bot's environment is: ours, without what looks like a secret, temporary files in its folder."""
    kept = {name: value for name, value in os.environ.items() if name in secrets or not is_secret(name)}
    return {**kept, "TMPDIR": folder}


def wished_cage() -> str:
    """Return the kind of cage that the user wants for bots: `any` if the best one will do, or none if none works."""
    wish = os.environ.get(_CAGE, "")
    if wish not in _CAGES:
        raise BadCommandError(f"{_CAGE} is '{shorten(wish)}'. It may be {', '.join(filter(None, _CAGES))}.")
    return _CAGES[wish]


def hidden_file(secrets: Collection[str] = ()) -> str:
    """Return the file of the key of a model, which a bot finds empty if it is caged; nothing without one."""
    path = os.environ.get(_KEY_FILE)
    return os.path.abspath(path) if path and _KEY_FILE not in secrets else ""
