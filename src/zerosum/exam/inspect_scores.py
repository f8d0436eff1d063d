"""What a harness such as Inspect keeps: questions as data, and the numbers of one answer or match, to be added up.

A harness keeps such numbers for each of its samples and asks for the figures at the end. The figures of single
positions are those of `zerosum exam score`. A built-in player reads the data of a question in place of the prompt.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any

from zerosum.arena.entrants.entrant import Fault, Turn
from zerosum.base.statistics import grouped, share_interval
from zerosum.exam.conversation import Conversation, added
from zerosum.exam.items import Item
from zerosum.exam.scoring import Grade, GradeKind
from zerosum.rules.moves import Move, format_move, parse_move
from zerosum.rules.notation import parse_position
from zerosum.rules.position import Position, start_position
from zerosum.rules.rules_dict import rules_from_dict, rules_to_dict

Tally = dict[str, float]
"""Numbers that can be added up; `choices` are real choices, and `kept` are those of them that kept the verdict."""


def tally_answer(item: Item, grade: Grade) -> Tally:
    """Return what a reply to an item comes to."""
    real = grade.facts.real
    kinds = {kind.value: float(grade.kind is kind) for kind in GradeKind if kind is not GradeKind.MOVE}
    counted = {"choices": float(real), "kept": float(real and grade.kept), "by_chance": grade.facts.keeping * real}
    return {**counted, "regret": grade.regret, **kinds, "reskinned": float(item.dress is not None)}


def tally_match(talk: Conversation) -> Tally:
    """Return what a match comes to."""
    marks = added(talk.marks)
    faults = [reply.fault for mark in talk.marks for reply in mark.replies]
    return {
        "won": float(talk.won is True),
        "choices": float(marks.choices),
        "kept": float(marks.kept),
        "by_chance": marks.by_chance,
        "illegal": float(faults.count(Fault.ILLEGAL)),
        "unreadable": float(faults.count(Fault.UNREADABLE)),
    }


def position_figures(tallies: Sequence[tuple[Hashable, Tally]]) -> Tally:
    """Return the figures of many replies; those of one group are not independent, such as the reskins of a position."""
    every = [tally for _, tally in tallies]
    return {
        **_share("kept", tallies, "kept", "choices"),
        **_skill(every),
        **_share("kept_original", [one for one in tallies if not one[1]["reskinned"]], "kept", "choices"),
        **_share("kept_reskin", [one for one in tallies if one[1]["reskinned"]], "kept", "choices"),
        "regret": _total(every, "regret") / len(every),
        **{key: _total(every, key) for key in ("choices", "illegal", "unreadable", "truncated", "refused")},
    }


def match_figures(tallies: Sequence[tuple[Hashable, Tally]]) -> Tally:
    """Return the figures of many matches; those of one group are not independent, such as the two of a pair."""
    every = [tally for _, tally in tallies]
    return {
        **_share("score", [(group, {**tally, "matches": 1.0}) for group, tally in tallies], "won", "matches"),
        **_share("kept", tallies, "kept", "choices"),
        **_skill(every),
        **{key: _total(every, key) for key in ("choices", "illegal", "unreadable")},
    }


def _total(tallies: Iterable[Mapping[str, float]], key: str) -> float:
    return fsum(one[key] for one in tallies)


def _share(name: str, tallies: Sequence[tuple[Hashable, Tally]], of: str, among: str) -> Tally:
    """Return a share with its 95 % interval; nothing if there are no trials."""
    groups = grouped((group, int(tally[among]), int(tally[of])) for group, tally in tallies)
    trials, successes = map(sum, zip(*groups, strict=True)) if groups else (0, 0)
    if not trials:
        return {}
    low, high = share_interval(groups, of)
    return {name: successes / trials, f"{name}_low": low, f"{name}_high": high}


def _skill(every: Sequence[Tally]) -> Tally:
    """Return what chance keeps, and the share kept on a scale where chance has 0 and perfect play 1."""
    choices, kept, by_chance = (_total(every, key) for key in ("choices", "kept", "by_chance"))
    return {"chance": by_chance / choices, "skill": (kept - by_chance) / (choices - by_chance)} if choices else {}


@dataclass(frozen=True, slots=True)
class Note:
    """Where a move is to be chosen, what the choice follows from, and how each move is written."""

    position: Position
    seed: str
    shown: Mapping[str, str]
    """How the question writes a move, if the rules write it otherwise."""

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
