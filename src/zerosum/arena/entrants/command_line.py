"""How the command of a bot is read and caged, and what it may take."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from zerosum.arena.entrants import limits
from zerosum.base.errors import ZerosumError
from zerosum.base.secrets import is_secret
from zerosum.base.text import shorten

BUBBLEWRAP: Final = "bubblewrap"
NO_CAGE: Final = "none"
_CAGE: Final = "ZEROSUM_CAGE"
_WISHES: Final = ("off", BUBBLEWRAP)
_TO_3: Final = ("sh", "-c", 'exec "$@" 3>&1 >/dev/null', "sh")
_FROM_3: Final = ("sh", "-c", 'exec "$@" >&3 3>&-', "sh")
"""Bubblewrap holds the standard streams as long as it runs, so without these a bot could not close its output."""
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


def choose_cage() -> str:
    """Return what bots are caged by: bubblewrap if it works here or the user insists on it, else `none`."""
    wish = os.environ.get(_CAGE, "")
    if wish and wish not in _WISHES:
        raise BadCommandError(f"{_CAGE} is '{shorten(wish)}'. It may be {', '.join(_WISHES)}.")
    return BUBBLEWRAP if wish == BUBBLEWRAP or (not wish and _bubblewrap_works()) else NO_CAGE


@cache
def _bubblewrap_works() -> bool:
    """Whether there is a bubblewrap that can cage a program; tried once in a process."""
    if sys.platform != "linux" or not shutil.which("bwrap"):
        return False
    nothing = subprocess.DEVNULL
    return subprocess.call(caged(["true"]), stdin=nothing, stdout=nothing, stderr=nothing) == 0  # noqa: S603 - our own


def caged(command: Sequence[str], secrets: Collection[str] = ()) -> list[str]:
    """Return what runs a command in a cage: it sees no process but its own, and cannot read the file that holds a key.

    Without a cage, a bot can read the environment of its user's shell in /proc, signal every process of the user, and
    debug them. Files and the network stay as they are. All in the cage ends with the process that is returned.
    """
    cage = ["bwrap", "--unshare-user-try", "--unshare-pid", "--unshare-ipc", "--die-with-parent"]
    cage += ["--cap-drop", "ALL", "--dev-bind", "/", "/"]
    for place in _process_lists():
        cage += ["--proc", place]
    hidden = os.environ.get(_KEY_FILE)
    if hidden and _KEY_FILE not in secrets and os.path.isfile(hidden):
        cage += ["--dev-bind", os.devnull, os.path.abspath(hidden)]
    return [*_TO_3, *cage, "--", *_FROM_3, *command]


def _process_lists() -> list[str]:
    """Return where this process can reach a /proc: there may be others, such as that of a chroot."""
    with open("/proc/self/mountinfo", "rb") as file:
        rows = [line.split() for line in file]
    mounts = (words[4] for words in rows if words[3] == b"/" and words[words.index(b"-") + 1] == b"proc")
    places = dict.fromkeys(os.fsdecode(place.decode("unicode_escape").encode("latin-1")) for place in mounts)
    return [place for place in places if os.access(place, os.F_OK)]
