"""A real terminal: the command on a pty, typed at as a person types."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from types import TracebackType
from typing import Any, Self

import pexpect
import ptyprocess

from tests.cli.command import TIMEOUT
from tests.warm import at_terminal, is_warm

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")

USUAL = 80
"""The columns of a usual terminal."""


class WarmTerminal(pexpect.spawn):  # type: ignore[misc]  # a package without types
    """A command at a terminal, forked by a process that has loaded what it needs."""

    def _spawnpty(self, args: Sequence[bytes], **given: Any) -> ptyprocess.PtyProcess:
        return ptyprocess.PtyProcess(*at_terminal(args, given["env"], given["dimensions"]))


class Person:
    """Somebody at a terminal, who leaves at the end of a `with`. Everything the terminal showed is in `seen`.

    `columns` is how wide the terminal is; all other keywords are variables of the environment.
    """

    def __init__(self, command: Sequence[str], *args: str, columns: int = USUAL, **env: str) -> None:
        self.columns = columns
        words, environment = [*command, *args], {**os.environ, **env}
        start = WarmTerminal if is_warm(words, environment) else pexpect.spawn
        self.child = start(
            words[0],
            words[1:],
            env=environment,
            encoding="utf-8",
            codec_errors="replace",
            timeout=TIMEOUT,
            dimensions=(24, columns),
        )
        self.child.delaybeforesend = 0
        self.seen = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.child.close(force=True)

    def sees(self, text: str) -> Self:
        """Wait until the terminal shows `text`; on a narrow one it may be broken between any two words."""
        if self.columns < USUAL:
            self.child.expect(r"\s+".join(map(re.escape, text.split(" "))))
        else:
            self.child.expect_exact(text)
        self.seen += self.child.before + self.child.after
        return self

    def types(self, text: str) -> Self:
        self.child.send(f"{text}\r")
        return self

    def presses(self, keys: str) -> Self:
        self.child.send(keys)
        return self

    def ends(self) -> int:
        """Wait for the end and return the exit status; a signal is negative."""
        self.child.expect(pexpect.EOF)
        self.seen += self.child.before
        self.child.close()
        assert "Traceback" not in self.seen, self.seen
        signal = self.child.signalstatus
        return -signal if signal is not None else int(self.child.exitstatus)

    @property
    def text(self) -> str:
        """What was shown, without colours and with plain line ends."""
        return ESCAPES.sub("", self.seen).replace("\r\n", "\n")
