"""Calls of the real command, for the documentation: what is typed, what is printed, in a folder of its own."""

from __future__ import annotations

import fcntl
import functools
import hashlib
import json
import os
import re
import shlex
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from tests.cli.command import Ran, Zerosum
from tests.warm import COMMAND
from zerosum.match.match import read_match
from zerosum.match.saved import SavedMatches

DOCS: Final = Path(__file__).resolve().parent.parent / "docs"
KEEP: Final = "kept"
"""As the first word of a call: the matches of docs/matches were played before."""
MORE: Final = "..."
SHARED: Final = "ZEROSUM_MADE"
"""The variable that names a folder in which the processes of one run keep what they made for the documentation."""


def run(*words: str) -> str:
    """Return a call of the command and what it prints; what stands after `<` is typed, a word a line."""
    at = words.index("<") if "<" in words else len(words)
    return fence(f"{_call(words[:at])}\n{printed(words[:at], words[at + 1 :])}")


def notices(*words: str) -> str:
    """Return a call of the command and what it says on standard error, apart from the dialogue."""
    at = words.index("<") if "<" in words else len(words)
    return fence(f"{_call(words[:at])}\n{called(words[:at], words[at + 1 :]).err}")


def json_reply(*words: str) -> str:
    """Return a call of the command and its JSON answer, laid out for reading: the first of each list of objects."""
    return fence(f"{_call(words)}\n{laid_out(json.loads(printed(words)))}")


def laid_out(document: object) -> str:
    """Return a JSON document laid out for reading: the first of each list of objects."""
    answer = json.dumps(_shortened(document), indent=2, ensure_ascii=False)
    flat = re.sub(r"\[([^][{}]*)\]", lambda found: f"[{' '.join(found[1].split())}]", answer)
    return flat.replace(f'"{MORE}"', MORE)


def printed(words: tuple[str, ...], lines: Sequence[str] = ()) -> str:
    """Return what the command prints when these lines are typed."""
    return _ladder(words) if words[:1] == ("levels",) else called(words, lines).out


@functools.cache
def _ladder(words: tuple[str, ...]) -> str:
    return made_once(" ".join(words), lambda: called(words).out)


def made_once(name: str, make: Callable[[], str]) -> str:
    """Return what `make` returns; the processes of a run that share a folder make it once."""
    folder = os.environ.get(SHARED)
    if folder is None:
        return make()
    path = Path(folder, hashlib.sha256(name.encode()).hexdigest())
    with path.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            path.write_text(make(), encoding="utf-8")
    return path.read_text(encoding="utf-8")


def called(words: tuple[str, ...], lines: Sequence[str] = ()) -> Ran:
    """Call the command and type these lines; a call that fails is an error."""
    with tempfile.TemporaryDirectory() as home:
        if words[:1] == (KEEP,):
            _keep_matches(home)
            words = words[1:]
        typed = "".join(f"{line}\n" for line in lines)
        done = Zerosum([COMMAND])(*words, stdin=typed, env={"ZEROSUM_HOME": home, "LC_ALL": "C.UTF-8"}, cwd=DOCS)
    if done.status:
        raise SystemExit(f"zerosum {shlex.join(words)}: exit {done.status}\n{done.err}")
    return done


def fence(text: str, language: str = "text") -> str:
    """Return a text as a fenced block."""
    return f"```{language}\n{text.rstrip()}\n```\n"


def _call(words: tuple[str, ...]) -> str:
    return "$ " + shlex.join(("zerosum", *words[1:]) if words[:1] == (KEEP,) else ("zerosum", *words))


def _keep_matches(home: str) -> None:
    """Keep the matches of docs/matches in a folder, as if they had been played there."""
    store = SavedMatches(home)
    for path in sorted((DOCS / "matches").glob("*.txt")):
        match = read_match(path.read_text(encoding="utf-8"))
        match_id = store.create(match.setup)
        with store.opened(match_id) as journal:
            for move in match.moves:
                journal.write(move)
            store.settle(match_id, match)


def _shortened(value: object) -> object:
    if isinstance(value, dict):
        return {key: MORE if key == "seconds" else _shortened(one) for key, one in value.items()}
    if isinstance(value, list) and any(isinstance(one, dict) for one in value):
        return [_shortened(value[0]), *([MORE] if len(value) > 1 else [])]
    return value
