"""The terminal, or the streams in its place: lines in, text out, colour only if it is wanted."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from typing import Final, NoReturn, TextIO

from zerosum.base import limits
from zerosum.cli.terminal_text import clip, fit, reading_columns, terminal_columns, width

_MOMENT = 0.5
_ANSWER: Final = 8
"""The columns that a prompt leaves for its answer."""
_LEAST: Final = 50
"""The columns of the narrowest terminal that pictures are drawn on."""


class EndOfInput(Exception):  # noqa: N818 - not an error: people close their input
    """There is nothing more to read."""


class Quit(Exception):  # noqa: N818 - not an error: people leave
    """The person leaves; the match is kept."""


def leave(*_: object) -> NoReturn:
    """Leave, as the command `quit` does."""
    raise Quit


class TextStyle(Enum):
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
    """Asks and says. If input is not a terminal, each line read is echoed, so that output is the whole dialogue."""

    def __init__(self, *, plain: bool = False) -> None:
        self.interactive = sys.stdin.isatty()
        self._colour = not plain and wants_colour(sys.stdout)
        self._ahead: str | None = None
        self._column = 0
        self._typed: Callable[[], str] = str
        if self.interactive:
            with contextlib.suppress(ImportError):
                import readline  # noqa: PLC0415 - gives input() line editing and history; not on Windows

                # Otherwise it writes escape sequences around every prompt.
                readline.parse_and_bind("set enable-bracketed-paste off")
                self._typed = readline.get_line_buffer

    @property
    def at_terminal(self) -> bool:
        """Whether a person types and reads here."""
        return self.interactive and sys.stdout.isatty()

    def say(self, text: str, style: TextStyle = TextStyle.PLAIN) -> None:
        """Write text that ends its own lines; every line is coloured by itself, and broken at words if too long."""
        text = fit(text, terminal_columns(sys.stdout), at=self._column)
        _, newline, last = text.rpartition("\n")
        self._column = width(last) if newline else self._column + width(last)
        if self._colour and style.value:
            lines = text.split("\n")
            text = "\n".join(f"\x1b[{style.value}m{line}\x1b[0m" if line else "" for line in lines)
        sys.stdout.write(text)

    def say_prose(self, text: str, style: TextStyle = TextStyle.PLAIN) -> None:
        """Write paragraphs that are one line each, broken to be easy to read, in a pipe too."""
        self.say(fit(text, reading_columns(sys.stdout)), style)

    @property
    def picture_columns(self) -> int:
        """The columns that a picture may take; 0 without colour, without the characters, or without room for one."""
        columns = terminal_columns(sys.stdout) or 0
        drawn = self._colour and sys.stdout.encoding.lower().startswith("utf") and columns >= _LEAST
        return columns if drawn else 0

    def draw(self, lines: Iterable[Iterable[tuple[str, TextStyle]]]) -> None:
        """Draw a picture made of coloured pieces."""
        for line in lines:
            for text, style in line:
                self.say(text, style)
            self.say("\n")

    @contextlib.contextmanager
    def busy(self, text: str) -> Iterator[None]:
        """Show that something is going on, for a moment at least; show nothing without colour."""
        if not (self._colour and self.interactive):
            yield
            return
        text = clip(text, (terminal_columns(sys.stdout) or 0) - 1)
        sys.stdout.write(f"\x1b[{TextStyle.TAKEN.value}m{text}\x1b[0m")
        sys.stdout.flush()
        began = time.monotonic()
        try:
            yield
            time.sleep(max(0.0, _MOMENT - (time.monotonic() - began)))
        finally:
            sys.stdout.write("\r\x1b[K")

    def notice(self, text: str) -> None:
        """Write a line that is not part of the dialogue to standard error."""
        # The reader of standard output may have gone; how to go on with the match must still be said.
        with contextlib.suppress(OSError):
            sys.stdout.flush()
        sys.stderr.write(fit(text, terminal_columns(sys.stderr)) + "\n")

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
        columns = terminal_columns(sys.stdout)
        above, newline, last = fit(prompt, columns and max(1, columns - _ANSWER)).rpartition("\n")
        self.say(above + newline)
        sys.stdout.flush()
        self._column = 0
        try:
            with self._shown_again(last):
                return input(last).strip()
        except EOFError:
            self.say("\n")
            raise EndOfInput from None
        except KeyboardInterrupt:
            self.say("\n")
            raise

    @contextlib.contextmanager
    def _shown_again(self, prompt: str) -> Iterator[None]:
        """Write the prompt again, and what is typed behind it, when the command comes back from Ctrl-Z."""
        if not hasattr(signal, "SIGTSTP"):
            yield
            return
        import termios  # noqa: PLC0415 - not on Windows, which has no Ctrl-Z either

        def stop(number: int, frame: object) -> None:
            del frame
            # Line editing sets terminal modes that the shell does not restore.
            modes = termios.tcgetattr(sys.stdin)
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
            signal.signal(number, stop)
            termios.tcsetattr(sys.stdin, termios.TCSANOW, modes)
            sys.stdout.write(f"\r{prompt}{self._typed()}")
            sys.stdout.flush()

        before = signal.signal(signal.SIGTSTP, stop)
        try:
            yield
        finally:
            signal.signal(signal.SIGTSTP, before)

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
