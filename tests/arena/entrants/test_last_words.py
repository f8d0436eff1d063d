"""What a crash is reported as: the line that says why, in whatever language the bot is written."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from tests.each import each
from zerosum.arena.entrants.bot import Bot
from zerosum.arena.entrants.bot_process import last_words
from zerosum.arena.entrants.entrant import WithdrawnError

CRASHES = [
    ("/b.js:2\n  throw new Error('no');\n  ^\n\nError: no\n    at a (/b.js:2)\n\nNode.js v20.20.2\n", "Error: no"),
    ("Error [ERR_X]: bad\n    at a {\n  code: 'ERR_X'\n}\n\nNode.js v22.1.0", "Error [ERR_X]: bad"),
    ('Traceback (most recent call last):\n  File "b.py", line 1\nValueError: no\n', "ValueError: no"),
    ('Traceback (most recent call last):\n  File "b.py", line 1\nbots.Lost: no\n', "bots.Lost: no"),
    ("KeyError: 1\n\nDuring handling:\n\nTypeError: two\n", "TypeError: two"),
    (
        "thread 'main' panicked at src/main.rs:2:5:\nout of bounds\nnote: run with `RUST_BACKTRACE=1`\n",
        "thread 'main' panicked at src/main.rs:2:5: out of bounds",
    ),
    ("panic: no moves\n\ngoroutine 1 [running]:\nmain.main()\n\t/b.go:4\nexit status 2\n", "panic: no moves"),
    (
        'Exception in thread "main" java.lang.IllegalStateException: no\n\tat B.main(B.java:3)\n',
        'Exception in thread "main" java.lang.IllegalStateException: no',
    ),
    ("b: b.c:3: main: Assertion `0' failed.\n", "b: b.c:3: main: Assertion `0' failed."),
    ("thinking\nno such luck\n", "no such luck"),
    ("\n \n", ""),
    ("Node.js v20.20.2\n", "Node.js v20.20.2"),
]


@each("crash", CRASHES)
def test_the_line_that_says_why(crash: tuple[str, str]) -> None:
    text, reason = crash
    assert last_words(text) == reason


def test_a_real_bot_in_python() -> None:
    with pytest.raises(WithdrawnError, match="It said: ZeroDivisionError: division by zero"):
        Bot(f"{sys.executable} -c 1/0").start()


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
def test_a_real_bot_in_node(tmp_path: Path) -> None:
    bot = tmp_path / "bot.js"
    bot.write_text("function choose() { throw new RangeError('no number is left'); }\nchoose();\n")
    with pytest.raises(WithdrawnError, match="It said: RangeError: no number is left"):
        Bot(f"node {bot}").start()
