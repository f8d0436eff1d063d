"""Ctrl-C while a game is solved."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import time
from pathlib import Path

import psutil

from tests.cli.command import Zerosum, variant
from tests.cli.pty_play import Person
from tests.patience import PATIENCE


def _work_of_a_start(zerosum: Zerosum) -> float:
    """Return the processor time of a command that has hardly anything to do."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    zerosum("solve", "sum31").ok()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_ctrl_c_while_solving(zerosum: Zerosum, tmp_path: Path) -> None:
    game = variant(tmp_path, pool=list(range(1, 16)), operations=["add", "subtract"], target=1, ban="mirror")
    command = [*zerosum.command, "solve", game]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ)
    # It is in the midst of it once it has worked much longer than a start takes.
    usual = _work_of_a_start(zerosum)
    while sum(psutil.Process(running.pid).cpu_times()[:2]) < 3 * usual:
        assert running.poll() is None
        time.sleep(0.02)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=PATIENCE)
    assert (running.returncode, out) == (130, b"")
    assert b"Traceback" not in err


def test_ctrl_c_at_a_terminal_that_was_told_how_far_it_is(zerosum: Zerosum, tmp_path: Path) -> None:
    game = variant(tmp_path, pool=list(range(1, 16)), operations=["add", "subtract"], target=1, ban="mirror")
    with Person(zerosum.command, "solve", game) as someone:
        someone.sees("Solving My Variant: ").presses("\x03")
        assert someone.ends() == 130
