"""A question as data, beside its words: what a player of ours reads where a model reads the prompt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from zerosum.arena.entrants.entrant import Turn
from zerosum.exam.items import Item
from zerosum.rules.moves import Move, format_move, parse_move
from zerosum.rules.notation import parse_position
from zerosum.rules.position import Position, start_position
from zerosum.rules.rules_dict import rules_from_dict, rules_to_dict


@dataclass(frozen=True, slots=True)
class Note:
    """Where a move is to be chosen, what the choice follows from, and how each move is written."""

    position: Position
    seed: str
    shown: Mapping[str, str]
    """How a move is written in the question where that is not how the rules write it."""

    def text_of(self, move: Move) -> str:
        """Return a move as the question writes it."""
        text = self.position.text_of(move)
        return self.shown.get(text, text)


def note_turn(turn: Turn) -> dict[str, Any]:
    """Return a turn of a match as JSON."""
    return _note(turn.start, turn.moves, turn.seed, {})


def note_item(item: Item) -> dict[str, Any]:
    """Return the question of an item as JSON: the game before it was dressed up, which is solved once for all skins."""
    shown = {item.position.text_of(move): item.text_of(move) for move in item.position.legal_moves()}
    return _note(start_position(item.origin), item.moves, item.id, {} if item.dress is None else shown)


def _note(start: Position, moves: tuple[Move, ...], seed: str, shown: Mapping[str, str]) -> dict[str, Any]:
    return {
        "rules": rules_to_dict(start.rules),
        "start": str(start),
        "moves": [format_move(move, start.rules.operations) for move in moves],
        "seed": seed,
        "shown": shown,
    }


def read_note(noted: Mapping[str, Any]) -> Note:
    """Return what a note says."""
    rules = rules_from_dict(noted["rules"])
    position = parse_position(noted["start"], rules)
    for text in noted["moves"]:
        position = position.play(parse_move(text, rules.operations))
    return Note(position, noted["seed"], noted["shown"])
