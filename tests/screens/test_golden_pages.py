"""Every screen answers what it answered when it was last looked at, byte for byte."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.conftest import ROOT
from tests.screens.golden_pages import differences, kept_pages, report

FEWEST = 1_500


def test_every_screen_answers_what_it_answered() -> None:
    # A process of its own: pages are kept in memory, and no other test may have asked for them.
    environment = os.environ | {"PYTHONHASHSEED": "random"}
    command = [sys.executable, "-m", "tests.screens.golden_pages"]
    ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, f"{ended.stdout[-20_000:]}{ended.stderr[-5_000:]}"


def test_whatever_is_different_is_told() -> None:
    kept = kept_pages()
    assert len(kept) > FEWEST
    first, second, *_ = kept
    made = {name: text.replace("Number duels", "Dumber nuels") for name, text in kept.items() if name != second}
    made["9999 a page that is new"] = ""
    found = dict(differences(kept, made))
    assert found.pop(second) == ["This page was not visited."]
    assert found.pop("9999 a page that is new") == ["This page is new."]
    assert found.keys() == {name for name, text in kept.items() if "Number duels" in text} - {second}
    said = report(kept, made)
    assert first in said
    assert '-<h1 class="unseen">Number duels</h1>\n+<h1 class="unseen">Dumber nuels</h1>' in said
    assert report(kept, kept) == ""
