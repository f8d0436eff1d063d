"""A conversation with a bot, for the documentation: a real one, with one of our players."""

from __future__ import annotations

import sys
from time import monotonic
from typing import Final

from tools.calls import fence
from zerosum.arena.entrants.bot import rules_lines
from zerosum.arena.entrants.bot_process import Process
from zerosum.rules.game_files import built_in

_RULES: Final = rules_lines(built_in("sum31"))
_LINES: Final = (
    ("ugi", "ugiok"),
    *((line, "") for line in (f"rules {len(_RULES)}", *_RULES)),
    ("uginewgame", ""),
    ("isready", "readyok"),
    ("position startpos moves +5 +6", ""),
    ("go movetime 1000", "bestmove"),
    ("position startpos moves +5 +6 +3 +9", ""),
    ("policy", "policy"),
    ("tell result 1 reached-target", ""),
)
"""What is said to the bot, and the word with which its answer ends, where it answers."""
_PATIENCE: Final = 60


def talk() -> str:
    """Return the conversation; what the bot says stands further in."""
    bot = Process([sys.executable, "-m", "zerosum", "bot", "levels", "perfect", "--seed", "1"])
    shown = []
    try:
        for line, last in _LINES:
            bot.say(line)
            shown.append(line)
            while last:
                said = bot.hear(monotonic() + _PATIENCE)
                if said is None:
                    raise SystemExit("The bot of the documentation does not answer.")
                shown.append(f"        {said}")
                last = "" if said.startswith(last) else last  # noqa: PLW2901 - it has come
        bot.close(politely=True)
    finally:
        bot.close()
    return fence("\n".join((*shown, "quit")))
