"""Try it: a set of items as a task of lm-eval, answered by scripted models; zerosum scores the same replies alike."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

os.environ |= {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "TQDM_DISABLE": "1"}

from lm_eval import simple_evaluate
from lm_eval.api.model import LM
from lm_eval.tasks import TaskManager

DICE = Random(31)


class Scripted(LM):
    """A model whose reply follows from the question."""

    def __init__(self, reply: Callable[[dict[str, Any]], str]) -> None:
        super().__init__()
        self._reply = reply

    def generate_until(self, requests: list[Any], disable_tqdm: bool = False) -> list[str]:  # noqa: FBT002 - theirs
        """Reply to every question."""
        del disable_tqdm
        return [self._reply(request.doc) for request in requests]

    def loglikelihood(self, requests: list[Any]) -> list[tuple[float, bool]]:
        """Refuse: a script has no probabilities."""
        raise NotImplementedError("A script has no probabilities.")

    loglikelihood_rolling = loglikelihood


def zerosum(*words: str) -> str:
    """Run the command that is installed here; return what it says. Exit status 3: not every item was asked."""
    command = [str(Path(sys.executable).with_name("zerosum")), "exam", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 3), done.stderr
    return done.stdout


def asked(folder: Path, reply: Callable[[dict[str, Any]], str]) -> tuple[dict[str, float], list[dict[str, Any]]]:
    """Ask a scripted model in lm-eval; return its metrics, and each question with its reply."""
    before = Path.cwd()
    os.chdir(folder)  # the task names its data by a path from here
    try:
        tasks = TaskManager(include_path=str(folder), include_defaults=False)
        found = simple_evaluate(Scripted(reply), tasks=["zerosum_exam"], task_manager=tasks, bootstrap_iters=0)
    finally:
        os.chdir(before)
    samples = found["samples"]["zerosum_exam"]
    results = found["results"]["zerosum_exam"]
    lines = [{"id": one["doc"]["id"], "reply": one["resps"][0][0]} for one in samples]
    return {name: results[f"{name},none"] for name in ("kept", "legal", "skill")}, lines


def main() -> None:
    """Check what the README says."""
    models: dict[str, Callable[[dict[str, Any]], str]] = {
        "knows the answer": lambda doc: f"I see it.\nMOVE: {doc['answers'][0]}",
        "picks a legal move": lambda doc: f"MOVE: {DICE.choice(doc['legal'])}",
        "says nothing": lambda _: "Good luck!",
    }
    with tempfile.TemporaryDirectory() as folder:
        items, task, replies = (str(Path(folder, name)) for name in ("items.jsonl", "task", "replies.jsonl"))
        games = ["--games", "sum31,zero-sum-duel", "--count", "8", "--reskin", "1", "--seed", "1"]
        zerosum("make", *games, "--out", items)
        zerosum("export", items, "--to", "lm-eval", "--out", task)
        for name, reply in models.items():
            found, lines = asked(Path(task), reply)
            Path(replies).write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
            scored = json.loads(zerosum("score", items, replies, "--json"))
            assert found["kept"] == scored["kept"], (found, scored)
            assert abs(found["skill"] - scored["skill"]) < 1e-9, (found, scored)
            said = ", ".join(f"{one} {value:.3f}" for one, value in found.items())
            print(f"A model that {name}: {said}; zerosum says the same.")


if __name__ == "__main__":
    main()
