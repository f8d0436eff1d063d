"""Phrases about a match: who does what, lists of moves, and how a move ends it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from zerosum.base.english import listing, third
from zerosum.rules.model import Overshoot, Reaching, Rules, Tie, Totals
from zerosum.rules.moves import ADD_ONLY, Move
from zerosum.rules.outcome import Reason as EndReason
from zerosum.rules.position import Position

LISTED: Final = 5
"""How many good moves are named; the rest are counted."""
ROOM: Final = 90
"""How many characters a full list of moves may take."""


@dataclass(frozen=True, slots=True)
class Subject:
    """One of the two people, as a sentence calls them."""

    name: str
    own: str
    third: bool = False

    def does(self, verb: str) -> str:
        """Return the subject with its verb: `you make`, `Ann makes`."""
        return f"{self.name} {self.verb(verb)}"

    def verb(self, verb: str) -> str:
        """Return a verb as it goes with this subject."""
        return third(verb) if self.third else verb


@dataclass(frozen=True, slots=True)
class Subjects:
    """The player who makes the move in question, and the player who answers it."""

    you: Subject
    they: Subject


def named(name: str) -> Subject:
    """Return a person who is called by name."""
    return Subject(name, f"{name}'s", third=True)


YOU_AND_THEY: Final = Subjects(Subject("you", "your"), Subject("they", "their"))


def sentence(text: str) -> str:
    """Return a sentence that begins as sentences do; a name is left as it is written."""
    for word in ("you", "they", "their", "your"):
        if text.startswith(f"{word} "):
            return text[0].upper() + text[1:]
    return text


def listed(position: Position, moves: Sequence[Move], most: int | None = None, word: str = "or") -> str:
    """Return moves as people list them; if there are too many, the first few and the number of others."""
    texts = [position.text_of(move) for move in moves]
    if most is None:
        most = len(texts) if len(", ".join(texts)) <= ROOM else LISTED
    if len(texts) > most + 1:
        texts = [*texts[:most], f"{len(texts) - most} others"]
    return listing(texts, word)


def thing(rules: Rules) -> str:
    """Return what a player chooses on a turn: a number, or a move if numbers can be added or subtracted."""
    return "number" if rules.operations == ADD_ONLY else "move"


def literal(rules: Rules) -> bool:
    """Whether every match ends by making or passing the target, with one total that only grows.

    Then *safe* is the same as neither to pass the target nor to leave the number that makes it.
    """
    grows = rules.totals is Totals.SHARED and rules.operations == ADD_ONLY and min(rules.pool) > 0
    ends = rules.overshoot is Overshoot.LOSES and rules.start[0] < rules.target < rules.start[0] + sum(rules.pool)
    return grows and ends and rules.reaching is Reaching.WINS


def tie_goes_to(position: Position) -> str:
    """Return the seat that a tie goes to."""
    return f"seat {1 if position.rules.tie is Tie.FIRST_MOVER else 2}"


def deed(position: Position, move: Move, bend: Callable[[str], str]) -> str:
    """Return what a move that ends the match does: `make 31`; `bend` fits the verb to its subject."""
    outcome, target = position.play_unchecked(move).outcome, position.rules.target
    reason = outcome.reason if outcome else None
    if reason is EndReason.REACHED_TARGET:
        return f"{bend('make')} {target}"
    if reason is EndReason.OVERSHOT:
        return f"{bend('pass')} {target}"
    last = f"{bend('take')} the last number"
    if reason is EndReason.TIE_RULE:
        return f"{last}, and a tie goes to {tie_goes_to(position)}"
    if outcome is not None and reason is EndReason.CLOSER:
        return f"{last}, {'closer to' if outcome.winner is position.seat else 'farther from'} {target}"
    return last
