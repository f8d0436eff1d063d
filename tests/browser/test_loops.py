"""Tests that run an event loop of their own can follow those with a browser."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def test_a_loop_runs() -> None:
    asyncio.run(asyncio.sleep(0))


def test_a_loop_runs_after_a_browser() -> None:
    ids = [f"{HERE}/test_browsing.py::test_a_page_opens_with_scripts", f"{__file__}::test_a_loop_runs"]
    run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *ids]
    done = subprocess.run(run, cwd=HERE.parent.parent, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "2 passed" in done.stdout
