"""Running a plan of the arena from the terminal: settle or resume it, play, and tell what it says."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import click

from zerosum.arena.crews import UnplayedError
from zerosum.arena.documents import report_json
from zerosum.arena.folder import Run, begun, resumed, settle
from zerosum.arena.foresight import question_words
from zerosum.arena.plan import Plan
from zerosum.arena.records import keep_records
from zerosum.arena.report import Report, report_of
from zerosum.arena.run import play, standing_of
from zerosum.arena.schedule import total
from zerosum.cli.arena_text import exact_lines, progress_words, report_lines
from zerosum.cli.engines import engine_of
from zerosum.cli.report import print_json
from zerosum.cli.solving import aloud
from zerosum.cli.width import echo, notice
from zerosum.lab.engine import Engine
from zerosum.match.run_folders import RunError
from zerosum.rules.text import printable

_INCOMPLETE: Final = 3


def engine_for(jobs: int | None, scheduler: str | None) -> Engine:
    """Return who plays; one pair at a time unless somebody says otherwise."""
    return engine_of(jobs or (None if scheduler else 1), scheduler)


def run_plan(
    plan: Plan, engine: Engine, output: str | None, *, resume: bool, as_json: bool, exact: bool = False
) -> int:
    """Play a plan, or what is missing of it, and tell what it says."""
    if resume and output is None:
        raise click.UsageError("--resume goes on with the run that --output names.")
    with _folder(output) as path:
        run = _settled(plan, path, resume=resume)
        if exact:
            return tell(report_of(run), as_json=as_json, exact=True)
        notice(question_words(run.plan, list(run.foreseen)))
        try:
            with aloud("Playing") as say:
                pairs, first = total(run.plan), run.names[0]
                play(run, engine, lambda standing, done: say(progress_words(standing, done, pairs, first)))
        except UnplayedError as error:
            notice(str(error))
        except KeyboardInterrupt:
            if output is not None:
                notice("What was played is kept; the same command with --resume goes on.")
            raise
        with aloud("Adding up"):
            log = run.log()
            standing = standing_of(run, log)
            report = report_of(run, log, standing)
            if output is not None:
                keep_records(run, log, standing)
        return tell(report, as_json=as_json, kept=output, lasting=output is not None)


@contextmanager
def _folder(output: str | None) -> Iterator[str]:
    """Give the folder of a run: the one named, or one that is gone afterwards."""
    if output is not None:
        yield output
        return
    with tempfile.TemporaryDirectory() as folder:
        yield os.path.join(folder, "run")


def _settled(plan: Plan, path: str, *, resume: bool) -> Run:
    if begun(path):
        if not resume:
            raise RunError(f"{printable(path)}: has a run in it already; add --resume to go on, or name a new folder.")
        return resumed(path, plan)
    with aloud("Getting ready") as say:
        return settle(plan, path, say)


def tell(report: Report, *, as_json: bool, exact: bool = False, kept: str | None = None, lasting: bool = True) -> int:
    """Print a report; return 3 where something is still to be played."""
    if as_json:
        print_json(report_json(report) if not exact else {**report_json(report), "complete": True})
    else:
        lines = exact_lines(report) if exact else report_lines(report, lasting=lasting)
        if kept is not None:
            lines += [
                "",
                f"Kept in {printable(kept)}; a page of it: zerosum arena report {printable(kept)} --html FILE",
            ]
        echo("\n".join(lines))
    return 0 if exact or report.complete else _INCOMPLETE
