"""The bare wire: nothing but protocol on standard output, whatever comes in, and nothing left behind at the end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import psutil
import pytest

from tests.assistant.asking import COMMAND, SLOW
from tests.patience import PATIENCE

pytestmark = pytest.mark.slow

VERSION = "2025-06-18"
HELLO = {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}


@dataclass
class Wire:
    """A server, and the lines to and from it."""

    process: subprocess.Popen[bytes]

    def send(self, line: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def line(self) -> dict[str, Any]:
        """Return the next line, which must be a message of the protocol."""
        assert self.process.stdout is not None
        message: dict[str, Any] = json.loads(self.process.stdout.readline())
        assert message["jsonrpc"] == "2.0"
        return message

    def request(self, number: int, method: str, **parameters: object) -> None:
        self.send(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": parameters}).encode())

    def answer(self, number: int) -> dict[str, Any]:
        """Return the answer to a request; errors without a number may come before it."""
        while (message := self.line()).get("id") != number:
            assert message.get("id") is None
            assert "error" in message or "method" in message
        return message

    def call(self, number: int, tool: str, **arguments: object) -> dict[str, Any]:
        self.request(number, "tools/call", name=tool, arguments=arguments)
        return dict(self.answer(number)["result"])

    def children(self) -> list[psutil.Process]:
        return list(psutil.Process(self.process.pid).children())

    def thinking(self, *but: int) -> psutil.Process:
        """Wait until a worker, but for some, is busy with something long; return it."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            for one in self.children():
                with suppress(psutil.Error):
                    if one.pid not in but and one.cpu_times().user > 0.5:
                        return one
            time.sleep(0.02)
        raise AssertionError("no worker is busy")

    def ended(self) -> int:
        return self.process.wait(PATIENCE)


@contextmanager
def wire(*options: str) -> Iterator[Wire]:
    """Give a server that has been greeted."""
    with subprocess.Popen(
        [COMMAND, "mcp", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        one = Wire(process)
        try:
            one.request(0, "initialize", **HELLO)
            assert one.answer(0)["result"]["serverInfo"]["name"] == "zerosum"
            one.send(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}')
            yield one
        finally:
            process.kill()


HOSTILE = [
    b"",
    b"hello",
    b"\x00\xff\xfe",
    b"[" * 100_000,
    b'{"a":' * 100_000,
    b"9" * 100_000,
    b'{"jsonrpc": "2.0"}',
    b'{"jsonrpc": "2.0", "id": 9223372036854775808, "method": "tools/call"}',
    b'{"jsonrpc": "2.0", "id": null, "method": "tools/list"}',
    b'{"jsonrpc": "2.0", "method": "notifications/unheard-of", "params": {}}',
    b'{"jsonrpc": "2.0", "id": "a", "result": {}}',
]


def test_whatever_comes_in_the_next_question_is_answered() -> None:
    with wire() as one:
        for number, line in enumerate(HOSTILE, 1):
            one.send(line)
            one.request(number, "ping")
            while (message := one.line()).get("id") != number:
                assert "error" in message, message
        found = one.call(100, "analyze", game="sum31", moves="+5 " * 2**16)
        assert found["isError"]
        found = one.call(101, "check_rules", rules="x" * 5_000_000)
        assert found["content"][0]["text"] == "rules: larger than 64 KiB."
        nested: Any = "deep"
        for _ in range(40):
            nested = {"a": [nested]}
        assert one.call(102, "analyze", game=nested)["isError"]
        assert one.call(103, "solve", game="sum31")["structuredContent"]["winner"] == 2


def test_half_a_character_is_answered_with_an_error() -> None:
    """JSON may write half of a surrogate pair, which is no text: a call with one must not wait for ever."""
    with wire() as one:
        for number, game in enumerate((r"\ud800", r"sum31\udc00", r"\ud800\ud800", r"a\\\ud83c!"), 1):
            call = '{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"rules","arguments":{"game":"%s"}}}'
            one.send((call % (number, game)).encode())
            result = one.answer(number)["result"]
            assert result["isError"]
            assert "broken character" in result["content"][0]["text"]
        assert "There is no game" in one.call(8, "rules", game="\N{GAME DIE}")["content"][0]["text"], "a whole pair"
        assert not one.call(9, "rules", game="sum31")["isError"]


def test_a_worker_that_is_killed_is_started_again() -> None:
    with wire() as one:
        assert not one.call(1, "solve", game="sum31")["isError"]
        (idle,) = one.children()
        idle.kill()
        assert not one.call(2, "analyze", game="sum31")["isError"], "asked anew"
        (games,) = one.children()
        assert games.pid != idle.pid

        one.request(3, "tools/call", name="solve", arguments={"game": SLOW})
        first = one.thinking(games.pid)
        first.kill()
        one.thinking(games.pid, first.pid).kill()
        result = one.answer(3)["result"]
        assert result["isError"], "asked twice, then given up"
        assert result["content"][0]["text"] == "The calculation was interrupted; try again in a moment."
        assert not one.call(4, "solve", game="sum31")["isError"]


def test_the_end_of_input_ends_it_while_it_thinks() -> None:
    with wire() as one:
        one.request(1, "tools/call", name="solve", arguments={"game": SLOW})
        worker = one.thinking()
        assert one.process.stdin is not None
        one.process.stdin.close()
        assert one.ended() == 0
        assert not worker.is_running(), "it was ended before its server"
        assert one.process.stderr is not None
        assert one.process.stderr.read() == b""


@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.full)])
def test_a_signal_ends_it_while_it_thinks(number: signal.Signals) -> None:
    with wire() as one:
        one.request(1, "tools/call", name="solve", arguments={"game": SLOW})
        worker = one.thinking()
        one.process.send_signal(number)
        assert one.ended() == 128 + number
        assert not worker.is_running(), "it was ended before its server"
        assert one.process.stderr is not None
        assert one.process.stderr.read() == b""


def test_a_reader_that_has_gone_ends_it() -> None:
    with wire() as one:
        assert one.process.stdin is not None
        assert one.process.stdout is not None
        one.process.stdout.close()
        one.request(1, "ping")
        one.process.stdin.close()
        # The input may end before the answer is written.
        assert one.ended() in (0, 1)
        assert one.process.stderr is not None
        assert b"Traceback" not in one.process.stderr.read()


WITHOUT = """
import sys
sys.modules["mcp"] = None  # importing it is now an ImportError
from zerosum.cli import main
sys.argv = ["zerosum", "mcp", *sys.argv[1:]]
main()
"""


def without(*arguments: str) -> subprocess.CompletedProcess[str]:
    run = [sys.executable, "-c", WITHOUT, *arguments]
    return subprocess.run(run, capture_output=True, text=True, timeout=PATIENCE, check=False, stdin=subprocess.DEVNULL)


def test_without_the_extra_one_line_names_it() -> None:
    done = without()
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == 'zerosum: mcp needs the extra "mcp": pip install "zerosum[mcp]"\n'
    assert "--no-answers" in without("--help").stdout


def test_at_a_terminal_it_says_what_it_waits_for() -> None:
    ours, theirs = os.openpty()
    with subprocess.Popen([COMMAND, "mcp"], stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        assert b"waiting for an assistant; Ctrl-C ends it" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130
        assert process.stdout is not None
        assert process.stdout.read() == b""
    os.close(ours)
    os.close(theirs)
