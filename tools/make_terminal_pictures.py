"""Draws what commands say at a terminal: docs/images/audit.svg, metrics.svg, measure.svg and envs.svg.

With `--check` nothing is written, and the exit status is 1 if a picture is not what its command says now.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pexpect

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # Of a script, only its own folder is on the path.

from tools.make_screenshot import COLUMNS, Screen, svg  # noqa: E402 - after the path is set
from tools.renewing import renew  # noqa: E402 - after the path is set

SECONDS: Final = 60
ROWS: Final = 60


@dataclass(frozen=True)
class Said:
    """A command, the title of its picture, and how many lines of its answer the picture shows."""

    command: tuple[str, ...]
    title: str
    lines: int = 40
    module: str = "zerosum"
    """What Python runs; only `zerosum` is a command of its own."""

    @property
    def typed(self) -> str:
        """What somebody types."""
        program = self.module if self.module == "zerosum" else f"python -m {self.module}"
        return " ".join((program, *self.command))


PICTURES: Final = {
    "audit": Said(("audit", "variants/sum21.toml"), "The audit of a variant"),
    "metrics": Said(("metrics", "sum31", "summit"), "Two games measured side by side", 17),
    "measure": Said(("measure", "policy", "level:5", "--game", "sum31"), "The exact scores of a player"),
    "envs": Said(("sum31", "variants/sum21.toml"), "The environments of two games", module="zerosum.envs.check"),
}


def screen_of(said: Said) -> Screen:
    """Return the screen after a command, with at most so many lines of its answer."""
    with tempfile.TemporaryDirectory() as home:
        env = {**os.environ, "TERM": "xterm-256color", "ZEROSUM_HOME": home}
        env.pop("NO_COLOR", None)
        words, size = ["-m", said.module, *said.command], (ROWS, COLUMNS)
        terminal = pexpect.spawn(
            sys.executable, words, cwd=ROOT / "docs", dimensions=size, encoding="utf-8", env=env, timeout=SECONDS
        )
        terminal.expect(pexpect.EOF)
        output = terminal.before
        terminal.close()
    whole = Screen()
    whole.feed(f"\x1b[1m$ {said.typed}\x1b[0m\r\n{output.rstrip()}")
    return Screen(whole.lines[: said.lines + 1])


def main() -> int:
    """Draw or check the pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a picture has drifted")
    options = parser.parse_args()
    drifted = [
        renew(ROOT / "docs" / "images" / f"{name}.svg", svg(screen_of(said), said.title), check=options.check)
        for name, said in PICTURES.items()
    ]
    return 1 if options.check and any(drifted) else 0


if __name__ == "__main__":
    sys.exit(main())
