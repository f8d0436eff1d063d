"""The terminal, or what stands in for one: lines in, text out, colour only where it is wanted."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterable
from enum import Enum
from typing import TextIO

from zerosum.rules import limits

_MOMENT = 0.5


class EndOfInput(Exception):  # noqa: N818 - not an error: people close their input
    """There is nothing more to read."""


class Style(Enum):
    """What a text is, which decides its colour."""

    PLAIN = ""
    FIRST = "36"
    SECOND = "35"
    OUTCOME = "1;32"
    REFUSAL = "33"
    ANSWER = "34"
    TITLE = "1"
    TAKEN = "90"


def wants_colour(stream: TextIO) -> bool:
    """Whether colour is wanted on a stream: a terminal, and neither NO_COLOR nor TERM=dumb."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


class Console:
    """Asks and says. Where input is not a terminal, each line read is echoed, so that output is the whole dialogue."""

    def __init__(self, *, plain: bool = False) -> None:
        self.interactive = sys.stdin.isatty()
        self._colour = not plain and wants_colour(sys.stdout)
        self._ahead: str | None = None
        if self.interactive:
            with contextlib.suppress(ImportError):
                import readline  # noqa: PLC0415 - gives input() line editing and history; not on Windows

                # It would write escape sequences around a prompt where none are wanted.
                readline.parse_and_bind("set enable-bracketed-paste off")

    @property
    def at_terminal(self) -> bool:
        """Whether a person types and reads here."""
        return self.interactive and sys.stdout.isatty()

    def say(self, text: str, style: Style = Style.PLAIN) -> None:
        """Write text that ends its own lines; every line is coloured by itself."""
        if self._colour and style.value:
            lines = text.split("\n")
            text = "\n".join(f"\x1b[{style.value}m{line}\x1b[0m" if line else "" for line in lines)
        sys.stdout.write(text)

    def draw(self, lines: Iterable[Iterable[tuple[str, Style]]]) -> None:
        """Draw a picture made of coloured pieces; nothing without colour, or if the encoding lacks its characters."""
        if self._colour and sys.stdout.encoding.lower().startswith("utf"):
            for line in lines:
                for text, style in line:
                    self.say(text, style)
                self.say("\n")

    def wait(self, text: str) -> None:
        """Show briefly that something is going on; do nothing without colour."""
        if self._colour and self.interactive:
            sys.stdout.write(f"\x1b[{Style.TAKEN.value}m{text}\x1b[0m")
            sys.stdout.flush()
            try:
                time.sleep(_MOMENT)
            finally:
                sys.stdout.write("\r\x1b[K")

    def notice(self, text: str) -> None:
        """Write a line that is not part of the dialogue to standard error."""
        # The reader of standard output may have gone; how to go on with the match must still be said.
        with contextlib.suppress(OSError):
            sys.stdout.flush()
        sys.stderr.write(text + "\n")

    def ask(self, prompt: str) -> str:
        """Return one line of input, without the space around it."""
        if self.interactive:
            return self._ask_person(prompt)
        self.say(prompt)
        sys.stdout.flush()
        line = self._next_line()
        if line is None:
            self.say("\n")
            raise EndOfInput
        # Echoed as it came, except for what a terminal might act on.
        self.say("".join(c if c.isprintable() else "" for c in line) + "\n")
        return line.strip()

    def has_input(self) -> bool:
        """Whether there is anything to read; a person at a terminal is always there to type."""
        if not self.interactive and self._ahead is None:
            self._ahead = self._next_line()
            return self._ahead is not None
        return True

    def _ask_person(self, prompt: str) -> str:
        above, newline, last = prompt.rpartition("\n")
        self.say(above + newline)
        sys.stdout.flush()
        try:
            return input(last).strip()
        except EOFError:
            self.say("\n")
            raise EndOfInput from None
        except KeyboardInterrupt:
            self.say("\n")
            raise

    def _next_line(self) -> str | None:
        """Return the next line without its end, cut to the limit; None at the end of input."""
        if self._ahead is not None:
            line, self._ahead = self._ahead, None
            return line
        line = sys.stdin.readline(limits.LINE_CHARACTERS)
        rest = line
        while rest and not rest.endswith("\n"):
            rest = sys.stdin.readline(limits.LINE_CHARACTERS)
        return line.rstrip("\r\n") if line else None
