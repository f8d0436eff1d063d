"""A small exam, for the documentation: its commands are called one after the other in a folder of their own."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from typing import Final

from tools.calls import DOCS, fence, laid_out, made_once
from zerosum.exam.items import read_items

STEPS: Final = {
    "make": "exam make --games sum31 --count 8 --fresh 1 --reskin 1 --seed 1 --out items.jsonl",
    "verify": "exam verify items.jsonl --seed 1",
    "run": "exam run items.jsonl --command 'sh answer.sh' --name first --out run",
    "json": "exam report run --json",
    "other": "exam run items.jsonl --command 'sh last.sh' --name last --out other",
    "compare": "exam compare run other",
    "compare-json": "exam compare run other --json",
}
"""The commands, in order; each block of a page shows one of them."""


def _printed() -> dict[str, str]:
    """Return what each command prints, and as `question` the second question of the set."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(DOCS / "exams", folder, dirs_exist_ok=True)
        env = {**os.environ, "ZEROSUM_HOME": f"{folder}/home"}
        for name, words in STEPS.items():
            command = [sys.executable, "-m", "zerosum", *shlex.split(words)]
            found[name] = subprocess.check_output(command, stderr=subprocess.PIPE, text=True, cwd=folder, env=env)
        found["question"] = read_items(f"{folder}/items.jsonl").items[3].prompt()
    return found


def exam(step: str) -> str:
    """Return a command of the small exam and what it prints, or a question of it."""
    said = json.loads(made_once("exam", lambda: json.dumps(_printed())))[step]
    if step == "question":
        return fence(said)
    said = laid_out(json.loads(said)) if step.endswith("json") else said
    return fence(f"$ zerosum {STEPS[step]}\n{said}")
