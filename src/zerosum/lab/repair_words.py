"""A repair in words: what to change, and what that makes of the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from zerosum.lab.edits import Change, Edited
from zerosum.lab.goals import figure
from zerosum.rules.model import Ban, Exhausted, Overshoot, Reaching, Rules, Tie, Totals
from zerosum.rules.moves import ADD_ONLY

_OPERATIONS: Final = {True: "let numbers only be added", False: "let each number be added or subtracted"}
_WORDS: Final[dict[str, Mapping[Any, str]]] = {
    "reaching": {
        Reaching.WINS: "let whoever lands on the target win",
        Reaching.LOSES: "let whoever lands on the target lose",
    },
    "overshoot": {
        Overshoot.PLAY_ON: "let play go on past the target",
        Overshoot.LOSES: "let whoever goes past the target lose",
    },
    "exhausted": {
        Exhausted.LAST_MOVER: "give an empty pool to whoever moved last",
        Exhausted.CLOSEST: "give an empty pool to whoever is closer",
    },
    "tie": {
        Tie.FIRST_MOVER: "give a tie to the first player",
        Tie.SECOND_MOVER: "give a tie to the second player",
        Tie.SUDDEN_DEATH: "break a tie by sudden death",
    },
    "ban": {
        Ban.NONE: "allow moves that undo the one before",
        Ban.MIRROR: "forbid moves that undo the one before",
    },
    "swap": {True: "let the second player swap seats after the first move", False: "allow no swap of seats"},
    "totals": {
        Totals.SHARED: "let both players share one total",
        Totals.OWN: "give each player a total of their own",
    },
}


def change_words(before: Rules, game: Edited) -> str:
    """Return what to change: `Change the target from 31 to 27 and add 10 to the pool`."""
    parts = [part for change in game.changes for part in _change(before, game.rules, change)]
    text = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
    return text[0].upper() + text[1:]


def _change(before: Rules, after: Rules, change: Change) -> list[str]:
    key = change.key
    if key == "target":
        return [f"change the target from {change.before} to {change.after}"]
    if key == "start":
        return [f"start at {_starts(after)} instead of {_starts(before)}"]
    if key == "pool":
        was, now = Counter(before.pool), Counter(after.pool)
        added, gone = sorted((now - was).elements()), sorted((was - now).elements())
        lines = [f"take {', '.join(map(str, gone))} out of the pool"] if gone else []
        return lines + ([f"add {', '.join(map(str, added))} to the pool"] if added else [])
    if key == "operations":
        return [_OPERATIONS[after.operations == ADD_ONLY]]
    return [_WORDS[key][getattr(after, key)]]


def _starts(rules: Rules) -> str:
    return str(rules.start[0]) if len(set(rules.start)) == 1 else " and ".join(map(str, rules.start))


def outcome_words(document: Mapping[str, Any]) -> str:
    """Return what a game is like, as far as its figures are known."""
    parts = []
    openings, value = document.get("openings"), document.get("value")
    if openings is not None and value is not None:
        right = figure(document, "openings.share")
        if openings["swap_right"] is None:
            parts.append(f"{openings['winning']} of {openings['count']} openings {_verb(openings['winning'], 'win')}")
        else:
            parts.append(f"swapping is right after {100 * float(str(right)):.0f} % of the openings")
        parts.append(_winner(value))
    level = figure(document, "first.level:5")
    if isinstance(level, (int, float)):
        parts.append(f"between equals of level 5 the first scores {100 * level:.0f} %")
    return ", ".join(parts[:-1]) + f", and {parts[-1]}" if len(parts) > 1 else "".join(parts)


def _winner(value: Mapping[str, Any]) -> str:
    if value["winner"] is None:
        return "neither player can force a win"
    return f"the {'first' if value['winner'] == 1 else 'second'} player wins in {value['plies']}"


def _verb(count: int, verb: str) -> str:
    return f"{verb}s" if count == 1 else verb


def repair_words(before: Rules, game: Edited, document: Mapping[str, Any]) -> str:
    """Return the sentence of a repair."""
    outcome = outcome_words(document)
    return f"{change_words(before, game)}: then {outcome}." if outcome else f"{change_words(before, game)}."
