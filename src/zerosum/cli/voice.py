"""What the dialogue says of a match: templates from data, filled in once.

A field is replaced by its text, and that text is never expanded again, so a name or a rules file can print nothing but
itself.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from functools import cache

from zerosum.match.match import Match
from zerosum.match.setup import Person
from zerosum.rules.files import GAME_IDS, GAMES_FOLDER, built_in
from zerosum.rules.model import Rules
from zerosum.rules.moves import ADD_ONLY, Move, Operation
from zerosum.rules.outcome import Outcome, Reason
from zerosum.rules.record import Ending
from zerosum.rules.text import printable

_FIELD = re.compile(r"\{([a-z0-9_]+)\}")
Words = dict[str, str]
Fields = Mapping[str, object]


def fill(template: str, fields: Fields) -> str:
    """Return `template` with its fields filled in, each text made safe to print."""
    return _FIELD.sub(lambda found: printable(str(fields[found[1]])), template)


@cache
def _words_file(name: str) -> Words:
    with open(os.path.join(GAMES_FOLDER, "words", f"{name}.toml"), "rb") as file:
        words: Words = tomllib.load(file)
    return words


def words_for(rules: Rules) -> Words:
    """Return the words of a game: its own where it is built in, unchanged, over those of any game like it."""
    words = _words_file("default") | _words_file(rules.totals.value)
    if rules.id in GAME_IDS and rules == built_in(rules.id):
        words |= _words_file(rules.id)
    return words


def pool_text(words: Words, pool: tuple[int, ...]) -> str:
    """Return a pool as the game writes it."""
    numbers = words["separator"].join(map(str, pool)) or words["empty"]
    return fill(words["frame"], {"numbers": numbers})


def calculation(before: int, move: Move) -> str:
    """Return the left side of an addition or subtraction as people write it, such as `0 + (-4)`."""
    number = f"({move.number})" if move.number < 0 else str(move.number)
    return f"{before} {move.operation.sign} {number}"


def scene(match: Match, words: Words) -> dict[str, object]:
    """Return the fields that say how a match stands."""
    position, setup = match.position, match.setup
    return {
        "game": setup.rules.name,
        "target": setup.rules.target,
        "player": setup.name(match.to_move),
        "pool": pool_text(words, position.pool),
        "total": position.total(position.seat),
        "name1": setup.names[0],
        "name2": setup.names[1],
        "total1": position.total(match.seat(Person.ONE)),
        "total2": position.total(match.seat(Person.TWO)),
        "moves": " ".join(map(position.text_of, match.moves)) or "none",
        "plies": len(match.moves),
    }


def _say(match: Match, key: str, extra: Fields | None = None) -> str:
    words = words_for(match.setup.rules)
    return fill(words[key], scene(match, words) | dict(extra or {}))


def opening(match: Match) -> str:
    """Return what is said before the first turn."""
    return _say(match, "opening")


def turn(match: Match) -> str:
    """Return what is said before any later turn."""
    return _say(match, "turn")


def state(match: Match) -> str:
    """Return how a match stands, for somebody who comes back to it."""
    return _say(match, "state")


def number_prompt(match: Match) -> str:
    """Return the question for a number."""
    offer = _say(match, "swap-offer") if match.position.swap_open else ""
    return offer + _say(match, "number-prompt")


def operation_prompt(match: Match) -> str:
    """Return the question for an operation."""
    return _say(match, "operation-prompt")


def typed(match: Match, move: Move) -> list[str]:
    """Return the answers by which a person would make a move: one for each prompt."""
    if move.operation is Operation.SWAP:
        return ["swap"]
    if match.setup.rules.operations == ADD_ONLY:
        return [str(move.number)]
    return [str(move.number), words_for(match.setup.rules)[move.operation.value]]


def moved(match: Match) -> str:
    """Return what is said of the last move, and of the refilled pool where it led to sudden death."""
    move, before, after = match.moves[-1], match.positions[-2], match.position
    player = match.setup.name(match.mover(len(match.moves) - 1))
    if move.operation is Operation.SWAP:
        return _say(match, "swapped", {"player": player})
    words = words_for(match.setup.rules)
    fields: dict[str, object] = {
        "player": player,
        "number": move.number,
        "operation": move.operation.value,
        "sign": move.operation.sign,
        "calculation": calculation(before.total(before.seat), move),
        "total": after.total(before.seat),
    }
    if after.outcome is not None:
        return _say(match, "final" if "final" in words else "moved", fields)
    if len(before.pool) > 1:
        return _say(match, "moved", fields)
    return _say(match, "moved", fields | {"pool": pool_text(words, ())}) + _say(match, "sudden-death")


def ended(match: Match, outcome: Outcome) -> str:
    """Return what is said of the outcome of a match."""
    key = outcome.reason.value
    if outcome.reason is Reason.REACHED_TARGET and outcome.winner is match.position.seat:
        key = "reached-target-loses"
    fields = {
        "winner": match.setup.name(match.person(outcome.winner)),
        "loser": match.setup.name(match.person(outcome.winner.other)),
        "answer": _answer(match.ending),
    }
    return _say(match, key, fields)


def _answer(ending: Ending | None) -> str:
    """Return the answer that ended a match; an empty operation leaves a space at its end."""
    if ending is None:
        return ""
    return f"{ending.text}(no operation)" if ending.text.endswith(" ") else ending.text


def series_score(match: Match, won: tuple[int, int]) -> str:
    """Return what is said before a match of a series."""
    series = match.setup.series
    if series is None:
        return ""
    fields = {"round": series.number, "best_of": series.best_of, "won1": won[0], "won2": won[1]}
    return _say(match, "series-score", fields)


def series_won(match: Match, won: tuple[int, int]) -> str:
    """Return what is said at the end of a series."""
    best = Person.ONE if won[0] > won[1] else Person.TWO
    return _say(match, "series-won", {"winner": match.setup.name(best), "won": max(won), "lost": min(won)})
