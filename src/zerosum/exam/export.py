"""A set of items for other harnesses: a folder with a task for lm-eval.

The folder contains the answers, so keep it out of reach of the model that is examined.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from zerosum.arena.entrants.prompt import DEFAULT_STYLE, PromptStyle, ReplyKind, read_reply
from zerosum.arena.strength.decisions import difficulty
from zerosum.base.progress import Progress, silent
from zerosum.exam.items import CANARY, Item, ItemSet
from zerosum.exam.scoring import facts_of, keeping_moves
from zerosum.rules.moves import Operation

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
