"""A set of items for other harnesses: a folder with a task for lm-eval, and what Inspect keeps.

The folder contains the answers, so keep it out of reach of the model that is examined.

Inspect keeps numbers for each of its samples and asks for the figures at the end. The figures of single positions are
those of `zerosum exam score`. A built-in player reads the data of a question in place of the prompt.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any, Final

from zerosum.arena.entrants.entrant import Fault, Turn
from zerosum.arena.entrants.prompt import DEFAULT_STYLE, PromptStyle, ReplyKind, read_reply
from zerosum.arena.strength.decisions import difficulty
from zerosum.base.progress import Progress, silent
from zerosum.base.statistics import grouped, share_interval
from zerosum.exam.conversation import Conversation, added
from zerosum.exam.items import CANARY, Item, ItemSet
from zerosum.exam.scoring import Grade, GradeKind, facts_of, keeping_moves
from zerosum.rules.model import rules_from_dict, rules_to_dict
from zerosum.rules.moves import Move, Operation, format_move, parse_move
from zerosum.rules.notation import parse_position
from zerosum.rules.position import Position, start_position

TASK: Final = "zerosum_exam"
DATA: Final = "items.jsonl"
_YAML: Final = """\
# Written by `zerosum exam export`; the items have the SHA-256 {sha256}.
# In this folder: lm_eval --include_path . --tasks {task} --model ... ; it needs zerosum installed beside lm-eval.
# It sets no limit of tokens: lm-eval's own is short, so give --gen_kwargs max_gen_toks=... as the model needs.
# {canary}
task: {task}
dataset_path: json
dataset_kwargs:
  data_files:
    test: {data}
test_split: test
output_type: generate_until
doc_to_text: prompt
doc_to_target: "{{{{answers[0]}}}}"
generation_kwargs:
  until: []
  do_sample: false
process_results: !function {task}.process_results
metric_list:
  - metric: kept
    aggregation: mean
    higher_is_better: true
  - metric: legal
    aggregation: mean
    higher_is_better: true
  - metric: chance
    aggregation: mean
    higher_is_better: false
  - metric: skill
    aggregation: !function {task}.skill
    higher_is_better: true
metadata:
  version: 2.0
"""
_CODE: Final = '''\
"""Grades replies as zerosum does."""

from zerosum.exam.export import process_results, skill

__all__ = ["process_results", "skill"]
'''


def lm_eval_files(found: ItemSet, style: PromptStyle = DEFAULT_STYLE, progress: Progress = silent) -> dict[str, str]:
    """Return the files of a task for lm-eval, by name. Only real choices are in it: what is kept is a share of them."""
    lines = []
    for n, item in enumerate(found.items, 1):
        progress(f"{n:,} of {len(found.items):,}")
        if facts_of(item).real:
            lines.append(json.dumps(_line(item, style), ensure_ascii=False))
    return {
        f"{TASK}.yaml": _YAML.format(task=TASK, data=DATA, sha256=found.sha256, canary=CANARY),
        f"{TASK}.py": _CODE,
        DATA: "".join(f"{line}\n" for line in lines),
    }


def _line(item: Item, style: PromptStyle) -> dict[str, Any]:
    return {
        "id": item.id,
        "game": item.game,
        "prompt": item.prompt(style),
        "answers": list(keeping_moves(item)),
        "legal": [item.text_of(move) for move in item.position.legal_moves()],
        "operations": [operation.value for operation in item.origin.operations],
        **known_of(item),
        "canary": CANARY,
    }


def known_of(item: Item) -> dict[str, Any]:
    """Return what is known of an item beside its answers: what chance keeps, and how hard it is in every sense."""
    facts = facts_of(item)
    return {
        "chance": facts.keeping,
        "difficulty": difficulty(facts.keeping) if facts.real else None,
        "depth": facts.depth,
        "only_move": facts.only,
        "numbers_left": facts.left,
        "plies": facts.best.plies,
    }


def skill(results: Sequence[tuple[float, float]]) -> float:
    """Return what was kept on a scale where chance has 0 and perfect play 1; each result is (kept, chance).

    >>> skill([(1.0, 0.25), (0.0, 0.25)])
    0.3333333333333333
    """
    chance = sum(by_chance for _, by_chance in results)
    return (sum(kept for kept, _ in results) - chance) / (len(results) - chance)


def process_results(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, Any]:
    """Return what lm-eval counts of a reply: whether it kept the best verdict, whether it was legal, and chance."""
    read = read_reply(results[0], tuple(map(Operation, doc["operations"])))
    named = read.kind is ReplyKind.MOVE
    kept, legal = float(named and read.move in doc["answers"]), float(named and read.move in doc["legal"])
    return {"kept": kept, "legal": legal, "chance": doc["chance"], "skill": (kept, doc["chance"])}


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
