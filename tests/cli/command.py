"""The installed command, run as a user runs it."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from subprocess import PIPE
from typing import Any

from tests.patience import PATIENCE
from tests.warm import WarmProcess, is_warm

TIMEOUT = PATIENCE
GAMES = ("sum-to-zero", "sequence-zero", "zero-sum-duel", "zero-sum-game", "sum31")
GOLDEN = Path(__file__).parent.parent / "golden"


@dataclass(frozen=True)
class Ran:
    """What a command wrote, and its exit status."""

    out: str
    err: str
    status: int

    @property
    def last_notice(self) -> str:
        return self.err.splitlines()[-1]

    def json(self) -> Any:
        """Return the one document on standard output; anything beside it is an error."""
        return json.loads(self.out)

    def ok(self) -> Ran:
        assert self.status == 0, self
        return self


@dataclass(frozen=True)
class Zerosum:
    """Call it with arguments and the text of standard input."""

    command: Sequence[str]

    def __call__(
        self,
        *args: str | bytes,
        stdin: str | bytes = "",
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        before: Callable[[], None] | None = None,
    ) -> Ran:
        command, environment = [*self.command, *args], {**os.environ, **(env or {})}
        start = WarmProcess if before is None and is_warm(command, environment) else subprocess.Popen
        with start(
            command, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=environment, cwd=cwd, preexec_fn=before
        ) as process:
            try:
                out, err = process.communicate(stdin.encode() if isinstance(stdin, str) else stdin, TIMEOUT)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
        ran = Ran(out.decode(), err.decode(), process.returncode)
        assert "Traceback" not in ran.out + ran.err, ran
        return ran

    def play(self, *args: str, answers: str = "", cwd: Path | None = None) -> Ran:
        """Play with answers separated by spaces; `_` is an empty one."""
        lines = "".join(f"{'' if word == '_' else word}\n" for word in answers.split())
        return self("play", *args, stdin=lines, cwd=cwd)

    def unfinished(self) -> list[dict[str, Any]]:
        """Return the list of unfinished matches."""
        matches: list[dict[str, Any]] = self("resume", "--list", "--json").ok().json()["matches"]
        return matches


def id_of(ran: Ran) -> str:
    """Return the id of the match that was kept."""
    start, _, match_id = ran.last_notice.rpartition("zerosum resume ")
    assert start, ran
    return match_id.split()[0]  # the advice may go on: a bot has to be named again


def variant(folder: Path, **keys: object) -> str:
    """Write a rules file and return its path; `like` or all keys are the caller's."""
    table: dict[str, object] = {"format": 1, "id": "variant", "name": "My Variant", **keys}
    path = folder / "variant.toml"
    path.write_text("".join(f"{key.replace('_', '-')} = {json.dumps(value)}\n" for key, value in table.items()))
    return str(path)
