"""How strong the computer players are: what they are made of, and the ladder of each game, from `zerosum levels`."""

from __future__ import annotations

import json
from typing import Any, Final

from tools.calls import printed
from zerosum.players.levels import EVERYTHING, STRENGTHS
from zerosum.rules.game_files import LAB_IDS, load_game

HEAD: Final = (
    ("level", "sees", "slips", "below: first", "second", "both", "perfect: first", "second", "both"),
    ("---", "---", "--:", "--:", "--:", "--:", "--:", "--:", "--:"),
)


def players() -> str:
    """Return the table of the computer players."""
    rows = [
        ("player", "sees", "slips", "never misses a win at once", "sets traps when lost"),
        ("---", "---", "--:", "---", "---"),
    ]
    for who, level in STRENGTHS.items():
        sees = "everything" if level.sight == EVERYTHING else f"{level.sight} plies" if level.sight else "nothing"
        rows.append((f"`{who}`", sees, f"{level.slip:.0%}", _yes(level.sure), _yes(level.traps)))
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _yes(is_so: bool) -> str:
    return "yes" if is_so else "no"


def document(game: str) -> dict[str, Any]:
    """Return the ladder of a game, as `zerosum levels GAME --json` computes it."""
    found: dict[str, Any] = json.loads(printed(("levels", game, "--json")))
    return found


def ladder(game: str) -> str:
    """Return the ladder of a game as a table: chances to win in per cent, and how exact they are."""
    found = document(game)
    rows = [*HEAD, *map(_row, found["levels"])]
    error = found["error"]
    exact = (
        f"Each chance is off by at most {error:g}, before it is rounded here." if error else "Every chance is exact."
    )
    return "".join(f"| {' | '.join(row)} |\n" for row in rows) + f"\n{exact}\n"


def lab_ladders() -> str:
    """Return the ladders of the games that were found in the lab, one below the other."""
    return "\n".join(f"### {load_game(game).name}\n\n{ladder(game)}" for game in LAB_IDS)


def _row(rung: dict[str, Any]) -> tuple[str, ...]:
    scores = [rung[who][side] for who in ("below", "perfect") for side in ("as_first", "as_second", "average")]
    return (
        f"`{rung['who']}`",
        f"{rung['sight']} plies",
        f"{rung['slip']:.0%}",
        *(f"{100 * chance:.2f}" for chance in scores),
    )
