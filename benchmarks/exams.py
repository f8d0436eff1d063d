"""The exam: what asking and grading an item costs us, beside the endpoint, which runs in a process of its own."""

from __future__ import annotations

import multiprocessing
import tempfile
import time
from pathlib import Path
from typing import Final

from benchmarks.measure import within
from tests.arena.entrants.fake_endpoint import Scripted, endpoint
from zerosum.exam.askers import ModelAsker
from zerosum.exam.draw_items import make_items
from zerosum.exam.exam_run import ExamPlan, ask_all, create_run
from zerosum.exam.items import Options
from zerosum.exam.summary import report_of
from zerosum.rules.game_files import built_in

_MILLISECONDS: Final = 3.0
_GAMES: Final = ("sum31", "summit")


def _serve(addresses: multiprocessing.Queue[str], end: multiprocessing.Queue[str]) -> None:
    usage = {"prompt_tokens": 300, "completion_tokens": 50}
    with endpoint(lambda _: Scripted("MOVE: +1", usage=usage, model="m")) as fake:
        addresses.put(fake.url)
        end.get()


def main() -> None:
    """Ask a set of an endpoint, and report the run."""
    found = make_items(Options(tuple(map(built_in, _GAMES)), 100, 1, 1, "1"), "1")
    addresses: multiprocessing.Queue[str] = multiprocessing.Queue()
    end: multiprocessing.Queue[str] = multiprocessing.Queue()
    process = multiprocessing.Process(target=_serve, args=(addresses, end))
    process.start()
    try:
        with tempfile.TemporaryDirectory() as folder:
            run = create_run(found, ExamPlan(found.sha256, "model", "m"), str(Path(folder, "run")))
            asker = ModelAsker("m", addresses.get(), 60.0, run.plan.style)
            began = time.process_time()
            ask_all(run, asker, 4)
            report_of(run)
            spent = 1000 * (time.process_time() - began) / len(found.items)
    finally:
        end.put("")
        process.join()
    within("the exam, CPU an item", spent / 1000, _MILLISECONDS / 1000)


if __name__ == "__main__":
    main()
