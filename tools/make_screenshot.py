"""Draws docs/images/play.svg: a match played by the real command at a pseudo-terminal.

With `--check` nothing is written, and the exit status is 1 if the picture is not what the command shows now.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

import pexpect

ROOT: Final = Path(__file__).resolve().parent.parent
PICTURE: Final = ROOT / "docs" / "images" / "play.svg"
TITLE: Final = "A match of Sum31 at the terminal"
COMMAND: Final = ("play", "sum31", "--vs", "random", "--names", "Ann", "Bob", "--seed", "7")
PROMPT: Final = "available numbers: "
# What to wait for, one after the other, and what to answer then.
DIALOGUE: Final = (
    ("Ann's Turn:", PROMPT, "9"),
    ("Ann's Turn:", PROMPT, "5"),
    ("taken by", PROMPT, "8"),
    ("Ann's Turn:", PROMPT, "6"),
    ("wins!", "seats, n) ", "n"),
)

COLUMNS, SIZE, WIDTH, HEIGHT, MARGIN = 80, 14, 8.4, 19, 20
BACKGROUND, FOREGROUND = "#16181d", "#d8dee9"
COLOURS: Final = {
    "31": "#ff7b72", "32": "#7ee787", "33": "#e3b341", "34": "#79c0ff", "35": "#e2a8ff", "36": "#76e3ea",
    "90": "#8b949e",
}  # fmt: skip


@dataclass
class Screen:
    """As much of a terminal as a line-by-line dialogue needs: text, colours, returning and erasing."""

    lines: list[list[tuple[str, str]]] = field(default_factory=lambda: [[]])
    column: int = 0
    style: str = ""

    def feed(self, output: str) -> None:
        """Show what a program wrote."""
        for sequence, character in re.findall(r"\x1b\[([0-9;?]*[A-Za-z])|(.)", output, re.DOTALL):
            if sequence:
                self._control(sequence)
            elif character == "\n":
                self.lines.append([])
            elif character == "\r":
                self.column = 0
            elif character == "\b":
                self.column = max(0, self.column - 1)
            elif character.isprintable():
                self._put(character)

    def _control(self, sequence: str) -> None:
        if sequence.endswith("m"):
            self.style = ";".join(code for code in sequence[:-1].split(";") if code.strip("0"))
        elif sequence in ("K", "0K"):
            del self.lines[-1][self.column :]
        elif sequence.endswith(("C", "D")):
            step = int(sequence[:-1] or 1)
            self.column = max(0, self.column + (step if sequence.endswith("C") else -step))

    def _put(self, character: str) -> None:
        line = self.lines[-1]
        line += [(" ", "")] * (self.column + 1 - len(line))
        line[self.column] = (character, self.style)
        self.column += 1

    def text(self) -> list[str]:
        """Return the lines without their colours."""
        return ["".join(character for character, _ in line).rstrip() for line in self.lines]


def svg(screen: Screen, title: str | None = None) -> str:
    """Return the screen as a picture that needs nothing but a monospaced font; its description is its text."""
    width = round(2 * MARGIN + COLUMNS * WIDTH)
    height = 2 * MARGIN + HEIGHT * len(screen.lines)
    description = escape("\n".join(screen.text()))
    rows = [run for row, line in enumerate(screen.lines) for run in _runs(line, MARGIN + HEIGHT * row + SIZE)]
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    font = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-labelledby="title description">',
        f'<title id="title">{escape(title or TITLE)}</title>',
        f'<desc id="description">{description}</desc>',
        f'<rect width="{width}" height="{height}" rx="8" fill="{BACKGROUND}"/>',
        f'<g font-family="{font}" font-size="{SIZE}" fill="{FOREGROUND}">',
        *rows,
        "</g>",
        "</svg>",
    ]
    return "".join(f"{line}\n" for line in lines)


def _runs(line: list[tuple[str, str]], y: int) -> list[str]:
    """Return the pieces of a line that share a style, each held to its columns whatever the font."""
    runs: list[tuple[int, str, str]] = []
    for column, (character, style) in enumerate(line):
        if runs and runs[-1][2] == style:
            runs[-1] = (runs[-1][0], runs[-1][1] + character, style)
        else:
            runs.append((column, character, style))
    return [_text(start, text.rstrip(), style, y) for start, text, style in runs if text.strip()]


def _text(column: int, text: str, style: str, y: int) -> str:
    codes = style.split(";")
    fill = "".join(f' fill="{COLOURS[code]}"' for code in codes if code in COLOURS)
    weight = ' font-weight="bold"' if "1" in codes else ""
    length = f"{len(text) * WIDTH:.1f}"
    return (
        f'<text x="{MARGIN + column * WIDTH:.1f}" y="{y}" textLength="{length}" xml:space="preserve"'
        f"{fill}{weight}>{escape(text)}</text>"
    )


def played() -> Screen:
    """Return the screen after the dialogue."""
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "TERM": "xterm-256color", "ZEROSUM_HOME": home, "INPUTRC": os.devnull}
        environment.pop("NO_COLOR", None)
        words = ["-m", "zerosum", *COMMAND]
        terminal = pexpect.spawn(
            sys.executable, words, dimensions=(50, COLUMNS), encoding="utf-8", env=environment, timeout=20
        )
        output = ""
        for *signs, answer in DIALOGUE:
            for wanted in signs:
                terminal.expect_exact(wanted)
                output += terminal.before + wanted
            terminal.sendline(answer)
        terminal.expect(pexpect.EOF)
        output += terminal.before
        terminal.close()
    screen = Screen()
    screen.feed(f"\x1b[1m$ zerosum {' '.join(COMMAND)}\x1b[0m\r\n{output.rstrip()}")
    return screen


def main() -> int:
    """Draw or check the picture."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if the picture has drifted")
    options = parser.parse_args()
    picture = svg(played())
    if PICTURE.exists() and PICTURE.read_text(encoding="utf-8") == picture:
        return 0
    if options.check:
        print(f"{PICTURE.relative_to(ROOT)} is not what the command shows now; run: make docs")
        return 1
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    PICTURE.write_text(picture, encoding="utf-8")
    print(f"{PICTURE.relative_to(ROOT)}: drawn anew")
    return 0


if __name__ == "__main__":
    sys.exit(main())
