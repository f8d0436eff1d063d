"""Try it: vf-eval plays matches with a scripted model, which reads the prompt and finds the best move.

The model is an HTTP endpoint on this machine that streams, as the client of verifiers asks. verifiers runs its chat
program with uv, which downloads what that program needs the first time.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from zerosum.rules.game_files import load_game
from zerosum.rules.notation import parse_position
from zerosum.solver import solution_of

sys.path.append(str(Path(__file__).resolve().parents[2]))
from tests.arena.entrants.fake_endpoint import Scripted, endpoint

SUM31 = solution_of(load_game("sum31"))
STATE = re.compile(r"in seat (\d)\..*Numbers left: ([\d, ]+)\.\nTotal: (\d+)\.", re.DOTALL)


def perfect(request: dict[str, Any]) -> Scripted:
    """Answer the last message with a best move."""
    content = request["messages"][-1]["content"]
    text = content if isinstance(content, str) else "".join(part.get("text", "") for part in content)
    found = STATE.search(text)
    assert found is not None, text
    position = parse_position(f"{found[2].replace(' ', '')} {found[3]} {found[1]}", SUM31.rules)
    return streamed(f"MOVE: {position.text_of(SUM31.options(position)[0].move)}")


def illegal(request: dict[str, Any]) -> Scripted:
    """Answer with a number that is not there."""
    del request
    return streamed("MOVE: +77")


def streamed(text: str) -> Scripted:
    """Return a reply as a stream of events."""
    known = {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": "scripted"}
    deltas = ({"role": "assistant", "content": text}, None), ({}, "stop")
    chunks = [{**known, "choices": [{"index": 0, "delta": delta, "finish_reason": end}]} for delta, end in deltas]
    events = [*(json.dumps(chunk) for chunk in chunks), "[DONE]"]
    return Scripted(body="".join(f"data: {event}\n\n" for event in events).encode())


def evaluated(model: Callable[[dict[str, Any]], Scripted], *options: str) -> list[dict[str, Any]]:
    """Run vf-eval against a scripted model; return what it recorded of each match."""
    binaries = Path(sys.executable).parent
    search = f"{binaries}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": search, "NO_PROXY": "127.0.0.1", "SCRIPTED_KEY": "none"}
    with endpoint(model) as fake, tempfile.TemporaryDirectory() as folder:
        command = [
            str(binaries / "vf-eval"),
            "zerosum-verifiers",
            "-m",
            "scripted",
            "--no-push",
            "--no-rich",
            "-o",
            folder,
        ]
        client = ["--client.base-url", fake.url, "--client.api-key-var", "SCRIPTED_KEY"]
        done = subprocess.run(
            [*command, *client, *options], env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        (file,) = Path(folder).rglob("traces.jsonl")
        return [trace for line in file.read_text().splitlines() for trace in json.loads(line)["traces"]]


def main() -> None:
    """Check what the README says."""
    traces = evaluated(perfect, "--env.taskset.pairs", "2", "--env.taskset.opponent", "random")
    assert len(traces) == 4
    assert all(trace["rewards"]["kept"]["score"] == 1 for trace in traces)
    choices = sum(trace["metrics"]["choices"] for trace in traces)
    assert choices > 0
    print(f"Perfect replies: reward 1 in {len(traces)} matches with {choices:g} real choices.")

    traces = evaluated(illegal, "--env.taskset.pairs", "1", "--env.taskset.from-start", "true")
    assert [trace["metrics"]["won"] for trace in traces] == [0, 0]
    assert [trace["metrics"]["illegal"] for trace in traces] == [2, 2]
    assert [trace["rewards"]["kept"]["score"] for trace in traces] == [0, 0]
    print("Illegal replies: asked again once, then lost.")


if __name__ == "__main__":
    main()
